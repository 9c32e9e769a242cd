"""Clerical passages: instructions that stand among the rules and touch no result and no tool.

They name a field or a tool, as rules do. What they ask for is one of a fixed list of things that an
office does with its papers; ``is_clerical`` knows each again from the words alone.
"""

from __future__ import annotations

import re

from sopforge.rendering.sop.added.clerical_deeds import DEEDS, DEEDS_AFTER_CALLS

CLERICAL = "clerical"
"""Why such a passage states no model item."""
_SLOT = re.compile(r"\\\{\w+\\\}")
# Names of papers, people and entries: no label, number or second sentence.
_NAME = r"[A-Za-z][A-Za-z' -]{0,60}"


def _compile_deeds(deeds: tuple[str, ...]) -> str:
    return "|".join(_SLOT.sub(_NAME, re.escape(deed)) for deed in deeds)


# One comparison: with a comma in it, something else could be asked for as well.
_CONDITION = r"[^,.:;]|\.(?=\d)"
_CLERICAL = re.compile(
    rf"If (?:{_CONDITION})+, (?:{_compile_deeds(DEEDS)})\."
    rf"|(?i:{_compile_deeds(DEEDS)}) if (?:{_CONDITION})+\."
    rf"|Once \w+ has returned, (?:{_compile_deeds(DEEDS_AFTER_CALLS)})\."
)


def phrase_deed_if(condition: str, deed: str, *, is_first: bool) -> str:
    """Return a sentence that asks for a deed under a condition, which comes first or last."""
    if is_first:
        return f"If {condition}, {deed}."
    return f"{deed[:1].upper()}{deed[1:]} if {condition}."


def phrase_deed_after(tool: str, deed: str) -> str:
    """Return a sentence that asks for a deed after the call of a tool."""
    return f"Once {tool} has returned, {deed}."


def is_clerical(text: str) -> bool:
    """Return whether a line asks for one of the deeds and for nothing else."""
    return _CLERICAL.fullmatch(text) is not None
