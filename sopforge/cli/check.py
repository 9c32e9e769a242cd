"""``sopforge check``: audit a package in SOP-Bench's layout, whoever made it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import Sandbox, use_sandbox
from sopforge.cli.output import EXIT_FINDINGS, console, print_findings, say
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.checks.auditing.audit import Audit
    from sopforge.findings import Finding

_COPY = re.compile(r".*/sopforge-(?:audit|package)-[^/]+/package/")


def check(
    package: Annotated[Path, typer.Argument(help="Folder of a package, or of a release of ours.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    rebuild: Annotated[
        bool,
        typer.Option(help="Draw and prove a package of ours again from its brief, and compare."),
    ] = True,
    sandbox: Sandbox = None,
) -> None:
    """Audit a package: answers, rows, descriptions, SOP, and tools as the sandbox lets them run."""
    from sopforge.checks.auditing.audit import audit_whole
    from sopforge.findings import has_errors

    use_sandbox(sandbox)
    audits = {
        folder: _made_again(folder, audit_whole(folder), rebuild=rebuild)
        for folder in _folders(package)
    }
    audits = {
        folder: replace(made, findings=tuple(_told_once(folder, made.findings)))
        for folder, made in audits.items()
    }
    if as_json:
        typer.echo(json.dumps([_record(*item) for item in audits.items()], indent=2))
    else:
        screen = console()
        for folder, made in audits.items():
            _show(screen, folder, made, rebuild=rebuild)
    if any(has_errors(made.findings) for made in audits.values()):
        raise typer.Exit(EXIT_FINDINGS)


def _made_again(folder: Path, made: Audit, *, rebuild: bool) -> Audit:
    """Return an audit of a package of ours with what differs from what its brief makes.

    What does not follow from the tasks is not said again of the brief.
    """
    from sopforge.stages.deriving import derived_findings
    from sopforge.stages.rebuilding import rebuild_findings

    if not made.is_own:
        return made
    found = derived_findings(folder)
    known = {item.where for item in found}
    if rebuild:
        found += [item for item in rebuild_findings(folder) if item.where not in known]
    return replace(made, findings=(*made.findings, *found))


def _told_once(folder: Path, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Return findings, each once and of the files in the folder, not of copies that were read.

    Where a file is no JSON, it goes without saying that the checks of a stage cannot read it.
    """
    findings = list(findings)
    broken = [item.message.partition(": ")[2] for item in findings if item.id == "json-malformed"]
    known = set()
    for item in findings:
        name = _COPY.sub("", item.where)
        said = (item.id, item.message, name.removeprefix(f"{folder}/"))
        is_of_broken = item.id == "package-malformed" and item.message.endswith(tuple(broken))
        if said not in known and not (broken and is_of_broken):
            known.add(said)
            yield item if name == item.where else replace(item, where=f"{folder}/{name}")


def _folders(package: Path) -> Iterator[Path]:
    """Return the packages in a folder: itself, or those of a release."""
    if not package.is_dir():
        message = f"there is no folder {package}"
        raise MaterialError(Fault("package-not-found", message, "", "give the folder of a package"))
    if (package / "release.json").is_file():
        yield from sorted(path for path in package.iterdir() if path.is_dir())
    else:
        yield package


def _record(folder: Path, made: Audit) -> dict[str, object]:
    return {
        "package": folder.name,
        "findings": [finding.as_record() for finding in made.findings],
        "careless_answers": dict(made.scores),
        "tool_calls": made.calls,
        "own_checks": made.is_own,
    }


def _show(screen: Console, folder: Path, made: Audit, *, rebuild: bool) -> None:
    print_findings(screen, made.findings)
    counts = dict.fromkeys(("error", "warning", "note"), 0)
    for finding in made.findings:
        counts[str(finding.severity)] += 1
    found = ", ".join(
        f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items() if count
    )
    say(screen, f"{folder.name}: {found or 'no findings'}; {made.calls} tool calls")
    if made.is_own:
        how = (
            "made again from its brief" if rebuild else "compared with what follows from its tasks"
        )
        say(screen, f"All stages' checks were asked for again, and the package was {how}.")
    if made.scores:
        shares = ", ".join(f"{name} {share:.3f}" for name, share in made.scores.items())
        say(screen, f"Under SOP-Bench's matcher the same answer for every task scores: {shares}.")
