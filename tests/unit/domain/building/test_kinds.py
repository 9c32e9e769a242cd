"""Kinds of cases: which fields only one kind has, what that makes of rows, and what is refused."""

from __future__ import annotations

import pytest

from sopforge.language.domain.fields import Field
from sopforge.language.logic.readings.scalar import holds
from tests.unit.domain.minimal_brief import fault_of, faults_of, read_model

BEFORE = "  constraints:\n"
TOY = "    toy: {title: A toy, when: kind == 'Toy', fields: [weight]}\n"
WEIGHT = (
    "kind: {role: input, type: enum, values: [Book, Toy], description: kind}\n"
    "        weight: {role: observed, type: integer, min: 0, max: 9, description: weight}\n"
)
KIND = (
    "        kind: {role: input, type: enum, values: [Book, Toy], weights: [3, 1],"
    " description: kind}\n"
)


def kinds(text: str) -> tuple[str, str]:
    return BEFORE, f"  kinds:\n{text}{BEFORE}"


def with_weight(text: str = TOY) -> tuple[tuple[str, str], ...]:
    fields = (KIND, f"        {WEIGHT}")
    return fields, kinds(text), ("returns: [returned_on]", "returns: [returned_on, weight]")


def weight_of(*changes: tuple[str, str]) -> Field:
    return read_model(*changes).fields["weight"]


def test_a_field_of_a_kind_has_a_word_for_other_cases_and_is_drawn_so() -> None:
    item = weight_of(*with_weight())

    assert item.missing == "inapplicable"
    assert [part.sampling.missing_share for part in item.sampling.given] == [100]
    when = item.sampling.given[0].when
    assert [holds(when, {"kind": code}) for code in (0, 1)] == [True, False]


def test_every_row_has_the_field_just_where_its_case_is_of_the_kind() -> None:
    fact = read_model(*with_weight()).constraints[-1]

    rows = {
        (kind, weight): holds(fact, {"kind": kind, "weight": weight})
        for kind in (0, 1)
        for weight in (None, 0, 7)
    }

    assert rows == {
        (0, None): True,
        (0, 0): False,
        (0, 7): False,
        (1, None): False,
        (1, 0): True,
        (1, 7): True,
    }


def test_a_field_with_a_word_of_its_own_may_lack_a_value_in_its_kind_too() -> None:
    own = ("max: 9, description: weight", "max: 9, missing: not weighed, description: weight")
    fields, listed, returned = with_weight()
    model = read_model((fields[0], fields[1].replace(*own)), listed, returned)

    assert model.fields["weight"].missing == "not weighed"
    fact = model.constraints[-1]
    cases = [(0, None), (0, 3), (1, None), (1, 3)]
    assert [holds(fact, {"kind": k, "weight": w}) for k, w in cases] == [True, False, True, True]


def test_other_inputs_can_change_and_what_makes_a_kind_cannot() -> None:
    model = read_model(kinds(TOY.replace("weight", "is_opened")), *_below_kind())

    names = [item.name for item in model.changeable_inputs]
    assert names == ["bought_on", "price", "extras"]


def _below_kind() -> list[tuple[str, str]]:
    opened = "        is_opened: {role: input, type: boolean, description: whether it was opened}\n"
    return [(opened, ""), (KIND, KIND + opened)]


@pytest.mark.parametrize(
    ("listed", "code", "message"),
    [
        (TOY, "unknown-field", "there is no field 'weight'"),
        (
            TOY.replace("weight", "order_id"),
            "kind-field",
            "'order_id' is the key, so it cannot belong to one kind of case",
        ),
        (
            TOY.replace("weight", "status"),
            "kind-field",
            "'status' is the primary outcome, which every case answers",
        ),
        (
            TOY.replace("weight", "returned_on").replace("}", ", missing: not yet}"),
            "kind-field",
            "'returned_on' has the word 'not yet', which stands for cases of other kinds",
        ),
        (
            TOY.replace("weight", "extras").replace("kind == 'Toy'", "age > 3"),
            "kind-condition",
            "the condition reads 'age', which is no input that every case states",
        ),
    ],
)
def test_what_cannot_belong_to_a_kind_is_refused(listed: str, code: str, message: str) -> None:
    fault = fault_of(kinds(listed))

    assert (fault.code, fault.message) == (code, message)
    assert "kinds.toy" in fault.where


def test_a_field_of_two_kinds_is_refused_at_both() -> None:
    twice = TOY.replace("weight", "is_opened")

    faults = faults_of(kinds(twice + twice.replace("toy:", "book:")))

    assert [fault.message for fault in faults] == [
        "'is_opened' is listed more than once under 'kinds'"
    ] * 2
