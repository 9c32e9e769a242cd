from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np

from sopforge.language.domain.tasks import GoldCall, read_tasks, write_tasks, write_trajectories
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.coverage.coverage import compute_coverage, read_coverage
from sopforge.proof.dataset.coverage.covering import Covering, Unmet
from sopforge.proof.dataset.coverage.drawing import Draw
from sopforge.proof.dataset.coverage.goal_rows import GoalRows
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.path_rows import PathCovering
from sopforge.proof.dataset.coverage.sighting import Sighting
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.candidates import Candidate, make_task_id
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.tasks.writing import as_task, render_coverage_json
from sopforge.proof.solving.paths import ControlPaths
from sopforge.proof.solving.unfolding import TRUE
from tests.worlds.small_models import day, parcel, row

MODEL = parcel()


def candidate(key: str, **changes: Value | None) -> Candidate:
    record = row(**changes)
    number = int(key.removeprefix("fill:"))
    name = make_task_id(MODEL, 1, number, record)
    return Candidate(name, key, number, record, label_row(MODEL, record))


LATE = candidate("fill:7", parcel_id="PX00009", due_on=day("2026-02-25"), contents=0b110)
PLAIN = candidate("fill:12", weight=1000)
FOR_A_GOAL = replace(LATE, key="goal:rule care.C1")


def test_a_task_holds_cells_and_plain_calls() -> None:
    task = as_task(MODEL, LATE, 20)

    assert re.fullmatch(r"task-[0-9]{8}-[0-9a-f]{6}", task.id)
    assert task.key == "fill:7"
    assert task.inputs == {
        "parcel_id": "PX00009",
        "weight": "5.00",
        "fragile": "no",
        "sent_on": "2026-03-01",
        "contents": "Glass; Medicine",
    }
    assert task.outcomes == {"care": "careful", "release": "held"}
    assert task.path == ("look", "look.1", "hold")
    assert task.rules == {"care": ("C1",)}
    assert task.calls == (
        GoldCall(
            "findParcel",
            {"parcel_id": "PX00009", "sent_on": "2026-03-01", "fragile": "no"},
            {"service": "Express", "due_on": "2026-02-25"},
        ),
    )


def test_numbers_with_places_and_missing_values_are_carried_as_tools_give_them() -> None:
    calls = as_task(MODEL, PLAIN, 20).calls

    assert calls[0].result == {"service": "Express", "due_on": "no due date"}
    assert calls[1].arguments == {"parcel_id": "PX00001", "weight": 10.0, "service": "Express"}
    assert calls[1].result == {"surcharge": 7.5, "service_points": 2}


def test_tasks_are_read_as_they_were_written() -> None:
    tasks = (as_task(MODEL, LATE, 20), as_task(MODEL, PLAIN, 20))

    assert read_tasks(write_tasks(tasks), write_trajectories(tasks)) == tasks


def test_records_are_ordered_by_their_key_and_hold_no_answer() -> None:
    files = write_records(MODEL, [LATE.row, PLAIN.row])
    rows = list(csv.DictReader(io.StringIO(files["records.csv"])))

    assert [found["parcel_id"] for found in rows] == ["PX00001", "PX00009"]
    assert list(rows[0]) == [
        *("parcel_id", "sent_on", "fragile", "service", "due_on", "slip_number")
    ]


def sighting(*shown: str) -> Sighting:
    """Return that the first of two tasks shows a goal, by what is named."""
    levels = ("primary", "outcomes", "trajectory", "begins")
    return Sighting(*(np.array([level in shown, False]) for level in levels))


def covered() -> tuple[Covering, dict[str, Sighting]]:
    """Return a rule for each verdict and three mutants, and which of two tasks show them."""
    goals = tuple(
        Goal(f"rule care.C{n}", TRUE, f"rule C{n} of 'care' applies", GoalKind.RULE, (MODEL,))
        for n in range(1, 8)
    )
    mutants = tuple(
        Goal(f"mutant {n}", TRUE, f"mistake {n}", GoalKind.MUTANT, (MODEL,), about=About.LIMIT)
        for n in (1, 2, 3)
    )
    covering = Covering(
        GoalRows(MODEL, Places(MODEL, 0)),
        goals=goals,
        mutants=mutants,
        unmet={
            "rule care.C3": Unmet.PATH_ONLY,
            "rule care.C4": Unmet.WITHOUT_EFFECT,
            "rule care.C5": Unmet.IMPOSSIBLE,
            "rule care.C6": Unmet.BEYOND,
            "mutant 2": Unmet.WITHOUT_EFFECT,
        },
        reasons={"rule care.C7": "no key", "mutant 3": "no budget"},
    )
    shown = {
        "rule care.C1": sighting("primary", "outcomes"),
        "rule care.C2": sighting("outcomes"),
        "rule care.C3": sighting("trajectory"),
        "mutant 1": sighting("primary", "outcomes", "trajectory"),
    }
    return covering, {goal.id: shown.get(goal.id, sighting()) for goal in (*goals, *mutants)}


def test_coverage_counts_tasks_outcomes_and_goals_by_what_became_of_them() -> None:
    covering, seen = covered()
    paths = PathCovering(ControlPaths())
    draw = Draw((FOR_A_GOAL, PLAIN), covering, paths, seen, 20, {"b": 2, "a": 1})
    proofs = {"rule care.C5": ("asked for: a", "constraint: not a")}

    coverage = compute_coverage(draw, proofs)
    text = render_coverage_json(MODEL, draw, coverage)
    report = json.loads(text)

    assert (report["tasks"], report["primary"]) == (2, "release")
    one_each = {
        "asked": 7,
        "shown": 2,
        **dict.fromkeys(("primary", "outcomes", "path_only", "without_effect", "impossible"), 1),
        **dict.fromkeys(("beyond_the_primary_answer", "undecided"), 1),
    }
    assert report["counts"]["goals"] == {"rule": one_each, "all": one_each}
    some = {**dict.fromkeys(one_each, 0), "asked": 3, "shown": 1, "primary": 1}
    some |= {"without_effect": 1, "undecided": 1}
    assert report["counts"]["mutants"] == {"limit": some, "all": some}
    found: list[dict[str, object]] = [
        {"verdict": "primary", "tasks": [FOR_A_GOAL.id]},
        {"verdict": "outcomes", "tasks": [FOR_A_GOAL.id]},
        {"verdict": "path only", "tasks": [FOR_A_GOAL.id]},
        {"verdict": "without effect"},
        {"verdict": "impossible", "proof": ["asked for: a", "constraint: not a"]},
        {"verdict": "beyond the primary answer"},
        {"verdict": "undecided", "reason": "no key"},
    ]
    assert report["goals"] == {
        f"rule care.C{n}": {"kind": "rule", "words": f"rule C{n} of 'care' applies", **what}
        for n, what in enumerate(found, start=1)
    }
    reports: list[dict[str, object]] = [
        {"verdict": "primary", "tasks": [FOR_A_GOAL.id]},
        {"verdict": "without effect"},
        {"verdict": "undecided", "reason": "no budget"},
    ]
    assert report["mutants"] == {
        f"mutant {n}": {"kind": "limit", "words": f"mistake {n}", **what}
        for n, what in enumerate(reports, start=1)
    }
    assert report["outcomes"] == {"held": 1, "released": 1}
    assert report["rejected"] == {"a": 1, "b": 2}
    assert list(report["paths"].values()) == [1, 1]
    assert report["filling"]["tasks"] == 1
    assert report["filling"]["outcomes"] == {"released": 1}
    assert list(report["filling"]["paths"].values()) == [1]
    assert read_coverage(text) == coverage
