"""Guards with ``first`` and ``not``: what is built, refused, said and read back, and mistaken."""

from __future__ import annotations

import pytest

from sopforge.language.domain.guards import GuardGroup, GuardKind, list_guard_checks
from sopforge.language.logic.tool_calls import Refused
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.oracle import label_row
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_faults
from tests.worlds.edited_sops import derive, find_edited
from tests.worlds.small_models import PERMITS, permits

MODEL = permits()
GUARD = MODEL.tools["grantPermit"].guard
NEAR_REFUSAL = """\
            refusal: near_hospital
            says: a hospital is nearby and the work is long
"""


def test_groups_that_refuse_as_a_whole_are_one_check_each() -> None:
    assert isinstance(GUARD, GuardGroup)
    assert [child.kind for child in GUARD.children if isinstance(child, GuardGroup)] == [
        GuardKind.NOT,
        GuardKind.FIRST,
    ]
    assert [(check.id, check.refusal, check.is_ordered) for check in list_guard_checks(GUARD)] == [
        ("NEAR", "near_hospital", False),
        ("ROAD", "road_busy", True),
    ]


@pytest.mark.parametrize(
    ("cells", "end"),
    [
        ({"hospital": "yes", "days": "10", "emergency": "yes"}, "ask"),
        ({"hospital": "yes", "days": "9", "emergency": "yes"}, "open"),
        ({"hospital": "no", "days": "30", "traffic": "399"}, "open"),
        ({"traffic": "400"}, "heavy"),
        ({"traffic": "400", "detour": "yes", "school": "no"}, "close"),
        ({"traffic": "400", "detour": "yes", "school": "yes"}, "heavy"),
    ],
)
def test_a_case_is_refused_by_what_does_not_hold(cells: dict[str, str], end: str) -> None:
    usual = {
        "permit_id": "W000001",
        "days": "1",
        "traffic": "900",
        "granted": "no",
        **dict.fromkeys(("detour", "emergency", "hospital", "school"), "no"),
    }
    row = {name: MODEL.fields[name].parse(cell) for name, cell in {**usual, **cells}.items()}

    done = label_row(MODEL, row)

    assert done.path[-1] == end
    refused = done.calls[-1].result
    assert isinstance(refused, Refused) == (end in {"ask", "heavy"})


def test_a_guard_that_makes_no_sense_is_refused(golden: Golden) -> None:
    refusal = "            refusal: near_hospital\n"
    school = "not: {id: SCHOOL, is: school}"
    faults = list_faults(
        [(NEAR_REFUSAL, "")],
        [(refusal, "")],
        [("id: SCHOOL", "id: DETOUR")],
        [(school, "not: {id: SCHOOL}")],
        [(school, "not: {id: SCHOOL, is: shool}")],
        [(refusal, "            refusal: unknown_record\n")],
        base=PERMITS,
        source="permits.yaml",
    )
    golden(FAULTS / "guard_kinds.txt", faults)


IN_ORDER = " It tries the alternatives in this order, and the first that holds decides."


def test_an_order_and_what_must_not_be_are_said_and_read_back() -> None:
    derived = derive(MODEL)
    (ordered,) = [x for x in derived.document.statements if x.text.endswith(IN_ORDER)]
    (denied,) = [x for x in derived.document.statements if x.text.startswith("near_hospital: ")]
    held = denied.text.replace("near_hospital: ", "near_hospital: refused unless ")

    assert ordered.text.startswith("road_busy: refused unless ")
    for statement in (ordered, denied):
        assert derived.compare(statement, statement).is_alike
    assert len(find_edited(derived, (IN_ORDER, ""))) == 1
    assert len(find_edited(derived, (denied.text, held))) == 1


def test_mistakes_about_them_are_mutants() -> None:
    words = {mutant.words for mutant in derive_mutants(MODEL)}

    assert words >= {
        "in 'grantPermit', guard NEAR dropped",
        "in 'grantPermit', guard NEAR, or for and",
        "in 'grantPermit', guard NEAR, not left out",
        "in 'grantPermit', guard ROAD, and for or",
        *(f"in 'grantPermit', guard ROAD, part {place} of 3 left out" for place in (1, 2, 3)),
        "in 'grantPermit', guard ROAD, not left out",
    }
