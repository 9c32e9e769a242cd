"""A session with several cases, graded by the grades of its cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sopforge.harness.grading.grades import Divergence, DivergenceKind, Grade


def join_grades(grades: Sequence[Grade], parts: Mapping[str, bool]) -> Grade:
    """Return the grade of a session; ``parts`` are what it is judged by as a whole.

    Counts are sums, shares are means, and what is true of a session is true of each of its cases.
    Where it leaves the gold trajectory first is where the first wrong case does.
    """
    wrong = next((at for at, grade in enumerate(grades) if not grade.is_right), None)
    first = grades[0 if wrong is None else wrong]
    where = "" if wrong is None else f"case {wrong + 1}: "
    session = {
        **{
            name: all((grade.session or {}).get(name, True) for grade in grades)
            for grade in grades
            for name in grade.session or {}
        },
        **parts,
    }
    return Grade(
        is_complete=all(grade.is_complete for grade in grades),
        is_right=wrong is None and all(parts.values()),
        outcomes=_join(grades, lambda grade: grade.outcomes),
        stated=grades[-1].stated,
        intermediates=_join(grades, lambda grade: grade.intermediates),
        precision=_average([grade.precision for grade in grades]),
        recall=_average([grade.recall for grade in grades]),
        parameters=_average([grade.parameters for grade in grades]),
        is_in_order=_is_all([grade.is_in_order for grade in grades]),
        is_gold=_is_all([grade.is_gold for grade in grades]),
        calls=sum(grade.calls for grade in grades),
        refused=sum(grade.refused for grade in grades),
        unknown=sum(grade.unknown for grade in grades),
        faults=sum(grade.faults for grade in grades),
        redundant=sum(grade.redundant for grade in grades),
        beside=sum(grade.beside for grade in grades),
        divergence=Divergence.NONE if wrong is None else first.divergence,
        path=first.path,
        expected=grades[-1].expected,
        is_in_needed_order=_is_all([grade.is_in_needed_order for grade in grades]),
        distractors=sum(grade.distractors or 0 for grade in grades),
        fabricated=tuple(item for grade in grades for item in grade.fabricated or ()),
        divergence_kind=DivergenceKind.NONE if wrong is None else first.divergence_kind,
        divergence_at=f"{where}{first.divergence_at}" if wrong is not None else "",
        divergence_says=first.divergence_says if wrong is not None else "",
        session=session or None,
        cases=tuple(grade.is_right for grade in grades),
    )


def _join(grades: Sequence[Grade], read: Callable[[Grade], Mapping[str, bool]]) -> dict[str, bool]:
    """Return of each name whether it is right in all cases that have it."""
    names = dict.fromkeys(name for grade in grades for name in read(grade))
    return {name: all(read(grade).get(name, True) for grade in grades) for name in names}


def _average(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _is_all(truths: Sequence[bool | None]) -> bool | None:
    known = [truth for truth in truths if truth is not None]
    return all(known) if known else None
