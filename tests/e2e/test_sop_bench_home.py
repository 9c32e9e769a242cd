"""SOP-Bench itself loads and scores what is published, and our matcher agrees with its own.

Needs a checkout of ``amazon-science/SOP-Bench``, which ``SOP_BENCH_HOME`` names. Its registry,
loader, tool manager and evaluator run as they are, on another folder of packages.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType, new_class
from typing import Any, TypeAlias
from unittest import mock

import pytest

from sopforge.checks.package.package_solved import read_graded
from sopforge.harness.scoring.agents import make_wrong_answer
from sopforge.harness.scoring.sop_bench_answers import (
    AgentResult,
    ParserBreaksError,
    Rates,
    compute_rates,
    parse_answer,
)
from sopforge.harness.scoring.sop_bench_package import Expected, PeerPackage, PeerTask, read_package
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from tests.conftest import Released
from tests.worlds.packages import package_texts
from tests.worlds.releases import fees_release
from tests.worlds.shared_builds import Shared

HOME = os.environ.get("SOP_BENCH_HOME", "")
NAMES = ["patient_intake", "patient_intake_l1", "patient_intake_l2", "patient_intake_l3"]
NAN = float("nan")

pytestmark = pytest.mark.skipif(
    not HOME, reason="SOP_BENCH_HOME does not name a checkout of amazon-science/SOP-Bench"
)

Results: TypeAlias = Mapping[str, str]
Act: TypeAlias = Callable[[Mapping[str, object], object], object]


# The checkout, and what it is given


@dataclass(frozen=True)
class Peer:
    """The modules of the checkout; its registry finds the packages in ``data``."""

    agents: ModuleType
    benchmarks: ModuleType
    evaluation: ModuleType
    types: ModuleType
    data: Path

    def evaluator(self, name: str, agent: object, **options: int) -> Any:  # noqa: ANN401 - the checkout's own class
        """Return an evaluator of an agent on a package."""
        results = self.data.parent / "results"
        return self.evaluation.Evaluator(name, agent, output_dir=results, **options)

    def agent(self, act: Act) -> object:
        """Return an agent that acts on a task's inputs with the tool manager, as ``act`` says."""

        def execute(_self: object, sop: str, task: Mapping[str, object], tools: object) -> object:
            assert sop
            return act(task, tools)

        base = self.agents.BaseAgent
        return new_class("ScriptedAgent", (base,), {}, lambda body: body.update(execute=execute))()


