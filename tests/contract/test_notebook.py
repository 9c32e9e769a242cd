"""The Python surface, as a notebook uses it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sopforge
from sopforge.errors import SopForgeError
from sopforge.harness.environment.session import Session
from tests.running.commands import run

REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def package(store: Path) -> sopforge.notebook.Package:
    made = sopforge.generate(REFUND, store, approve_clean=True)
    assert (made.domain, made.ending, made.stage) == ("refund", "Approved", "complexity")
    return sopforge.load(sopforge.publish("refund", store)["L0"])


def test_a_brief_waits_at_its_first_gate(tmp_path: Path) -> None:
    made = sopforge.generate(REFUND, tmp_path)
    assert (made.ending, made.stage, made.findings) == ("AwaitingApproval", "schema", ())
    with pytest.raises(SopForgeError, match="not-approved"):
        sopforge.publish("refund", tmp_path)


def test_tasks_make_a_table(package: sopforge.notebook.Package, store: Path) -> None:
    tasks = pd.DataFrame(package.tasks())
    assert list(tasks.columns) == ["id", "text", "inputs", "outcomes"]
    assert len(tasks) == 12
    assert {name for item in tasks.outcomes for name in item} == {"eligibility", "refund_status"}
    assert package.tools[0].keys() == {"name", "description", "parameters"}
    assert "Refund" in package.sop
    by_name = sopforge.load("refund@1.0.0/L0", store=store)
    assert by_name.tasks() == package.tasks()


def test_a_function_is_an_agent(package: sopforge.notebook.Package, tmp_path: Path) -> None:
    right = {task["id"]: task["outcomes"] for task in package.tasks()}

    def knows(session: Session[Any]) -> str:
        outcomes = right[session.observation.task.id]
        return "".join(f"<{name}>{value}</{name}>" for name, value in outcomes.items())

    done = sopforge.evaluate(package, knows, out=tmp_path)

    # Whoever only says that a refund was paid has not paid it.
    unpaid = sum(outcomes["refund_status"] != "paid" for outcomes in right.values())
    assert 0 < unpaid < 12
    assert (done.ecr.share, done.tsr.share) == (1.0, unpaid / 12)
    assert (done.tsr.of, len(done.rows)) == (12, 12)
    assert sopforge.evaluate(package, knows, out=tmp_path).rows == done.rows
    # Other commands find the package by what the run has noted.
    assert run("diagnose", str(tmp_path)).code == 0
    assert sopforge.evaluate(package, "gold", tasks=5).tsr.of == 5
    assert sopforge.evaluate(package, "silent").tsr.share == 0.0


def test_an_agent_that_breaks_off_is_warned_of(package: sopforge.notebook.Package) -> None:
    def breaks(session: Session[Any]) -> str:
        raise LookupError(f"no plan for {session.observation.task.id[:4]}")

    with pytest.warns(UserWarning, match="2 of 2 attempts broke off: .*no plan for task"):
        assert sopforge.evaluate(package, breaks, tasks=2).tsr.share == 0.0


def test_a_package_is_shown_in_a_line(package: sopforge.notebook.Package) -> None:
    assert repr(package) == "Package('refund', 12 tasks)"
    assert {"load", "generate", "publish", "evaluate"} <= set(dir(sopforge))


def test_importing_loads_nothing_heavy() -> None:
    source = "import sys, sopforge; print({'pandas', 'z3', 'prefect'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        sopforge.lode  # noqa: B018
