"""``sopforge check BRIEF``: asks the solver about a brief without generating anything."""

from __future__ import annotations

import shlex
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.output import Parts, Result, build_finding_records, list_findings
from sopforge.cli.screens.needs import build_needs_record, lay_out_needs
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sopforge.findings import Finding
    from sopforge.language.domain.reading import Brief
    from sopforge.workspace import Workspace


def check_model(brief: Path, against: Path | None, written: Path | None) -> Result:
    """Return what is wrong with the rules of a brief, with an example case for each problem.

    If the rules are sound, the SOP is written with the offline author, read back and checked. Of a
    brief with prose only, what can be checked without a model is; a model that was ``written`` from
    it is also compared with it.
    """
    from sopforge.authors.writers.offline import OfflineAuthor
    from sopforge.checks.registry import examine
    from sopforge.findings import has_errors
    from sopforge.pipeline.briefs.brief_files import load_brief
    from sopforge.proof.dataset.coverage.needs import compute_needs
    from sopforge.workspace import DOMAIN, Workspace

    loaded = load_brief(brief)
    other = None if against is None else load_brief(against)
    for path, read in ((brief, loaded), (against, other)):
        if against is not None and read is not None and read.built is None:
            raise MaterialError(_make_no_model_fault(path))
    if loaded.built is None and written is None:
        return _report_prose(loaded, brief)
    if written is None:
        workspace = Workspace(loaded, {DOMAIN: OfflineAuthor().write_domain(loaded)})
    else:
        workspace = Workspace(loaded, {DOMAIN: _read_written(loaded, written)})
        loaded = replace(loaded, built=workspace.model)
    findings = examine("schema", workspace)
    if not has_errors(findings):
        findings = [*findings, *_check_sop(workspace)]
    compared = None if other is None else _compare_briefs(loaded, other)
    needs = {} if has_errors(findings) else compute_needs(loaded.model, loaded.drawing.seed)
    record = _build_record(loaded, findings, compared)
    parts = chain(_lay_out(loaded, findings, compared), lay_out_needs(loaded.parts.dataset, needs))
    record["tasks_needed"] = build_needs_record(needs)
    return Result(record, parts, has_findings=has_errors(findings))


def _check_sop(workspace: Workspace) -> list[Finding]:
    """Return the findings of the stage that writes the SOP, before there is one."""
    from sopforge.authors.writers.offline import OfflineAuthor
    from sopforge.checks.registry import examine
    from sopforge.pipeline.stages.sop import SopStage

    written = SopStage().build(workspace, OfflineAuthor())
    return examine(SopStage.name, workspace.with_stage(SopStage.name, written))


def _read_written(brief: Brief, path: Path) -> str:
    """Return the text of a domain that was written from a brief in prose."""
    from sopforge.language.domain.reading import read_domain
    from sopforge.pipeline.briefs.brief_files import read_users_file

    if brief.built is not None:
        message = "the brief already states its model, so no model can be written from its prose"
        hint = "leave out --written, or pass a brief without a model"
        raise MaterialError(Fault("model-stated", message, str(path), hint))
    text = read_users_file(path, "domain-not-found", str(path))
    read_domain(text, str(path))
    return text


def _make_no_model_fault(path: Path | None) -> Fault:
    message = "the brief has no model yet, so there is nothing to compare"
    hint = (
        f"have the model written ({_format_preview_command(path)}), then compare the approved"
        " models"
    )
    return Fault("model-missing", message, str(path), hint)


def _format_preview_command(path: Path | None) -> str:
    return f"sopforge plan --preview {shlex.quote(str(path))}"


def _report_prose(brief: Brief, path: Path) -> Result:
    """Return what was read of a brief without a model, and what comes next."""
    from sopforge.findings import format_finding_count
    from sopforge.pipeline.runs.run import find_brief_warnings

    findings, name = find_brief_warnings(brief), brief.parts.domain
    record: dict[str, object] = {
        "domain": name,
        **dict.fromkeys(("fields", "decisions", "steps")),
        "findings": build_finding_records(findings),
        "against": None,
        "tasks_needed": {},
    }
    lines = [
        f"{name}: prose without a model; {format_finding_count(findings)}",
        (
            "SOPForge checked the format, and looked for personal data and for more text than a"
            " language model can read. It checks cases, rules and steps when the model is written."
        ),
        f"Next: {_format_preview_command(path)}",
    ]
    return Result(record, chain(list_findings(findings, brief.locate_finding), lines))


def _compare_briefs(one: Brief, other: Brief) -> tuple[str, Mapping[str, str]]:
    """Return whether two briefs decide every case alike, with the least case where they do not.

    Raises:
        MaterialError: the models have other fields, so that not every case can be compared.
    """
    from sopforge.proof.solving.comparing.models import (
        compare_models,
        list_acts_of_one,
        list_answers_of_one,
    )
    from sopforge.proof.solving.questions import NoRow, Row

    found, odd = compare_models(one.model, other.model), set[str]()
    for pair in ((one.model, other.model), (other.model, one.model)):
        odd |= {*list_answers_of_one(*pair), *list_acts_of_one(*pair)}
    if odd := odd | {*found.apart, *found.narrowed}:
        message = f"the models differ in their fields: {', '.join(sorted(odd))}"
        hint = "only rules, policy and procedure may differ"
        raise MaterialError(Fault("fields-differ", message, "model.entities", hint))
    match found.answer:
        case NoRow():
            return "alike", {}
        case Row() as row:
            return "different", row.cells
        case _:
            return "undecided", {}


def _build_record(
    brief: Brief, findings: Sequence[Finding], compared: tuple[str, Mapping[str, str]] | None
) -> dict[str, object]:
    model = brief.model
    return {
        "domain": model.name,
        "fields": len(model.fields),
        "decisions": len(model.decisions),
        "steps": len(model.steps),
        "findings": build_finding_records(findings),
        "against": compared and {"answer": compared[0], "case": dict(compared[1])},
    }


def _lay_out(
    brief: Brief, findings: Sequence[Finding], compared: tuple[str, Mapping[str, str]] | None
) -> Parts:
    from sopforge.findings import format_finding_count
    from sopforge.language.english.nouns import format_quantity

    model = brief.model
    yield from list_findings(findings, brief.locate_finding)
    parts = {"fields": model.fields, "decisions": model.decisions, "steps": model.steps}
    size = ", ".join(format_quantity(str(len(there)), name) for name, there in parts.items())
    yield f"{model.name}: {size}; {format_finding_count(findings)}"
    match compared:
        case ("alike", _):
            yield f"{model.name}: both briefs decide every case alike (proved)"
        case ("different", cells):
            yield Text(f"{model.name}: the briefs decide this case differently:", "yellow")
            for name, cell in cells.items():
                yield f"  {name} = {cell}"
        case ("undecided", _):
            yield Text("undecided: the solver's budget ran out", "yellow")
        case _:
            pass
