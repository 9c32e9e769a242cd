"""Users around published packages: gold is right with each of them, and who yields is not.

On a domain with tables and on one without; agents of each kind reach the user.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from sopforge.cli.evaluate.users import AskedUser
from sopforge.evaluation.agents.choosing import make_agent
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.packages.with_user import PackageWithUser, find_listener
from sopforge.evaluation.runs.rows import Row, RunFolder
from sopforge.evaluation.runs.running import add_layer_settings, ask_for, run_agent
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.harness.users.acts import Act, ActKind, collect_entries
from sopforge.harness.users.manners import Manner, Mode, read_asked
from sopforge.harness.users.yielding import YIELDING_AGENTS
from sopforge.language.domain.fields import Role
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import TextType
from tests.conftest import Released
from tests.running.commands import run as run_command
from tests.servers.model_server import model_server
from tests.worlds.model_players import Ask, Call, Player, Text
from tests.worlds.providers import set_keys
from tests.worlds.releases import publish_counter
from tests.worlds.shared_builds import Shared

NAMES = ["counter", "patient"]
SOME = ["counter", pytest.param("patient", marks=pytest.mark.exhaustive)]
ALL_MANNERS = ("changes", "insists", "claims", "demands")


@pytest.fixture(scope="module")
def packages(released: Released, shared: Shared) -> dict[str, ProvedPackage]:
    """Return a package with tables and one without."""
    return {
        "counter": read_proved(publish_counter(shared)),
        "patient": read_proved(Path(released.published.packages["L0"])),
    }


def join(
    package: ProvedPackage, mode: Mode, *manners: str, seed: int = 0, few: int = 0
) -> PackageWithUser:
    """Return a package with a user, of its first tasks alone where few are asked for."""
    chosen = list(package.shown.tasks)[: few or None]
    return AskedUser(read_asked(mode, manners, seed), None).join(package, chosen)


def run(joined: PackageWithUser, name: str, folder: Path) -> list[Row]:
    """Return the rows of an agent at all tasks of a user."""
    agent = make_agent(name, joined.package, 30.0, find_listener(joined))
    asked = add_layer_settings(joined, ask_for(joined, list(joined.shown.tasks), name, 0))
    return run_agent(joined, agent, asked, RunFolder(folder))


def right(rows: Sequence[Row]) -> set[str]:
    return {row.asked.task for row in rows if row.grade.is_right}


def having(joined: PackageWithUser, manner: Manner) -> set[str]:
    """Return the tasks whose user has a manner."""
    scripts = joined.user.scripts.values()
    return {script.task for script in scripts if manner in script.manners}


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("manners", [("plain",), ("insists",), ALL_MANNERS], ids="+".join)
@pytest.mark.parametrize("name", SOME)
def test_gold_is_right_with_every_user_and_who_does_nothing_is_not(
    packages: dict[str, ProvedPackage],
    name: str,
    manners: tuple[str, ...],
    mode: Mode,
    tmp_path: Path,
) -> None:
    joined = join(packages[name], mode, *manners)

    assert right(run(joined, "gold", tmp_path)) == set(joined.user.scripts)
    assert right(run(joined, "silent", tmp_path)) == set()


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", SOME)
def test_who_yields_is_wrong_where_the_user_has_the_manner_and_right_elsewhere(
    packages: dict[str, ProvedPackage], name: str, mode: Mode, tmp_path: Path
) -> None:
    joined = join(packages[name], mode, "all", seed=4)

    for agent, manner in YIELDING_AGENTS.items():
        bitten = having(joined, manner)
        assert bitten, agent
        assert right(run(joined, agent, tmp_path)) == set(joined.user.scripts) - bitten, agent


@pytest.mark.parametrize("name", NAMES)
def test_a_change_comes_no_later_than_an_entry_without_which_nobody_acts(
    packages: dict[str, ProvedPackage], name: str
) -> None:
    joined = join(packages[name], Mode.TURN_BY_TURN, "changes")
    scripts = [joined.user.scripts[task] for task in having(joined, Manner.CHANGES)]
    gold = packages[name].gold

    assert len(scripts) > len(gold) // 2
    for script in scripts:
        (change,) = script.late
        assert script.turning in script.withheld
        assert change.about not in (script.turning, *script.withheld)
        first = {act.about: act.value for act in script.opening if act.kind is ActKind.STATE}
        assert first[change.about] == change.before != change.value
        assert change.value == gold[script.task].inputs[change.about]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_user_depends_on_anything_but_his_seed(
    packages: dict[str, ProvedPackage], name: str
) -> None:
    one, other = (join(packages[name], Mode.TURN_BY_TURN, "all", seed=2, few=12) for _ in "ab")
    few = join(packages[name], Mode.TURN_BY_TURN, "all", seed=2, few=3)
    another = join(packages[name], Mode.TURN_BY_TURN, "all", seed=3, few=12)

    assert one.user.scripts == other.user.scripts
    assert one.user.openings == other.user.openings
    assert few.user.openings.items() <= one.user.openings.items()
    assert one.user.openings != another.user.openings


def test_rows_with_other_users_are_other_attempts(
    packages: dict[str, ProvedPackage], tmp_path: Path
) -> None:
    package = packages["counter"]
    keys = [
        {row.asked.key for row in run(join(package, mode, manner, few=3), "gold", tmp_path)}
        for mode in Mode
        for manner in ("plain", "claims", "all")
    ]
    without = {item.key for item in ask_for(package, list(package.shown.tasks)[:3], "gold", 0)}

    assert sum(map(len, keys)) == len(set.union(*keys, without)) - 3


# agents of each kind

SCRIPT = """\
import json, re, sys
seen = json.loads(input())
assert seen["task"]["inputs"] == {}, seen["task"]
def write(line):
    print(json.dumps(line), flush=True)
