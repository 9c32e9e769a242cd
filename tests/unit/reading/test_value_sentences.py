"""Sentences and lists of what values are: as they are written, read back, and with a fault each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.findings import has_errors
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.faults.sop_faults import planted
from tests.worlds.small_models import changed

FEES = (BRIEFS.parent / "tests/briefs/fees.yaml").read_text(encoding="utf-8")
NUMBER = "role: observed, type: number, places: 2, min: 0.00, max: 500.00, unit: EUR"
MADE = "role: derived, type: number, places: 2, min: -5000.00, max: 50000.00, unit: EUR"
FIELDS = f"""\
        price: {{{NUMBER}, description: price of the item}}
        value: {{{NUMBER}, description: value of the item when it came back}}
        share: {{label: share of the reader, role: observed, type: integer, min: 0, max: 100,
          unit: percent, description: what the reader bears}}
        copies: {{label: number of copies, role: observed, type: integer, min: 1, max: 9,
          description: copies lent}}
        earlier: {{label: number of earlier claims, role: observed, type: integer, min: 0, max: 20,
          unit: claims, description: claims of the year}}
        own_part: {{label: part of the reader, {MADE}, description: part of the price}}
        loss: {{{MADE}, description: what the item lost}}
        rest: {{label: rest of the price, {MADE}, description: what is left of the price}}
        care: {{role: derived, type: integer, min: 0, max: 20, description: care taken}}
        handling: {{label: cost of handling, {MADE}, description: what the return costs}}
