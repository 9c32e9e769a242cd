"""How many tasks the goals of a brief need, for terminals and programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.output import Parts

if TYPE_CHECKING:
    from sopforge.language.domain.documents.schema import DatasetDocument
    from sopforge.proof.dataset.coverage.needs import Needs
    from sopforge.proof.dataset.coverage.noticing import Noticed


def build_needs_record(needs: Mapping[Noticed, Needs]) -> dict[str, dict[str, int]]:
    """Return the needs as a value for programs, by what mistakes are noticed by."""
    return {
        level: {"at_least": found.tasks, "at_most": found.tasks + found.rare}
        for level, found in needs.items()
    }


def lay_out_needs(asked: DatasetDocument, needs: Mapping[Noticed, Needs]) -> Parts:
    """Yield how many tasks the goals need, whether so many are made, and what can be written."""
    from sopforge.proof.dataset.coverage.drawing import MOST_RAISED

    found = {str(level): item for level, item in needs.items()}.get(asked.coverage.noticed_by)
    if found is None:
        return
    yield _describe_needs(found, asked.n_samples)
    limit = MOST_RAISED * asked.n_samples
    if found.tasks > limit:
        yield Text(_describe_choice(needs, found, limit), "yellow")
    else:
        yield _describe_room(found, asked.n_samples, limit)


def _describe_needs(found: Needs, asked: int) -> str:
    from sopforge.language.english.nouns import format_quantity
    from sopforge.proof.dataset.coverage.needs import DRAWN

    tasks = format_quantity(str(asked), "tasks")
    most = format_quantity(str(found.tasks + found.rare), "tasks")
    words = f"The brief asks for {tasks} (dataset.n_samples). Its goals take "
    if not found.rare:
        return f"{words}{most}."
    words = f"{words}{found.tasks} to {most}."
    goals = format_quantity(str(found.rare), "goals")
    return (
        f"{words} In {DRAWN:,} random rows, {goals} did not occur: the dataset stage adds tasks"
        " for them, or proves that they cannot occur."
    )


def _describe_room(found: Needs, asked: int, limit: int) -> str:
    """Say whether all goals fit, given that those that drawn rows show do."""
    most = found.tasks + found.rare
    if most <= asked:
        return "That is enough for all goals."
    grows = f"If the goals need more tasks, SOPForge generates up to {limit}."
    if most <= limit:
        return f"{grows} That is enough for all goals."
    return (
        f"{grows} If they need even more, the run stops (n-samples-too-small). With n_samples:"
        f" {_compute_least_asked(most)} it cannot stop, because twice as many tasks are allowed."
    )


def _describe_choice(needs: Mapping[Noticed, Needs], found: Needs, limit: int) -> str:
    """Say what there is to choose where the goals need more tasks than are made."""
    each = ", ".join(f"{level} {item.tasks}" for level, item in needs.items())
    least = _compute_least_asked(found.tasks)
    return (
        "SOPForge generates at most twice as many tasks as the brief asks for, here"
        f" {limit}, so the run would stop (n-samples-too-small). Set dataset.n_samples to {least}"
        " or more, or choose which answers must show a mistake with dataset.coverage:"
        f" {{noticed_by: ...}}. The choices need at least: {each}."
    )


def _compute_least_asked(tasks: int) -> int:
    """Return the least n_samples for which so many tasks are made."""
    from sopforge.proof.dataset.coverage.drawing import MOST_RAISED

    return -(-tasks // MOST_RAISED)
