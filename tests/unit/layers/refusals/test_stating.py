"""Rules of requests, and what requests say besides, are read back from their words."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from sopforge.harness.layers.refusals.requests import Request, RequestKind, RequestRules
from sopforge.harness.layers.refusals.stating import (
    TITLE,
    Besides,
    read_besides,
    read_rules,
    write_besides,
    write_rules,
)
from sopforge.harness.layers.text.sections import add_section
from tests.worlds.small_models import orders, parcel

SUBSETS = list(chain.from_iterable(combinations(RequestKind, n) for n in range(1, 5)))


@pytest.mark.parametrize("kinds", SUBSETS, ids=" ".join)
def test_rules_are_read_back_from_the_sop(kinds: tuple[RequestKind, ...]) -> None:
    senders = ("the front office", "the branch in Ulm") if RequestKind.SENDER in kinds else ()
    rules = RequestRules(frozenset(kinds), senders)

    sop = add_section("1. Purpose\nWhy.\n", TITLE, write_rules(rules))

    assert read_rules(sop) == rules


@pytest.mark.parametrize("cell", ["", "12.50", 'a "quoted" one', "line (a)", "yes."])
def test_what_a_request_says_besides_is_read_back(cell: str) -> None:
    model = orders()
    value = next(name for tool in model.offered.tools.values() for name in tool.results.values())
    entry = model.inputs[-1].name
    request = Request(
        "task-1", RequestKind.SENDER, "the front office", {value: cell}, again={entry: cell}
    )

    said = read_besides("A parcel came.\n" + write_besides(model, request))

    assert said == Besides("the front office", {value: cell}, {entry: cell})


def test_a_request_with_nothing_besides_adds_nothing() -> None:
    assert write_besides(parcel(), Request("task-1", RequestKind.LACKING, lacking="weight")) == ""
    assert read_besides("A parcel came.") == Besides("", {}, {})
