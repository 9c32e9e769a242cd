"""What a package's own scorer counts is what we count, for every agent that needs no model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.own_agents import FunctionAgent
from sopforge.evaluation.agents.scripted import (
    find_most_frequent_answer,
    make_scripted_agent,
)
from sopforge.evaluation.figures.sessions import compute_pair_rate
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.runs.metrics import AttemptVerdict, compute_rates
from sopforge.evaluation.runs.rows import LOGS, Row, RunFolder
from sopforge.evaluation.runs.running import ask_for, choose_tasks, run_agent
from sopforge.harness.environment.session import Session
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.tasks import Task
from sopforge.sandbox.answers import JSONValue
from tests.conftest import Released
from tests.worlds.carried import load_carried
from tests.worlds.releases import publish_counter, publish_orders, refund_release
from tests.worlds.shared_builds import Shared

SEED = 3
CONTROLS = ("gold", "wrong", "silent", "one-letter", "constant", "random-tool")
FIGURES = (
    *("is_complete", "is_right", "outcomes", "stated", "intermediates", "precision", "recall"),
    *("parameters", "is_in_order", "is_gold", "calls", "refused", "unknown", "faults"),
    *("redundant", "beside", "divergence"),
)
"""Those that need no solver."""
PACKAGES = (pytest.param("L0", marks=pytest.mark.exhaustive), "L3", "orders", "counter")


@pytest.fixture(scope="module")
def folders(released: Released, shared: Shared) -> Mapping[str, Path]:
    """Return the folders of packages by what they are called here."""
    places = released.published.packages
    return {
        **{level: Path(places[level]) for level in ("L0", "L3")},
        "orders": publish_orders(shared),
        "counter": publish_counter(shared),
    }


def solve_oddly(session: Session[Any]) -> str | None:
    """Make calls and give texts that are wrong in as many manners as there are."""
    seen = session.observation
    number = list(session.environment.shown.tasks).index(seen.task.id)
    values: list[JSONValue] = [
        "no such thing",
        1,
        0,
        True,
        None,
        12.5,
        [],
        [1],
        {"a": [0.1]},
        "1",
        "yes",
    ]
    for place, tool in enumerate(seen.tools):
        names = list(dict(tool.parameters["properties"]))  # type: ignore[call-overload]
        cells: dict[str, JSONValue] = {
            name: seen.task.inputs.get(name, values[(number + part) % len(values)])
            for part, name in enumerate(names)
        }
        session.call(tool.name, cells)
        if (number + place) % 3 == 0:
            session.call(tool.name, dict(reversed(list(cells.items()))))
    session.say("<approved>maybe</approved>")
    session.call(f"{seen.tools[0].name}s", {"x": 0.5})
    given: dict[str, JSONValue] = {name: [cell] for name, cell in seen.task.inputs.items()}
    session.call(seen.tools[-1].name, given)
    return ODD_ANSWERS[number % len(ODD_ANSWERS)](session)


def state_each(form: str) -> Callable[[Session[Any]], str]:
    """Return what states the most frequent answer in a form."""

    def state(session: Session[Any]) -> str:
        return "".join(
            form.format(name=n, value=v)
            for n, v in FREQUENT[session.environment.shown.name].items()
        )

    return state


FREQUENT: dict[str, Mapping[str, str]] = {}
ODD_ANSWERS: list[Callable[[Session[Any]], str | None]] = [
    lambda _: None,
    lambda _: "",
    lambda _: "I do not know.",
    state_each("<{name}>{value}</{name}>"),
    state_each("<{name}> {value}\n</{name}> "),
    state_each("<{name}>x</{name}><{name}>{value}</{name}>"),
    state_each("<{name}>{value}</{name}><{name}></{name}>"),
    state_each("<{name}>{value}"),
    state_each("<b><{name}>{value}</{name}></b>"),
    state_each("<{name}><b>{value}</b></{name}>"),
    state_each("{name}: {value}\n"),
]


def acts(package: ProvedPackage, task: Task) -> bool:
    """Return whether some gold call of a task is of a tool that acts."""
    return any(package.model.tools[call.tool].is_acting for call in task.calls)


def require_same_figures(package: ProvedPackage, folder: Path, rows: list[Row], logs: Path) -> None:
    """Require the package's scorer to have each figure as it is in our row."""
    tasks = {row.asked.key: row.asked for row in rows}
    lines = []
    for line in logs.read_text("utf-8").splitlines():
        asked = tasks[json.loads(line)["key"]]
        # As text: read and written anew, numbers would lose their places.
        head = f'{{"task": {json.dumps(asked.task)}, "seed": {asked.seed}, '
        lines.append(head + line.partition(", ")[2])
    module = load_carried(folder / "grader" / "score.py")
    found = module.Scorer(folder / "grader").score_log("\n".join(lines))

    assert len(found) == len(rows) == len(package.gold)
    judged = {"session", "pair"} if package.judge else set()
    assert set(found[0]) == {"task", "seed", *FIGURES, *judged}
    for row, own in zip(found, rows, strict=True):
        wanted = own.as_record()
        assert row == {name: wanted.get(name, "") for name in row}
    verdicts = [
        AttemptVerdict(row.grade.is_complete, row.grade.is_right, row.grade.path) for row in rows
    ]
    rates = compute_rates(verdicts)
    assert module.summarize(found) == {
        "tasks": len(rows),
        "sessions": len(rows),
        "ECR": rates.ecr.share,
        "C-TSR": rates.c_tsr.share,
        "TSR": rates.tsr.share,
        **({"pairs": compute_pair_rate(rows).share} if package.judge else {}),
    }


