"""tasks.md: the tasks in words, for people who page through them."""

from __future__ import annotations

from sopforge.artifacts.packaging.release import Release


def export(release: Release) -> dict[str, str]:
    """Return the list of tasks; agents may see it, so it holds no answer."""
    entries = [f"## {task.id}\n\n{task.text}\n" for task in release.tasks]
    return {"tasks.md": "\n".join([f"# Tasks of {release.model.title}\n", *entries])}
