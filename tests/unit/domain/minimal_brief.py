"""A small brief that uses every part, and how to spoil it; its lines are found by their text."""

from __future__ import annotations

import pytest

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief

SOURCE = "briefs/refunds.yaml"

BRIEF = """\
format: 1
domain: refunds
title: Refunds
business_task: Decide on refunds.
task_context: A shop takes goods back.
model:
  policy:
    return_days: {value: 30, unit: days, meaning: days within which goods come back}
    fee: {value: 2.50, unit: USD, meaning: fee of a return}
  entities:
    order:
      key: order_id
      fields:
        order_id: {role: input, type: string, pattern: "R[0-9]{4}", unique: true, description: id}
        bought_on: {role: input, type: date, min: 2026-01-01, max: 2026-03-31, description: day}
        price: {role: input, type: number, places: 2, min: 0.00, max: 500.00, description: price}
        is_opened: {role: input, type: boolean, description: whether it was opened}
        kind: {role: input, type: enum, values: [Book, Toy], weights: [3, 1], description: kind}
        extras: {role: input, type: set, values: [Gift, Card], empty: nothing, description: extras}
        returned_on:
          role: observed
          type: date
          min: 2026-01-01
          max: 2026-12-31
          missing: not yet
          description: day
        age: {role: derived, type: integer, min: -89, max: 364, description: days since the sale}
        points: {role: derived, type: integer, min: 0, max: 9, description: points of the kind}
        refund: {role: outcome, type: enum, values: [full, part], missing: none yet, description: r}
        status: {role: outcome, type: enum, values: [closed, waits], primary: true, description: s}
  constraints:
    - price > 1
  decisions:
    age:
      value: days_between(bought_on, returned_on)
    points:
      table: kind
      rows: {Book: 1, Toy: 2}
    refund:
      hit: first
      rules:
        - {id: A1, when: age <= return_days, then: full}
        - {id: A2, otherwise: part}
  tools:
    findReturn:
      kind: lookup
      description: Find a return
      takes: [order_id]
      returns: [returned_on]
    payRefund:
      kind: action
      description: Pay a refund
      takes: [order_id, refund]
      requires:
        id: G
        all:
          - {id: G1, is: refund == 'full', refusal: not_full, says: the refund is not full}
  procedure:
    start: look
    steps:
      look:
        title: Look
        call: findReturn
        edges:
          - {when: present(returned_on), to: decide}
          - {to: wait}
      decide:
        title: Decide
        decide: [refund]
        edges:
          - {to: close}
      close:
        title: Close
        end: {status: closed}
      wait:
        title: Wait
        end: {status: waits}
"""


def replaced(*changes: tuple[str, str]) -> str:
    """Return the brief with parts replaced; each part must stand in it exactly once."""
    text = BRIEF
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times in the brief: {old}"
        text = text.replace(old, new)
    return text


def line_of(part: str, text: str = BRIEF) -> int:
    """Return the line on which a part of the text stands, which must be unique."""
    assert text.count(part) == 1, f"{text.count(part)} times in the text: {part}"
    return text[: text.index(part)].count("\n") + 1


def read_model(*changes: tuple[str, str]) -> DomainModel:
    """Return the model of the brief with parts replaced."""
    return read_brief(replaced(*changes), SOURCE).model


def refusal(text: str) -> MaterialError:
    """Return the error with which the text is refused as a brief."""
    with pytest.raises(MaterialError) as caught:
        read_brief(text, SOURCE)
    return caught.value


def faults_of(*changes: tuple[str, str]) -> tuple[Fault, ...]:
    """Return the faults of the brief with parts replaced."""
    return refusal(replaced(*changes)).faults


def place(part: str, path: str, changed: str = "") -> str:
    """Return where a fault stands: the line of ``part`` in the brief, or in the changed one."""
    return f"{SOURCE}:{line_of(part, changed or BRIEF)}, {path}"


def fault_of(*changes: tuple[str, str]) -> Fault:
    """Return the only fault of the changed brief."""
    (fault,) = faults_of(*changes)
    return fault
