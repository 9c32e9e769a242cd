"""``sopforge plan``: what generating a brief would do, before anything runs."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.make.preview import preview
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    BriefFile,
    Budget,
    Prices,
    StorePlace,
    Variant,
    refuse_options,
    store_option,
)
from sopforge.cli.output import Parts, Result, make_table
from sopforge.cli.running.asked_briefs import load_asked_brief
from sopforge.cli.screens.estimate import build_estimate_record, lay_out_estimate
from sopforge.cli.screens.needs import build_needs_record, lay_out_needs

if TYPE_CHECKING:
    from sopforge.authors.writers.estimating import Question
    from sopforge.pipeline.runs.plan import Plan, PlannedStage


def plan(
    brief: BriefFile,
    variant: Variant = "",
    is_previewed: Annotated[
        bool,
        typer.Option(
            "--preview",
            help="Show what the domain will be like instead: its size, some cases and the SOP. If a"
            " language model is the author, it writes the domain model and one section.",
        ),
    ] = False,
    budget: Budget = None,
    prices: Prices = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Show what a run would build and why, which gates are open, and what models would cost.

    Without --preview, the command writes nothing, builds nothing and calls no model. With it, the
    model's answers are kept, so that generate does not ask for them again.
    """
    if is_previewed:
        return preview(load_asked_brief(brief, variant), place, budget, prices, as_json=as_json)
    refuse_options({"--budget": budget is not None}, "without --preview")
    from sopforge.authors.writers.choosing import choose_author
    from sopforge.pipeline.briefs.earlier_answers import add_kept_answers
    from sopforge.pipeline.runs import plan as planning
    from sopforge.store.opening import open_store

    opened = open_store(place)
    asked = load_asked_brief(brief, variant)
    loaded = add_kept_answers(opened.get_domain(asked.parts.domain), asked)
    author = choose_author(loaded, opened.objects, prices=prices)
    made = planning.plan_run(opened, loaded, author)
    questions = planning.list_questions_ahead(made, author)
    needs = planning.compute_needs_ahead(made)
    record = _build_record(made, questions, prices)
    parts = chain(
        _lay_out(made, place),
        lay_out_needs(made.brief.parts.dataset, needs),
        _lay_out_calls(made, questions, prices, f"{shlex.quote(str(brief))}{store_option(place)}"),
    )
    return Result(record | {"tasks_needed": build_needs_record(needs)}, parts)


def _lay_out_calls(
    made: Plan, questions: Sequence[Question] | None, prices: Path | None, named: str
) -> Parts:
    if questions is None:
        look = f"sopforge plan --preview {named}"
        yield f"More model calls are known once the model has written the rules: {look}"
    elif questions:
        yield from lay_out_estimate(questions, made.brief.parts.writer, prices)


def _build_record(
    made: Plan, questions: Sequence[Question] | None, prices: Path | None
) -> dict[str, object]:
    parts = made.brief.parts
    return {
        "domain": parts.domain,
        "tasks": parts.dataset.n_samples,
        "levels": list(parts.complexity.levels),
        "stages": [
            {
                "stage": stage.name,
                "fate": stage.fate,
                "version": stage.version.number if stage.version else None,
                "gate": stage.gate,
                "reasons": list(stage.reasons),
            }
            for stage in made.stages
        ],
        "waits": made.waiting.name if made.waiting else None,
        "estimate": None
        if questions is None
        else build_estimate_record(questions, parts.writer, prices),
    }


def _lay_out(made: Plan, place: str) -> Parts:
    from sopforge.pipeline.runs.plan import Fate

    parts = made.brief.parts
    levels = ", ".join(parts.complexity.levels)
    yield f"{parts.domain}: {parts.dataset.n_samples} tasks, at {levels}"
    rows = [
        (
            stage.name,
            str(stage.version.number) if stage.version else "",
            _describe_stage(stage),
            "; ".join(stage.reasons),
        )
        for stage in made.stages
    ]
    yield make_table("", ["stage", "version", "state", "why"], rows)
    building, unsure = made.list_stages(Fate.STALE, Fate.NEW), made.list_stages(Fate.UNSURE)
    if building:
        yield f"To be built: {', '.join(building)}."
    if unsure:
        yield f"To be built if their inputs change: {', '.join(unsure)}."
    if not building:
        yield "Nothing to build."
    if waiting := made.waiting:
        show = f"sopforge show {parts.domain} {waiting.name}{store_option(place)}"
        yield f"{waiting.name} waits for a decision: {show}"


def _describe_stage(stage: PlannedStage) -> str:
    return f"{stage.fate}, {stage.gate}" if stage.gate else str(stage.fate)
