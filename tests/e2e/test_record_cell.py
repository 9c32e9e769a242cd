from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from sopforge.checks.package.package_solved import read_graded
from sopforge.harness.scoring.agents import ReferenceAgent
from sopforge.harness.scoring.trajectories import Trajectory, read_answer
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.logic.tool_calls import Refused
from sopforge.sandbox.answers import Refusal
from sopforge.sandbox.process import ToolProcess
from tests.conftest import Released

REFUSED = {"user_registration": "refused", "overall_risk_level": "not assessed"}
ON_HOLD = {"user_registration": "on hold"}
NO_BENEFIT = {"prescription_insurance_validation": "not accepted"} | ON_HOLD


def solve_all(files: Mapping[str, str], shown: list[dict[str, str]]) -> list[Trajectory]:
    """Return what the reference agent does with a package, which need not hold any answer."""
    agent = ReferenceAgent(read_domain(files["grader/domain.yaml"], "domain.yaml"))
    tools = {name: files[name].encode() for name in ("tools.py", "records.csv")}
    with ToolProcess(Path(), files=tools) as process:

        def call(tool: str, arguments: Mapping[str, object]) -> Mapping[str, object] | Refused:
            reply = process.call(tool, json.loads(json.dumps(dict(arguments))))
            if isinstance(reply, Refusal):
                return Refused(reply.code, reply.message)
            assert isinstance(reply.value, dict)
            return reply.value

        return [agent.solve(inputs, call) for inputs in shown]


def solve(files: Mapping[str, str], inputs: dict[str, str]) -> Trajectory:
    (trajectory,) = solve_all(files, [inputs])
    return trajectory


def shown_tasks(files: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the tasks as an agent is shown them."""
    return list(csv.DictReader(io.StringIO(files["test_set_without_outputs.csv"])))


def with_cell(files: Mapping[str, str], key: str, name: str, cell: str) -> dict[str, str]:
    """Return the package with one cell of its records changed."""
    reader = csv.DictReader(io.StringIO(files["records.csv"]))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, reader.fieldnames or (), lineterminator="\n")
    writer.writeheader()
    for row in reader:
        writer.writerow({**row, name: cell} if row["patient_id"] == key else row)
    return {**files, "records.csv": buffer.getvalue()}


@pytest.fixture(scope="module")
def package(released: Released) -> dict[str, str]:
    return released.package


@pytest.fixture(scope="module")
def registered(package: dict[str, str]) -> dict[str, str]:
    """Return the first shown task that ends with a registration."""
    expected = [json.loads(line) for line in package["grader/tasks.jsonl"].splitlines()]
    place = next(
        place
        for place, task in enumerate(expected)
        if task["outcomes"]["user_registration"] == "registered"
    )
    return shown_tasks(package)[place]


@pytest.mark.parametrize(
    ("cell", "changed"),
    [
        (("coverage_status", "Lapsed"), {"insurance_validation": "not accepted"} | REFUSED),
        (("pbm_enrollment", "Pending"), NO_BENEFIT),
        (("copay_tier", "5"), NO_BENEFIT),
        (("pharmacy_license", "Expired"), {"pharmacy_check": "declined"} | ON_HOLD),
    ],
    ids=["cover", "benefit", "tier", "license"],
)
def test_one_observed_cell_changes_the_answer_of_its_task(
    package: dict[str, str],
    registered: dict[str, str],
    cell: tuple[str, str],
    changed: dict[str, str],
) -> None:
    before = read_answer(solve(package, registered).answer)
    after = read_answer(
        solve(with_cell(package, registered["patient_id"], *cell), registered).answer
    )

    assert before["user_registration"] == "registered"
    assert changed.items() <= after.items()
    assert not changed.items() & before.items()


def test_a_cell_of_another_record_changes_nothing(
    package: dict[str, str], registered: dict[str, str]
) -> None:
    other = next(
        task["patient_id"]
        for task in shown_tasks(package)
        if task["patient_id"] != registered["patient_id"]
    )
    changed = with_cell(package, other, "coverage_status", "Lapsed")

    assert solve(changed, registered) == solve(package, registered)


def test_a_package_without_its_answers_is_solved_all_the_same(package: dict[str, str]) -> None:
    names = outcome_names(package)
    stripped = {
        name: text
        for name, text in package.items()
        if name
        not in {
            "test_set_with_outputs.csv",
            "grader/tasks.jsonl",
            "grader/trajectories.jsonl",
            "grader/coverage.json",
            "grader/coverage.md",
            "grader/profile.json",
        }
    }
    given = shown_tasks(package)

    trajectories = solve_all(stripped, given)

    expected = [json.loads(line)["outcomes"] for line in package["grader/tasks.jsonl"].splitlines()]
    assert not any(name in task for task in given for name in names)
    assert trajectories == solve_all(package, given)
    assert [read_answer(trajectory.answer) for trajectory in trajectories] == expected


def outcome_names(files: Mapping[str, str]) -> list[str]:
    model: DomainModel = read_graded(files).model
    return [item.name for item in model.outcomes]


def test_answers_that_were_changed_in_the_package_do_not_reach_the_agent(
    package: dict[str, str], registered: dict[str, str]
) -> None:
    misled = {
        **package,
        "test_set_with_outputs.csv": package["test_set_with_outputs.csv"].replace(
            "registered", "refused"
        ),
        "grader/tasks.jsonl": package["grader/tasks.jsonl"].replace('"registered"', '"refused"'),
    }

    assert solve(misled, registered) == solve(package, registered)
