"""Terms and amended limits of steps, put in from the annex that says them, and overlooked."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sopforge.rendering.sop.ambiguous.annex import (
    OPENING,
    TITLE,
    StepLines,
    list_steps,
    put_annex,
    write_amendment,
    write_term,
)
from sopforge.rendering.sop.ambiguous.readings import read_carefully, read_carelessly

STEP = StepLines("6.1", "Weigh (all of it)", 3, 6)
TERM = write_term(STEP, 'the kind counts as "Gift"', 'the kind is "Gift" or "Prize"')
AMENDED = write_amendment(STEP, "20", "EUR", Decimal(-5))


def write(*entries: str, rule: str, other: str = "- Stay.") -> str:
    return "\n".join(
        [
            "6. Main procedure",
            "Begin.",
            "",
            "6.1 Weigh (all of it)",
            rule,
            "",
            "6.2 Decide",
            other,
            "",
            f"7. {TITLE}",
            OPENING,
            *entries,
            "",
            "8. More",
            "Text.",
        ]
    )


def read(*entries: str, rule: str) -> str:
    return read_carefully(write(*entries, rule=rule)).split("\n")[4]


def test_entries_are_plain_sentences() -> None:
    assert TERM == (
        '- In step 6.1 (Weigh (all of it)), the kind counts as "Gift" if the kind is "Gift" or'
        ' "Prize".'
    )
    assert AMENDED == "- In step 6.1 (Weigh (all of it)), the limit of 20 EUR is lowered by 5 EUR."


def test_a_term_stands_for_its_condition() -> None:
    assert read(TERM, rule='Go if the kind counts as "Gift".') == (
        'Go if the kind is "Gift" or "Prize".'
    )


@pytest.mark.parametrize(
    ("first", "unit", "away", "used", "meant"),
    [
        ("20", "EUR", "-5", "20 EUR as amended", "15 EUR"),
        ("2.50", "kg", "0.25", "2.50 kg as amended", "2.75 kg"),
        ("2026-01-31", "", "30", "2026-01-31 as amended", "2026-03-02"),
        ("2026-03-02", "", "-30", "2026-03-02 as amended", "2026-01-31"),
    ],
)
def test_a_limit_is_put_in_as_amended(
    first: str, unit: str, away: str, used: str, meant: str
) -> None:
    entry = write_amendment(STEP, first, unit, Decimal(away))

    assert read(entry, rule=f"Go if it is more than {used}.") == f"Go if it is more than {meant}."


def test_an_entry_is_for_its_step_alone() -> None:
    other = '- It is 20 EUR as amended, and the kind counts as "Gift".'
    text = read_carefully(write(TERM, AMENDED, rule="- Go.", other=other))

    assert text.split("\n")[7] == other


def test_what_has_no_entry_stays_as_it_is() -> None:
    assert read(rule="Go if it is 20 EUR as amended.") == "Go if it is 20 EUR as amended."
    assert read(AMENDED, rule="Go if it is 120 EUR as amended.") == (
        "Go if it is 120 EUR as amended."
    )


def test_the_annex_goes_and_what_follows_stays() -> None:
    lines = put_annex(write(TERM, rule="- Go.").split("\n"))

    assert not any(TITLE in line or "counts as" in line for line in lines)
    assert lines[-2:] == ["8. More", "Text."]


def test_a_careless_reader_looks_nothing_up() -> None:
    rule = 'Go if the kind counts as "Gift" and it costs at most 20 EUR as amended.'
    taken = read_carelessly(write(TERM, AMENDED, rule=rule)).split("\n")

    assert taken[4] == 'Go if the kind is "Gift" and it costs at most 20 EUR.'
    assert not any("In step" in line for line in taken)


def test_steps_end_where_another_passage_begins() -> None:
    text = "6. Main\nBegin.\n\n6.1 One\n6.2 is no heading here.\n\n6.2 Two\nB.\n\nItem 1\nC."

    assert list_steps(text.split("\n")) == [
        StepLines("6.1", "One", 3, 6),
        StepLines("6.2", "Two", 6, 9),
    ]
