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


def show(
    domain: Domain,
    stage: AnyStage,
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
    """Show the files and findings of a stage's current version, or print one of the files."""
    from sopforge.store.opening import open_store

    if as_json and (file or html or docx):
        message = "--json prints the whole version: leave --file, --html and --docx out"
        raise typer.BadParameter(message)
    opened = open_store(place)
    version = _require_version(opened, require_domain(opened, domain), stage)
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
        _show(opened, version, _load_log(opened, version, allowed_signers))


def _load_log(store: Store, version: Version, given: Path | None) -> SignedLog:
    from sopforge.releases.signatures import load_signed_log

    return load_signed_log(store, version.manifest.domain, load_signers(store, given))


def _require_version(store: Store, domain: str, stage: str) -> Version:
    """Return the version of a stage that counts; raises ``MaterialError`` where there is none."""
    from sopforge.domain.documents.schema import suggest
    from sopforge.store.course import find_current_version
    from sopforge.workspace import STAGE_NAMES

    version = find_current_version(store, domain, stage)
    if version is not None:
        return version
    made = [name for name in STAGE_NAMES if find_current_version(store, domain, name)]
    message = f"'{domain}' has no version of '{stage}'; it has: {', '.join(made) or 'none yet'}"
    raise MaterialError(Fault("unknown-stage", message, store.place, suggest(stage, made)))


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


def _show(store: Store, version: Version, log: SignedLog) -> None:
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
    for name, text in files.items():
        say(screen, f"  {name}  ({len(text):,} characters)")
    if manifest.stage == "dataset":
        from sopforge.cli.screens.dataset_profile import print_dataset

        print_dataset(screen, files)
    print_findings(screen, manifest.findings)
    main = EDITABLE.get(manifest.stage, "")
    first = main if main in files else next(iter(files))
    one = f"sopforge show {manifest.domain} {manifest.stage} --file {first}"
    say(screen, f"Print a file with: {one}{store_option(store.place)}")
