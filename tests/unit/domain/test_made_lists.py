"""Lists that are made of others: how they are read, and what is refused with which advice."""

from __future__ import annotations

from functools import partial

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Constant,
    Element,
    Relation,
    Rescale,
    Selection,
)
from sopforge.language.domain.parsing import Scope, parse_value
from sopforge.language.domain.values.types import (
    BOOLEAN,
    AtomType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from tests.conftest import Golden
from tests.unit.domain.minimal_brief import fault_of
from tests.unit.domain.refusals import FAULTS, list_refused

PART = EnumType(("Motor", "Cable"))
COST = NumberType(0, 60_00, 2, "EUR")
HOURS = NumberType(1, 9)
SERIAL = TextType(pattern="S[0-9]{3}")
TAGS = SetType(("Sharp", "Heavy"), "no tags")
DAMAGES = ListType(
    (
        ("part", PART),
        ("cost", COST),
        ("hours", HOURS),
        ("covered", BOOLEAN),
        ("serial", SERIAL),
        ("tags", TAGS),
        ("remark", TextType(pool=("It broke.",), is_free=True)),
    ),
    3,
    "no damage",
)
SCOPE = Scope({"damages": DAMAGES, "limit": COST, "member": BOOLEAN}, {})


def list_of(size: int = 3, **fields: AtomType) -> ListType:
    return ListType(tuple(fields.items()), size, "nothing")


def element(kind: AtomType, name: str) -> Element:
    return Element(kind, "damages", name)


def test_an_item_is_taken_with_the_fields_that_the_new_list_declares() -> None:
    target = list_of(cost=COST, part=PART)
    above = Compare(
        Relation.GT, element(COST, "cost"), Constant(NumberType(50_00, 50_00, 2), 50_00)
    )

    assert parse_value("[d for d in damages if d.cost > 50]", SCOPE, target) == Selection(
        target, "damages", 3, above, (element(COST, "cost"), element(PART, "part"))
    )


def test_parts_are_given_by_their_names_in_any_order_and_brought_to_their_types() -> None:
    target = list_of(size=5, time=NumberType(0, 20_0, 1), what=PART, status=PART, free=BOOLEAN)
    text = "[item(status='Cable', what=d.part, free=member, time=d.hours) for d in damages]"

    made = parse_value(text, SCOPE, target)

    assert isinstance(made, Selection)
    assert (made.list, made.size, made.where) == ("damages", 3, None)
    time, what, status, free = made.parts
    assert isinstance(time, Rescale)
    assert time.operand == element(HOURS, "hours")
    assert (what, status) == (element(PART, "part"), Constant(PART, 1))
    assert free.type == BOOLEAN


def test_texts_and_sets_are_taken_as_they_are_declared() -> None:
    target = list_of(serial=SERIAL, tags=TAGS)

    made = parse_value("[d for d in damages]", SCOPE, target)

    assert isinstance(made, Selection)
    assert made.parts == (element(SERIAL, "serial"), element(TAGS, "tags"))


def test_the_word_for_no_items_is_the_empty_list() -> None:
    target = list_of(part=PART)

    assert parse_value("'nothing'", SCOPE, target) == Constant(target, ())


FREE = TextType(pool=("It broke.",), is_free=True)
REFUSED: list[tuple[ValueType, str]] = [
    (list_of(part=PART), "damages"),
    (list_of(size=2, part=PART), "[d for d in damages]"),
    (list_of(price=COST), "[d for d in damages]"),
    (list_of(part=PART), "[d.part for d in damages]"),
    (list_of(part=PART), "[item(d.part) for d in damages]"),
    (list_of(part=PART), "[item(prat=d.part) for d in damages]"),
    (list_of(part=PART, cost=COST), "[item(part=d.part) for d in damages]"),
    (list_of(cost=COST), "[item(cost=d.cost + 1) for d in damages]"),
    (list_of(when=DateType(1, 9)), "[item(when=d.part) for d in damages]"),
    (list_of(serial=TextType(pattern="T[0-9]{3}")), "[item(serial=d.serial) for d in damages]"),
    (list_of(remark=FREE), "[d for d in damages]"),
    (list_of(part=PART), "[d for d in limit]"),
    (list_of(n=HOURS), "[item(n=count(e for e in damages)) for d in damages]"),
    (BOOLEAN, "[d for d in damages] == 1"),
]


def test_what_is_no_list_of_the_type_is_refused(golden: Golden) -> None:
    refused = [
        list_refused([text], partial(parse_value, scope=SCOPE, target=target))
        for target, text in REFUSED
    ]
    golden(FAULTS / "made_lists.txt", "\n".join(refused))


FIELD = """\
        lines:
          role: observed
          type: list
          size: 3
          empty: no line
          description: lines
          items:
            part: {type: enum, values: [Motor, Cable], description: part}
        bill:
          role: outcome
          type: list
          size: 3
          empty: nothing due
          description: bill
          items:
            part: {type: enum, values: [Motor, Cable], description: part}
        points: {"""


RULES = "    bill: {hit: first, rules: [{id: L1, otherwise: nothing due}]}\n"


def test_a_list_is_decided_by_no_rules() -> None:
    fault = fault_of(
        ("        points: {", FIELD),
        ("    points:\n", f"{RULES}    points:\n"),
    )

    assert (fault.code, fault.message) == (
        "type-error",
        "'bill' is a list, and only 'value' can decide a list",
    )
