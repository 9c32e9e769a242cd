"""Where domains stand, each by a few small reads: no list of them is kept.

What one stage is judged by, and by whom, is stated in ``stages.gates``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import chain, takewhile

from sopforge.errors import Fault, SopForgeError, StoreError
from sopforge.findings import Finding, Severity
from sopforge.language.domain.documents.titles import find_title
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.store.course import Course, load_course
from sopforge.store.entries import DeciderKind, Decision, DecisionVerdict
from sopforge.store.last_run import LastRun, load_last_run
from sopforge.store.log.audit_log import (
    AuditLog,
    GateState,
    compute_state_after,
    select_decisions_on,
)
from sopforge.store.log.yanks import is_yanked
from sopforge.store.objects import Objects
from sopforge.store.places import S3
from sopforge.store.versions import DomainStore, Store, Version, is_name

# A bucket answers each read late; more than its client keeps connections for gain nothing.
_READERS = 10
_OF_DOMAINS = frozenset({"briefs", "stages"})
# Part of a brief, and no word of a comment; a brief in braces may have it anywhere.
_GATES = re.compile(rb"^(?:[\"']?gates[\"']?\s*:|\{)", re.MULTILINE)


class Next(StrEnum):
    """What there is to do for a domain, in the words of the command that does it."""

    DECIDE = "decide"
    FIX = "fix the brief"
    EDIT = "edit it again"
    CONTINUE = "continue"
    PUBLISH = "publish"
    REPLACE = "replace the yanked release"
    NOTHING = "nothing"


class Phase(StrEnum):
    """Where a domain is in its pipeline, in the order in which people look for it."""

    WAITING = "waits for a decision"
    DUE = "decided, goes on"
    BEGUN = "begun"
    REJECTED = "rejected"
    PASSED = "all gates passed"
    BROKEN = "cannot be read"


@dataclass(frozen=True, slots=True)
class Overview:
    """Where a domain stands: at which version, the one that waits or that a run came to last.

    ``findings`` are those of a version that waits, by their severity, and ``provisional`` the
    stages built after it; ``approved_by`` are those who approved it so far, and ``missing`` is how
    many more persons must. ``since`` is UTC: when it was made, or else decided on; "" where nobody
    noted it. ``last`` is the last decision on it, ``release`` the newest one, which may be yanked.
    ``is_unfinished`` says that a run began that is at work, or was cut off. ``faults`` say why a
    domain cannot be read. ``title`` is the one of its brief, "" where that states none;
    ``heeds_words`` says that requests in words can change the version that waits or was rejected.
    """

    domain: str
    next: Next
    stage: str = ""
    version: int = 0
    content: str = ""
    findings: Mapping[Severity, int] | None = None
    provisional: tuple[str, ...] = ()
    approved_by: tuple[str, ...] = ()
    missing: int = 0
    since: str = ""
    last: Decision | None = None
    release: str = ""
    is_yanked: bool = False
    is_unfinished: bool = False
    faults: tuple[Fault, ...] = ()
    title: str = ""
    heeds_words: bool = False

    @property
    def called(self) -> str:
        """What people call the domain: its title, or else its name."""
        return self.title or self.domain

    @property
    def is_waiting(self) -> bool:
        """Whether the version waits at its gate."""
        return self.findings is not None

    @property
    def phase(self) -> Phase:
        """Where the domain is in its pipeline."""
        if self.faults or self.is_waiting:
            return Phase.BROKEN if self.faults else Phase.WAITING
        if self.next is Next.CONTINUE:
            return Phase.DUE if self.last else Phase.BEGUN
        return Phase.REJECTED if self.next is Next.FIX else Phase.PASSED

    @property
    def passed(self) -> int:
        """How many gates the domain has passed, of those that it has come to."""
        if self.phase is Phase.PASSED:
            return len(STAGE_NAMES)
        reached = STAGE_NAMES.index(self.stage) if self.stage in STAGE_NAMES else 0
        is_approved = self.last is not None and self.last.verdict is DecisionVerdict.APPROVE
        return reached + (self.phase is Phase.DUE and is_approved)


def list_overviews(store: Store) -> list[Overview]:
    """Return where all domains stand, by their names."""
    return list(iterate_overviews(store))


def iterate_overviews(store: Store) -> Iterator[Overview]:
    """Return where all domains stand, by their names, each as soon as it was read."""
    names = [name for name in store.objects.list_children("") if is_name(name)]
    # Files of a folder are there at once: several readers would only wait for each other.
    is_far = store.place.startswith(S3)
    with ThreadPoolExecutor(_READERS if is_far else 1) as readers:
        found = readers.map(lambda name: (name, _is_domain(store, name)), names)
        domains = [name for name, is_domain in found if is_domain]
        yield from readers.map(lambda domain: build_overview(store.get_domain(domain)), domains)


def _is_domain(store: Store, name: str) -> bool:
    """Return whether a name is a domain's; in a folder, what must not be read counts as one.

    It is listed as that beside the others. A bucket that does not answer is asked no further.
    """
    try:
        return not _OF_DOMAINS.isdisjoint(store.objects.list_children(name))
    except StoreError:
        if store.place.startswith(S3):
            raise
        return True


def build_overview(domain: DomainStore) -> Overview:
    """Return where a domain stands; one that cannot be read says so, for others are listed too."""
    try:
        # What the next run goes on from is read in any case: a change to it is reported.
        brief, run = _read_newest_brief(domain.objects, domain.name), load_last_run(domain)
        look = _Look(domain, brief, load_course(domain))
        noted = domain.find_waiting()
        waiting = domain.find(noted.stage, noted.key) if noted else None
        found = (
            look.build_waiting_overview(waiting, tuple(noted.ahead)) if noted and waiting else None
        )
        found = replace(
            found or look.build_overview_after(run),
            is_unfinished=run.is_unfinished,
            title=find_title(brief.decode(errors="replace")),
        )
        return _with_release(domain.store, found)
    except SopForgeError as refused:
        return Overview(domain.name, Next.NOTHING, faults=refused.faults)


def count_severities(findings: Iterable[Finding]) -> Mapping[Severity, int]:
    """Return how many findings there are of each severity, the worst first."""
    counts = Counter(item.severity for item in findings)
    return {kind: counts[kind] for kind in Severity}


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at a domain; ``brief`` is the text of the newest that is kept."""

    domain: DomainStore
    brief: bytes
    course: Course

    def build_waiting_overview(
        self, waiting: Version, provisional: tuple[str, ...]
    ) -> Overview | None:
        """Return where a domain stands of which a version waits.

        None where it is settled already, by somebody whose process died before it said so.
        """
        manifest, counts = waiting.manifest, count_severities(waiting.manifest.findings)
        approvers = _read_approvers(self.brief).get(manifest.stage, 1)
        decisions = self._list_decisions_on(waiting, approvers)
        if compute_state_after(decisions, approvers) is not GateState.WAITING:
            return None
        persons = {item.by for item in decisions if item.kind is DeciderKind.PERSON}
        return Overview(
            self.domain.name,
            _choose_next_at(waiting) if counts[Severity.ERROR] else Next.DECIDE,
            manifest.stage,
            waiting.number,
            manifest.content,
            counts,
            provisional,
            tuple(dict.fromkeys(item.by for item in decisions)),
            max(0, approvers - len(persons)),
            _read_end_time(waiting),
            next(reversed(decisions), None),
            heeds_words=manifest.heeds_words,
        )

    def build_overview_after(self, run: LastRun) -> Overview:
        """Return where a domain stands of which nothing waits; a run that was cut off goes on."""
        found = self.build_idle_overview()
        return replace(found, next=Next.CONTINUE) if run.is_unfinished else found

    def build_idle_overview(self) -> Overview:
        """Return where a domain stands of which nothing waits."""
        decisions = self._iterate_gate_decisions()
        newest = next(decisions, None)
        if newest is not None and newest.verdict is DecisionVerdict.WITHDRAW:
            return self._build_overview_back_at(newest)
        stage, reached = self.course.last, self.course.versions.get(self.course.last)
        key = reached.key if reached else ""
        newer = () if newest is None else (newest,)
        # The last one on the version; in older stores, which note no course, the last of all.
        last = next((item for item in chain(newer, decisions) if key in {item.key, ""}), None)
        if reached is not None:
            where = stage, reached.version, reached.content
        else:
            where = (last.stage, 0, last.content) if last else ("", 0, "")
        since, following = last.at if last else "", self._choose_next_after(last)
        heeds_words = last is not None and following is Next.FIX and self._is_changed_by_words(last)
        return Overview(
            self.domain.name, following, *where, since=since, last=last, heeds_words=heeds_words
        )

    def _is_changed_by_words(self, decision: Decision) -> bool:
        version = self.domain.find(decision.stage, decision.key)
        return version is not None and version.manifest.heeds_words

    def _build_overview_back_at(self, newest: Decision) -> Overview:
        """Return where a domain stands that comes back to a stage: a decision there was withdrawn.

        The run that acts on it has a version wait, so that there has been none yet.
        """
        reached = self.course.versions.get(newest.stage)
        is_known = reached is not None and reached.key == newest.key
        number = reached.version if reached is not None and is_known else 0
        where = newest.stage, number, newest.content
        return Overview(self.domain.name, Next.CONTINUE, *where, since=newest.at, last=newest)

    def _choose_next_after(self, last: Decision | None) -> Next:
        if last is not None and last.verdict is DecisionVerdict.REJECT:
            return Next.FIX
        is_last = last is not None and last.stage == STAGE_NAMES[-1]
        if last is None or last.verdict is not DecisionVerdict.APPROVE or not is_last:
            return Next.CONTINUE
        return Next.NOTHING if self._is_released() else Next.PUBLISH

    def _list_decisions_on(self, waiting: Version, approvers: int) -> list[Decision]:
        """Return the decisions on what waits, oldest first.

        One approver is enough as a rule: then what was decided before the version waited last
        counts for nothing, and only the newest entries are read.
        """
        key, newest = waiting.manifest.key, self._iterate_gate_decisions()
        read = newest if approvers > 1 else takewhile(lambda entry: entry.key == key, newest)
        return select_decisions_on(waiting.manifest, reversed(list(read)))

    def _iterate_gate_decisions(self) -> Iterator[Decision]:
        entries = AuditLog(self.domain).iterate_newest_first()
        return (item for item in entries if item.is_at_gate)

    def _is_released(self) -> bool:
        """Return whether a release was made from the versions that count."""
        contents = {stage: item.content for stage, item in self.course.versions.items()}
        names = reversed(self.domain.list_releases())
        return any(self.domain.read_release(n).get("stages") == contents for n in names)


