"""Sections that are added to an SOP and found in one."""

from __future__ import annotations

from sopforge.harness.layers.text.sections import add_section, find_section

SOP = "Standing orders\n\n1. Purpose\nWhy.\n\n2. Procedure\n2.1 First.\n2.2 Then.\n"


def test_a_section_is_the_last_under_the_number_that_follows() -> None:
    once = add_section(SOP, "Extra", ["One.", "Two."])
    twice = add_section(once, "More", ["Three."])

    assert once == SOP + "\n3. Extra\nOne.\nTwo.\n"
    assert twice == once + "\n4. More\nThree.\n"


def test_a_section_is_found_without_what_follows() -> None:
    text = add_section(add_section(SOP, "Extra", ["One.", "Two."]), "More", ["Three."])

    assert (find_section(text, "Extra") or "").strip() == "One.\nTwo."
    assert (find_section(text, "More") or "").strip() == "Three."


def test_what_only_mentions_a_title_is_no_section() -> None:
    assert find_section(SOP + "See Extra.\n", "Extra") is None
    assert find_section(add_section(SOP, "Extra (old)", []), "Extra") is None
