"""What tasks state of rows: slips of the pen that no pattern has and no reader changes."""

from __future__ import annotations

import pytest

from sopforge.artifacts.rendering.pattern_words import describe_form, describe_pattern
from sopforge.harness.scoring.shortcut_agents import build_no_tool_agent
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.building.field_parts.labels import describe_unreadable_label
from sopforge.language.domain.values.malformed_inputs import (
    collect_malformed_shapes,
    compute_text_shape,
    is_malformed,
)
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import Value, ValueNotAllowedError
from sopforge.language.logic.stated_inputs import (
    choose_malformed_text,
    derive_marks,
    derive_stated_inputs,
    list_slips,
)
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import claims, day, orders, warranty

MODEL = warranty()
PLAIN = {"claim_id malformed": None, "serial malformed": None, "dealer_id malformed": None}


def row(**changes: int | str | None) -> dict[str, Value | None]:
    given: dict[str, Value | None] = {
        "claim_id": "W-120458",
        "serial": "SN0012B",
        "dealer_id": "D508",
        "reported_on": 1,
    }
    return {**given, **PLAIN, **changes}


def test_the_slips_of_a_text_are_those_that_people_make() -> None:
    left_out, twice, letters, digits, small, swapped, run_together, apart = list_slips(
        read_pattern("[A-Z]{2}-[0-9]{3}"), "QO-105"
    )

    assert left_out == ("O-105", "Q-105", "QO-05", "QO-15", "QO-10")
    assert twice == ("QQO-105", "QOO-105", "QO-1105", "QO-1005", "QO-1055")
    assert letters == ("QO-I05", "QO-1O5", "QO-10S")
    assert digits == ("Q0-105",)
    assert small == ("qo-105",)
    assert swapped == ("Q-O105", "QO1-05")
    assert run_together == ("QO105",)
    assert apart == ("Q O-105", "QO -105", "QO- 105", "QO-1 05", "QO-10 5")


