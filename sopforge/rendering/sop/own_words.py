"""Paragraphs of an SOP that a language model wrote of its own: they explain, and never bind."""

from __future__ import annotations

from sopforge.rendering.sop.document import Line, Style

OWN_WORDS = "own words"
"""Why such a paragraph states no model item."""


def make_own_paragraph(text: str) -> Line:
    """Return a paragraph of a language model's own."""
    return Line(Style.PARAGRAPH, text, excused=OWN_WORDS)
