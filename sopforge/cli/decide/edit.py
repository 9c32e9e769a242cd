"""``sopforge edit``: change what waits at a gate by hand."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer

from sopforge.cli.decide.outcomes import print_decision
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Budget,
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
from sopforge.cli.output import make_console, say
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from decimal import Decimal

    from sopforge.gates.edit_reading import EditReading
    from sopforge.store.versions import Store, Version


def edit(
    domain: Domain,
    stage: StageName,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="File with the new text [default: open your editor]."),
    ] = None,
    reader: Annotated[
        str,
        typer.Option(
            "--reader",
            metavar="PROVIDER:MODEL",
            help="Language model to read the lines of the SOP that the checks cannot read.",
            show_default=False,
        ),
    ] = "",
    budget: Budget = None,
    digest: Digest = None,
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    starter: Continue = Starter.NOBODY,
    as_json: AsJson = False,
) -> None:
    """Edit the version that is waiting for a decision; later versions keep your edit."""
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
    person = get_person(by)
    found = _read_lines(opened, version, text, person, reader, budget) if reader else None
    done = gate.edit(
        opened,
        name,
        stage=stage,
        digest=version.manifest.content,
        text=text,
        by=person,
        sign=make_entry_signer(opened, signing_key, allowed_signers),
        readings=found.readings if found else (),
    )
    if found and not as_json:
        _show_readings(found)
    sentence = (
        f"{done.decision.by} edited {file} of {domain} {stage}.\n"
        "The next run checks the edit, which then waits for approval."
    )
    follow = partial(start_next_run, opened, name, starter)
    print_decision(done, sentence, follow, as_json=as_json)


def _read_lines(
    store: Store, version: Version, text: str, by: str, reader: str, budget: Decimal | None
) -> EditReading:
    """Have a language model read what the checks cannot read in an edited SOP.

    Raises:
        MaterialError: no SOP is edited, no model is named, or the text cannot be read.
        ProviderError: there is no answer to be had.
    """
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.gates.edit_reading import read_edit
    from sopforge.gates.rereading import choose_reader, reread_workspace

    stage, domain = version.manifest.stage, version.manifest.domain
    if stage != "sop":
        message = f"--reader reads edited lines of the sop, not of the {stage}"
        raise MaterialError(Fault("reader-without-sop", message, "--reader", "leave it out"))
    brief = load_latest_brief(store, domain)
    asking = choose_reader(store, brief, reader, budget, "--reader")
    workspace = reread_workspace(store, brief).with_stage(stage, version.files)
    return read_edit(asking, workspace, text, by)


def _show_readings(found: EditReading) -> None:
    """Print what a language model made of the lines that no check can read."""
    screen = make_console()
    count = len(found.readings) + len(found.unread)
    if not count:
        say(screen, "The checks can read all lines; the next run says whether they are right.")
        return
    say(
        screen,
        f"The model read {len(found.readings)} of {count} lines that the checks cannot read:",
    )
    for item in found.readings:
        say(screen, f"  {item.text}")
        say(screen, f"    as: {item.read_as}")
    for text in found.unread:
        say(screen, f"  not read: {text}")


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
