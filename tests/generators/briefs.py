"""Briefs whose rules ask what generated models ask, with the fields of those models.

A procedure looks all up, works an amount and a day out, judges by two tables and goes on to one of
several ends; its rules, formulas and transitions are what the generators of expressions write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

import yaml
from hypothesis import strategies as st

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    Constant,
    Read,
    Selection,
    collect_read_fields,
    iterate_parts,
)
from sopforge.language.domain.fields import PLACE, Field
from sopforge.language.domain.parsing import ExpressionError, Scope, parse_condition, parse_value
from sopforge.language.domain.values.types import (
    ANY_DAY,
    AtomType,
    BooleanType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from tests.generators import english
from tests.generators import english_domain as domain
from tests.generators.models import field_of, make_model
from tests.generators.procedures import make_document as make_procedure
from tests.generators.tables import make_document as make_tables

AMOUNT = NumberType(-(10**14), 10**14, 4)
"""The type of what is worked out."""
RESULTS = {"grade": ("low", "middle", "high"), "result": ("granted", "declined")}
MEANINGS = {
    "limit": "greatest number that is let through",
    "rate": "the price of each piece",
    "cutoff": "day on which the office moved",
    "adult_age": "age of majority",
    "fee": "Fee of the yard",
    "vat": "share of the tax",
    "grace": "days that are forgiven",
    "new_rules": "first day of the rules of this year",
}
Texts = Sequence[str]


@dataclass(frozen=True)
class Asked:
    """Fields, and what rules ask of them as texts: conditions, numbers and days."""

    name: str
    fields: Mapping[str, Field]
    scope: Scope
    conditions: Texts
    numbers: Texts
    days: Texts

    def write(self, random: Random) -> str:
        """Return a brief with these rules."""
        return _BriefMaker(self, random).write()


def make_asked(number: int) -> str:
    """Return a brief that asks what the model of a number asks."""
    model = make_model(number)
    texts = [item.text for item in model.questions if item.decision is None]
    fields = {
        name: field_of(name, kind) for name, kind in model.scope.fields.items() if _is_usual(kind)
    }
    of_kind = {
        kind: [text for text in texts if _is_of_kind(text, model.scope, kind)]
        for kind in (None, AMOUNT, ANY_DAY)
    }
    asked = Asked("asked", fields, model.scope, *of_kind.values())
    return asked.write(Random(f"brief {number}"))  # noqa: S311 - no secret


@st.composite
def spoken(draw: st.DrawFn) -> str:
    """Return briefs of a domain whose fields have labels, units and words of their own."""

    def some(texts: st.SearchStrategy[str], kind: ValueType | None, most: int) -> list[str]:
        found = draw(st.lists(texts, min_size=most // 2, max_size=most))
        right = [text for text in found if _is_of_kind(text, domain.SCOPE, kind)]
        return [text for text in right if _reads_what_is_there(text, domain.SCOPE, kind)]

    asked = Asked(
        "spoken",
        domain.FIELDS,
        domain.SCOPE,
        some(english.conditions(2), None, 8),
        some(english.sums(1) | english.functions(1) | english.aggregates(), AMOUNT, 2),
        some(english.days(1), ANY_DAY, 2),
    )
    return asked.write(Random(draw(st.integers(0, 1 << 20))))  # noqa: S311 - no secret


def made_briefs() -> st.SearchStrategy[str]:
    """Return briefs of all generators: of fields and rules, of parts, and of tables."""
    numbers = st.integers(0, 1 << 20)
    return st.one_of(
        numbers.map(make_asked),
        spoken(),
        numbers.map(lambda number: as_brief(make_procedure(number))),
        numbers.map(lambda number: as_brief(make_tables(number))),
    )


def as_brief(document: Mapping[str, Any]) -> str:
    """Return a domain document as a brief."""
    brief = {"task_context": "Clerks decide.", **document}
    return yaml.dump(brief, Dumper=_Dumper, sort_keys=False)


def _iterate_limits(scope: Scope, random: Random) -> Iterator[str]:
    """Yield a comparison of some field with each constant."""
    for name, item in scope.constants.items():
        kinds = scope.fields.items()
        alike = [
            x for x, kind in kinds if type(kind) is type(item.type) and x not in scope.optional
        ]
        text = f"{random.choice(alike)} {random.choice(('<', '<=', '>', '>='))} {name}"
        if _is_of_kind(text, scope, None):
            yield text


def _is_of_kind(text: str, scope: Scope, kind: ValueType | None) -> bool:
    """Return whether a text is a value of a type, or a condition, that briefs may have."""
    try:
        found = parse_value(text, scope, kind) if kind else parse_condition(text, scope)
    except ExpressionError:
        return False
    return all(_is_usual(scope.fields[name]) for name in collect_read_fields(found))


def _reads_what_is_there(text: str, scope: Scope, kind: ValueType | None) -> bool:
    """Return whether an expression reads no value that may be missing, but asks for it at most."""
    found = parse_value(text, scope, kind) if kind else parse_condition(text, scope)
    read = {
        getattr(node, "field", "") or getattr(node, "list", "")
        for node in iterate_parts(found)
        if isinstance(node, Read | Aggregate | Selection)
    }
    return read.isdisjoint(scope.optional)


def _is_usual(kind: ValueType) -> bool:
    """Return whether a field of a brief can be of a type: labels are two or more."""
    if isinstance(kind, NumberType):
        return kind.maximum <= AMOUNT.maximum
    return not isinstance(kind, EnumType) or len(kind.values) > 1


def _write_constant(item: Constant) -> object:
    cell = item.type.to_cell(item.value)
    return Decimal(cell) if isinstance(item.type, NumberType) else cell


class _Dumper(yaml.SafeDumper):
    """Writes decimal numbers as they are, and all in full."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the name that it has in PyYAML
        return True


