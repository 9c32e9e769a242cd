"""environment.py and grader/score.py: a package is run and scored without SOPForge."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from inspect import getfile
from pathlib import Path
from typing import Any, Protocol, TypeGuard

from sopforge.artifacts.packaging.metadata import ENVIRONMENT, SCORER
from sopforge.artifacts.packaging.release import Release
from sopforge.artifacts.packaging.sop_bench import LAYERS
from sopforge.extensions import load_fitting
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    TextType,
)
from sopforge.session import layers as session
from sopforge.session.layers import name_module

CARRIED = "sopforge.session"
ANSWERS = "grader/answers.json"
LAYERS_MODULE = "layers.py"
"""Beside the environment of a level with dials, which reads it."""


def build_answer_types(model: DomainModel) -> dict[str, object]:
    """Return what the scorer has to know of a model: its fields' values, and its tools."""
    return {
        "outcomes": [item.name for item in model.outcomes],
        "intermediates": [item.name for item in model.intermediates],
        **({"unasked": model.unasked_words} if model.unasked_words else {}),
        "tools": {name: tool.same_as or name for name, tool in model.offered.tools.items()},
        "acting": [name for name, tool in model.offered.tools.items() if tool.is_acting],
        "fields": {name: build_field_entry(item) for name, item in model.offered.fields.items()},
        **({"sessions": _build_session_entry(model)} if model.operations else {}),
    }


def _build_session_entry(model: DomainModel) -> dict[str, object]:
    """Return which columns hold what nobody may say."""
    offered = model.offered
    stores = {entity.store for entity in model.entities.values()}
    secrets = {
        (offered.name_records_file(entity), entity.name_column(item)): item.missing
        for entity in offered.entities.values()
        if entity.store in stores
        for item in offered.list_stored_fields(entity)
        # A label or a number is said for other reasons too.
        if item.role is Role.SECRET and isinstance(item.type, TextType)
    }
    return {
        "secrets": [
            {"file": file, "name": column, "missing": missing}
            for (file, column), missing in secrets.items()
        ],
    }


def build_field_entry(item: Field) -> dict[str, object]:
    """Return how the values of a field are written."""
    malformed = list(item.malformed.texts) if item.malformed else []
    return {
        **item.type.describe_answer(),
        **({"missing": item.missing} if item.missing else {}),
        **({"malformed": malformed} if malformed else {}),
    }


@cache
def _read_carried(name: str) -> str:
    return resources.files(CARRIED).joinpath(name).read_text("utf-8")


def _carry_layers(text: str) -> dict[str, str]:
    """Return what plays the layers of a file: the one module for all, and those of others."""
    if not text:
        return {}
    names = {json.loads(line)["layer"] for line in text.split("\n") if line}
    return {
        LAYERS_MODULE: _read_carried("layers.py"),
        **{name_module(name): _read_module(name) for name in sorted(names - session.LAYERS.keys())},
    }


def _read_module(name: str) -> str:
    """Return the file that plays the layers of a dial that others add, as it is installed."""
    dial = load_fitting("dials", name, _is_played)
    return Path(getfile(dial.layer.played_by)).read_text("utf-8")


class _Played(Protocol):
    layer: Any


def _is_played(found: object) -> TypeGuard[_Played]:
    return getattr(getattr(found, "layer", None), "played_by", None) is not None


def export(release: Release) -> dict[str, str]:
    """Return the environment for agents, and for graders the scorer with what it has to know."""
    declared = build_answer_types(release.model)
    return {
        ENVIRONMENT: _read_carried("environment.py"),
        SCORER: _read_carried("score.py"),
        **_carry_layers(release.layers.get(LAYERS, "")),
        ANSWERS: json.dumps(declared, indent=2, ensure_ascii=False) + "\n",
    }
