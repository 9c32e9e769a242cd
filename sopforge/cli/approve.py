"""``sopforge approve``: accept what waits at a gate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    By,
    Digest,
    Domain,
    StageName,
    StorePlace,
    known_domain,
    person,
    shortened_digest,
    store_option,
)
from sopforge.cli.output import console, say
from sopforge.errors import Fault, MaterialError

# What the SOP-Bench papers have experts rate, from 1 to 10.
RATINGS = ("ease", "ambiguity", "reasoning")
MARKS = range(1, 11)


def approve(
    domain: Domain,
    stage: StageName,
    digest: Digest = None,
    by: By = "",
    store: StorePlace = DEFAULT_STORE,
    despite_errors: Annotated[
        bool, typer.Option("--despite-errors", help="Approve although errors were found.")
    ] = False,
    rate: Annotated[
        list[str] | None,
        typer.Option(
            "--rate",
            metavar="NAME=1..10",
            help=f"Your mark for one of {', '.join(RATINGS)}; give it for each.",
        ),
    ] = None,
    checked: Annotated[
        list[str] | None,
        typer.Option("--checked", help="A point of the brief's checklist that holds; repeat it."),
    ] = None,
) -> None:
    """Approve the version of a stage that waits, as a person."""
    from sopforge.stages.gates import decide
    from sopforge.store.decisions import GateState, Opinion, Verdict
    from sopforge.store.opening import open_store

    opened = open_store(store)
    decided = decide(
        opened,
        known_domain(opened, domain),
        stage=stage,
        digest=shortened_digest(digest),
        verdict=Verdict.APPROVE,
        by=person(by),
        opinion=Opinion(ratings=_ratings(rate or ()), checked=tuple(checked or ())),
        despite_errors=despite_errors,
    )
    screen, decision = console(), decided.decision
    say(screen, f"{decision.by} approved {domain} {stage} {decision.content[:12]}.")
    if decided.state is GateState.WAITING:
        say(screen, f"{decided.missing} more must approve it.")
    else:
        say(screen, f"Generate again to go on: sopforge generate BRIEF{store_option(store)}")


def _ratings(given: Iterable[str]) -> dict[str, int]:
    """Return marks by name; raises ``MaterialError`` for what is none."""
    found: dict[str, int] = {}
    for text in given:
        name, _, mark = text.partition("=")
        if name not in RATINGS or not mark.isdecimal() or int(mark) not in MARKS:
            hint = f"write one of {', '.join(RATINGS)}, such as {RATINGS[0]}=7, from 1 to 10"
            raise MaterialError(Fault("rating", f"'{text}' is no rating", "--rate", hint))
        found[name] = int(mark)
    return found
