"""Decisions at gates: each one a file, each file the next entry of the domain's audit log.

A decision covers the content, the inputs and the findings that were shown. Files are numbered and
each holds the digest of the one before, so that a changed or missing entry shows. An entry is
created only as the next after all that its writer has read, so that whoever decides at the same
time finds it taken and looks again: nobody decides twice, and no entry is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeAlias

from sopforge.errors import Fault, StoreError
from sopforge.language.domain.values.unseen import refuse_unseen
from sopforge.store.digests import digest_text
from sopforge.store.entries import (
    POLICIES,
    DeciderKind,
    Decision,
    DecisionVerdict,
    Subject,
    build_subject,
    name_entry,
    read_chain,
    read_decision,
    select_objections,
    select_standing,
    select_standing_on,
)
from sopforge.store.objects import ExistsError, make_damage_error, read_text
from sopforge.store.places import store_option
from sopforge.store.signatures.signatures import name_signature_path, read_signatures
from sopforge.store.versions import DomainStore, Manifest, Version

_ENTRY = re.compile(r"\d{6,}\.json")
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a person says with a verdict.

    ``ratings`` are marks from 1 to 10 by their name, ``checked`` the points of a checklist that
    hold, ``edit`` the digest of an edit that goes with it.
    """

    feedback: str = ""
    ratings: Mapping[str, int] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    edit: str = ""


NO_OPINION = Opinion()
NOTHING_MORE: Mapping[str, Any] = {}


class GateState(StrEnum):
    """Where a version stands at its gate."""

    WAITING = "waiting"
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes requested"
    EDITED = "edited"
    REJECTED = "rejected"
    PROVISIONAL = "provisional"
    """It stands after a version that is not approved yet, so that nobody can decide on it."""


@dataclass(frozen=True, slots=True)
class AtGate:
    """Where a version stands at its gate, and the approvals that it has."""

    state: GateState
    approvals: tuple[Decision, ...] = ()

    @property
    def description(self) -> str:
        """The same in words: a policy's approval is never shown as a person's."""
        names = [item.by for item in self.approvals if item.kind is DeciderKind.PERSON]
        persons = list(dict.fromkeys(names))
        if self.state is GateState.WAITING and self.approvals:
            return f"{self.state}, approved by {', '.join(persons) or 'policy'} so far"
        if self.state is not GateState.APPROVED:
            return str(self.state)
        if not persons:
            return f"{self.state} by policy"
        if all(item.carries for item in self.approvals):
            return f"{self.state} before, for the same content"
        return f"{self.state} by {' and '.join(persons)}"


# One of these is enough; the worse first.
_SETTLING = {
    DecisionVerdict.REJECT: GateState.REJECTED,
    DecisionVerdict.REQUEST_CHANGES: GateState.CHANGES_REQUESTED,
    DecisionVerdict.EDIT: GateState.EDITED,
}

_Chain: TypeAlias = tuple[list["Decision"], str]
SignEntry: TypeAlias = Callable[[Decision, str], bytes]
"""Returns the signature of an entry and of the text that it is written in; raises if it cannot."""


