"""Package: by its own tools, the reference agent solves every task and trivial agents none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

from sopforge.artifacts.packaging.sop_bench import GRADER_MODEL, GRADER_TASKS, GRADER_TRAJECTORIES
from sopforge.checks.tools.agent_answers import build_agent_answer
from sopforge.checks.tools.tools_agree import find_disagreements
from sopforge.errors import Fault, PackageUnreadableError, ToolProcessError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.harness.scoring.agents import Agent, Call, build_trivial_agents
from sopforge.harness.scoring.trajectories import Score, Trajectory, score_trajectory
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.tasks import Task, read_tasks
from sopforge.language.domain.values.types import EnumType
from sopforge.language.logic.explaining import Storyteller
from sopforge.language.logic.tool_calls import Refused
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.contrasting import explain_contrast
from sopforge.proof.dataset.records import Row, build_case_rows, read_records, write_records
from sopforge.proof.dataset.trials.tool_trials import iterate_tool_trials, parse_case_inputs
from sopforge.sandbox.answers import Answer, JSONValue
from sopforge.sandbox.answers import Call as ToolCall
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.twice import SALTS, make_outside_fault, open_process
from sopforge.sandbox.untrusted_files import MOST_BYTES, are_too_large
from sopforge.untrusted.content import refuse_unreadable
from sopforge.untrusted.plain_files import RefusedFileError, read_below
from sopforge.workspace import Workspace

PREFIX = "package/"
TIME_LIMIT = 20.0
TRIED_VALUES = 30
"""How often, for each task, each parameter is given something wrong."""
ToolAnswers: TypeAlias = list[tuple[ToolCall, Answer]]
"""What the tools were asked, and what they answered."""
GRADED_FILES = (GRADER_MODEL, GRADER_TASKS, GRADER_TRAJECTORIES, "tools.py")
"""What a grader needs of a package, with the records that the model names."""


@dataclass(frozen=True, slots=True)
class AgentRun:
    """An agent's trajectories and scores on all tasks of a package, in task order."""

    agent: str
    trajectories: tuple[Trajectory, ...]
    scores: tuple[Score, ...]

    @property
    def success(self) -> float:
        """The share of tasks with every outcome right."""
        return sum(item.is_right for item in self.scores) / len(self.scores)

    @property
    def gold_trajectories(self) -> float:
        """The share of tasks with exactly the gold calls."""
        return sum(item.is_trajectory_gold for item in self.scores) / len(self.scores)

    @property
    def intermediates(self) -> float:
        """The share of tasks with every scored intermediate value right."""
        return sum(item.are_intermediates_right for item in self.scores) / len(self.scores)


@dataclass(frozen=True, slots=True)
class GradedPackage:
    """A package as a grader reads it."""

    model: DomainModel
    tasks: tuple[Task, ...]
    tool_files: Mapping[str, bytes]

    @property
    def records(self) -> dict[str, str]:
        """The files of the records."""
        return {
            name: content.decode()
            for name, content in self.tool_files.items()
            if name.endswith(".csv")
        }


def read_graded(files: Mapping[str, str]) -> GradedPackage:
    """Return the package of the given files.

    Raises:
        PackageUnreadableError: a file of the grader's or the agent's side is missing.
    """
    _require(files, GRADED_FILES)
    model = read_domain(files[GRADER_MODEL], GRADER_MODEL)
    records = [model.name_records_file(entity) for entity in model.entities.values()]
    _require(files, records)
    with refuse_unreadable(f"{GRADER_TASKS} with {GRADER_TRAJECTORIES}"):
        tasks = read_tasks(files[GRADER_TASKS], files[GRADER_TRAJECTORIES])
    if not tasks:
        fault = Fault(
            "package-malformed", "the package has no tasks", GRADER_TASKS, "restore the file"
        )
        raise PackageUnreadableError(fault)
    return GradedPackage(
        model, tasks, {name: files[name].encode() for name in ("tools.py", *records)}
    )


def _require(files: Mapping[str, str], names: Iterable[str]) -> None:
    faults = [
        Fault(
            "package-file-missing", f"the package has no {name}", name, "publish the package again"
        )
        for name in names
        if name not in files
    ]
    if faults:
        raise PackageUnreadableError(*faults)


