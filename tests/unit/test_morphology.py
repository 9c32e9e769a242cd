"""Forms of words as the libraries know them, where endings alone would mislead."""

from __future__ import annotations

import pytest

from sopforge.language.english.nouns import is_plural, pluralize, singularize, split_noun
from sopforge.morphology import (
    find_infinitive,
    is_modifier,
    is_participle,
    is_plural_word,
    list_stems,
    pluralize_word,
    singularize_word,
)


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("analysis", "analyses"),
        ("batch", "batches"),
        ("child", "children"),
        ("consignee", "consignees"),
        ("datum", "data"),
        ("shelf", "shelves"),
        ("transport", "transport"),
        ("series", "series"),
    ],
)
def test_a_noun_has_a_plural_that_leads_back_to_it(one: str, several: str) -> None:
    assert pluralize_word(one) == several
    assert pluralize_word(several) == several
    assert singularize_word(several) == singularize_word(one) == one
    assert is_plural_word(several) is (several != one)


@pytest.mark.parametrize("word", ["address", "status", "gas", "hazardous", "SKU", "kW", "%", ""])
def test_what_ends_like_a_plural_or_is_a_sign_is_none(word: str) -> None:
    assert not is_plural_word(word)
    assert singularize_word(word) == word


@pytest.mark.parametrize("sign", ["SKU", "kWh", ""])
def test_a_sign_has_no_plural(sign: str) -> None:
    assert pluralize_word(sign) == sign


def test_only_third_persons_have_another_infinitive() -> None:
    assert [find_infinitive(x) for x in ("passes", "covered", "process", "focus")] == [
        *("pass", "covered", "process", "focus"),
    ]


@pytest.mark.parametrize("word", ["withdrawn", "sold", "changed", "run", "prechecked"])
def test_what_may_follow_has_is_a_participle(word: str) -> None:
    assert is_participle(word)


@pytest.mark.parametrize("word", ["open", "seven", "often", "speed", "covers", "unsigned"])
def test_what_only_ends_like_a_participle_is_none(word: str) -> None:
    assert not is_participle(word)


def test_the_noun_of_a_label_stands_before_what_was_done_to_it() -> None:
    assert split_noun("letters sent") == (["letters"], ["sent"])
    assert split_noun("top speed") == (["top", "speed"], [])
    assert is_modifier("unused")
    assert is_plural("letters unread")
    assert singularize("parcels withdrawn") == "parcel withdrawn"
    assert pluralize("chief of staff") == "chiefs of staff"


def test_stems_are_those_of_names_and_sentences_alike() -> None:
    assert list_stems("readConduct_files") == list_stems("Reading, conducted: filed!")
