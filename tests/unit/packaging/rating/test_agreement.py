"""Agreement of raters, compared with published values and with cases worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sopforge.artifacts.packaging.rating.agreement import compute_alpha

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: four observers, twelve
# units, some without a value. The paper gives 0.849 for the interval metric.
OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def test_the_published_example_has_the_published_agreement() -> None:
    columns = zip(*(row.split() for row in OBSERVERS), strict=True)
    units = [[int(value) for value in column if value != "."] for column in columns]

    found = compute_alpha(units)

    assert found is not None
    assert round(float(found), 3) == 0.849


@pytest.mark.parametrize(
    ("units", "alpha"),
    [
        pytest.param([[4, 4, 4], [7, 7, 7]], Fraction(1), id="all agree"),
        # Within: 1+1 and 1+1 over the pairs, 4/4 = 1. Among 1, 2, 3, 4: 2 (3·1 + 2·4 + 9) = 40 of
        # 12 pairs, 10/3. 1 - 1 / (10/3) = 7/10.
        pytest.param([[1, 2], [3, 4]], Fraction(7, 10), id="by one each"),
        # Within: 18 + 18 over 4 marks, 9. Among 1, 4, 4, 1: 9 in 8 of 12 pairs, 6. 1 - 9/6.
        pytest.param([[1, 4], [4, 1]], Fraction(-1, 2), id="the opposite each"),
        pytest.param([[5, 5], [5, 5]], None, id="nothing differs"),
        pytest.param([[5], [7]], None, id="one rater"),
        pytest.param([], None, id="nobody"),
    ],
)
def test_agreement_is_what_it_is_by_hand(units: list[list[int]], alpha: Fraction | None) -> None:
    assert compute_alpha(units) == alpha
