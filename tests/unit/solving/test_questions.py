"""Least rows: of lists, texts and times, the same each time, and best where the budget ends."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from itertools import count
from threading import Timer

import pytest
import z3

from sopforge.language.domain.expressions.expressions import AllOf
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.likeness import Likeness, build_phrase
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.solving.questions import (
    Answer,
    NoRow,
    Row,
    Undecided,
    find_row,
    make_steady_solver,
)
from tests.worlds.small_models import claims, condition, line, minute, parcel, stays

CLAIMS = replace(claims(), constraints=())
PARCEL = parcel()


def least(*texts: str) -> dict[str, Value | None]:
    """Return the values of the least claim that meets the conditions, which is checked."""
    holding = [condition(CLAIMS, text) for text in texts]
    answer = find_row(CLAIMS, holding)
    assert isinstance(answer, Row)
    assert all(holds(item, answer.values) for item in holding)
    return dict(answer.values)


LEAST = {
    "no item": (["count(i for i in lines) == 0"], {"lines": ()}),
    "one item, least in fields that nobody asked for": (
        ["count(i for i in lines) >= 1"],
        {"lines": (line(0, 1, receipt=False),)},
    ),
    "two items where one is not enough": (
        ["sum(i.amount for i in lines) > 600"],
        {"lines": (line(0, 1, receipt=False), line(0, 60_000, receipt=False))},
    ),
    "a set of an item": (
        ["any('Drinks' in i.extras and i.kind == 'Taxi' for i in lines)"],
        {"lines": (line(2, 1, receipt=False, extras=0b10),)},
    ),
    "a list that is there": (["present(earlier_claims)"], {"earlier_claims": ()}),
    "a missing list": (["not present(earlier_claims)"], {"earlier_claims": None}),
    "the next text of a pool": (["signed_by != 'Ada'"], {"signed_by": "Bo"}),
    "equal texts": (
        ["signed_by == line_manager", "signed_by not in ['Ada', 'Bo']"],
        {"signed_by": "Cleo", "line_manager": "Cleo"},
    ),
    "a text that the question names": (["voucher == 'V-B007'"], {"voucher": "V-B007"}),
    "the pattern's first other text": (["voucher != 'V-A000'"], {"voucher": "V-A001"}),
    "the next minute": (
        ["handed_in_at > '2026-02-03 04:05'"],
        {"handed_in_at": minute("2026-02-03 04:06")},
    ),
}


@pytest.mark.parametrize(("texts", "expected"), LEAST.values(), ids=LEAST)
def test_the_least_claim(texts: list[str], expected: dict[str, Value | None]) -> None:
    assert least(*texts) == expected


def test_cells_show_lists_texts_and_times() -> None:
    answer = find_row(CLAIMS, [condition(CLAIMS, "count(c for c in earlier_claims) == 1")])

    assert isinstance(answer, Row)
    assert answer.cells == {"earlier_claims": '[{"paid": 0.0, "was_late": "no"}]'}
    assert str(find_row(CLAIMS, [condition(CLAIMS, "count(i for i in lines) < 1")])) == (
        "lines = no line"
    )


def test_a_question_about_everything_gives_the_same_row_each_time() -> None:
    texts = [
        "sum(i.amount for i in lines if i.has_receipt) >= 700",
        "signed_by != line_manager",
        "handed_in_at >= '2026-03-01 00:00'",
        "not present(earlier_claims) or count(c for c in earlier_claims if c.was_late) == 2",
        "payable > total - 20",
    ]

    rows = [least(*texts) for _ in range(2)]
    turned = least(*reversed(texts))

    assert rows[0] == rows[1] == turned
    assert list(rows[0]) == [name for name in CLAIMS.fields if name in rows[0]]


def test_a_row_that_is_not_shown_is_only_promised() -> None:
    above = condition(PARCEL, "weight > 3")

    assert find_row(PARCEL, [above], is_shown=False) == Row({})
    assert find_row(PARCEL, [above], [above], is_shown=False) == NoRow()


HARD = "sum(i.amount for i in lines if i.has_receipt) > 700 and signed_by != line_manager"


def with_budget(answers: int, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Return the answer of a solver that answers so many questions and no more."""
    asked = count(1)
    check = z3.Solver.check

    def limited(solver: z3.Solver, *conditions: z3.BoolRef) -> z3.CheckSatResult:
        return check(solver, *conditions) if next(asked) <= answers else z3.unknown

    with monkeypatch.context() as patch:
        patch.setattr(z3.Solver, "check", limited)
        return find_row(CLAIMS, [condition(CLAIMS, HARD)])


def test_a_budget_that_ends_before_a_row_leaves_the_question_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert isinstance(with_budget(0, monkeypatch), Undecided)


def test_a_budget_that_ends_after_a_row_leaves_the_best_one_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [with_budget(answers, monkeypatch) for answers in range(1, 40)]
    best = least(HARD)

    for row in rows:
        assert isinstance(row, Row)
        assert holds(condition(CLAIMS, HARD), row.values)
    assert with_budget(1_000, monkeypatch) == Row(find_cells(best), best)


