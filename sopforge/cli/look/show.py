"""``sopforge show``: read an artifact and what its checks found."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.decide.outcomes import build_signed_record, format_decision
from sopforge.cli.options import (
    DEFAULT_STORE,
    AnyStage,
    AsJson,
    Domain,
    StorePlace,
    require_domain,
    store_option,
)
from sopforge.cli.out_files import write_out
from sopforge.cli.output import (
    build_finding_records,
    make_console,
    print_faults,
    print_findings,
    print_json,
    say,
    strip_control_characters,
)
from sopforge.cli.signing import SignersFile, load_signers
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.releases.signatures import SignedLog
    from sopforge.store.versions import Store, Version

MOST_NAMED = 8
"""So many files are named; --json lists all."""


def show(
    domain: Domain,
    stage: AnyStage,
    number: Annotated[
        int | None,
        typer.Option(
            "--version",
            min=1,
            help="Number of the version [default: the one that counts].",
            show_default=False,
        ),
    ] = None,
    file: Annotated[str, typer.Option("--file", help="Print this file of the version.")] = "",
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page for reviewers to this HTML file.")
    ] = None,
    docx: Annotated[
        Path | None, typer.Option("--docx", help="Write the SOP to this Word file.")
    ] = None,
    allowed_signers: SignersFile = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Show what a stage's version says: its rules, texts or tasks, examples, and findings.

    To print one of its files, use --file.
    """
    from sopforge.store.opening import open_store

    if as_json and (file or html or docx):
        message = "--json prints the whole version: leave --file, --html and --docx out"
        raise typer.BadParameter(message)
    opened = open_store(place)
    version = _require_version(opened, require_domain(opened, domain), stage, number)
    if file:
        text = _require_file(version, file)
        # A program gets the file as it is; a terminal would obey characters that nobody sees.
        if not sys.stdout.isatty() and isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        typer.echo(strip_control_characters(text) if sys.stdout.isatty() else text, nl=False)
    elif html is not None:
        _write_page(opened, version, html)
    elif docx is not None:
        _write_word(version, docx)
    elif as_json:
        print_json(_build_record(opened, version, _load_log(opened, version, allowed_signers)))
    else:
        _show(opened, version, number, _load_log(opened, version, allowed_signers))


def _load_log(store: Store, version: Version, given: Path | None) -> SignedLog:
    from sopforge.releases.signatures import load_signed_log

    return load_signed_log(store, version.manifest.domain, load_signers(store, given))


def _require_version(store: Store, domain: str, stage: str, number: int | None) -> Version:
    """Return the version of a stage that counts, or that of a number.

    Raises:
        MaterialError: there is none.
    """
    from sopforge.domain.documents.schema import suggest
    from sopforge.store.course import find_current_version
    from sopforge.workspace import STAGE_NAMES

    version = find_current_version(store, domain, stage)
    if version is not None:
        return version if number is None else _find_numbered(store, version, number)
    made = [name for name in STAGE_NAMES if find_current_version(store, domain, name)]
    message = f"'{domain}' has no version of '{stage}'; it has: {', '.join(made) or 'none yet'}"
    raise MaterialError(Fault("unknown-stage", message, store.place, suggest(stage, made)))


def _find_numbered(store: Store, current: Version, number: int) -> Version:
    domain, stage = current.manifest.domain, current.manifest.stage
    versions = {item.number: item for item in store.list_versions(domain, stage)}
    if number in versions:
        return versions[number]
    message = f"'{domain}' has no version {number} of {stage}"
    hint = f"the versions of {stage} are {', '.join(map(str, versions))}"
    raise MaterialError(Fault("unknown-version", message, store.place, hint))


def _require_file(version: Version, name: str) -> str:
    from sopforge.domain.documents.schema import suggest

    files = version.files
    if name not in files:
        message = f"there is no file '{name}'; files are {', '.join(files)}"
        hint = suggest(name, list(files))
        raise MaterialError(Fault("unknown-file", message, version.place, hint))
    return files[name]


