"""What happens after a decision: a scheduler starts the next run, or the command says who can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import store_option
from sopforge.cli.output import Parts, make_console, print_faults, say
from sopforge.errors import ContinuationError, Fault

if TYPE_CHECKING:
    from sopforge.pipeline.runs.continuing import Continuation
    from sopforge.store.versions import DomainStore


class Starter(StrEnum):
    """Who starts the next run of a domain."""

    NOBODY = "no"
    PREFECT = "prefect"


Continue = Annotated[
    Starter,
    typer.Option(
        "--continue",
        envvar="SOPFORGE_CONTINUE",
        help="What starts the next run: no (you start it) or prefect (the Prefect deployment).",
    ),
]


def choose_continuation(starter: Starter) -> Continuation | None:
    """Return who starts runs elsewhere, or None; only this loads a scheduler."""
    if starter is Starter.NOBODY:
        return None
    from flows.starting import PrefectContinuation

    return PrefectContinuation()


@dataclass(frozen=True, slots=True)
class Following:
    """What follows a decision: ``said`` to people, and for programs the ``commands`` to go on by.

    Where a scheduler starts the next run, ``message`` is what it said; where it does not,
    ``faults`` say why.
    """

    said: str
    commands: Mapping[str, str] = field(default_factory=dict)
    message: str = ""
    faults: tuple[Fault, ...] = ()

    def lay_out(self) -> Parts:
        """Yield it for people; why a run could not be started is printed as an error."""
        if self.faults:
            print_faults(self.faults)
            say(make_console(stderr=True), self.said)
        else:
            yield self.said

    def as_record(self) -> dict[str, object]:
        """Return it ready for JSON."""
        faults = [asdict(fault) for fault in self.faults]
        return {"message": self.message, "faults": faults, "next": dict(self.commands)}


def start_next_run(domain: DomainStore, starter: Starter) -> Following:
    """Have the next run started after a decision, or say how; the decision stands in any case."""
    from sopforge.pipeline.runs.continuing import find_next_run
    from sopforge.store.places import resolve_place

    by_hand = f"sopforge continue {domain}{store_option(domain.place)}"
    commands, continuation = {"go_on": by_hand}, choose_continuation(starter)
    if continuation is None:
        return Following(f"Continue with: {by_hand}", commands)
    try:
        message = continuation.start(resolve_place(domain.place), find_next_run(domain))
    except ContinuationError as refused:
        later = f"sopforge continue --all{store_option(domain.place)}"
        said = f"The decision is recorded. The next sweep continues from it ({later}), or run:"
        said += f" {by_hand}"
        return Following(said, commands, faults=tuple(refused.faults))
    return Following(f"The next run: {message}", message=message)
