"""Lines: what the text of a twin says, and the text of its package does not."""

from __future__ import annotations

from difflib import SequenceMatcher


def compare_lines(one: str, other: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    r"""Return the lines that only the one text has, and those that only the other has.

    >>> compare_lines("from 14 on\nelse none", "from 12 on\nelse none")
    (('from 14 on',), ('from 12 on',))
    """
    left, right = one.splitlines(), other.splitlines()
    pieces = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    gone = [line for tag, a, b, _, _ in pieces if tag != "equal" for line in left[a:b]]
    new = [line for tag, _, _, a, b in pieces if tag != "equal" for line in right[a:b]]
    return tuple(gone), tuple(new)
