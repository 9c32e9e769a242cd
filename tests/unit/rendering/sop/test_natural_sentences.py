"""Sentences as people write them: formulas with signs, periods, and no word more than needed."""

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
        rate: {label: rate per day, role: observed, type: number, places: 2, min: 0.00, max: 9.00,
          unit: EUR, description: what a day costs}
        lines: {label: loan history, role: observed, type: list, size: 3, empty: no history,
          description: earlier loans, items: {
            cost: {label: cost of the loan, type: number, places: 2, min: 0.00, max: 50.00,
              unit: EUR,
              description: cost},
            lost: {label: loss, type: boolean, description: whether it was lost}}}
        warned_on: {label: day of the warning, role: derived, type: date, min: 2025-01-01,
          max: 2027-12-31, description: day on which the reader is warned}
        asked_on: {label: day of the question, role: derived, type: date, min: 2025-01-01,
          max: 2027-12-31, description: day on which the reader is asked}
        whole: {label: cost in all, role: derived, type: number, places: 2, min: -900.00,
          max: 9000.00, unit: EUR, description: what the loan costs}
        paid: {label: cost of the past, role: derived, type: number, places: 2, min: 0.00,
          max: 900.00, unit: EUR, description: what earlier loans have cost}
        due: {label: latest day, role: derived, type: date, min: 2025-01-01, max: 2027-12-31,
          description: latest day}
        again: {label: cost in all again, role: derived, type: number, places: 2, min: -900.00,
          max: 9000.00, unit: EUR, description: the same}
"""
DECISIONS = """\
    warned_on: {value: "add_days(lent_on, -notice)"}
    asked_on:
      hit: first
      rules:
        - {id: A1, when: renewals > 2, then: "add_days(lent_on, 5)"}
        - {id: A0, otherwise: lent_on}
    whole: {value: "round(max(rate - 1, 0.00) * (days_late + renewals) / 7, 2)"}
    paid: {value: "sum(i.cost for i in lines if not i.lost)"}
    again: {value: whole}
    due: {value: "add_days(lent_on, renewals)"}
