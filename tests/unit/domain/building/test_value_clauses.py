"""Clauses on what an item of a list has to do with a value, as briefs state them."""

from __future__ import annotations

import pytest

from sopforge.language.domain.building.field_parts.clauses import build_value_clause
from sopforge.language.domain.documents.field_schema import ListedEnumItem
from sopforge.language.domain.values.types import ValueNotAllowedError

OPPOSITES = {
    "it was for {}": "it was not for {}",
    "it is held by {}": "it is not held by {}",
    "it is about {}": "it is not about {}",
    "it contains {}": "it does not contain {}",
    "it consists of {}": "it does not consist of {}",
    "it relates to {}": "it does not relate to {}",
}
REFUSED = {
    "it was all {}": "(it has 'all')",
    "it is made of more than {}": "(it has 'more')",
    "the item was for {}": "begin with 'it'",
    "it was for {} alone": "ends with {}",
}


def build(said: str) -> object:
    item = {"type": "enum", "values": ["Glass", "Cash"], "description": "kind", "said": said}
    return build_value_clause(ListedEnumItem.model_validate(item, strict=False))


@pytest.mark.parametrize("clause", OPPOSITES)
def test_a_clause_that_begins_with_it_has_an_opposite(clause: str) -> None:
    said = build(clause)

    assert getattr(said, "both", None) == (clause, OPPOSITES[clause])


@pytest.mark.parametrize("clause", REFUSED)
def test_what_is_refused_says_why(clause: str) -> None:
    with pytest.raises(ValueNotAllowedError) as refused:
        build(clause)

    assert REFUSED[clause] in str(refused.value)
