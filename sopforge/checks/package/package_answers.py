"""Package: no text that agents may see pairs tasks with their answers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from sopforge.artifacts.packaging.sop_bench import ANSWERED, GRADER
from sopforge.checks.package.package_solved import PREFIX, collect_package_files, read_graded
from sopforge.errors import PackageUnreadableError
from sopforge.findings import Finding, make_error_finding
from sopforge.workspace import Workspace

FEWEST_RIGHT = 0.9
"""Such a share of the tasks that a text names stands beside its own answer and no other one."""


class PackageAnswers:
    """No file that the agent can see lists the answers next to the task ids.

    The test set with outputs is left out: the layout wants it there, and no tool reads it.
    """

    name = "package-answers"
    stage = "package"

    def examine(self, workspace: Workspace) -> list[Finding]:
        files = collect_package_files(workspace)
        try:
            graded = read_graded(files)
        except PackageUnreadableError:
            return []  # another check says so
        primary = graded.model.primary.name
        answers = {task.id: task.outcomes[primary] for task in graded.tasks}
        return [
            make_error_finding(
                "answer-shown", f"{name} contains the answers next to the ids of tasks", where=name
            )
            for name, text in files.items()
            if not name.startswith(GRADER) and name != ANSWERED and _has_answers(text, answers)
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        graded = read_graded(collect_package_files(workspace))
        primary = graded.model.primary.name
        rows = [f"{task.id},{task.outcomes[primary]}\n" for task in graded.tasks]
        return workspace.with_files({f"{PREFIX}hints.txt": "".join(rows)})


def _has_answers(text: str, answers: Mapping[str, str]) -> bool:
    """Return whether a text pairs the tasks that it names with their answers.

    What belongs to a task may stand after its id or before it.
    """
    named = [match for match in re.finditer(r"[\w-]+", text) if match.group() in answers]
    if not named:
        return False
    starts, ends = [match.start() for match in named], [match.end() for match in named]
    after = [text[end:start] for end, start in zip(ends, [*starts[1:], len(text)], strict=True)]
    before = [text[end:start] for end, start in zip([0, *ends[:-1]], starts, strict=True)]
    ids = [match.group() for match in named]
    return any(_are_right(ids, said, answers) for said in (after, before))


def _are_right(ids: list[str], said: list[str], answers: Mapping[str, str]) -> bool:
    labels = set(answers.values())
    found: dict[str, set[str]] = defaultdict(set)
    for task, text in zip(ids, said, strict=True):
        found[task] |= set(_find_labels(text, labels))
    right = [task for task, shown in found.items() if shown == {answers[task]}]
    # A text that says one answer of all tasks gives nothing away.
    is_informative = len({answers[task] for task in right}) > 1
    return is_informative and len(right) >= FEWEST_RIGHT * len(found)


def _find_labels(text: str, labels: set[str]) -> Iterator[str]:
    for label in labels:
        if re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text):
            yield label


CHECK = PackageAnswers()
