"""When rules say a number's own clause: where nobody could take it for one of another number."""

from __future__ import annotations

import pytest

from tests.unit.domain.minimal_brief import read_model

PRICE = "price: {role: input, type: number, places: 2, min: 0.00, max: 500.00, description: price}"


def has_clause(said: str, other: str) -> bool:
    """Return whether the clause of the price is kept beside another amount of money."""
    described = "role: input, type: number, places: 2, min: 0.00, max: 500.00, unit: USD"
    price = f'price: {{{described}, said: "{said}", description: price}}'
    beside = f"other: {{label: {other}, {described}, description: something else}}"
    model = read_model((PRICE, f"{price}\n        {beside}"))
    return model.fields["price"].amount_clause is not None


@pytest.mark.parametrize(
    ("said", "other", "is_kept"),
    [
        pytest.param("the goods cost {}", "deposit", False, id="it may be said of either"),
        pytest.param("the price stands at {}", "deposit", False, id="at at least"),
        pytest.param("the price comes to {}", "deposit", True, id="it names its own"),
        pytest.param("the goods cost {}", "earlier price", True, id="the other says more"),
        pytest.param("the earlier goods cost {}", "earlier price", True, id="in part of the other"),
        pytest.param(
            "the earlier price of goods is {}", "earlier price", False, id="it names the other"
        ),
    ],
)
def test_a_clause_is_said_where_it_is_of_one_number(
    said: str,
    other: str,
    is_kept: bool,  # noqa: FBT001 - a parameter
) -> None:
    assert has_clause(said, other) is is_kept
