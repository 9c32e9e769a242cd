from __future__ import annotations

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.values.unseen import refuse_unseen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Pay at once\x1b[2J.", "character 12 is U+001B, which is invisible, after 'Pay at once'"),
        ("\x00", "character 1 is U+0000, which is invisible"),
        (
            "It was\nrefused \u202eyesterday\u202c\a",
            (
                "character 16 is U+202E RIGHT-TO-LEFT OVERRIDE, which is invisible, "
                "after 'It was refused'; so are 2 more"
            ),
        ),
        # The text after which it stands is quoted in a few words.
        (
            f"{'word ' * 9}\u2066",
            (
                "character 46 is U+2066 LEFT-TO-RIGHT ISOLATE, which is invisible, "
                "after 'word word word word word word'"
            ),
        ),
    ],
    ids=["escape", "nul", "several", "far into the text"],
)
def test_what_nobody_sees_is_reported_with_where_it_stands(text: str, message: str) -> None:
    with pytest.raises(MaterialError) as caught:
        refuse_unseen(text, "context")

    [fault] = caught.value.faults
    assert (fault.code, fault.message, fault.where) == ("character-unseen", message, "context")
    assert fault.hint == ("delete it, or type the words again; only tabs and line ends are allowed")


@pytest.mark.parametrize(
    "letter",
    [
        *"\x07\x08\x0b\x0c\x1f\x7f\x85\x9b\u00ad\u061c\u200b\u200e\u2028\u2029\u202a\u202d\u2060",
        *"\u2069\ufeff\udcff\U000e0041",
        "\u200d",  # between letters that no script joins
    ],
    ids=lambda letter: f"U+{ord(letter):04X}",
)
def test_no_character_that_nobody_sees_is_let_in(letter: str) -> None:
    with pytest.raises(MaterialError):
        refuse_unseen(f"re{letter}fund", "words")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\tOne line,\r\nand\u00a0another.\n",
        "Zwölf „Tage“, 5 € ≥ 3 %, 漢字",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f469\u200d\U0001f4bb",
        "\uf0b7 a bullet as word processors copy it",
    ],
    ids=["nothing", "line ends", "signs", "Persian", "an emoji of two", "a bullet"],
)
def test_what_is_seen_is_let_in(text: str) -> None:
    refuse_unseen(text, "words")
