"""What the check of shortcuts advises: only inputs of which it has tried what they change."""

from __future__ import annotations

import pytest

from sopforge.checks.dataset.dataset_shortcuts import CHECK
from tests.unit.checks.dataset.test_dataset_balance import drawn
from tests.worlds.small_models import changed

# Most parcels are sent back for their weight alone. The depth is read where the shelf is, too.
PARCELS = """\
format: 1
domain: parcels
title: Parcels
business_task: Decide whether the desk takes a parcel.
task_context: A desk takes parcels.
dataset: {n_samples: 24, seed: 5, mix: natural}
model:
  entities:
    parcel:
      key: slip
      fields:
        slip: {role: input, type: string, pattern: "S[0-9]{4}", unique: true, description: number}
        weight: {role: input, type: integer, min: 1, max: 99, unit: kg, description: weight}
        depth: {role: input, type: integer, min: 1, max: 99, unit: cm, description: depth}
        shelf: {role: observed, type: integer, min: 1, max: 99, unit: cm, description: shelf}
        kind: {role: observed, type: enum, values: [plain, fragile], description: kind of parcel}
        verdict: {role: outcome, type: enum, values: [take, refuse], primary: true, description: v}
  decisions:
    verdict:
      hit: first
      rules:
        - {id: V1, when: weight > 50, then: refuse}
        - {id: V2, when: depth > shelf, then: refuse}
        - {id: V3, when: kind == 'fragile' and shelf > 40, then: refuse}
        - {id: V4, otherwise: take}
  tools:
    readShelf: {kind: lookup, description: Read, takes: [slip], returns: [shelf, kind]}
  procedure:
    start: read
    steps:
      read: {title: Read the shelf, call: readShelf, decide: [verdict], edges: [{to: done}]}
      done: {title: Close, end: {}}
"""
# Without the weight, nobody guesses well; without the depth, the weight still decides too much.
HEAVY = changed(
    PARCELS,
    ("weight > 50", "weight > 60"),
    ("depth > shelf", "depth > 50"),
    ("shelf > 40", "shelf > 90"),
    ("mix: natural", "mix: balanced"),
)


def looked_up(text: str, *names: str) -> str:
    """Return a brief in which a lookup returns inputs."""
    for name in names:
        text = changed(text, (f"{name}: {{role: input", f"{name}: {{role: observed"))
    return changed(text, ("returns: [shelf", f"returns: [{', '.join(names)}, shelf"))


def hints(text: str) -> list[str]:
    found = CHECK.examine(drawn(text))
    assert {item.id for item in found} <= {"shortcut-leads-far"}
    return [item.hint for item in found]


@pytest.mark.parametrize(
    ("text", "advice", "edits"),
    [
        (PARCELS, "one of the inputs 'weight', 'depth'", [("weight",), ("depth",)]),
        (HEAVY, "the input 'weight'", [("weight",)]),
    ],
    ids=["either", "one"],
)
def test_the_inputs_that_a_hint_names_are_enough(
    text: str, advice: str, edits: list[tuple[str, ...]]
) -> None:
    for hint in hints(text):
        assert hint.startswith(f"write 'role: observed' at {advice}, and let a lookup return it")
    assert hints(text)
    for names in edits:
        assert not hints(looked_up(text, *names))


def test_an_input_that_changes_too_little_is_not_named() -> None:
    assert hints(looked_up(HEAVY, "depth"))


@pytest.mark.parametrize(
    ("together", "advice"),
    [
        (9, "write 'role: observed' at all of the inputs 'weight', 'depth'"),
        (16, "change 'mix' or 'n_samples': on these tasks, no 'role: observed'"),
    ],
    ids=["enough", "not enough"],
)
def test_inputs_are_tried_together_where_none_is_enough_alone(
    monkeypatch: pytest.MonkeyPatch, together: int, advice: str
) -> None:
    # Of 24 tasks, 15 may be right.
    right = {("weight",): 17, ("depth",): 16, ("weight", "depth"): together}
    monkeypatch.setattr(
        "sopforge.checks.dataset.dataset_shortcuts.score_without_inputs",
        lambda _model, _tasks, _rows, hidden, _is_above_bar: right[hidden],
    )

    (hint,) = hints(PARCELS)

    assert hint.startswith(advice)


def test_the_bar_is_explained() -> None:
    (found,) = CHECK.examine(drawn(PARCELS))

    # The most frequent answer is that of 13 of the 24 tasks.
    assert found.message.endswith(
        "; at most 0.642 is allowed, a tenth more than the 0.542 of always giving the most"
        " frequent answer"
    )