def test_no_slip_is_a_text_of_the_pattern_or_changed_by_a_reader() -> None:
    texts = ["O-[0-9]{6}", "PX[0-9]{5}", "[A-Z]{3}[0-9]", "T", "MAR[A-Z0-9]{2}", "x[a-f]@[0-9].de"]
    for pattern in map(read_pattern, texts):
        for number in {0, pattern.size // 3, pattern.size // 2, pattern.size - 1}:
            slips = [x for kind in list_slips(pattern, pattern.build_text(number)) for x in kind]
            assert slips
            for slip in slips:
                assert slip
                assert not pattern.has(slip)
                assert not describe_unreadable_label(slip)


def test_a_text_that_no_slip_changes_gets_an_ending() -> None:
    assert list_slips(read_pattern("_"), "_") == [("_-x",)]


def test_a_row_without_marks_is_stated_as_it_is() -> None:
    assert derive_stated_inputs(MODEL, row()) == {
        "claim_id": "W-120458",
        "serial": "SN0012B",
        "dealer_id": "D508",
        "reported_on": 1,
    }


def test_a_marked_input_is_stated_malformed_and_the_others_as_they_are() -> None:
    stated = derive_stated_inputs(MODEL, row(**{"claim_id malformed": 1}))

    assert is_malformed(MODEL.fields["claim_id"].type, stated["claim_id"])
    assert {**stated, "claim_id": ""} == {**derive_stated_inputs(MODEL, row()), "claim_id": ""}


def test_a_text_that_is_malformed_already_is_stated_as_it_is() -> None:
    once = derive_stated_inputs(MODEL, row(**{"dealer_id malformed": 1}))

    again = derive_stated_inputs(MODEL, {**row(**{"dealer_id malformed": 1}), **once})

    assert again == once


def test_listed_texts_are_stated_in_the_place_of_slips() -> None:
    texts = {choose_malformed_text(MODEL.fields["serial"], f"SN{n:04}A") for n in range(60)}

    assert texts == {"SN on the back", "not legible, see photo", "SN00A"}


def test_slips_of_all_kinds_and_places_occur() -> None:
    item = MODEL.fields["claim_id"]
    shapes = {
        compute_text_shape(choose_malformed_text(item, f"W-{n:06}"))
        for n in range(0, 900_000, 1_771)
    }

    for wanted in (
        "A-99999",
        "A-9999999",
        "A-9A9999",
        "a-999999",
        "A9-99999",
        "A999999",
        "A- 999999",
    ):
        assert wanted in shapes


def test_marks_follow_from_what_is_stated() -> None:
    stated: dict[str, Value | None] = {
        "claim_id": "W-12045",
        "serial": "SN0012B",
        "dealer_id": "D 508",
        "reported_on": day("2026-01-01"),
    }

    assert derive_marks(MODEL, stated) == {
        "claim_id malformed": 1,
        "serial malformed": None,
        "dealer_id malformed": 1,
        "reported_on malformed": None,
    }


def test_a_model_without_malformed_inputs_has_no_marks() -> None:
    assert derive_marks(orders(), {"order_id": "O-1"}) == {}


def test_identifiers_are_distinguished_by_how_they_are_malformed() -> None:
    kinds = {name: MODEL.fields[name].type for name in ("claim_id", "dealer_id")}
    cells = {"claim_id": "w-12O456", "dealer_id": "D508"}

    assert collect_malformed_shapes(kinds, cells, ["dealer_id", "claim_id"]) == {
        "claim_id": "a-99A999"
    }


def test_another_share_changes_no_other_column() -> None:
    more = warranty(("malformed: {share: 6}", "malformed: {share: 60}"))
    mark = "claim_id malformed"
    first, second = (sample_rows(model, 4, range(300)) for model in (MODEL, more))

    assert [{**row, mark: 0} for row in first] == [{**row, mark: 0} for row in second]
    assert all(b[mark] for a, b in zip(first, second, strict=True) if a[mark])


def test_a_pattern_is_described_in_words() -> None:
    words = {
        "P[0-9]{6}": '"P", then 6 digits',
        "[A-Z]{2}[0-9]": "2 capital letters, then 1 digit",
        "x[a-z]y": '"x", then 1 small letter, then "y"',
        "555-01[0-9]{2}": '"555-01", then 2 digits',
        "[A-Z0-9]{4}[ABC]": (
            '4 capital letters or digits, then 1 of the characters "A", "B" and "C"'
        ),
    }

    assert {pattern: describe_pattern(read_pattern(pattern)) for pattern in words} == words


def test_the_form_of_a_listed_value_is_described_in_words() -> None:
    model = claims()

    assert describe_form(model.fields["grade"]) == '"Staff", "Lead" or "Chief"'
    assert describe_form(MODEL.fields["opened"]) == '"yes" or "no"'
    assert (
        describe_form(MODEL.fields["reported_on"])
        == "year-month-day, from 2026-01-01 to 2026-06-30"
    )


def test_a_malformed_day_is_a_cell_and_a_parameter_as_it_is_written() -> None:
    item = MODEL.fields["reported_on"]

    assert item.parse("last week") == "last week"
    assert item.format_cell("last week") == item.as_json("last week") == "last week"
    assert item.parse("2026-01-02") == day("2026-01-02")
    with pytest.raises(ValueNotAllowedError):
        item.parse("last month")


STATED: dict[str, Value | None] = {
    "claim_id": "W-000001",
    "serial": "SN0001A",
    "dealer_id": "D001",
    "reported_on": day("2026-03-01"),
}


def test_an_agent_that_calls_no_tool_answers_where_malformed_inputs_decide() -> None:
    agent = build_no_tool_agent(MODEL, {"verdict": "free repair"})

    def answer(**changes: str) -> object:
        stated = {**STATED, **changes}
        inputs = {item.name: item.format_cell(stated[item.name]) for item in MODEL.inputs}
        return read_answer(agent.solve(inputs, lambda _tool, _sent: {}).answer)

    assert answer(dealer_id="D1") == {"verdict": "ask the dealer"}
    # Nothing is known of these: the dealer may be unknown, so that it guesses.
    for guessed in (answer(), answer(claim_id="W-1"), answer(reported_on="last week")):
        assert guessed == {"verdict": "free repair"}
