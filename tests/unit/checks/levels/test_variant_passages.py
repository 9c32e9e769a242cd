"""A level says what the plain SOP says, in the words that people have approved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement
from sopforge.pipeline.briefs.brief_files import load_brief
from tests.judges.level_agreement import Plain, find_noticed, make_plain, with_variant

FEES = load_brief(Path(__file__).parents[3] / "briefs" / "fees.yaml")
DOSES = {
    "cross_references": 2,
    "indirect_thresholds": 2,
    "redundant_rules": 4,
    "tangents": 2,
    "superseded": 2,
    "distractor_inputs": 3,
    "superseded_tools": 1,
}
KEPT = "Keep case records for 3 years."
INTRODUCED = "Settle late returns of a library: look the loan up, judge it, and state the fee."
OPENED = "Query the loan system and judge the return."


def list_noticed(plain: Plain, variant: Variant) -> list[str]:
    return list(find_noticed(with_variant(plain.workspace, variant)))


def put(variant: Variant, before: str, *after: str) -> Variant:
    """Return a variant with other texts in the place of one."""
    found: list[Statement] = []
    for item in variant.sop.statements:
        texts = after if item.text == before else (item.text,)
        found += [replace(item, text=text) for text in texts]
    assert len(found) != len(variant.sop.statements) or found != list(variant.sop.statements)
    return variant.with_statements(found)


@pytest.mark.parametrize("seed", range(3))
def test_a_level_of_the_derived_text_is_sound(seed: int) -> None:
    plain = make_plain(FEES)

    assert list_noticed(plain, plain.apply(DOSES, seed)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(KEPT, "Keep all records of a case for 3 years.", id="reworded"),
        pytest.param(f"{INTRODUCED}\n", "", id="left out"),
        pytest.param(INTRODUCED, f"{INTRODUCED}\nThe desk is by the door.", id="added"),
    ],
)
def test_words_of_a_person_stand_at_each_level_where_they_stand_in_the_plain_text(
    before: str, after: str
) -> None:
    plain = make_plain(FEES, {before: after})
    variant = plain.apply(DOSES, 3)

    assert after.strip() in variant.sop.as_text()
    assert list_noticed(plain, variant) == []


def test_words_of_a_person_say_nothing_in_the_place_of_other_words() -> None:
    other = "Keep all records of a case for 3 years."
    plain = make_plain(FEES, {KEPT: other})
    variant = plain.apply(DOSES, 3)

    assert list_noticed(plain, put(variant, other, KEPT)) == []
    assert list_noticed(plain, put(variant, other))
    assert list_noticed(plain, put(variant, OPENED, other))


def test_statements_that_are_no_rules_keep_their_places() -> None:
    plain = make_plain(FEES)
    variant = plain.apply(DOSES, 3)
    otherwise = "Otherwise, continue with step 6.3 (Close the return)."

    assert list_noticed(
        plain,
        put(put(variant, otherwise), "6.2 Work the fee out", "6.2 Work the fee out", otherwise),
    )
    assert list_noticed(plain, put(variant, OPENED, KEPT))
    assert list_noticed(plain, put(variant, KEPT, KEPT, KEPT))
