"""A small domain with a field of every type, and ways to vary it; its answers are known by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from sopforge.domain.expressions import Expression
from sopforge.domain.model import DomainModel, HitPolicy, Rule, Table
from sopforge.domain.parsing import Scope, parse_condition, parse_value
from sopforge.domain.reading import read_domain
from sopforge.domain.types import Value

PARCEL = """\
format: 1
domain: parcel_release
title: Release of Parcels
business_task: Decide whether a parcel may leave the depot.
model:
  policy:
    free_weight: {value: 5, unit: kg, meaning: weight that costs nothing}
    rate: {value: 1.50, unit: USD, meaning: price of each further kilogram}
    grace: {value: 3, unit: days, meaning: days after the due date that are forgiven}
  entities:
    parcel:
      key: parcel_id
      fields:
        parcel_id: {role: input, type: string, pattern: "PX[0-9]{5}", unique: true, description: number}
        weight: {role: input, type: number, places: 2, min: 0.00, max: 40.00, unit: kg, description: weight}
        fragile: {role: input, type: boolean, description: whether it breaks easily}
        sent_on: {label: day of dispatch, role: input, type: date, min: 2026-01-01, max: 2026-03-31, description: day}
        contents: {role: input, type: set, values: [Books, Glass, Medicine], empty: nothing listed, description: contents}
        service: {role: observed, type: enum, values: [Standard, Express, Night], description: service}
        due_on: {label: due date, role: observed, type: date, min: 2026-01-01, max: 2026-04-30, missing: no due date, missing_share: 40, description: day}
        slip_number: {role: observed, type: string, pattern: "S-[0-9]{4}", description: slip}
        surcharge: {role: derived, type: number, places: 4, min: -7.50, max: 60.00, unit: USD, description: surcharge}
        service_points: {role: derived, type: integer, min: 0, max: 4, unit: points, description: points}
        care: {role: outcome, type: enum, values: [plain, careful], missing: not judged, description: care}
        release: {role: outcome, type: enum, values: [released, held], primary: true, description: result}
        colour: {role: distractor, type: enum, values: [Brown, White], description: colour of the paper}
  decisions:
    surcharge: {value: "(weight - free_weight) * rate if weight > free_weight else 0"}
    service_points: {table: service, rows: {Standard: 0, Express: 2, Night: 4}}
    care:
      hit: first
      rules:
        - {id: C1, when: fragile or 'Glass' in contents, then: careful}
        - {id: C2, otherwise: plain}
  tools:
    findParcel:
      kind: lookup
      description: Find a parcel
      takes: [parcel_id, sent_on, fragile]
      returns: [service, due_on]
    priceParcel:
      kind: compute
      description: Work out the surcharge
      takes: [parcel_id, weight, service]
      returns: [surcharge, service_points]
    releaseParcel:
      kind: action
      description: Release a parcel
      takes: [parcel_id, care, surcharge]
      returns: [slip_number]
      requires:
        id: G
        chain:
          - {id: G1, is: surcharge <= 30, refusal: too_dear, says: the surcharge is too high}
          - id: G2
            any:
              - {id: G2a, is: care == 'plain', refusal: ask_first, says: ask first}
              - {id: G2b, is: surcharge > 10, refusal: not_covered, says: care is not covered}
  procedure:
    start: look
    steps:
      look:
        title: Look
        call: findParcel
        decide: [care]
        edges:
          - {when: "present(due_on) and days_between(due_on, sent_on) > grace", to: hold}
          - {to: price}
      price:
        title: Price
        call: priceParcel
        edges:
          - {to: let_go}
      let_go:
        title: Let it go
        call: releaseParcel
        edges:
          - {to: done}
      done: {title: Done, end: {release: released}}
      hold: {title: Hold, end: {release: held}}
"""


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
