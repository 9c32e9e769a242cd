"""``sopforge reread``: does a second language model understand the SOP as the model has it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sopforge.cli.check.rate import rate_sop
from sopforge.cli.options import DEFAULT_STORE, Budget, StorePlace, refuse_options, require_domain
from sopforge.cli.output import Parts, Result, list_findings

if TYPE_CHECKING:
    from sopforge.language.domain.reading import Brief
    from sopforge.pipeline.gates.rereading import Reread
    from sopforge.store.versions import Store


def reread(
    domain: Annotated[
        str,
        typer.Argument(
            metavar="BRIEF|DOMAIN|PACKAGE",
            help="Brief file, or name of a domain in the store; with --rate, domain or package.",
        ),
    ],
    model: Annotated[
        str,
        typer.Option(
            metavar="PROVIDER:MODEL",
            help="Model that reads the SOP, such as anthropic:claude-opus-5-5 [default: the brief's"
            " author].",
            show_default=False,
        ),
    ] = "",
    tasks: Annotated[
        int, typer.Option(min=0, help="Number of tasks that the model answers from the text.")
    ] = 20,
    rate: Annotated[
        bool,
        typer.Option(
            "--rate", help="Have the model rate the complexity of the SOP from 1 to 10 instead."
        ),
    ] = False,
    keep: Annotated[
        bool,
        typer.Option(
            help="With --rate, save the rating of a domain in its brief, for the next release."
        ),
    ] = True,
    budget: Budget = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Have a language model read the SOP without its rules, and report the differences.

    With --rate, the next release of a domain states the rating in the metadata and on the card.
    Published packages do not change.
    """
    if rate:
        return rate_sop(domain, model, budget, place, keep=keep)
    refuse_options({"--no-keep": not keep}, "without --rate")
    from sopforge.findings import has_errors
    from sopforge.pipeline.gates.rereading import choose_reader, reread_workspace
    from sopforge.pipeline.gates.rereading import reread as read_again
    from sopforge.store.opening import open_store

    opened = open_store(place)
    brief = _load_brief(opened, domain)
    reader = choose_reader(opened, brief, model, budget)
    found = read_again(
        reader, reread_workspace(opened.get_domain(brief.parts.domain), brief), tasks
    )
    name = brief.parts.domain
    return Result(
        {"domain": name, **found.as_record()},
        _lay_out(found, name, tasks),
        has_findings=has_errors(found.findings),
    )


def _load_brief(store: Store, named: str) -> Brief:
    """Return the brief in a file, else the one from which a domain was last generated."""
    from sopforge.pipeline.briefs.brief_files import load_brief, load_latest_brief

    path = Path(named)
    if path.suffix or path.is_file():
        return load_brief(path)
    return load_latest_brief(require_domain(store, named))


def _describe_missing_labels(tasks: int) -> str:
    return "the SOP's model has no tasks yet" if tasks else "--tasks is 0"


def _lay_out(found: Reread, domain: str, tasks: int) -> Parts:
    labels, back = found.labels, found.back
    yield Text(f"{domain}: the SOP, read by {found.reader}", "bold")
    if found.is_labelled:
        low, high = (round(100 * end) for end in labels.interval)
        asked = len(labels.labelled)
        text = f"labels: {labels.right} of {asked} tasks agree (95 % interval: {low} to {high} %)"
        yield f"{text}, on {labels.paths} of {labels.all_paths} paths"
    else:
        yield f"labels: none, because {_describe_missing_labels(tasks)}"
    yield f"rules: {back.rules} compared, from {back.passages} passages"
    yield from list_findings(found.findings)
    for item in back.own:
        taken = f"read as {', '.join(item.read_as)}" if item.read_as else "no rule is read from it"
        yield f"  own paragraph in {item.where} ({taken}): {item.text}"
    yield "The SOP is unchanged; the model's answers are on record."
