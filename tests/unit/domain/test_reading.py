from __future__ import annotations

import json

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.reading import read_brief, read_domain
from tests.unit.domain.minimal_brief import BRIEF, SOURCE

HEAD, _, MODEL = BRIEF.partition("model:\n")


def facts_text(text: str) -> str:
    return read_brief(text, SOURCE).facts_text


def test_the_facts_go_on_to_the_end_where_nothing_follows_them() -> None:
    assert facts_text(BRIEF) == f"model:\n{MODEL}"


def test_the_facts_end_where_the_next_part_begins() -> None:
    assert facts_text(f"{BRIEF}dataset: {{n_samples: 80}}\n") == f"model:\n{MODEL}"


def test_the_facts_begin_after_the_parts_before_them() -> None:
    assert facts_text(f"model:\n{MODEL}{HEAD}") == f"model:\n{MODEL}"


def test_the_facts_keep_comments_and_order() -> None:
    noted = BRIEF.replace("  policy:\n", "  # said twice\n  policy:\n")
    assert facts_text(noted).startswith("model:\n  # said twice\n  policy:\n")


def test_facts_that_share_a_line_are_written_anew() -> None:
    """JSON is YAML; a brief in it has no line where its facts begin."""
    plain = read_brief(BRIEF, SOURCE).document.value
    written = facts_text(json.dumps(plain, default=float))
    assert written.startswith("model:\n  policy:\n    return_days:\n      value: 30\n")
    assert read_brief(HEAD + written, SOURCE).model.steps == read_brief(BRIEF, SOURCE).model.steps


@pytest.mark.parametrize(
    ("escape", "named"),
    [
        (r"\0", "U+0000, a control character that is not shown"),
        (r"\e", "U+001B, a control character that is not shown"),
        (r"\x7f", "U+007F, a control character that is not shown"),
        (r"\r", "U+000D, a control character that is not shown"),
        (r"\ud800", "U+D800, half of a surrogate pair"),
        (r"\udfff", "U+DFFF, half of a surrogate pair"),
        (r"\uffff", "U+FFFF, which is not a character"),
    ],
)
def test_a_character_that_no_text_can_hold_is_refused_where_it_stands(
    escape: str, named: str
) -> None:
    spoiled = BRIEF.replace("title: Refunds\n", f'title: "Re{escape}funds"\n')
    message = f"the text has {named}"
    domain = spoiled.replace("task_context: The shop decides on returns.\n", "")

    for read, text in ((read_brief, spoiled), (read_domain, domain)):
        with pytest.raises(MaterialError) as caught:
            read(text, SOURCE)
        fault = caught.value.faults[0]
        assert (fault.code, fault.message) == ("character-not-text", message)
        assert fault.where == f"{SOURCE}:3, title"
        assert fault.hint
        str(caught.value).encode()


def test_a_name_with_half_a_pair_is_refused_and_shown_nowhere() -> None:
    once = '  "pol\\ud800icy": {"a\\ud801": 1}\n'
    for named, codes in ((once, ["character-not-text"] * 2), (once * 2, ["duplicate-key"])):
        with pytest.raises(MaterialError) as caught:
            read_brief(BRIEF.replace("  policy:\n", f"{named}  policy:\n"), SOURCE)

        assert [fault.code for fault in caught.value.faults] == codes
        str(caught.value).encode()


def test_tabs_line_ends_and_letters_beyond_the_first_plane_are_text() -> None:
    brief = read_brief(BRIEF.replace("title: Refunds\n", 'title: "Re\\t\\U0001F4E6"\n'), SOURCE)
    assert brief.parts.title == "Re\t\U0001f4e6"


def test_a_draft_with_a_control_character_is_refused_at_its_line() -> None:
    with pytest.raises(MaterialError) as caught:
        read_brief(BRIEF, SOURCE, "# Purpose\r\nRefund\x0c\nfairly\n")

    [fault] = caught.value.faults
    assert (fault.code, fault.where) == ("character-not-text", "draft:2")
