"""Entries of an audit log: what each holds, and how one follows the other.

Entries are made to be shown: a release carries them, so that anyone can follow the chain by
hashing. What reviewers say in words is kept beside them, and an entry holds its digest alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from sopforge.errors import Fault, StoreError
from sopforge.store.digests import digest_text, digest_value
from sopforge.store.versions import Manifest


class DecisionVerdict(StrEnum):
    """What was decided."""

    APPROVE = "approve"
    REQUEST_CHANGES = "request_changes"
    REJECT = "reject"
    EDIT = "edit"
    WITHDRAW = "withdraw"
    YANK = "yank"
    UNYANK = "unyank"


class DeciderKind(StrEnum):
    """Who decided: a person, or a policy that a person chose."""

    PERSON = "person"
    POLICY = "policy"


POLICY_NAME = "approve-clean"
DRAW_POLICY = "drawn-anew"
POLICIES = frozenset({POLICY_NAME, DRAW_POLICY})
"""The names of all policies, which no person may have."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a decision is about: content made from inputs (``key``), and the findings shown."""

    stage: str
    key: str
    content: str
    findings: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """An entry of the audit log; ``at`` is UTC, ``previous`` the digest of the entry before.

    ``carries`` is the number of the entry that holds again for the same content from other inputs,
    ``withdraws`` that of the entry that no longer counts.
    ``words`` is the digest of what was said; in earlier entries, ``feedback`` is that itself. An
    entry about a release has "release" for a stage, its version for a key.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    sequence: int
    previous: str
    at: str
    domain: str
    stage: str
    key: str
    content: str
    findings: str
    verdict: DecisionVerdict
    by: str
    kind: DeciderKind
    # What follows came later, or may be left out: an entry without it is read as it was written.
    feedback: str = ""
    ratings: Mapping[str, int] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    edit: str = ""
    carries: int = 0
    words: str = ""
    withdraws: int = 0

    @property
    def is_at_gate(self) -> bool:
        """Whether the decision is about a version at its gate, and not about a release."""
        return self.verdict not in {DecisionVerdict.YANK, DecisionVerdict.UNYANK}

    @property
    def subject(self) -> Subject:
        """What the decision is about."""
        return Subject(self.stage, self.key, self.content, self.findings)


def name_entry(sequence: int) -> str:
    """Return the name of the file of an entry."""
    return f"{sequence:06d}.json"


_RESTORE = (
    "restore the log from a copy; each release contains the entries up to it, in its audit_log"
)


def read_chain(texts: Mapping[str, str], folder: str) -> tuple[list[Decision], str]:
    """Return the entries of a log by the texts of its files, in order, and the newest's digest.

    Raises:
        StoreError: an entry cannot be read, or does not follow the one before it.
    """
    decisions: list[Decision] = []
    previous = ""
    for number, (name, text) in enumerate(texts.items(), start=1):
        place = f"{folder}/{name}"
        decision = read_decision(text, place)
        if decision.sequence != number or decision.previous != previous:
            raise StoreError(Fault("audit-log-broken", _describe_break(number), place, _RESTORE))
        decisions.append(decision)
        previous = digest_text(text)
    return decisions, previous


def _describe_break(number: int) -> str:
    """Return that an entry does not follow the one before it: either may have been changed."""
    if number == 1:
        return "entry 1 is not the first of a log"
    return (
        f"entry {number} does not continue entry {number - 1}: one of them was changed or removed"
    )


def select_standing(entries: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that count: none that was withdrawn, and no withdrawal itself."""
    found = list(entries)
    withdrawn = {entry.withdraws for entry in found}
    return [
        entry
        for entry in found
        if entry.verdict is not DecisionVerdict.WITHDRAW and entry.sequence not in withdrawn
    ]


def select_objections(entries: Iterable[Decision]) -> list[Decision]:
    """Return the entries by which persons say that content is not to stand as it is.

    A rejection or a request that was withdrawn is none; whoever edits content says it once for all.
    """
    found = list(entries)
    withdrawn = {entry.withdraws for entry in found}
    approvals = {entry.sequence for entry in found if entry.verdict is DecisionVerdict.APPROVE}

    def is_objection(entry: Decision) -> bool:
        match entry.verdict:
            case DecisionVerdict.EDIT:
                return True
            case DecisionVerdict.REJECT | DecisionVerdict.REQUEST_CHANGES:
                return entry.sequence not in withdrawn
            case DecisionVerdict.WITHDRAW:
                return entry.withdraws in approvals
            case _:
                return False

    return [entry for entry in found if is_objection(entry)]


def select_standing_on(subject: Subject, entries: Iterable[Decision]) -> list[Decision]:
    """Return the decisions on a subject that count.

    An approval counts no longer where a person objected to the same content later, whatever it was
    made from.
    """
    found = list(entries)
    since = max(
        (
            entry.sequence
            for entry in select_objections(found)
            if (entry.stage, entry.content) == (subject.stage, subject.content)
        ),
        default=0,
    )
    return [
        entry
        for entry in select_standing(found)
        if entry.subject == subject
        and (entry.verdict is not DecisionVerdict.APPROVE or entry.sequence > since)
    ]


def build_subject(manifest: Manifest) -> Subject:
    """Return what a decision on a version is about."""
    findings = digest_value([finding.as_record() for finding in manifest.findings])
    return Subject(manifest.stage, manifest.key, manifest.content, findings)


def read_decision(text: str, place: str) -> Decision:
    """Return the entry of a text; raises ``StoreError`` where it is none."""
    try:
        return _DECISION.validate_json(text, strict=True)
    except ValidationError as cause:
        wrong = cause.errors()[0]
        part = ".".join(map(str, wrong["loc"]))
        message = f"the entry is not a decision: {f'{part}: ' if part else ''}{wrong['msg']}"
        fault = Fault("audit-log-broken", message, place, _RESTORE)
        raise StoreError(fault) from cause


_DECISION = TypeAdapter(Decision)
