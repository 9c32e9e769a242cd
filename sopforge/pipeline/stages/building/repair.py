"""Repair: what an author wrote is checked, and goes back with the findings as long as it helps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sopforge.authors.writers.author import Author
from sopforge.authors.writers.repair import NOT_TRIED, Attempt
from sopforge.errors import MaterialError
from sopforge.findings import Finding, convert_faults, count_errors, has_errors
from sopforge.pipeline.stages.building.depths import measure_depth
from sopforge.pipeline.stages.stage import Stage
from sopforge.workspace import Workspace

Examine: TypeAlias = Callable[[Stage, Workspace], list[Finding]]

REWORDED = frozenset({"label-reads-badly"})
"""Warnings that only whoever named a thing can put right, by naming it otherwise."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A stage's files, what the checks found in them, and how often they were repaired.

    ``depth`` says how far the files were read: what has few faults may only not have been read far.
    ``remarks`` are the author's, on what was not done; they are among the findings.
    """

    files: Mapping[str, str]
    findings: Sequence[Finding]
    rounds: int
    depth: int = 0
    remarks: tuple[Finding, ...] = ()


def build_and_repair(stage: Stage, workspace: Workspace, author: Author, examine: Examine) -> Draft:
    """Return what the author writes; what has errors goes back until the author gives up.

    What has no errors, and names that read badly, goes back as long as it gets better.
    Of all rounds the best counts, the first of these: what was read further, then what has fewer
    errors. A repair that makes things worse is not kept, and the next one starts from the best
    again and receives what the last one wrote and led to.
    """
    best = _build_draft(stage, workspace, author, examine, 0)
    reviser, rounds, dropped = author, 0, NOT_TRIED
    while _has_to_go_back(best.findings):
        following = reviser.choose_reviser(best.files, best.findings, dropped)
        if following is None:
            break
        reviser, rounds = following, rounds + 1
        made = _with_remarks_of(best, _build_draft(stage, workspace, reviser, examine, rounds))
        is_better = _compute_badness(made) < _compute_badness(best)
        if not is_better and not has_errors(best.findings):
            break
        best, dropped = (made, NOT_TRIED) if is_better else (best, _keep_attempt(made))
    return replace(best, rounds=rounds)


def _build_draft(
    stage: Stage, workspace: Workspace, author: Author, examine: Examine, rounds: int
) -> Draft:
    files = dict(stage.build(workspace, author))
    try:
        found = examine(stage, workspace.with_stage(stage.name, files))
    except MaterialError as refused:
        if not author.applies_feedback:
            raise
        faults = make_unreadable_findings(refused)
        depth = measure_depth(stage.name, files, faults, is_examined=False)
        return _with_remarks(Draft(files, faults, rounds, depth), author.list_remarks())
    depth = measure_depth(stage.name, files, found, is_examined=True)
    return _with_remarks(Draft(files, found, rounds, depth), author.list_remarks())


def _with_remarks(made: Draft, remarks: Sequence[Finding]) -> Draft:
    new = [item for item in remarks if item not in made.findings]
    return replace(made, findings=[*made.findings, *new], remarks=(*made.remarks, *new))


def _with_remarks_of(before: Draft, made: Draft) -> Draft:
    """Return a draft with what was left undone in the one that it was made from.

    What was refused there is no longer of interest: its changes were asked for again.
    """
    return _with_remarks(made, [item for item in before.remarks if not has_errors([item])])


def _keep_attempt(made: Draft) -> Attempt:
    return Attempt(made.files, tuple(made.findings))


def make_unreadable_findings(refused: MaterialError) -> list[Finding]:
    """Return what is wrong with an artifact that could not be read, as findings."""
    return convert_faults(refused.faults)


def _has_to_go_back(findings: Sequence[Finding]) -> bool:
    return has_errors(findings) or _count_reworded(findings) > 0


def _count_reworded(findings: Sequence[Finding]) -> int:
    return sum(finding.id in REWORDED for finding in findings)


def _compute_badness(made: Draft) -> tuple[int, int, int]:
    """Return what is worse the greater it is: read less far, then by all cases in error.

    Names count last, so that no better one is bought with an error.
    """
    return -made.depth, count_errors(made.findings), _count_reworded(made.findings)