def find_cells(values: dict[str, Value | None]) -> dict[str, str]:
    return {name: CLAIMS.fields[name].format_cell(value) for name, value in values.items()}


def with_texts(signed_by: str, line_manager: str) -> DomainModel:
    """Return the model of claims with two text fields declared as given."""
    pool = "type: string, pool: [Ada, Bo, Cleo], description: "
    return replace(
        claims(
            (f"{pool}who signed", f"type: string, {signed_by}, description: who signed"),
            (f"{pool}who may sign", f"type: string, {line_manager}, description: who may sign"),
        ),
        constraints=(),
    )


PATTERNS = {
    "one": ('pattern: "[AB][01]"', 'pattern: "[BC][12]"', "signed_by == line_manager", "B1"),
    "none": ('pattern: "[AB][01]"', 'pattern: "[BC][23]"', "signed_by == line_manager", None),
    "only one": (
        'pattern: "[AB][01]"',
        'pattern: "[BC][12]"',
        "signed_by == line_manager and signed_by != 'B1'",
        None,
    ),
    "pool": ('pattern: "[AB]da"', "pool: [Ada, Bo, Bda]", "signed_by == line_manager", "Ada"),
    "a pool without it": (
        'pattern: "[AB]da"',
        "pool: [Ada, Bo, Cleo]",
        "signed_by == line_manager and signed_by != 'Ada'",
        None,
    ),
    "two texts for two": (
        'pattern: "[AB]"',
        'pattern: "[AB]"',
        "signed_by not in ['A'] and signed_by != line_manager and line_manager != 'A'",
        None,
    ),
    "three texts for two": (
        'pattern: "[A-C]"',
        'pattern: "[A-C]"',
        "signed_by not in ['A'] and signed_by != line_manager and line_manager != 'A'",
        "B",
    ),
}


@pytest.mark.parametrize(("first", "second", "text", "expected"), PATTERNS.values(), ids=PATTERNS)
def test_texts_are_of_their_patterns(first: str, second: str, text: str, expected: str) -> None:
    model = with_texts(first, second)

    answer = find_row(model, [condition(model, text)])

    if expected is None:
        assert answer == NoRow()
    else:
        assert isinstance(answer, Row)
        assert answer.values["signed_by"] == expected
        assert holds(condition(model, text), answer.values)


@pytest.mark.parametrize(
    ("text", "is_possible"),
    [("risk == 10", True), ("risk > 10", False), ("risk == 2 and dearest <= 120", False)],
)
def test_what_a_table_decides_is_tied_to_it(text: str, *, is_possible: bool) -> None:
    # The four rules give 3, 2, 4 and 1 points, 10 in all; 2 alone needs a line above a limit.
    answer = find_row(CLAIMS, [condition(CLAIMS, text)])

    assert isinstance(answer, Row) == is_possible
    assert is_possible or answer == NoRow()


def test_conditions_may_be_of_any_depth() -> None:
    # As deep as the path to the last step of a procedure of thousands of steps.
    deep = condition(PARCEL, "weight > 3")
    for text in ["weight < 39", "fragile"] * 1_500:
        deep = AllOf((deep, condition(PARCEL, text)))

    answer = find_row(PARCEL, [deep])

    assert isinstance(answer, Row)
    assert answer.cells == {"weight": "3.01", "fragile": "yes"}
    assert find_row(PARCEL, [deep], is_shown=False) == Row({})
    assert find_row(PARCEL, [deep, condition(PARCEL, "not fragile")], is_shown=False) == NoRow()


@pytest.mark.parametrize(
    ("text", "are_equal"), [("claimed == firm", True), ("claimed != firm", False)]
)
def test_texts_that_are_like_something_are_equal_or_not(*, text: str, are_equal: bool) -> None:
    claimed = "        claimed: {role: distractor, type: string, like: company, description: x}\n"
    model = stays(("        amount:\n", f"{claimed}        amount:\n"))
    found = find_row(model, [condition(model, text)])

    assert isinstance(found, Row)
    texts = [str(found.values[name]) for name in ("claimed", "firm")]
    assert (texts[0] == texts[1]) is are_equal
    assert all(map(build_phrase(Likeness.COMPANY).has, texts))


def test_ctrl_c_ends_a_question_and_is_no_answer_to_it() -> None:
    context = z3.Context()
    solver = make_steady_solver(context)
    x, y, z = (z3.Int(name, context) for name in "xyz")
    solver.add(x * x * x + y * y * y + z * z * z == 42, x > 1, y > 1)
    solver.set("rlimit", 20_000_000)

    def ask() -> None:
        Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        solver.check()
        time.sleep(60)  # The signal comes later than the answer, if ever.

    with pytest.raises(KeyboardInterrupt):
        ask()
