"""Options of the commands that run agents, beside which agents and on what."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PANEL = "Agents that ask a language model"
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


Runs = Annotated[
    list[str], typer.Argument(metavar="RUN...", help="Folders of evaluate, or FOLDER#AGENT.")
]
RunPackages = Annotated[
    list[str] | None,
    typer.Option(
        "--packages",
        metavar="PACKAGE",
        help="A package of the runs; may be repeated [default: where evaluate found them].",
    ),
]
Tasks = Annotated[
    int, typer.Option("--tasks", min=0, help="Number of tasks, sampled with the seed [0: all].")
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, help="Seed for agents and for the choice of tasks.")
]
Epochs = Annotated[
    int,
    typer.Option("--epochs", min=1, help="Number of attempts per task; 4 or more show pass^k."),
]
Dials = Annotated[
    list[str] | None,
    typer.Option(
        "--dial",
        metavar="NAME=DOSE",
        help="A layer around the package: with faults=3, tools fail three times in half of the"
        " tasks. May be repeated.",
    ),
]
USERS = "A simulated user"
UserMode = Annotated[
    str,
    typer.Option(
        "--user",
        metavar="MODE",
        help="A simulated user states the task: one-message (all at once) or turn-by-turn (as"
        " asked).",
        rich_help_panel=USERS,
    ),
]
Manners = Annotated[
    list[str] | None,
    typer.Option(
        "--manner",
        help="Manner of the user: plain, changes, insists, claims or demands; may be repeated;"
        " 'all' draws one for each task [default: plain].",
        rich_help_panel=USERS,
    ),
]
UserWords = Annotated[
    Path | None,
    typer.Option(
        "--user-words",
        help="File with the user's wordings, by act, instead of the built-in ones.",
        rich_help_panel=USERS,
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        min=1,
        max=604_800,
        help="Seconds per task for a command or a model agent.",
    ),
]
OnInspect = Annotated[
    bool,
    typer.Option("--inspect", help="Run agents that use no model in Inspect as well."),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="PROVIDER/MODEL",
        help="A model, named as in Inspect. May be repeated.",
        rich_help_panel=PANEL,
    ),
]
Temperature = Annotated[
    float | None,
    typer.Option(
        "--temperature",
        parser=parse_temperature,
        metavar="NUMBER",
        help="Temperature, for models that take one; 'none' leaves it to the provider.",
        rich_help_panel=PANEL,
    ),
]
MaxTokens = Annotated[
    int,
    typer.Option("--max-tokens", min=1, help="Maximum tokens of a reply.", rich_help_panel=PANEL),
]
Cap = Annotated[
    int,
    typer.Option(
        "--cap",
        min=0,
        help="Maximum model calls per task [0: 10 function-calling, 15 react, 30 retrieval].",
        rich_help_panel=PANEL,
    ),
]
TokenBudget = Annotated[
    int,
    typer.Option(
        "--token-budget",
        min=0,
        help="Maximum tokens per task [0: 200,000 budget, no limit for others].",
        rich_help_panel=PANEL,
    ),
]
CannedReply = Annotated[
    bool,
    typer.Option(
        "--canned-reply",
        help="Continue after a message that neither calls a tool nor ends the case.",
        rich_help_panel=PANEL,
    ),
]
Concurrency = Annotated[
    int,
    typer.Option(
        "--concurrency", min=1, help="Number of tasks to run in parallel.", rich_help_panel=PANEL
    ),
]
CallLimit = Annotated[
    int,
    typer.Option(
        "--call-limit",
        min=1,
        max=604_800,
        help="Seconds within which a provider must answer, retries included.",
        rich_help_panel=PANEL,
    ),
]
