"""Characters that nobody sees: they control a screen, or steer how other characters are read."""

from __future__ import annotations

import unicodedata

from sopforge.errors import Fault, MaterialError

_KINDS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
_FIRST_JOINED = "\u0600"  # from Arabic on, scripts join letters and need signs for where not to
_OF_ANY_TEXT = "\t\n\r"
_LOOKBACK = 30
_RARE_LINE_ENDS = "\x85\u2028\u2029"
# Line ends, soft hyphens, joiners, and marks that say to which direction a sign belongs.
_OF_WRITING = "\n\u00ad\u061c\u200c\u200d\u200e\u200f\u2060"


def is_unseen(text: str, place: int) -> bool:
    """Return whether a character is a control, steers what is shown, or is half of one."""
    letter = text[place]
    if letter in _JOINERS:
        return text[place - 1 : place] < _FIRST_JOINED
    return unicodedata.category(letter) in _KINDS


def describe_unfit_sign(text: str, *, is_compared: bool) -> str:
    r"""Say which sign a text of a record may not have and why, nothing where it has none.

    A text that nothing compares may have the spaces, joiners and marks of correct writing.

    >>> describe_unfit_sign("10\u00a0km", is_compared=True)
    'contains U+00A0 NO-BREAK SPACE at place 3, which looks like a space and is not equal to it'
    """
    for place, letter in enumerate(text, start=1):
        if reason := _find_unfitness(letter, is_compared=is_compared):
            return f"contains {_name_character(letter)} at place {place}, which {reason}"
    return ""


def _find_unfitness(letter: str, *, is_compared: bool) -> str:
    kind = unicodedata.category(letter)
    if letter.isprintable() or (not is_compared and (kind == "Zs" or letter in _OF_WRITING)):
        return ""
    if letter in _RARE_LINE_ENDS:
        return "only some programs read as a line break"
    reasons = {
        "Zs": "looks like a space and is not equal to it",
        "Cc": "is a control character",
        "Cf": "is invisible" + (", but makes another value" if is_compared else ""),
    }
    return reasons.get(kind, "not every program can show")


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
    """Return a character's number and name as the Unicode standard writes them."""
    return f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".rstrip()