def _with_release(store: Store, found: Overview) -> Overview:
    """Return where a domain stands, with its newest release, if it has one."""
    releases = store.get_domain(found.domain).list_releases()
    if not releases:
        return found
    newest = releases[-1]
    is_void = is_yanked(store.get_domain(found.domain), newest)
    following = Next.REPLACE if is_void and found.next is Next.NOTHING else found.next
    return replace(found, next=following, release=newest, is_yanked=is_void)


def _read_end_time(version: Version) -> str:
    """Return when a version was made, "" where its run did not note it."""
    return str(version.run_record.get("ended", ""))


def _read_approvers(brief: bytes) -> Mapping[str, int]:
    """Return how many approvers a brief asks for, by stage; most briefs do not say so."""
    return _parse_approvers(brief.decode(errors="replace")) if _GATES.search(brief) else {}


def _read_newest_brief(objects: Objects, domain: str) -> bytes:
    """Return the text of the newest brief that is kept, nothing where there is none."""
    kept = [name for name in objects.list_children(f"{domain}/briefs") if name.isdecimal()]
    places = (f"{domain}/briefs/{name}/brief.yaml" for name in sorted(kept, key=int, reverse=True))
    return next((text for place in places if (text := objects.read(place))), b"")


# Review pages look at all domains again and again, and briefs change seldom.
@lru_cache(maxsize=256)
def _parse_approvers(text: str) -> Mapping[str, int]:
    from sopforge.language.domain.reading import read_brief  # noqa: PLC0415 - slow to import

    approvers = read_brief(text, "brief.yaml").parts.gates.approvers
    return {str(name): count for name, count in approvers.items()}


def _choose_next_at(faulty: Version) -> Next:
    """Return what leads on from a version with errors: a person corrects what that person wrote."""
    return Next.EDIT if faulty.manifest.is_edited else Next.FIX
