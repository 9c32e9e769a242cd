"""Values that only some paths make known: a read is found just where a case comes to it without."""

from __future__ import annotations

import pytest

from sopforge.findings import Severity
from sopforge.language.domain.procedure.known_fields import find_partly_known_fields
from sopforge.proof.solving import unfolded_places
from sopforge.proof.solving.examining.known_values import examine_known_values
from tests.worlds.small_models import claims, orders, parcel, rebooking, stays, warranty

R2 = "member and level == 'blue' and nights < free_nights"
STANDING = "present(standing) and standing == 'good' and nights < free_nights"
COUNT = "{when: \"member and level == 'gold'\", to: count}"
FEE = '{when: "not member and fee > 60", to: refuse}'


def found(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    """Return what needs an unknown value in a changed rebooking, and the case that shows it."""
    findings = examine_known_values(rebooking(*changes))
    assert {(item.id, item.severity) for item in findings} <= {("value-not-known", Severity.ERROR)}
    return [(item.message.partition(", which")[0], item.evidence) for item in findings]


def test_of_a_model_that_knows_all_on_every_path_nothing_is_asked() -> None:
    for model in (parcel(), claims(), orders(), stays(), warranty()):
        assert model.partly_known == find_partly_known_fields(model) == frozenset()


def test_reads_that_are_guarded_by_what_led_to_the_value_are_sound() -> None:
    model = rebooking()

    assert model.partly_known == {"level", "points", "stays", "standing", "fee"}
    assert examine_known_values(model) == []


def test_a_rule_without_the_guard_is_shown_with_a_case_and_its_path() -> None:
    assert found((R2, "level == 'blue' and nights < free_nights")) == [
        (
            "'rebooking' needs 'level'",
            "member = no, level = gold, holds = 0; path: read > fork > charge > rate",
        )
    ]


@pytest.mark.parametrize(
    "guarded",
    [
        "not (not member or level != 'blue')",
        "member and (points > 100 or level == 'blue')",
        "member and (points if nights > 3 else 200) > 100",
        "(points if member else 10) > 100",
        "member and any(s.late and s.spent > points for s in stays)",
    ],
)
def test_a_guard_may_take_any_form(guarded: str) -> None:
    assert found((R2, guarded)) == []


@pytest.mark.parametrize(
    ("when", "unknown"),
    [
        ("not member or level == 'blue'", ""),
        ("member or level == 'blue'", "level"),
        ("nights > 2 and any(s.late for s in stays)", "stays"),
        ("count(s for s in stays if s.spent > points) > 0", "stays"),
        ("(points if not member else 10) > 100", "points"),
        ("member and nights < 4 or points > 100", "points"),
    ],
)
def test_what_does_not_imply_the_branch_is_no_guard(when: str, unknown: str) -> None:
    assert [words for words, _ in found((R2, when))] == [
        f"'rebooking' needs '{name}'" for name in unknown.split()
    ]


def test_what_was_decided_before_is_a_guard_where_it_implies_the_branch() -> None:
    waived = "{when: \"rebooking == 'waived' and level == 'gold'\", to: count}"
    moved = "{when: \"rebooking == 'moved' and level == 'gold'\", to: count}"

    assert found((COUNT, waived)) == []
    assert [words for words, _ in found((COUNT, moved))] == [
        "an edge needs 'level'",
        "the call of weighPoints needs 'points'",
    ]


def test_whether_something_was_decided_can_be_asked_and_what_a_record_holds_cannot() -> None:
    assert [words for words, _ in found((STANDING, "standing == 'good'"))] == [
        "'rebooking' needs 'standing'"
    ]
    level = "values: [gold, silver, blue], description: level"
    missing = (level, "values: [gold, silver, blue], missing: not on file, description: level")
    asked = (R2, "present(level) and level == 'blue' and nights < free_nights")
    assert [words for words, _ in found(missing, asked)] == ["'rebooking' needs 'level'"]


def test_what_a_compute_tool_and_an_action_take_has_to_be_known_at_the_call() -> None:
    assert found((COUNT, "{when: nights > 4, to: count}")) == [
        (
            "the call of weighPoints needs 'points'",
            (
                "member = no, nights = 5, level = gold, stays = no stay, holds = 0;"
                " path: read > fork > charge > rate > count"
            ),
        )
    ]
    around = (FEE, FEE.replace("to: refuse", "to: settle"))
    assert [words for words, _ in found(around)] == ["the call of writeOff needs 'bonus'"]


def test_an_edge_may_read_what_the_cases_that_are_left_know() -> None:
    assert found((FEE, '{when: "fee > 60", to: refuse}')) == [
        (
            "an edge needs 'fee'",
            (
                "member = yes, nights = 1, level = silver, stays = no stay, holds = 0;"
                " path: read > fork > club > weigh > rate"
            ),
        )
    ]
    members_first = f"{{when: member, to: done}}\n          - {FEE}"
    assert found((FEE, members_first.replace("not member and ", ""))) == []


def test_of_a_procedure_that_is_too_long_to_be_followed_nothing_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unfolded_places, "MOST_PLACES", 5)

    first, *others = examine_known_values(rebooking())

    assert (first.id, first.severity) == ("value-known-undecided", Severity.ERROR)
    assert first.message == (
        "it cannot be proved that 'fee' is known wherever it is read:"
        " more than 5 steps when back edges are unrolled"
    )
    assert len(others) == 4