def _write_page(store: Store, version: Version, path: Path) -> None:
    from review.dossier import load_artifact, render_dossier

    write_out(path, render_dossier(load_artifact(store, version)))
    say(make_console(), f"wrote {path}")


def _write_word(version: Version, path: Path) -> None:
    """Write an SOP for Word; raises ``MaterialError`` for any other stage."""
    from sopforge.rendering.sop.document import read_sop
    from sopforge.rendering.word import render_word

    manifest, files = version.manifest, version.files
    if "trace.json" not in files:
        message = f"{manifest.stage} is not an SOP; only the SOP can be written for Word"
        hint = f"sopforge show {manifest.domain} sop --docx {path}"
        raise MaterialError(Fault("not-an-sop", message, "--docx", hint))
    write_out(path, render_word(read_sop(files["sop.txt"], files["trace.json"])))
    say(make_console(), f"wrote {path}")


def _build_record(store: Store, version: Version, log: SignedLog) -> dict[str, object]:
    from sopforge.gates.gate import derive_state, find_blocking_stage

    manifest = version.manifest
    return {
        "domain": manifest.domain,
        "stage": manifest.stage,
        "version": version.number,
        "content": manifest.content,
        "place": version.place,
        "author": manifest.author,
        "gate": derive_state(store, version),
        "provisional_after": find_blocking_stage(store.find_waiting(manifest.domain), version)
        or None,
        "rebuilt_because": list(version.rebuild_reasons),
        "files": {name: len(text) for name, text in version.files.items()},
        "decisions": [
            build_signed_record(item, log.get_signature(item))
            for item in log.list_decisions(manifest)
        ],
        "findings": build_finding_records(manifest.findings),
    }


def _show(store: Store, version: Version, number: int | None, log: SignedLog) -> None:
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.cli.screens.artifact_view import print_artifact
    from sopforge.findings import format_finding_count, has_errors, sort_by_severity
    from sopforge.gates.gate import find_blocking_stage
    from sopforge.stages.editing.edits import EDITABLE

    screen, manifest, files = make_console(), version.manifest, version.files
    named = f"{manifest.domain} {manifest.stage}, version {version.number}"
    say(screen, f"{named}, {manifest.content[:12]}, in {version.place}")
    if before := find_blocking_stage(store.find_waiting(manifest.domain), version):
        say(screen, f"provisional: {before} is not approved", "yellow")
    for reason in version.rebuild_reasons:
        say(screen, f"  rebuilt because of {reason}")
    for item in log.list_decisions(manifest):
        say(screen, f"  {format_decision(item, log.get_signature(item))}")
    # Cases of a model with errors may come to no end.
    is_sound = not has_errors(manifest.findings)
    drawing = load_latest_brief(store, manifest.domain).parts.dataset if is_sound else None
    try:
        print_artifact(screen, manifest.stage, files, drawing)
    except MaterialError as refused:
        print_faults(refused.faults)
    say(screen, f"\n{format_finding_count(manifest.findings)}")
    print_findings(screen, sort_by_severity(manifest.findings))
    if number is None:
        _show_questions(store, version)
    main = EDITABLE.get(manifest.stage, "")
    first = main if main in files else next(iter(files))
    which = "" if number is None else f" --version {number}"
    one = f"sopforge show {manifest.domain} {manifest.stage}{which} --file {first}"
    more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    say(screen, f"Files: {', '.join(list(files)[:MOST_NAMED])}{more}")
    say(screen, f"Print a file with: {one}{store_option(store.place)}")


def _show_questions(store: Store, version: Version) -> None:
    """Say how many questions of readers wait for an answer beside a schema."""
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.gates.gate import count_open_questions

    asked = count_open_questions(load_latest_brief(store, version.manifest.domain), version)
    if asked:
        look = f"sopforge questions {version.manifest.domain}{store_option(store.place)}"
        say(make_console(), f"questions to answer: {asked}; see them: {look}")
