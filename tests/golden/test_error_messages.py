from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.domain.minimal_brief import BRIEF, refusal, replaced

ERRORS = Path(__file__).parent / "errors"

LINES = """\
        lines:
          role: input
          type: list
          size: 3
          empty: no lines
          items: {amount: {role: input, type: integer, min: 0, max: 9, description: a}}
          description: lines
"""
FOLDED = """\
- sum(i.amuont for i in lines) > 1
    - lines > 1
    - max(i.amount for i in lines) < 5
    - price / age > 2
    - round(price / 2) > 1
"""
COLLECTED = """\
      hit: collect
      collect: sum
      rules:
        - {id: P1, when: price > 5, then: 7}
        - {id: P2, when: is_opened, then: 7}
"""

BROKEN = {
    "unknown_parts": replaced(
        ("title: Refunds", "titel: Refunds"),
        ("weights: [3, 1]", "wieghts: [3, 1]"),
        ("then: full", "than: full"),
    ),
    "values_of_another_shape": replaced(
        ("domain: refunds", "domain: Refunds of Goods"),
        ("value: 30,", "value: thirty,"),
        ("type: boolean", "type: bool"),
        ("values: [Gift, Card]", "values: [Gift, 12]"),
        ("role: observed", "role: observd"),
        ("then: full", "then: [full]"),
        ("takes: [order_id]", "takes: []"),
    ),
    "unsafe_labels": replaced(
        ("values: [Gift, Card]", "values: [None, 12a, 1e5]"),
        ("missing: not yet", "missing: '=later'"),
        ("missing: none yet", "missing: not full"),
        ("type: boolean,", "type: boolean, missing: no,"),
    ),
    "fields_that_contradict_themselves": replaced(
        ('"R[0-9]{4}"', "'R[0-9]+'"),
        ("max: 2026-03-31", "max: 2025-03-31"),
        ("min: 0.00", "min: 0.005"),
        ("weights: [3, 1]", "weights: [3]"),
        ("min: -89, max: 364", "min: 365, max: 364"),
    ),
    "key_and_primary": replaced(
        ("key: order_id", "key: price"),
        ("primary: true, ", ""),
        ("    fee: {", "    kind: {"),
    ),
    "unknown_names": replaced(
        ("price > 1", "prize > 1"),
        ("when: age", "when: agge"),
        ("refund == 'full'", "refund == 'ful'"),
        ("present(returned_on)", "exists(returned_on)"),
    ),
    "types_in_expressions": replaced(
        ("price > 1", "price == 'high'"),
        ("value: days_between(bought_on, returned_on)", "value: returned_on - bought_on"),
        ("when: age <= return_days", "when: is_opened == 'yes'"),
        ("refund == 'full'", "order_id == 'X0001'"),
    ),
    "python_in_expressions": replaced(
        ("price > 1", "price.real > 1"),
        ("value: days_between(bought_on, returned_on)", "value: (lambda days 3)()"),
        ("when: age <= return_days", "when: age = 3"),
        ("refund == 'full'", "__import__('os').system('true') == 'full'"),
        ("present(returned_on)", "not " * 500 + "is_opened"),
    ),
    "values_out_of_bounds": replaced(
        ("Toy: 2}", "Toy: 12}"),
        ("min: -89, max: 364", "min: 0, max: 90"),
    ),
    "tables_and_rules": replaced(
        ("{Book: 1, Toy: 2}", "{Book: 1}"),
        ("      hit: first\n", ""),
    ),
    "rule_shapes": replaced(
        ("{id: A2, otherwise: part}", "{id: A1, when: price > 2}"),
        ("      table: kind\n", "      table: kind\n      value: price\n"),
    ),
    "cyclic_decisions": replaced(
        ("value: days_between(bought_on, returned_on)", "value: points"),
        ("      table: kind\n      rows: {Book: 1, Toy: 2}", "      value: age"),
        ("min: -89, max: 364", "min: 0, max: 9"),
    ),
    "tools_and_guards": replaced(
        ("takes: [order_id]", "takes: [order_no]"),
        (", refusal: not_full", ""),
    ),
    "lists_and_divisions": replaced(
        ("  constraints:\n", f"{LINES}  constraints:\n"),
        ("- price > 1\n", FOLDED),
        ("when: age <= return_days", "when: price / 2 + 1 > 3"),
        ("refund == 'full'", "age * price * price > 3"),
        ("present(returned_on)", "days_between(bought_on) > 3"),
    ),
    "dates_and_calendars": replaced(
        ("value: 30, unit: days", "value: thirty, unit: days"),
        ("max: 2026-03-31", "max: 2026-3-31"),
        (
            "  entities:\n",
            "  calendars: {office: {holidays: [1 May], meaning: m}}\n  entities:\n",
        ),
    ),
    "collected_rules": replaced(
        ("      table: kind\n      rows: {Book: 1, Toy: 2}\n", COLLECTED),
        ("      hit: first\n", "      hit: collect\n"),
        ("{to: close}", "{to: close, at_most: 2}"),
    ),
    "reserved_names": replaced(
        ("        price: {", "        record: {"),
        ("price > 1", "record > 1"),
        ("    fee: {", "    from: {"),
    ),
    "procedure": replaced(
        ("start: look", "start: lok"),
        ("call: findReturn", "call: findRefund"),
        ("          - {to: wait}\n", ""),
        ("decide: [refund]", "decide: [refnd]"),
        ("{to: close}", "{to: closed}"),
        ("end: {status: closed}", "end: {status: lost, kind: Book}"),
        ("        end: {status: waits}\n", ""),
    ),
    "duplicate_keys": replaced(
        ("    fee: {", "    return_days: {"), ("      close:", "      look:")
    ),
    "broken_yaml": replaced(("extras: {", "extras: {{")),
    "anchor": replaced(("values: [Gift, Card]", "values: &list [Gift, Card]")),
    "no_brief": "- refunds\n",
    "empty": "# to be written\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_brief_gets_its_message(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(ERRORS / f"{name}.txt", f"{refusal(BROKEN[name])}\n")


def test_each_stored_message_belongs_to_a_brief() -> None:
    assert sorted(path.stem for path in ERRORS.iterdir()) == sorted(BROKEN)


def test_the_brief_is_whole_before_it_is_broken() -> None:
    assert all(text != BRIEF for text in BROKEN.values())
