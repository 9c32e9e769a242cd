"""Rules and notices of sessions are read back from their words."""

from __future__ import annotations

import pytest

from sopforge.harness.layers.queue.plans import Memo, Notice, Withdrawal
from sopforge.harness.layers.queue.stating import (
    TITLE,
    describe_notice,
    read_notice,
    read_rules,
    write_rules,
)
from sopforge.harness.layers.queue.tallies import Counter, Quota, SessionRules, Strikes, Total
from sopforge.harness.layers.text.sections import UnreadableTextError, add_section
from sopforge.language.domain.values.types import EnumType
from tests.worlds.small_models import claims, orders, parcel, permits

MODELS = {"parcel": parcel(), "claims": claims(), "orders": orders(), "permits": permits()}


@pytest.mark.parametrize("name", MODELS)
def test_rules_are_read_back_from_the_sop(name: str) -> None:
    model = MODELS[name]
    outcome = next(item for item in model.outcomes if isinstance(item.type, EnumType))
    assert isinstance(outcome.type, EnumType)
    label, instead = outcome.type.values[:2]
    rules = SessionRules(
        (
            Quota(outcome.name, label, 1, instead),
            Quota(outcome.name, label, 4, instead),
            Strikes(outcome.name, label, model.inputs[0].name, "north (2)", 1, instead),
            Strikes(outcome.name, label, model.inputs[-1].name, "a.b", 3, instead),
        ),
        (Counter("count_1", outcome.name, label), Total("count_2", model.outcomes[-1].name)),
    )

    sop = add_section("1. Purpose\nWhy.\n", TITLE, write_rules(model, rules))

    assert read_rules(sop) == rules


@pytest.mark.parametrize("name", MODELS)
def test_notices_are_read_back(name: str) -> None:
    model = MODELS[name]
    notices: list[Notice] = [Withdrawal("P-12 (b)")]
    for constant, item in model.policy.items():
        value = item.constant.value
        if isinstance(value, int) and not isinstance(item.constant.type, EnumType):
            notices += [Memo(constant, value + 1), Memo(constant, value + 300)]

    steps = ["6.2 (Weigh: at most 5.)", "6.10 (Decide)"]
    for stated in ([], steps[:1], steps):
        said = [describe_notice(model, item, stated) for item in notices]
        assert [read_notice(model, text) for text in said] == notices


@pytest.mark.parametrize(
    "text",
    [
        "Hello.",
        "Notice: from this case on, the number of moons is 3 instead of 2.",
        "Notice: the case was withdrawn.",
    ],
)
def test_what_is_no_notice_of_the_domain_is_refused(text: str) -> None:
    with pytest.raises(UnreadableTextError):
        read_notice(parcel(), text)