def _write_decimal(dumper: yaml.SafeDumper, value: Decimal) -> yaml.Node:
    text = f"{value:f}"
    return dumper.represent_scalar(f"tag:yaml.org,2002:{'float' if '.' in text else 'int'}", text)


_Dumper.add_representer(Decimal, _write_decimal)


class _BriefMaker:
    """Writes one brief; what it takes of the texts stands in it once."""

    def __init__(self, asked: Asked, random: Random) -> None:
        self.asked, self.random = asked, random
        texts = [*asked.conditions, *_iterate_limits(asked.scope, random)]
        self.conditions = random.sample(texts, len(texts))

    def write(self) -> str:
        decisions = dict(self.decisions())
        steps = self.steps(list(decisions))
        model = {
            **self.constants(),
            "entities": {"case": {"key": "case_id", "fields": self.fields(list(decisions))}},
            "decisions": decisions,
            "tools": self.tools(),
            "procedure": {"start": "look", "steps": steps},
        }
        head = {"format": 1, "domain": self.asked.name, "title": "Made up"}
        return as_brief({**head, "business_task": "Decide.", "model": model})

    def take(self, most: int) -> list[str]:
        """Return up to so many conditions that stand nowhere else yet."""
        count = self.random.randint(1, most)
        taken, self.conditions = self.conditions[:count], self.conditions[count:]
        return taken

    def constants(self) -> dict[str, Any]:
        scope = self.asked.scope
        policy = {
            name: {
                "value": _write_constant(item),
                "meaning": MEANINGS[name],
                **({"unit": item.type.unit} if isinstance(item.type, NumberType) else {}),
            }
            for name, item in scope.constants.items()
        }
        days = {
            name: {
                "holidays": [date.fromordinal(day).isoformat() for day in item.holidays],
                "meaning": "days on which nobody works",
            }
            for name, item in scope.calendars.items()
        }
        return {"policy": policy, "calendars": days}

    def decisions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, texts in (("amount", self.asked.numbers), ("day", self.asked.days)):
            if texts:
                yield name, {"value": self.random.choice(texts)}
        for name, labels in RESULTS.items():
            rules: list[dict[str, Any]] = [
                {
                    "id": f"{name[0].upper()}{place}",
                    "when": text,
                    "then": self.random.choice(labels),
                }
                for place, text in enumerate(self.take(4))
            ]
            rules.append({"id": f"{name[0].upper()}X", "otherwise": labels[-1]})
            yield name, {"hit": "first", "rules": rules}

    def steps(self, decided: Sequence[str]) -> dict[str, Any]:
        ends = {
            name: {"title": title, "end": {}}
            for name, title in (("stop", "Stop"), ("pass", "Pass"))
        }
        last = decided.index("result")
        look = {"call": "lookUp", "decide": decided[:last], "edges": self.edges("stop", "judge")}
        judge = {"call": "noteDown", "decide": decided[last:], "edges": self.edges("stop", "pass")}
        return {
            "look": {"title": "Look the case up", **look},
            "judge": {"title": "Judge the case", **judge},
            **ends,
        }

    def edges(self, aside: str, onward: str) -> list[dict[str, Any]]:
        asked = [{"when": text, "to": aside} for text in self.take(2)]
        return [*asked, {"to": onward}]

    def tools(self) -> dict[str, Any]:
        names = list(self.asked.fields)
        seen = [name for name in names if self.role_of(name) == "observed"]
        inputs = [name for name in names if name not in seen]
        text = {"takes": ["case_id"], "description": "Look a case up"}
        noted = {"takes": ["case_id", *inputs[:2]], "description": "Note a case down"}
        guard = [
            {"id": f"N{place}", "is": text, "refusal": f"refused_{place}", "says": "it is not so"}
            for place, text in enumerate(self.take(2))
        ]
        return {
            "lookUp": {"kind": "lookup", "returns": seen, **text},
            "noteDown": {
                "kind": "action",
                **noted,
                **({"requires": {"id": "N", "chain": guard}} if guard else {}),
            },
        }

    def role_of(self, name: str) -> str:
        """Return whether the task states a field or the look-up returns it."""
        return "observed" if list(self.asked.fields).index(name) % 3 else "input"

    def fields(self, decided: Sequence[str]) -> dict[str, Any]:
        key = {"type": "string", "pattern": "C[0-9]{6}", "unique": True}
        day = {"type": "date", "min": date.min.isoformat(), "max": date.max.isoformat()}
        made = {
            "amount": describe_type(AMOUNT),
            "day": day,
            "grade": _make_labels(RESULTS["grade"]),
        }
        result = {"role": "outcome", "primary": True, **_make_labels(RESULTS["result"])}
        return {
            "case_id": {"role": "input", "description": "number of the case", **key},
            **{
                name: {"role": self.role_of(name), **describe(item)}
                for name, item in self.asked.fields.items()
            },
            **{
                name: {"role": "derived", "description": f"{name} of the case", **made[name]}
                for name in decided
                if name in made
            },
            "result": {"description": "what becomes of the case", **result},
        }


