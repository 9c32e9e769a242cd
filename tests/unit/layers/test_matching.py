import pytest

from sopforge.harness.layers.matching import Matching, choose_matching
from sopforge.language.domain.values.types import (
    BOOLEAN,
    DateType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)


@pytest.mark.parametrize(
    ("matching", "cell", "given", "expected"),
    [
        (Matching.TEXT, "verified", "verified", True),
        (Matching.TEXT, "12.50", "12.5", False),
        (Matching.TEXT, "verified", "Verified", False),
        (Matching.NUMBER, "12.50", "12.5", True),
        (Matching.NUMBER, "12.50", "12.51", False),
        (Matching.NUMBER, "no charge", "no charge", True),
        (Matching.NUMBER, "no charge", "0", False),
        (Matching.SET, "Asthma; Migraine", "Migraine;Asthma", True),
        (Matching.SET, "Asthma; Migraine", "Asthma", False),
    ],
)
def test_a_value_fits_a_cell_however_it_is_written(
    matching: Matching, cell: str, given: str, *, expected: bool
) -> None:
    assert matching.fits(cell, given) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (NumberType(0, 9), Matching.NUMBER),
        (SetType(("a", "b"), "none"), Matching.SET),
        (DateType(1, 9), Matching.TEXT),
        (BOOLEAN, Matching.TEXT),
        (TextType(), Matching.TEXT),
    ],
    ids=["number", "set", "day", "yes or no", "text"],
)
def test_numbers_and_sets_alone_are_written_in_several_forms(
    kind: ValueType, expected: Matching
) -> None:
    assert choose_matching(kind) is expected
