"""What an agent may see is read from the agent's side of a package."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sopforge.errors import PackageUnreadableError
from sopforge.harness.environment.shown import read_shown
from tests.worlds.releases import refund_release
from tests.worlds.shared_builds import Shared


@pytest.fixture
def package(shared: Shared, tmp_path: Path) -> Path:
    """Return a copy of the plain package without all that a grader alone may see."""
    folder = tmp_path / "returns"
    shutil.copytree(refund_release(shared) / "refund", folder)
    shutil.rmtree(folder / "grader")
    (folder / "test_set_with_outputs.csv").unlink()
    return folder


def test_nothing_of_the_grader_is_needed(package: Path) -> None:
    shown = read_shown(package)

    assert shown.name == "returns"
    assert shown.sop.startswith("Standard Operating Procedure: Order Refunds")
    assert "lookUpOrder" in {tool.name for tool in shown.tools}
    assert shown.tools[0].parameters["type"] == "object"
    assert len(shown.tasks) == 12
    task = next(iter(shown.tasks.values()))
    assert task.inputs["request_id"] in task.text
    assert sorted(shown.files) == ["records.csv", "tools.py"]


def test_the_digest_is_another_where_an_agent_may_notice(package: Path) -> None:
    before = read_shown(package).digest
    (package / "README.md").write_text("Read me.")
    assert read_shown(package).digest == before

    digests = {before}
    for name in ("sop.txt", "toolspecs.json", "tasks.jsonl", "tools.py", "records.csv"):
        text = (package / name).read_text()
        (package / name).write_text(f"{text}\n")
        digests.add(read_shown(package).digest)
        (package / name).write_text(text)
    assert len(digests) == 6


@pytest.mark.parametrize("name", ["sop.txt", "toolspecs.json", "tasks.jsonl", "tools.py"])
def test_a_file_that_is_missing_is_named(package: Path, name: str) -> None:
    (package / name).unlink()

    with pytest.raises(PackageUnreadableError) as caught:
        read_shown(package)
    assert caught.value.faults[0].message == f"the package has no {name}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("toolspecs.json", "[{}]"),
        ("toolspecs.json", '[{"toolSpec": {"name": "x", "description": "", "inputSchema": 3}}]'),
        ("toolspecs.json", "{"),
        ("tasks.jsonl", '{"task_id": "task-1"}'),
        ("tasks.jsonl", ""),
        ("tasks.jsonl", "no JSON"),
        ("tasks.jsonl", "[" * 100_000),
        ("tasks.jsonl", '{"task_id": "t", "text": "", "split": "", "inputs": {"a": NaN}}'),
        (
            "toolspecs.json",
            '[{"toolSpec": {"name": "x", "description": "", "inputSchema": {"json": '
            + '{"a": ' * 200
            + "1"
            + "}" * 204
            + "]",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_named(package: Path, name: str, text: str) -> None:
    (package / name).write_text(text)

    with pytest.raises(PackageUnreadableError) as caught:
        read_shown(package)
    assert name in caught.value.faults[0].where


def test_half_a_character_in_a_file_is_shown_as_none(package: Path) -> None:
    for name in ("toolspecs.json", "tasks.jsonl"):
        text = (package / name).read_text()
        (package / name).write_text(text.replace("request", "\\ud800", 1))
    shown = read_shown(package)

    seen = repr((shown.tools, shown.tasks))
    assert "\ufffd" in seen
    assert seen.isprintable()
