"""metadata.json: the keys that SOP-Bench reads, and what else a user has to know of a package."""

from __future__ import annotations

import json
from collections import Counter

from sopforge.artifacts.packaging.canary import compute_release_canary
from sopforge.artifacts.packaging.rating.reviews import (
    collect_ratings,
    compute_agreement,
    compute_human_complexity,
    compute_model_complexity,
    count_checklist_points,
)
from sopforge.artifacts.packaging.release import Release
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import (
    EnumType,
    NumberType,
    SetType,
)
from sopforge.language.english.prose.purpose import describe_purpose

ENVIRONMENT, SCORER = "environment.py", "grader/score.py"
"""The modules by which a package is run, and logs of that are scored."""
REPLAY = "grader/replay.py"
"""Where calls change tables: what these hold after the calls of a session."""


def build_metadata(release: Release) -> dict[str, object]:
    """Return the metadata; ratings stand only where the brief, persons or a model state them."""
    model, terms = release.model, release.terms
    splits = Counter(task.split for task in release.tasks)
    scores = {
        "complexity_score": compute_model_complexity(release),
        "human_complexity": compute_human_complexity(release),
    }
    reviews = {
        "human_ratings": collect_ratings(release),
        "rating_agreement": compute_agreement(release),
        "model_ratings": [item.model_dump() for item in terms.model_ratings],
        "checklist": count_checklist_points(release),
    }
    return {
        "name": release.name,
        "domain": model.name,
        "version": release.version,
        **({"private": True, "drawn_from": release.drawn_from} if release.drawn_from else {}),
        "description": describe_purpose(model),
        "num_tasks": len(release.tasks),
        "num_tools": len(model.offered.tools),
        **{name: float(value) for name, value in scores.items() if value is not None},
        **{name: value for name, value in reviews.items() if value},
        "complexity_level": release.level,
        "complexity": json.loads(release.profile or "{}"),
        "input_columns": [item.name for item in model.inputs],
        "output_columns": [item.name for item in release.scored_columns],
        "malformed_inputs": [item.name for item in model.malformable],
        "extra_tools": _list_extra_tools(release),
        "environment": ENVIRONMENT,
        "scorer": SCORER,
        "columns": {
            item.name: _build_column_entry(item) for item in (*model.inputs, *model.outcomes)
        },
        "splits": dict(sorted(splits.items())),
        "licence": terms.licence,
        **({"released": terms.released} if terms.released else {}),
        "canary": compute_release_canary(release),
    }


def _list_extra_tools(release: Release) -> list[str]:
    """Return the tools that no step of the procedure calls."""
    model = release.model.offered
    called = {step.call for step in model.steps.values()}
    return [name for name in model.tools if name not in called]


def _build_column_entry(item: Field) -> dict[str, object]:
    """Return what a column means and which cells it can have."""
    said: dict[str, object] = {"role": str(item.role), "type": item.type.name}
    match item.type:
        case NumberType(places=places, unit=unit):
            said |= {"places": places, "unit": unit}
        case EnumType(values=values) | SetType(values=values):
            said |= {"labels": list(values)}
        case _:
            pass
    return {
        **said,
        **({"missing": item.missing} if item.missing else {}),
        "description": item.description,
    }


def export(release: Release) -> dict[str, str]:
    """Return the metadata as SOP-Bench reads them."""
    return {
        "metadata.json": json.dumps(build_metadata(release), indent=2, ensure_ascii=False) + "\n"
    }
