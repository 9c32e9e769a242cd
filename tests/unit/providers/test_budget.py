from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from threading import Thread

import pytest

from sopforge.authors.providers.budget import Budget, estimate_prompt
from sopforge.authors.providers.completion import Block, Message
from sopforge.errors import ProviderError
from tests.worlds.providers import REQUEST, SCHEMA


def test_without_a_limit_everything_is_let_through_and_summed() -> None:
    budget = Budget()
    for cost in (Decimal("0.5"), Decimal(100)):
        budget.settle(budget.reserve(None, "m"), cost)
    assert budget.spent == Decimal("100.5")


def test_what_could_pass_the_limit_is_not_asked() -> None:
    budget = Budget(Decimal(1))
    budget.settle(budget.reserve(Decimal("0.60"), "m"), Decimal("0.25"))
    budget.settle(budget.reserve(Decimal("0.75"), "m"), Decimal("0.30"))
    with pytest.raises(ProviderError) as caught:
        budget.reserve(Decimal("0.46"), "m")
    fault = caught.value.faults[0]
    assert fault.code == "budget-reached"
    assert fault.message == (
        "the budget is $1.00, $0.55 of it is spent, and the next question could cost $0.46"
    )
    budget.reserve(Decimal("0.45"), "m")


def test_questions_that_are_open_count_in_full_until_they_are_answered() -> None:
    budget, reserved = Budget(Decimal(1)), list[Decimal]()
    first = budget.reserve(Decimal("0.60"), "m")
    waiting = Thread(target=lambda: reserved.append(budget.reserve(Decimal("0.50"), "m")))
    waiting.start()
    waiting.join(timeout=0.2)
    assert reserved == []

    budget.settle(first, Decimal("0.10"))
    waiting.join(timeout=30)
    assert reserved == [Decimal("0.50")]


def test_what_passes_the_limit_by_itself_does_not_wait_for_open_questions() -> None:
    budget = Budget(Decimal(1))
    budget.settle(budget.reserve(Decimal("0.30"), "m"), Decimal("0.30"))
    budget.reserve(Decimal("0.60"), "m")
    with pytest.raises(ProviderError, match=r"\$0\.60 is set aside"):
        budget.reserve(Decimal("0.80"), "m")


def test_who_waited_in_vain_hears_that_the_budget_is_reached() -> None:
    budget, faults = Budget(Decimal(1)), list[str]()

    def ask() -> None:
        try:
            budget.reserve(Decimal("0.50"), "m")
        except ProviderError as refused:
            faults.append(refused.faults[0].code)

    first, waiting = budget.reserve(Decimal("0.60"), "m"), Thread(target=ask)
    waiting.start()
    budget.settle(first, Decimal("0.60"))
    waiting.join(timeout=30)
    assert faults == ["budget-reached"]


def test_an_unknown_cost_counts_as_all_that_was_set_aside() -> None:
    budget = Budget(Decimal(1))
    budget.settle(budget.reserve(Decimal("0.10"), "m"), Decimal("0.10"))
    budget.settle(budget.reserve(Decimal("0.60"), "m"), None)
    with pytest.raises(ProviderError) as caught:
        budget.reserve(Decimal("0.31"), "m")
    assert caught.value.faults[0].message == (
        "the budget is $1.00, $0.10 of it is spent, $0.60 may be spent on attempts that were cut"
        " off or not counted, and the next question could cost $0.31"
    )


def test_a_limit_needs_a_price() -> None:
    with pytest.raises(ProviderError) as caught:
        Budget(Decimal(1)).reserve(None, "some-model")
    assert caught.value.faults[0].code == "price-unknown"
    assert "some-model" in caught.value.faults[0].message


def test_small_sums_are_shown_in_full() -> None:
    with pytest.raises(ProviderError, match=r"could cost \$0\.00052"):
        Budget(Decimal("0.0005")).reserve(Decimal("0.000520"), "m")


def test_the_estimate_counts_every_part_of_the_question() -> None:
    base = estimate_prompt(REQUEST)
    longer = replace(REQUEST, system=(Block("x" * 1000),))
    assert estimate_prompt(longer) == base + (1000 - len("You name cities.")) // 2
    turns = (*REQUEST.messages, Message("assistant", (Block("é" * 500),)))
    assert estimate_prompt(replace(REQUEST, messages=turns)) == base + 500 + 50
    assert estimate_prompt(replace(REQUEST, schema=SCHEMA)) > base
