"""A small domain with a field of every type, and ways to vary it; its answers are known by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from sopforge.domain.expressions import Expression
from sopforge.domain.model import DomainModel, HitPolicy, Rule, Table
from sopforge.domain.parsing import Scope, parse_condition, parse_value
from sopforge.domain.reading import read_domain
from sopforge.domain.types import Value

PARCEL = (Path(__file__).parent / "domains" / "parcel.yaml").read_text(encoding="utf-8")


def parcel(*changes: tuple[str, str]) -> DomainModel:
    """Return the model, with each old text of it replaced by a new one."""
    text = PARCEL
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return read_domain(text, "parcel.yaml")


def scope_of(model: DomainModel) -> Scope:
    """Return the names that expressions of a model may use."""
    return Scope(
        fields={name: item.type for name, item in model.fields.items()},
        constants={name: item.constant for name, item in model.policy.items()},
        optional=frozenset(name for name, item in model.fields.items() if item.missing),
    )


def condition(model: DomainModel, text: str) -> Expression:
    """Return a condition over a model's names."""
    return parse_condition(text, scope_of(model))


def value(model: DomainModel, text: str, field: str) -> Expression:
    """Return a value of a field's type."""
    return parse_value(text, scope_of(model), model.fields[field].type)


def table(model: DomainModel, hit: str, rules: Mapping[str, str | None]) -> Table:
    """Return a table for the outcome ``care`` with the given conditions; None is "otherwise"."""
    then = value(model, "'plain'", "care")
    built = tuple(
        Rule(name, None if text is None else condition(model, text), then)
        for name, text in rules.items()
    )
    return Table("care", HitPolicy(hit), built, "")


def day(text: str) -> int:
    """Return a calendar day as rows hold it."""
    return date.fromisoformat(text).toordinal()


def row(**changes: Value | None) -> dict[str, Value | None]:
    """Return the record of a parcel of 5.00 kg, sent on 1 March, with some values changed."""
    plain: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "weight": 500,
        "fragile": 0,
        "sent_on": day("2026-03-01"),
        "contents": 0b001,
        "service": 1,
        "due_on": None,
        "slip_number": "S-0001",
        "colour": 0,
    }
    return {**plain, **changes}