"""
NAMES = "lent_on, back_on, renewals, rate, lines"
MODEL = read_brief(
    changed(
        FEES,
        ("        lateness: {role", f"{FIELDS}        lateness: {{role"),
        ("    lateness:\n      hit", f"{DECISIONS}    lateness:\n      hit"),
        ("returns: [days_late]", f"returns: [days_late, {NAMES}]"),
        ("decide: [lateness]", "decide: [warned_on, asked_on, whole, paid, again, due, lateness]"),
        (
            "when: days_late > 10,",
            (
                "when: \"days_late > 10 or warned_on > '2026-12-10' or whole > 5 or paid > 9"
                " or again > 7 or asked_on > '2026-12-28'"
                " or add_months(lent_on, cover * 12) < back_on"
                " or days_between(lent_on, back_on) < 2 or any(i.lost for i in lines)"
                " or due > '2026-12-30'"
                ' or lent_on >= season and lent_on <= season_end",'
            ),
        ),
        (
            "    most: {",
            (
                "    cover: {value: 3, unit: years, meaning: cover}\n"
                "    notice: {value: 12, unit: days, meaning: notice}\n"
                "    season: {value: 2026-06-01, meaning: first day of the season}\n"
                "    season_end: {value: 2026-08-31, meaning: last day of the season}\n    most: {"
            ),
        ),
    ),
    "fees.yaml",
).model
LINES = render_sop(MODEL, "", (), None).lines
SUM = (
    f"(rate per day {MINUS} 1 EUR, but at least 0 EUR) {TIMES} (delay + number of renewals)"
    f" {DIVIDED} 7, rounded to 2 decimal places."
)


def find_errors(old: str, new: str) -> list[str]:
    return list_edit_errors(MODEL, LINES, (old, new))


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(SUM, id="signs"),
        pytest.param("12 days before the day of the loan.", id="so many days before"),
        pytest.param("5 days after the day of the loan if", id="a worked-out value first"),
        pytest.param("the day of the loan in all other cases.", id="and in all other cases"),
        pytest.param("between 2026-06-01 and 2026-08-31 inclusive", id="period"),
        pytest.param(
            "the total cost of the loan of the entries in the loan history that were not lost",
            id="total of entries",
        ),
        pytest.param(
            "the day of return is more than 3 years after the day of the loan", id="years"
        ),
        pytest.param("Set the cost in all again (again) to the cost in all.", id="copy"),
    ],
)
def test_it_is_said_so(said: str) -> None:
    assert [line.text for line in LINES if said in line.text]


def test_all_of_it_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SUM, SUM.replace(TIMES, "*").replace(DIVIDED, "/").replace(MINUS, "-")),
        (SUM, SUM.replace(f" {TIMES} ", " times ").replace(f" {DIVIDED} ", " divided by ")),
        ("12 days before the day", "the day 12 days before the day"),
        ("more than 3 years after", "more than 36 months after"),
        ("less than 2 days after", "earlier than 2 days after"),
        (
            "less than 2 days after the day of the loan",
            "less than 2 days after the day of the loan (or before it)",
        ),
        (
            "less than 2 days after the day of the loan",
            "before the day of the loan, or less than 2 days after it",
        ),
        ("holds an entry", "contains an entry"),
        (
            ": the day of the loan plus the number of renewals (in days).",
            " by adding the number of renewals (in days) to the day of the loan.",
        ),
        ("the day of the loan in all other cases.", "in all other cases, the day of the loan."),
        ("Set the cost in all again (again) to", "Calculate the cost in all again (again):"),
        ("the total cost of the loan of the", "the sum of the cost of the loan of the"),
    ],
)
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    assert find_errors(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SUM, SUM.replace(TIMES, "+")),
        (SUM, SUM.replace(DIVIDED, TIMES)),
        (SUM, SUM.replace(MINUS, "+")),
        (SUM, SUM.replace("(delay + number of renewals)", "delay + number of renewals")),
        (SUM, SUM.replace("delay + number", f"delay {MINUS} number")),
        (SUM, SUM.replace("rate per day", "delay")),
        (SUM, SUM.replace("at least", "at most")),
        (SUM, SUM.replace("2 decimal", "1 decimal")),
        ("12 days before the day", "12 days after the day"),
        ("more than 3 years after", "at least 3 years after"),
        (
            "less than 2 days after the day of the loan",
            "less than 2 days after the day of the loan (but not before it)",
        ),
        ("less than 2 days after", "within 2 days after"),
        ("less than 2 days after", "later than 2 days after"),
        ("less than 2 days after", "no later than 2 days after"),
        ("less than 2 days after", "less than 3 days after"),
        ("less than 2 days after", "less than 2 days before"),
        ("less than 2 days after", "less than 2 months after"),
        ("holds an entry", "contains no entry"),
        (": the day of the loan plus the number of renewals (in days).",
         " by adding the number of renewals (in months) to the day of the loan."),
        ("the day of the loan in all other cases.", "in all other cases, the day of return."),
        ("more than 3 years after", "more than 3 months after"),
        ("more than 3 years after", "more than 4 years after"),
        ("more than 3 years after", "more than 3 years before"),
        ("12 days before the day", "12 months before the day"),
        ("5 days after the day of the loan if", "5 days before the day of the loan if"),
        ("2026-08-31 inclusive", "2026-08-30 inclusive"),
        ("between 2026-06-01", "not between 2026-06-01"),
        ("inclusive", "exclusive"),
        ("that were not lost", "that were lost"),
        ("that were not lost", "whose cost of the loan is not 0 EUR"),
        ("the total cost of the loan of", "the average cost of the loan of"),
        ("Set the cost in all again (again) to the cost in all.",
         "Set the cost in all again (again) to the cost of the past."),
    ],
)  # fmt: skip
def test_a_fault_in_it_is_found(old: str, new: str) -> None:
    assert find_errors(old, new)
