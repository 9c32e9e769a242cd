"""What a release carries so that a stranger can verify by hashing where it comes from.

A package has on the grader's side what each stage's version was made from, with the digest of each
of its files. Beside the packages stand the entries of the audit log up to the head that the release
pins: they hold times, on which no file of a package depends.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from sopforge.artifacts.packaging.checksums import compute_file_digest
from sopforge.artifacts.packaging.rating.ratings import compute_means
from sopforge.artifacts.packaging.release import AUDIT_LOG
from sopforge.artifacts.packaging.sop_bench import GRADER
from sopforge.checks.package.package_provenance import APPROVED, POLICY_APPROVED
from sopforge.errors import Fault, PackageUnreadableError
from sopforge.store.digests import digest_text
from sopforge.store.entries import (
    DeciderKind,
    Decision,
    DecisionVerdict,
    Subject,
    build_subject,
    name_entry,
    select_standing_on,
)
from sopforge.store.log.kept_edits import Edit, LineReading
from sopforge.store.signatures.signatures import name_signature_file
from sopforge.store.versions import Manifest, Version

STAGE_RECORDS = "stages.json"
EDITS = "edits.json"
DRAW = "draw.json"
UNSIGNED_LOG: Mapping[int, bytes] = {}
_VERDICTS = {DeciderKind.PERSON: APPROVED, DeciderKind.POLICY: POLICY_APPROVED}


@dataclass(frozen=True, slots=True)
class StageRecord:
    """A stage's version: its inputs and their digest (``key``), and the digests of its files.

    ``findings`` is the digest of what was shown to those who approved it.
    """

    key: str
    content: str
    findings: str
    author: str
    inputs: Mapping[str, str]
    files: Mapping[str, str]

    def build_subject(self, stage: str) -> Subject:
        """Return what decisions on the version are about."""
        return Subject(stage, self.key, self.content, self.findings)


@dataclass(frozen=True, slots=True)
class Draw:
    """Of a private test set: its seed, and the release from which it was drawn anew."""

    seed: int
    release: str
    digest: str
    stages: Mapping[str, StageRecord]


@dataclass(frozen=True, slots=True)
class KeptEdit:
    """An edit as a package carries it."""

    by: str
    stage: str
    file: str
    before: str
    after: str
    readings: tuple[LineReading, ...] = ()

    @property
    def edit(self) -> Edit:
        """The edit itself."""
        return Edit(self.stage, self.file, self.before, self.after, self.readings)


_RECORDS = TypeAdapter(dict[str, StageRecord])
_DRAW = TypeAdapter(Draw)
_EDITS = TypeAdapter(tuple[KeptEdit, ...])
Shape = TypeVar("Shape")


def read_records(text: str) -> dict[str, StageRecord]:
    """Return what ``stages.json`` says; raises ``PackageUnreadableError`` where it has faults."""
    return _read(_RECORDS, text, STAGE_RECORDS)


def read_draw(text: str) -> Draw:
    """Return what ``draw.json`` says; raises as ``read_records``."""
    return _read(_DRAW, text, DRAW)


def read_edits(text: str) -> tuple[KeptEdit, ...]:
    """Return what ``edits.json`` says; raises as ``read_records``."""
    return _read(_EDITS, text, EDITS)


def write_evidence(value: object) -> str:
    """Return the text of a file of evidence."""
    return json.dumps(to_jsonable_python(value), indent=1, ensure_ascii=False) + "\n"


def _read(form: TypeAdapter[Shape], text: str, name: str) -> Shape:
    try:
        return form.validate_json(text, strict=True)
    except ValidationError as cause:
        wrong = cause.errors(include_url=False)[0]
        message = f"{'.'.join(map(str, wrong['loc'])) or 'the file'}: {wrong['msg']}"
        fault = Fault("package-malformed", message, f"{GRADER}{name}", "restore the file")
        raise PackageUnreadableError(fault) from cause


def build_stage_record(manifest: Manifest, files: Mapping[str, str]) -> StageRecord:
    """Return the record of a version."""
    return StageRecord(
        key=manifest.key,
        content=manifest.content,
        findings=build_subject(manifest).findings,
        author=manifest.author,
        inputs=manifest.inputs,
        files={name: compute_file_digest(text) for name, text in sorted(files.items())},
    )


def build_stage_records(versions: Iterable[Version]) -> dict[str, StageRecord]:
    """Return the records of versions by their stages."""
    return {item.manifest.stage: build_stage_record(item.manifest, item.files) for item in versions}


def collect_log_evidence(
    texts: Mapping[str, str], signatures: Mapping[int, bytes] = UNSIGNED_LOG
) -> dict[str, bytes]:
    """Return the files of the audit log's entries and their signatures as a release has them."""
    files = {name: text.encode() for name, text in texts.items()}
    for number, data in signatures.items():
        if name_entry(number) in texts:
            files[name_signature_file(number)] = data
    return {f"{AUDIT_LOG}{name}": data for name, data in files.items()}


def compute_log_head(texts: Mapping[str, str]) -> str:
    """Return the digest of the newest entry of a log, empty if there is none."""
    return digest_text(list(texts.values())[-1]) if texts else ""


def collect_approvals(
    entries: Iterable[Decision], subjects: Iterable[Subject]
) -> dict[str, list[dict[str, object]]]:
    """Return who approved each stage by which entry; a policy is never shown as a person."""
    found = list(entries)
    return {
        subject.stage: [
            {"entry": entry.sequence, "by": entry.by, "verdict": _VERDICTS[entry.kind]}
            for entry in _iterate_approvals(found, subject)
        ]
        for subject in subjects
    }


def collect_reviews(
    entries: Iterable[Decision], subjects: Iterable[Subject]
) -> dict[str, dict[str, object]]:
    """Return what persons who approved a stage rated and checked; of stages where any did."""
    found = list(entries)
    reviews = {subject.stage: _build_review(found, subject) for subject in subjects}
    return {stage: review for stage, review in reviews.items() if review}


def _iterate_approvals(entries: Iterable[Decision], subject: Subject) -> Iterator[Decision]:
    return (
        entry
        for entry in select_standing_on(subject, entries)
        if entry.verdict is DecisionVerdict.APPROVE
    )


def _build_review(entries: list[Decision], subject: Subject) -> dict[str, object]:
    """Return the ratings and the points that hold; a carried approval has those it carries.

    ``marks`` has those of each rater, by which it can be seen how far they agree.
    """
    raters, points = list[dict[str, int]](), defaultdict[str, list[str]](list)
    for approval in _iterate_approvals(entries, subject):
        if approval.kind is DeciderKind.PERSON:
            said = _find_original_approval(entries, approval)
            if said.ratings:
                raters.append(dict(sorted(said.ratings.items())))
            for point in said.checked:
                points[point].append(approval.by)
    ratings = compute_means(raters)
    return {
        **({"ratings": ratings, "marks": raters} if raters else {}),
        **({"checklist": dict(sorted(points.items()))} if points else {}),
    }


def _find_original_approval(entries: list[Decision], approval: Decision) -> Decision:
    """Return the approval that one carries, followed to where it was given."""
    # Only ever to an earlier entry: in a stranger's log, entries could carry each other for ever.
    while 0 < approval.carries < approval.sequence <= len(entries):
        approval = entries[approval.carries - 1]
    return approval
