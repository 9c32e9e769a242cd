"""Lists that are made of others: how they are read, and what is refused with which advice."""

from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Constant,
    Element,
    Relation,
    Rescale,
    Selection,
)
from sopforge.language.domain.parsing import ExpressionError, Scope, parse_condition, parse_value
from sopforge.language.domain.values.types import (
    BOOLEAN,
    AtomType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
)
from tests.unit.domain.minimal_brief import fault_of

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


@pytest.mark.parametrize(
    ("text", "target", "code", "message", "hint"),
    [
        pytest.param(
            "damages",
            list_of(part=PART),
            "type-error",
            "expected items taken from another list here",
            "write: [d for d in damages if d.cost > 50], or"
            " [item(part=d.part, charge=d.cost * 2) for d in damages]",
            id="the list itself",
        ),
        pytest.param(
            "[d for d in damages]",
            list_of(size=2, part=PART),
            "out-of-range",
            "'damages' has up to 3 items, but 'size: 2' is declared",
            "write 'size: 3' at the field that is decided",
            id="too small",
        ),
        pytest.param(
            "[d for d in damages]",
            list_of(price=COST),
            "unknown-field",
            "items of 'damages' have no field 'price'",
            "state its value: item(price=...)",
            id="no such field",
        ),
        pytest.param(
            "[d.part for d in damages]",
            list_of(part=PART),
            "type-error",
            "'d.part' is not an item of a list",
            "write d, or item(part=...)",
            id="a part in the place of an item",
        ),
        pytest.param(
            "[item(d.part) for d in damages]",
            list_of(part=PART),
            "type-error",
            "item(...) takes each field of the new item exactly once, by its name",
            "write item(part=...)",
            id="no name",
        ),
        pytest.param(
            "[item(prat=d.part) for d in damages]",
            list_of(part=PART),
            "unknown-field",
            "items of the list that is decided have no field 'prat'",
            "did you mean 'part'?",
            id="unknown name",
        ),
        pytest.param(
            "[item(part=d.part) for d in damages]",
            list_of(part=PART, cost=COST),
            "type-error",
            "item(...) lacks cost",
            "add the field, or remove it from the items of the list that is decided",
            id="a lack",
        ),
        pytest.param(
            "[item(cost=d.cost + 1) for d in damages]",
            list_of(cost=COST),
            "out-of-range",
            "the value can be 1.00 to 61.00, but the field declares 0.00 to 60.00",
            (
                "change the value, or widen 'min' and 'max' of the field; this check ignores"
                " constraints"
            ),
            id="out of range",
        ),
        pytest.param(
            "[item(when=d.part) for d in damages]",
            list_of(when=DateType(1, 9)),
            "type-error",
            "expected a date, found a label",
            "",
            id="another type",
        ),
        pytest.param(
            "[item(serial=d.serial) for d in damages]",
            list_of(serial=TextType(pattern="T[0-9]{3}")),
            "type-error",
            "expected text with the same values here, found text",
            "declare both fields with the same type",
            id="another pattern",
        ),
        pytest.param(
            "[d for d in damages]",
            list_of(remark=TextType(pool=("It broke.",), is_free=True)),
            "type-error",
            "free text cannot be compared",
            "make a separate field of a fact in the text",
            id="free text",
        ),
        pytest.param(
            "[d for d in limit]",
            list_of(part=PART),
            "type-error",
            "'limit' is not a list field",
            "the lists are damages",
            id="no list",
        ),
        pytest.param(
            "[item(n=count(e for e in damages)) for d in damages]",
            list_of(n=HOURS),
            "type-error",
            "a function over a list cannot be inside another one",
            "decide the inner one as a separate field",
            id="an aggregate inside",
        ),
    ],
)
def test_what_is_no_list_of_the_type_is_refused(
    text: str, target: ListType, code: str, message: str, hint: str
) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse_value(text, SCOPE, target)

    assert (refused.value.code, str(refused.value), refused.value.hint) == (code, message, hint)


def test_a_list_that_is_made_stands_in_no_condition() -> None:
    with pytest.raises(ExpressionError) as refused:
        parse_condition("[d for d in damages] == 1", SCOPE)

    assert refused.value.hint == "a list can only be the whole value of a list field"


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
