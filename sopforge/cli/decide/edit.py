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
    store_option,
)
from sopforge.cli.output import (
    build_finding_records,
    make_console,
    print_findings,
    print_json,
    say,
)
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer
from sopforge.errors import Fault, MaterialError, raise_gathered
from sopforge.progress.tracking import wait_for_others

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
    sign: Annotated[
        bool,
        typer.Option(
            "--sign",
            help="State that such lines mean the same as those that they replace: your name stands"
            " by each in the audit log, at the gate and on the card.",
        ),
    ] = False,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Show the sentences of the SOP that change; keep nothing."),
    ] = False,
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
    from sopforge.store.opening import open_store

    opened = open_store(place)
    name = require_domain(opened, domain)
    file = require_editable_file(stage)
    version = gate.require_waiting_version(opened, name, stage, require_digest_start(digest))
    if source:
        _refuse_other_file(source, file, version.files)
        text = read_users_file(source, "edit-not-found", "--from")
    else:
        text = _edit_text(version.files[file], file)
    person = get_person(by)
    if preview:
        _preview(opened, version, text, person, as_json=as_json)
        return
    found = _vouch(opened, version, text, person, reader, budget, is_signed=sign)
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


def _preview(store: Store, version: Version, text: str, by: str, *, as_json: bool) -> None:
    """Show what an edit changes in the SOP, each sentence as it is and as it would be."""
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.changes.changelog import format_count
    from sopforge.changes.sentences import list_changed_sentences
    from sopforge.gates.edit_trials import try_edit
    from sopforge.stages.editing.edits import EDITABLE
    from sopforge.workspace import Workspace

    brief, stage = load_latest_brief(store, version.manifest.domain), version.manifest.stage
    if stage != "schema":
        message = f"--preview shows what an edit of the schema changes, not one of the {stage}"
        file = f"sopforge show {version.manifest.domain} {stage} --file {EDITABLE[stage]}"
        hint = (
            "leave it out: the next run checks the edit, and nothing counts before its approval;"
            f" to compare it, print what waits: {file}{store_option(store.place)}"
        )
        raise MaterialError(Fault("preview-without-schema", message, "--preview", hint))
    workspace = Workspace(brief, {}).with_stage(stage, version.files)
    tried = try_edit(workspace, stage, text, by)
    changed = list_changed_sentences(workspace, tried.workspace)
    sides = [{"before": item.before, "after": item.after} for item in changed]
    if as_json:
        print_json({"sentences": sides, "findings": build_finding_records(tried.findings)})
        return
    count = format_count(len(sides), "sentence", "sentences")
    screen = make_console()
    say(screen, f"The edit changes {count} of the SOP; nothing is kept yet.")
    for side in sides:
        say(screen, f"  now:   {side['before'] or '(not there)'}")
        say(screen, f"  then:  {side['after'] or '(not there)'}")
    print_findings(screen, tried.findings)


def _vouch(
    store: Store,
    version: Version,
    text: str,
    by: str,
    reader: str,
    budget: Decimal | None,
    *,
    is_signed: bool,
) -> EditReading | None:
    """Have a language model read what the checks cannot read in an edited SOP; a person signs.

    Where both do, the person signs what the model did not read. None where nobody does.

    Raises:
        MaterialError: no SOP is edited, no model is named, or the text cannot be read.
        ProviderError: there is no answer to be had.
    """
    if not reader and not is_signed:
        return None
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.gates.edit_reading import read_edit, sign_edit
    from sopforge.gates.rereading import choose_reader, reread_workspace

    stage, domain = version.manifest.stage, version.manifest.domain
    option = "--reader" if reader else "--sign"
    if stage != "sop":
        message = f"{option} is about edited lines of the sop, not of the {stage}"
        raise MaterialError(Fault("reader-without-sop", message, option, "leave it out"))
    brief = load_latest_brief(store, domain)
    workspace = reread_workspace(store, brief).with_stage(stage, version.files)
    if not reader:
        signed = sign_edit(workspace, text, by)
        _refuse_unsigned(signed)
        return signed
    asking = choose_reader(store, brief, reader, budget, "--reader")
    read = read_edit(asking, workspace, text, by)
    return sign_edit(workspace, text, by, read.readings) if is_signed else read


def _refuse_unsigned(found: EditReading) -> None:
    """Raise for lines that nobody can state to mean the same: something shows that they do not."""
    hint = "restore the line, edit the rule itself, or give the field a 'said' clause in the brief"
    raise_gathered(
        [
            Fault("line-not-signable", f"it says something else ({reason})", item.text, hint)
            for item in found.unread
            for reason in ["; ".join(item.reasons)]
        ]
    )


def _show_readings(found: EditReading) -> None:
    """Print what was made of the lines that no check can read."""
    screen = make_console()
    if not found.readings and not found.unread:
        say(screen, "The checks can read all lines; the next run says whether they are right.")
        return
    read = len(found.readings)
    if read:
        lines = "1 line" if read == 1 else f"{read} lines"
        verb = "means" if read == 1 else "mean"
        say(screen, f"{lines} that the checks cannot read {verb} the same:")
    for item in found.readings:
        say(screen, f"  {item.text}")
        say(screen, f"    as: {item.read_as}")
        say(screen, f"    {item.read_by}")
    for line in found.unread:
        say(screen, f"  still open: {line.text}")
        for reason in line.reasons:
            say(screen, f"    nobody can vouch for it: {reason}")


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
        with wait_for_others("an editor"):
            changed = click.edit(text, extension=Path(file).suffix)
    except click.ClickException as cause:
        hint = "set EDITOR to an installed editor, or pass a file: --from FILE"
        message = cause.format_message().removesuffix(".")
        raise MaterialError(Fault("editor-failed", message, "EDITOR", hint)) from cause
    # None where nothing was saved. The text as it was is refused later, as an edit that changes
    # nothing.
    return text if changed is None else changed
