"""Values on file that a step reads after a call has changed them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.procedure.known_fields import find_reread_changes
from sopforge.language.domain.reading import read_brief
from tests.worlds.small_models import changed, parcel

COUNTER = (Path(__file__).parents[3] / "docs/examples/small_counter.yaml").read_text("utf-8")
EFFECT = ("takes: [parcel_id, care, surcharge]", "takes: [parcel_id, care, surcharge]\n      {}")
STAYS = "effects: {service: \"'Night'\"}"
SENTENCE = "Always work with the value that a tool returned last"


def with_effect(*changes: tuple[str, str]) -> DomainModel:
    """Return a parcel's model in which its release changes the service on file."""
    return parcel((EFFECT[0], EFFECT[1].format(STAYS)), *changes)


def says(model: DomainModel) -> bool:
    return any(line.text.startswith(SENTENCE) for line in render_sop(model, "").lines)


def test_a_value_that_is_read_only_before_the_call_is_not_one() -> None:
    """The service goes to the calculator; the release, which changes it, comes after that."""
    model = with_effect()

    assert find_reread_changes(model) == frozenset()
    assert not says(model)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "          - {to: done}",
            "          - {when: service == 'Night', to: hold}\n          - {to: done}",
            id="an edge of the step itself",
        ),
        pytest.param(
            "          - {to: done}",
            "          - {to: again}\n"
            "      again: {title: Again, call: findParcel, edges: [{when: service == 'Night', to:"
            " hold}, {to: done}]}",
            id="an edge of a later step",
        ),
    ],
)
def test_a_value_that_is_read_after_the_call_is_one(old: str, new: str) -> None:
    model = with_effect((old, new))

    assert find_reread_changes(model) == {"service"}
    assert says(model)


def test_nothing_changes_without_effects() -> None:
    assert find_reread_changes(parcel()) == frozenset()


def test_columns_of_one_table_are_one_value() -> None:
    """The balance of the paying account is that of any account which is the same record."""
    model = read_brief(changed(COUNTER), "counter.yaml").model

    assert find_reread_changes(model) <= model.expand_columns(
        name for tool in model.tools.values() for name in tool.effects
    )