def run(package: ProvedPackage, agent: EvaluatedAgent, folder: Path, home: Path) -> list[Row]:
    """Return our rows of an agent, after the package's scorer had the same figures."""
    asked = ask_for(package, choose_tasks(package, 0, SEED), agent.name, SEED)
    rows = run_agent(package, agent, asked, RunFolder(home))
    require_same_figures(package, folder, rows, home / LOGS)
    return rows


@pytest.mark.parametrize("name", PACKAGES)
def test_agents_whose_score_is_known(
    folders: Mapping[str, Path], name: str, tmp_path: Path
) -> None:
    package = read_proved(folders[name])
    scores = {}
    for agent in CONTROLS:
        rows = run(package, make_scripted_agent(agent, package), folders[name], tmp_path / agent)
        scores[agent] = sum(row.grade.is_right for row in rows)

    frequent = find_most_frequent_answer(package.graded.tasks)
    share = sum(dict(task.outcomes) == frequent for task in package.graded.tasks)
    done = [task for task in package.graded.tasks if acts(package, task)]
    assert scores["gold"] == len(package.gold)
    assert (scores["wrong"], scores["silent"], scores["one-letter"]) == (0, 0, 0)
    # On tables an answer alone is right nowhere, and elsewhere not where something is done.
    without = share - sum(dict(task.outcomes) == frequent for task in done)
    assert scores["constant"] == (0 if package.judge else without)
    assert share > 0


@pytest.mark.parametrize("times", [0, 2])
def test_right_outcomes_without_just_the_right_acts(
    shared: Shared, times: int, tmp_path: Path
) -> None:
    folder = refund_release(shared) / "refund"
    package = read_proved(folder)

    def solve(session: Session[Any]) -> str:
        task = package.gold[session.observation.task.id]
        for call in task.calls:
            for _ in range(times if call.tool == "payRefund" else 1):
                session.call(call.tool, dict(call.arguments))
        return write_answer({**task.intermediates, **task.outcomes})

    rows = run(package, FunctionAgent("states alone", solve), folder, tmp_path)

    paid = [acts(package, package.gold[row.asked.task]) for row in rows]
    assert {True, False} == set(paid)
    assert [row.grade.is_right for row in rows] == [not is_paid for is_paid in paid]
    fault = ("further call", "payRefund") if times else ("early stop", "pay: payRefund")
    found = {(row.grade.divergence_kind, row.grade.divergence_at) for row in rows}
    assert found == {fault, ("none", "")}


@pytest.mark.parametrize("name", PACKAGES)
def test_odd_calls_and_malformed_answers(
    folders: Mapping[str, Path], name: str, tmp_path: Path
) -> None:
    package = read_proved(folders[name])
    frequent = find_most_frequent_answer(package.graded.tasks)
    FREQUENT[package.shown.name] = frequent
    assert write_answer(frequent)

    rows = run(package, FunctionAgent("odd", solve_oddly), folders[name], tmp_path)

    assert {row.grade.is_complete for row in rows} == {True, False}
    assert sum(row.grade.unknown for row in rows) == len(rows)
    assert any(row.grade.is_right for row in rows) is (package.judge is None)
