"""The two readings of a text that asks for care: what it says, and what a careless reader takes.

Both read nothing but the words.
"""

from __future__ import annotations

from sopforge.rendering.sop.ambiguous.annex import put_annex, take_without_annex
from sopforge.rendering.sop.ambiguous.wordings import take_as_meant, take_otherwise
from sopforge.rendering.sop.meanings import drop_meanings


def read_carefully(text: str) -> str:
    """Return in plain words what the rules of a text say; those of a plain one as they are."""
    return take_as_meant("\n".join(put_annex(drop_meanings(text).split("\n"))))


def read_carelessly(text: str) -> str:
    """Return in plain words what a careless reader takes a text for; a plain one as it is."""
    return take_without_annex(take_otherwise(text))
