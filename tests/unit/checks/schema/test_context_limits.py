"""Prose with a figure that the model does not have is pointed out, and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.schema.context_limits import CHECK
from sopforge.findings import Finding
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.quick_builds import REFUND
from tests.worlds.small_models import changed


def found(text: str, *, draft: str = "") -> list[Finding]:
    brief = replace(read_brief(text, "brief.yaml"), draft=draft)
    return CHECK.examine(Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)}))


def add_context(sentence: str) -> str:
    return REFUND + f'context: ["The desk is open.", "{sentence}"]\n'


@pytest.mark.parametrize(
    ("sentence", "figures"),
    [
        ("Refunds may be asked for up to 45 days after delivery.", "45"),
        ("The refund desk answers within 3 days.", "3"),
        ("Between 20 and 45 days after delivery refunds are asked for.", "20, 45"),
        ("Under Regulation 261/2004 refunds may be asked for up to 45 days.", "45"),
    ],
)
def test_a_figure_that_the_model_does_not_have_is_named_with_its_place(
    sentence: str, figures: str
) -> None:
    (finding,) = found(add_context(sentence))

    assert finding.message == (
        f"a sentence of the brief has a figure that the model does not have: {figures}"
    )
    assert (finding.where, finding.evidence) == ("context.1", sentence)


def test_a_figure_of_the_model_is_none() -> None:
    text = add_context("Refunds may be asked for up to 30 days after delivery.")

    assert found(text) == []


@pytest.mark.parametrize("part", ["guidelines", "business_task", "task_context"])
def test_all_prose_is_read(part: str) -> None:
    sentence = "Refunds may be asked for up to 45 days after delivery."
    text = REFUND + "guidelines: >-\n  Make all kinds of orders.\n"
    spoiled = changed(text, (f"{part}: >-\n", f"{part}: >-\n  {sentence}\n"))

    assert [item.where for item in found(spoiled, draft="# Aim\n\nBe fair.\n")] == [part]
