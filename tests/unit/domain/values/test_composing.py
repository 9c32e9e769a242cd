"""Letters with marks are the same, whether they are written as one character or as several."""

from __future__ import annotations

import json

import pytest

from sopforge.artifacts.packaging.carried_files import build_answer_types
from sopforge.artifacts.rendering.tools.parts.texts import Label, LabelSet, Text
from sopforge.artifacts.rendering.tools.parts.wholes import OrMissing
from sopforge.harness.layers.matching import Matching
from tests.unit.domain.minimal_brief import read_model
from tests.unit.packaging.test_carried import SCORER

APART, WHOLE = "Verspa\u0308tet", "Versp\u00e4tet"
NONE_APART, NONE_WHOLE = "non pre\u0301cise\u0301", "non pr\u00e9cis\u00e9"
DECLARED = f"role: observed, type: set, values: [Ganz, {APART}], empty: {NONE_APART}"
MODEL = read_model(
    ("  constraints:\n", f"        delays: {{{DECLARED}, description: d}}\n  constraints:\n")
)
DELAYS = MODEL.fields["delays"]


@pytest.mark.parametrize(
    "raw", [APART, WHOLE, [APART], [WHOLE, APART]], ids=["cell", "composed", "JSON", "twice"]
)
def test_a_label_is_read_in_either_writing(raw: object) -> None:
    declared = json.loads(json.dumps(build_answer_types(MODEL)))["fields"]["delays"]

    assert DELAYS.parse(raw) == SCORER.read_value(declared, raw) == 0b10
    assert DELAYS.format_cell(0b10) == WHOLE


@pytest.mark.parametrize("raw", [NONE_APART, NONE_WHOLE])
def test_the_word_for_nothing_is_read_in_either_writing(raw: str) -> None:
    declared = json.loads(json.dumps(build_answer_types(MODEL)))["fields"]["delays"]

    assert DELAYS.parse(raw) == SCORER.read_value(declared, raw) == 0


@pytest.mark.parametrize(
    ("kind", "given", "held"),
    [
        pytest.param(Label("delay", "Ganz", WHOLE), APART, WHOLE, id="label"),
        pytest.param(LabelSet("delay", WHOLE, empty="-"), [APART], (WHOLE,), id="set"),
        pytest.param(Text("name"), APART, WHOLE, id="text"),
        pytest.param(OrMissing(Text("name"), NONE_WHOLE), NONE_APART, None, id="none"),
    ],
)
def test_tools_take_an_argument_in_either_writing(kind: Label, given: str, held: object) -> None:
    assert kind.check(given) == held


def test_a_register_has_a_value_in_either_writing() -> None:
    assert Matching.TEXT.fits(WHOLE.casefold(), APART.casefold())
    assert not Matching.TEXT.fits(WHOLE, "Verspatet")
