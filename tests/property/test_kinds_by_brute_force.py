"""All rows of a small model with kinds, one by one: what is a case, and what each comes to.

The judge is written by hand. Rows that are no cases are among them: a field of a kind in a case of
another, or lacking in its own.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.readings.vector import evaluate_all
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.questions import NoRow, Row, find_row
from sopforge.proof.solving.unfolding import derive_outcomes, unfold

BRIEF = """\
format: 1
domain: desk
title: Requests
business_task: Settle requests.
task_context: A desk settles requests.
model:
  kinds:
    pay: {title: Pay, when: wish == 'Pay', fields: [amount, fee]}
    move: {title: Move, when: wish == 'Move' and big, fields: [far, floor, van]}
  entities:
    case:
      key: case_id
      fields:
        case_id: {role: input, type: string, pattern: "R[0-9]{4}", unique: true, description: id}
        wish: {role: input, type: enum, values: [Pay, Move, Ask], description: wish}
        big: {role: input, type: boolean, description: whether it is big}
        amount: {role: input, type: integer, min: 0, max: 2, description: amount}
        far: {role: input, type: boolean, description: whether it is far}
        floor:
          {role: observed, type: integer, min: 0, max: 1, missing: not on file, missing_share: 30,
           description: floor}
        fee: {role: outcome, type: integer, min: 0, max: 3, description: fee}
        van: {role: outcome, type: boolean, description: whether a van comes}
        answer: {role: outcome, type: enum, values: [taken, left], primary: true, description: a}
  decisions:
    fee: {value: amount + 1}
    van:
      hit: first
      rules:
        - {id: V1, when: far or present(floor) and floor > 0, then: "yes"}
        - {id: V2, otherwise: "no"}
  tools:
    find: {kind: lookup, description: Find the floor, takes: [case_id], returns: [floor]}
  procedure:
    start: fork
    steps:
      fork:
        title: Look at the wish
        edges:
          - {when: wish == 'Pay', to: pay}
          - {when: wish == 'Move' and big, to: look}
          - {to: leave}
      pay:
        title: Pay
        decide: [fee]
        edges: [{when: fee > 1 and amount < 2, to: take}, {to: leave}]
      look: {title: Look, call: find, decide: [van], edges: [{when: van, to: take}, {to: leave}]}
      take: {title: Take, end: {answer: taken}}
      leave: {title: Leave, end: {answer: left}}
"""
WISH, PAY, MOVE = ("Pay", "Move", "Ask"), 0, 1
Cells = dict[str, Value | None]


@pytest.fixture(scope="module")
def model() -> DomainModel:
    return read_brief(BRIEF, "desk.yaml").model


def list_rows() -> list[Cells]:
    """Return all rows, those that are no cases among them."""
    kept = product(range(3), (0, 1), (None, 0, 1, 2), (None, 0, 1), (None, 0, 1))
    names = ("wish", "big", "amount", "far", "floor")
    return [{"case_id": "R0001", **dict(zip(names, row, strict=True))} for row in kept]


def is_case(row: Cells) -> bool:
    """Return whether a row has what its kind has, and nothing else; a floor may be unknown."""
    pays, moves = row["wish"] == PAY, row["wish"] == MOVE and row["big"] == 1
    if (row["amount"] is not None) != pays or (row["far"] is not None) != moves:
        return False
    return moves or row["floor"] is None


def answer(row: Cells) -> tuple[int | None, int | None, int]:
    """Return the fee, the van and the answer (0 taken, 1 left) of a case."""
    if row["wish"] == PAY:
        amount = row["amount"]
        assert isinstance(amount, int)
        return amount + 1, None, 0 if amount == 1 else 1
    if row["wish"] == MOVE and row["big"]:
        van = 1 if row["far"] == 1 or row["floor"] == 1 else 0
        return None, van, 1 - van
    return None, None, 1


def fix(model: DomainModel, name: str, value: Value | None) -> Expression:
    """Return the condition that a field has a value, or none."""
    if value is None:
        return Not(Presence(name))
    assert isinstance(value, int)
    kind = model.fields[name].type
    same = Compare(Relation.EQ, Read(kind, name), Constant(kind, value))
    return AllOf((Presence(name), same)) if model.fields[name].missing else same


def test_interpreter_columns_and_solver_know_which_rows_are_cases(model: DomainModel) -> None:
    rows = list_rows()
    right = [is_case(row) for row in rows]
    facts = model.row_conditions

    assert sum(right) == 2 * 3 + 2 * 3 + 1 + 2
    assert [all(holds(fact, row) for fact in facts) for row in rows] == right
    columns = evaluate_all(facts, as_columns(model, rows))
    held = np.all([np.broadcast_to(column, len(rows)) != 0 for column in columns], axis=0)
    assert held.tolist() == right
    for row, is_right in zip(rows, right, strict=True):
        asked = [fix(model, name, row[name]) for name in row if name != "case_id"]
        assert isinstance(find_row(model, asked, is_shown=False), Row if is_right else NoRow)


def test_walks_columns_and_conditions_give_each_case_its_answer(model: DomainModel) -> None:
    rows = [row for row in list_rows() if is_case(row)]
    right = [answer(row) for row in rows]
    names = ("fee", "van", "answer")

    walked = [label_row(model, row).known for row in rows]
    assert [tuple(known.get(name) for name in names) for known in walked] == right

    derived = derive_outcomes(model, unfold(model))
    for place, name in enumerate(names):
        item = derived[name]
        wanted = [found[place] for found in right]
        there = item.present
        given = [there is None or bool(evaluate(there, row)) for row in rows]
        assert given == [value is not None for value in wanted]
        values = [evaluate(item.value, row) for row in rows]
        assert [x for x, has in zip(values, given, strict=True) if has] == [
            value for value in wanted if value is not None
        ]


def test_drawn_rows_are_cases(model: DomainModel) -> None:
    drawn = sample_rows(model, 7, range(200))

    assert all(map(is_case, drawn))
    assert {(row["wish"], row["big"]) for row in drawn} == set(product(range(3), (0, 1)))
    assert {row["floor"] for row in drawn if row["far"] is not None} == {None, 0, 1}
