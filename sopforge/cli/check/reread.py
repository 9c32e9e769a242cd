"""``sopforge reread``: does a second language model understand the SOP as the model has it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Budget,
    StorePlace,
    require_domain,
)
from sopforge.cli.output import EXIT_FINDINGS, make_console, print_findings, print_json, say

if TYPE_CHECKING:
    from sopforge.domain.reading import Brief
    from sopforge.gates.rereading import Reread
    from sopforge.store.versions import Store


def reread(
    domain: Annotated[str, typer.Argument(help="Brief file, or name of a domain in the store.")],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="PROVIDER:MODEL",
            help="Model that reads the SOP, such as anthropic:claude-opus-5-5 [default: the brief's"
            " author].",
            show_default=False,
        ),
    ] = "",
    tasks: Annotated[
        int,
        typer.Option(
            "--tasks", min=0, help="Number of tasks that the model answers from the text."
        ),
    ] = 20,
    budget: Budget = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Have a language model read the SOP without its rules, and report the differences."""
    from sopforge.findings import has_errors
    from sopforge.gates.rereading import choose_reader, reread_workspace
    from sopforge.gates.rereading import reread as read_again
    from sopforge.store.opening import open_store

    opened = open_store(place)
    brief = _load_brief(opened, domain)
    reader = choose_reader(opened, brief, model, budget)
    found = read_again(reader, reread_workspace(opened, brief), tasks)
    if as_json:
        print_json({"domain": brief.parts.domain, **found.as_record()})
    else:
        _show(found, brief.parts.domain, tasks)
    if has_errors(found.findings):
        raise typer.Exit(EXIT_FINDINGS)


def _load_brief(store: Store, domain: str) -> Brief:
    """Return the brief in a file, else the one from which a domain was last generated."""
    from sopforge.briefs.brief_files import load_brief, load_latest_brief

    path = Path(domain)
    if path.suffix or path.is_file():
        return load_brief(path)
    return load_latest_brief(store, require_domain(store, domain))


def _describe_missing_labels(tasks: int) -> str:
    return "the SOP's model has no tasks yet" if tasks else "--tasks is 0"


def _show(found: Reread, domain: str, tasks: int) -> None:
    screen, labels, back = make_console(), found.labels, found.back
    say(screen, f"{domain}: the SOP, read by {found.reader}", "bold")
    if found.is_labelled:
        low, high = (round(100 * end) for end in labels.interval)
        asked = len(labels.labelled)
        text = f"labels: {labels.right} of {asked} tasks agree (95 % interval: {low} to {high} %)"
        say(screen, f"{text}, on {labels.paths} of {labels.all_paths} paths")
    else:
        say(screen, f"labels: none, because {_describe_missing_labels(tasks)}")
    say(screen, f"rules: {back.rules} compared, from {back.passages} passages")
    print_findings(screen, found.findings)
    for item in back.own:
        taken = f"read as {', '.join(item.read_as)}" if item.read_as else "no rule is read from it"
        say(screen, f"  own paragraph in {item.where} ({taken}): {item.text}")
    say(screen, "The SOP is unchanged; the model's answers are on record.")
