import pytest

from sopforge.harness.layers.documents.composing.cutting import choose_size, cut_text

STEPS = [
    line
    for number in range(1, 6)
    for line in (f"6.{number} Step {number}", f"Do {number}.", "Go on.", "")
]
LINES = [
    "A title",
    "",
    "1. Purpose",
    "Text.",
    "",
    "6. Main procedure",
    "Begin.",
    "",
    *STEPS,
    "7. Long",
    *(f"- line {number}" for number in range(20)),
]


@pytest.mark.parametrize("most", [6, 7, 10])
def test_no_piece_is_longer_than_asked_for(most: int) -> None:
    assert all(piece.end - piece.start <= most for piece in cut_text(LINES, most))


def test_steps_stand_together_as_far_as_there_is_room() -> None:
    titles = [piece.title for piece in cut_text(LINES, 11)]

    assert titles == [
        "Purpose",
        "Main procedure: Step 1; Step 2",
        "Step 3; Step 4",
        "Step 5",
        "Long",
        "Long, continued",
    ]


def test_titles_name_two_steps_and_count_the_others() -> None:
    assert cut_text(LINES, 60)[1].title == "Main procedure: Step 1; Step 2; 3 more"


def test_a_passage_that_is_cut_says_so_but_for_its_last_piece() -> None:
    long = [piece for piece in cut_text(LINES, 8) if piece.title.startswith("Long")]

    assert [piece.title for piece in long] == [
        "Long",
        "Long, continued",
        "Long, continued (2)",
    ]
    assert [piece.is_cut for piece in long] == [True, True, False]


def test_nothing_is_cut_before_a_line_like_a_heading() -> None:
    lines = ["1. Purpose", *(f"{number}. Not a heading" for number in range(2, 12))]

    assert len(cut_text(lines, 4)) == 1


def test_titles_of_passages_of_the_same_name_differ() -> None:
    lines = ["", "1. Notes", "a", "", "2. Notes", "b"]

    assert [piece.title for piece in cut_text(lines, 60)] == ["Notes", "Notes (2)"]


def test_the_size_is_the_least_that_gives_few_enough_pieces() -> None:
    size = choose_size(LINES, 6)

    assert len(cut_text(LINES, size)) <= 6 < len(cut_text(LINES, size - 1))
