from __future__ import annotations

import re
from itertools import product

import pytest

from sopforge.language.domain.building.field_parts.labels import describe_unreadable_label
from sopforge.language.domain.values.likeness import (
    Likeness,
    build_phrase,
    derive_text,
    list_sources,
)
from sopforge.language.domain.values.phrases import Phrase
from sopforge.language.domain.values.words import (
    list_countries,
    list_family_names,
    list_first_names,
    list_job_titles,
)
from sopforge.seeds import draw_below

NAMES = Phrase((("Ann", "Eve"), (" ",), ("Hill", "Wood", "Woods")))
MANY = 3_000


def texts_like(likeness: Likeness) -> list[str]:
    """Return all texts that are like something, or many of them where there are more."""
    phrase = build_phrase(likeness)
    numbers = range(phrase.size) if phrase.size <= MANY else ()
    drawn = (draw_below(phrase.size, 1, likeness, place) for place in range(MANY))
    return [phrase.build_text(number) for number in numbers or drawn]


def test_a_phrase_numbers_its_texts_the_last_word_first() -> None:
    found = [NAMES.build_text(number) for number in range(NAMES.size)]

    assert found == [
        f"{first} {last}" for first, last in product(*(NAMES.parts[0], NAMES.parts[2]))
    ]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("Eve Woods", True), ("Eve Wood", True), ("Eve", False), ("Eve Woodss", False), ("", False)],
)
def test_a_phrase_knows_its_texts(text: str, is_one: bool) -> None:  # noqa: FBT001 - a row of the table
    assert NAMES.has(text) is is_one


@pytest.mark.parametrize("likeness", Likeness)
def test_no_reader_changes_a_text_that_is_like_something(likeness: Likeness) -> None:
    changed = {
        text: describe_unreadable_label(text)
        for text in texts_like(likeness)
        if describe_unreadable_label(text)
    }

    assert not changed


@pytest.mark.parametrize("likeness", Likeness)
def test_a_phrase_has_the_texts_that_it_makes_and_no_word_twice(likeness: Likeness) -> None:
    phrase = build_phrase(likeness)

    assert all(map(phrase.has, texts_like(likeness)[:200]))
    assert all(len(set(words)) == len(words) for words in phrase.parts)


@pytest.mark.parametrize(
    "words", [list_first_names, list_family_names, list_countries, list_job_titles]
)
def test_no_reader_changes_a_word_of_the_library(words: object) -> None:
    assert callable(words)
    assert [word for word in words() if describe_unreadable_label(word)] == []


@pytest.mark.parametrize(
    ("likeness", "shape"),
    [
        pytest.param(Likeness.PHONE, r"[2-9][0-8][0-9]-555-01[0-9]{2}", id="kept for fiction"),
        pytest.param(Likeness.EMAIL, r"[a-z0-9.]+@example\.(com|net|org)", id="reserved domains"),
        pytest.param(Likeness.WEB_DOMAIN, r"[a-z-]+\.example", id="reserved top-level domain"),
        pytest.param(Likeness.POSTAL_CODE, r"[QVX][A-Z][1-9] [0-9][A-Z]{2}", id="unused areas"),
        pytest.param(
            Likeness.COMPANY, r"[A-Z]\w+ and [A-Z]\w+ [A-Z][a-z]+", id="two names, a trade"
        ),
        pytest.param(
            Likeness.STREET_ADDRESS,
            r"[0-9]{1,3} [A-Z]\w+ [A-Z][a-z]+, [A-Z][\w ]+",
            id="an address",
        ),
    ],
)
def test_texts_reach_nobody(likeness: Likeness, shape: str) -> None:
    assert [text for text in texts_like(likeness) if not re.fullmatch(shape, text)] == []


@pytest.mark.parametrize(
    ("likeness", "source", "text", "expected"),
    [
        (Likeness.EMAIL, Likeness.PERSON_NAME, "Ann Hill", "ann.hill@example.org"),
        (Likeness.GIVEN_NAME, Likeness.PERSON_NAME, "Ann Hill", "Ann"),
        (Likeness.FAMILY_NAME, Likeness.PERSON_NAME, "Ann Hill", "Hill"),
        (Likeness.WEB_DOMAIN, Likeness.COMPANY, "Hill and Wood Mills", "hill-wood-mills.example"),
    ],
)
def test_a_text_follows_from_another(
    likeness: Likeness, source: Likeness, text: str, expected: str
) -> None:
    assert list_sources(likeness) == (source,)
    assert derive_text(likeness, source, text, "example.org") == expected


@pytest.mark.parametrize("likeness", [one for one in Likeness if list_sources(one)])
def test_what_follows_is_like_what_it_is_said_to_be(likeness: Likeness) -> None:
    (source,) = list_sources(likeness)
    made = [derive_text(likeness, source, text, "example.net") for text in texts_like(source)[:300]]

    assert [text for text in made if not build_phrase(likeness).has(text)] == []
