from sopforge.layers.documents.passages import (
    list_entries,
    list_headings,
    list_named,
    list_next_steps,
    select_entry,
)

TEXT = """A title

1. Purpose
Text
2. No heading, for no empty line stands before it

6. Main procedure
Begin with step 6.1 (Look).

6.1 Look
Go to step 6.12 (Stop (at once)) if the sum is more than the figure under T2 in Annex B.
Apply here the rule in item A3 of Annex A, as section 14 (Annex A: rules) has it.
State results as section 13 (Results), section 13 (Results), records (section 12), Act (section 4).

Item A3
- The rule.
| T2 | the most | 4 EUR more than T1 |
| T20 | another one | 5 EUR |"""
LINES = TEXT.split("\n")


def test_headings_stand_after_an_empty_line() -> None:
    found = [(item.at, item.name, item.title) for item in list_headings(LINES)]

    assert found == [
        (2, "section 1", "Purpose"),
        (6, "section 6", "Main procedure"),
        (9, "step 6.1", "Look"),
        (14, "item A3", "Item A3"),
    ]


def test_the_first_line_is_a_heading_only_after_a_gap() -> None:
    assert [item.name for item in list_headings(["3. Roles", "x"])] == ["section 3"]
    assert list_headings(["3. Roles", "x"], is_after_gap=False) == []


def test_lines_name_steps_sections_items_and_limits_each_once() -> None:
    assert list_named(LINES[9:13]) == [
        "step 6.12",
        "limit T2",
        "section 14",
        "item A3",
        "section 13",
        "section 12",
    ]


def test_an_entry_names_the_limit_that_it_is_reckoned_from_and_not_itself() -> None:
    assert list_named(["| T2 | the most | 4 EUR more than T1 |"]) == ["limit T1"]


def test_entries_are_found_by_their_whole_names() -> None:
    assert list_entries(LINES) == ["limit T2", "limit T20"]
    assert select_entry(LINES, "limit T20") == ["| T20 | another one | 5 EUR |"]
    assert select_entry(LINES, "limit T2") == [LINES[16]]


def test_a_step_leads_to_the_one_after_it_without_naming_it() -> None:
    lines = ["", "6.1 Look", "Look at it.", "", "6.2 Decide", "If 6.3 Hold it, wait.", ""]

    assert list_next_steps(lines) == ["step 6.2", "step 6.3"]
    assert list_next_steps(["6. Procedure", "Begin with step 6.1 (Look)."]) == []
