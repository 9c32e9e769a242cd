"""What must hold of a store after a round: what was acknowledged is there, and there once."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.judges.invariants import KeptObjects, broken_promises
from tests.running.quick_commands import Ended, run_command
from tests.soak.processes import KILLED, Run
from tests.worlds.sealing import seal_anew

EXPECTED = {
    "domain-locked",
    "edit-empty",
    "errors-open",
    "lock-lost",
    "not-approved",
    "nothing-waits",
    "second-decision",
    "stale-decision",
    "store-unusable",
    "unknown-domain",
    "written-meanwhile",
}
LATER_PERSONS = ("xan", "yan", "zoe")
_DECIDED = re.compile(r"^(\w+) (approved|rejected) (\w+) (\w+) ([0-9a-f]{12})\.$", re.MULTILINE)
_EDITED = re.compile(r"^(\w+) edited \S+ of (\w+) (\w+)\.$", re.MULTILINE)
_VERDICTS = {
    "approved": "approve",
    "rejected": "reject",
}
_MADE = re.compile(r"^  \d/\d (\w+) +version (\d+)  ([0-9a-f]{12}) ", re.MULTILINE)
_PUBLISHED = re.compile(r"^(?:Published|Already published as) (\w+) (\d+\.\d+\.\d+) ", re.MULTILINE)


def faults(kept: Mapping[str, bytes], runs: Iterable[Run], domains: Iterable[str]) -> list[str]:
    """Return all that is wrong after some runs."""
    store, done = Store(KeptObjects(kept)), list(runs)
    found = [text for run in done for text in _odd_ends(run)]
    for domain in domains:
        found += broken_promises(store, domain)
        found += [str(fault) for fault in store.objects.find_faults(domain)]
        found += _lost_decisions(store, domain, done)
        found += _lost_things(store, domain, done)
    return found


def _odd_ends(run: Run) -> Iterator[str]:
    code, said = run.ended.code, run.ended.said
    if code not in {0, 1, 2, 3, KILLED} or "Traceback" in said:
        yield f"{run.command} ended with {code}: {said}"
    if code == 2 and run.ended.refusal not in EXPECTED:
        yield f"{run.command} was refused: {said}"


def _lost_decisions(store: Store, domain: str, runs: Iterable[Run]) -> Iterator[str]:
    entries = AuditLog(store.get_domain(domain)).list_entries()
    logged = Counter(
        (item.by, str(item.verdict), item.stage, item.content[:12]) for item in entries
    )
    edits = Counter((item.by, item.stage) for item in entries if item.verdict == "edit")
    said = "\n".join(run.ended.said for run in runs)
    reported = Counter(
        (by, _VERDICTS[verb], stage, content)
        for by, verb, of, stage, content in _DECIDED.findall(said)
        if of == domain
    )
    reported_edits = Counter((by, stage) for by, of, stage in _EDITED.findall(said) if of == domain)
    for missing in (reported - logged) + (reported_edits - edits):
        yield f"{domain}: {missing} was acknowledged, and is not in the log"


def _lost_things(store: Store, domain: str, runs: Iterable[Run]) -> Iterator[str]:
    releases = store.get_domain(domain).list_releases()
    made = {
        (stage.name, str(version.number), version.manifest.content[:12])
        for stage in STAGES
        for version in store.get_domain(domain).list_versions(stage.name)
    }
    for run in runs:
        for of, release in _PUBLISHED.findall(run.ended.said):
            if of == domain and release not in releases:
                yield f"{domain}: release {release} was acknowledged, and is not there"
        if run.ended.said.startswith(f"{domain}: "):
            for version in _MADE.findall(run.ended.said):
                if version not in made:
                    yield f"{domain}: version {version} was acknowledged, and is not there"


def differences(kept: Mapping[str, bytes], domain: str) -> list[str]:
    """Return how a domain that goes on from here ends differently from one never disturbed.

    That one has the same briefs, edits and decisions, and nothing else. Where the first lets an
    approval hold again of an artifact that the other never had, its packages say so.
    """
    own = {name: data for name, data in kept.items() if name.startswith(f"{domain}/")}
    here = {name: data for name, data in own.items() if "/releases/" not in name}
    shared = tuple(f"{domain}/{part}/" for part in ("briefs", "decisions", "words", "edits"))
    anew = {name: data for name, data in own.items() if name.startswith(shared)}
    with tempfile.TemporaryDirectory() as home:
        one, other = Path(home) / "one", Path(home) / "other"
        ends = [_taken_to_its_end(one, here, domain), _taken_to_its_end(other, anew, domain)]
        ours, theirs = open_store(one), open_store(other)
        found = [] if ends[0].code == ends[1].code else [f"{domain} ends so: {ends}"]
        if _approvals(ours, domain) == _approvals(theirs, domain) and not ends[0].code:
            found += _differing(_released(ours, domain), _released(theirs, domain))
        return found + _differing(_contents(ours, domain, theirs), _contents(theirs, domain, ours))


def _taken_to_its_end(place: Path, kept: Mapping[str, bytes], domain: str) -> Ended:
    """Have a domain approved and published, by as many persons as it takes."""
    for name, data in kept.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    # What was left out of the copy is missed by its seal.
    seal_anew(place, domain)
    there = ("--store", str(place))
    ended = Ended(3, "")
    while ended.code == 3:
        # The stages folder is what makes a domain known: a copy of the briefs alone has none.
        (place / domain / "stages" / "schema").mkdir(parents=True, exist_ok=True)
        ended = run_command("regenerate", domain, "--approve-clean", *there)
        noted = open_store(place).get_domain(domain).find_waiting()
        waiting = noted.stage if noted else ""
        for person in LATER_PERSONS if ended.code == 3 else ():
            run_command("approve", domain, waiting, "--by", person, *there)
    return run_command("publish", domain, *there) if ended.code == 0 else ended


def _approvals(store: Store, domain: str) -> list[tuple[str, str, str]]:
    entries = AuditLog(store.get_domain(domain)).list_entries()
    return [(item.stage, item.verdict, item.by) for item in entries]


def _released(store: Store, domain: str) -> dict[str, bytes]:
    """Return the files of a release but for its log, whose entries say when they were written."""
    files = store.get_domain(domain).read_release_files("1.0.0")
    return {name: data for name, data in files.items() if not name.startswith("audit_log/")}


def _contents(store: Store, domain: str, other: Store) -> dict[str, str]:
    """Return the content of each version, by its inputs, of which another store has one too."""
    return {
        version.manifest.key: version.manifest.content
        for stage in STAGES
        for version in store.get_domain(domain).list_versions(stage.name)
        if other.get_domain(domain).find(stage.name, version.manifest.key)
    }


def _differing(ours: Mapping[str, object], theirs: Mapping[str, object]) -> list[str]:
    names = sorted({*ours, *theirs})
    return [f"{name} differs" for name in names if ours.get(name) != theirs.get(name)]
