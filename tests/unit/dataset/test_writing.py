from __future__ import annotations

import csv
import io
import json
import re

from sopforge.dataset.candidates import Candidate
from sopforge.dataset.covering import Covering
from sopforge.dataset.drawing import Draw
from sopforge.dataset.goal_rows import GoalRows
from sopforge.dataset.goals import Goal
from sopforge.dataset.oracle import label
from sopforge.dataset.path_rows import PathCovering
from sopforge.dataset.placing import Places
from sopforge.dataset.records import write_records
from sopforge.dataset.writing import as_task, coverage_json
from sopforge.domain.tasks import GoldCall, read_tasks, write_tasks, write_trajectories
from sopforge.domain.types import Value
from sopforge.solving.paths import ControlPaths
from sopforge.solving.unfolding import TRUE
from sopforge.workspace import Workspace
from tests.small_models import day, parcel, row

MODEL = parcel()


def candidate(key: str, **changes: Value | None) -> Candidate:
    record = row(**changes)
    return Candidate(key, int(key.removeprefix("fill:")), record, label(MODEL, record))


LATE = candidate("fill:7", parcel_id="PX00009", due_on=day("2026-02-25"), contents=0b110)
PLAIN = candidate("fill:12", weight=1000)


def test_a_task_holds_cells_and_plain_calls() -> None:
    task = as_task(MODEL, LATE, 20)

    assert re.fullmatch(r"task-[0-9]{8}", task.id)
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


def test_coverage_counts_tasks_outcomes_and_open_goals() -> None:
    goals = tuple(Goal(f"rule care.C{n}", TRUE, f"rule C{n} of 'care' applies") for n in (1, 2, 3))
    mutants = tuple(Goal(f"mutant {n}", TRUE, f"mistake {n}") for n in (1, 2, 3))
    covering = Covering(
        GoalRows(MODEL, Places(MODEL, 0)),
        goals,
        mutants,
        infeasible=["rule care.C2", "mutant 2", "mutant 3"],
        undecided=["rule care.C3"],
        other_paths=["mutant 3"],
    )
    shown = {"rule care.C1", "mutant 1"}
    met = {goal.id: ("task-000007",) if goal.id in shown else () for goal in (*goals, *mutants)}
    draw = Draw((LATE, PLAIN), covering, PathCovering(ControlPaths()), met, 20, {"b": 2, "a": 1})

    report = json.loads(coverage_json(MODEL, draw))

    assert report["tasks"] == 2
    assert report["goals"] == {
        "rule care.C1": {"words": "rule C1 of 'care' applies", "tasks": ["task-000007"]}
    }
    assert report["infeasible"] == {"rule care.C2": "no row: rule C2 of 'care' applies (proved)"}
    assert report["undecided"] == {"rule care.C3": "rule C3 of 'care' applies"}
    assert report["mutants"] == {
        "killed": {"mutant 1": {"words": "mistake 1", "tasks": ["task-000007"]}},
        "other_path_only": {"mutant 3": "mistake 3"},
        "equivalent": {"mutant 2": "mistake 2: every case is decided alike (proved)"},
    }
    assert report["outcomes"] == {"held": 1, "released": 1}
    assert report["rejected"] == {"a": 1, "b": 2}
    assert list(report["paths"].values()) == [1, 1]


def test_all_goals_of_the_patient_intake_are_met(sound: Workspace) -> None:
    coverage = json.loads(sound.files["dataset/coverage.json"])

    rules = {
        *(f"rule insurance_validation.I{number}" for number in range(1, 7)),
        *(f"rule prescription_insurance_validation.B{number}" for number in range(1, 5)),
        *(f"rule lifestyle_risk_level.L{number}" for number in range(1, 4)),
        *(f"rule overall_risk_level.O{number}" for number in range(1, 5)),
        *(f"rule pharmacy_check.F{number}" for number in range(1, 5)),
    }
    two = ("confirm_consent", "verify_insurance", "assess_overall", "check_pharmacy")
    one = ("verify_prescription", "assess_lifestyle", "register")
    edges = {f"edge {step}.{number}" for step in two for number in (1, 2)}
    assert set(coverage["goals"]) >= rules | edges | {f"edge {step}.1" for step in one}
    assert coverage["undecided"] == {}
    assert all(goal["tasks"] for goal in coverage["goals"].values())
    assert coverage["tasks"] == 120
