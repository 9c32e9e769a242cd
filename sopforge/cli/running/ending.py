"""How a run of the stages ended: its exit code, what can follow, and all of it for programs."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sopforge.cli.output import (
    EXIT_BAD_INPUT,
    EXIT_DONE,
    EXIT_FINDINGS,
    EXIT_WAITING,
    build_finding_records,
)
from sopforge.cli.running.next_steps import list_next_steps
from sopforge.store.last_run import FAILED

if TYPE_CHECKING:
    from sopforge.pipeline.releases.publishing import Published
    from sopforge.pipeline.runs.run import RunResult
    from sopforge.pipeline.stages.pipeline import Progress, StageReport
    from sopforge.store.last_run import RunSettings

_FROM_BEST = (EXIT_DONE, EXIT_WAITING, EXIT_FINDINGS, EXIT_BAD_INPUT)


def exit_code(ended: Progress) -> int:
    """Return the exit code that says how a run ended."""
    from sopforge.findings import has_errors
    from sopforge.pipeline.stages.pipeline import Ending

    if ended.ending is Ending.APPROVED:
        return EXIT_DONE
    is_unsound = ended.ending is Ending.REJECTED or has_errors(ended.version.manifest.findings)
    return EXIT_FINDINGS if is_unsound else EXIT_WAITING


def format_run_options(settings: RunSettings) -> str:
    """Return the options by which a run is asked for the same again."""
    options = {
        "--approve-clean": settings.approve_clean,
        "--run-ahead": settings.run_ahead,
        f"--budget {settings.budget}": settings.budget is not None,
        f"--prices {shlex.quote(settings.prices)}": bool(settings.prices),
    }
    return "".join(f" {option}" for option, is_asked in options.items() if is_asked)


def list_next_commands(ran: RunResult, again: str, place: str) -> dict[str, str]:
    """Return the commands that can follow, by what they are for; ``again`` is the run's own."""
    from sopforge.store.overview import Next, Overview

    manifest, code = ran.progress.version.manifest, exit_code(ran.progress)
    if ran.published is not None:
        end = Overview(manifest.domain, Next.NOTHING, release=ran.published.version)
    elif code == EXIT_DONE or ran.progress.is_overtaken:
        following = Next.PUBLISH if code == EXIT_DONE else Next.CONTINUE
        end = Overview(manifest.domain, following)
    else:
        end = Overview(
            manifest.domain,
            Next.FIX if code == EXIT_FINDINGS else Next.DECIDE,
            manifest.stage,
            content=manifest.content,
            findings={},
            heeds_words=manifest.heeds_words,
        )
    return list_next_steps(end, place, again)


def build_ending_record(
    ran: RunResult,
    reported: Iterable[StageReport],
    commands: Mapping[str, str],
    spent: str,
) -> dict[str, object]:
    """Return a run as a value: how it ended, each stage that it came to, and what to run next."""
    ended = ran.progress
    manifest, code = ended.version.manifest, exit_code(ended)
    is_over = code == EXIT_DONE
    return _build_record(
        manifest.domain,
        ran.ending,
        code,
        stopped_at=None if is_over else manifest.stage,
        is_overtaken=ended.is_overtaken,
        stages=[_build_stage_record(item) for item in reported],
        findings=[] if is_over else build_finding_records(manifest.findings),
        release=_build_release_record(ran.published) if ran.published else None,
        spent=spent,
        next=dict(commands),
    )


def build_failed_record(
    domain: str, faults: Iterable[Mapping[str, object]], again: str
) -> dict[str, object]:
    """Return a run as a value that met a fault, beside others that may have met none."""
    known = {"faults": list(faults), "next": {"go_on": again}}
    return _build_record(domain, FAILED, EXIT_BAD_INPUT, **known)


def _build_record(domain: str, ending: str, code: int, **known: object) -> dict[str, object]:
    """Return a run as a value, with nothing where nothing is known."""
    lists: dict[str, object] = {"stages": [], "findings": [], "faults": []}
    others = {"stopped_at": None, "is_overtaken": False, "release": None, "spent": ""}
    begun = {"domain": domain, "ending": ending, "exit_code": code}
    return {**begun, **others, **lists, **known}


def choose_worst_code(codes: Iterable[int]) -> int:
    """Return the exit code of several runs: that of the one that ended worst."""
    return max(codes, key=_FROM_BEST.index, default=EXIT_DONE)


def _build_stage_record(report: StageReport) -> dict[str, object]:
    version, manifest = report.version, report.version.manifest
    return {
        "stage": manifest.stage,
        "version": version.number,
        "content": manifest.content,
        "gate": report.at_gate.state,
        "description": report.at_gate.description,
        "is_built": report.is_built,
        "rebuilt_because": list(version.rebuild_reasons) if report.is_built else [],
        "findings": len(manifest.findings),
    }


def _build_release_record(done: Published) -> dict[str, object]:
    return {
        "version": done.version,
        "is_new": done.is_new,
        "place": done.place,
        "digest": done.digest,
    }
