"""How many tasks the goals of a brief need, for terminals and programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sopforge.cli.output import say

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.dataset.needs import Needs
    from sopforge.dataset.noticing import Noticed
    from sopforge.domain.schema import DatasetDocument


def needs_record(needs: Mapping[Noticed, Needs]) -> dict[str, dict[str, int]]:
    """Return the needs as a value for programs, by what mistakes are noticed by."""
    return {
        level: {"at_least": found.tasks, "at_most": found.tasks + found.rare}
        for level, found in needs.items()
    }


def show_needs(screen: Console, asked: DatasetDocument, needs: Mapping[Noticed, Needs]) -> None:
    """Print how many tasks the goals need, and the choice where these are many more than asked."""
    found = next(
        (item for level, item in needs.items() if level == asked.coverage.noticed_by), None
    )
    if found is None:
        return
    say(
        screen,
        f"Coverage by {asked.coverage.noticed_by}: at least {found.tasks} of {asked.n_samples} tasks are for goals;"
        f" {found.rare} more goals are rare or impossible, and need a task each at most.",
    )
    if found.tasks > 2 * asked.n_samples:
        others = ", ".join(f"{other} {needs[other].tasks}" for other in needs if other != level)
        say(
            screen,
            f"That is more than twice n_samples. Write n_samples: {-(-found.tasks // 2)} or more,"
            f" or choose coverage: {{noticed_by: ...}} (at least {others}).",
            "yellow",
        )
