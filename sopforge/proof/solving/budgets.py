"""What questions may take of the solver, in its own resource units.

By the clock, a busy machine would get other answers. These numbers decide what is found, proved or
left undecided: with another one, equal briefs give other files.
"""

from __future__ import annotations

QUESTION = 20_000_000
"""A question that nothing else limits, and each field of the row that answers it."""

EASY_FINDING = 400_000
"""A question about one finding of a model, at first: nearly all need less."""
FINDINGS = 3 * QUESTION
"""All questions about the findings of a model, beyond what each may take at first."""
LEAST_SET = 1_000_000
"""Whether some reasons are enough for a proof."""
LEAST_SETS = 50_000_000
"""All the proofs of one page."""

EASY_WITNESS = 1_000_000
"""A question for a row near a drawn one, at first: nearly all need less."""
GUESS = 300_000
"""Each try for such a row in which most fields have their drawn values."""
PIN = 150_000
"""Each of the first fields of such a row: beyond it, the row stays farther from the drawn one."""
HARD_GOAL = QUESTION // 4
"""A question for the row of a goal."""
GOALS = 2 * QUESTION
"""All questions for the rows of goals, beyond what each may take at first."""
NEIGHBOUR = 2_000_000
"""A question for the nearest row that is decided otherwise."""
