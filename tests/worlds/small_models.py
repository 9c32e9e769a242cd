"""Small domains and how to vary them; their answers are known by hand.

A parcel has a field of every simple type; a claim uses every feature of the language; an order
refers to a customer, who may be lacking, and is changed by an action, which may be refused; inputs
of a claim under warranty may be malformed; a stay has values that fit each other; most values of a
rebooking are known on some paths only; the service on the telephone line carries out parts of its
procedure from several steps; the rules of a loan may give no value; a table of a repair gives
several fields at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.parsing import Scope, parse_condition, parse_value
from sopforge.language.domain.reading import read_brief, read_domain
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.domain.values.types import Item, Value

DOMAINS = Path(__file__).parents[1] / "domains"
PARCEL = (DOMAINS / "parcel.yaml").read_text(encoding="utf-8")
CLAIMS = (DOMAINS / "everything.yaml").read_text(encoding="utf-8")
ORDERS = (DOMAINS / "orders.yaml").read_text(encoding="utf-8")
CALLERS = (DOMAINS / "callers.yaml").read_text(encoding="utf-8")
PERMITS = (DOMAINS / "permits.yaml").read_text(encoding="utf-8")
WARRANTY = (DOMAINS / "warranty.yaml").read_text(encoding="utf-8")
RELEASE = "        call: releaseParcel\n"
NEVER_REFUSED = (
    ("is: surcharge <= 30", "is: surcharge <= 60"),
    ("is: surcharge > 10", "is: surcharge >= 0"),
)
"""What is changed of the parcels where no tool is to refuse, and each case to be held or done."""
REBOOKING = (DOMAINS / "rebooking.yaml").read_text(encoding="utf-8")
DISPATCH = (DOMAINS / "dispatch.yaml").read_text(encoding="utf-8")
LENDING = (DOMAINS / "lending.yaml").read_text(encoding="utf-8")
STAYS = (DOMAINS / "stays.yaml").read_text(encoding="utf-8")


@cache
def _read_model(text: str, source: str) -> DomainModel:
    """Return the model of a brief, read once in a session; nobody can change it."""
    return read_brief(text, source).model


@cache
def _read_domain(text: str, source: str) -> DomainModel:
    """Return the model of a document of a domain, read once in a session."""
    return read_domain(text, source)


def parcel(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of parcels, with each old text of it replaced by a new one."""
    return _read_domain(changed(PARCEL, *changes), "parcel.yaml")


