"""Whatever a text looks like, Prefect's pages show it as it is."""

from __future__ import annotations

import pytest

from flows.markdown import escape_markdown, format_code, format_commands, format_table


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the fee is 5.00 EUR (net), +/- 1", "the fee is 5.00 EUR (net), +/- 1"),
        ("**bold** and _thin_", r"\*\*bold\*\* and \_thin\_"),
        ("[pay](http://x.test)", r"\[pay\](http\://x.test)"),
        ("![](https://x.test/a.png)", r"!\[\](https\://x.test/a.png)"),
        ("<script>alert(1)</script>", r"\<script\>alert(1)\</script\>"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("see www.x.test or a@x.test", r"see www\.x.test or a\@x.test"),
        ("a | b", r"a \| b"),
        ("`code`", r"\`code\`"),
        ("one\ntwo\r\n\tthree", "one two three"),
        ("a\\|b", r"a\\\|b"),
        ("\x1b[31mred\u202e", r"\[31mred"),
    ],
)
def test_a_text_is_shown_as_it_is(text: str, shown: str) -> None:
    assert escape_markdown(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a place", "`a place`"), ("a `b` c", "``a `b` c``"), ("``", "``` `` ```")],
)
def test_code_is_not_ended_by_its_own_ticks(text: str, shown: str) -> None:
    assert format_code(text) == shown


def test_a_block_of_commands_is_not_ended_by_one_of_them() -> None:
    assert format_commands(["one", "two"]) == "```\none\ntwo\n```"
    assert format_commands(["one '\n```\n'"]) == "````\none '\n```\n'\n````"


def test_a_table_keeps_its_columns() -> None:
    assert (
        format_table(("a", "b"), [("1|2", "x\ny")]) == "| a | b |\n| --- | --- |\n| 1\\|2 | x y |"
    )
