"""Shares of amounts: what is added to an amount in percent is a share of it."""

from __future__ import annotations

import pytest

from sopforge.language.domain.parsing import parse_value
from sopforge.language.english.words import load_words, phrase_expression
from tests.generators import english_domain as domain

WEIGHT = ("field", "weight")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("round(weight * (100 + 5) / 100, 2)", "the weight plus 5 percent"),
        ("round(weight * (100 - vat) / 100, 2)", "the weight minus 7.70 percent"),
        ("round(weight * 20 / 100, 2)", "20 percent of the weight"),
    ],
)
def test_rules_say_them_as_people_do(rule: str, words: str) -> None:
    said = phrase_expression(parse_value(rule, domain.SCOPE, domain.WIDE), domain.FIELDS)

    assert said.removesuffix(", rounded to 2 decimal places") == words


@pytest.mark.parametrize(("sign", "word"), [("+", "plus"), ("-", "minus")])
def test_percent_beside_an_amount_have_one_meaning(sign: str, word: str) -> None:
    english = load_words(domain.FIELDS).english

    read = english.read("value", f"the weight {word} 5 percent")

    assert read == {("share", WEIGHT, ("number", "5", "percent", ""), sign)}
