"""``sopforge run-oracle``: prove that rules and tools solve a package, and guesses do not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    PackageName,
    Sandbox,
    StorePlace,
    use_sandbox,
)
from sopforge.cli.output import (
    EXIT_FINDINGS,
    build_finding_records,
    make_console,
    make_table,
    print_findings,
    print_json,
    say,
    warn_yanked,
)

if TYPE_CHECKING:
    from sopforge.checks.package.package_solved import AgentRun, GradedPackage
    from sopforge.findings import Finding


def run_oracle(
    package: PackageName,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Run the reference agent and three trivial agents on every task of a package."""
    from sopforge.checks.package.package_solved import (
        judge,
        read_graded_folder,
        run_agents,
        try_some,
    )
    from sopforge.releases.locating import locate_release
    from sopforge.sandbox.levels import read_chosen_level

    use_sandbox(sandbox)
    with locate_release(package, place) as found:
        warn_yanked(found.yanked)
        folder = found.require_package()
        graded, changed = read_graded_folder(folder), _find_changed_files(folder)
    runs = run_agents(graded)
    judged = [finding for run in runs for finding in judge(run)]
    findings = [*judged, *try_some(graded), *changed]
    if as_json:
        record = {
            "package": folder.name,
            "tasks": len(graded.tasks),
            "sandbox": read_chosen_level(),
        }
        agents = [
            _build_record(run, has_intermediates=bool(graded.model.intermediates)) for run in runs
        ]
        print_json({**record, "agents": agents, "findings": build_finding_records(findings)})
    else:
        _show(folder.name, graded, runs, findings)
    if findings:
        raise typer.Exit(EXIT_FINDINGS)


def _find_changed_files(folder: Path) -> list[Finding]:
    """Return the files of a package that are not as they were released."""
    from sopforge.findings import make_error_finding
    from sopforge.packaging.checksums import CHECKSUMS, find_changed_files, read_folder_files

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


def _show(
    name: str, graded: GradedPackage, runs: Iterable[AgentRun], findings: list[Finding]
) -> None:
    from sopforge.sandbox.levels import read_chosen_level

    screen, more = make_console(), ["intermediates"] if graded.model.intermediates else []
    title = f"{name}: {len(graded.tasks)} tasks"
    shown = make_table(title, "agent", "success", "gold calls", *more)
    for run in runs:
        shares = [run.success, run.gold_trajectories, *([run.intermediates] if more else [])]
        shown.add_row(run.agent, *(f"{share:.3f}" for share in shares))
    screen.print(shown)
    say(screen, f"The tools ran in the sandbox, at level '{read_chosen_level()}'.")
    print_findings(screen, findings)
    if findings:
        return
    say(screen, "The reference agent solves every task through the published tools.")
    say(screen, "Wrong, silent and one-letter answers solve none. All files are as released.")
