"""A tool that is tried answers, refuses or fails, and the page says which."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pytest

from review.artifact import Artifact
from review.pages.registry import build_trying_page
from review.pages.trying import InputKind, as_json, build_tool_form, try_tool
from sopforge.language.domain.tasks import Task
from sopforge.sandbox.answers import JSONValue
from sopforge.workspace import TOOLS
from tests.judges.markup import parsed
from tests.worlds.reviewed import shown, with_files
from tests.worlds.small_models import claims, parcel


@pytest.fixture
def tools(refunds: Mapping[str, Artifact]) -> Artifact:
    return refunds["tools"]


@pytest.fixture
def task(tools: Artifact) -> Task:
    return next(item for item in tools.workspace.tasks if item.outcomes["refund_status"] == "paid")


def order_of(task: Task) -> dict[str, str]:
    return {name: task.inputs[name] for name in ("request_id", "order_number")}


def test_a_right_call_is_answered_as_its_task_says(tools: Artifact, task: Task) -> None:
    found = try_tool(tools, "lookUpOrder", order_of(task))

    assert found.kind is InputKind.ANSWERED
    assert found.values == {name: str(value) for name, value in task.calls[0].result.items()}


def test_a_guard_refuses_with_its_code(tools: Artifact, task: Task) -> None:
    sent = {"request_id": task.inputs["request_id"], "eligibility": "excluded"}
    found = try_tool(tools, "payRefund", sent)

    assert (found.kind, found.code) == (InputKind.REFUSED, "not_eligible")
    assert "the order is excluded" in found.message


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"request_id": "R1"}, "invalid_parameter"),
        ({"request_id": "<script>alert(1)</script>"}, "invalid_parameter"),
        ({"request_id": "R00000"}, "unknown_record"),
        ({"order_number": "ORD-000000"}, "record_mismatch"),
        ({"order_number": "  "}, "invalid_parameter"),
        ({"request_id": "\u202e" + "x" * 5_000}, "invalid_parameter"),
    ],
)
def test_what_the_tool_should_refuse_reaches_it(
    tools: Artifact, task: Task, changes: Mapping[str, str], code: str
) -> None:
    found = try_tool(tools, "lookUpOrder", {**order_of(task), **changes})

    assert (found.kind, found.code) == (InputKind.REFUSED, code)


def test_what_no_tool_takes_is_not_sent(tools: Artifact, task: Task) -> None:
    found = try_tool(tools, "lookUpOrder", {**order_of(task), "self": "x", "__class__": "y"})

    assert found.kind is InputKind.ANSWERED
    assert set(found.sent) == {"request_id", "order_number"}


def test_too_much_and_unknown_tools_are_reported(tools: Artifact) -> None:
    assert try_tool(tools, "__init__", {}).code == "unknown-tool"
    assert try_tool(tools, "lookUpOrder", {"request_id": "x" * 20_001}).code == "entry-too-long"
    assert build_tool_form(tools, "nothing") is None
    assert build_trying_page(tools, "nothing") is None


def test_a_tool_that_misbehaves_fails_without_harm(tools: Artifact, task: Task) -> None:
    source = "class T:\n    def lookUpOrder(self, **given):\n        open('/etc/passwd', 'w')\n"
    found = try_tool(with_files(tools, {TOOLS: source}), "lookUpOrder", order_of(task))

    assert found.kind in {InputKind.FAILED, InputKind.REFUSED}
    assert (
        try_tool(with_files(tools, {TOOLS: "no python"}), "lookUpOrder", {}).kind
        is InputKind.FAILED
    )


def test_before_there_are_tools_the_models_own_answer(
    refunds: Mapping[str, Artifact], task: Task
) -> None:
    specs = refunds["toolspec"]
    form = build_tool_form(specs, "lookUpOrder", order_of(task))

    assert TOOLS not in specs.workspace.files
    assert form is not None
    assert form.is_derived
    assert form.result is not None
    assert form.result.kind is InputKind.ANSWERED


def test_the_form_is_filled_from_a_right_solution(tools: Artifact) -> None:
    form = build_tool_form(tools, "payRefund")

    assert form is not None
    assert form.result is None
    assert {entry.name: bool(entry.value) for entry in form.entries} == {
        "request_id": True,
        "eligibility": True,
    }
    assert form.example in {item.id for item in tools.workspace.tasks}
    assert form.entries[1].options == ("eligible", "excluded")


def test_the_page_keeps_what_was_sent_and_says_what_came_of_it(tools: Artifact) -> None:
    made = build_trying_page(tools, "payRefund", {"request_id": '"><b>', "eligibility": "eligible"})

    assert made is not None
    found = parsed(shown(made, try_fields="token"))
    assert found.one("input", id="a-request_id").attributes["value"] == '"><b>'
    assert "The tool refused: invalid_parameter" in found.one("div", role="status").text
    assert found.all("b") == []


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("service_points", "3", 3),
        ("service_points", "-3", -3),
        ("service_points", "3.5", "3.5"),
        ("service_points", "--3", "--3"),
        ("service_points", "³", "³"),
        ("weight", "2.50", Decimal("2.50")),
        ("weight", "NaN", "NaN"),
        ("weight", "Infinity", "Infinity"),
        ("weight", "heavy", "heavy"),
        ("contents", "Books; Glass", ["Books", "Glass"]),
        ("contents", "nothing listed", []),
        ("due_on", "no due date", "no due date"),
        ("due_on", "2026-02-30", "2026-02-30"),
        ("fragile", "yes", "yes"),
    ],
)
def test_typed_texts_become_what_a_tool_takes(name: str, text: str, value: JSONValue) -> None:
    assert as_json(parcel().fields[name], text) == value


def test_lists_are_typed_as_json() -> None:
    item = claims().fields["lines"]

    assert as_json(item, '[{"kind": "Meal"}]') == [{"kind": "Meal"}]
    assert as_json(item, "[" * 100_000) == "[" * 100_000
    assert as_json(item, "no list") == "no list"
    assert as_json(item, item.type.empty) == []  # type: ignore[union-attr]
