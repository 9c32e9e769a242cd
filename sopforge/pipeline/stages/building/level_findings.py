"""What the checks find in the levels of a domain: each finding once, and only where it is new.

A warning or a note that the plain domain has as well is shown at its own stage, where it can be
fixed. An error blocks every gate that it reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sopforge.checks.finding_memo import FindingMemo
from sopforge.checks.registry import (
    examine,
    examine_quickly,
    get_check_name,
    load_checks,
    select_checks,
)
from sopforge.findings import Finding, Severity, make_note_finding
from sopforge.parallel import map_in_processes
from sopforge.progress.tracking import enter_step, track
from sopforge.workspace import Workspace


def check_levels(
    plain: Workspace, levels: Mapping[str, Workspace], stages: Sequence[str], memo: FindingMemo
) -> list[Finding]:
    """Return what the checks of stages find in the levels, beside what they find in ``plain``.

    What ``plain`` has as well is counted in one note. The ``memo`` is of the same brief.
    """
    found: list[tuple[str, Finding]] = []
    repeated: dict[Finding, str] = {}

    def examine_level(level: str) -> list[tuple[str, list[Finding]]]:
        variant = levels[level]
        checks = [check for stage in stages for check in select_checks(stage, variant, plain)]
        named = track(checks, "checks", name=get_check_name)
        with enter_step(level):
            return [(check.name, memo.examine(check, variant)) for check in named]

    examined = map_in_processes(examine_level, list(levels), "levels checked")
    by_name = {check.name: check for check in load_checks()}
    for level, findings in zip(levels, examined, strict=True):
        for name, items in findings:
            check = by_name[name]
            for item in items:
                # What is only a warning or a note is shown at its own stage, if that has it too.
                if item.severity is not Severity.ERROR and item in memo.examine(check, plain):
                    repeated[item] = check.stage
                else:
                    found.append((level, item))
    return [*merge_findings(found), *_note_standing_findings(repeated, plain.brief.parts.domain)]


def check_packages(
    levels: Mapping[str, Workspace], packages: Mapping[str, Workspace], stages: Sequence[str]
) -> list[Finding]:
    """Return what the checks of packages find, without what those of earlier stages say as well."""
    found: list[tuple[str, Finding]] = []
    examined = map_in_processes(
        partial(examine, "package"), list(packages.values()), "packages checked"
    )
    for level, items in zip(packages, examined, strict=True):
        known: set[Finding] = set()
        if any(item.severity is not Severity.ERROR for item in items):
            known = {item for stage in stages for item in examine_quickly(stage, levels[level])}
        found += [
            (level, item) for item in items if item.severity is Severity.ERROR or item not in known
        ]
    return merge_findings(found)


def merge_findings(found: Iterable[tuple[str, Finding]]) -> list[Finding]:
    """Return findings of levels, each once with all levels that have it.

    >>> one = make_note_finding("own-words", "it has a paragraph", where="sop/sop.txt")
    >>> [item.where for item in merge_findings([("L1", one), ("L2", one)])]
    ['L1, L2, sop/sop.txt']
    """
    levels: dict[Finding, dict[str, None]] = {}
    for level, item in found:
        levels.setdefault(item, {})[level] = None
    return [
        replace(item, where=", ".join([*names, *([item.where] if item.where else [])]))
        for item, names in levels.items()
    ]


def _note_standing_findings(repeated: Mapping[Finding, str], domain: str) -> list[Finding]:
    """Return the note that says how many findings of which stages hold for the levels too."""
    if not repeated:
        return []
    counts = Counter(repeated.values())
    counted = ", ".join(f"{count} of {stage}" for stage, count in counts.items())
    few = len(repeated) == 1
    message = f"{len(repeated)} finding{'s' * (not few)} of earlier stages hold{'s' * few} here too"
    first = next(iter(counts))
    hint = (
        f"see them at the stage where you can fix them, for example: sopforge show {domain} {first}"
    )
    return [
        make_note_finding(
            "findings-stand", f"{message}: {counted}", where=", ".join(counts), hint=hint
        )
    ]
