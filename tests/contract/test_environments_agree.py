"""The model and the published tools answer alike, call for call, whatever a session is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sopforge.checks.package.package_solved import read_graded_folder
from sopforge.environment.events import Called
from sopforge.environment.machine import Environment, State
from sopforge.environment.model_service import make_model_service
from sopforge.environment.shown import read_shown
from sopforge.environment.tools_service import ToolsService
from sopforge.sandbox.answers import JSON
from tests.conftest import Released
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
    yield call


def list_answers(state: State[Any]) -> list[tuple[str, JSON, str]]:
    """Return what calls were answered; a refusal's words may differ, its code may not."""
    called = [event for event in state.events if isinstance(event, Called)]
    return [(event.tool, event.reply.result, event.reply.refusal) for event in called]


def require_same_answers(folder: Path, *, keep_state: bool) -> int:
    """Return how many calls two environments were asked, which answered all alike."""
    shown, graded = read_shown(folder), read_graded_folder(folder)
    by_model = Environment(
        shown, make_model_service(graded.model, graded.records, shown.tasks.values())
    )
    asked = 0
    with ToolsService(shown.files, keep_state) as tools:
        by_tools = Environment(shown, tools)
        for task, other in pairwise(graded.tasks[:20]):
            left, right = by_model.start(task.id), by_tools.start(task.id)
            # Calls about another case as well, and then again about its own.
            for gold in (*task.calls, *other.calls, *task.calls[:1]):
                for call in iterate_changed_calls((gold.tool, gold.arguments)):
                    left, right = by_model.call(left, *call), by_tools.call(right, *call)
                    asked += 1
            assert list_answers(left) == list_answers(right), task.id
    return asked


def test_the_patient_intake(released: Released) -> None:
    assert require_same_answers(Path(released.published.packages["L0"]), keep_state=False) > 500


def test_its_hardest_level(released: Released) -> None:
    assert require_same_answers(Path(released.published.packages["L3"]), keep_state=False) > 500


def test_a_domain_whose_records_change(orders: Path) -> None:
    assert require_same_answers(orders, keep_state=True) > 200
