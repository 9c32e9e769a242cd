"""The coverage as a text for people: tables of all kinds, then what no case shows, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sopforge.language.english.nouns import format_quantity
from sopforge.proof.dataset.coverage.coverage import ALL, Count, Coverage, GoalReport, GoalVerdict
from sopforge.proof.dataset.coverage.goals.goal import PLURALS
from sopforge.proof.dataset.mutants.about import About

MOST_TASKS = 3
MOST_PATHS = 20
PATHS_LEFT = ("infeasible", "undecided", "not_asked_for")
HEADINGS: Mapping[str, str] = {
    **{kind: words.capitalize() for kind, words in PLURALS.items()},
    About.TABLE: "Tables",
    About.LIMIT: "Limits",
    About.COMPARATOR: "Comparators",
    About.LABEL: "Labels",
    About.CONSTANT: "Constants and terms",
    About.CONDITION: "Parts of conditions",
    About.ORDER: "Order, dropped rules",
    About.RESULT: "Results of rules",
    About.ROUNDING: "Rounding",
    About.CALENDAR: "Dates and calendars",
    About.LIST: "Lists",
    About.MISSING: "Missing values",
    About.EDGE: "Edges",
    About.END: "Ends",
    About.PART: "Parts of the procedure",
    About.GUARD: "Guards of tools",
    About.INPUT: "Malformed inputs",
    ALL: "All",
}
COLUMNS: Mapping[GoalVerdict, str] = {
    GoalVerdict.PRIMARY: "primary answer",
    GoalVerdict.OUTCOMES: "other answers",
    GoalVerdict.PATH_ONLY: "path only",
    GoalVerdict.WITHOUT_EFFECT: "without effect",
    GoalVerdict.IMPOSSIBLE: "impossible",
    GoalVerdict.BEYOND: "not in the primary answer",
    GoalVerdict.UNDECIDED: "undecided",
}
GOALS_ARE = (
    "Each goal guards against a mistake, such as the opposite decision at a boundary. A task"
    " shows a goal where it occurs and the mistake would change a scored answer of the task."
)
MUTANTS_ARE = (
    "A mutant is the model with one small mistake. A task notices it if the mistake changes a"
    " scored answer of the task."
)
PROVED = {
    GoalVerdict.IMPOSSIBLE: "no case",
    GoalVerdict.WITHOUT_EFFECT: "no answer and no path depends on it",
    GoalVerdict.BEYOND: "the primary answer never depends on it",
    GoalVerdict.PATH_ONLY: "no answer depends on it, but the path of a case",
}


def get_heading(kind: str) -> str:
    """Return what goals of a kind are called together."""
    return HEADINGS[kind]


def select_columns(counts: Iterable[Count]) -> list[GoalVerdict]:
    """Return the verdicts that a table has columns for: those that nearly always are, and more."""
    often = (GoalVerdict.PRIMARY, GoalVerdict.OUTCOMES, GoalVerdict.UNDECIDED)
    found = list(counts)
    return [
        item
        for item in GoalVerdict
        if item in often or any(row.count_verdicts(item) for row in found)
    ]


def format_tasks(tasks: Sequence[str], most: int = MOST_TASKS) -> str:
    """Return the first few tasks, and how many more there are.

    >>> format_tasks(["task-1", "task-2", "task-3", "task-4"], most=2)
    'task-1, task-2 and 2 more'
    """
    more = len(tasks) - most
    first = ", ".join(tasks[:most])
    return f"{first} and {more} more" if more > 0 else first


def phrase_proof(proof: Sequence[str]) -> str:
    """Return how a proof goes on, or that there is one without words."""
    if not proof:
        return " (proved)"
    return ", since these cannot hold together" if proof[1:] else ", since this cannot hold"


def describe_coverage(coverage: Coverage, primary: str) -> list[str]:
    """Return in sentences how much the answers show, how much the primary one alone, and the rest.

    What is undecided counts among what an answer may show, for nothing is proved against it.
    """
    goals, mutants = coverage.total, coverage.mutant_total
    alone = mutants.count_verdicts(GoalVerdict.PRIMARY)
    shown = f"{goals.shown} of {goals.could_be_shown} goals that a scored answer may show"
    noticed = f"{mutants.shown} of {mutants.could_be_shown} mutants that may change one"
    lines = [f"The tasks show {shown}, and notice {noticed}; {primary} alone notices {alone}."]
    counts = {"goals": goals, "mutants": mutants}
    undecided = [
        format_quantity(str(number), noun)
        for noun, count in counts.items()
        if (number := count.count_verdicts(GoalVerdict.UNDECIDED))
    ]
    if undecided:
        lines.append(f"Undecided among these: {', '.join(undecided)}.")
    for noun, count in counts.items():
        parts = [
            f"{count.count_verdicts(verdict)} {COLUMNS[verdict]}"
            for verdict in PROVED
            if count.count_verdicts(verdict)
        ]
        if parts:
            lines.append(f"Beside these {noun}, by proof: {', '.join(parts)}.")
    return lines


@dataclass(frozen=True, slots=True)
class Heading:
    """What a report says of the dataset: its title, its primary outcome, and its tasks.

    ``covering`` of the tasks stand for a goal of their own.
    """

    title: str
    primary: str
    tasks: int
    covering: int


def render_coverage_text(about: Heading, coverage: Coverage, paths: Mapping[str, Any]) -> str:
    """Return the report in Markdown; ``paths`` is what ``coverage.json`` says of control paths."""
    covering, filling = about.covering, about.tasks - about.covering
    lines = [
        f"# What the tasks of {_escape_markdown(about.title)} cover",
        "",
        f"{about.tasks} tasks: {covering} are there for the sake of a goal, {filling} fill up.",
        "",
        *(_escape_markdown(line) for line in describe_coverage(coverage, f"'{about.primary}'")),
        "",
        GOALS_ARE,
        "",
        *_render_table("Goals", (*coverage.counts, coverage.total)),
        "",
        MUTANTS_ARE,
        "",
        *_render_table("Mutants", (*coverage.mutant_counts, coverage.mutant_total)),
        "",
        *_render_proved("Goals that no task shows, and why", coverage.goals),
        *_render_undecided("Undecided goals", coverage.goals),
        *_render_proved("Mutants that no task notices, and why", coverage.mutants),
        *_render_undecided("Undecided mutants", coverage.mutants),
        *_render_paths(paths),
    ]
    for row in coverage.counts:
        goals = [goal for goal in coverage.goals.values() if goal.kind == row.kind]
        lines += _render_covered_goals(
            f"{get_heading(row.kind)}, and the tasks that show them", goals
        )
    for row in coverage.mutant_counts:
        goals = [goal for goal in coverage.mutants.values() if goal.kind == row.kind]
        lines += _render_covered_goals(
            f"Mutants: {get_heading(row.kind)}, and the tasks that notice them", goals
        )
    return "\n".join(lines).rstrip("\n") + "\n"


def _render_table(title: str, rows: Sequence[Count]) -> Iterator[str]:
    columns = select_columns(rows)
    yield f"| {' | '.join((title, 'asked', *(COLUMNS[item] for item in columns)))} |"
    yield f"| --- |{' ---: |' * (len(columns) + 1)}"
    for row in rows:
        cells = (get_heading(row.kind), row.asked, *(row.count_verdicts(item) for item in columns))
        yield f"| {' | '.join(map(str, cells))} |"


def _render_paths(paths: Mapping[str, Any]) -> Iterator[str]:
    """Return what is known of the control paths; long lists are cut."""
    yield from ("## Control paths", "", f"Asked for: {paths['asked_for']}.", "")
    for said in PATHS_LEFT:
        found = paths[said]
        for path in found[:MOST_PATHS]:
            yield f"- {said.replace('_', ' ')}: {_escape_markdown(path)}"
        if len(found) > MOST_PATHS:
            yield f"- {said.replace('_', ' ')}: {len(found) - MOST_PATHS} more"
    if any(paths[said] for said in PATHS_LEFT):
        yield ""


def _render_proved(title: str, goals: Mapping[str, GoalReport]) -> Iterator[str]:
    found = [goal for goal in goals.values() if goal.verdict in PROVED]
    if found:
        yield from (f"## {title}", "")
    for goal in found:
        verdict = f"{PROVED[goal.verdict]}{phrase_proof(goal.proof)}"
        yield f"- **{_escape_markdown(goal.words)}**: {verdict}"
        yield from (f"  - {_escape_markdown(sentence)}" for sentence in goal.proof)
    if found:
        yield ""


def _render_undecided(title: str, goals: Mapping[str, GoalReport]) -> Iterator[str]:
    found = [goal for goal in goals.values() if goal.verdict is GoalVerdict.UNDECIDED]
    if found:
        yield from (f"## {title}", "")
        yield from (
            f"- **{_escape_markdown(goal.words)}**: {_escape_markdown(goal.reason)}"
            for goal in found
        )
        yield ""


def _render_covered_goals(title: str, goals: Iterable[GoalReport]) -> Iterator[str]:
    found = [goal for goal in goals if goal.is_shown]
    if found:
        yield from (f"## {title}", "")
        for goal in found:
            weaker = "" if goal.verdict is GoalVerdict.PRIMARY else " (not by the primary answer)"
            yield f"- {_escape_markdown(goal.words)}: {format_tasks(goal.tasks)}{weaker}"
        yield ""


def _escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is: no markup in a label becomes markup."""
    # Of "<" only what could open a tag, so that "amount < 500" stays readable.
    return re.sub(r"[\\`*\[\]|~]|<(?=[A-Za-z/!?])", r"\\\g<0>", text)