"""
DECISIONS = """\
    own_part: {value: "min(round(price * share / 100, 2), 180.00)"}
    loss: {value: "max(price - value, 0.00) if kind == 'Book' else price"}
    rest: {value: "max(price - round(price * 20 / 100, 2) - 2 * value + daily_fee, 0.00)"}
    care: {value: "1 + (2 if kind == 'Book' else 3 if kind == 'Film' else 0) +
      (4 if days_late > 5 else 0) + (5 if price > value else 6)"}
    handling: {value: "copies * 1.50 + 2.00 if kind == 'Book' else
      price - value if kind == 'Film' else daily_fee"}
"""
MODEL = read_brief(
    changed(
        FEES,
        ("        lateness: {role", f"{FIELDS}        lateness: {{role"),
        ("    lateness:\n      hit", f"{DECISIONS}    lateness:\n      hit"),
        ("returns: [days_late]", "returns: [days_late, price, value, share, copies, earlier]"),
        ("decide: [lateness]", "decide: [own_part, loss, rest, care, handling, lateness]"),
        ("when: days_late > 10,", "when: days_late > 10 or earlier >= frequent,"),
        ("    most: {", "    frequent: {value: 8, unit: claims, meaning: many}\n    most: {"),
        (
            "otherwise: days_late * daily_fee",
            "otherwise: 'min(max(own_part + loss + rest + handling, 0.00), 60.00)'",
        ),
    ),
    "fees.yaml",
).model
LINES = render_sop(MODEL, "", (), None).lines
TEXTS = [line.text for line in LINES]
OWN_PART = (
    "the price multiplied by the share of the reader, rounded to 2 decimal places,"
    " but at most 180 EUR."
)
MINUS, TIMES, DIVIDED = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}", "\N{DIVISION SIGN}"
REST = (
    f"price {MINUS} 20 percent of the price (rounded to 2 decimal places) {MINUS} 2 {TIMES} value"
    " + 1.25 EUR, but at least 0 EUR."
)
BOOKS = 'if the kind of the item is "Book": the price minus the value, but at least 0 EUR;'
BOOKED = '(the price minus the value, but at least 0 EUR) if the kind of the item is "Book";'
FILMS = 'if the kind of the item is "Film": the price minus the value;'


def findings_after(old: str, new: str) -> list[str]:
    """Return the errors of the SOP with one passage changed."""
    assert [text for text in TEXTS if old in text], old
    lines = [replace(line, text=line.text.replace(old, new)) for line in LINES]
    found = list(read_back_findings(MODEL, lines))
    return [finding.message for finding in found] if has_errors(found) else []


def test_values_are_said_without_needless_brackets() -> None:
    assert f"Work out the part of the reader (own_part), in EUR: {OWN_PART}" in TEXTS
    assert f"Work out the rest of the price (rest), in EUR: {REST}" in TEXTS


def test_a_choice_between_what_is_worked_out_is_a_list() -> None:
    place = TEXTS.index("Work out the loss, in EUR:")
    assert TEXTS[place + 1 : place + 3] == [BOOKS, "otherwise: the price."]

    place = TEXTS.index(
        "Work out the cost of handling (handling), in EUR, as the first of these that applies:"
    )
    assert TEXTS[place + 1 : place + 4] == [
        'if the kind of the item is "Book": the number of copies times 1.50 plus 2;',
        FILMS,
        "otherwise: 1.25 EUR.",
    ]


def test_a_sum_leaves_out_what_adds_nothing() -> None:
    place = TEXTS.index("Work out the care as the sum of these:")

    assert TEXTS[place + 1 : place + 5] == [
        "1 in every case;",
        '2 if the kind of the item is "Book", 3 if it is "Film";',
        "4 if the delay is more than 5 days;",
        "5 if the price exceeds the value, otherwise 6.",
    ]


def test_the_order_of_a_calculation_is_explained() -> None:
    assert [
        text for text in TEXTS if text.startswith("In a calculation, multiply and divide before")
    ]


def test_what_is_written_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


def test_every_fault_in_it_is_found() -> None:
    missed = [
        (fault.kind, fault.text)
        for fault in planted(MODEL, render_sop(MODEL, "", (), None))
        if not any(read_back_findings(MODEL, fault.document.lines))
    ]

    assert missed == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OWN_PART, OWN_PART.replace("reader,", "reader (as a plain number),")),
        ("multiplied by the share of the reader", "divided by the share of the reader"),
        ("multiplied by the share of the reader", "multiplied by the number of copies"),
        ("the price multiplied by the share", "the value multiplied by the share"),
        ("20 percent of the price (rounded", "20 percent of the value (rounded"),
        ("(rounded to 2 decimal places)", "(rounded to 1 decimal place)"),
        ("(rounded to 2 decimal places)", "(not rounded)"),
        (f" (rounded to 2 decimal places) {MINUS} 2", f" {MINUS} 2"),
        (f"2 {TIMES} value + 1.25 EUR", f"2 {TIMES} (value + 1.25 EUR)"),
        (f"2 {TIMES} value + 1.25 EUR", f"(2 {TIMES} value + 1.25 EUR)"),
        (f"price {MINUS} 20 percent of the price", f"20 percent of the price {MINUS} price"),
        (f"2 {TIMES} value", f"2 {TIMES} price"),
        (f"2 {TIMES} value", f"2 {DIVIDED} value"),
        (f"2 {TIMES} value", "2 + value"),
        (f"{MINUS} 2 {TIMES} value", f"+ 2 {TIMES} value"),
        (f"{MINUS} 2 {TIMES} value", f"{MINUS} value"),
        ("value + 1.25 EUR", f"value {MINUS} 1.25 EUR"),
        ("the number of copies times 1.50 plus 2",
         "the number of copies times (1.50 plus 2)"),
        (BOOKS, BOOKS.replace("price minus the value", "value minus the price")),
        (BOOKS, BOOKS.replace("Book", "Film")),
        (BOOKS, BOOKS.replace(" is ", " is not ")),
        (BOOKS, BOOKS.replace("at least", "at most")),
        (BOOKS, BOOKS.replace("if ", "unless ", 1)),
        (BOOKS, BOOKS.replace(": the", ": the first of the")),
        ("otherwise: the price.", "otherwise: the value."),
        ("otherwise: the price.", "the price."),
        ("1 in every case;", "2 in every case;"),
        ("1 in every case;", "1 in no case;"),
        ("1 in every case;", "the delay in every case;"),
        (', 3 if it is "Film";', ";"),
        (', 3 if it is "Film";', ', 3 if it is "Film", otherwise 1;'),
        ("4 if the delay is more than 5 days;", "4 unless the delay is more than 5 days;"),
        ("4 if the delay is more than 5 days;", "4;"),
        (", otherwise 6.", "."),
        ("otherwise: the price.", "sometimes: the price."),
    ],
)  # fmt: skip
def test_another_value_is_noticed(old: str, new: str) -> None:
    assert findings_after(old, new)


FREQUENT = "there are at least 8 earlier claims"


@pytest.mark.parametrize("unit", ["claims", "claim"])
def test_a_label_says_what_it_counts(unit: str) -> None:
    assert [text for text in TEXTS if FREQUENT in text]
    assert findings_after(FREQUENT, f"the number of earlier claims is at least 8 {unit}") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FREQUENT, "the number of earlier claims is at least 8 EUR"),
        (FREQUENT, "the number of earlier claims is at least 8 percent"),
        (FREQUENT, "there are at least 9 earlier claims"),
        (FREQUENT, "there are more than 8 earlier claims"),
        ("the delay is more than 10 days", "the delay is more than 10 claims"),
        ("the delay is more than 10 days", "the delay is more than 10 EUR"),
    ],
)
def test_a_wrong_unit_is_noticed(old: str, new: str) -> None:
    assert findings_after(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the price multiplied by the share of the reader",
         "the percentage of the price given by the share of the reader"),
        ("20 percent of the price (rounded to 2 decimal places)",
         "(20 percent of the price, rounded to 2 decimal places)"),
        (f"2 {TIMES} value + 1", f"(2 {TIMES} value) + 1"),
        (f"2 {TIMES} value", "2 times the value"),
        (f"2 {TIMES} value", "twice the value"),
        (f"2 {TIMES} value", "2 * value"),
        (f"2 {TIMES} value", f"2 {TIMES} the value"),
        ("value + 1.25 EUR", "value plus 1.25 EUR"),
        (f"price {MINUS} 20", "price - 20"),
        (REST, REST.replace("price", "the price", 1)),
        (BOOKS, BOOKED),
        ("otherwise: the price.", "the price otherwise."),
        ("1 in every case;", "1;"),
        ("more than 5 days;", "more than 5 days, otherwise 0;"),
        (FILMS, 'the price minus the value if the kind of the item is "Film";'),
    ],
)  # fmt: skip
def test_values_in_other_words_are_read(old: str, new: str) -> None:
    assert findings_after(old, new) == []
