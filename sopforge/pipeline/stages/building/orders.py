"""Orders: all that decides one version of a stage, by which it is known and found again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version as installed
from itertools import product

from sopforge.artifacts.rendering.tools.layout import FORMATTER
from sopforge.authors.writers.author import Author
from sopforge.checks.finding_memo import FindingMemo
from sopforge.extensions import list_versions
from sopforge.findings import has_errors
from sopforge.language.domain.documents.schema import AnswerDocument
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.values.words import LIBRARY
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.digests import digest_files, digest_value
from sopforge.store.log.audit_log import AuditLog, GateState
from sopforge.store.log.kept_edits import Edit, list_edits
from sopforge.store.versions import DomainStore, Version
from sopforge.workspace import Workspace, name_stage_files

_NOT_APPLIED = "feedback-not-applied"
"""The finding that a request was not carried out."""
_STANDING = frozenset({GateState.APPROVED, GateState.WAITING})


@dataclass(frozen=True, slots=True)
class Basis:
    """The files that are changed rather than written anew, and what the prose says more since.

    ``is_settled`` says that they have no errors, and do all that reviewers asked for.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    context: tuple[str, ...] = ()
    answers: tuple[AnswerDocument, ...] = ()
    is_settled: bool = False

    @property
    def added(self) -> tuple[str, ...]:
        """What was added, in words."""
        return (*self.context, *(item.says for item in self.answers))


NO_BASIS = Basis()


@dataclass(frozen=True, slots=True)
class Order:
    """All that decides one stage version: a stage, its inputs, who writes, and on what basis.

    ``memo`` decides nothing: it has what checks found earlier in the same run.
    """

    stage: Stage
    workspace: Workspace
    author: Author
    inputs: Mapping[str, str]
    feedback: tuple[str, ...]
    edits: tuple[tuple[str, Edit], ...] = ()
    basis: Basis = NO_BASIS
    memo: FindingMemo | None = field(default=None, compare=False, repr=False)

    @property
    def key(self) -> str:
        """The digest of all inputs: equal keys give equal content."""
        return digest_value(self.inputs)


def build_workspace(brief: Brief, versions: Iterable[Version]) -> Workspace:
    """Return the workspace with the files of the given versions."""
    workspace = Workspace(brief, {})
    for version in versions:
        workspace = workspace.with_stage(version.manifest.stage, version.files)
    return workspace


def name_files(version: Version) -> dict[str, str]:
    """Return a version's files, named as in a workspace."""
    return name_stage_files(version.manifest.stage, version.files)


def build_order(
    domain: DomainStore,
    stage: Stage,
    workspace: Workspace,
    author: Author,
    *,
    log: AuditLog | None = None,
    memo: FindingMemo | None = None,
) -> Order:
    """Return what decides a stage's version, given the files of the stages before it.

    ``log`` is the domain's, where it was read before, and ``memo`` that of the workspace's brief.
    """
    brief = workspace.brief
    # Only what the stage reads: any other file would have it made anew without need.
    needed = {
        name: text
        for name, text in workspace.files.items()
        if name.partition("/")[0] in stage.needs
    }
    log = log or AuditLog(domain).take_snapshot()
    feedback = log.list_feedback(stage.name)
    basis = _find_basis(log, stage, brief, author)
    before = basis.files
    writer = author.choose_stage_author(stage.name, (*feedback, *basis.added), before)
    edits = tuple(list_edits(domain, stage.name, log))
    inputs = {
        "stage": stage.name,
        "revision": str(stage.revision),
        **_read_installed_versions(),
        "author": writer.identity,
        "brief": digest_value(stage.select_brief_part(brief)),
        "files": digest_files(needed),
        "feedback": digest_value(feedback),
        # Left out where there is none, as in the keys of versions that were made without any.
        **({"before": digest_files(before)} if before else {}),
        **({"edits": digest_value([edit.digest for _, edit in edits])} if edits else {}),
    }
    return Order(stage, Workspace(brief, needed), writer, inputs, feedback, edits, basis, memo)


@cache
def _read_installed_versions() -> Mapping[str, str]:
    """Return the versions of this program, of the libraries that decide bytes and of extensions."""
    return {
        "sopforge": installed("sopforge"),
        "solver": installed("z3-solver"),
        "words": installed(LIBRARY),
        "layout": installed(FORMATTER),
        **{f"extension {name}": version for name, version in list_versions().items()},
    }


def _find_basis(log: AuditLog, stage: Stage, brief: Brief, author: Author) -> Basis:
    """Return the files that are to be changed rather than written anew, and what was added since.

    They are those of which changes were asked for last, or, where context or answers were added to
    the prose that the stage is written from, those that stood without them.
    """
    if not author.applies_feedback:
        return NO_BASIS
    key = log.find_sent_back_key(stage.name)
    sent_back = log.domain.find(stage.name, key) if key else None
    part = digest_value(stage.select_brief_part(brief))
    if sent_back is None or sent_back.manifest.inputs["brief"] != part:
        standing = _find_standing_before(log, stage, brief, sent_back)
        if standing is not None:
            return standing
    return Basis(sent_back.files) if sent_back else NO_BASIS


def _find_standing_before(
    log: AuditLog, stage: Stage, brief: Brief, sent_back: Version | None
) -> Basis | None:
    """Return the last files that stood before something was added to the prose, and what was.

    They were approved, or waited for that, for an answer is given while they do, or were sent back
    last. They are known by the brief alone: an edit or feedback since then makes no other basis.
    """
    if stage.needs or brief.built is not None or not brief.parts.additions:
        return None
    added = _list_earlier_parts(stage, brief)
    approvers = brief.parts.gates.count_approvers(stage.name)
    heard = digest_value(log.list_feedback(stage.name))
    for version in reversed(log.domain.list_versions(stage.name)):
        inputs = version.manifest.inputs
        is_last = sent_back is not None and version.number == sent_back.number
        is_standing = is_last or log.compute_gate_state(version, approvers) in _STANDING
        if inputs["brief"] in added and is_standing:
            is_settled = inputs["feedback"] == heard and _is_clean(version)
            return replace(added[inputs["brief"]], files=version.files, is_settled=is_settled)
    return None


def _is_clean(version: Version) -> bool:
    findings = version.manifest.findings
    return not has_errors(findings) and all(item.id != _NOT_APPLIED for item in findings)


def _list_earlier_parts(stage: Stage, brief: Brief) -> dict[str, Basis]:
    """Return what was added since, by the digest of what the stage read of the brief before that.

    Context and answers are each in their order, and nobody notes which of the two came first.
    """
    parts, found = brief.parts, dict[str, Basis]()
    kept = product(range(len(parts.context) + 1), range(len(parts.answers) + 1))
    for contexts, answers in list(kept)[:-1]:
        fewer = {"context": parts.context[:contexts], "answers": parts.answers[:answers]}
        before = replace(brief, parts=parts.model_copy(update=fewer))
        added = Basis(context=parts.context[contexts:], answers=parts.answers[answers:])
        found[digest_value(stage.select_brief_part(before))] = added
    return found
