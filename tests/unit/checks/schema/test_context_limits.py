"""Prose that names a limit with another number than the model is pointed out, and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.schema.context_limits import CHECK
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.quick_builds import REFUND
from tests.worlds.small_models import changed


def found(text: str, *, draft: str = "") -> list[Finding]:
    brief = replace(read_brief(text, "brief.yaml"), draft=draft)
    return CHECK.examine(Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)}))


def add_context(sentence: str) -> str:
    return REFUND + f'context: ["The desk is open.", "{sentence}"]\n'


LITERAL = ("days_since_delivery > refund_days and", "days_since_delivery > 21 and")


def test_both_numbers_and_the_place_are_named() -> None:
    (finding,) = found(add_context("Refunds may be asked for up to 45 days after delivery."))

    assert finding.message == (
        "a sentence in the brief contradicts a limit: it says 45 days, and refund_days (days after"
        " delivery in which a refund may be asked for) is 30 days"
    )
    assert finding.where == "context.1"
    assert finding.evidence == "Refunds may be asked for up to 45 days after delivery."


def test_a_number_that_rules_name_themselves_is_a_limit_too() -> None:
    text = changed(add_context("Requests with more than 28 days since delivery are late."), LITERAL)

    (finding,) = found(text)

    assert finding.message.endswith(
        "it says 28 days, and rules compare the days since delivery with 21 days"
    )


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("Refunds may be asked for up to 30 days after delivery.", id="the limit"),
        pytest.param("The refund desk answers within 3 days.", id="another matter"),
        pytest.param("Refunds were asked for up to 45 days after delivery.", id="the past"),
        pytest.param("Between 20 and 45 days after delivery refunds are asked for.", id="two"),
        pytest.param("A refund may be asked for 45 hours after delivery.", id="another unit"),
    ],
)
def test_other_sentences_are_left_alone(sentence: str) -> None:
    assert found(add_context(sentence)) == []


def test_a_field_that_a_sentence_does_not_bound_is_left_alone() -> None:
    assert found(changed(add_context("About 28 days since delivery is common."), LITERAL)) == []


@pytest.mark.parametrize("part", ["guidelines", "business_task", "task_context"])
def test_all_prose_is_read(part: str) -> None:
    sentence = "Refunds may be asked for up to 45 days after delivery."
    text = REFUND + "guidelines: >-\n  Make all kinds of orders.\n"
    spoiled = changed(text, (f"{part}: >-\n", f"{part}: >-\n  {sentence}\n"))

    assert [item.where for item in found(spoiled, draft="# Aim\n\nBe fair.\n")] == [part]


def test_a_task_context_that_becomes_the_sop_is_compared_there() -> None:
    sentence = "Refunds may be asked for up to 45 days after delivery."
    text = changed(REFUND, ("task_context: >-\n", f"task_context: >-\n  {sentence}\n"))

    assert found(text) == []
