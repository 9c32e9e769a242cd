from __future__ import annotations

import pytest

from review.reading.fact_tables import Cell


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("policy", "refund_days", "value"), "fact:policy/refund_days/value"),
        (("decisions", "fee", "rules", 0, "when"), "fact:decisions/fee/rules/0/when"),
        (
            ("decisions", "fee", "rows", 'a "b"/ä\n'),
            "fact:decisions/fee/rows/a%20%22b%22%2F%C3%A4%0A",
        ),
        (("decisions", "fee", "rows", "%22"), "fact:decisions/fee/rows/%2522"),
    ],
    ids=["a limit", "a rule", "quotes", "an escape"],
)
def test_no_name_of_a_field_is_sent_otherwise_than_it_stands(
    path: tuple[str | int, ...], name: str
) -> None:
    """Browsers send quotes and line ends in the name of a field as escapes, which none undoes."""
    assert Cell(path, "5", "fee").name == name
