"""How much of a run is done: by what its stages, and their parts, take in a typical one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sopforge.progress.tracking import Step

# In percent of the time from a brief to seven approved stages, measured offline on two cores with
# the shipped briefs: patient_intake (60 s) and dangerous_goods (10 min). The two differ by less
# than a third in each stage that takes above a tenth. Of a domain of few rules (refund, 25 s) or
# many tables (lending_library) the schema takes 30 to 40, and the levels less.
STAGE_SHARES: Mapping[str, int] = {
    "schema": 4,
    "sop": 1,
    "dataset": 22,
    "api": 1,
    "toolspec": 1,
    "tools": 4,
    "complexity": 67,
}
# In percent of their stage, in the order in which they come, measured with it. What a stage does
# without a word comes first, as loading libraries does.
_CHECKS = (("", 50), ("checks", 50))
PART_SHARES: Mapping[str, Sequence[tuple[str, int]]] = {
    "schema": _CHECKS,
    "sop": _CHECKS,
    "dataset": (
        ("", 20),
        ("tasks looked for in drawn cases", 14),
        ("more cases looked through", 7),
        ("cases at limits looked through", 5),
        ("tasks found or proved impossible", 15),
        ("tasks drawn to fill up", 3),
        ("tasks looked for in the tasks", 18),
        ("proofs put into words", 10),
        ("checks", 8),
    ),
    "api": _CHECKS,
    "toolspec": _CHECKS,
    "tools": (("", 20), ("checks", 80)),
    "complexity": (("levels made", 50), ("checks", 7), ("levels checked", 43)),
}


def compute_share(steps: Sequence[Step]) -> float:
    """Return how much of a run is done once its work is within some steps, the stage first.

    >>> compute_share([Step("complexity"), Step("levels made", 4, 1), Step("checks", 10, 6)])
    0.464
    """
    stage = steps[0].what
    if stage not in STAGE_SHARES:
        return 0.0
    before = compute_share_before(stage)
    return round(before + STAGE_SHARES[stage] / 100 * _compute_part(stage, steps[1:]), 4)


def compute_share_before(stage: str) -> float:
    """Return how much of a run is done when it comes to a stage."""
    names = list(STAGE_SHARES)
    return sum(STAGE_SHARES[name] for name in names[: names.index(stage)]) / 100


def compute_share_after(stage: str) -> float:
    """Return how much of a run is done when a stage is."""
    return round(compute_share_before(stage) + STAGE_SHARES[stage] / 100, 4)


def _compute_part(stage: str, steps: Sequence[Step]) -> float:
    """Return how much of a stage is done, 0 where nothing is known of the part it is at."""
    before = 0
    for what, share in PART_SHARES[stage]:
        if steps and what == steps[0].what:
            return (before + share * _compute_done(steps)) / 100
        before += share
    return 0.0


def _compute_done(steps: Sequence[Step]) -> float:
    """Return how much of a step is done, with what is done of the item at hand."""
    if not steps:
        return 0.0
    step, inner = steps[0], _compute_done(steps[1:])
    return min(1.0, (step.done + inner) / step.total) if step.total else inner