class AuditLog:
    """The decisions of one domain, in order; each question reads them anew.

    ``seen`` are entries read before, with the digest of the newest: see ``take_snapshot``.
    """

    def __init__(self, domain: DomainStore, seen: _Chain | None = None) -> None:
        self.domain = domain
        self._objects = domain.objects
        self._seen = seen

    def take_snapshot(self) -> AuditLog:
        """Return the log as it is now: all questions are answered from one reading of it.

        What is decided through it is compared with the entries that there are by then.
        """
        return AuditLog(self.domain, self._read_anew())

    def list_entries(self) -> list[Decision]:
        """Return all decisions.

        Raises:
            StoreError: an entry is missing, cannot be read, or was changed after the next one
                was written.
        """
        return self._read()[0]

    def read_head(self) -> str:
        """Return the digest of the newest entry, empty if there is none."""
        return self._read()[1]

    def collect_heads(self) -> set[str]:
        """Return all that ``read_head`` has ever returned."""
        entries, head = self._read()
        return {entry.previous for entry in entries} | {head}

    def compute_gate_standing(self, version: Version, approvers: int = 1) -> AtGate:
        """Return where a version stands: approved once as many persons as are asked for approve it.

        A policy's approval is enough where one approver is. One rejection or one request for
        changes settles it otherwise.
        """
        about = select_decisions_on(version.manifest, self.list_entries())
        approvals = tuple(entry for entry in about if entry.verdict is DecisionVerdict.APPROVE)
        return AtGate(compute_state_after(about, approvers), approvals)

    def compute_gate_state(self, version: Version, approvers: int = 1) -> GateState:
        """Return the state alone; see ``compute_gate_standing``."""
        return self.compute_gate_standing(version, approvers).state

    def list_approvals(self, version: Version) -> list[Decision]:
        """Return the approvals of a version, oldest first."""
        return list(self.compute_gate_standing(version).approvals)

    def iterate_newest_first(self, after: str = "") -> Iterator[Decision]:
        """Return the decisions from the newest on, each read when it is asked for.

        With the digest of an entry, only those ``after`` it. Entries are not compared with each
        other: that is for ``list_entries``.

        Raises:
            StoreError: an entry cannot be read.
        """
        for name in reversed(self._list_names()):
            text = read_text(self._objects, f"{self._folder}/{name}")
            if after and digest_text(text) == after:
                return
            yield read_decision(text, f"{self._objects.place}/{self._folder}/{name}")

    def append_decision(
        self,
        version: Version,
        verdict: DecisionVerdict,
        by: str,
        kind: DeciderKind,
        opinion: Opinion = NO_OPINION,
        *,
        sign: SignEntry | None = None,
    ) -> Decision:
        """Record a decision, signed if it is said how.

        Raises:
            StoreError: the version does not wait at its gate, or this decider has decided on it.
        """
        return self._record(version.manifest, verdict, by, kind, asdict(opinion), sign=sign)

    def renew_approval(self, version: Version, approval: Decision) -> Decision:
        """Record that an approval holds again: of the same content, made from other inputs.

        Raises:
            StoreError: the version does not wait at its gate, or this decider has decided on it.
        """
        more = {"carries": approval.sequence}
        return self._record(version.manifest, approval.verdict, approval.by, approval.kind, more)

    def _record(
        self,
        manifest: Manifest,
        verdict: DecisionVerdict,
        by: str,
        kind: DeciderKind,
        more: Mapping[str, Any],
        *,
        sign: SignEntry | None = None,
    ) -> Decision:
        # Called at each try to write the entry, for what waits may be another version by then.
        def refuse(entries: Iterable[Decision]) -> None:
            self._refuse_stale(manifest)
            self._refuse_second(manifest, by, entries)

        return self.append_entry(
            build_subject(manifest), verdict, by=by, kind=kind, more=more, refuse=refuse, sign=sign
        )

    def append_entry(
        self,
        subject: Subject,
        verdict: DecisionVerdict,
        *,
        by: str,
        kind: DeciderKind,
        more: Mapping[str, Any] = NOTHING_MORE,
        refuse: Callable[[Iterable[Decision]], None] = lambda entries: None,  # noqa: ARG005
        sign: SignEntry | None = None,
    ) -> Decision:
        """Write the next entry, whatever waits; ``refuse`` raises where it must not be written.

        It is signed before it is written, and the signature is written after it: where signing
        fails nothing is recorded, and a process that dies in between leaves an unsigned entry.

        Raises:
            StoreError: a person's name is that of a policy, or none, or the words are no text, or
                something in the domain that a person would decide on does not fit its seal.
            MaterialError: the words have characters that nobody sees.
        """
        if kind is DeciderKind.PERSON:
            _refuse_name(by, self.domain.name)
            self.domain.require_intact_seal()
        # The words come first: without its entry a text harms nobody, but an entry whose words are
        # nowhere would be damage.
        said = {**more, "feedback": "", "words": self._keep_words(str(more.get("feedback", "")))}
        while True:
            entries, head = self._read_anew()
            refuse(entries)
            decision = Decision(
                sequence=len(entries) + 1,
                previous=head,
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                domain=self.domain.name,
                stage=subject.stage,
                key=subject.key,
                content=subject.content,
                findings=subject.findings,
                verdict=verdict,
                by=by,
                kind=kind,
                **said,
            )
            text = json.dumps(asdict(decision), indent=1, ensure_ascii=False) + "\n"
            signature = sign(decision, text) if sign else b""
            try:
                self._objects.create(self._name_entry_file(decision.sequence), text.encode())
            except ExistsError:
                continue  # Another decided meanwhile: this decision is looked at anew.
            if signature:
                self.keep_signature(decision.sequence, signature)
            return decision

    def read_entry_text(self, entry: Decision) -> str:
        """Return an entry as it is kept; raises ``StoreError`` where it is another by now."""
        name = self._name_entry_file(entry.sequence)
        text = read_text(self._objects, name)
        if read_decision(text, f"{self._objects.place}/{name}") != entry:
            raise make_damage_error(
                self._objects, name, "the entry differs from the one that was shown"
            )
        return text

    def keep_signature(self, sequence: int, signature: bytes) -> None:
        """Keep the signature of an entry, in the place of any that lies there."""
        self._objects.replace(name_signature_path(self.domain.name, sequence), signature)

    def read_signatures(self) -> dict[int, bytes]:
        """Return the signatures beside the log, by the numbers of entries."""
        return read_signatures(self._objects, self.domain.name)

    def read_words(self, decision: Decision) -> str:
        """Return what was said with a decision; raises ``StoreError`` where it is not as said."""
        if not decision.words:
            return decision.feedback
        name = self._name_words_file(decision.words)
        text = read_text(self._objects, name)
        if digest_text(text) != decision.words:
            raise make_damage_error(
                self._objects, name, "the comment differs from the recorded one"
            )
        return text

    def _keep_words(self, text: str) -> str:
        """Keep what was said, and return its digest; "" where nothing was.

        All words of people come by here, however they decide.
        """
        if not text:
            return ""
        try:
            text.encode()
        except UnicodeEncodeError as cause:
            message, hint = "the comment is not UTF-8 text", "write it in UTF-8"
            raise StoreError(Fault("words-not-text", message, self.domain.name, hint)) from cause
        refuse_unseen(text, f"words on {self.domain}")
        digest = digest_text(text)
        with suppress(ExistsError):  # The same words, said before.
            self._objects.create(self._name_words_file(digest), text.encode())
        return digest

    def list_decisions_by_persons(self) -> list[Decision]:
        """Return what persons decided themselves: not by a policy, and not carried."""
        return [
            entry
            for entry in self.list_entries()
            if entry.kind is DeciderKind.PERSON and not entry.carries and entry.is_at_gate
        ]

    def list_feedback(self, stage: str) -> tuple[str, ...]:
        """Return what was asked to change in a stage, oldest first."""
        return tuple(self.read_words(entry) for entry in self._list_requests(stage))

    def list_open_feedback(self, stage: str) -> tuple[str, ...]:
        """Return the same without what was asked before a person approved the stage last."""
        approved = [
            entry.sequence
            for entry in self.list_standing(stage)
            if entry.verdict is DecisionVerdict.APPROVE and entry.kind is DeciderKind.PERSON
        ]
        since = max(approved, default=0)
        return tuple(
            self.read_words(entry) for entry in self._list_requests(stage) if entry.sequence > since
        )

    def find_sent_back_key(self, stage: str) -> str:
        """Return the key of the version of which changes were asked for last, "" if of none."""
        keys = [entry.key for entry in self._list_requests(stage)]
        return keys[-1] if keys else ""

    def list_standing(self, stage: str) -> list[Decision]:
        """Return the decisions on a stage that count, oldest first."""
        return [entry for entry in select_standing(self.list_entries()) if entry.stage == stage]

    def list_objections(self, stage: str) -> list[Decision]:
        """Return where persons said that something of a stage is not to stand, oldest first."""
        return [entry for entry in select_objections(self.list_entries()) if entry.stage == stage]

    def _list_requests(self, stage: str) -> list[Decision]:
        standing = self.list_standing(stage)
        return [entry for entry in standing if entry.verdict is DecisionVerdict.REQUEST_CHANGES]

    def read_entry_texts(self) -> dict[str, str]:
        """Return the entries as they are kept, by their names, oldest first."""
        return {
            name: read_text(self._objects, f"{self._folder}/{name}") for name in self._list_names()
        }

    def _read(self) -> _Chain:
        return self._seen or self._read_anew()

    def _read_anew(self) -> _Chain:
        """Return all entries, and the digest of the newest."""
        return read_chain(self.read_entry_texts(), f"{self._objects.place}/{self._folder}")

    @property
    def _folder(self) -> str:
        return f"{self.domain}/decisions"

    def _list_names(self) -> list[str]:
        return [
            name for name in self._objects.list_children(self._folder) if _ENTRY.fullmatch(name)
        ]

    def _name_entry_file(self, sequence: int) -> str:
        return f"{self._folder}/{name_entry(sequence)}"

    def _name_words_file(self, digest: str) -> str:
        return f"{self.domain}/words/{digest}.txt"

    def _refuse_stale(self, manifest: Manifest) -> None:
        waiting = self.domain.find_waiting()
        if waiting is None or not waiting.is_of(manifest):
            message = f"{manifest.stage} {manifest.content[:12]} is not waiting at its gate"
            there = store_option(self.domain.place)
            hint = f"list what is waiting with: sopforge status {self.domain}{there}"
            raise StoreError(Fault("stale-decision", message, self.domain.name, hint))

    def _refuse_second(self, manifest: Manifest, by: str, entries: Iterable[Decision]) -> None:
        if any(entry.by == by for entry in select_decisions_on(manifest, entries)):
            message = f"{by} has already decided on {manifest.stage} {manifest.content[:12]}"
            hint = "ask another person to decide on it"
            raise StoreError(Fault("second-decision", message, self.domain.name, hint))


