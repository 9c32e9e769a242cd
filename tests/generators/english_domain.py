"""One domain with fields of every type, labels, units and words of their own, and rows of it."""

from __future__ import annotations

from datetime import date
from random import Random

from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.fields import (
    AmountClause,
    Entity,
    Field,
    LabelClauses,
    Part,
    Role,
    Said,
    Sampling,
)
from sopforge.language.domain.model import DomainModel, PolicyConstant
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.values.types import (
    BOOLEAN,
    Atom,
    AtomType,
    DateTimeType,
    DateType,
    DurationType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueType,
)

FIRST, LAST = date(2026, 1, 26).toordinal(), date(2026, 3, 5).toordinal()
DAY = DateType(FIRST, LAST)
MOMENT = DateTimeType((FIRST - 1) * 1_440, LAST * 1_440 - 1)
SPEED = EnumType(("Slow", "Fast", "Very fast"), is_ordered=True)
EXTRAS = SetType(("Lamp", "Rug", "Chair"), "no extra")
NAMES = TextType(pool=("Ada", "Bo", "Cleo"))
CLAIMS = ListType(
    (
        ("amount", NumberType(0, 900, 2, "USD")),
        ("parts_used", NumberType(0, 5, 0)),
        ("kind", SPEED),
        ("settled", BOOLEAN),
        ("paid_on", DAY),
        ("extras", EXTRAS),
    ),
    3,
    "no claim",
)
OFFICE = Calendar("office", (date(2026, 2, 10).toordinal(),))

# name: type, label, word for missing
_FIELDS: dict[str, tuple[ValueType, str, str]] = {
    "score": (NumberType(-4, 9, 0, "points"), "lifestyle score", ""),
    "score_limit": (NumberType(0, 9, 0, "points"), "lifestyle score limit", ""),
    "weight": (NumberType(0, 999, 2, "kg"), "weight", ""),
    "years": (NumberType(1, 9, 0, "years"), "years of service and training", ""),
    "age": (NumberType(0, 99, 0, "years"), "sender age", ""),
    "tier": (NumberType(1, 5), "copay tier", ""),
    "rebate": (NumberType(-20, 20, 1, "USD"), "rebate", "no rebate"),
    "fragile": (BOOLEAN, "breakable goods", ""),
    "consent": (BOOLEAN, "consent of the guardian", ""),
    "urgent": (BOOLEAN, "is urgent", ""),
    "speed": (SPEED, "speed", ""),
    "wanted_speed": (SPEED, "wanted speed", "not asked for"),
    "extras": (EXTRAS, "chosen extras", ""),
    "piece": (EnumType(EXTRAS.values), "piece asked for", ""),
    "tools": (EXTRAS, "tools", "not listed"),
    "pause": (DurationType(-30, 600), "idle time", ""),
    "sent_on": (DAY, "day of dispatch", ""),
    "due_on": (DAY, "due date", "no due date"),
    "came_at": (MOMENT, "time of arrival", ""),
    "left_at": (MOMENT, "time of leaving", ""),
    "signed_by": (NAMES, "name of the signer", ""),
    "manager": (NAMES, "line manager", ""),
    "claims": (CLAIMS, "claims of the year", ""),
    "visits": (CLAIMS, "visits", "file not found"),
}
WIDE = NumberType(-(1 << 61), 1 << 61, 6)
CONSTANTS = {
    "adult_age": Constant(NumberType(1, 1, 0, "years"), 1, "adult_age"),
    "fee": Constant(NumberType(150, 150, 2, "USD"), 150, "fee"),
    "vat": Constant(NumberType(770, 770, 2, "percent"), 770, "vat"),
    "grace": Constant(NumberType(3, 3, 0, "days"), 3, "grace"),
    "new_rules": Constant(DateType(FIRST + 9, FIRST + 9), FIRST + 9, "new_rules"),
}
_FAST = LabelClauses("Fast", Said("it was done at speed", "it was not done at speed"))
_AMOUNTS = {
    "weight": AmountClause("the parcel weighs"),
    "age": AmountClause("the sender is", "old"),
}
_PARTS = {
    "claims": (
        Part("amount", "sum asked for", ""),
        Part("settled", "is settled", ""),
        Part("parts_used", "size", ""),
    ),
    "visits": (
        Part("amount", "size", ""),
        Part("settled", "settlement", ""),
        Part("kind", "sort", "", label_clauses=(_FAST,)),
        Part("paid_on", "payment day", "", verb="paid", until=frozenset({"sent_on"})),
    ),
}


def _field(name: str, kind: ValueType, label: str, missing: str) -> Field:
    return Field(
        name,
        label,
        Role.INPUT,
        kind,
        "",
        missing,
        primary=False,
        sampling=Sampling(),
        parts=_PARTS.get(name, ()),
        amount_clause=_AMOUNTS.get(name),
    )


FIELDS = {
    name: _field(name, kind, label, missing) for name, (kind, label, missing) in _FIELDS.items()
}
SCOPE = Scope(
    {name: item.type for name, item in FIELDS.items()},
    CONSTANTS,
    frozenset(name for name, item in FIELDS.items() if item.missing),
    {"office": OFFICE},
)
MODEL = DomainModel(
    name="every_type",
    title="",
    business_task="",
    entities={"case": Entity("case", "signed_by", tuple(FIELDS))},
    fields=FIELDS,
    policy={name: PolicyConstant(item, "") for name, item in CONSTANTS.items()},
    calendars={"office": (OFFICE, "")},
    constraints=(),
    decisions={},
    tools={},
    steps={},
    start="",
)


def random_row(random: Random) -> dict[str, Value | None]:
    """Return a row; what may be missing is missing in some."""
    return {
        name: None if item.missing and not random.randrange(4) else _random_value(random, item.type)
        for name, item in FIELDS.items()
    }


def _random_value(random: Random, kind: ValueType) -> Value:
    if isinstance(kind, ListType):
        return tuple(
            {name: _random_atom(random, part) for name, part in kind.fields}
            for _ in range(random.randint(0, kind.size))
        )
    return _random_atom(random, kind)


def _random_atom(random: Random, kind: AtomType) -> Atom:
    if isinstance(kind, TextType):
        return random.choice(kind.pool)
    low, high = kind.bounds
    ends = (low, high, min(high, max(low, 0)), min(high, max(low, 100)))
    return random.choice((*ends, random.randint(low, high), random.randint(low, high)))
