"""What words mean, written in the rule language."""

from __future__ import annotations

from sopforge.language.english.sources import Rules


def test_a_power_of_a_negative_number_is_no_negative_power() -> None:
    text = Rules().write(("power", ("negative", ("number", "3", "", "")), "2"))

    assert eval(text, {"__builtins__": {}}) == 9  # noqa: S307 - the rule language is Python's here
