"""Characters that nobody sees and that change how a text is read: order, breaks, control."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

_HIDDEN = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
_AROUND = 24


@dataclass(frozen=True, slots=True)
class HiddenMark:
    """Hidden characters of a file: how many, which they are, and what stands around the first."""

    file: str
    count: int
    names: tuple[str, ...]
    around: str


def find_hidden_marks(files: Mapping[str, str]) -> tuple[HiddenMark, ...]:
    r"""Return what is hidden in files, with the first place shown in letters.

    >>> find_hidden_marks({"sop.txt": "pay \u202e200 USD"})[0].around
    'pay [U+202E]200 USD'
    """
    found = []
    for name, text in files.items():
        first = _HIDDEN.search(text)
        if first is not None:
            marks = _HIDDEN.findall(text)
            around = text[max(0, first.start() - _AROUND) : first.end() + _AROUND]
            names = tuple(dict.fromkeys(_name_mark(mark) for mark in marks))
            found.append(HiddenMark(name, len(marks), names, _reveal_marks(around)))
    return tuple(found)


def _reveal_marks(text: str) -> str:
    return _HIDDEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


def _name_mark(mark: str) -> str:
    return unicodedata.name(mark, f"U+{ord(mark):04X}").lower()
