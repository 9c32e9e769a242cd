from sopforge.harness.layers.text.passages import (
    list_headings,
    list_named,
    list_next_steps,
)

TEXT = """A title

1. Purpose
Text
2. No heading, for no empty line stands before it

6. Main procedure
Begin with step 6.1 (Look).

6.1 Look
Go to step 6.12 (Stop (at once)) if the sum is more than the most (see section 15).
Apply section 14.3 here, as section 16 (Rules) has it.
State results as section 13 (Results), section 13 (Results), records (section 12), Act (section 4).

14.3 Persons to be informed
- The rule."""
LINES = TEXT.split("\n")


def test_headings_stand_after_an_empty_line() -> None:
    found = [(item.at, item.name, item.title) for item in list_headings(LINES)]

    assert found == [
        (2, "section 1", "Purpose"),
        (6, "section 6", "Main procedure"),
        (9, "step 6.1", "Look"),
        (14, "step 14.3", "Persons to be informed"),
    ]


def test_the_first_line_is_a_heading_only_after_a_gap() -> None:
    assert [item.name for item in list_headings(["3. Roles", "x"])] == ["section 3"]
    assert list_headings(["3. Roles", "x"], is_after_gap=False) == []


def test_lines_name_steps_sections_and_parts_of_sections_each_once() -> None:
    assert list_named(LINES[9:13]) == [
        "step 6.12",
        "section 15",
        "section 16",
        "section 14",
        "step 14.3",
        "section 13",
        "section 12",
    ]


def test_a_step_leads_to_the_one_after_it_without_naming_it() -> None:
    lines = ["", "6.1 Look", "Look at it.", "", "6.2 Decide", "If 6.3 Hold it, wait.", ""]

    assert list_next_steps(lines) == ["step 6.2", "step 6.3"]
    assert list_next_steps(["6. Procedure", "Begin with step 6.1 (Look)."]) == []
