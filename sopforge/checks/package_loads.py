"""Package: SOP-Bench's own rules load it, and score right answers 1.0 and others 0.0."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from sopforge.checks.package_solved import PREFIX, package_of, read_graded
from sopforge.checks.spoiling import edit_json
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import Task
from sopforge.errors import PackageUnreadableError
from sopforge.findings import Finding, error
from sopforge.packaging.sop_bench import CHECKSUMS, GRADER_TABLE
from sopforge.packaging.task_table import write_task_table
from sopforge.scoring.agents import another
from sopforge.scoring.sop_bench_answers import AgentResult, evaluate
from sopforge.scoring.sop_bench_package import PeerPackage, read_package
from sopforge.store.files import write_folder
from sopforge.workspace import Workspace


class PackageLoads:
    """A reader and matcher of SOP-Bench's rules find every task, input and answer."""

    name = "package-loads"
    stage = "package"

    def examine(self, workspace: Workspace) -> list[Finding]:
        files = package_of(workspace)
        try:
            graded = read_graded(files)
            with TemporaryDirectory(prefix="sopforge-package-") as home:
                folder = Path(home) / "package"
                write_folder(folder, files)
                package = read_package(folder)
        except PackageUnreadableError as cause:
            return [error(fault.code, fault.message, where=fault.where) for fault in cause.faults]
        return [
            *_checksum_findings(files, write_task_table(graded.model, graded.tasks)),
            *_content_findings(graded.model, graded.tasks, package),
            *_rate_findings(graded.model, graded.tasks, package),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        def drop_input(metadata: dict[str, list[str]]) -> None:
            metadata["input_columns"].pop()

        return edit_json(workspace, f"{PREFIX}metadata.json", drop_input)


def _checksum_findings(files: dict[str, str], table: bytes) -> list[Finding]:
    """Compare the checksums with the texts, and with the table that the grader's tasks make."""
    lines = [line.split("  ", 1) for line in files[CHECKSUMS].splitlines()]
    listed = {name: digest for digest, name in lines}
    actual = {name: sha256(text.encode()).hexdigest() for name, text in files.items()}
    actual.pop(CHECKSUMS)
    actual[GRADER_TABLE] = sha256(table).hexdigest()
    return [
        error("checksum", f"{name} is not the file that was released", where=name)
        for name in sorted({**listed, **actual})
        if listed.get(name) != actual.get(name)
    ]


def _content_findings(
    model: DomainModel, tasks: tuple[Task, ...], package: PeerPackage
) -> list[Finding]:
    names = [item.name for item in model.inputs]
    specs = [tool.name for tool in package.toolspecs]
    pairs = [
        ("inputs", list(package.input_columns), names),
        ("scored columns", list(package.output_columns), [model.primary.name]),
        ("tools", specs, list(model.tools)),
        ("tasks", len(package.tasks), len(tasks)),
    ]
    return [
        error("package-content", f"{what} are {found}, not {wanted}", where="metadata.json")
        for what, found, wanted in pairs
        if found != wanted
    ]


def _rate_findings(
    model: DomainModel, tasks: tuple[Task, ...], package: PeerPackage
) -> list[Finding]:
    primary = model.primary
    answers: list[tuple[str, Callable[[Task], str], float]] = [
        ("right", lambda task: task.outcomes[primary.name], 1.0),
        ("wrong", lambda task: another(primary, task.outcomes[primary.name]), 0.0),
        ("silent", lambda task: "", 0.0),  # noqa: ARG005 - says nothing whatever the task
    ]
    findings = []
    for name, answer, wanted in answers:
        for shape, results in _shapes(tasks, answer):
            rate = evaluate(package, results).tsr
            if rate != wanted:
                message = f"{name} answers as {shape} score {rate:.3f}, not {wanted}"
                findings.append(error("package-rates", message))
    return findings


def _shapes(
    tasks: tuple[Task, ...], answer: Callable[[Task], str]
) -> Iterable[tuple[str, dict[str, AgentResult]]]:
    """Return answers in each form in which agents state them, with gold results in the trace."""
    forms = {
        "plain text": "{}",
        "a final_decision element": "Done.\n<final_decision>{}</final_decision>",
        "a response element": "<final_response>{}</final_response>",
    }
    for shape, form in forms.items():
        yield (
            shape,
            {
                str(place): AgentResult(
                    form.format(answer(task)) if answer(task) else "", _trace(task)
                )
                for place, task in enumerate(tasks)
            },
        )


def _trace(task: Task) -> str:
    return json.dumps([{"tool": call.tool, "result": dict(call.result)} for call in task.calls])


CHECK = PackageLoads()