@pytest.fixture(scope="module")
def peer(released: Released, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    """Return the checkout; nothing of it stays, in this process or in the release."""
    work = tmp_path_factory.mktemp("sop_bench")
    shutil.copytree(Path(released.published.place), work / "data")
    known = set(sys.modules)
    with (
        mock.patch.dict(os.environ, {"OUTPUT_DIR": str(work / "results")}),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.syspath_prepend(Path(HOME) / "src")
        patch.setattr(sys, "dont_write_bytecode", True)
        modules = ("agents", "benchmarks", "evaluation", "types")
        found = {name: import_module(f"amazon_sop_bench.{name}") for name in modules}
        loader = import_module("amazon_sop_bench.benchmarks.loader")
        registry = partial(loader.BenchmarkRegistry, work / "data")
        patch.setattr(loader, "BenchmarkRegistry", registry)
        patch.setattr(found["benchmarks"], "BenchmarkRegistry", registry)
        yield Peer(**found, data=work / "data")
    for name in set(sys.modules) - known:
        if name.startswith(("amazon_sop_bench", "benchmark_tools_")):
            del sys.modules[name]


@dataclass(frozen=True)
class Gold:
    """A package with its graded side: the rows of its test set and the tasks, by key."""

    model: DomainModel
    ours: PeerPackage
    rows: Mapping[str, Results]
    tasks: Mapping[str, Task]

    def task(self, inputs: Mapping[str, object]) -> Task:
        """Return the task with these inputs."""
        return self.tasks[self._key(inputs)]

    def right(self, task: Task) -> Results:
        """Return every result of a task as its row has it."""
        row = self.rows[self._key(task.inputs)]
        return {item.name: row[item.name] for item in self.model.outcomes}

    def _key(self, inputs: Mapping[str, object]) -> str:
        return str(inputs[self.model.inputs[0].name])


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Return the name of a package."""
    return str(request.param)


def read_gold(folder: Path, key: str) -> Gold:
    """Return a package with its graded side, by the column of keys."""
    graded = read_graded(package_texts(folder))
    rows = list(csv.DictReader((folder / "test_set_with_outputs.csv").open(encoding="utf-8")))
    by_id = {task.id: task for task in graded.tasks}
    assert len({row[key] for row in rows}) == len(rows) == len(by_id)
    return Gold(
        graded.model,
        read_package(folder),
        {row[key]: row for row in rows},
        {row[key]: by_id[row["task_id"]] for row in rows},
    )


@pytest.fixture
def gold(peer: Peer, name: str) -> Gold:
    """Return the package of that name with its graded side."""
    return read_gold(peer.data / name, "patient_id")


# What agents state, and how


def prose(label: str, _results: Results) -> str:
    return f"I followed the procedure.\n<final_decision>\n{label}\n</final_decision>\nDone."


def elements(_label: str, results: Results) -> str:
    return "\n".join(f"<{column}>{value}</{column}>" for column, value in results.items())


COLUMN = "user_registration"
STATEMENTS: dict[str, Callable[[str, Results], str]] = {
    "the label": lambda label, _: label,
    "the label after a lead": lambda label, _: f"Final answer: {label}",
    "final_decision in prose": prose,
    "the column's element": lambda label, _: f"<{COLUMN}>{label}</{COLUMN}>",
    "an element per result": elements,
    "final_response with a dict": lambda _, results: (
        f"<final_response>{dict(results)}</final_response>"
    ),
    "final_output with JSON": lambda _, results: (
        f"<final_output>\n{json.dumps(results, indent=2)}\n</final_output>"
    ),
    "JSON of the column": lambda label, _: json.dumps({COLUMN: label}),
    "a dict of the column": lambda label, _: repr({COLUMN: label}),
}


def write_messages(task: Task, statement: str) -> str:
    """Return the trace of a function-calling agent: its messages as indented JSON."""
    messages: list[object] = [{"role": "user", "content": "<sop>…</sop>"}]
    for place, call in enumerate(task.calls):
        asked = {"type": "tool_use", "id": f"call-{place}", "name": call.tool}
        answered = {"type": "tool_result", "tool_use_id": f"call-{place}"}
        messages += [
            {"role": "assistant", "content": [{**asked, "input": call.arguments}]},
            {"role": "user", "content": [{**answered, "content": json.dumps(call.result)}]},
        ]
    messages.append({"role": "assistant", "content": [{"type": "text", "text": statement}]})
    return json.dumps(messages, indent=2)


def write_repr(task: Task, statement: str) -> str:
    """Return the trace of a ReAct agent: the result as Python writes it."""
    steps = [((call.tool, dict(call.arguments)), dict(call.result)) for call in task.calls]
    return repr({"input": dict(task.inputs), "output": statement, "intermediate_steps": steps})


TRACES: dict[str, Callable[[Task, str], str]] = {
    "no trace": lambda _task, _statement: "",
    "messages": write_messages,
    "repr": write_repr,
}


def right(gold: Gold, task: Task) -> Results:
    return gold.right(task)


def wrong(gold: Gold, task: Task) -> Results:
    results = gold.right(task)
    return {**results, COLUMN: make_wrong_answer(gold.model.primary, results[COLUMN])}


def blank(gold: Gold, task: Task) -> Results:
    return dict.fromkeys(gold.right(task), "")


# Packages


def test_the_registry_finds_every_level(peer: Peer) -> None:
    listed = peer.benchmarks.list_benchmarks()
    assert [(item["name"], item["num_tasks"]) for item in listed] == [(name, 120) for name in NAMES]


def test_a_package_is_sound_and_loads_whole(peer: Peer, gold: Gold) -> None:
    assert peer.benchmarks.BenchmarkRegistry().validate_benchmark(gold.ours.name) == (True, [])
    loaded = peer.benchmarks.load_benchmark(gold.ours.name)
    assert [{name: str(value) for name, value in task.inputs.items()} for task in loaded.tasks] == [
        dict(task.inputs) for task in gold.tasks.values()
    ]
    assert [task.expected_output for task in loaded.tasks] == [
        row[COLUMN] for row in gold.rows.values()
    ]
    assert loaded.tools.get_tool_names() == list(gold.model.tools)


def test_our_reader_reads_what_theirs_does(peer: Peer, gold: Gold) -> None:
    loaded, ours = peer.benchmarks.load_benchmark(gold.ours.name), gold.ours
    assert loaded.metadata.output_columns == list(ours.output_columns)
    assert loaded.metadata.num_tools == ours.num_tools
    assert loaded.sop_text == ours.sop
    assert loaded.tools.get_tool_names() == [tool.name for tool in ours.toolspecs]
    assert type(loaded.tools.tools_instance).__name__ == ours.manager_name
    assert [
        PeerTask(task.task_id, task.inputs, task.expected_output) for task in loaded.tasks
    ] == list(ours.tasks)


# Agents


@dataclass(frozen=True)
class Script:
    """An agent that needs no model, in one form; ``calls`` says whether it uses the tools."""

    gold: Gold
    results: Callable[[Gold, Task], Results]
    state: Callable[[str, Results], str]
    write: Callable[[Task, str], str]
    calls: bool

    def answer(self, inputs: Mapping[str, object]) -> AgentResult:
        """Return what the agent hands back."""
        task = self.gold.task(inputs)
        results = self.results(self.gold, task)
        statement = self.state(results.get(COLUMN, ""), results)
        return AgentResult(statement, self.write(task, statement))

    def work(self, peer: Peer, inputs: Mapping[str, object], tools: Any) -> object:  # noqa: ANN401 - the checkout's own class
        """Make the gold calls, which have to return what is on record, and answer."""
        made = []
        for call in self.gold.task(inputs).calls if self.calls else ():
            done = tools.execute_tool(call.tool, dict(call.arguments))
            assert done.result == call.result, done.error
            made.append({"tool": call.tool, "success": done.success})
        answer = self.answer(inputs)
        return peer.agents.AgentResult(answer.output, made, reasoning_trace=answer.trace)

    def rates(self, peer: Peer, **options: int) -> tuple[Rates, Rates]:
        """Return what the checkout and what our matcher makes of the agent."""
        agent = peer.agent(partial(self.work, peer))
        ours = {task.id: self.answer(task.inputs) for task in self.gold.ours.tasks}
        measured = peer.evaluator(self.gold.ours.name, agent, **options).run()
        assert measured.tool_accuracy.get("overall") == (1.0 if self.calls else None)
        return rates_of(measured), compute_rates(self.gold.ours, ours)


def rates_of(measured: Any) -> Rates:  # noqa: ANN401 - the checkout's own class
    return Rates(
        measured.num_tasks,
        measured.execution_completion_rate,
        measured.conditional_task_success_rate,
        measured.task_success_rate,
    )


@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize(
    ("results", "calls", "rate"),
    [
        pytest.param(right, True, 1.0, id="reference"),
        pytest.param(wrong, True, 0.0, id="wrong"),
        pytest.param(blank, False, 0.0, id="blank"),
    ],
)
def test_an_agent_scores_the_same_in_every_form(
    peer: Peer,
    gold: Gold,
    results: Callable[[Gold, Task], Results],
    trace: str,
    *,
    calls: bool,
    rate: float,
) -> None:
    scores = {
        form: Script(gold, results, state, TRACES[trace], calls).rates(peer)
        for form, state in STATEMENTS.items()
    }
    wanted = Rates(tasks=120, ecr=1.0, c_tsr=rate, tsr=rate)
    assert scores == dict.fromkeys(STATEMENTS, (wanted, wanted))


def test_workers_in_parallel_share_the_tools(peer: Peer, gold: Gold) -> None:
    script = Script(gold, right, elements, write_messages, calls=True)
    theirs, _ours = script.rates(peer, max_workers=4)
    assert theirs.tsr == 1.0


# Several scored columns, one of them an amount


@pytest.fixture(scope="module")
def fees(peer: Peer, shared: Shared) -> Iterator[Gold]:
    """Return a package whose brief asks for all outcomes as scored columns."""
    folder = shutil.copytree(fees_release(shared) / "fees", peer.data / "fees")
    yield read_gold(folder, "loan_id")
    shutil.rmtree(folder)


@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize(
    ("changed", "rate"), [({}, 1.0), ({"fee": "13.75"}, 0.0), ({"lateness": "lost"}, 0.0)],
    ids=["right", "wrong amount", "wrong label"],
)  # fmt: skip
def test_all_outcomes_are_scored_whatever_the_trace(
    peer: Peer, fees: Gold, trace: str, changed: Results, rate: float
) -> None:
    def results(_gold: Gold, task: Task) -> Results:
        return {**task.outcomes, **changed}

    script = Script(fees, results, elements, TRACES[trace], calls=True)

    def work(inputs: Mapping[str, object], tools: object) -> object:
        return script.work(peer, inputs, tools)

    measured = peer.evaluator("fees", peer.agent(work)).run()
    assert rates_of(measured) == Rates(tasks=20, ecr=1.0, c_tsr=rate, tsr=rate)


# Our matcher


ONE = ("refund",)
TWO = ("refund", "reason")
ONE_TRUTHS: tuple[Expected, ...] = (
    "full", "Half_Price", "on hold", "late", "n", 12, 1.5, True, NAN, "unknown",
)  # fmt: skip
TWO_TRUTHS: tuple[Expected, ...] = (
    {"refund": "full", "reason": "late"},
    {"refund": 12, "reason": NAN},
    {"refund": "Half_Price", "reason": "on hold"},
)
TOOL_RESULT = {"type": "tool_result", "content": json.dumps({"refund": "full", "reason": "late"})}
ANSWERS = {
    "nothing": "",
    "blank": " \n",
    "label": "full",
    "label in capitals": " FULL\n",
    "part of a label": "l",
    "every label": "full, half price, on hold, late",
    "underscore and hyphen": "half-price",
    "underscore inside a sentence": "I say half price",
    "hyphen alone": "-",
    "number": "12",
    "number inside a number": "112",
    "number as float": "12.0",
    "boolean": "true",
    "null word": "N/A",
    "lead": "Final answer: full",
    "two leads in their order": "Result: output: full",
    "two leads against their order": "Output: result: full",
    "lead before a long text": "decision: full" + " " * 5 + "x" * 85,
    "long text": "full " + "x" * 96,
    "final_decision": "<final_decision>full</final_decision>",
    "final_decision in capitals": "<FINAL_DECISION>Full</Final_Decision>",
    "final_decision without its end": "<final_decision>full",
    "empty final_decision": "<final_decision></final_decision>",
    "own element": "<refund>full</refund>",
    "own element between others": "<a>x</a><refund>full</refund><b>y</b>",
    "elements in capitals": "<REFUND>full</REFUND><Reason>late</Reason>",
    "elements twice": "<refund>x</refund><reason>y</reason><refund>full</refund>"
    "<reason>late</reason>",
    "an id alone": "<task_id>full</task_id>",
    "an id beside an element": "<ID>7</ID><x>full</x>",
    "wrapped elements": "<final_response><refund>full</refund><reason>late</reason>"
    "</final_response>",
    "wrapper in capitals": "<a>1</a><Response><refund>full</refund><reason>late</reason>"
    "</Response>",
    "wrapped id beside a dict": "<output><id>7</id>{'refund': 'full'}</output>",
    "wrapped dict": "<final_decision>{'Refund': 'full', 'reason': 'late'}</final_decision>",
    "wrapped dict over lines": "<response>{'refund': 'full',\\n'reason': 'late'}</response>",
    "wrapped dict with an aircraft": "<response>{'aircraft_id': 1, 'refund': 'full'}</response>",
    "wrapped dict with a number as key": "<response>{1: 'full', 2: 'late'}</response>",
    "wrapped dict with a list as key": "<response>{[1]: 'full'}</response>",
    "a field named decisions": "<decisions>x</decisions><refund>full</refund><reason>late</reason>",
    "final_output": '<final_output>{"refund": "full", "reason": "late"}</final_output>',
    "final_output in capitals": '<Final_Output> {"REFUND": 12, "Reason": null} </Final_Output>',
    "final_output twice": '<final_output>{"refund": "x", "reason": "y"}</final_output>'
    '<final_output>{"refund": "full", "reason": "late"}</final_output>',
    "final_output malformed at last": '<final_output>{"refund": "full"}</final_output>'
    "<final_output>{refund: late}</final_output>",
    "final_output of other fields": '<final_output>{"note": "full"}</final_output>',
    "final_output of one field": '<final_output>{"reason": "late"}</final_output>',
    "JSON": '{"refund": "full", "reason": "late"}',
    "JSON in another order": '{"reason": "late", "refund": "full"}',
    "JSON of keys in two cases": '{"Refund": "full", "refund": "x", "reason": "late"}',
    "JSON with an id": 'It is {"id": 7, "refund": "full", "reason": "late"}.',
    "JSON of an id": '{"id": "full"}',
    "JSON with nesting": '{"a": {"refund": "full"}, "refund": "late"}',
    "JSON of nulls": '{"refund": null, "reason": null}',
    "JSON without end": '{"refund": "full"',
    "dict": "{'reason': None, 'refund': True}",
    "dict with nesting": "{'refund': ('full', {}), 'reason': 'late'}",
    "dict after a heading": "{0} Final Response: {'refund': 'full', 'reason': (1, {})}",
    "dict with a number as key": "{1: {}, 'refund': 'full'}",
    "dict with a list as key": "{(1, []): {}} full",
    "a set": "{'full', ('x', '{')}",
    "messages": json.dumps([{"role": "user", "content": [TOOL_RESULT]}], indent=2),
    "messages and an answer": json.dumps(
        [
            {"role": "user", "content": [TOOL_RESULT, "text"]},
            {"role": "assistant", "content": "<refund>x</refund><reason>y</reason>"},
        ]
    ),
    "messages of the assistant": json.dumps([{"role": "assistant", "content": [TOOL_RESULT]}]),
    "messages without a role": json.dumps([{"content": [TOOL_RESULT]}]),
    "messages with half of the results": json.dumps(
        [{"role": "user", "content": [{**TOOL_RESULT, "content": '{"refund": "full"}'}]}]
    ),
    "messages with no JSON in a result": json.dumps(
        [{"role": "user", "content": [{**TOOL_RESULT, "content": "full"}, TOOL_RESULT]}]
    ),
    "messages with parts in a result": json.dumps(
        [{"role": "user", "content": [{**TOOL_RESULT, "content": [{"text": "{}"}]}]}]
    ),
    "messages without content": json.dumps([{"role": "user", "content": None}]),
    "a list of texts": json.dumps(["full", "late"]),
    "a list without end": '[{"role": "user"',
    "the messages of Python": repr([{"role": "user", "content": [TOOL_RESULT]}]),
    "the result of Python": repr({"output": "<refund>full</refund>\n<reason>late</reason>"}),
    "JSON in the result of Python": repr({"output": '{\n "refund": "full"\n}'}),
}


@pytest.mark.parametrize(
    ("columns", "truths"),
    [
        pytest.param(ONE, ONE_TRUTHS, id="one column"),
        pytest.param(TWO, TWO_TRUTHS, id="two columns"),
    ],
)
@pytest.mark.parametrize("place", ["output", "reasoning_trace"])
def test_our_matcher_agrees_with_theirs(
    peer: Peer, columns: tuple[str, ...], truths: tuple[Expected, ...], place: str
) -> None:
    evaluator = peer.evaluator(NAMES[0], peer.agent(partial(state_text, peer, place)))
    metadata = replace(evaluator.benchmark.metadata, output_columns=list(columns))
    cases = [(name, text, truth) for name, text in ANSWERS.items() for truth in truths]
    tasks = [
        peer.types.Task(str(number), {"text": text}, truth)
        for number, (_, text, truth) in enumerate(cases)
    ]
    evaluator.benchmark = replace(evaluator.benchmark, metadata=metadata, tasks=tasks)
    metrics = peer.evaluation.MetricsCalculator()
    plain = read_package(peer.data / NAMES[0])
    differences = []
    for (name, text, truth), result in zip(cases, evaluator.run().task_results, strict=True):
        theirs = metrics.calculate_all_metrics([result])
        package = replace(plain, tasks=(PeerTask("0", {}, truth),), output_columns=columns)
        answer = AgentResult(text) if place == "output" else AgentResult("full", trace=text)
        ours = compute_rates(package, {"0": answer})
        right = (theirs["task_success_rate"], theirs["execution_completion_rate"])
        if right != (ours.tsr, ours.ecr):
            differences.append((name, truth, right, (ours.tsr, ours.ecr)))
    assert differences == []


def state_text(peer: Peer, place: str, inputs: Mapping[str, object], _tools: object) -> object:
    """Hand back a task's own text, as the output or as the trace of another output."""
    fields = {"output": "full", "tool_calls": [], place: inputs["text"]}
    return peer.agents.AgentResult(**fields)


@pytest.mark.parametrize("columns", [ONE, TWO], ids=["one column", "two columns"])
def test_our_matcher_finds_what_theirs_does(peer: Peer, columns: tuple[str, ...]) -> None:
    found = {
        name: (parse_there(peer, text, columns), parse_here(text, columns))
        for name, text in ANSWERS.items()
    }
    assert {name: pair for name, pair in found.items() if pair[0] != pair[1]} == {}


def parse_there(peer: Peer, text: str, columns: tuple[str, ...]) -> object:
    """Return what the checkout finds: the fields of several columns, or else one value."""
    try:
        parsed = peer.evaluation.OutputParser().parse_decision(text, list(columns))
    except (AttributeError, TypeError):
        return None
    fields = parsed.get("decisions", {})
    return fields if len(columns) > 1 and len(fields) > 1 else parsed["decision"]


def parse_here(text: str, columns: tuple[str, ...]) -> object:
    try:
        return parse_answer(text, "", columns)
    except ParserBreaksError:
        return None