def _refuse_name(by: str, domain: str) -> None:
    """Raise for what cannot be a person's name: a policy's, or one that is not seen as it is."""
    if by in POLICIES:
        message, hint = f"'{by}' is the name of a policy", "decide under your own name"
        raise StoreError(Fault("policy-name", message, domain, hint))
    if not by or by != by.strip() or not by.isprintable():
        message = f"{by!r} is not a name, because it is empty or has invisible characters"
        hint = "use visible letters, and no spaces around the name"
        raise StoreError(Fault("decider-name", message, domain, hint))
    if len(by) > _LONGEST_NAME:
        message = f"the name has {len(by)} characters; at most {_LONGEST_NAME} are allowed"
        raise StoreError(Fault("decider-name", message, domain, "use a shorter name"))


def compute_state_after(decisions: Iterable[Decision], approvers: int) -> GateState:
    """Return where decisions on one version leave it; see ``AuditLog.compute_gate_state``."""
    about = list(decisions)
    for verdict, state in _SETTLING.items():
        if any(entry.verdict is verdict for entry in about):
            return state
    persons = {entry.by for entry in about if entry.kind is DeciderKind.PERSON}
    # Only approvals are left here. One of a policy is enough where one approver is asked for.
    is_approved = len(persons) >= approvers or (bool(about) and approvers <= 1)
    return GateState.APPROVED if is_approved else GateState.WAITING


def select_decisions_on(manifest: Manifest, entries: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that count on a version, its inputs and the findings that were shown."""
    return select_standing_on(build_subject(manifest), entries)
