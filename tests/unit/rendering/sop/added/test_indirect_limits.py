"""Limits that a section of its own gives: what their names in the rules stand for."""

from __future__ import annotations

import pytest

from sopforge.rendering.sop.added.indirect_limits import (
    LIMIT,
    build_limit_entry,
    find_limits_section,
    format_limit_use,
    mark_entries,
    name_limit,
    put_in,
)
from sopforge.rendering.sop.document import Line, Style

RULE = Line(Style.BULLET, "If the age is less than the age of consent (see section 9), stop.")
HEADING = Line(Style.SECTION, "9. Limits and amounts")


def read(*entries: Line, rule: Line = RULE) -> str:
    return put_in([rule, HEADING, *entries])[0].text


def test_an_amount_is_put_in_as_it_stands() -> None:
    entry = build_limit_entry("age of consent", "18 years")

    assert entry.text == "Age of consent: 18 years"
    assert read(entry) == "If the age is less than 18 years, stop."


def test_the_section_is_left_out_once_its_limits_are_put_in() -> None:
    after = Line(Style.SECTION, "10. Records")
    lines = [RULE, HEADING, build_limit_entry("age of consent", "18 years"), after]

    assert [line.style for line in put_in(lines)] == [Style.BULLET, Style.SECTION]


@pytest.mark.parametrize(
    ("meaning", "name"),
    [
        ("age of consent", "age of consent"),
        ("Highest fee", "highest fee"),
        ("the highest fee of a day", "highest fee of a day"),
        ("A lead  time", "lead time"),
        ("pH of the water", "pH of the water"),
        ("VAT of a meal", "VAT of a meal"),
        ("µ of the lens", "µ of the lens"),
        ("share a tenant pays", "share a tenant pays"),
    ],
)
def test_a_limit_is_called_by_its_meaning(meaning: str, name: str) -> None:
    rule = Line(Style.BULLET, f"Stop below {format_limit_use(name, 'section 9')} or at {name}.")

    assert name_limit(meaning) == name
    assert read(build_limit_entry(name, "5 EUR"), rule=rule) == f"Stop below 5 EUR or at {name}."


def test_a_meaning_that_names_no_thing_is_quoted() -> None:
    how, base = "how long it runs", 'reference amount for the figure for "how long it runs"'
    rule = Line(Style.BULLET, f"Stop after {format_limit_use(how, 'section 9')}.")
    entry = build_limit_entry(base, "2 days", beyond=how, word="more")

    assert rule.text == 'Stop after the figure for "how long it runs" (see section 9).'
    assert entry.text.endswith(
        '"how long it runs": 2 days more than the figure for "how long it runs"'
    )
    assert read(build_limit_entry(how, "5 days"), rule=rule) == "Stop after 5 days."
    chain = [build_limit_entry(how, "2 days", beyond=base, word="more")]
    assert read(*chain, build_limit_entry(base, "3 days"), rule=rule) == "Stop after 5 days."


def test_of_two_names_that_begin_alike_each_is_its_own() -> None:
    uses = [format_limit_use(name, "section 9") for name in ("highest fee", "highest fee of a day")]
    rule = Line(Style.BULLET, f"From {uses[0]} to {uses[1]}.")
    entries = build_limit_entry("highest fee", "5"), build_limit_entry("highest fee of a day", "9")

    assert read(*entries, rule=rule) == "From 5 to 9."


def test_a_limit_of_another_section_stays_a_name() -> None:
    rule = Line(Style.BULLET, f"Stop below {format_limit_use('fee', 'section 8')}.")

    assert read(build_limit_entry("fee", "5 EUR"), rule=rule) == rule.text


def test_a_section_without_a_number_is_called_by_its_title() -> None:
    heading = Line(Style.SECTION, "Limits and amounts")
    rule = Line(Style.BULLET, f"Stop below {format_limit_use('fee', 'Limits and amounts')}.")
    lines = [rule, heading, build_limit_entry("fee", "5 EUR")]

    assert find_limits_section(lines) == "Limits and amounts"
    assert put_in(lines)[0].text == "Stop below 5 EUR."


def test_entries_are_distinguished_by_the_heading_that_they_stand_under() -> None:
    other, item = Line(Style.SECTION, "10. Records"), Line(Style.BULLET, "Fee: 5 EUR")

    marked = [line.excused for line in mark_entries([item, HEADING, item, other, item])]

    assert marked == ["", "", LIMIT, "", ""]


@pytest.mark.parametrize(
    ("step", "word", "base", "amount"),
    [
        ("3 days", "more", "15 days", "18 days"),
        ("3 days", "less", "21 days", "18 days"),
        ("3 days", "less", "4 days", "1 day"),
        ("2 points", "less", "1 point", "-1 points"),
        ("2.50 USD", "more", "0.25 USD", "2.75 USD"),
        ("9.80 EUR", "more", "0.20 EUR", "10 EUR"),
        ("0.25 EUR", "less", "0.75 EUR", "0.50 EUR"),
        ("0.375 kg", "more", "1.125 kg", "1.50 kg"),
        ("0.50 hours", "less", "1.50 hours", "1 hour"),
        ("2", "more", "3", "5"),
        ("7 percentage points", "more", "13 %", "20 %"),
        ("1 percentage point", "less", "2.5 percent", "1.5 percent"),
        ("14 days", "later", "2026-02-20", "2026-03-06"),
        ("1 day", "earlier", "2024-03-01", "2024-02-29"),
        ("366 days", "later", "2024-01-01", "2025-01-01"),
    ],
)
def test_an_amount_beyond_another_is_worked_out_exactly(
    step: str, word: str, base: str, amount: str
) -> None:
    entries = [
        build_limit_entry("age of consent", step, beyond="amount: in between", word=word),
        build_limit_entry("amount: in between", base),
    ]

    singular = amount.replace("-1 points", "-1 point")
    assert read(*entries) == f"If the age is less than {singular}, stop."


AGE = "age of consent"


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([], id="no entry"),
        pytest.param(
            [build_limit_entry(AGE, "3 days"), build_limit_entry(AGE, "4 days")], id="two entries"
        ),
        pytest.param(
            [
                build_limit_entry(AGE, "3 days", beyond="other age", word="more"),
                build_limit_entry("other age", "4 days", beyond=AGE, word="less"),
            ],
            id="a circle",
        ),
        pytest.param([build_limit_entry(AGE, "3 days", beyond="none", word="more")], id="no base"),
        pytest.param([Line(Style.BULLET, "Age of consent: 3 days")], id="not marked as a limit"),
        *(
            pytest.param(
                [
                    build_limit_entry(AGE, away, beyond="other age", word=word),
                    build_limit_entry("other age", base),
                ],
                id=f"{away} {word} than {base}",
            )
            for away, word, base in (
                ("2 months", "later", "2026-01-31"),
                ("3 days", "more", "2026-01-31"),
                ("3 days", "later", "3 days"),
                ("3 days", "more", "3 EUR"),
                ("3 percentage points", "more", "3"),
                ("3 days", "later", "2026-02-30"),
                ("999999 days", "earlier", "2026-01-31"),
            )
        ),
    ],
)
def test_a_limit_without_one_reading_stays_a_name(entries: list[Line]) -> None:
    assert read(*entries) == RULE.text
