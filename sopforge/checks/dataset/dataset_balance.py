"""Dataset: some tasks fill up, as the brief asks, and no answer is right too often."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from sopforge.checks.spoiling import Parsed, edit_json
from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.balance import (
    Balance,
    Purpose,
    build_balance_report,
    compute_balance,
    format_percent,
    get_purpose,
)
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.sampling.candidates import GOAL
from sopforge.proof.dataset.sampling.filling import ALIKE
from sopforge.workspace import COVERAGE, DATA_PROFILE, DOMAIN, TASKS, Workspace

MOST_TASKS = 20_000
OF_A_PATH = f"{GOAL}path "
WRITTEN_SHARE = 4
_SETTINGS = (
    *("weights", "typical", "shape", "near", "given"),
    *("yes_share", "member_share", "missing_share"),
)


class DatasetBalance:
    """Some tasks go beyond coverage, no answer is too common, and the stored balance is right."""

    name = "dataset-balance"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        stored = workspace.files.get(DATA_PROFILE)
        if stored is None:  # a level, or a package: its tasks are those of the dataset
            return []
        balance = compute_balance(workspace.model, workspace.tasks)
        if json.loads(stored).get("balance") != build_balance_report(balance):
            message = "the stored balance does not match these tasks"
            hint = "generate the dataset again, which also writes this file again"
            return [make_error_finding("wrong-balance", message, where=DATA_PROFILE, hint=hint)]
        return [*_check_filling(workspace, balance), *_find_lopsided_answer(workspace, balance)]

    def spoil(self, workspace: Workspace) -> Workspace:
        def take_away(profile: Parsed) -> None:
            profile["balance"]["purposes"]["filling"]["tasks"] -= 1

        return edit_json(workspace, DATA_PROFILE, take_away)


def _check_filling(workspace: Workspace, balance: Balance) -> list[Finding]:
    """Report tasks of which none is mixed as the brief asks."""
    if balance.filling:
        return []
    goals, written = (balance.purposes[item] for item in (Purpose.GOAL, Purpose.WRITTEN))
    message = (
        "no task fills up the dataset beyond its coverage goals, so that the brief's settings for"
        f" sampling have no effect ({_list_settings(workspace)}): {goals} of {balance.tasks} tasks"
        " are needed for the goals" + f" and {written} of rows that somebody wrote" * bool(written)
    )
    count = _Forecast.from_dataset(workspace, balance).find_least_filled()
    hint = (
        f"write 'dataset.n_samples: {count}', so that at least a third of the tasks fill up the"
        " dataset"
    )
    if count is None:
        hint = "write 'dataset.coverage.paths: edge-pairs', which asks for fewer paths"
    return [make_warning_finding("tasks-lopsided", message, where=TASKS, hint=hint)]


def _list_settings(workspace: Workspace) -> str:
    """Return the brief's settings by which values and answers are sampled, with their fields."""
    document: Any = read_document(workspace.files[DOMAIN], DOMAIN).value
    found: dict[str, list[str]] = {}
    for entity in document["model"]["entities"].values():
        for name, field in entity["fields"].items():
            for setting in _SETTINGS:
                if setting in field:
                    found.setdefault(setting, []).append(f"'{name}'")
    named = [f"'{setting}' of {', '.join(names)}" for setting, names in found.items()]
    return "; ".join([*named, "'dataset.mix'"])


def _find_lopsided_answer(workspace: Workspace, balance: Balance) -> list[Finding]:
    """Report an answer of the primary outcome that is right in too many tasks."""
    different, best = _count_answers(balance), balance.primary
    if not is_lopsided(best.tasks, balance.tasks, different):
        return []
    message = (
        f"an agent that always answers '{best.words}' is right in {best.tasks} of"
        f" {balance.tasks} tasks ({balance.format_share(best.tasks)}); at most"
        f" {format_share_limit(different)} should be"
    )
    return [
        make_warning_finding(
            "tasks-lopsided", message, where=TASKS, hint=_suggest_mixing(workspace, balance)
        )
    ]


