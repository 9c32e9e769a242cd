"""Options of the commands that run agents, beside which agents and on what."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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


Runs = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN", help="Output folder of 'evaluate', or FOLDER#AGENT for one agent."
    ),
]
RunPackages = Annotated[
    list[str] | None,
    typer.Option(
        "--packages",
        metavar="PACKAGE",
        help="Package that the runs used [default: where 'evaluate' found it]. Can be repeated.",
    ),
]
Tasks = Annotated[
    int,
    typer.Option("--tasks", min=0, help="Number of tasks to sample with the seed; 0 means all."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed for all random choices.")]
Epochs = Annotated[
    int,
    typer.Option(
        "--epochs", min=1, help="Number of attempts per task; use 4 or more to estimate pass^k."
    ),
]
Dials = Annotated[
    list[str] | None,
    typer.Option(
        "--dial",
        metavar="NAME=DOSE",
        help="Make tasks harder with this dial; for example, with faults=3, tools fail three times"
        " in half of the tasks. Can be repeated.",
    ),
]
USERS = "Simulated user"
UserMode = Annotated[
    str,
    typer.Option(
        "--user",
        metavar="MODE",
        help="Let a simulated user state the task: one-message (all at once) or turn-by-turn (the"
        " rest when the agent asks).",
        rich_help_panel=USERS,
    ),
]
Manners = Annotated[
    list[str] | None,
    typer.Option(
        "--manner",
        help="How the user behaves: plain, changes, insists, claims, demands, or all (one of them"
        " at random for each task) [default: plain]. Can be repeated.",
        rich_help_panel=USERS,
    ),
]
UserWords = Annotated[
    Path | None,
    typer.Option(
        "--user-words",
        help="File with wordings for each act of the user, instead of the built-in wordings.",
        rich_help_panel=USERS,
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        min=1,
        max=604_800,
        help="Maximum seconds per task, for command agents and model agents.",
    ),
]
OnInspect = Annotated[
    bool,
    typer.Option("--inspect", help="Also use Inspect to run agents that use no model."),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="PROVIDER/MODEL",
        help="Model for the agent, named as in Inspect. Can be repeated.",
        rich_help_panel=PANEL,
    ),
]
Temperature = Annotated[
    float | None,
    typer.Option(
        "--temperature",
        parser=parse_temperature,
        metavar="NUMBER",
        help="Temperature for models that accept one; 'none' uses the provider's default.",
        rich_help_panel=PANEL,
    ),
]
MaxTokens = Annotated[
    int,
    typer.Option("--max-tokens", min=1, help="Maximum tokens per reply.", rich_help_panel=PANEL),
]
Cap = Annotated[
    int,
    typer.Option(
        "--cap",
        min=0,
        help="Maximum model calls per task; 0 means 10 for function-calling, 15 for react and 30"
        " for retrieval.",
        rich_help_panel=PANEL,
    ),
]
TokenBudget = Annotated[
    int,
    typer.Option(
        "--token-budget",
        min=0,
        help="Maximum tokens per task; 0 means 200,000 for the agent 'budget' and no limit for"
        " others.",
        rich_help_panel=PANEL,
    ),
]
CannedReply = Annotated[
    bool,
    typer.Option(
        "--canned-reply",
        help="Reply to a message that neither calls a tool nor ends the case, instead of ending"
        " the attempt.",
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
        help="Maximum seconds to wait for a provider's answer, including retries.",
        rich_help_panel=PANEL,
    ),
]
