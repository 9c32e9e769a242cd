"""``sopforge show``: read an artifact and what its checks found."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sopforge.cli.completing import list_domain_names, list_stage_names
from sopforge.cli.decide.deciding import count_open_questions
from sopforge.cli.decide.outcomes import build_signed_record, format_decision
from sopforge.cli.look.explain import explain
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    AskedPackage,
    StoredDomain,
    StorePlace,
    refuse_options,
    store_option,
)
from sopforge.cli.out_files import write_out
from sopforge.cli.output import (
    Parts,
    Result,
    build_finding_records,
    list_findings,
    print_faults,
    strip_control_characters,
)
from sopforge.cli.signing import SignersFile, load_signers
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.pipeline.releases.signatures import SignedLog
    from sopforge.store.versions import DomainStore, Version

MOST_NAMED = 8
"""So many files are named; --json lists all."""


def show(
    domain: Annotated[
        str,
        typer.Argument(
            metavar="DOMAIN|PACKAGE",
            help="Name of the domain, or package: a folder, s3://..., or DOMAIN@VERSION/LEVEL.",
            autocompletion=list_domain_names,
        ),
    ],
    stage: Annotated[
        str,
        typer.Argument(
            metavar="STAGE|TASK",
            help="Name of the stage, such as sop; of a package, id of a task [default: the first].",
            autocompletion=list_stage_names,
        ),
    ] = "",
    number: Annotated[
        int | None,
        typer.Option(
            "--version",
            min=1,
            help="Number of the version [default: the one that counts].",
            show_default=False,
        ),
    ] = None,
    file: Annotated[str, typer.Option(help="Print this file of the version.")] = "",
    html: Annotated[
        Path | None, typer.Option(help="Write a page for reviewers to this HTML file.")
    ] = None,
    docx: Annotated[Path | None, typer.Option(help="Write the SOP to this Word file.")] = None,
    conditions: Annotated[
        bool,
        typer.Option(
            "--conditions",
            help="Of a package, show how an agent learns whether each condition holds, and what"
            " changes it.",
        ),
    ] = False,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    as_json: AsJson = False,
) -> Result | None:
    """Show what a stage's version says: its rules, texts or tasks, examples, and findings.

    To print one of its files, use --file. If you name a package, such as fees@1.0.0/L0, the command
    explains a task: its steps, the results of its tools, and which rules decided and why.
    """
    if _is_package(domain, stage):
        given = {"--version": number, "--file": file, "--html": html, "--docx": docx}
        refuse_options(given, "to a package")
        return explain(AskedPackage(domain, place=place), stage, conditions=conditions)
    refuse_options({"--conditions": conditions}, "to a domain")
    if as_json and (file or html or docx):
        message = "--json prints the whole version: leave --file, --html and --docx out"
        raise typer.BadParameter(message)
    there = StoredDomain(domain, place).open()
    version = _require_version(there, stage, number)
    if file:
        _print_file(_require_file(version, file))
        return None
    if path := html or docx:
        write_out(path, _render_page(there, version) if html else _render_word(version, path))
        return Result({}, [f"wrote {path}"])
    from sopforge.pipeline.releases.signatures import load_signed_log

    log = load_signed_log(there, load_signers(there.store, allowed_signers))
    parts = _lay_out(there, version, number, log)
    return Result(lambda: _build_record(there, version, log), parts)


def _is_package(named: str, shown: str) -> bool:
    """Return whether a package is named, and no domain: a folder may be called as a domain is."""
    from sopforge.workspace import STAGE_NAMES

    is_named_so = any(mark in named for mark in "@/") or Path(named).is_dir()
    return is_named_so and shown not in STAGE_NAMES


def _print_file(text: str) -> None:
    """Print a file: for a program as it is; a terminal would obey characters that nobody sees."""
    if not sys.stdout.isatty() and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    typer.echo(strip_control_characters(text) if sys.stdout.isatty() else text, nl=False)


def _require_version(domain: DomainStore, stage: str, number: int | None) -> Version:
    """Return the version of a stage that counts, or that of a number.

    Raises:
        MaterialError: there is none.
    """
    from sopforge.language.domain.documents.schema import suggest
    from sopforge.store.course import find_current_version
    from sopforge.workspace import STAGE_NAMES

    version = find_current_version(domain, stage)
    if version is not None:
        return version if number is None else _find_numbered(domain, version, number)
    made = [name for name in STAGE_NAMES if find_current_version(domain, name)]
    lacks = (
        f"'{domain}' has no version of '{stage}'" if stage else f"no stage of '{domain}' is named"
    )
    message = f"{lacks}; it has: {', '.join(made) or 'none yet'}"
    raise MaterialError(Fault("unknown-stage", message, domain.place, suggest(stage, made)))


def _find_numbered(domain: DomainStore, current: Version, number: int) -> Version:
    stage = current.manifest.stage
    versions = {item.number: item for item in domain.list_versions(stage)}
    if number in versions:
        return versions[number]
    message = f"'{domain}' has no version {number} of {stage}"
    hint = f"the versions of {stage} are {', '.join(map(str, versions))}"
    raise MaterialError(Fault("unknown-version", message, domain.place, hint))


def _require_file(version: Version, name: str) -> str:
    from sopforge.language.domain.documents.schema import suggest

    files = version.files
    if name not in files:
        message = f"there is no file '{name}'; files are {', '.join(files)}"
        hint = suggest(name, list(files))
        raise MaterialError(Fault("unknown-file", message, version.place, hint))
    return files[name]


def _render_page(domain: DomainStore, version: Version) -> str:
    from review.dossier import load_artifact, render_dossier

    return render_dossier(load_artifact(domain, version))


def _render_word(version: Version, path: Path) -> bytes:
    """Return an SOP for Word; raises ``MaterialError`` for any other stage."""
    from sopforge.artifacts.rendering.sop.document import read_sop
    from sopforge.artifacts.rendering.word import render_word

    manifest, files = version.manifest, version.files
    if "trace.json" not in files:
        message = f"{manifest.stage} is not an SOP; only the SOP can be written for Word"
        hint = f"sopforge show {manifest.domain} sop --docx {path}"
        raise MaterialError(Fault("not-an-sop", message, "--docx", hint))
    return render_word(read_sop(files["sop.txt"], files["trace.json"]))


def _build_record(domain: DomainStore, version: Version, log: SignedLog) -> dict[str, object]:
    from sopforge.pipeline.gates.gate import derive_state, find_blocking_stage

    manifest = version.manifest
    return {
        "domain": manifest.domain,
        "stage": manifest.stage,
        "version": version.number,
        "content": manifest.content,
        "place": version.place,
        "author": manifest.author,
        "gate": derive_state(domain, version),
        "provisional_after": find_blocking_stage(domain.find_waiting(), version) or None,
        "rebuilt_because": list(version.rebuild_reasons),
        "files": {name: len(text) for name, text in version.files.items()},
        "decisions": [
            build_signed_record(item, log.get_signature(item))
            for item in log.list_decisions(manifest)
        ],
        "findings": build_finding_records(manifest.findings),
    }


def _lay_out(domain: DomainStore, version: Version, number: int | None, log: SignedLog) -> Parts:
    from sopforge.cli.screens.artifact_view import lay_out_artifact
    from sopforge.findings import format_finding_count, has_errors, sort_by_severity
    from sopforge.pipeline.briefs.brief_files import load_latest_brief
    from sopforge.pipeline.gates.gate import find_blocking_stage
    from sopforge.pipeline.stages.editing.edits import EDITABLE

    manifest, files = version.manifest, version.files
    named = f"{manifest.domain} {manifest.stage}, version {version.number}"
    yield f"{named}, {manifest.content[:12]}, in {version.place}"
    if before := find_blocking_stage(domain.find_waiting(), version):
        yield Text(f"provisional: {before} is not approved", "yellow")
    for reason in version.rebuild_reasons:
        yield f"  rebuilt because of {reason}"
    for item in log.list_decisions(manifest):
        yield f"  {format_decision(item, log.get_signature(item))}"
    # Cases of a model with errors may come to no end.
    is_sound = not has_errors(manifest.findings)
    drawing = load_latest_brief(domain).parts.dataset if is_sound else None
    try:
        yield from lay_out_artifact(manifest.stage, files, drawing)
    except MaterialError as refused:
        print_faults(refused.faults)
    yield f"\n{format_finding_count(manifest.findings)}"
    yield from list_findings(sort_by_severity(manifest.findings))
    if number is None:
        yield from _lay_out_questions(domain, version)
    main = EDITABLE.get(manifest.stage, "")
    first = main if main in files else next(iter(files))
    which = "" if number is None else f" --version {number}"
    one = f"sopforge show {manifest.domain} {manifest.stage}{which} --file {first}"
    more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    yield f"Files: {', '.join(list(files)[:MOST_NAMED])}{more}"
    yield f"Print a file with: {one}{store_option(domain.place)}"


def _lay_out_questions(domain: DomainStore, version: Version) -> Parts:
    """Yield how many questions of readers wait for an answer beside a schema."""
    asked = count_open_questions(domain, version)
    if asked:
        look = f"sopforge answer {domain}{store_option(domain.place)}"
        yield f"questions to answer: {asked}; see them: {look}"
