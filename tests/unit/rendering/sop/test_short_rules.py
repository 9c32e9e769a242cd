"""Rules as short as people write them: twice, differs from, a formula after its condition."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import changed

FEES = (BRIEFS.parent / "tests/briefs/fees.yaml").read_text(encoding="utf-8")
MINUS, TIMES, DIVIDED = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}", "\N{DIVISION SIGN}"
FIELDS = """\
        lent_on: {label: day of the loan, role: observed, type: date, min: 2026-01-01,
          max: 2026-12-31, description: day on which the item was lent}
        back_on: {label: day of return, role: observed, type: date, min: 2026-01-01,
          max: 2030-12-31, description: day on which the item came back}
        renewals: {label: number of renewals, role: observed, type: integer, min: 0, max: 9,
          unit: renewals, description: renewals of the loan}
        spare: {label: spare days, role: observed, type: integer, min: 0, max: 9, unit: days,
          description: days of grace that the reader has left}
        rate: {label: rate per day, role: observed, type: number, places: 2, min: 0.00, max: 9.00,
          unit: EUR, description: what a day costs}
        others: {label: other loans of the reader, role: observed, type: list, size: 3,
          empty: no other loans, description: loans of other items, items: {
            cost: {type: number, places: 2, min: 0.00, max: 90.00, unit: EUR, description: cost},
            lost: {label: loss, type: boolean, description: whether it was lost}}}
        wait: {label: wait for the next loan, role: derived, type: integer, min: 0, max: 90,
          unit: days, description: days until the next loan}
        noted_on: {label: day of the note, role: derived, type: date, min: 2025-01-01,
          max: 2027-12-31, missing: no note, description: day on which a note is sent}
        due: {label: latest day, role: derived, type: date, min: 2025-01-01, max: 2027-12-31,
          description: latest day}
        charge: {label: charge for the delay, role: derived, type: number, places: 2,
          min: -900.00, max: 9000.00, unit: EUR, description: what the delay costs}
        weight: {label: weight of the kind, role: derived, type: number, places: 2, min: 0.00,
          max: 9.00, unit: kg, description: weight of the kind of the item}
"""
DECISIONS = """\
    due: {value: "add_days(lent_on, -spare)"}
    wait:
      hit: collect
      collect: max
      rules:
        - {id: W1, when: spare > 3, then: "max(days_late - spare, 0)"}
        - {id: W2, when: renewals > 5, then: 2}
    noted_on:
      hit: first
      rules:
        - {id: N1, when: renewals > 6, then: lent_on}
        - {id: N0, otherwise: no note}
    charge:
      hit: first
      rules:
        - {id: C1, when: spare != 0, then: "round(rate * days_late / 7, 2) - rate"}
        - {id: C2, when: renewals > 7, then: 1.50}
        - {id: C0, otherwise: "rate * days_late - rate * renewals"}
    weight: {table: kind, rows: {Book: 0.75, Film: 1.00, Reference: 2.5}}
