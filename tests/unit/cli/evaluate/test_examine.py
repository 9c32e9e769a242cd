"""``sopforge examine``: an agent is asked until its mistake is known, on fresh cases, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.errors import MaterialError
from sopforge.evaluation.diagnosis.hypotheses import find_beliefs
from sopforge.evaluation.experiments.sources import read_source
from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.understanding.draws import iterate_draws
from sopforge.harness.environment.session import open_session
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.working import LayeredAgent
from tests.unit.cli.evaluate.test_diagnose import find_mistake
from tests.unit.cli.test_json import SHOWN, assert_shaped
from tests.worlds.releases import publish_counter, refund_release
from tests.worlds.shared_builds import Shared


@pytest.fixture
def package(shared: Shared) -> Path:
    return refund_release(shared) / "refund"


def examine(package: Path, agent: str, out: Path, *more: str) -> Result:
    arguments = ["examine", str(package), "--agent", agent, "--out", str(out), *more]
    return CliRunner().invoke(app, arguments)


def test_a_mistake_is_known_after_few_cases(package: Path, tmp_path: Path) -> None:
    mistake = find_mistake(package)

    done = examine(package, f"one-mistake:{mistake}", tmp_path, "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    assert_shaped(value, SHOWN["examine"])
    (stated,) = value["stated"]
    assert mistake in {item["id"] for item in stated["mistakes"]}
    assert len(value["cases"]) <= 25
    assert len(stated["proofs"]) >= 2
    assert (value["unexplained"], value["unsteady"], value["broken_off"]) == ([], [], False)
    wrong = {item["task"] for item in value["cases"] if not item["right"]}
    assert set(stated["proofs"]) <= wrong


def test_who_makes_no_mistake_is_said_to_make_none(package: Path, tmp_path: Path) -> None:
    value = json.loads(examine(package, "gold", tmp_path, "--json").stdout)

    assert value["stated"] == []
    assert all(item["right"] for item in value["cases"])
    assert (
        "It made no mistake, as far as these cases show."
        in examine(package, "gold", tmp_path).stdout
    )


def test_the_words_name_the_mistake_its_proofs_and_the_clause(
    package: Path, tmp_path: Path
) -> None:
    done = examine(package, f"one-mistake:{find_mistake(package)}", tmp_path)

    assert done.exit_code == 0, done.output
    for said in (
        "It acts by a mistake: ",
        "That is shown by task-",
        "The SOP says: ",
        "It follows everything else as written, as far as these cases show.",
        " rule out ",
    ):
        assert said in done.stdout


def test_an_agent_that_answers_the_same_case_differently_is_found_out(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers as by a mistake, but never twice."""
    module = tmp_path / "forgetful.py"
    module.write_text(
        "import json, pathlib\n"
        "seen = pathlib.Path(__file__).with_suffix('.seen')\n"
        "def solve(session):\n"
        "    key = json.dumps(dict(session.observation.task.inputs), sort_keys=True)\n"
        "    known = seen.read_text().splitlines() if seen.exists() else []\n"
        "    with seen.open('a') as file:\n"
        "        file.write(key + chr(10))\n"
        "    if key in known:\n"
        "        return '<eligibility>another</eligibility>'\n"
        "    answers = json.loads(pathlib.Path(__file__).with_suffix('.json').read_text())\n"
        "    return answers[key]\n",
        encoding="utf-8",
    )
    core = read_proved(package).plain
    belief = max(find_beliefs(core.model, core.rows), key=lambda item: len(item.answers))
    answers = {
        json.dumps(dict(task.inputs), sort_keys=True): "".join(
            f"<{name}>{cell}</{name}>"
            for name, cell in belief.answers.get(task.id, task.outcomes).items()
        )
        for task in core.gold.values()
    }
    (tmp_path / "forgetful.json").write_text(json.dumps(answers), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    done = examine(package, "python:forgetful:solve", tmp_path / "out", "--draws", "0", "--json")

    value = json.loads(done.stdout)
    assert value["unsteady"]
    assert value["stated"] == []


def test_what_is_there_is_not_asked_again(package: Path, tmp_path: Path) -> None:
    first = examine(package, "gold", tmp_path, "--cases", "3", "--json").stdout
    rows = (tmp_path / "rows.jsonl").read_bytes()

    assert examine(package, "gold", tmp_path, "--cases", "3", "--json").stdout == first
    assert (tmp_path / "rows.jsonl").read_bytes() == rows


def test_a_package_of_a_level_with_dials_or_several_models_are_refused(
    package: Path, tmp_path: Path
) -> None:
    done = examine(package, "react", tmp_path, "--model", "a/b", "--model", "c/d")

    assert isinstance(done.exception, MaterialError)
    assert done.exception.faults[0].code == "examination-of-several"
    assert not (tmp_path / "rows.jsonl").exists()


@pytest.mark.parametrize("name", ["refund", "counter"])
def test_a_draw_has_other_tasks_that_the_published_tools_answer(shared: Shared, name: str) -> None:
    """With tables and without; the same seed draws the same."""
    folder = refund_release(shared) / "refund" if name == "refund" else publish_counter(shared)
    own = read_proved(folder)

    plain = read_source(folder).plain
    (drawn,), (again,) = (list(iterate_draws(own, plain, 1, seed)) for seed in (5, 5))

    assert drawn.gold == again.gold
    assert drawn.digest == again.digest != own.digest
    inputs = [
        {tuple(task.inputs.items()) for task in package.gold.values()} for package in (own, drawn)
    ]
    assert not inputs[0] & inputs[1]

    with drawn.open_environment() as environment:
        for task in list(drawn.shown.tasks)[:10]:
            session = open_session(environment, task)
            text = LayeredAgent(drawn.model).work(open_desk(session))
            grade = drawn.grade(task, Attempt(session.state.events, text, Stop.ANSWER))
            assert grade.is_right, task
