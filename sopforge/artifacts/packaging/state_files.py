"""Where calls change tables: frames, tools, requests and gold as data, of one published shape."""

from __future__ import annotations

from sopforge.artifacts.packaging.release import Release
from sopforge.artifacts.packaging.state.files import build_state_files


def export(release: Release) -> dict[str, str]:
    """Return the files of the layout; of other packages there are none."""
    return build_state_files(release.model, release.tasks, release.records, release.toolspecs)