def held_parcels(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of parcels in which each case has an answer: the refused are held."""
    refused = "        refused: {too_dear: hold, not_covered: hold}\n"
    return parcel((RELEASE, RELEASE + refused), *changes)


def claims(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of expense claims, with each old text of it replaced by a new one."""
    return _read_model(changed(CLAIMS, *changes), "everything.yaml")


def orders(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of orders, with each old text of it replaced by a new one."""
    return _read_model(changed(ORDERS, *changes), "orders.yaml")


def rebooking(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of rebookings, with each old text of it replaced by a new one."""
    return _read_model(changed(REBOOKING, *changes), "rebooking.yaml")


def warranty(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of claims under warranty, with old texts replaced by new ones."""
    return _read_model(changed(WARRANTY, *changes), "warranty.yaml")


def callers(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of the telephone line, with old texts replaced by new ones."""
    return _read_model(changed(CALLERS, *changes), "callers.yaml")


def permits(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of permits, granted by alternatives in order and by what must not be."""
    return _read_model(changed(PERMITS, *changes), "permits.yaml")


def stays(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of hospital stays, with each old text of it replaced by a new one."""
    return _read_model(changed(STAYS, *changes), "stays.yaml")


def lending(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of lent items, with each old text of it replaced by a new one."""
    return _read_model(changed(LENDING, *changes), "lending.yaml")


def dispatch(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of repairs, with each old text of it replaced by a new one."""
    return _read_model(changed(DISPATCH, *changes), "dispatch.yaml")


def branches(*thresholds: int, constraints: Iterable[str] = ()) -> DomainModel:
    """Return a model whose cases branch once per threshold: off where a value reaches it."""
    count = len(thresholds)
    known = [f"f{place}" for place in range(count)]
    fields = {
        "case_id": {**_text("input", "C[0-9]{6}"), "unique": True},
        **{name: {**_number("observed", 0, 99)} for name in known},
        "result": {"role": "outcome", "type": "enum", "values": ["good", "bad"], "primary": True},
    }
    look = {"kind": "lookup", "takes": ["case_id"], "returns": known}
    steps: dict[str, object] = {}
    for place, threshold in enumerate(thresholds):
        edges = [{"when": f"f{place} >= {threshold}", "to": f"x{place}"}, {"to": f"s{place + 1}"}]
        steps[f"s{place}"] = {**({} if place else {"call": "look"}), "edges": edges}
        steps[f"x{place}"] = {"edges": [{"to": f"s{place + 1}"}]}
    steps[f"s{count}"] = {"decide": ["result"], "edges": [{"to": "done"}]}
    rules = [{"id": "R1", "when": "f0 >= 50", "then": "good"}, {"id": "R2", "otherwise": "bad"}]
    model = {
        "policy": {},
        "entities": {"case": {"key": "case_id", "fields": _described(fields)}},
        "constraints": list(constraints),
        "decisions": {"result": {"hit": "first", "rules": rules}},
        "tools": _described({"look": look}),
        "procedure": {
            "start": "s0",
            "steps": {**_titled(steps), "done": {"title": "Done", "end": {}}},
        },
    }
    head = {"format": 1, "domain": "branches", "title": "Branches", "business_task": "Decide."}
    return read_domain(yaml.safe_dump({**head, "model": model}, sort_keys=False), "branches.yaml")


def judged(
    fields: Mapping[str, Mapping[str, object]],
    rules: Mapping[str, tuple[str, str]],
    *,
    formulas: Mapping[str, object] | None = None,
    otherwise: str = "bad",
) -> DomainModel:
    """Return a model that decides by one table whether a case is good, fair or bad.

    ``fields`` are what a tool looks up and what ``formulas`` decide, a text each or a whole
    decision; ``rules`` are conditions with their results.
    """
    result = {"role": "outcome", "type": "enum", "values": ["good", "fair", "bad"]}
    known = {"case_id": {**_text("input", "C[0-9]{6}"), "unique": True}, **fields}
    look = {
        "kind": "lookup",
        "takes": ["case_id"],
        "returns": [name for name, item in fields.items() if item["role"] == "observed"],
    }
    listed = [{"id": name, "when": when, "then": then} for name, (when, then) in rules.items()]
    worked_out = formulas or {}
    first = {"call": "look", "decide": [*worked_out, "result"], "edges": [{"to": "done"}]}
    model = {
        "entities": {
            "case": {
                "key": "case_id",
                "fields": _described({**known, "result": {**result, "primary": True}}),
            }
        },
        "decisions": {
            **{
                name: {"value": value} if isinstance(value, str) else value
                for name, value in worked_out.items()
            },
            "result": {"hit": "first", "rules": [*listed, {"id": "REST", "otherwise": otherwise}]},
        },
        "tools": _described({"look": look}),
        "procedure": {
            "start": "judge",
            "steps": {**_titled({"judge": first}), "done": {"title": "Done", "end": {}}},
        },
    }
    head = {"format": 1, "domain": "judged", "title": "Judged", "business_task": "Judge."}
    return read_domain(yaml.safe_dump({**head, "model": model}, sort_keys=False), "judged.yaml")


def observed(least: int, greatest: int) -> dict[str, object]:
    """Return a field of whole numbers that a tool looks up."""
    return _number("observed", least, greatest)


def derived(least: int, greatest: int) -> dict[str, object]:
    """Return a field of whole numbers that is worked out."""
    return _number("derived", least, greatest)


def _text(role: str, pattern: str) -> dict[str, object]:
    return {"role": role, "type": "string", "pattern": pattern}


def _number(role: str, least: int, greatest: int) -> dict[str, object]:
    return {"role": role, "type": "integer", "min": least, "max": greatest}


def _described(parts: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, object]]:
    return {name: {**part, "description": f"{name} of the case"} for name, part in parts.items()}


def _titled(steps: Mapping[str, Any]) -> dict[str, dict[str, object]]:
    return {name: {"title": f"Step {name}", **step} for name, step in steps.items()}


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with each old part of it replaced by a new one."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def scope_of(model: DomainModel) -> Scope:
    """Return the names that expressions of a model may use."""
    return Scope(
        fields={name: item.type for name, item in model.fields.items()},
        constants={name: item.constant for name, item in model.policy.items()},
        optional=frozenset(name for name, item in model.fields.items() if item.missing),
        calendars={name: calendar for name, (calendar, _) in model.calendars.items()},
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


def minute(text: str) -> int:
    """Return a date and time as rows hold it."""
    return (datetime.fromisoformat(text) - datetime(1, 1, 1)) // timedelta(minutes=1)  # noqa: DTZ001 - no zones


def line(kind: int, cents: int, *, receipt: bool = True, extras: int = 0) -> Item:
    """Return a line of a claim: meals are 0, hotels 1, taxis 2; a tip is 1, drinks are 2."""
    return {"kind": kind, "amount": cents, "has_receipt": int(receipt), "extras": extras}


def claim(**changes: Value | None) -> dict[str, Value | None]:
    """Return the record of a claim for one meal and one night, with some values changed."""
    plain: dict[str, Value | None] = {
        "claim_id": "EX000001",
        "pin": "K7Q",
        "handed_in_at": minute("2026-03-18 09:30"),
        "trip_end": day("2026-03-06"),
        "lines": (line(0, 1250), line(1, 11_900)),
        "signed_by": "Ada",
        "note": "Nothing to add; thank you.",
        "grade": 0,
        "region": 0,
        "line_manager": "Ada",
        "earlier_claims": ({"paid": 0, "was_late": 1},),
        "stored_pin": "K7Q",
        "frozen": 0,
        "voucher": "V-A001",
        "posted_at": minute("2026-07-01 08:00"),
        "paper_colour": 0,
        "scanned_at": minute("2026-03-18 10:00"),
    }
    return {**plain, **changes}


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
