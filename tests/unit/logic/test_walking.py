from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.tool_calls import Frame, Refused
from sopforge.language.logic.walking import Walk, collect_outcomes, find_hits, walk
from sopforge.proof.dataset.oracle import label_row
from tests.worlds.small_models import claim, claims, day, line, parcel, row, table

MODEL = parcel()
REPLIES: dict[str, dict[str, Value | None]] = {
    "findParcel": {"service": 1, "due_on": None},
    "priceParcel": {"surcharge": 75_000, "service_points": 2},
    "releaseParcel": {"slip_number": "S-0001"},
}


def walked(
    replies: Mapping[str, dict[str, Value | None] | Refused],
    model: DomainModel = MODEL,
    **changes: Value | None,
) -> Walk:
    """Return the walk of a parcel with a service that answers as written down."""
    record = row(**changes)

    def service(tool: Tool, arguments: Frame) -> dict[str, Value | None] | Refused:
        assert set(arguments) == set(tool.takes)
        return replies[tool.name]

    return walk(model, {item.name: record[item.name] for item in model.inputs}, service)


def test_the_path_names_steps_and_edges_in_turn() -> None:
    done = walked(REPLIES)

    assert done.path == ["look", "look.2", "price", "price.1", "let_go", "let_go.1", "done"]


@pytest.mark.parametrize(
    ("due_on", "last"),
    [
        pytest.param("2026-02-26", "done", id="3 days late are forgiven"),
        pytest.param("2026-02-25", "hold", id="4 days late are not"),
    ],
)
def test_the_first_edge_that_holds_is_taken(due_on: str, last: str) -> None:
    found: dict[str, Value | None] = {"service": 1, "due_on": day(due_on)}

    assert walked({**REPLIES, "findParcel": found}).path[-1] == last


def test_calls_carry_what_the_walk_knows() -> None:
    done = walked(REPLIES, fragile=1)

    assert [(call.tool, dict(call.arguments)) for call in done.calls] == [
        ("findParcel", {"parcel_id": "PX00001", "sent_on": day("2026-03-01"), "fragile": 1}),
        ("priceParcel", {"parcel_id": "PX00001", "weight": 500, "service": 1}),
        ("releaseParcel", {"parcel_id": "PX00001", "care": 1, "surcharge": 75_000}),
    ]


def test_outcomes_are_what_rules_and_ends_gave() -> None:
    done = walked(REPLIES)

    assert collect_outcomes(MODEL, done) == {"care": 0, "release": 0}
    assert done.rules == {"care": ("C2",)}


def test_a_refusal_ends_the_walk_where_it_happened() -> None:
    refused = Refused("record_mismatch", "no")

    done = walked({**REPLIES, "findParcel": refused})

    assert done.path == ["look"]
    assert done.refusal == refused
    assert collect_outcomes(MODEL, done) == {"care": None, "release": None}


def test_a_formula_can_be_decided_at_a_step() -> None:
    model = parcel(
        ("decide: [care]", "decide: [care, service_points]"),
        ("returns: [surcharge, service_points]", "returns: [surcharge]"),
    )

    done = walked({**REPLIES, "priceParcel": {"surcharge": 0}}, model)

    assert done.known["service_points"] == 2
    assert done.rules == {"care": ("C2",)}


def test_an_open_case_of_a_table_ends_the_walk() -> None:
    gap = table(MODEL, "unique", {"R1": "weight > 5"})
    model = replace(MODEL, decisions={**MODEL.decisions, "care": gap})

    done = walked(REPLIES, model)

    assert done.undecided == "care"
    assert collect_outcomes(model, done) == {"care": None, "release": None}


def test_the_rules_that_are_hit_are_those_of_the_hit_policy() -> None:
    found = {
        hit: [
            [rule.id for rule in find_hits(table(MODEL, hit, rules), row(weight=weight))]
            for weight in (950, 500, 50)
        ]
        for hit, rules in (
            ("first", {"R1": "weight > 9", "R2": "weight > 1", "R3": None}),
            ("any", {"R1": "weight > 9", "R2": "weight > 1", "R3": "fragile"}),
            ("collect", {"R1": "weight > 9", "R2": "weight > 1", "R3": None}),
        )
    }

    assert found == {
        "first": [["R1"], ["R2"], ["R3"]],
        "any": [["R1", "R2"], ["R2"], []],
        "collect": [["R1", "R2"], ["R2"], ["R3"]],
    }


def test_a_case_that_goes_round_for_ever_is_refused() -> None:
    circle = parcel(("- {to: done}", "- {to: look}"))

    with pytest.raises(RuntimeError, match="for ever"):
        walked(REPLIES, circle)


CLAIMS = claims()
NO_RECEIPT = (line(0, 1_250), line(1, 11_900, receipt=False))


def test_a_back_edge_is_taken_as_often_as_it_may_and_then_left() -> None:
    done = label_row(CLAIMS, claim(lines=NO_RECEIPT))

    asked = ["receipts", "receipts.1"]
    assert done.path[-8:] == ["judge.1", *asked * 3, "send_back"]
    assert done.visits["receipts.1"] == 3
    assert [call.tool for call in done.calls].count("remindClaimant") == 3
    assert collect_outcomes(CLAIMS, done)["settlement"] == 2


def test_a_back_edge_that_is_not_needed_is_not_taken() -> None:
    done = label_row(CLAIMS, claim())

    assert "receipts.1" not in done.path
    assert done.path[-5:] == ["receipts", "receipts.3", "pay", "pay.1", "done"]


def test_all_rules_that_hold_are_remembered() -> None:
    dear = (line(0, 12_001, receipt=False),)
    cases: list[tuple[dict[str, Value | None], tuple[str, ...], tuple[str, ...]]] = [
        ({}, (), ("W3",)),
        ({"earlier_claims": None}, (), ("W2",)),
        ({"lines": dear}, ("K1", "K2"), ("W1",)),
        ({"lines": dear, "earlier_claims": None}, ("K1", "K2"), ("W1", "W2")),
        ({"earlier_claims": ({"paid": 0, "was_late": 1},) * 2}, ("K3",), ("W3",)),
    ]

    for changes, risk, review in cases:
        done = label_row(CLAIMS, claim(**changes))
        assert (done.rules["risk"], done.rules["kind_of_review"]) == (risk, review), changes


def test_a_collected_extreme_without_a_rule_for_the_case_ends_the_walk() -> None:
    model = claims(("collect: sum", "collect: max"))

    assert label_row(model, claim()).undecided == "risk"
    assert label_row(model, claim(lines=NO_RECEIPT)).known["risk"] == 3
