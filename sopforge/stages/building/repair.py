"""Repair: what an author wrote is checked, and goes back with the findings as long as it helps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.authors.author import Author
from sopforge.errors import MaterialError
from sopforge.findings import Finding, convert_faults, count_errors, has_errors
from sopforge.stages.stage import Stage
from sopforge.workspace import Workspace

Examine: TypeAlias = Callable[[Stage, Workspace], list[Finding]]

REWORDED = frozenset({"label-reads-badly"})
"""Warnings that only whoever named a thing can put right, by naming it otherwise."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A stage's files, what the checks found in them, and how often they were repaired.

    What could not be read at all has faults only, however few.
    """

    files: Mapping[str, str]
    findings: Sequence[Finding]
    rounds: int
    is_read: bool = True


def build_and_repair(stage: Stage, workspace: Workspace, author: Author, examine: Examine) -> Draft:
    """Return what the author writes; what has errors goes back until the author gives up.

    What has no errors, and names that read badly, goes back as long as it gets better.
    Of all rounds the best counts, the first of these: a repair that makes things worse is not
    kept, and the next one starts from the best again and receives what the last one led to.
    """
    best = _build_draft(stage, workspace, author, examine, 0)
    reviser, rounds, dropped = author, 0, list[Finding]()
    while _has_to_go_back(best.findings):
        following = reviser.choose_reviser(best.files, best.findings, dropped)
        if following is None:
            break
        reviser, rounds = following, rounds + 1
        made = _build_draft(stage, workspace, reviser, examine, rounds)
        is_better = _compute_badness(made) < _compute_badness(best)
        if not is_better and not has_errors(best.findings):
            break
        best, dropped = (made, []) if is_better else (best, list(made.findings))
    return Draft(best.files, best.findings, rounds, is_read=best.is_read)


def _build_draft(
    stage: Stage, workspace: Workspace, author: Author, examine: Examine, rounds: int
) -> Draft:
    files = dict(stage.build(workspace, author))
    try:
        found = examine(stage, workspace.with_stage(stage.name, files))
    except MaterialError as refused:
        if not author.applies_feedback:
            raise
        return Draft(files, make_unreadable_findings(refused), rounds, is_read=False)
    return Draft(files, found, rounds)


def make_unreadable_findings(refused: MaterialError) -> list[Finding]:
    """Return what is wrong with an artifact that could not be read, as findings."""
    return convert_faults(refused.faults)


def _has_to_go_back(findings: Sequence[Finding]) -> bool:
    return has_errors(findings) or _count_reworded(findings) > 0


def _count_reworded(findings: Sequence[Finding]) -> int:
    return sum(finding.id in REWORDED for finding in findings)


def _compute_badness(made: Draft) -> tuple[bool, int, int]:
    """Return what is worse the greater it is: unreadable first, then by all cases in error.

    Names count last, so that no better one is bought with an error.
    """
    return not made.is_read, count_errors(made.findings), _count_reworded(made.findings)
