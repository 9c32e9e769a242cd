"""Tasks attempted several times, and rows of runs from before some of their fields."""

from __future__ import annotations

from pathlib import Path

from sopforge.evaluation.agents.scripted import make_scripted_agent
from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.runs.rows import (
    NotedPackage,
    Row,
    RunFolder,
    iterate_logs,
    read_noted_packages,
)
from sopforge.evaluation.runs.running import ask_for, choose_tasks, run_agent
from tests.conftest import Released
from tests.worlds.attempt_rows import make_row


def test_each_epoch_draws_anew_and_more_epochs_go_on(released: Released, tmp_path: Path) -> None:
    package = read_proved(Path(released.published.packages["L0"]))
    tasks = choose_tasks(package, 6, 3)
    agent = make_scripted_agent("random-tool", package)
    folder = RunFolder(tmp_path)
    few = run_agent(package, agent, ask_for(package, tasks, agent.name, 3), folder)
    asked = ask_for(package, tasks, agent.name, 3, epochs=3)
    more = run_agent(package, agent, asked, folder)

    assert more[:6] == few
    assert [row.asked.epoch for row in more] == [0] * 6 + [1] * 6 + [2] * 6
    first, second, third = (
        [row.grade.stated for row in more[start : start + 6]] for start in (0, 6, 12)
    )
    assert first != second != third != first
    again = run_agent(package, agent, asked, RunFolder(tmp_path / "again"))
    assert [row.grade for row in again] == [row.grade for row in more]


def test_a_row_without_the_newer_fields_is_read() -> None:
    row = make_row("1")
    record = row.as_record()
    newer = ["turns", "tokens_in", "tokens_out", "cost", "expected", "is_in_needed_order"]
    newer += ["distractors", "fabricated", "divergence_kind", "divergence_at", "divergence_says"]
    for name in newer:
        del record[name]
    found = Row.from_record(record)

    assert (found.spent.turns, found.spent.cost, found.grade.fabricated) == (0, None, None)
    assert found.grade.divergence_kind is None
    assert found.asked == row.asked


def test_what_a_model_took_is_read_as_it_was_written() -> None:
    row = make_row("1", cost=0.25, fabricated=("a.b",))

    assert Row.from_record(row.as_record()) == row


def test_packages_are_noted_by_digest(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.note_package("abc", "parcels@1.0.0", "generated")
    folder.note_package("xyz", "/stays", "generated")

    assert read_noted_packages(tmp_path) == {
        "abc": NotedPackage("parcels@1.0.0", "generated"),
        "xyz": NotedPackage("/stays", "generated"),
    }
    (tmp_path / "packages.json").write_text('{"abc": 3}')
    assert not read_noted_packages(tmp_path)


def test_logs_are_read_by_key_and_damaged_ones_passed_over(tmp_path: Path) -> None:
    lines = (
        '{"key": "one", "answer": "yes", "events": [{"said": "so"}]}',
        '{"key": "two", "answer": null, "events": [{"neither": 1}]}',
        '{"key": "three", "answer": "no", "events": []}',
        "torn",
    )
    (tmp_path / "logs.jsonl").write_text("\n".join(lines))
    found = dict(iterate_logs(tmp_path, {"one", "two"}))

    assert list(found) == ["one"]
    assert found["one"].answer == "yes"
    assert not dict(iterate_logs(tmp_path / "nothing", {"one"}))
