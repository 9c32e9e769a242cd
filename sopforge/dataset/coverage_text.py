"""The coverage as a text for people: a table of all kinds, then what is impossible, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sopforge.dataset.coverage import ALL, Count, Coverage, Impossible, Open, Shown
from sopforge.dataset.goals import Kind

MOST_TASKS = 3
MOST_PATHS = 20
PATHS_LEFT = ("infeasible", "undecided", "not_asked_for")
HEADINGS: Mapping[str, str] = {
    Kind.RULE: "Rules",
    Kind.PAIR: "Pairs of rules",
    Kind.WAY: "Ways",
    Kind.PAIR_OF_WAYS: "Pairs of ways",
    Kind.CHOICE: "Choices in formulas",
    Kind.GUARD: "Guards of tools",
    Kind.PART: "Parts of conditions",
    Kind.BOUNDARY: "Boundaries",
    Kind.TIE: "Halves that are rounded",
    Kind.MUTANT: "Mutants",
    ALL: "All",
}
MUTANTS_ARE = (
    "A mutant is the model with one small mistake. It is noticed by a task whose answer it changes;"
    " some change only the path of a task, and some decide every case alike."
)
NO_CASE = "no case"
ALIKE = "every case is decided alike"


def heading(kind: str) -> str:
    """Return what goals of a kind are called together."""
    return HEADINGS[kind]


def told_tasks(tasks: Sequence[str], most: int = MOST_TASKS) -> str:
    """Return the first few tasks, and how many more there are.

    >>> told_tasks(["task-1", "task-2", "task-3", "task-4"], most=2)
    'task-1, task-2 and 2 more'
    """
    more = len(tasks) - most
    first = ", ".join(tasks[:most])
    return f"{first} and {more} more" if more > 0 else first


def because(proof: Sequence[str]) -> str:
    """Return how a proof goes on, or that there is one without words."""
    if not proof:
        return " (proved)"
    return ", since these cannot hold together" if proof[1:] else ", since this cannot hold"


def mutant_counts(coverage: Coverage) -> dict[str, int]:
    """Return what became of the mutants, under the heading of each column."""
    mutants = coverage.mutants
    return {
        "asked": mutants.asked,
        "noticed": len(mutants.killed),
        "only the path": len(mutants.other_path_only),
        "alike": len(mutants.equivalent),
        "undecided": len(mutants.undecided),
    }


def coverage_text(
    name: str, tasks: int, covering: int, coverage: Coverage, paths: Mapping[str, Any]
) -> str:
    """Return the report in Markdown; ``covering`` of the tasks stand for a goal of their own.

    ``paths`` is what ``coverage.json`` says of the control paths.
    """
    lines = [
        f"# What the tasks of {_plain(name)} cover",
        "",
        f"{tasks} tasks: {covering} are there for the sake of a goal, {tasks - covering} fill up.",
        "",
        "| Goals | asked | shown | impossible | undecided |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(_row(heading(row.kind), row) for row in coverage.counts),
        _row(heading(ALL), coverage.total),
        "",
        MUTANTS_ARE,
        "",
        *_table("Mutants", mutant_counts(coverage)),
        "",
        *_impossible("Impossible goals", coverage.infeasible, NO_CASE),
        *_open("Undecided goals", coverage.undecided),
        *_impossible("Mutants that decide alike", coverage.mutants.equivalent, ALIKE),
        *_paths(paths),
        *_shown("Mutants that change only the path", coverage.mutants.other_path_only.values()),
        *_open("Undecided mutants", coverage.mutants.undecided),
    ]
    for row in coverage.counts:
        goals = [goal for goal in coverage.goals.values() if goal.kind == row.kind]
        lines += _shown(f"{heading(row.kind)}, and the tasks that show them", goals)
    lines += _shown("Mutants, and the tasks that notice them", coverage.mutants.killed.values())
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(title: str, numbers: Mapping[str, int]) -> Iterator[str]:
    yield f"| {' | '.join((title, *numbers))} |"
    yield f"| --- |{' ---: |' * len(numbers)}"
    yield f"| {' | '.join(('All', *map(str, numbers.values())))} |"


def _paths(paths: Mapping[str, Any]) -> Iterator[str]:
    """Return what is known of the control paths; long lists are cut."""
    yield from ("## Control paths", "", f"Asked for: {paths['asked_for']}.", "")
    for said in PATHS_LEFT:
        found = paths[said]
        for path in found[:MOST_PATHS]:
            yield f"- {said.replace('_', ' ')}: {_plain(path)}"
        if len(found) > MOST_PATHS:
            yield f"- {said.replace('_', ' ')}: {len(found) - MOST_PATHS} more"
    if any(paths[said] for said in PATHS_LEFT):
        yield ""


def _row(name: str, row: Count) -> str:
    cells = (name, row.asked, row.shown, row.impossible, row.undecided)
    return f"| {' | '.join(map(str, cells))} |"


def _impossible(title: str, goals: Mapping[str, Impossible], said: str) -> Iterator[str]:
    if goals:
        yield from (f"## {title}", "")
        for goal in goals.values():
            yield f"- **{_plain(goal.words)}**: {said}{because(goal.proof)}"
            yield from (f"  - {_plain(sentence)}" for sentence in goal.proof)
        yield ""


def _open(title: str, goals: Mapping[str, Open]) -> Iterator[str]:
    if goals:
        yield from (f"## {title}", "")
        yield from (f"- **{_plain(goal.words)}**: {_plain(goal.reason)}" for goal in goals.values())
        yield ""


def _shown(title: str, goals: Iterable[Shown]) -> Iterator[str]:
    found = list(goals)
    if found:
        yield from (f"## {title}", "")
        yield from (f"- {_plain(goal.words)}: {told_tasks(goal.tasks)}" for goal in found)
        yield ""


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is: no markup in a label becomes markup."""
    return re.sub(r"[\\`*\[\]|~]|<(?=[A-Za-z/!?])", r"\\\g<0>", text)
