"""``sopforge diagnose``: agents with a known mistake, from their runs to the words."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import cast

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.errors import MaterialError
from sopforge.evaluation.diagnosis.hypotheses import find_beliefs
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.understanding.packages import require_plain
from tests.unit.cli.test_json import SHOWN, assert_shaped
from tests.worlds.releases import refund_release
from tests.worlds.shared_builds import Shared


@pytest.fixture
def package(shared: Shared) -> Path:
    return refund_release(shared) / "refund"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def find_mistake(package: Path) -> str:
    """Return a mistake that several tasks show."""
    core = read_proved(package).plain
    found = find_beliefs(core.model, core.rows)
    return max(found, key=lambda belief: (len(belief.answers), belief.id)).id


def test_a_mistake_is_named_and_all_else_is_mastered(package: Path, tmp_path: Path) -> None:
    mistake = find_mistake(package)
    agents = ("--agent", f"one-mistake:{mistake}", "--agent", "gold")
    run("evaluate", str(package), *agents, "--out", str(tmp_path))

    done = run("diagnose", str(tmp_path), "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    assert_shaped(value, SHOWN["diagnose"])
    erring, gold = value["agents"]
    assert mistake in {item["id"] for item in erring["stated"][0]["mistakes"]}
    assert sorted(erring["stated"][0]["explained"]) == sorted(erring["errors"])
    assert erring["unexplained"] == []
    assert (gold["errors"], gold["stated"], gold["not_mastered"]) == ([], [], [])
    assert gold["mastery"]["all"]["share"] == 1
    assert erring["mastery"]["all"]["mastered"] < gold["mastery"]["all"]["mastered"]


def test_it_says_so_in_words_with_the_clause_of_the_sop(package: Path, tmp_path: Path) -> None:
    mistake = find_mistake(package)
    run("evaluate", str(package), "--agent", f"one-mistake:{mistake}", "--out", str(tmp_path))

    done = run("diagnose", str(tmp_path))

    assert done.exit_code == 0, done.output
    assert "It acts by a mistake: " in done.stdout
    assert "none contradicts it" in done.stdout
    value = json.loads(run("diagnose", str(tmp_path), "--json").stdout)
    sop = (package / "sop.txt").read_text("utf-8")
    clauses = [item["clause"] for item in value["agents"][0]["not_mastered"]]
    assert all(clauses)
    assert clauses
    assert [c for c in clauses if c.split(" (")[0].split(";")[0] not in sop] == []


def test_answers_to_several_draws_of_a_domain_count_together(package: Path, tmp_path: Path) -> None:
    mistake, out = find_mistake(package), str(tmp_path / "run")
    another = tmp_path / "another" / package.name
    shutil.copytree(package, another)
    with (another / "tools.py").open("a", encoding="utf-8") as tools:
        tools.write("# Another draw.\n")
    for folder in (package, another):
        run("evaluate", str(folder), "--agent", f"one-mistake:{mistake}", "--out", out)

    (found,) = json.loads(run("diagnose", out, "--json").stdout)["agents"]

    assert len(found["digests"]) == 2
    assert found["tasks"] == 2 * len(read_proved(package).gold)
    names = {task.partition("@")[0] for task in found["errors"]}
    assert len(found["errors"]) == 2 * len(names)
    assert mistake in {item["id"] for item in found["stated"][0]["mistakes"]}


def test_errors_at_random_are_not_explained(package: Path, tmp_path: Path) -> None:
    run("evaluate", str(package), "--agent", "random-tool", "--out", str(tmp_path))

    value = json.loads(run("diagnose", str(tmp_path), "--json").stdout)

    assert value["agents"][0]["stated"] == []


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("constant", "It gave the same answer to every task (eligibility: eligible, "),
        ("silent", "It gave no answer, so"),
    ],
)
def test_an_agent_with_one_answer_is_not_said_to_misread_a_rule(
    package: Path, tmp_path: Path, agent: str, said: str
) -> None:
    run("evaluate", str(package), "--agent", agent, "--out", str(tmp_path))

    words = " ".join(run("diagnose", str(tmp_path)).stdout.split())

    assert said in words
    assert "by a mistake" not in words


def test_a_clause_has_no_heading(package: Path, tmp_path: Path) -> None:
    run("evaluate", str(package), "--agent", "constant", "--out", str(tmp_path))

    (found,) = json.loads(run("diagnose", str(tmp_path), "--json").stdout)["agents"]

    headings = re.findall(
        r"^\d+\.\d+ (.+)$", (package / "sop.txt").read_text("utf-8"), re.MULTILINE
    )
    clauses = [item["clause"] for item in found["not_mastered"]]
    assert headings
    assert [c for c in clauses if c.startswith(tuple(headings))] == []


def test_a_package_that_has_changed_since_is_refused(package: Path, tmp_path: Path) -> None:
    copy, out = tmp_path / "refund", tmp_path / "run"
    shutil.copytree(package, copy)
    run("evaluate", str(copy), "--agent", "gold", "--out", str(out))
    (copy / "sop.txt").write_text("Pay whoever asks.\n", encoding="utf-8")

    done = run("diagnose", str(out))

    assert isinstance(done.exception, MaterialError)
    (fault,) = done.exception.faults
    assert fault.code == "diagnosis-package-gone"


def test_a_run_with_dials_is_refused(package: Path, tmp_path: Path) -> None:
    run("evaluate", str(package), "--agent", "gold", "--dial", "queue=2", "--out", str(tmp_path))

    done = run("diagnose", str(tmp_path))

    assert isinstance(done.exception, MaterialError)
    (fault,) = done.exception.faults
    assert fault.code == "diagnosis-with-dials"


def test_a_package_of_others_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MaterialError) as raised:
        require_plain(cast("EvaluatedPackage", object()), tmp_path)

    (fault,) = raised.value.faults
    assert (fault.code, fault.where) == ("diagnosis-without-model", str(tmp_path))