def read_graded_folder(folder: Path) -> GradedPackage:
    """Return the package in a folder.

    Raises:
        PackageUnreadableError: the folder lacks a file, or has one that is no plain file, too
            large, or has another shape than a stage writes.
    """
    names = [*GRADED_FILES, *(path.name for path in folder.glob("records*.csv"))]
    found = [name for name in names if (folder / name).exists()]
    if are_too_large((folder / name).stat().st_size for name in found):
        message = f"the graded files have more than {MOST_BYTES:,} bytes in total"
        fault = Fault(
            "file-too-large",
            message,
            folder.name,
            "lower dataset.n_samples in the brief, then generate and publish again",
        )
        raise PackageUnreadableError(fault)
    return read_graded({name: _read_text(folder, name) for name in found})


def _read_text(folder: Path, name: str) -> str:
    try:
        with refuse_unreadable(name, name):
            return read_below(folder, name, MOST_BYTES).decode()
    except RefusedFileError as refused:
        raise PackageUnreadableError(refused.make_fault_at("it", name)) from refused


def explain_task(package: GradedPackage, task_id: str) -> list[str]:
    """Return the story of a task, written from its record by the package's own model.

    Of a task of a pair, it ends with why its neighbour goes the other direction.

    Raises:
        PackageUnreadableError: the task and the records do not fit the model or each other.
    """
    model = package.model
    task = next(item for item in package.tasks if item.id == task_id)
    with refuse_unreadable(f"{task_id} with its record"):
        ((_, row),) = _find_task_rows(package, [task])
        story = list(Storyteller(model).explain_walk(label_row(model, row)))
        return [*story, *_explain_pair(package, task, row)]


def _explain_pair(package: GradedPackage, task: Task, row: Row) -> Iterator[str]:
    """Yield what sets a task apart from the other one of its pair; nothing where it has none."""
    others = [item for item in package.tasks if task.pair and item.pair == task.pair]
    found = _find_task_rows(package, [item for item in others if item.id != task.id])
    for other, beside in found:
        yield f"Beside {other.id}, one datum apart"
        yield from explain_contrast(package.model, task.pair, row, beside)


def _find_task_rows(package: GradedPackage, tasks: Iterable[Task]) -> list[tuple[Task, Row]]:
    """Return the tasks whose record is there, each with its row."""
    given = list(tasks)
    inputs = parse_case_inputs(package.model, [task.inputs for task in given])
    rows = build_case_rows(package.model, package.records, inputs)
    return [(task, row) for task, row in zip(given, rows, strict=True) if row is not None]


def run_agents(package: GradedPackage) -> tuple[AgentRun, ...]:
    """Return the runs of the agents that need no language model.

    Raises:
        PackageUnreadableError: the tasks do not fit the model.
        ToolProcessError: the tools module misbehaves, or gives an agent more or else than what is
            published.
        SandboxError: this machine cannot confine it as asked for.
    """
    agents = build_trivial_agents(package.model)
    answers: list[ToolAnswers] = [[] for _ in agents]
    with refuse_unreadable(f"{GRADER_TASKS} with {GRADER_MODEL}"):
        runs = tuple(
            _run_agent(package, agent, SALTS[number % 2], heard)
            for number, (agent, heard) in enumerate(zip(agents, answers, strict=True))
        )
    _require_same(*answers[:2])
    return runs


def _require_same(inside: ToolAnswers, outside: ToolAnswers) -> None:
    """Raise the first answer that the wrong agent, who asks alike, got differently outside."""
    for (call, one), (_, other) in zip(inside, outside, strict=False):
        if one != other:
            raise ToolProcessError(make_outside_fault(call, one, other))


def _run_agent(package: GradedPackage, agent: Agent, salt: int, heard: ToolAnswers) -> AgentRun:
    """Return the run of an agent; with the second salt, the tools look like a plain run."""
    is_plain = salt == SALTS[1]
    # What an attempt changes in the tables, the next one must not find.
    is_shared = package.model.operations is None
    groups = [list(package.tasks)] if is_shared else [[task] for task in package.tasks]
    trajectories: list[Trajectory] = []
    for tasks in groups:
        with open_process(
            package.tool_files, salt, time_limit=TIME_LIMIT, is_plain=is_plain
        ) as process:
            call = _make_caller(package.model.offered, process, heard)
            trajectories += [agent.solve(task.inputs, call) for task in tasks]
    pairs = zip(package.tasks, trajectories, strict=True)
    return AgentRun(
        agent.name,
        tuple(trajectories),
        tuple(score_trajectory(package.model, *pair) for pair in pairs),
    )


