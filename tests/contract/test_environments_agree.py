"""Model, published tools and carried environment answer alike, call for call, in any session."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sopforge.checks.package.package_solved import read_graded_folder
from sopforge.harness.environment.events import Called, write_log
from sopforge.harness.environment.lines import describe_observation
from sopforge.harness.environment.machine import Environment, State
from sopforge.harness.environment.model_service import make_model_service
from sopforge.harness.environment.shown import read_shown
from sopforge.harness.environment.tools_service import ToolsService
from sopforge.sandbox.answers import JSON
from tests.conftest import Released
from tests.worlds.carried import load_carried
from tests.worlds.releases import publish_orders
from tests.worlds.shared_builds import Shared

Call = tuple[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def orders(shared: Shared) -> Path:
    """Return the package of a domain in which an action changes what is answered later."""
    return publish_orders(shared)


def iterate_changed_calls(call: Call) -> Iterator[Call]:
    """Yield a call, and the same with each argument left out, wrong, or of another type."""
    tool, given = call
    yield call
    for name in given:
        yield tool, {key: value for key, value in given.items() if key != name}
        yield tool, {**given, name: "no such thing"}
        yield tool, {**given, name: None}
    yield "noSuchTool", given
    yield call


def list_answers(state: State[Any]) -> list[tuple[str, JSON, str]]:
    """Return what calls were answered; a refusal's words may differ, its code may not."""
    called = [event for event in state.events if isinstance(event, Called)]
    return [(event.tool, event.reply.result, event.reply.refusal) for event in called]


def require_same_answers(folder: Path, *, keep_state: bool) -> int:
    """Return how many calls three environments were asked, which answered all alike."""
    shown, graded = read_shown(folder), read_graded_folder(folder)
    by_model = Environment(
        shown, make_model_service(graded.model, graded.records, shown.tasks.values())
    )
    carried = load_carried(folder / "environment.py").Environment(folder)
    # Begun together: none may see what another one changes.
    sessions = {task.id: carried.start(task.id, 7) for task in graded.tasks}
    asked = 0
    with ToolsService(shown.files, keep_state) as tools:
        by_tools = Environment(shown, tools)
        for task, other in pairwise(graded.tasks[:20]):
            left, right = by_model.start(task.id), by_tools.start(task.id)
            # Calls about another case as well, and then again about its own.
            for gold in (*task.calls, *other.calls, *task.calls[:1]):
                for call in iterate_changed_calls((gold.tool, gold.arguments)):
                    left, right = by_model.call(left, *call), by_tools.call(right, *call)
                    reply = sessions[task.id].call(*call)
                    event = right.events[-1]
                    assert isinstance(event, Called)
                    # Words of refusals included: they are those of the same tools.
                    assert reply.as_text() == event.reply.as_text(), call
                    asked += 1
            assert list_answers(left) == list_answers(right), task.id
            require_same_log(sessions[task.id], by_tools.finish(right, "It is done."))
    return asked


def require_same_log(
    session: Any,  # noqa: ANN401 - a module of a package has no types
    state: State[Any],
) -> None:
    """Require that a carried session is logged as our own is, under its task and seed."""
    session.finish(state.answer)
    head = {"task": state.task, "seed": 7, "answer": state.answer}
    assert session.write_log() == write_log(head, state.events)


def test_what_an_agent_is_shown(released: Released) -> None:
    folder = Path(released.published.packages["L0"])
    shown = read_shown(folder)
    carried = load_carried(folder / "environment.py").Environment(folder)
    environment = Environment(shown, ToolsService(shown.files, keep_state=False))

    assert list(carried.tasks) == list(shown.tasks)
    for task in shown.tasks:
        seen = json.loads(describe_observation(environment.observe(environment.start(task))))
        assert carried.start(task).observe() == seen


def test_the_patient_intake(released: Released) -> None:
    assert require_same_answers(Path(released.published.packages["L0"]), keep_state=False) > 500


def test_its_hardest_level(released: Released) -> None:
    assert require_same_answers(Path(released.published.packages["L3"]), keep_state=False) > 500


def test_a_domain_whose_records_change(orders: Path) -> None:
    assert require_same_answers(orders, keep_state=True) > 200
