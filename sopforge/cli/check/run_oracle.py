"""``sopforge run-oracle``: prove that rules and tools solve a package, and guesses do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sopforge.cli.options import AskedPackage
from sopforge.cli.output import Parts, Result, build_finding_records, list_findings, make_table

if TYPE_CHECKING:
    from sopforge.checks.package.package_solved import AgentRun
    from sopforge.findings import Finding


def run_oracle(asked: AskedPackage) -> Result:
    """Run the reference agent and three trivial agents on every task of a package."""
    from sopforge.checks.package.package_solved import (
        judge,
        read_graded_folder,
        run_agents,
        try_some,
    )
    from sopforge.sandbox.levels import read_chosen_level

    with asked.locate() as found:
        folder = found.require_package()
        graded, changed = read_graded_folder(folder), _find_changed_files(folder)
    runs = run_agents(graded)
    judged = [finding for run in runs for finding in judge(run)]
    findings = [*judged, *try_some(graded), *changed]
    has_intermediates = bool(graded.model.intermediates)
    record = {
        "package": folder.name,
        "tasks": len(graded.tasks),
        "sandbox": read_chosen_level(),
        "agents": [_build_record(run, has_intermediates=has_intermediates) for run in runs],
        "findings": build_finding_records(findings),
    }
    return Result(record, _lay_out(record, findings), has_findings=bool(findings))


def _find_changed_files(folder: Path) -> list[Finding]:
    """Return the files of a package that are not as they were released."""
    from sopforge.artifacts.packaging.checksums import (
        CHECKSUMS,
        find_changed_files,
        read_folder_files,
    )
    from sopforge.findings import make_error_finding

    if not (folder / CHECKSUMS).is_file():
        return []
    return [
        make_error_finding("file-changed", f"{name} is not the file that was released", where=name)
        for name in find_changed_files(read_folder_files(folder))
    ]


def _build_record(run: AgentRun, *, has_intermediates: bool) -> dict[str, object]:
    return {
        "agent": run.agent,
        "success": run.success,
        "gold_calls": run.gold_trajectories,
        "intermediates": run.intermediates if has_intermediates else None,
    }


def _lay_out(record: Mapping[str, Any], findings: Sequence[Finding]) -> Parts:
    columns = ["agent", "success", "gold_calls", "intermediates"]
    if record["agents"][0]["intermediates"] is None:
        columns.remove("intermediates")
    rows = [
        (run["agent"], *(f"{run[column]:.3f}" for column in columns[1:]))
        for run in record["agents"]
    ]
    heads = [column.replace("_", " ") for column in columns]
    yield make_table(f"{record['package']}: {record['tasks']} tasks", heads, rows)
    yield f"The tools ran in the sandbox, at level '{record['sandbox']}'."
    yield from list_findings(findings)
    if not findings:
        yield "The reference agent solves every task through the published tools."
        yield "Wrong, silent and one-letter answers solve none. All files are as released."
