"""Package: SOP-Bench's own rules load it, and score right answers 1.0 and others 0.0."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sopforge.artifacts.packaging.checksums import find_added_files, find_changed_files
from sopforge.artifacts.packaging.release import list_scored_columns
from sopforge.artifacts.packaging.sop_bench import (
    ANSWERED,
    GRADER_TABLE,
    GRADER_TASKS,
    SHOWN_TASKS,
    is_of_this_layout,
)
from sopforge.artifacts.packaging.task_table import write_task_table
from sopforge.artifacts.packaging.test_sets import format_answer_cell
from sopforge.checks.package.package_solved import PREFIX, collect_package_files, read_graded
from sopforge.checks.spoiling import edit_json
from sopforge.errors import PackageUnreadableError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.harness.scoring.agents import make_wrong_answer
from sopforge.harness.scoring.sop_bench_answers import AgentResult, compute_rates
from sopforge.harness.scoring.sop_bench_package import PeerPackage, read_package
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.tasks import Task, write_shown
from sopforge.store.backends.atomic_files import fill_folder
from sopforge.workspace import Workspace


class PackageLoads:
    """SOP-Bench's rules for reading and matching find every task, input and answer."""

    name = "package-loads"
    stage = "package"

    def examine(self, workspace: Workspace) -> list[Finding]:
        files = collect_package_files(workspace)
        try:
            graded = read_graded(files)
            with TemporaryDirectory(prefix="sopforge-package-") as home:
                folder = Path(home) / "package"
                fill_folder(folder, files)
                package = read_package(folder)
        except PackageUnreadableError as cause:
            return convert_faults(cause.faults)
        model, tasks = graded.model, graded.tasks
        columns = list_scored_columns(model, workspace.brief.parts.package)
        return [
            *_check_checksums(files, write_task_table(model, tasks)),
            *_check_agent_tasks(files, tasks),
            *_check_content(model, columns, tasks, package),
            *_check_task_count(tasks, workspace.brief),
            *_check_truth(columns, tasks, package),
            *_check_rates(columns, tasks, package),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        def drop_input(metadata: dict[str, list[str]]) -> None:
            metadata["input_columns"].pop()

        return edit_json(workspace, f"{PREFIX}metadata.json", drop_input)


def _check_checksums(files: dict[str, str], table: bytes) -> list[Finding]:
    """Compare the checksums with the texts, and with the table that the grader's tasks make."""
    whole: dict[str, str | bytes] = {**files, GRADER_TABLE: table}
    # In another layout the table holds the same in other bytes.
    is_made_anew = is_of_this_layout(json.loads(files["provenance.json"]))
    return [
        make_error_finding("checksum", f"{name} is not the released file", where=name)
        # An added file is a finding as well: an agent could be shown answers in it.
        for name in sorted([*find_changed_files(whole), *find_added_files(whole)])
        if is_made_anew or name != GRADER_TABLE
    ]


def _check_agent_tasks(files: Mapping[str, str], tasks: tuple[Task, ...]) -> list[Finding]:
    """Compare the tasks as agents are shown them with the grader's."""
    if files.get(SHOWN_TASKS) == write_shown(tasks):
        return []
    return [
        make_error_finding(
            "package-content", "the shown tasks differ from the grader's tasks", where=SHOWN_TASKS
        )
    ]


def _check_content(
    model: DomainModel, columns: Sequence[Field], tasks: tuple[Task, ...], package: PeerPackage
) -> list[Finding]:
    names = [item.name for item in model.inputs]
    specs = [tool.name for tool in package.toolspecs]
    pairs = [
        ("inputs", list(package.input_columns), names),
        ("scored columns", list(package.output_columns), [item.name for item in columns]),
        ("tools", specs, list(model.offered.tools)),
        ("tasks", len(package.tasks), len(tasks)),
    ]
    return [
        make_error_finding(
            "package-content", f"{what} are {found}, not {wanted}", where="metadata.json"
        )
        for what, found, wanted in pairs
        if found != wanted
    ]


def _check_task_count(tasks: tuple[Task, ...], brief: Brief) -> list[Finding]:
    asked = brief.parts.dataset.n_samples
    # How many tasks goals and pairs need shows only when the dataset is made: it says so there.
    if len(tasks) >= asked:
        return []
    message = f"the package has {len(tasks)} tasks, but the brief asks for {asked}"
    return [make_error_finding("package-content", message, where=GRADER_TASKS)]


def _check_truth(
    columns: Sequence[Field], tasks: tuple[Task, ...], package: PeerPackage
) -> list[Finding]:
    """Compare the truth as the benchmark reads it with the answers as they are stated."""
    findings = []
    # Another number of tasks is reported with the content.
    for task, read in zip(tasks, package.tasks, strict=False):
        for item in columns:
            wanted = format_answer_cell(item, task.outcomes[item.name])
            truth = read.expected
            found = truth[item.name] if isinstance(truth, dict) else truth
            if not is_read_as(found, wanted):
                message = f"{task.id}: {item.name} is read as {found!r}, not {wanted!r}"
                findings.append(make_error_finding("package-content", message, where=ANSWERED))
    return findings


def is_read_as(found: object, cell: str) -> bool:
    """Return whether a reader that guesses types kept a cell: as text, or as the same number."""
    if isinstance(found, str | bool):
        return str(found) == cell
    try:
        return Decimal(str(found)) == Decimal(cell)
    except InvalidOperation:
        return False


def _check_rates(
    columns: Sequence[Field], tasks: tuple[Task, ...], package: PeerPackage
) -> list[Finding]:
    answers: list[tuple[str, Callable[[Field, str], str], float]] = [
        ("right", lambda _item, cell: cell, 1.0),
        ("wrong", make_wrong_answer, 0.0),
        ("silent", lambda _item, _cell: "", 0.0),
    ]
    findings, calls = [], [_WrittenCalls.from_task(task) for task in tasks]
    for name, answer, wanted in answers:
        stated = [
            {item.name: answer(item, task.outcomes[item.name]) for item in columns}
            for task in tasks
        ]
        for shape, results in _iterate_result_shapes(calls, stated):
            rate = compute_rates(package, results).tsr
            if rate != wanted:
                message = f"{name} answers as {shape} score {rate:.3f}, not {wanted}"
                findings.append(make_error_finding("package-rates", message))
    return findings


ONE = {
    "plain text": "{}",
    "a final_decision element": "Done.\n<final_decision>{}</final_decision>",
    "a response element": "<final_response>{}</final_response>",
}


@dataclass(frozen=True, slots=True)
class _WrittenCalls:
    """The gold calls of a task as messages, written once for all answers that follow them."""

    as_json: str
    as_python: str

    @classmethod
    def from_task(cls, task: Task) -> _WrittenCalls:
        messages = _build_call_messages(task)
        return cls(json.dumps(messages, indent=2), repr(messages))

    def write_messages(self, answer: str) -> str:
        """Return the messages as JSON, that of the answer last."""
        last = json.dumps([_build_answer_message(answer)], indent=2)
        return last if self.as_json == "[]" else f"{self.as_json[:-2]},{last[1:]}"

    def write_python(self, answer: str) -> str:
        """Return the messages and the answer as Python shows them."""
        return f"{{'calls': {self.as_python}, 'output': {answer!r}}}"


TRACES: dict[str, Callable[[_WrittenCalls, str], str]] = {
    "no trace": lambda _calls, _answer: "",
    "a trace of messages": _WrittenCalls.write_messages,
    "a trace of Python": _WrittenCalls.write_python,
}


def _iterate_result_shapes(
    calls: Sequence[_WrittenCalls], answers: Sequence[Mapping[str, str]]
) -> Iterable[tuple[str, dict[str, AgentResult]]]:
    """Return the answers in each form in which agents state them, with each shape of a trace."""
    for trace, write_trace in TRACES.items():
        for form, write in _collect_answer_writers(answers).items():
            texts = [write(answer) for answer in answers]
            results = [
                AgentResult(text, write_trace(made, text))
                for made, text in zip(calls, texts, strict=True)
            ]
            yield (
                f"{form} with {trace}",
                {str(place): result for place, result in enumerate(results)},
            )


def _collect_answer_writers(
    answers: Sequence[Mapping[str, str]],
) -> dict[str, Callable[[Mapping[str, str]], str]]:
    """Return the forms of an answer: as elements, and of an only value other forms as well."""
    forms: dict[str, Callable[[Mapping[str, str]], str]] = {"elements": _write_elements}
    if all(len(answer) == 1 for answer in answers):
        forms |= {name: partial(_fill_form, form) for name, form in ONE.items()}
    return forms


def _write_elements(answer: Mapping[str, str]) -> str:
    return write_answer(answer) if any(answer.values()) else ""


def _fill_form(form: str, answer: Mapping[str, str]) -> str:
    (cell,) = answer.values()
    return form.format(cell) if cell else ""


def _build_call_messages(task: Task) -> list[dict[str, object]]:
    """Return the gold calls and their results as messages between an agent and its tools."""
    messages: list[dict[str, object]] = []
    for call in task.calls:
        asked = {"type": "tool_use", "name": call.tool, "input": dict(call.arguments)}
        reply = {"type": "tool_result", "content": json.dumps(dict(call.result))}
        messages += [
            {"role": "assistant", "content": [asked]},
            {"role": "user", "content": [reply]},
        ]
    return messages


def _build_answer_message(answer: str) -> dict[str, object]:
    return {"role": "assistant", "content": [{"type": "text", "text": answer}]}


CHECK = PackageLoads()
