"""Options of the commands that run agents, and of those that read what agents did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, Budget, Prices, StorePlace

if TYPE_CHECKING:
    from sopforge.cli.evaluate.users import AskedUser
    from sopforge.evaluation.figures.series import Series
    from sopforge.evaluation.runs.rows import Row

PANEL = "Agents that use a language model"
USUAL_TEMPERATURE = "0.5"
"""As a text: typer parses defaults, too."""


def parse_temperature(text: str) -> float | None:
    """Return a temperature, None for the provider's own; raises what typer shows for others."""
    if text == "none":
        return None
    try:
        found = float(text)
    except ValueError as cause:
        raise typer.BadParameter(f"{text!r} is neither a number nor 'none'") from cause
    if not 0 <= found <= 2:  # noqa: PLR2004 - what providers take
        raise typer.BadParameter(f"{text!r} is not between 0 and 2")
    return found


Tasks = Annotated[
    int,
    typer.Option("--tasks", min=0, help="Number of tasks to sample with the seed; 0 means all."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed for all random choices.")]
RunPackages = Annotated[
    list[str] | None,
    typer.Option(
        "--packages",
        metavar="PACKAGE",
        help="Package that the runs used [default: where 'evaluate' found it]. Can be repeated.",
    ),
]


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """How agents are run, whatever they are asked; times in seconds."""

    seed: Seed = 0
    time_limit: Annotated[
        float,
        typer.Option(
            min=1,
            max=604_800,
            help="Maximum seconds per task, for command agents and model agents.",
        ),
    ] = 600.0
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="PROVIDER/MODEL",
            help="Model for the agent, named as in Inspect. Can be repeated.",
            rich_help_panel=PANEL,
        ),
    ] = None
    temperature: Annotated[
        float | None,
        typer.Option(
            parser=parse_temperature,
            metavar="NUMBER",
            help="Temperature for models that accept one; 'none' uses the provider's default.",
            rich_help_panel=PANEL,
        ),
    ] = USUAL_TEMPERATURE  # type: ignore[assignment] # typer parses it
    max_tokens: Annotated[
        int, typer.Option(min=1, help="Maximum tokens per reply.", rich_help_panel=PANEL)
    ] = 8000
    cap: Annotated[
        int,
        typer.Option(
            min=0,
            help="Maximum model calls per task; 0 means 10 for function-calling, 15 for react and"
            " 30 for retrieval.",
            rich_help_panel=PANEL,
        ),
    ] = 0
    token_budget: Annotated[
        int,
        typer.Option(
            min=0,
            help="Maximum tokens per task; 0 means 200,000 for the agent 'budget' and no limit for"
            " others.",
            rich_help_panel=PANEL,
        ),
    ] = 0
    canned_reply: Annotated[
        bool,
        typer.Option(
            "--canned-reply",
            help="Reply to a message that neither calls a tool nor ends the case, instead of ending"
            " the attempt.",
            rich_help_panel=PANEL,
        ),
    ] = False
    call_limit: Annotated[
        int,
        typer.Option(
            min=1,
            max=604_800,
            help="Maximum seconds to wait for a provider's answer, including retries.",
            rich_help_panel=PANEL,
        ),
    ] = 600
    prices: Prices = None
    budget: Budget = None


@dataclass(frozen=True, slots=True)
class RunOptions(AgentOptions):
    """How agents are run on many tasks, some of them at once."""

    epochs: Annotated[
        int,
        typer.Option(min=1, help="Number of attempts per task; use 4 or more to estimate pass^k."),
    ] = 1
    on_inspect: Annotated[
        bool, typer.Option("--inspect", help="Also use Inspect to run agents that use no model.")
    ] = False
    concurrency: Annotated[
        int,
        typer.Option(
            min=1,
            help="Number of tasks to run in parallel.",
            rich_help_panel=PANEL,
        ),
    ] = 10


USERS = "Simulated user"


@dataclass(frozen=True, slots=True)
class UserOptions:
    """The simulated user who states a task, if there is to be one."""

    user: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="Let a simulated user state the task: one-message (all at once) or turn-by-turn"
            " (the rest when the agent asks).",
            rich_help_panel=USERS,
        ),
    ] = ""
    manner: Annotated[
        list[str] | None,
        typer.Option(
            help="How the user behaves: plain, changes, insists, claims, demands, or all (one of"
            " them at random for each task) [default: plain]. Can be repeated.",
            rich_help_panel=USERS,
        ),
    ] = None
    user_words: Annotated[
        Path | None,
        typer.Option(
            help="File with wordings for each act of the user, instead of the built-in wordings.",
            rich_help_panel=USERS,
        ),
    ] = None

    def read(self, seed: int) -> AskedUser | None:
        """Return the user that is asked for, None where there is to be none."""
        from sopforge.cli.evaluate.users import read_user

        return read_user(self.user, self.manner or [], self.user_words, seed)


@dataclass(frozen=True)
class ReadRuns:
    """Runs to be read, and where the packages are that they used."""

    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN", help="Output folder of 'evaluate', or FOLDER#AGENT for one agent."
        ),
    ]
    packages: RunPackages = None
    place: StorePlace = DEFAULT_STORE

    @cached_property
    def rows(self) -> list[Row]:
        """What was kept of all attempts."""
        from sopforge.evaluation.runs.comparing import read_runs

        return [row for run in self.runs for row in read_runs(run)]

    def list_series(self) -> Sequence[Series]:
        """Return the attempts by package, agent and settings."""
        from sopforge.evaluation.figures.series import list_series
        from sopforge.evaluation.runs.comparing import read_asked_runs

        return list_series(self.rows, read_asked_runs(self.runs))

    @property
    def sources(self) -> tuple[list[Path], list[str], str]:
        """Where the packages of the runs are looked for: folders, names and a store."""
        from sopforge.evaluation.runs.comparing import locate_run

        return list(dict.fromkeys(map(locate_run, self.runs))), self.packages or [], self.place
