from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.domain.values.types import EnumType
from sopforge.proof.solving.comparing.decisions import (
    NOTHING,
    compare_decisions,
    describe_decided_value,
)
from sopforge.proof.solving.questions import NoRow, Row
from tests.worlds.small_models import condition, parcel

MODEL: DomainModel = parcel()
LABELS = EnumType(("light", "heavy"))


def weighed(hit: HitPolicy, *rules: tuple[str | None, str]) -> Table:
    """Return a table that gives the two labels by the given conditions; None is "otherwise"."""
    return Table(
        "",
        hit,
        tuple(
            Rule(
                f"R{n}",
                when if when is None else condition(MODEL, when),
                Constant(LABELS, LABELS.values.index(then)),
            )
            for n, (when, then) in enumerate(rules)
        ),
        "",
    )


KNOWN = weighed(HitPolicy.FIRST, ("weight <= 5", "light"), (None, "heavy"))


def test_a_shifted_comparison_is_shown_on_the_boundary() -> None:
    stated = weighed(HitPolicy.FIRST, ("weight < 5", "light"), (None, "heavy"))

    found = compare_decisions(MODEL, stated, KNOWN)

    assert isinstance(found, Row)
    assert dict(found.cells) == {"weight": "5.00"}
    assert (describe_decided_value(stated, found), describe_decided_value(KNOWN, found)) == (
        "heavy",
        "light",
    )


ALIKE = {
    "the same": KNOWN,
    "turned round": weighed(HitPolicy.FIRST, ("weight > 5", "heavy"), (None, "light")),
    "without a rule for the rest": weighed(
        HitPolicy.UNIQUE, ("not weight > 5", "light"), ("weight > 5", "heavy")
    ),
}


@pytest.mark.parametrize("stated", ALIKE.values(), ids=ALIKE)
def test_other_words_are_proved_to_decide_alike(stated: Table) -> None:
    assert compare_decisions(MODEL, stated, KNOWN) == NoRow()


def test_a_lacking_rule_leaves_a_case_open() -> None:
    stated = weighed(HitPolicy.FIRST, ("weight <= 5", "light"))

    found = compare_decisions(MODEL, stated, KNOWN)

    assert isinstance(found, Row)
    assert dict(found.cells) == {"weight": "5.01"}
    assert describe_decided_value(stated, found) == NOTHING


def test_rules_that_must_agree_are_held_to_it_each() -> None:
    rules = (("weight <= 5", "light"), ("weight > 5", "heavy"), ("weight >= 3", "heavy"))
    stated = weighed(HitPolicy.UNIQUE, *rules)

    found = compare_decisions(MODEL, stated, KNOWN)

    assert isinstance(found, Row)
    assert dict(found.cells) == {"weight": "3.00"}
    assert compare_decisions(MODEL, replace(stated, hit=HitPolicy.FIRST), KNOWN) == NoRow()
