"""The reference pages of services and tool specs, and the levels side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from review.artifact import Artifact
from review.pages.api import parse_reference
from review.pages.parts.schema_words import Schema, describe_schema, resolve_reference
from review.pages.toolspec import parse_specs
from sopforge.workspace import OPENAPI, TASKS, TOOLSPECS
from tests.worlds.reviewed import page, with_files


def test_every_operation_says_what_it_takes_returns_and_refuses(
    refunds: Mapping[str, Artifact],
) -> None:
    look_up, pay = parse_reference(refunds["api"].workspace.files[OPENAPI]).operations

    assert (look_up.method, look_up.path) == ("GET", "/requests/{request_id}/order")
    assert [(part.name, part.place) for part in look_up.takes] == [
        ("request_id", "path"),
        ("order_number", "query"),
    ]
    assert [(part.name, part.place) for part in pay.takes] == [
        ("request_id", "path"),
        ("eligibility", "body"),
    ]
    assert [part.values for part in look_up.returns] == [
        "a whole number, at least 0, at most 90",
        "a number, at least 5.0, at most 400.0",
    ]
    assert [(failure.status, failure.codes) for failure in pay.failures] == [
        ("404", ("unknown_record",)),
        ("409", ("not_eligible",)),
        ("422", ("invalid_parameter",)),
    ]
    assert [name for name, _ in look_up.links] == ["payRefund"]
    assert json.loads(pay.request) == {"eligibility": "eligible"}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "pattern": "^R$"}, "text, matching ^R$"),
        ({"enum": ["a", "b"]}, "one of: a, b"),
        ({"const": 5}, "always “5”"),
        ({"type": ["string", "null"]}, "text or nothing"),
        ({"anyOf": [{"type": "integer"}, {"enum": ["none"]}]}, "a whole number, or one of: none"),
        (
            {"type": "array", "items": {"enum": ["a"]}, "maxItems": 2},
            "a list, each of its entries one of: a, at most 2 entries",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "boolean"}}},
            "an object, with a (yes or no)",
        ),
        ({"$ref": "#/parts/a"}, "text"),
        ({}, ""),
    ],
)
def test_a_schema_is_described_in_words(schema: Schema, words: str) -> None:
    assert describe_schema(schema, {"parts": {"a": {"type": "string"}}}) == words


def test_a_reference_that_leads_nowhere_stays() -> None:
    for aim in ("#/parts/b", "#/parts/a/b", "other.yaml#/a", ""):
        assert resolve_reference({"$ref": aim}, {"parts": {"a": {"type": "string"}}}) == {
            "$ref": aim
        }


def test_specs_stand_beside_what_the_model_says(refunds: Mapping[str, Artifact]) -> None:
    made = page(refunds["toolspec"], {})
    card = made.one("article", **{"aria-labelledby": "tool-payRefund"})

    assert [head.text for head in card.one("tbody").all("th")] == ["request_id", "eligibility"]
    assert "not_eligible: the order is excluded" in card.text
    assert (
        card.one("a", kind="button").attributes["href"] == "toolspec/try?version=1&tool=payRefund"
    )


def test_a_spec_of_no_tool_and_a_tool_without_spec_are_reported(
    refunds: Mapping[str, Artifact],
) -> None:
    text = refunds["toolspec"].workspace.files[TOOLSPECS].replace('"payRefund"', '"payTwice"')
    made = page(with_files(refunds["toolspec"], {TOOLSPECS: text}), {})

    assert [spec.name for spec in parse_specs(text)] == ["lookUpOrder", "payTwice"]
    assert "These tools are not described: payRefund" in made.text
    assert "The model has no such tool." in made.text


def test_levels_stand_side_by_side_with_what_each_adds(refunds: Mapping[str, Artifact]) -> None:
    made = page(refunds["complexity"], {"level": "L1"})
    rows = {
        row.all("th")[0].text: [cell.text for cell in row.all("td")]
        for row in made.one("table", kind="measures").all("tr")
        if row.all("td")
    }
    added = made.one("article", **{"aria-labelledby": "level-L1"})

    assert rows["superseded passages"] == ["0", "1"]
    assert rows["tasks"] == ["12", "12"]
    assert "Superseded passages (1)" in added.text
    assert (
        "Nothing: the plain domain." in made.one("article", **{"aria-labelledby": "level-L0"}).text
    )
    assert len(made.one("div", kind="variant-text").all(kind="mark-superseded")) == 1
    assert "all 12 tasks and their answers equal those of the dataset" in made.text


def test_levels_of_an_older_version_show_how_many_edges_there_are(
    refunds: Mapping[str, Artifact],
) -> None:
    artifact = refunds["complexity"]
    name = "complexity/L1/profile.json"
    profile = json.loads(artifact.workspace.files[name])
    edges = profile.pop("edges")
    older = json.dumps({**profile, "ways": edges})

    now, then = page(artifact, {}), page(with_files(artifact, {name: older}), {})

    assert edges > 1
    assert then.one("table", kind="measures").text == now.one("table", kind="measures").text


def test_a_level_whose_answers_or_tasks_differ_is_reported(refunds: Mapping[str, Artifact]) -> None:
    artifact = refunds["complexity"]
    name = f"complexity/L1/{TASKS}"
    first, second, *others = artifact.workspace.files[name].splitlines()
    entry = json.loads(first)
    changed = json.dumps({**entry, "outcomes": {**entry["outcomes"], "refund_status": "refused"}})
    renamed = json.dumps({**json.loads(second), "task_id": "task-new"})
    trajectories = f"complexity/L1/{TASKS.replace('tasks', 'trajectories')}"
    calls = artifact.workspace.files[trajectories].replace(
        json.loads(second)["task_id"], "task-new"
    )
    files = {name: "\n".join([changed, renamed, *others]) + "\n", trajectories: calls}
    made = page(with_files(artifact, files), {})

    line = next(item.text for item in made.all("li") if "L1:" in item.text)
    assert f"answers that differ: {entry['task_id']}" in line
    assert json.loads(second)["task_id"] in line
    assert "task-new" in line
