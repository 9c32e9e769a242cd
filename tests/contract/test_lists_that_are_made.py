"""A domain whose answers are lists goes to a solved package, with the lists that it asks for."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.tasks import Task
from tests.judges.reference_interpreter import rounded
from tests.worlds.carried import load_carried
from tests.worlds.made_domains import make_domain
from tests.worlds.shared_builds import Shared

TEXT = (Path(__file__).parents[1] / "domains" / "repairs.yaml").read_text(encoding="utf-8")
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Made:
    """The package of a level, and the tasks that graders have."""

    folder: Path
    files: Mapping[str, str]
    tasks: Sequence[Task]

    @property
    def damages(self) -> dict[str, list[Entry]]:
        """The damages of each record."""
        rows = csv.DictReader(io.StringIO(self.files["records.csv"]))
        return {row["rental_id"]: listed(row["damages"], "no damage") for row in rows}

    @property
    def grades(self) -> dict[str, str]:
        """The grade of each record."""
        rows = csv.DictReader(io.StringIO(self.files["records.csv"]))
        return {row["rental_id"]: row["grade"] for row in rows}


@pytest.fixture(scope="module")
def made(shared: Shared) -> Made:
    domain = make_domain(shared, "repairs")
    return Made(domain.folder(), domain.package(), domain.workspace.tasks)


def listed(cell: str, empty: str) -> list[Entry]:
    """Return the entries in a cell, exactly as they are written."""
    return [] if cell == empty else json.loads(cell, parse_float=Fraction, parse_int=Fraction)


def expect_repairs(damages: Sequence[Entry], grade: str) -> list[Entry]:
    """Return the repairs that the brief asks for, worked out by hand."""
    found: list[Entry] = []
    for damage in damages:
        if damage["is_covered"] == "yes" and "Sharp" not in damage["tags"]:
            continue
        day = date.fromisoformat(damage["seen_at"][:10]) + timedelta(days=int(damage["hours"]))
        is_shared = damage["cost"] > 60 or grade == "gold"
        found.append(
            {
                "serial": damage["serial"],
                "repaired_part": damage["part"],
                "share": rounded(damage["cost"] / 3, 1) if is_shared else 2 * damage["hours"],
                "is_big": "yes" if damage["hours"] > 5 else "no",
                "is_covered": damage["is_covered"],
                "tags": damage["tags"],
                "due_on": day.isoformat(),
                "urgency": "later",
            }
        )
    return found


def test_every_list_is_what_the_brief_asks_for(made: Made) -> None:
    compared = 0
    for task in made.tasks:
        key = task.inputs["rental_id"]
        damages = made.damages[key]
        repairs = expect_repairs(damages, made.grades[key])
        assert listed(task.intermediates["repairs"], "no repairs") == repairs
        if task.outcomes["orders"] not in {"not decided", "no orders"} or "sum" in task.path:
            longest = max((repair["share"] for repair in repairs), default=Fraction(0))
            big = [one for one in repairs if one["share"] >= longest and one["is_big"] == "yes"]
            orders = [{"serial": one["serial"], "share": one["share"]} for one in big]
            assert listed(task.outcomes["orders"], "no orders") == orders
        if task.outcomes["notes"] != "none needed":
            early = [one for one in damages if one["seen_at"] < "2026-02-15 12:00"]
            notes = [{"part": one["part"]} for one in early]
            assert listed(task.outcomes["notes"], "no notes") == notes
            compared += len(notes) > 0
    assert compared > 3


def test_tasks_have_lists_without_entries_full_ones_and_some_left_out(made: Made) -> None:
    sizes = {len(listed(task.intermediates["repairs"], "no repairs")) for task in made.tasks}
    left_out = [
        task
        for task in made.tasks
        if 0
        < len(listed(task.intermediates["repairs"], "no repairs"))
        < len(made.damages[task.inputs["rental_id"]])
    ]

    assert sizes == {0, 1, 2, 3}
    assert left_out


def test_lists_are_no_column_of_the_evaluator_that_cannot_compare_them(made: Made) -> None:
    assert json.loads(made.files["metadata.json"])["output_columns"] == ["settlement"]


def test_the_sop_says_the_form_and_the_keys_of_an_answer(made: Made) -> None:
    sop = made.files["sop.txt"]

    assert (
        "| orders | orders | a list in brackets as JSON; each entry has serial (serial number)"
        ' and share (in EUR; a number with 1 decimal place); "no orders" if there is none |'
    ) in sop
    assert (
        "each repair whose share is at least the longest and that takes long, with its serial"
        " number and its share."
    ) in sop


RIGHT = '[{"serial": "S1", "share": 2.5}, {"serial": "S2", "share": 3.0}]'


STATED = {
    RIGHT: True,
    RIGHT.replace(" ", ""): True,
    '[\n  {"share": 2.50, "serial": "S1"},\n  {"share": "3", "serial": "S2"}\n]': True,
    '[{"serial": "S2", "share": 3.0}, {"serial": "S1", "share": 2.5}]': False,
    '[{"serial": "S1", "share": 2.5}]': False,
    RIGHT.replace("2.5", "2.6"): False,
    RIGHT.replace('"S1"', '"S3"'): False,
    # too many places
    RIGHT.replace("2.5", "2.55"): False,
    RIGHT.replace('"share"', '"price"'): False,
    "[]": False,
    "no orders": False,
    "[{": False,
    "S1 2.5, S2 3.0": False,
}


def test_a_list_is_compared_by_what_its_entries_say(made: Made) -> None:
    field = json.loads(made.files["grader/answers.json"])["fields"]["orders"]
    score = load_carried(made.folder / "grader" / "score.py")
    model = read_brief(TEXT, "repairs.yaml").model

    for read in (lambda text: score.read_value(field, text), model.fields["orders"].parse):
        assert {stated: is_same(read, stated) for stated in STATED} == STATED
    assert score.read_value(field, "[]") == score.read_value(field, "no orders") == ()


def is_same(read: Any, stated: str) -> bool:  # noqa: ANN401 - a function of text
    try:
        return bool(read(stated) == read(RIGHT))
    except ValueError:
        return False
