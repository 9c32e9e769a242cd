from __future__ import annotations

from datetime import date, datetime, time

import pytest

from sopforge.language.domain.values.spreadsheets import (
    Formula,
    TakenUp,
    convert_cell,
    describe_spreadsheet_change,
    list_date_shapes,
)


@pytest.mark.parametrize(
    ("cell", "taken"),
    [
        ("5.00", 5.0),
        ("-7.50", -7.5),
        ("+1", 1.0),
        ("007", 7.0),
        ("1E5", 100000.0),
        ("1e-3", 0.001),
        ("1,000", 1000.0),
        ("5%", 0.05),
        ("$5", 5.0),
        ("(5)", -5.0),
        (".5", 0.5),
        ("123456789012345", 123456789012345.0),
        ("1234567890123456", 1234567890123460.0),
        ("TRUE", True),
        ("false", False),
        ("=1+1", Formula("=1+1")),
        ("@home", Formula("@home")),
        ("-x", Formula("-x")),
        ("+49 170", Formula("+49 170")),
        ("2026-03-31", date(2026, 3, 31)),
        ("2026-03-31 14:05", datetime(2026, 3, 31, 14, 5)),  # noqa: DTZ001 - no zones
        ("3/31/2026", date(2026, 3, 31)),
        ("31.3.2026", date(2026, 3, 31)),
        ("Mar-05", date(2000, 3, 5)),
        ("MAR1", date(2000, 3, 1)),
        ("SEPT2", date(2000, 9, 2)),
        ("5 Mar", date(2000, 3, 5)),
        ("5-Mar-2026", date(2026, 3, 5)),
        ("March 5, 2026", date(2026, 3, 5)),
        ("May 2026", date(2026, 5, 1)),
        ("1-2", date(2000, 1, 2)),
        ("3/4", date(2000, 3, 4)),
        ("30-12", date(2000, 12, 30)),
        ("12-60", date(1960, 12, 1)),
        ("10:30", time(10, 30)),
        ("5 p", time(5, 0)),
    ],
)
def test_what_a_spreadsheet_makes_of_a_cell(cell: str, taken: TakenUp) -> None:
    assert convert_cell(cell) == taken
    assert type(convert_cell(cell)) is type(taken)
    assert describe_spreadsheet_change(cell)


@pytest.mark.parametrize(
    "cell",
    [
        *("", "abc", "Glass; Medicine", "R-12", "PX00001", "task-00012345", "v1.2.3", "GRP-1"),
        *(
            "30-60",
            "24-72",
            "13/40",
            "0-5",
            "50-5",
            "2026-13-01",
            "2025-26",
            "123-4567",
            "1899-12-31",
        ),
        *("March", "May", "MARCHES 1", "DECK10", "MAR123", "12 monkeys", "Jan-Feb", "1/2 day"),
        *("5pm", "0x10", "1_000", "1 000", "e5", "$", '[{"part": "Lid"}]', "12:345"),
    ],
)
def test_what_stays_text(cell: str) -> None:
    assert convert_cell(cell) == cell
    assert not describe_spreadsheet_change(cell)


def test_a_mixed_fraction_is_a_number() -> None:
    assert (
        describe_spreadsheet_change("1 1/2") == "is read as a number or a boolean by spreadsheets"
    )


def test_shapes_of_dates_hold_texts_that_are_dates() -> None:
    # A January in every shape: the first number is 1 wherever numbers stand.
    shapes = [shape for shape in list_date_shapes() if len(shape) == 3]

    texts = [
        "".join("1" if "1" in letters else letters[0] for letters in shape) for shape in shapes
    ]
    assert sorted(texts) == ["1 a", "1-1"]
    assert all(describe_spreadsheet_change(text) for text in texts)
