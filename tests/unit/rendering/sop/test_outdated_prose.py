"""Sentences of a draft that contradict the model are left out, and others stay as they stand."""

from __future__ import annotations

import pytest

from sopforge.domain.model import DomainModel
from sopforge.rendering.sop.outdated_prose import Outdated, find_outdated_sentences
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import parcel

MODEL: DomainModel = parcel(
    (
        "    free_weight: {value: 5, unit: kg, meaning: weight that costs nothing}",
        (
            "    free_weight: {value: 5, unit: kg, meaning: weight that costs nothing}\n"
            "    adjuster_from: {value: 7500, unit: EUR, meaning: claim that a loss adjuster sees}"
        ),
    ),
    ("weight > free_weight else 0", "weight * 10 > adjuster_from else 0"),
)
REASON = "it says {} EUR, and adjuster_from (claim that a loss adjuster sees) is 7500 EUR"


def drafted(*sentences: str) -> str:
    return f"# Rules of thumb\n\n{' '.join(sentences)}"


def excused(draft: str) -> list[str]:
    lines = render_sop(MODEL, draft).lines
    return [line.text for line in lines if line.excused == "draft"]


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("A claim above 5,000 EUR always goes to a loss adjuster.", "5000"),
        ("Claims of EUR 5000 or more go to the loss adjuster.", "5000"),
        ("The loss adjuster sees each claim beyond 4999.50 EUR.", "4999.50"),
    ],
)
def test_a_limit_that_has_another_value_is_outdated(sentence: str, said: str) -> None:
    assert find_outdated_sentences(MODEL, sentence) == [Outdated(sentence, REASON.format(said))]


def test_a_label_that_the_field_lacks_is_outdated() -> None:
    sentence = 'Where the service is "Overnight", call the customer.'

    assert find_outdated_sentences(MODEL, sentence) == [
        Outdated(
            sentence,
            "the service cannot be 'Overnight': it is one of Standard, Express, Night",
        )
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("A claim above 7,500 EUR goes to a loss adjuster.", id="value of the model"),
        pytest.param("A claim above 30 USD goes to a loss adjuster.", id="another unit"),
        pytest.param("A fine of 5,000 EUR may be due.", id="of no constant"),
        pytest.param(
            "A claim of 2,000 EUR to 5,000 EUR may see a loss adjuster.", id="two figures"
        ),
        pytest.param(
            "A claim above 5.000 EUR goes to a loss adjuster.", id="five or five thousand"
        ),
        pytest.param("Until 2020 a claim above 5,000 EUR went to a loss adjuster.", id="history"),
        pytest.param(
            "A claim above 5,000 EUR goes to a loss adjuster. This takes a week.", id="leant on"
        ),
        pytest.param("Parcels of 40 kg that cost nothing are heavy in weight.", id="range's end"),
        pytest.param('The service is "Express".', id="label of the model"),
        pytest.param('The courier service is "Overnight".', id="another field"),
    ],
)
def test_what_is_not_certain_stays(text: str) -> None:
    assert find_outdated_sentences(MODEL, text) == []
    assert text in excused(drafted(text))


def test_the_sentence_is_left_out_and_what_stands_around_it_stays() -> None:
    draft = drafted(
        "Be kind to customers.",
        "A claim above 5,000 EUR always goes to a loss adjuster.",
        "Keep the line free.",
    )

    assert excused(draft) == ["Be kind to customers.", "Keep the line free."]


def test_a_section_of_nothing_else_is_left_out() -> None:
    lines = render_sop(MODEL, drafted("A claim above 5,000 EUR goes to a loss adjuster.")).lines

    assert not [line for line in lines if "Rules of thumb" in line.text]


def test_the_background_is_shown_without_it() -> None:
    prose = "Clerks settle claims. A claim above 5,000 EUR always goes to a loss adjuster."

    texts = [line.text for line in render_sop(MODEL, "", background=prose).lines]

    assert "Clerks settle claims." in texts
    assert not [text for text in texts if "5,000" in text]