def _make_labels(labels: Sequence[str]) -> dict[str, Any]:
    return {"type": "enum", "values": list(labels)}


def describe(item: Field) -> dict[str, Any]:
    """Return a field as a brief has it, without its role."""
    missing = {"missing": item.missing, "missing_share": 20} if item.missing else {}
    said = item.description or f"{item.label} of the case"
    kind = item.type
    if isinstance(kind, ListType):
        labels = {part.name: part.label for part in item.parts}
        items = {name: describe_part(part, labels.get(name, "")) for name, part in kind.fields}
        described = {"type": "list", "items": items, "size": kind.size, "empty": kind.empty}
    else:
        described = describe_type(kind)
    clause = item.amount_clause
    words = {"said": f"{clause.before} {PLACE} {clause.after}".strip()} if clause else {}
    return {"label": item.label, "description": said, **described, **missing, **words}


def describe_part(kind: AtomType, label: str) -> dict[str, Any]:
    """Return a field of a list's items as a brief has it."""
    named = {"label": label} if label else {}
    return {"role": "input", "description": "what it says", **named, **describe_type(kind)}


def describe_type(kind: AtomType) -> dict[str, Any]:
    """Return what a brief says of a type."""
    match kind:
        case NumberType():
            return _describe_number(kind)
        case BooleanType():
            return {"type": "boolean"}
        case EnumType():
            ordered = {"ordered": True} if kind.is_ordered else {}
            return {**_make_labels(kind.values), **ordered}
        case SetType():
            return {"type": "set", "values": list(kind.values), "empty": kind.empty}
        case TextType():
            texts = {"pool": list(kind.pool)} if kind.pool else {"pattern": kind.pattern}
            return {"type": "string", **texts}
        case _:
            low, high = (kind.to_cell(end) for end in kind.bounds)
            name = "date" if isinstance(kind, DateType) else "datetime"
            return {"type": name, "min": low, "max": high}


def _describe_number(kind: NumberType) -> dict[str, Any]:
    low, high = kind.to_cell(kind.minimum), kind.to_cell(kind.maximum)
    if not kind.places:
        return {"type": "integer", "min": int(low), "max": int(high), "unit": kind.unit}
    return {"type": "number", "places": kind.places, "min": low, "max": high, "unit": kind.unit}
