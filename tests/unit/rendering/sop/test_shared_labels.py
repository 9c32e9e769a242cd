"""Labels that several fields have stand once: other lines say whose they are."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import parcel

GOODS = read_brief((BRIEFS / "dangerous_goods.yaml").read_text(encoding="utf-8"), "brief").model
LINES = render_sop(GOODS, "").lines
SAID = (
    "subsidiary hazard that the declared UN entry covers; one of the values of the subsidiary"
    " hazard."
)
LISTED = (
    'subsidiary hazard that the declared UN entry covers; one of "3 flammable", "5.1 oxidising",'
    ' "6.1 toxic", "8 corrosive", "no subsidiary hazard".'
)


def with_modes(
    labels: str,
    description: str = "mode of transport",
    owner: str = "type: enum, values: [Road, Rail, Sea, Air, Pipe]",
) -> str:
    """Return the line of a looked-up field of a model with an input of five labels."""
    usual = f"role: observed, type: enum, values: [{labels}], description: {description}"
    model = parcel(
        (
            "        weight: {role: input",
            (
                f"        wanted: {{role: input, {owner}, description: mode of transport}}\n"
                f"        usual: {{{usual}}}\n"
                "        weight: {role: input"
            ),
        ),
        ("returns: [service, due_on]", "returns: [service, due_on, usual]"),
    )
    lines = render_sop(model, "").lines
    assert list(read_back_findings(model, lines)) == []
    return next(line.text for line in lines if line.text.startswith("usual: "))


def test_the_labels_of_a_result_are_listed_once() -> None:
    assert SAID in "\n".join(line.text for line in LINES)
    assert list_edit_errors(GOODS, LINES, (SAID, LISTED)) == []


@pytest.mark.parametrize(
    "other",
    [
        "one of the values of the hazard class.",
        "one of the values of the packing group.",
        "one of the values of the subsidiary hazards.",
    ],
)
def test_labels_of_another_field_are_found(other: str) -> None:
    new = SAID.replace("one of the values of the subsidiary hazard.", other)

    assert list_edit_errors(GOODS, LINES, (SAID, new))


def test_only_equal_labels_are_those_of_another() -> None:
    same = with_modes("Road, Rail, Sea, Air, Pipe")
    more = with_modes("Road, Rail, Sea, Air, Pipe, Post")
    fewer = with_modes("Road, Rail, Sea, Air")

    assert same == "usual: mode of transport; one of the values of the wanted."
    assert more.endswith('one of "Road", "Rail", "Sea", "Air", "Pipe", "Post".')
    assert fewer.endswith('one of "Road", "Rail", "Sea", "Air".')


def test_the_field_that_others_point_to_lists_its_labels_itself() -> None:
    own = next(line.text for line in LINES if line.text.startswith("declared_entry"))
    start = own.partition("one of ")[0]
    for label in ("declared UN entry", "registered UN entry"):
        assert list_edit_errors(GOODS, LINES, (own, f"{start}one of the values of the {label}."))


def test_a_description_may_speak_of_values() -> None:
    said = with_modes("Road, Rail, Sea, Air, Pipe", "which of the values of the wanted it has")

    assert (
        said == "usual: which of the values of the wanted it has; one of the values of the wanted."
    )


@pytest.mark.parametrize(
    "owner",
    [
        "type: set, values: [Road, Rail, Sea, Air, Pipe], empty: none of them",
        "type: enum, values: [Road, Rail, Sea, Air, Pipe], missing: unsaid, missing_share: 9",
    ],
)
def test_a_set_and_a_field_that_may_have_no_value_are_not_pointed_to(owner: str) -> None:
    assert with_modes("Road, Rail, Sea, Air, Pipe", owner=owner).endswith('"Air", "Pipe".')
