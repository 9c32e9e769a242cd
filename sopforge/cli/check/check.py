"""``sopforge check``: audit a package in SOP-Bench's layout, whoever made it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    ReleaseName,
    Sandbox,
    StorePlace,
    use_sandbox,
)
from sopforge.cli.output import (
    EXIT_FINDINGS,
    build_finding_records,
    make_console,
    print_findings,
    print_json,
    say,
    warn_yanked,
)
from sopforge.progress.tracking import track

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.checks.auditing.audit import Audit
    from sopforge.findings import Finding

# Checks read a private copy of a package, whose path means nothing to whoever asked.
_COPY = re.compile(r".*/sopforge-(?:audit|package)-[^/]+/package(?:/|$)")


def check(
    package: ReleaseName,
    as_json: AsJson = False,
    rebuild: Annotated[
        bool,
        typer.Option(
            help="Rebuild and prove a SOPForge package from its brief, and compare the two."
        ),
    ] = True,
    sandbox: Sandbox = None,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Audit the answers, rows, descriptions and SOP of a package, and run its tools."""
    from sopforge.checks.auditing.audit import audit_whole
    from sopforge.findings import has_errors
    from sopforge.releases.locating import locate_release

    use_sandbox(sandbox)
    with locate_release(package, place) as found:
        warn_yanked(found.yanked)
        named = track(found.packages.items(), "packages", name=_get_folder_name)
        audits = {
            folder.name: _relocate_audit(
                location, folder, _add_rebuild_findings(folder, audit_whole(folder), rebuild)
            )
            for location, folder in named
        }
    if as_json:
        print_json([_build_record(*item) for item in audits.items()])
    else:
        screen = make_console()
        for name, made in audits.items():
            _show(screen, name, made, rebuild=rebuild)
    if any(has_errors(made.findings) for made in audits.values()):
        raise typer.Exit(EXIT_FINDINGS)


def _get_folder_name(located: tuple[str, Path]) -> str:
    return located[1].name


def _add_rebuild_findings(folder: Path, made: Audit, rebuild: bool) -> Audit:
    """Return an audit of a package of ours with what differs from what its brief makes.

    What does not follow from the tasks is not said again of the brief.
    """
    from sopforge.releases.rebuilding.derivation import check_derivation
    from sopforge.releases.rebuilding.rebuild import check_rebuilding

    if not made.is_own:
        return made
    found = check_derivation(folder)
    known = {item.where for item in found}
    if rebuild:
        found += [item for item in check_rebuilding(folder) if item.where not in known]
    return replace(made, findings=(*made.findings, *found))


def _relocate_audit(place: str, folder: Path, made: Audit) -> Audit:
    """Return an audit with its findings as users read them: of the place, not of its copy."""
    return replace(made, findings=tuple(_relocate_findings(place, folder, made.findings)))


def _relocate_findings(place: str, folder: Path, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Return findings, each once and of the files in the place, not of copies that were read.

    Where a file is no JSON, it goes without saying that the checks of a stage cannot read it.
    """
    findings = list(findings)
    broken = [item.message.partition(": ")[2] for item in findings if item.id == "json-malformed"]
    known = set()
    for item in findings:
        name = _COPY.sub("", item.where).removeprefix(f"{folder}/")
        name = "" if name == str(folder) else name
        said = (item.id, item.message, name)
        is_of_broken = item.id == "package-malformed" and item.message.endswith(tuple(broken))
        if said not in known and not (broken and is_of_broken):
            known.add(said)
            yield item if name == item.where else replace(item, where=f"{place}/{name}".rstrip("/"))


def _build_record(name: str, made: Audit) -> dict[str, object]:
    return {
        "package": name,
        "findings": build_finding_records(made.findings),
        "careless_answers": dict(made.scores),
        "tool_calls": made.calls,
        "own_checks": made.is_own,
    }


def _show(screen: Console, name: str, made: Audit, *, rebuild: bool) -> None:
    print_findings(screen, made.findings)
    counts = dict.fromkeys(("error", "warning", "note"), 0)
    for finding in made.findings:
        counts[str(finding.severity)] += 1
    found = ", ".join(
        f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items() if count
    )
    say(screen, f"{name}: {found or 'no findings'}; {made.calls} tool calls")
    if made.is_own:
        say(
            screen,
            f"The checks of all stages ran again, and {_describe_making(made, rebuild)}.",
        )
    if made.scores:
        shares = ", ".join(f"{name} {share:.3f}" for name, share in made.scores.items())
        say(screen, f"Score of a single answer for all tasks, under SOP-Bench's matcher: {shares}.")


def _describe_making(made: Audit, rebuild: bool) -> str:
    """Return what was done to see whether a package of ours is what its brief makes."""
    if any(finding.id == "not-rebuilt" for finding in made.findings):
        return "the package was not rebuilt (see the note above)"
    if rebuild:
        return "the package was rebuilt from its brief"
    return "the package was compared with the files that follow from its tasks"