"""
WHEN = (
    "days_late > 2 * renewals or lent_on != back_on or any(i.lost for i in others)"
    " or due > '2026-12-30' or charge > 5 or weight > 2 or (days_late > 0 and days_late < 5)"
    " or max((i.cost for i in others), default=0) >= 20 or days_late > 2 * span or wait > 8"
    " or present(noted_on)"
)
MODEL = read_brief(
    changed(
        FEES,
        ("        lateness: {role", f"{FIELDS}        lateness: {{role"),
        ("    lateness:\n      hit", f"{DECISIONS}    lateness:\n      hit"),
        (
            "returns: [days_late]",
            "returns: [days_late, lent_on, back_on, renewals, spare, rate, others]",
        ),
        ("    most: {", "    span: {value: 4, unit: days, meaning: span}\n    most: {"),
        ("decide: [lateness]", "decide: [due, wait, noted_on, charge, weight, lateness]"),
        ("when: days_late > 10,", f'when: "{WHEN}",'),
    ),
    "fees.yaml",
).model
LINES = render_sop(MODEL, "", (), None).lines
CASE = (
    f"If the spare days are more than 0: (rate per day {TIMES} delay {DIVIDED} 7, rounded to"
    f" 2 decimal places) {MINUS} rate per day."
)
LARGEST = "the largest cost of the other loans of the reader"
SHORT = "If there are more than 7 renewals: 1.50 EUR."
"""Beside a long value, a short one stands after its condition as well."""
REST = (
    f"In all other cases: rate per day {TIMES} delay {MINUS} rate per day {TIMES} number of"
    " renewals."
)


def find_errors(old: str, new: str) -> list[str]:
    return list_edit_errors(MODEL, LINES, (old, new))


@pytest.mark.parametrize(
    "said",
    [
        "the delay exceeds twice the number of renewals",
        "the day of the loan differs from the day of return",
        "there is another loan of the reader that was lost",
        "the delay is more than 0 days and less than 5 days",
        ": the day of the loan minus the spare days.",
        "there is another loan of the reader with a cost of at least 20 EUR;",
        "the delay exceeds 8 days (twice 4 days);",
        "the day of the note has been set.",
        "the delay minus the spare days, but at least 0 days, if the spare days are more than 3.",
        CASE,
        SHORT,
        REST,
        '| "Film" | 1.00 |',
        '| "Reference" | 2.50 |',
    ],
)
def test_it_is_said_so(said: str) -> None:
    assert [line.text for line in LINES if said in line.text]


def test_all_of_it_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("twice the number", "2 times the number"),
        ("8 days (twice 4 days)", "twice 4 days"),
        (
            "there is another loan of the reader with a cost of at least 20 EUR",
            f"({LARGEST}, or 0 EUR if there is none) is at least 20 EUR",
        ),
        ("the day of the note has been set", "the day of the note is given"),
        ("with a cost of at least 20 EUR", "whose cost is at least 20 EUR"),
        ("with a cost of at least 20 EUR", "with a cost of 20 EUR or more"),
        (
            "the delay minus the spare days, but at least 0 days, if",
            "(the delay minus the spare days, but at least 0 days) if",
        ),
        ("minus the spare days.", "minus the spare days (in days)."),
        ("differs from the day", "is not the same day as the day"),
        ("there is another loan of the reader", "the other loans of the reader hold an entry"),
        ("reader that was lost", 'reader whose loss is "yes"'),
        ("are more than 0:", "are not 0:"),
        (CASE, CASE.replace(TIMES, "*").replace(DIVIDED, "/").replace(MINUS, "-")),
        (SHORT, "If there are more than 7 renewals, 1.50 EUR."),
        (SHORT, "1.50 EUR if there are more than 7 renewals."),
        (REST, REST.replace("In all other cases", "Otherwise")),
        ("| 1.00 |", "| 1 |"),
    ],
)
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    assert find_errors(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("twice the number", "the number"),
        ("exceeds twice", "is at least twice"),
        ("8 days (twice 4 days)", "9 days (twice 4 days)"),
        ("8 days (twice 4 days)", "10 days (twice 5 days)"),
        ("with a cost of at least 20", "with a cost of more than 20"),
        ("with a cost of at least 20 EUR", "with a cost of 20 EUR or less"),
        ("with a cost of at least 20", "with a cost of at most 20"),
        ("with a cost of at least 20", "with a cost of at least 21"),
        ("another loan of the reader with a cost", "no other loan of the reader with a cost"),
        ("the day of the note has been set", "the day of the note has not been set"),
        ("but at least 0 days, if the spare", "but at most 0 days, if the spare"),
        ("but at least 0 days, if the spare", "but at least 1 day, if the spare"),
        ("0 days, if the spare days are more", "0 days, if the delay is more"),
        ("twice the number of renewals", "twice the spare days"),
        ("differs from the day of return", "is the same day as the day of return"),
        ("differs from the day of return", "differs from the latest day"),
        ("there is another loan", "there is no other loan"),
        ("reader that was lost", "reader that was not lost"),
        ("reader that was lost", "reader that was found"),
        ("minus the spare days", "plus the spare days"),
        ("the spare days.", "the spare days (in months)."),
        ("the spare days.", "the number of renewals."),
        ("are more than 0:", "are 0:"),
        ("are more than 0:", "are more than 1:"),
        (CASE, CASE.replace(f") {MINUS}", ") +")),
        (CASE, CASE.replace("2 decimal", "1 decimal")),
        (CASE, CASE.replace(f"{DIVIDED} 7", f"{DIVIDED} 8")),
        (CASE, CASE.replace("If the spare days", "If the delay")),
        (SHORT, "If there are more than 7 renewals, 2.50 EUR."),
        (SHORT, "If there are at least 7 renewals, 1.50 EUR."),
        (SHORT, "1.50 EUR if there are fewer than 7 renewals."),
        (REST, REST.replace(MINUS, "+")),
        (REST, REST.replace("In all other cases", "If none of these applies")),
        ("| 1.00 |", "| 1.01 |"),
        ("| 2.50 |", "| 2.05 |"),
    ],
)  # fmt: skip
def test_a_fault_in_it_is_found(old: str, new: str) -> None:
    assert find_errors(old, new)
