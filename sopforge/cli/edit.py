"""``sopforge edit``: change what waits at a gate by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click
import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    By,
    Digest,
    Domain,
    StageName,
    StorePlace,
    known_domain,
    person,
    shortened_digest,
)
from sopforge.cli.output import console, say
from sopforge.errors import Fault, MaterialError


def edit(
    domain: Domain,
    stage: StageName,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="File with the new text [default: opens your editor]."),
    ] = None,
    digest: Digest = None,
    by: By = "",
    store: StorePlace = DEFAULT_STORE,
) -> None:
    """Edit the file of the version that waits; later versions of the stage keep the change."""
    from sopforge.stages import gates
    from sopforge.stages.editing import editable_file
    from sopforge.store.opening import open_store

    opened = open_store(store)
    name = known_domain(opened, domain)
    file = editable_file(stage)
    version = gates.expected_version(opened, name, stage, shortened_digest(digest))
    text = _text_of(source) if source else _edited(version.files[file], file)
    done = gates.edit(
        opened,
        name,
        stage=stage,
        digest=version.manifest.content,
        text=text,
        by=person(by),
    )
    screen = console()
    say(screen, f"{done.decision.by} edited {file} of {domain} {stage}.")
    say(screen, "Generate again: the edit is checked, and waits for approval.")


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode().replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as cause:
        message = f"'{path}' cannot be read: {cause}"
        raise MaterialError(Fault("not-readable", message, "--from")) from cause


def _edited(text: str, file: str) -> str:
    changed = click.edit(text, extension=Path(file).suffix)
    return text if changed is None else changed
