"""``sopforge show``: read an artifact and what its checks found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, Domain, StorePlace, known_domain, store_option
from sopforge.cli.output import console, print_findings, say
from sopforge.errors import Fault, MaterialError


def show(
    domain: Domain,
    stage: Annotated[str, typer.Argument(help="A stage, such as sop.")],
    file: Annotated[str, typer.Option("--file", help="Print this file of the artifact.")] = "",
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page for reviewers to this file.")
    ] = None,
    store: StorePlace = DEFAULT_STORE,
) -> None:
    """Show the newest version of a stage: its files, its findings, and a file's text on request."""
    from review.dossier import render_dossier
    from sopforge.cli.dataset_profile import print_dataset
    from sopforge.stages.gates import current_version, state_of
    from sopforge.store.opening import open_store
    from sopforge.workspace import STAGE_NAMES

    opened, screen = open_store(store), console()
    version = current_version(opened, known_domain(opened, domain), stage)
    if version is None:
        made = [name for name in STAGE_NAMES if opened.versions(domain, name)]
        known = ", ".join(made) or "none yet"
        message = f"'{domain}' has no version of '{stage}'; it has: {known}"
        raise MaterialError(Fault("unknown-stage", message, str(store)))
    files = version.files
    if file and file not in files:
        message = f"there is no file '{file}'; files are {', '.join(files)}"
        raise MaterialError(Fault("unknown-file", message, version.place))
    if file:
        typer.echo(files[file], nl=False)
        return
    if html is not None:
        page = render_dossier(version, state_of(opened, version))
        html.write_text(page, encoding="utf-8")
        say(screen, f"wrote {html}")
        return
    say(
        screen,
        f"{domain} {stage}, version {version.number}, {version.manifest.content[:12]},"
        f" in {version.place}",
    )
    for name, text in files.items():
        say(screen, f"  {name}  ({len(text):,} characters)")
    if stage == "dataset":
        print_dataset(screen, files)
    print_findings(screen, version.manifest.findings)
    one = f"sopforge show {domain} {stage} --file {next(iter(files))}{store_option(store)}"
    say(screen, f"read one with: {one}")
