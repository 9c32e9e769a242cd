from __future__ import annotations

import pytest

from sopforge.rendering.sop.added.indirect_limits import build_limit_entry, format_limit_use, put_in
from sopforge.rendering.sop.document import Line, Style

RULE = Line(Style.BULLET, f"If the age is less than {format_limit_use('T1', 'B')}, stop.")
ANNEX = Line(Style.SECTION, "9. Annex B: Table of limits")


def read(*entries: Line, rule: Line = RULE) -> str:
    return put_in([rule, ANNEX, *entries])[0].text


def test_an_amount_is_put_in_as_it_stands() -> None:
    assert (
        read(build_limit_entry("T1", "18 years", "age"))
        == "If the age is less than 18 years, stop."
    )


@pytest.mark.parametrize("name", ["T1", "T2", "T3", "T12"])
def test_each_wording_of_a_limit_has_the_same_reading(name: str) -> None:
    rule = Line(Style.BULLET, f"Stop below {format_limit_use(name, 'B')} or at {name}.")

    assert (
        read(build_limit_entry(name, "5 EUR", "fee"), rule=rule)
        == f"Stop below 5 EUR or at {name}."
    )


def test_limits_are_worded_in_several_manners() -> None:
    assert len({format_limit_use(f"T{n}", "B").replace(f"T{n}", "T") for n in range(1, 9)}) > 2


def test_a_limit_of_another_annex_stays_a_name() -> None:
    rule = Line(Style.BULLET, f"Stop below {format_limit_use('T1', 'C')}.")

    assert read(build_limit_entry("T1", "5 EUR", "fee"), rule=rule) == rule.text


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
        build_limit_entry("T1", step, "age", beyond="T2", word=word),
        build_limit_entry("T2", base, "an amount: in between"),
    ]

    singular = amount.replace("-1 points", "-1 point")
    assert read(*entries) == f"If the age is less than {singular}, stop."


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([], id="no entry"),
        pytest.param(
            [build_limit_entry("T1", "3 days", "x"), build_limit_entry("T1", "4 days", "x")],
            id="two entries",
        ),
        pytest.param(
            [
                build_limit_entry("T1", "3 days", "x", beyond="T2", word="more"),
                build_limit_entry("T2", "4 days", "x", beyond="T1", word="less"),
            ],
            id="a circle",
        ),
        pytest.param(
            [build_limit_entry("T1", "3 days", "x", beyond="T9", word="more")], id="no base"
        ),
        pytest.param([Line(Style.ROW, "| T1 | x | 3 days |")], id="not marked as a limit"),
        *(
            pytest.param(
                [
                    build_limit_entry("T1", away, "x", beyond="T2", word=word),
                    build_limit_entry("T2", base, "x"),
                ],
                id=f"{away} {word} than {base}",
            )
            for away, word, base in (
                ("2 months", "later", "2026-01-31"),
                ("3 days", "more", "2026-01-31"),
                ("3 days", "later", "3 days"),
                ("3 days", "later", "2026-02-30"),
                ("999999 days", "earlier", "2026-01-31"),
            )
        ),
    ],
)
def test_a_limit_without_one_reading_stays_a_name(entries: list[Line]) -> None:
    assert read(*entries) == RULE.text
