"""Labels that several fields have stand once: other lines say whose they are."""

from __future__ import annotations

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.reading import read_brief
from tests.conftest import BRIEFS
from tests.worlds.small_models import parcel

GOODS = read_brief((BRIEFS / "dangerous_goods.yaml").read_text(encoding="utf-8"), "brief").model
SAID = (
    "subsidiary hazard that the declared UN entry covers; one of the values of the subsidiary"
    " hazard."
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
    texts = [item.text for item in render_sop(model, "").statements]
    return next(text for text in texts if text.startswith("usual: "))


def test_the_labels_of_a_result_are_listed_once() -> None:
    text = render_sop(GOODS, "").as_text()

    assert SAID in text
    assert text.count('"3 flammable", "5.1 oxidising", "6.1 toxic"') == 1


def test_only_equal_labels_are_those_of_another() -> None:
    same = with_modes("Road, Rail, Sea, Air, Pipe")
    more = with_modes("Road, Rail, Sea, Air, Pipe, Post")
    fewer = with_modes("Road, Rail, Sea, Air")

    assert same == "usual: mode of transport; one of the values of the wanted."
    assert more.endswith('one of "Road", "Rail", "Sea", "Air", "Pipe", "Post".')
    assert fewer.endswith('one of "Road", "Rail", "Sea", "Air".')


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
