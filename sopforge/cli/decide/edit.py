"""``sopforge edit``: change what waits at a gate by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer

from sopforge.cli.decide.deciding import DecisionOptions, count_open_questions, report_decision
from sopforge.cli.options import Budget, require_digest_start, store_option
from sopforge.cli.output import Parts, Result, build_finding_records, list_findings
from sopforge.cli.running.continuing import Continue, Starter, start_next_run
from sopforge.errors import Fault, MaterialError, raise_gathered
from sopforge.progress.tracking import wait_for_others

if TYPE_CHECKING:
    from decimal import Decimal

    from sopforge.findings import Finding
    from sopforge.pipeline.gates.edit_reading import EditReading
    from sopforge.store.versions import DomainStore, Version


def edit(
    asked: DecisionOptions,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="File with the new text [default: open your editor]."),
    ] = None,
    reader: Annotated[
        str,
        typer.Option(
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
    starter: Continue = Starter.NOBODY,
) -> Result:
    """Edit the version that is waiting for a decision; later versions keep your edit."""
    from sopforge.pipeline.briefs.brief_files import read_users_file
    from sopforge.pipeline.gates import gate
    from sopforge.pipeline.stages.editing.edits import require_editable_file

    domain, stage, person = asked.open(), asked.stage, asked.person
    file = require_editable_file(stage)
    digest = require_digest_start(asked.digest)
    version = gate.require_waiting_version(domain, stage, digest)
    if source:
        _refuse_other_file(source, file, version.files)
        text = read_users_file(source, "edit-not-found", "--from")
    else:
        text = _edit_text(version.files[file], file)
    if preview:
        return _preview(domain, version, text, person)
    found = _vouch(domain, version, text, person, reader, budget, is_signed=sign)
    done = gate.edit(
        domain,
        stage=stage,
        digest=version.manifest.content,
        text=text,
        by=person,
        sign=asked.make_signer(domain),
        readings=found.readings if found else (),
    )
    sentence = (
        f"{done.decision.by} edited {file} of {domain} {stage}.\n"
        "The next run checks the edit, which then waits for approval."
    )
    follow = partial(start_next_run, domain, starter)
    questions, read = count_open_questions(domain, version), _list_readings(found) if found else ()
    return report_decision(done, questions, sentence, follow, *read)


def _preview(domain: DomainStore, version: Version, text: str, by: str) -> Result:
    """Return what an edit changes in the SOP, each sentence as it is and as it would be."""
    from sopforge.pipeline.briefs.brief_files import load_latest_brief
    from sopforge.pipeline.changes.sentences import list_changed_sentences
    from sopforge.pipeline.gates.edit_trials import try_edit
    from sopforge.pipeline.stages.editing.edits import EDITABLE
    from sopforge.workspace import Workspace

    brief, stage = load_latest_brief(domain), version.manifest.stage
    if stage != "schema":
        message = f"--preview shows what an edit of the schema changes, not one of the {stage}"
        file = f"sopforge show {domain} {stage} --file {EDITABLE[stage]}"
        hint = (
            "leave it out: the next run checks the edit, and nothing counts before its approval;"
            f" to compare it, print what waits: {file}{store_option(domain.place)}"
        )
        raise MaterialError(Fault("preview-without-schema", message, "--preview", hint))
    workspace = Workspace(brief, {}).with_stage(stage, version.files)
    tried = try_edit(workspace, stage, text, by)
    changed = list_changed_sentences(workspace, tried.workspace)
    sides = [{"before": item.before, "after": item.after} for item in changed]
    record = {"sentences": sides, "findings": build_finding_records(tried.findings)}
    return Result(record, _lay_out_preview(sides, tried.findings))


def _lay_out_preview(sides: Sequence[Mapping[str, str]], findings: Sequence[Finding]) -> Parts:
    from sopforge.pipeline.changes.changelog import format_count

    count = format_count(len(sides), "sentence", "sentences")
    yield f"The edit changes {count} of the SOP; nothing is kept yet."
    for side in sides:
        yield f"  now:   {side['before'] or '(not there)'}"
        yield f"  then:  {side['after'] or '(not there)'}"
    yield from list_findings(findings)


def _vouch(
    domain: DomainStore,
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
    from sopforge.pipeline.briefs.brief_files import load_latest_brief
    from sopforge.pipeline.gates.edit_reading import read_edit, sign_edit
    from sopforge.pipeline.gates.rereading import choose_reader, reread_workspace

    stage = version.manifest.stage
    option = "--reader" if reader else "--sign"
    if stage != "sop":
        message = f"{option} is about edited lines of the sop, not of the {stage}"
        raise MaterialError(Fault("reader-without-sop", message, option, "leave it out"))
    brief = load_latest_brief(domain)
    workspace = reread_workspace(domain, brief).with_stage(stage, version.files)
    if not reader:
        signed = sign_edit(workspace, text, by)
        _refuse_unsigned(signed)
        return signed
    asking = choose_reader(domain.store, brief, reader, budget, "--reader")
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


def _list_readings(found: EditReading) -> Iterator[str]:
    """Yield what was made of the lines that no check can read."""
    if not found.readings and not found.unread:
        yield "The checks can read all lines; the next run says whether they are right."
        return
    read = len(found.readings)
    if read:
        lines = "1 line" if read == 1 else f"{read} lines"
        verb = "means" if read == 1 else "mean"
        yield f"{lines} that the checks cannot read {verb} the same:"
    for item in found.readings:
        yield f"  {item.text}"
        yield f"    as: {item.read_as}"
        yield f"    {item.read_by}"
    for line in found.unread:
        yield f"  still open: {line.text}"
        for reason in line.reasons:
            yield f"    nobody can vouch for it: {reason}"


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
