"""``sopforge plan --preview``: a look at a domain before a language model is paid for all of it."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.output import (
    Parts,
    Result,
    build_finding_records,
    list_findings,
    make_console,
    print_findings,
)
from sopforge.cli.screens.artifact_view import lay_out_case
from sopforge.cli.screens.estimate import build_estimate_record, lay_out_estimate
from sopforge.cli.screens.progress import Watching

if TYPE_CHECKING:
    from decimal import Decimal
    from pathlib import Path

    from sopforge.language.domain.reading import Brief
    from sopforge.pipeline.runs.preview import Preview


def preview(
    loaded: Brief, place: str, budget: Decimal | None, prices: Path | None, *, as_json: bool
) -> Result:
    """Return what a domain will be like: its size, some cases and the SOP.

    The answers of a language model are kept.
    """
    from sopforge.authors.writers.choosing import choose_author
    from sopforge.authors.writers.long_briefs import check_brief_length
    from sopforge.authors.writers.personal_data import check_personal_data
    from sopforge.findings import has_errors
    from sopforge.pipeline.runs.preview import preview as look
    from sopforge.store.format import mark_format
    from sopforge.store.opening import open_store

    opened, writer = open_store(place), loaded.parts.writer
    if writer.name != "offline":
        print_findings(
            make_console(stderr=True), [*check_personal_data(loaded), *check_brief_length(loaded)]
        )
        # A look builds nothing, but the answers that were paid for are kept: the store is written
        # to.
        mark_format(opened.objects)
    progress = Watching(make_console(stderr=as_json))
    author = choose_author(loaded, opened.objects, budget, prices=prices, watch=progress.hear)
    with progress.show_live():
        found = look(opened, loaded, author)
    spent = progress.describe_spending()
    record = {
        **_build_record(loaded, found),
        "spent": spent,
        "estimate": build_estimate_record(found.questions, writer, prices),
    }
    parts = chain(
        _lay_out(loaded, found, spent or "no model was called"),
        lay_out_estimate(found.questions, writer, prices) if found.questions else (),
    )
    return Result(record, parts, has_findings=has_errors(found.findings))


def _build_record(brief: Brief, found: Preview) -> dict[str, object]:
    model = found.model
    return {
        "domain": brief.parts.domain,
        "tools": len(model.offered.tools) if model else None,
        "steps": len(model.steps) if model else None,
        "cases": [dict(case.row) for case in found.cases],
        "reasons": [
            {"facts": dict(case.facts), "because": list(case.because)} for case in found.cases
        ],
        "section": found.section.as_text() if found.section else "",
        "findings": build_finding_records(found.findings),
    }


def _lay_out(brief: Brief, found: Preview, spent: str) -> Parts:
    from sopforge.findings import format_finding_count, has_errors, sort_by_severity

    yield from list_findings(sort_by_severity(found.findings), brief.locate_finding)
    model = found.model
    if model is None:
        yield f"This preview: {spent}."
        yield Text("The domain still has errors; 'generate' continues from here.", "yellow")
        return
    size = f"{len(model.offered.tools)} tools, {len(model.steps)} steps"
    yield f"{model.title}: {size}; {format_finding_count(found.findings)}"
    for number, case in enumerate(found.cases, start=1):
        yield from lay_out_case(model, number, case)
    if found.section is not None:
        yield f"\n{found.section.as_text()}"
    if has_errors(found.findings):
        yield Text("The section has errors; 'generate' sends them back to the model.", "yellow")
    if found.questions:
        yield f"\nThis preview: {spent}. The answers are on record.\n"
