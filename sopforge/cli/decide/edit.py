"""``sopforge edit``: change what waits at a gate by hand."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Annotated

import click
import typer

from sopforge.cli.decide.outcomes import print_decision
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    By,
    Digest,
    Domain,
    StageName,
    StorePlace,
    get_person,
    require_digest_start,
    require_domain,
    store_to_write,
)
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer
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
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    starter: Continue = Starter.NOBODY,
    as_json: AsJson = False,
) -> None:
    """Edit the file of the version that waits; later versions of the stage keep the change."""
    from sopforge.briefs.brief_files import read_users_file
    from sopforge.gates import gate
    from sopforge.stages.editing.edits import require_editable_file

    opened = store_to_write(place)
    name = require_domain(opened, domain)
    file = require_editable_file(stage)
    version = gate.require_waiting_version(opened, name, stage, require_digest_start(digest))
    if source:
        _refuse_other_file(source, file, version.files)
        text = read_users_file(source, "edit-not-found", "--from")
    else:
        text = _edit_text(version.files[file], file)
    done = gate.edit(
        opened,
        name,
        stage=stage,
        digest=version.manifest.content,
        text=text,
        by=get_person(by),
        sign=make_entry_signer(opened, signing_key, allowed_signers),
    )
    sentence = (
        f"{done.decision.by} edited {file} of {domain} {stage}.\n"
        "The next run checks the edit, which then waits for approval."
    )
    follow = partial(start_next_run, opened, name, starter)
    print_decision(done, sentence, follow, as_json=as_json)


def _refuse_other_file(source: Path, file: str, files: Collection[str]) -> None:
    """Raise for a file that is named like another one of the stage: it would be taken for it."""
    if source.name != file and source.name in files:
        message = f"'{source.name}' is a different file of this stage, generated from {file}"
        hint = f"edit {file}, and pass that file"
        raise MaterialError(Fault("edit-of-other-file", message, "--from", hint))


def _edit_text(text: str, file: str) -> str:
    """Return what a person makes of a text in their editor.

    Raises:
        MaterialError: there is no such editor, or it failed.
    """
    try:
        changed = click.edit(text, extension=Path(file).suffix)
    except click.ClickException as cause:
        hint = "set EDITOR to an installed editor, or pass a file: --from FILE"
        message = cause.format_message().removesuffix(".")
        raise MaterialError(Fault("editor-failed", message, "EDITOR", hint)) from cause
    # None where nothing was saved. The text as it was is refused later, as an edit that changes
    # nothing.
    return text if changed is None else changed
