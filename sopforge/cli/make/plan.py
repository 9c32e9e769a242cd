"""``sopforge plan``: what generating a brief would do, before anything runs."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, AsJson, BriefFile, Prices, StorePlace, store_option
from sopforge.cli.output import make_console, make_table, print_json, say
from sopforge.cli.running.asked_briefs import load_asked_brief
from sopforge.cli.screens.estimate import build_estimate_record, show_estimate
from sopforge.cli.screens.needs import build_needs_record, show_needs

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.authors.estimating import Question
    from sopforge.runs.plan import Plan, PlannedStage


def plan(
    brief: BriefFile,
    variant: Annotated[
        str,
        typer.Option(
            "--variant",
            help="Use this variant, which the brief defines, instead of the brief itself.",
        ),
    ] = "",
    prices: Prices = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Show what a run would build and why, which gates are open, and what models would cost.

    The command writes nothing, builds nothing and calls no model.
    """
    from sopforge.authors.choosing import choose_author
    from sopforge.briefs.earlier_answers import add_kept_answers
    from sopforge.runs import plan as planning
    from sopforge.store.opening import open_store

    opened = open_store(place)
    loaded = add_kept_answers(opened, load_asked_brief(brief, variant))
    author = choose_author(loaded, opened.objects, prices=prices)
    made = planning.plan_run(opened, loaded, author)
    questions = planning.list_questions_ahead(made, author)
    needs = planning.compute_needs_ahead(made)
    if as_json:
        print_json(
            _build_record(made, questions, prices) | {"tasks_needed": build_needs_record(needs)}
        )
        return
    screen = make_console()
    _show(screen, made, place)
    show_needs(screen, made.brief.parts.dataset, needs)
    if questions is None:
        look = f"sopforge preview {shlex.quote(str(brief))}{store_option(place)}"
        say(
            screen,
            f"More model calls are known once the model has written the rules: {look}",
        )
    elif questions:
        show_estimate(screen, questions, loaded.parts.writer, prices)


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


def _show(screen: Console, made: Plan, place: str) -> None:
    from sopforge.runs.plan import Fate

    parts = made.brief.parts
    levels = ", ".join(parts.complexity.levels)
    say(screen, f"{parts.domain}: {parts.dataset.n_samples} tasks, at {levels}")
    shown = make_table("", "stage", "version", "state", "why")
    for stage in made.stages:
        version = str(stage.version.number) if stage.version else ""
        shown.add_row(stage.name, version, _describe_stage(stage), "; ".join(stage.reasons))
    screen.print(shown)
    building, unsure = made.list_stages(Fate.STALE, Fate.NEW), made.list_stages(Fate.UNSURE)
    if building:
        say(screen, f"To be built: {', '.join(building)}.")
    if unsure:
        say(screen, f"To be built if their inputs change: {', '.join(unsure)}.")
    if not building:
        say(screen, "Nothing to build.")
    if waiting := made.waiting:
        show = f"sopforge show {parts.domain} {waiting.name}{store_option(place)}"
        say(screen, f"{waiting.name} waits for a decision: {show}")


def _describe_stage(stage: PlannedStage) -> str:
    return f"{stage.fate}, {stage.gate}" if stage.gate else str(stage.fate)
