"""Replacements are made all together or not at all, each in the one place that it names."""

from __future__ import annotations

import pytest

from sopforge.authors.writers.patching import apply_answer

TEXT = "a: 1\nb: 2\nlist:\n  - one\n  - two\nc: 2\n"


def change(*pairs: tuple[str, str], document: str = "") -> tuple[str, list[str]]:
    parts = [{"find": find, "replace": other} for find, other in pairs]
    made = apply_answer(TEXT, {"replacements": parts, "document": document}, "domain.yaml")
    assert all(item.where == "domain.yaml" for item in made.refused)
    return made.text, [item.message for item in made.refused]


def test_parts_are_replaced_in_any_order() -> None:
    text, refused = change(("c: 2", "c: 3"), ("  - one\n  - two\n", "  - one\n"), ("a: 1\n", ""))

    assert (text, refused) == ("b: 2\nlist:\n  - one\nc: 3\n", [])


def test_what_is_put_in_is_not_looked_through() -> None:
    assert change(("a: 1", "b: 2"), ("b: 2", "a: 1"))[0] == "b: 2\na: 1" + TEXT[9:]


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([("a: 1", "a: 5"), (": 2", ": 3")], "stands 2 times"),
        ([("a: 1", "a: 5"), ("d: 4", "d: 5")], "stands nowhere"),
        ([("a: 1", "a: 5"), ("  ", "x")], "no text to find"),
        ([("a: 1\nb", "x"), ("b: 2", "y")], "overlaps"),
        ([("a:  1", "a: 5")], "stands nowhere"),
    ],
)
def test_one_that_does_not_fit_refuses_all(pairs: list[tuple[str, str]], reason: str) -> None:
    text, [message] = change(*pairs)

    assert text == TEXT
    assert reason in message


def test_a_whole_document_stands_alone() -> None:
    assert change(document="```yaml\nz: 1\n```") == ("z: 1\n", [])
    text, [message] = change(("a: 1", "a: 5"), document="z: 1")
    assert text == TEXT
    assert "both" in message


def test_no_change_is_one_too() -> None:
    assert change() == (TEXT, [])
