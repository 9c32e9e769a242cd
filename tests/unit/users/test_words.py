"""Files of words: what they must hold, and where a fault of theirs is."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.harness.users.words import parse_words, read_words

OURS = (files("sopforge.harness.users") / "words.yaml").read_text(encoding="utf-8")


def fault_of(text: str) -> tuple[str, str]:
    """Return the code and the place of the first fault of a file."""
    with pytest.raises(MaterialError) as raised:
        parse_words(text, "own.yaml")
    return raised.value.faults[0].code, raised.value.faults[0].where


def line_of(part: str) -> int:
    return next(n for n, line in enumerate(OURS.split("\n"), 1) if part in line)


def test_an_act_without_words_is_named() -> None:
    head, _, rest = OURS.partition("  insist:\n")
    without = head + rest[rest.index("  close:") :]

    code, where = fault_of(without)

    assert code == "user-words-act-missing"
    assert where.endswith(", acts")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("I do not know the {label}.", "I do not know.", id="a slot lacks"),
        pytest.param("I have nothing to add.", "Nothing but {value}.", id="a slot of others"),
        pytest.param("{Label}: {value}.", "{Label} {label}: {value}.", id="a slot twice"),
        pytest.param("{Label}: {value}.", "{Label}{value}.", id="no word between"),
        pytest.param("I have nothing to add.", "Nothing\\nmore.", id="two lines"),
    ],
)
def test_a_wording_that_cannot_say_its_act_is_refused_with_its_line(
    before: str, after: str
) -> None:
    code, where = fault_of(OURS.replace(before, after))

    assert code == "user-words-malformed"
    assert where.startswith(f"own.yaml:{line_of(before)}, acts.")


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")

    for name in ("none.yaml", "bytes.yaml"):
        with pytest.raises(MaterialError) as raised:
            read_words(tmp_path / name)
        assert raised.value.faults[0].code == "user-words-unreadable"
