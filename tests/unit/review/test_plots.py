from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from review.dataset_page import dataset_page
from review.plots import Bar, bars, columns
from sopforge.workspace import Workspace

SVG = "{http://www.w3.org/2000/svg}"
ITEMS = [Bar("low <b>", 1, "1"), Bar("cost in $x$", 3, "3")]


def parsed(text: str) -> ET.Element:
    return ET.fromstring(str(text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))  # noqa: S314 - our own


def test_equal_numbers_give_equal_bytes() -> None:
    assert bars("a", ITEMS, 3, 2) == bars("a", ITEMS, 3, 2)
    assert columns("a", [1, 0, 2], ("0", "9")) == columns("a", [1, 0, 2], ("0", "9"))


def test_labels_stay_text_and_are_no_formulas() -> None:
    texts = [node.text for node in parsed(bars("a", ITEMS, 3)).iter(f"{SVG}text")]

    assert texts == ["low <b>", "1", "cost in $x$", "3"]


def test_a_label_is_cut_where_it_would_run_into_the_number() -> None:
    """A line holds 44 letters: 9 for the number leave 35, one of which says that some are gone."""
    texts = [
        node.text
        for node in parsed(bars("a", [Bar("x" * 36, 1, "99 · 99 %")], 1)).iter(f"{SVG}text")
    ]

    assert texts == ["x" * 34 + "…", "99 · 99 %"]


def test_a_plot_is_an_image_with_words() -> None:
    root = parsed(bars('low "1" & high 3', ITEMS, 3))

    assert root.get("role") == "img"
    assert root.get("aria-label") == 'low "1" & high 3'


def test_colours_are_those_of_the_page() -> None:
    plot = bars("a", ITEMS, 3, 2)

    assert re.findall(r"#[0-9a-f]{6}", plot) == []
    assert {"var(--bar)", "var(--error)"} <= set(re.findall(r"var\(--\w+\)", plot))


def test_every_column_says_its_height_and_empty_ones_nothing() -> None:
    texts = [node.text for node in parsed(columns("a", [1, 0, 2], ("0", "9"))).iter(f"{SVG}text")]

    assert texts == ["1", "2", "0", "9"]


def test_the_page_has_a_card_for_each_field_answer_and_path(sound: Workspace) -> None:
    files = {
        name.removeprefix("dataset/"): text
        for name, text in sound.files.items()
        if name.startswith("dataset/")
    }

    page = dataset_page(files)

    assert page is not None
    assert [card.name for card in page.groups["Answers"]] == [
        item.name for item in sound.model.outcomes
    ]
    assert all(card.plot or "different" in card.says for card in page.groups["Fields"])
    assert dataset_page({}) is None
