from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.language.domain.values.patterns import HINT, PatternError, read_pattern


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("AB", ["AB"]),
        ("[xy]", ["x", "y"]),
        ("[a-c]1", ["a1", "b1", "c1"]),
        ("[ab]{2}", ["aa", "ab", "ba", "bb"]),
        ("[ab]-[01]", ["a-0", "a-1", "b-0", "b-1"]),
        ("[b-ca]", ["b", "c", "a"]),
        ("[aab]", ["a", "b"]),
        ("x{3}", ["xxx"]),
        ("[a_.-]", ["a", "_", ".", "-"]),
        ("", [""]),
    ],
    ids=[
        "literals",
        "class",
        "range",
        "count",
        "two classes",
        "range beside a letter",
        "letter named twice",
        "repeated literal",
        "signs in a class",
        "nothing",
    ],
)
def test_a_pattern_numbers_its_texts_in_order(pattern: str, texts: list[str]) -> None:
    read = read_pattern(pattern)
    assert [read.build_text(number) for number in range(read.size)] == texts


@pytest.mark.parametrize(
    ("pattern", "number", "text"),
    [
        ("P[0-9]{6}", 0, "P000000"),
        ("P[0-9]{6}", 123456, "P123456"),
        ("P[0-9]{6}", 999999, "P999999"),
        ("GRP-[A-Z][0-9]", 259, "GRP-Z9"),
        ("555-01[0-9]{2}", 42, "555-0142"),
    ],
)
def test_a_number_names_one_text(pattern: str, number: int, text: str) -> None:
    assert read_pattern(pattern).build_text(number) == text


@pytest.mark.parametrize(
    ("pattern", "size"),
    [("P[0-9]{6}", 1_000_000), ("[A-Z]{2}[0-9]", 6_760), ("[A-Za-z0-9]{12}", 62**12)],
)
def test_a_pattern_knows_how_many_texts_it_has(pattern: str, size: int) -> None:
    assert read_pattern(pattern).size == size


PIECES = st.sampled_from(["A", "-", "[0-9]", "[A-C]", "[xyz]", "[a-b]{2}", "[01]{3}", "q{2}"])


@given(st.lists(PIECES, max_size=3).map("".join))
def test_numbers_and_texts_stand_one_to_one(pattern: str) -> None:
    read = read_pattern(pattern)
    texts = [read.build_text(number) for number in range(read.size)]
    assert len(set(texts)) == read.size
    assert all(re.fullmatch(pattern, text) for text in texts)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"R\d+", "'\\d+' is not allowed in the pattern 'R\\d+'"),
        ("R[0-9]*", "'*' is not allowed in the pattern 'R[0-9]*'"),
        ("(A|B)", "'(A|B)' is not allowed in the pattern '(A|B)'"),
        ("[^a]", "'[^a]' is not allowed in the pattern '[^a]'"),
        ("[]", "'[]' is not allowed in the pattern '[]'"),
        ("A{1,2}", "'{1,2}' is not allowed in the pattern 'A{1,2}'"),
        ("A{100}", "'{100}' is not allowed in the pattern 'A{100}'"),
        ("[0-9", "'[0-9' is not allowed in the pattern '[0-9'"),
        ("é", "'é' is not allowed in the pattern 'é'"),
        ("[9-0]", "the class [9-0] is empty"),
    ],
    ids=[
        "backslash",
        "star",
        "alternatives",
        "negated class",
        "empty class",
        "range of counts",
        "long count",
        "open class",
        "letter with accent",
        "reversed range",
    ],
)
def test_what_cannot_be_numbered_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        read_pattern(pattern)
    assert (str(caught.value), caught.value.hint) == (message, HINT)


# Texts of a pattern


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("AB7", True), ("AB", False), ("AB77", False), ("ab7", False), ("A77", False), ("", False)],
    ids=["of it", "too short", "too long", "small letters", "a digit for a letter", "empty"],
)
def test_a_text_is_of_its_pattern_letter_by_letter(text: str, is_one: bool) -> None:  # noqa: FBT001 - expected
    assert read_pattern("[A-Z]{2}[0-9]").has(text) is is_one


def test_every_numbered_text_is_of_its_pattern() -> None:
    pattern = read_pattern("[A-C][x-z0]-")
    assert all(pattern.has(pattern.build_text(number)) for number in range(pattern.size))


def test_capitals_may_be_left_out_of_account() -> None:
    pattern = read_pattern("N[A-Z]{2}")
    assert pattern.has_like("nan")
    assert not pattern.has_like("inf")


def test_the_nearest_text_takes_preferred_letters_where_it_can() -> None:
    assert read_pattern("[A-Z][A-Z0-9][a-z]").build_nearest_text("01E") == "E0a"
