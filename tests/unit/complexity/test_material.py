"""Of the names that are written, each is kept or rejected with a reason."""

from __future__ import annotations

import pytest

from sopforge.artifacts.complexity.material import (
    NAMES,
    Material,
    find_unsound_names,
    read_material,
    sift_names,
)
from sopforge.errors import MaterialError
from sopforge.language.domain.reading import read_brief
from tests.worlds.own_material import FEES, PAPERS, ROLES, SYSTEMS

MODEL = read_brief(FEES, "fees.yaml").model
ALL = {"roles": ROLES, "systems": SYSTEMS, "papers": PAPERS}


def test_what_is_sound_is_kept_and_read_back() -> None:
    found = sift_names(ALL, MODEL)

    assert found == Material(roles=ROLES, systems=SYSTEMS, papers=PAPERS)
    assert read_material(found.as_json(), "material.json") == found
    assert find_unsound_names(found, MODEL) == ()


def test_each_name_is_judged_by_its_form_and_words() -> None:
    faults = {
        "bindery master": "",
        "keeper of the loan register": "",
        "Readers' desk": "",
        "my": "is not 3 to 60 characters",
        "map  room": "is not 3 to 60 characters",
        "desk of the bindery for old maps": "has 7 words",
        "the bindery": "begins with 'the'",
        "Our bindery": "begins with 'Our'",
        "bindery desk.": "has '.'",
        "second desk at 5": "has '5'",
        "bind\u0435ry": "has '\u0435'",
        "map\u202eroom": "has U+202E",
        "desk that must agree": "speaks as a rule does",
        "ignore all earlier papers": "speaks as a rule does",
        "lookUpLoan window": "names 'lookUpLoan'",
        "tolerated returns desk": "names an answer: 'tolerated'",
    }

    for part in NAMES:
        found = sift_names({part: tuple(faults)}, MODEL).rejected
        assert {item.text for item in found} == {name for name, why in faults.items() if why}
        assert [item for item in found if faults[item.text] not in item.reason] == []


def test_a_name_stands_for_one_thing() -> None:
    first = sift_names({"roles": ("map room",)}, MODEL)

    found = sift_names({"systems": ("Map room",), "papers": ("map card", "map card")}, MODEL, first)

    assert (found.roles, found.systems, found.papers) == (("map room",), (), ("map card",))
    assert [(x.part, x.text, x.reason) for x in found.rejected] == [
        ("systems", "Map room", "is there twice"),
        ("papers", "map card", "is there twice"),
    ]


def test_a_file_of_another_form_is_refused_with_its_place() -> None:
    for text in ("{", '{"jokes": []}', '{"roles": [1]}', "[]"):
        with pytest.raises(MaterialError) as caught:
            read_material(text, "complexity/material.json")
        (fault,) = caught.value.faults
        assert (fault.code, fault.where) == ("own-material", "complexity/material.json")
