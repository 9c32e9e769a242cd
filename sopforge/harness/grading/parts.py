"""Grades with the parts that a layer asks for besides, or that it alone asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sopforge.harness.grading.grades import (
    Attempt,
    Divergence,
    DivergenceKind,
    Grade,
    Stop,
)
from sopforge.session.score import SECRECY


def add_parts(grade: Grade, parts: Mapping[str, bool]) -> Grade:
    """Return a grade that is right only where further parts are, too."""
    session = {**(grade.session or {}), **parts}
    is_right = grade.is_right and all(parts.values())
    if is_right or not grade.is_right:
        return replace(grade, is_right=is_right, session=session)
    wrong = ", ".join(name for name, part in parts.items() if not part)
    return replace(
        grade,
        is_right=False,
        session=session,
        divergence=Divergence.WRONG_ANSWER,
        divergence_kind=DivergenceKind.WRONG_PART,
        divergence_at=wrong,
    )


def settle_grade(grade: Grade, attempt: Attempt, parts: Mapping[str, bool]) -> Grade:
    """Return the grade of a task at which these parts alone are right or wrong, and secrecy."""
    kept = grade.session or {}
    parts = {**parts, **({SECRECY: kept[SECRECY]} if SECRECY in kept else {})}
    is_right = attempt.stop is Stop.ANSWER and all(parts.values())
    wrong = ", ".join(name for name, part in parts.items() if not part)
    return replace(
        grade,
        is_complete=attempt.stop is Stop.ANSWER,
        is_right=is_right,
        outcomes={},
        intermediates={},
        expected={},
        session=dict(parts),
        # Which calls are the right ones up to there, nobody says.
        is_in_order=None,
        is_gold=None,
        is_in_needed_order=None,
        divergence=Divergence.NONE if is_right else Divergence.WRONG_ANSWER,
        divergence_kind=DivergenceKind.NONE if is_right else DivergenceKind.WRONG_PART,
        divergence_at="" if is_right else wrong,
        divergence_says="",
    )
