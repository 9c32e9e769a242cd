"""The meaning of a constant stands where it rules, once in a step, beside its own figure."""

from __future__ import annotations

from dataclasses import replace

from sopforge.rendering.sop.meanings import find_misplaced_meanings, strip_meanings
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import parcel

MODEL = parcel()
LINES = render_sop(MODEL, "").lines
NOTE = " (days after the due date that are forgiven)"


def test_a_meaning_stands_beside_its_figure() -> None:
    (line,) = [line for line in LINES if NOTE in line.text]

    assert f"more than 3 days after the due date{NOTE}" in line.text
    assert list(find_misplaced_meanings(LINES, MODEL.policy)) == []


def test_a_text_without_its_meanings_is_what_it_was_without_them() -> None:
    plain = strip_meanings(LINES, MODEL.policy)

    assert not [line for line in plain if "forgiven" in line.text]
    assert any("more than 3 days after the due date, go to" in line.text for line in plain)


def test_a_meaning_beside_another_figure_is_found() -> None:
    lines = [
        replace(
            line,
            text=line.text.replace(
                f"3 days after the due date{NOTE}", f"4 days after the due date{NOTE}"
            ),
        )
        for line in LINES
    ]

    ((line, meaning, figures),) = find_misplaced_meanings(lines, MODEL.policy)
    assert (meaning, figures) == ("days after the due date that are forgiven", ["3"])
    assert "4 days" in line.text


def test_a_meaning_is_said_once_in_a_step() -> None:
    model = parcel(
        (
            "when: fragile or 'Glass' in contents",
            "when: weight > free_weight or fragile and weight > free_weight",
        )
    )
    text = render_sop(model, "").as_text()
    step = text.partition("6.1 Look")[2].partition("6.2 ")[0]

    assert step.count("more than 5 kg") == 2
    assert step.count("(weight that costs nothing)") == 1
