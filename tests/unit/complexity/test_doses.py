from __future__ import annotations

import pytest

from sopforge.artifacts.complexity.levels import DOSES, OPERATORS, compute_doses
from sopforge.language.domain.documents.schema import ComplexityDocument, DosesDocument

NONE = {operator.name: 0 for operator in OPERATORS}


def asked(**doses: object) -> ComplexityDocument:
    return ComplexityDocument.model_validate({"doses": doses})


def test_a_brief_can_dose_each_operator_and_nothing_else() -> None:
    assert set(DosesDocument.model_fields) == {operator.name for operator in OPERATORS}


def test_each_operator_has_a_usual_dose_at_one_level() -> None:
    named = [name for doses in DOSES.values() for name in doses]

    assert sorted(named) == sorted(NONE)


def test_the_plain_level_has_no_doses() -> None:
    assert compute_doses("L0", asked(L1={"tangents": 9})) == NONE


def test_a_dose_holds_from_its_level_on_until_another_is_said() -> None:
    said = asked(L1={"tangents": 9}, L3={"tangents": 1})

    found = [compute_doses(level, said)["tangents"] for level in ("L1", "L2", "L3")]

    assert found == [9, 9, 1]


def test_an_operator_can_be_dosed_before_its_usual_level_and_switched_off() -> None:
    found = compute_doses("L1", asked(L1={"general_tools": 20, "superseded": 0}))

    assert found == NONE | dict(DOSES["L1"]) | {"general_tools": 20, "superseded": 0}


@pytest.mark.parametrize("doses", [{"L0": {}}, {"L1": {"bloat": 2}}, {"L1": {"tangents": -1}}])
def test_other_doses_are_refused(doses: object) -> None:
    with pytest.raises(ValueError, match="doses"):
        ComplexityDocument.model_validate({"doses": doses})
