"""``sopforge check``: examines a brief, or audits a package in SOP-Bench's layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.completing import list_domain_names
from sopforge.cli.make.check_model import check_model
from sopforge.cli.options import (
    DEFAULT_STORE,
    Sandbox,
    StorePlace,
    is_yaml_file,
    refuse_options,
    use_sandbox,
)
from sopforge.cli.output import Parts, Result, build_finding_records, list_findings, warn_yanked
from sopforge.progress.tracking import track

if TYPE_CHECKING:
    from sopforge.checks.auditing.audit import Audit
    from sopforge.findings import Finding

# Checks read a private copy of a package, whose path means nothing to whoever asked.
_COPY = re.compile(r".*/sopforge-(?:audit|package)-[^/]+/package(?:/|$)")


def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="BRIEF|RELEASE",
            help="YAML file with a brief; or a release or package: a folder, s3://..., or"
            " DOMAIN[@VERSION[/LEVEL]].",
            autocompletion=list_domain_names,
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option(
            help="Second brief to compare with; report whether any case is decided differently."
        ),
    ] = None,
    written: Annotated[
        Path | None,
        typer.Option(help="Model to check: a domain.yaml that was written from the brief's prose."),
    ] = None,
    rebuild: Annotated[
        bool,
        typer.Option(
            help="Rebuild and prove a SOPForge package from its brief, and compare the two."
        ),
    ] = True,
    sandbox: Sandbox = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Check the rules of a brief, or audit a package.

    In a brief, the command finds gaps and overlaps, rules and edges that no case reaches, refused
    tool calls, and values that are read where they may be missing, with an example case for each
    problem. If the rules are sound, it also writes the SOP with the offline author, reads it back
    and checks it. For a brief with prose only, it reports what it can check without a model; with
    --written, it also checks whether the model matches the brief.

    Of a package, it audits the answers, rows, descriptions and SOP, and runs the tools.
    """
    if is_yaml_file(target):
        refuse_options({"--no-rebuild": not rebuild}, "to a brief")
        return check_model(Path(target), against, written)
    refuse_options({"--against": against, "--written": written}, "to a package")
    use_sandbox(sandbox)
    return _audit(target, place, rebuild=rebuild)


def _audit(package: str, place: str, *, rebuild: bool) -> Result:
    from sopforge.checks.auditing.audit import audit_whole
    from sopforge.findings import has_errors
    from sopforge.pipeline.releases.locating import locate_release

    with locate_release(package, place) as found:
        warn_yanked(found.yanked)
        named = track(found.packages.items(), "packages", name=_get_folder_name)
        audits = {
            folder.name: _relocate_audit(
                location, folder, _add_rebuild_findings(folder, audit_whole(folder), rebuild)
            )
            for location, folder in named
        }
    parts = (part for item in audits.items() for part in _lay_out(*item, rebuild=rebuild))
    is_faulty = any(has_errors(made.findings) for made in audits.values())
    records = [_build_record(*item) for item in audits.items()]
    return Result(records, parts, has_findings=is_faulty)


def _get_folder_name(located: tuple[str, Path]) -> str:
    return located[1].name


def _add_rebuild_findings(folder: Path, made: Audit, rebuild: bool) -> Audit:
    """Return an audit of a package of ours with what differs from what its brief makes.

    What does not follow from the tasks is not said again of the brief.
    """
    from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
    from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding

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


def _lay_out(name: str, made: Audit, *, rebuild: bool) -> Parts:
    yield from list_findings(made.findings)
    counts = dict.fromkeys(("error", "warning", "note"), 0)
    for finding in made.findings:
        counts[str(finding.severity)] += 1
    found = ", ".join(
        f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items() if count
    )
    yield f"{name}: {found or 'no findings'}; {made.calls} tool calls"
    if made.is_own:
        yield f"The checks of all stages ran again, and {_describe_making(made, rebuild)}."
    if made.scores:
        shares = ", ".join(f"{name} {share:.3f}" for name, share in made.scores.items())
        yield f"Score of a single answer for all tasks, under SOP-Bench's matcher: {shares}."


def _describe_making(made: Audit, rebuild: bool) -> str:
    """Return what was done to see whether a package of ours is what its brief makes."""
    if any(finding.id == "not-rebuilt" for finding in made.findings):
        return "the package was not rebuilt (see the note above)"
    if rebuild:
        return "the package was rebuilt from its brief"
    return "the package was compared with the files that follow from its tasks"
