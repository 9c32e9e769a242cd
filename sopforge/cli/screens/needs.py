"""How many tasks the goals of a brief need, for terminals and programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sopforge.cli.output import say

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.dataset.coverage.needs import Needs
    from sopforge.dataset.coverage.noticing import Noticed
    from sopforge.domain.documents.schema import DatasetDocument

MANY = 2


def build_needs_record(needs: Mapping[Noticed, Needs]) -> dict[str, dict[str, int]]:
    """Return the needs as a value for programs, by what mistakes are noticed by."""
    return {
        level: {"at_least": found.tasks, "at_most": found.tasks + found.rare}
        for level, found in needs.items()
    }


def show_needs(screen: Console, asked: DatasetDocument, needs: Mapping[Noticed, Needs]) -> None:
    """Print how many tasks the goals need, and the choice where these are many more than asked."""
    found = {str(level): item for level, item in needs.items()}.get(asked.coverage.noticed_by)
    if found is None:
        return
    say(
        screen,
        f"The goals need at least {found.tasks} tasks, and {asked.n_samples} are asked for;"
        f" {found.rare} more goals are rare or impossible and need a task each at most.",
    )
    if found.tasks > MANY * asked.n_samples:
        each = ", ".join(f"{level} {item.tasks}" for level, item in needs.items())
        say(
            screen,
            f"That is more than twice as many. Raise dataset.n_samples, or choose what has to"
            f" notice a mistake, coverage: {{noticed_by: ...}}, which needs at least: {each}.",
            "yellow",
        )
