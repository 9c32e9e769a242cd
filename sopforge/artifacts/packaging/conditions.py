"""What makes the conditions of a model known, and what makes them hold, for graders.

Only of models that name conditions: packages of others stay as they were.
"""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.artifacts.packaging.release import Release
from sopforge.language.logic.condition_sources import write_condition_sources


def export(release: Release) -> Mapping[str, str]:
    """Return the page about conditions, which agents do not see."""
    if not release.model.predicates:
        return {}
    return {"grader/conditions.md": write_condition_sources(release.model)}
