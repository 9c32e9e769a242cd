"""``sopforge approve``: accept what waits at a gate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.artifacts.packaging.rating.ratings import MARKS, RATINGS
from sopforge.cli.decide.deciding import DecisionOptions, report_decision
from sopforge.cli.options import AsJson, store_option
from sopforge.cli.output import Result
from sopforge.cli.running.continuing import Continue, Following, Starter, start_next_run
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.pipeline.gates.gate import Decided


def approve(
    asked: DecisionOptions,
    starter: Continue = Starter.NOBODY,
    despite_errors: Annotated[
        bool, typer.Option("--despite-errors", help="Approve the version even if it has errors.")
    ] = False,
    rate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=1..10",
            help=f"Rate one of {', '.join(RATINGS)} from 1 to 10, where 10 is the easiest or"
            " the most. Can be repeated.",
        ),
    ] = None,
    checked: Annotated[
        list[str] | None,
        typer.Option(help="Confirm this point of the brief's checklist. Can be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> Result:
    """Approve the version of a stage that is waiting for a decision."""
    from sopforge.store.entries import DecisionVerdict
    from sopforge.store.log.audit_log import GateState, Opinion
    from sopforge.workspace import STAGE_NAMES

    opinion = Opinion(ratings=_parse_ratings(rate or ()), checked=tuple(checked or ()))
    domain, decided, questions = asked.decide(
        DecisionVerdict.APPROVE, "Approve", opinion, is_quiet=as_json, despite_errors=despite_errors
    )
    stage = asked.stage

    def follow() -> Following:
        if decided.state is GateState.WAITING:
            people = "person" if decided.missing == 1 else "people"
            return Following(f"{decided.missing} more {people} must approve it.")
        if stage == STAGE_NAMES[-1] and starter is Starter.NOBODY:
            publish = f"sopforge publish {domain}{store_option(asked.place)}"
            return Following(f"Next: {publish}", {"publish": publish})
        return start_next_run(domain, starter)

    decision = decided.decision
    sentence = f"{decision.by} approved {domain} {stage} {decision.content[:12]}."
    sentence = " ".join([sentence, *_list_unsettled(decided, questions)])
    return report_decision(decided, questions, sentence, follow)


def _list_unsettled(decided: Decided, questions: int) -> list[str]:
    """Return what was still open when somebody approved, as sentences."""
    counts = {
        ("question is", "questions are", "open"): questions,
        ("request for changes was", "requests for changes were", "not carried out"): (
            decided.open_requests
        ),
    }
    return [
        f"{number} {one if number == 1 else more} {rest}."
        for (one, more, rest), number in counts.items()
        if number
    ]


def _parse_ratings(given: Iterable[str]) -> dict[str, int]:
    """Return marks by name; raises ``MaterialError`` for what is none."""
    found: dict[str, int] = {}
    for text in given:
        name, _, mark = text.partition("=")
        if name not in RATINGS or not mark.isdecimal() or int(mark) not in MARKS:
            hint = f"write one of {', '.join(RATINGS)}, such as {RATINGS[0]}=7, from 1 to 10"
            raise MaterialError(Fault("rating", f"'{text}' is not a rating", "--rate", hint))
        found[name] = int(mark)
    return found
