"""Package: what it says of its origin is whole, and the same in each file that says it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from sopforge.artifacts.packaging.dataset_card import describe_maker
from sopforge.checks.package.package_solved import PREFIX, collect_package_files
from sopforge.checks.spoiling import edit_json
from sopforge.findings import Finding, make_error_finding
from sopforge.store.entries import POLICIES
from sopforge.workspace import STAGE_NAMES, Workspace

PROVENANCE, METADATA, CARD = "provenance.json", "metadata.json", "README.md"
KEYS = ("release", "stages", "approvals", "level", "made_with", "canary")
EXPERIMENT = "experiment"
SOMETIMES = frozenset({"edited", "signed", "reviews", "drawn_from", EXPERIMENT})
"""Who edited stages by hand and signed what, what was rated, and of what release it is a draw.

A condition of an experiment says what it was made from; nobody approved what is its own.
"""
APPROVED, POLICY_APPROVED = "approved", "policy-approved"
_SAID_TWICE = {"release": "version", "level": "complexity_level", "canary": "canary"}
"""What stands under another key in metadata.json."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


class PackageProvenance:
    """The release, level, canary and version agree. Each stage has a digest and an approval."""

    name = "package-provenance"
    stage = "package"

    def examine(self, workspace: Workspace) -> list[Finding]:
        files = collect_package_files(workspace)
        provenance, metadata = json.loads(files[PROVENANCE]), json.loads(files[METADATA])
        faults = [
            *_check_keys(provenance),
            *_check_agreement(provenance, metadata, files[CARD]),
            *_check_stages(provenance),
        ]
        faults += _check_edits(provenance)
        hint = "restore the file, or publish the package again"
        return [
            make_error_finding("provenance-wrong", text, where=PROVENANCE, hint=hint)
            for text in faults
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        def rename(provenance: dict[str, Any]) -> None:
            provenance["made_with"] = "another program"

        return edit_json(workspace, f"{PREFIX}{PROVENANCE}", rename)


def _check_keys(provenance: dict[str, Any]) -> Iterator[str]:
    if sorted(set(provenance) - SOMETIMES) != sorted(KEYS):
        yield f"the keys of the file are {', '.join(provenance)}, not {', '.join(KEYS)}"


def _check_agreement(
    provenance: dict[str, Any], metadata: dict[str, Any], card: str
) -> Iterator[str]:
    """Return where other files differ."""
    for key, other in _SAID_TWICE.items():
        if provenance.get(key) != metadata.get(other):
            found = metadata.get(other)
            yield f"{key} is {provenance.get(key)!r}, but {METADATA} has {found!r} as {other}"
    if describe_maker(provenance) not in card:
        yield f"made_with is {provenance.get('made_with')!r}, but {CARD} names another program"


def _check_stages(provenance: dict[str, Any]) -> Iterator[str]:
    """Return what is wrong with the stages' digests and approvals."""
    for part in ("stages", "approvals"):
        names = list(provenance.get(part, {}))
        if names != list(STAGE_NAMES):
            yield f"'{part}' lists {', '.join(names)}, not {', '.join(STAGE_NAMES)}"
    for stage, digest in provenance.get("stages", {}).items():
        if not _DIGEST.fullmatch(digest):
            yield f"the digest of {stage} is {digest!r}, which does not have 64 hexadecimal digits"
    for stage, approvals in provenance.get("approvals", {}).items():
        is_approved = bool(approvals) or EXPERIMENT in provenance
        if not is_approved or not all(_is_approval(**item) for item in approvals):
            yield f"the approvals of {stage} are {approvals}, not entries with a name and a verdict"


def _check_edits(provenance: dict[str, Any]) -> Iterator[str]:
    for stage, names in provenance.get("edited", {}).items():
        if stage not in STAGE_NAMES or not names:
            yield f"'edited' names {names} as editors of the {stage}"


def _is_approval(*, entry: int, by: str, verdict: str) -> bool:
    """Return whether it is one of an entry; a policy's has a name and a verdict of its own."""
    return entry > 0 and verdict == (POLICY_APPROVED if by in POLICIES else APPROVED)


CHECK = PackageProvenance()