def _suggest_mixing(workspace: Workspace, balance: Balance) -> str:
    """Return the edit with which no answer is right too often, as far as can be foreseen."""
    is_mixed = workspace.brief.drawing.mix == "outcomes"
    if json.loads(workspace.files[COVERAGE])["rejected"].get(ALIKE, 0) > balance.tasks:
        first = "" if is_mixed else "write 'dataset.mix: outcomes', and "
        return f"{first}give fields more labels and wider ranges: too few cases differ"
    count = _Forecast.from_dataset(workspace, balance).find_least_even()
    if count is None or (is_mixed and count <= balance.tasks):
        return "change the weights and ranges of fields so that more rows have another answer"
    edits = [] if is_mixed else ["'dataset.mix: outcomes'"]
    edits += [f"'dataset.n_samples: {count}'"] if count > balance.tasks else []
    return f"balance the answers: write {' and '.join(edits)}"


def is_lopsided(best: int, tasks: int, different: int) -> bool:
    """Return whether an answer of so many different ones is right too often.

    It may be in an even share and a tenth of the tasks, or in half of them, as shortcuts may.
    """
    even = max(2, different)
    # best / tasks > 1 / 2 and > 1 / even + 1 / 10, in integers: a share at the limit is allowed.
    return 2 * best > tasks and 10 * even * best > (10 + even) * tasks


def format_share_limit(different: int) -> str:
    """Return in which share of the tasks an answer of so many different ones may be right."""
    even = max(2, different)
    return format_percent(max(5 * even, 10 + even), 10 * even)


def _count_answers(balance: Balance) -> int:
    """Return how many answers the primary outcome has."""
    (name,) = balance.primary.cells
    return next(column.different for column in balance.columns if column.name == name)


@dataclass(frozen=True, slots=True)
class _Forecast:
    """What other numbers of tasks would hold, at worst: rows for goals stay, paths add some.

    ``place`` is the number of tasks from which on ``paths`` tasks are added for the sake of paths,
    ``most`` how many of the tasks for goals have the same answer.
    """

    tasks: int
    goals: int
    most: int
    place: int
    paths: int
    different: int
    has_written: bool

    @classmethod
    def from_dataset(cls, workspace: Workspace, balance: Balance) -> _Forecast:
        """Return the forecast for a dataset."""
        name = workspace.model.primary.name
        covering = [task for task in workspace.tasks if get_purpose(task) is not Purpose.FILLING]
        own = [task for task in covering if not task.key.startswith(OF_A_PATH)]
        goals = [task for task in own if get_purpose(task) is Purpose.GOAL]
        place, paths = _forecast_paths(workspace, own)
        if paths is None:  # those that the brief asks for have their tasks in any number
            goals = [task for task in covering if get_purpose(task) is Purpose.GOAL]
        return cls(
            tasks=balance.tasks,
            goals=len(goals),
            most=max(Counter(task.outcomes[name] for task in goals).values(), default=0),
            place=place,
            paths=paths or 0,
            different=_count_answers(balance),
            has_written=bool(balance.purposes[Purpose.WRITTEN]),
        )

    def find_least_filled(self) -> int | None:
        """Return the least number of tasks of which a third fill up; None if none is allowed."""
        numbers = range(self.tasks, MOST_TASKS + 1)
        return next((count for count in numbers if 3 * self.count_filling(count) >= count), None)

    def find_least_even(self) -> int | None:
        """Return the least number of tasks, mixed by answers, of which none is right too often."""
        numbers = range(self.tasks, MOST_TASKS + 1)
        return next((count for count in numbers if not self.is_lopsided(count)), None)

    def count_filling(self, count: int) -> int:
        return count - self.goals - self.count_added(count) - self.count_written(count)

    def count_added(self, count: int) -> int:
        return min(max(0, count - self.place), self.paths)

    def count_written(self, count: int) -> int:
        """Return how many rows somebody may write: a share of the tasks, as far as is asked."""
        return count // WRITTEN_SHARE if self.has_written else 0

    def is_lopsided(self, count: int) -> bool:
        mixed = max(0, self.count_filling(count)) + self.count_written(count)
        # At worst: all that is added for paths has the answer that is most frequent already.
        best = self.most + self.count_added(count) - (-mixed // self.different)
        return is_lopsided(best, count, self.different)


def _forecast_paths(workspace: Workspace, own: list[Task]) -> tuple[int, int | None]:
    """Return from which number of tasks on how many are added for paths; None if it is settled."""
    feasible = json.loads(workspace.files[COVERAGE])["control_paths"]["feasible"]
    if workspace.brief.drawing.coverage.paths is not None or feasible is None:
        return 0, None
    left = feasible - len({task.path for task in own})
    return max(len(own), 2 * feasible - left), left


CHECK = DatasetBalance()