def _make_caller(model: DomainModel, process: ToolProcess, heard: ToolAnswers) -> Call:
    def call_tool(tool: str, arguments: Mapping[str, object]) -> Mapping[str, object] | Refused:
        given = cast("Mapping[str, JSONValue]", arguments)
        answer = process.call(tool, given)
        heard.append(((tool, given), answer))
        return build_agent_answer(model, model.tools[tool], answer)

    return call_tool


def try_some(package: GradedPackage) -> list[Finding]:
    """Return where the tools differ from the model on calls about a few tasks.

    Each kind of wrong value is given to each parameter about once.
    """
    inputs = parse_case_inputs(package.model, [task.inputs for task in choose_few(package)])
    slots = TRIED_VALUES * len(inputs)
    trials = list(iterate_tool_trials(package.model, package.records, inputs, slots=slots))
    return find_disagreements(package.model, package.tool_files, trials)


def choose_few(package: GradedPackage) -> list[Task]:
    """Return the first and last task, and those that state a label which none before them does."""
    fields, seen = package.model.fields, set[tuple[str, str]]()
    chosen = []
    for task in package.tasks:
        stated = {
            item for item in task.inputs.items() if isinstance(fields[item[0]].type, EnumType)
        }
        if not stated <= seen or task in (package.tasks[0], package.tasks[-1]):
            chosen.append(task)
            seen |= stated
    return chosen


class PackageSolved:
    """The reference agent scores 1.0. Wrong, silent and one-letter agents score 0.0."""

    name = "package-solved"
    stage = "package"
    runs_tools = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            runs = run_agents(read_graded(collect_package_files(workspace)))
        except (PackageUnreadableError, ToolProcessError) as cause:
            return convert_faults(cause.faults)
        return [finding for run in runs for finding in judge(run)]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Change one cell of the records so that the answer of its task is another."""
        package = read_graded(collect_package_files(workspace))
        records = next(iterate_changed_records(package))
        return workspace.with_files({f"{PREFIX}records.csv": records})


def collect_package_files(workspace: Workspace) -> dict[str, str]:
    """Return the files of the workspace's package."""
    return {
        name.removeprefix(PREFIX): text
        for name, text in workspace.files.items()
        if name.startswith(PREFIX)
    }


def iterate_changed_records(package: GradedPackage) -> Iterator[str]:
    """Return ``records.csv`` with one cell changed, for each that decides its task's answer."""
    model = package.model
    rows = read_records(model, package.records)
    for task, row in _find_task_rows(package, package.tasks):
        for item in model.list_stored_fields(model.case):
            low, high = item.type.bounds
            # Texts and lists have bounds from 0 to 0, and stay as they are.
            if item.role is Role.OBSERVED and low < high:
                changed = {**row, item.name: low if row[item.name] != low else high}
                if task.inputs[model.key] in rows and _compute_answers(model, changed) != dict(
                    task.outcomes
                ):
                    others = {**rows, task.inputs[model.key]: changed}
                    yield write_records(model, others.values())[model.name_records_file(model.case)]


def _compute_answers(model: DomainModel, row: Row) -> dict[str, str]:
    found = collect_outcomes(model, label_row(model, row))
    return {name: model.fields[name].format_cell(value) for name, value in found.items()}


def judge(run: AgentRun) -> list[Finding]:
    """Return what is wrong with a run: only the reference agent may score, and it must."""
    wanted = 1.0 if run.agent == "reference" else 0.0
    findings = []
    if run.success != wanted:
        message = f"the {run.agent} agent scores {run.success:.3f}, not {wanted}"
        findings.append(make_error_finding("package-score", message))
    if wanted and run.gold_trajectories != wanted:
        message = f"the {run.agent} agent makes the gold calls in {run.gold_trajectories:.3f}"
        findings.append(make_error_finding("package-trajectories", message))
    if wanted and run.intermediates != wanted:
        message = f"the {run.agent} agent states the intermediate values in {run.intermediates:.3f}"
        findings.append(make_error_finding("package-intermediates", message))
    return findings


CHECK = PackageSolved()
