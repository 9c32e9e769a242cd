"""The small counter of the documentation, and models that differ from it in a few places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief

COUNTER = Path(__file__).parents[2] / "docs/examples/small_counter.yaml"
Parts: TypeAlias = dict[str, Any]


def write_counter(change: Callable[[Parts], None] = lambda _: None) -> str:
    """Return the counter's brief with its model changed, as YAML."""
    brief = yaml.safe_load(COUNTER.read_text("utf-8"))
    change(brief["model"])
    text = yaml.safe_dump(brief, sort_keys=False)
    # The library reads "no" as false, which is no word of a yes/no field.
    return text.replace("starts: false", "starts: 'no'")


def build_counter(change: Callable[[Parts], None] = lambda _: None) -> DomainModel:
    """Return the counter's model, changed."""
    model = read_brief(write_counter(change), "brief.yaml").model
    assert model is not None
    return model


def find_rule(model: Parts, name: str) -> Parts:
    """Return a rule on the reason."""
    rules: list[Parts] = model["decisions"]["reason"]["rules"]
    return next(rule for rule in rules if rule["id"] == name)
