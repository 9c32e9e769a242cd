"""The ratings that experts give an SOP, as the papers on SOP-Bench have them asked."""

from __future__ import annotations

EASE, AMBIGUITY, REASONING = RATINGS = ("ease", "ambiguity", "reasoning")
"""How easy it is to understand (10: easiest), how ambiguous, and how much reasoning it takes."""
MARKS = range(1, 11)
