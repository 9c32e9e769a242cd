"""Characters that nobody sees: they control a screen, or steer how other characters are read."""

from __future__ import annotations

import unicodedata

from sopforge.errors import Fault, MaterialError

_KINDS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
_FIRST_JOINED = "\u0600"  # from Arabic on, scripts join letters and need signs for where not to
_OF_ANY_TEXT = "\t\n\r"
_LOOKBACK = 30


def is_unseen(text: str, place: int) -> bool:
    """Return whether a character is a control, steers what is shown, or is half of one."""
    letter = text[place]
    if letter in _JOINERS:
        return text[place - 1 : place] < _FIRST_JOINED
    return unicodedata.category(letter) in _KINDS


def refuse_unseen(text: str, where: str) -> None:
    """Raise ``MaterialError`` for words with characters that nobody sees, but tabs and line ends.

    Words of people are read again on terminals, which obey such characters, and by language models,
    which read what nobody who approves them does.
    """
    found = [
        place
        for place, letter in enumerate(text)
        if letter not in _OF_ANY_TEXT and is_unseen(text, place)
    ]
    if not found:
        return
    first = found[0]
    before = " ".join(text[max(0, first - _LOOKBACK) : first].split())
    after = f", after '{before}'" if before else ""
    more = f"; so are {len(found) - 1} more" if found[1:] else ""
    message = (
        f"character {first + 1} is {_name_character(text[first])}, which is invisible{after}{more}"
    )
    hint = "delete it, or type the words again; only tabs and line ends are allowed"
    raise MaterialError(Fault("character-unseen", message, where, hint))


def _name_character(letter: str) -> str:
    code, name = f"U+{ord(letter):04X}", unicodedata.name(letter, "").lower()
    return f"{code} ({name})" if name else code