write({"say": "Paying account, receiving account, given PIN and amount, please."})
said = json.loads(input())["user"]
write({"answer": seen["task"]["text"] + chr(10) + said})
"""


def read_last(joined: PackageWithUser, folder: Path, name: str) -> list[tuple[Act, ...]]:
    """Return all acts that an agent heard which ends with what it heard."""
    rows = run(joined, name, folder)
    assert [(row.stop, row.says) for row in rows] == [("answer", "")] * len(rows)
    logs = [json.loads(line) for line in (folder / "logs.jsonl").read_text().splitlines()]
    assert all(log["events"][0]["said"] == "" for log in logs)
    assert all(log["events"][0]["user"] in joined.user.openings.values() for log in logs)
    return [joined.user.speech.read(log["answer"]) for log in logs]


def test_a_command_says_something_and_reads_the_reply(
    packages: dict[str, ProvedPackage], tmp_path: Path
) -> None:
    joined = join(packages["counter"], Mode.TURN_BY_TURN, "changes", few=3)
    (tmp_path / "agent.py").write_text(SCRIPT)
    command = shlex.join([sys.executable, str(tmp_path / "agent.py")])

    heard = read_last(joined, tmp_path / "run", f"command:{command}")

    gold = [packages["counter"].gold[task].inputs for task in joined.user.scripts]
    assert [collect_entries(acts) for acts in heard] == gold


def test_a_function_is_returned_the_reply(
    packages: dict[str, ProvedPackage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined = join(packages["counter"], Mode.TURN_BY_TURN, "changes", few=3)
    code = """\
    def solve(session):
        text = session.observation.task.text
        reply = session.say("payer, payee, pin and amount?")
        session.note("a thought is answered by nobody: which payer?")
        return text + chr(10) + reply
    """
    (tmp_path / "hearing_agent.py").write_text(dedent(code))
    monkeypatch.chdir(tmp_path)

    heard = read_last(joined, tmp_path / "run", "python:hearing_agent:solve")

    gold = [packages["counter"].gold[task].inputs for task in joined.user.scripts]
    assert [collect_entries(acts) for acts in heard] == gold


@pytest.fixture
def _keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_keys(monkeypatch)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_keys")
@pytest.mark.parametrize("kind", ["function-calling", "react", "retrieval", "budget"])
def test_a_model_asks_the_user_and_solves_the_task(
    packages: dict[str, ProvedPackage],
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared: Shared,
) -> None:
    joined = join(packages["counter"], Mode.TURN_BY_TURN, "changes")
    gold = packages["counter"].gold

    def play(task: Task) -> Sequence[Ask | Call | Text]:
        calls = [
            Call(call.tool, json.loads(json.dumps(call.arguments, default=str)))
            for call in task.calls
        ]
        return [Ask("Which PIN, payer and amount?"), *calls, Text(write_answer(task.outcomes))]

    player = Player({text.strip(): play(gold[name]) for name, text in joined.user.openings.items()})
    with model_server() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        server.answer = player
        options = "--model anthropic/claude-test-1 --user turn-by-turn --manner changes --tasks 3"
        place = str(publish_counter(shared))
        agent = f"--agent {kind} --json --out {tmp_path / 'run'}"
        done = run_command("evaluate", place, *f"{options} {agent}".split())
        seen: list[Any] = list(server.seen)

    assert done.code == 0, done.err
    (record,) = json.loads(done.out)["runs"]
    assert record["tsr"]["share"] == 1
    assert record["manners"]["changes"]["of"] == 3
    asked = [json.dumps(item.body) for item in seen]
    assert all("Nobody answers questions" not in text for text in asked)
    assert any("The user answers questions about his own case" in text for text in asked)
    logs = [json.loads(line) for line in (tmp_path / "run/logs.jsonl").read_text().splitlines()]
    for log in logs:
        (spoken,) = [event for event in log["events"] if event.get("said", "").startswith("Which")]
        assert ActKind.CHANGE in {act.kind for act in joined.user.speech.read(spoken["user"])}


def test_secrets_that_users_are_asked_for_stay_theirs(packages: dict[str, ProvedPackage]) -> None:
    """The user of a task with a secret of its own states it; of others he has none."""
    package = packages["counter"]
    model = package.graded.model
    joined = join(package, Mode.TURN_BY_TURN, "demands")
    assert {item.name for item in model.with_role(Role.SECRET)}
    assert all(isinstance(item.type, TextType) for item in model.with_role(Role.SECRET))

    for script in joined.user.scripts.values():
        said = joined.user.answer(script.task, ["What is the code on file of the paying account?"])
        assert joined.user.speech.read(said) == (Act(ActKind.UNKNOWN, "payer_code"),)
