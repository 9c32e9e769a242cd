"""Model agents on inspect, over the real client: what is asked, how attempts end, what is kept."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.runs.rows import LOGS, ROWS, RunFolder
from sopforge.evaluation.runs.running import choose_tasks
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.tasks import Task
from tests.conftest import Released
from tests.running.commands import Ran, run
from tests.servers.model_server import Act, Fail, Message, ModelServer, Seen, Silence, model_server
from tests.worlds.model_players import Call, Play, Player, Text, make_player, play_gold
from tests.worlds.providers import set_keys

MODEL = "anthropic/claude-test-1"
PRICES = """format: 1
prices:
  - {provider: anthropic, model: "claude-test*", valid_from: 2020-01-01, currency: USD,
     input: 10, output: 100, cache_write: 0, cache_read: 0, checked_on: 2020-01-01}
"""
# 1,000 tokens read and 50 written, as the server says of each reply.
COST = Decimal("0.015")


@dataclass(frozen=True)
class World:
    """A package, a server that the real client finds, and the folder of a run."""

    released: Released
    server: ModelServer
    package: ProvedPackage
    out: Path

    def evaluate(self, options: str, level: str = "L0") -> Ran:
        """Run the command on the package with a model."""
        place = str(self.released.published.packages[level])
        named = ["--model", MODEL, "--out", str(self.out), *options.split()]
        return run("evaluate", place, *named)

    def play(self, play: Callable[[Task], Play] = play_gold) -> Player:
        """Have a player answer from here on."""
        self.server.answer = player = make_player(self.package.graded.tasks, play)
        return player

    def read_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the run."""
        return read_rows(self.out)


@pytest.fixture
def world(
    released: Released, package: ProvedPackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """Return where a model agent is run."""
    with model_server() as server:
        set_keys(monkeypatch)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield World(released, server, package, tmp_path / "run")


@pytest.fixture(scope="session")
def package(released: Released) -> ProvedPackage:
    """Return the plain package."""
    return read_proved(Path(released.published.packages["L0"]))


def read_rows(out: Path) -> list[dict[str, Any]]:
    """Return the rows of a run; of those with one key the last."""
    rows = [json.loads(line) for line in (out / ROWS).read_text().splitlines()]
    return list({row["key"]: row for row in rows}.values())


def read_logs(out: Path) -> dict[tuple[str, str], Any]:
    """Return what was called, and the final text, by task and agent."""
    keys = {row["key"]: (row["task"], row["agent"]) for row in read_rows(out)}
    logs = [json.loads(line) for line in (out / LOGS).read_text().splitlines()]
    return {keys[log["key"]]: {**log, "key": ""} for log in logs}


def calls_of(log: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the calls of a log, with their replies."""
    return [event for event in log["events"] if "tool" in event]


@pytest.mark.parametrize(
    ("kind", "level"),
    [("function-calling", "L0"), ("retrieval", "L0"), ("budget", "L0"), ("react", "L3")],
)
def test_who_makes_no_mistake_gets_the_rows_of_the_gold_agent(
    world: World, kind: str, level: str
) -> None:
    found = read_proved(Path(world.released.published.packages[level]))
    # A ReAct agent must call a tool before it ends, and some cases end without.
    world.server.answer = make_player(found.graded.tasks)
    done = world.evaluate(f"--agent gold --agent {kind} --tasks 6 --seed 1", level)

    assert done.code == 0, done.err
    rows = {(row["task"], row["agent"]): row for row in world.read_rows()}
    tasks = [task for task, agent in rows if agent == "gold"]
    logs = read_logs(world.out)
    assert len(rows) == 12
    for task in tasks:
        gold, row = rows[task, "gold"], rows[task, f"{kind}@{MODEL}"]
        if kind == "react" and not gold["calls"]:
            assert row["stop"] == "cap reached"
            continue
        same = gold.keys() - {"key", "agent", "settings", "seconds", "turns", "tokens_in"}
        same -= {"tokens_out", "cost"}
        assert {name: row[name] for name in same} == {name: gold[name] for name in same}
        assert calls_of(logs[task, f"{kind}@{MODEL}"]) == calls_of(logs[task, "gold"])
        assert row["turns"] == gold["calls"] + 1
        assert (row["tokens_in"], row["tokens_out"]) == (1000 * row["turns"], 50 * row["turns"])


def test_all_settings_are_recorded_and_asked_with(world: World) -> None:
    world.play()
    done = world.evaluate(
        "--agent function-calling --tasks 1 --max-tokens 1234 --temperature none --cap 7"
    )

    assert done.code == 0, done.err
    settings = json.loads(world.read_rows()[0]["settings"])
    assert len(settings.pop("prompts")) == 64
    assert settings == {
        "kind": "function-calling",
        "model": MODEL,
        "temperature": None,
        "max_tokens": 1234,
        "cap": 7,
        "token_budget": 0,
        "canned_reply": False,
    }
    body = world.server.seen[0].body
    assert body["max_tokens"] == 1234
    assert {tool["name"] for tool in body["tools"]} == {
        tool.name for tool in world.package.shown.tools
    }
    assert world.package.shown.sop.strip() in json.dumps(
        body["system"], ensure_ascii=False
    ).replace("\\n", "\n").replace('\\"', '"')


def test_the_retrieval_agent_does_not_hold_the_procedure(world: World) -> None:
    def look_up(task: Task) -> Play:
        return [Call("search_procedure", {"query": "statement of all results"}), *play_gold(task)]

    world.play(look_up)
    done = world.evaluate("--agent retrieval --tasks 1")

    assert done.code == 0, done.err
    row = world.read_rows()[0]
    # What it looks up in the SOP is no call of the package's tools.
    assert row["is_gold"]
    assert row["is_right"]
    rule = "Put each result in an XML element of its own"
    assert rule in world.package.shown.sop
    first, second = world.server.seen[0].body, world.server.seen[1].body
    assert rule not in json.dumps(first["system"])
    assert rule in json.dumps(second["messages"])


def ask_first(task: Task) -> Play:
    """Return the turns of one who asks before working."""
    return [Text("May I begin?"), *play_gold(task)]


@pytest.mark.parametrize(
    ("option", "is_right", "turns"),
    [("", False, 1), ("--canned-reply", True, 2)],
    ids=["taken-for-the-end", "answered"],
)
def test_a_needless_question_is_answered_where_so_asked(
    world: World,
    option: str,
    is_right: bool,  # noqa: FBT001 - pytest
    turns: int,
) -> None:
    world.play(ask_first)
    done = world.evaluate(f"--agent function-calling --tasks 9 {option}")

    assert done.code == 0, done.err
    rows = world.read_rows()
    assert {(row["stop"], row["is_right"]) for row in rows} == {("answer", is_right)}
    assert {row["turns"] - row["calls"] for row in rows} == {turns}


def call_forever(_: Task) -> Play:
    """Return the turns of one who never ends."""
    return [Call("noSuchTool", {})]


@pytest.mark.parametrize(
    ("kind", "options", "asked", "stop"),
    [
        ("function-calling", "", 10, "cap reached"),
        ("react", "", 15, "cap reached"),
        ("react", "--cap 3", 3, "cap reached"),
        # 1,050 tokens a turn: the fifth is asked for with 4,200 of 5,000 used.
        ("budget", "--token-budget 5000", 5, "budget spent"),
    ],
)
def test_an_agent_is_asked_as_often_as_it_may_be_and_never_more(
    world: World, kind: str, options: str, asked: int, stop: str
) -> None:
    world.play(call_forever)
    done = world.evaluate(f"--agent {kind} --tasks 2 {options}")

    assert done.code == 0, done.err
    rows = world.read_rows()
    assert [(row["stop"], row["turns"], row["unknown"]) for row in rows] == [
        (stop, asked, asked)
    ] * 2
    assert not any(row["is_complete"] for row in rows)
    assert len(world.server.seen) == 2 * asked
    assert f"without a final text: {stop} 2 (no answer after" in " ".join(done.out.split())


def test_in_a_session_the_cap_is_of_each_case(world: World) -> None:
    def file_forever(_: Task) -> Play:
        return [Call("fileCase", {"statement": "nothing"})]

    world.play(file_forever)
    done = world.evaluate("--agent function-calling --tasks 1 --cap 2 --dial queue=3")

    assert done.code == 0, done.err
    # Each of three cases is filed at once; two further calls are refused.
    (row,) = world.read_rows()
    assert (row["stop"], row["turns"], row["cases"]) == ("cap reached", 5, [False] * 3)


def test_an_agent_without_a_call_is_not_let_end_by_react(world: World) -> None:
    def guess_first(task: Task) -> Play:
        return [Text(write_answer(task.outcomes)), *play_gold(task)]

    world.play(guess_first)
    done = world.evaluate("--agent react --tasks 12 --seed 1")

    assert done.code == 0, done.err
    rows = [row for row in world.read_rows() if row["calls"]]
    assert rows
    assert all(row["is_right"] and row["turns"] == row["calls"] + 2 for row in rows)


def test_what_a_model_makes_up_of_an_observation_is_cut_off(world: World) -> None:
    made_up = 'Action: noSuchTool\nAction Input: {}\nObservation: {"a": 1}\nFinal Answer: <x>1</x>'
    world.server.answer = lambda _: Message([{"type": "text", "text": made_up}])
    done = world.evaluate("--agent react --tasks 1 --cap 2")

    assert done.code == 0, done.err
    (row,) = world.read_rows()
    assert (row["stop"], row["unknown"]) == ("cap reached", 2)
    said = world.server.seen[1].body["messages"][1]
    assert "Observation" not in json.dumps(said)


def test_a_reply_with_half_a_character_counts_against_the_agent(world: World) -> None:
    world.server.answer = lambda _: Message([{"type": "text", "text": "\ud800"}])
    done = world.evaluate("--agent function-calling --tasks 2")

    assert done.code == 0, done.err
    assert "budget" not in done.out
    assert {row["stop"] for row in world.read_rows()} <= {"failed", "provider failed"}
    assert len(world.read_rows()) == 2


def test_a_run_leaves_the_log_of_the_process_as_it_was(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.play()
    world.evaluate("--agent function-calling --tasks 1")
    logging.getLogger("somebody").warning("still heard")

    assert "still heard" in caplog.messages


def test_a_refusal_counts_against_the_agent(world: World) -> None:
    world.server.answer = lambda _: Message([{"type": "text", "text": "I will not."}], "refusal")
    done = world.evaluate("--agent function-calling --tasks 3")

    assert done.code == 0, done.err
    rows = world.read_rows()
    assert [(row["stop"], row["is_complete"]) for row in rows] == [("refused", False)] * 3


def test_a_provider_that_fails_counts_and_is_asked_again_by_the_next_run(world: World) -> None:
    player = world.play()
    chosen = (world.package.gold[name] for name in choose_tasks(world.package, 12, 0))
    task = next(item for item in chosen if "\n" not in item.text.strip())
    broken = task.text.strip()

    def fail_one(seen: Seen) -> Act:
        if broken in json.dumps(seen.body["messages"][0], ensure_ascii=False).replace('\\"', '"'):
            return Fail(401, "no such key")
        return player(seen)

    options = "--agent function-calling --tasks 12"
    world.server.answer = fail_one
    first = world.evaluate(options)
    rows = world.read_rows()
    (failed,) = (row for row in rows if row["stop"] == "provider failed")

    assert first.code == 0, first.err
    assert len(rows) == 12
    assert failed["task"] == task.id
    assert "no such key" in failed["says"]
    assert sum(row["is_right"] for row in rows) == 11

    world.server.answer, player.asked = player, []
    again = world.evaluate(options)

    assert again.code == 0, again.err
    assert {row["stop"] for row in world.read_rows()} == {"answer"}
    assert len(world.read_rows()) == 12
    assert len(player.asked) == len(task.calls) + 1


def test_a_limit_of_the_provider_is_waited_for(world: World) -> None:
    world.play()
    world.server.play(Fail(429, "slow down", "0"), Fail(529, "overloaded", "0"))
    done = world.evaluate("--agent function-calling --tasks 2")

    assert done.code == 0, done.err
    assert all(row["is_right"] for row in world.read_rows())


def test_a_model_that_says_nothing_is_too_slow(world: World) -> None:
    world.server.answer = lambda _: Silence(3)
    done = world.evaluate("--agent function-calling --tasks 2 --time-limit 1")

    assert done.code == 0, done.err
    assert [row["stop"] for row in world.read_rows()] == ["too slow"] * 2


def test_a_call_that_was_cut_off_counts_at_its_highest_cost(world: World) -> None:
    prices = world.out.with_name("prices.yaml")
    prices.write_text(PRICES)
    world.server.answer = lambda _: Silence(3)
    options = "--agent function-calling --tasks 3 --time-limit 1 --concurrency 1"
    done = world.evaluate(f"{options} --prices {prices} --budget 0.5")

    assert done.code == 0, done.err
    (row,) = world.read_rows()
    assert (row["stop"], row["cost"], row["cut_off"]) == ("too slow", None, 1)
    # At most 8,000 tokens written at $100 a million, and some thousands read at $10.
    assert 0.8 < row["cut_off_most"] < 1
    said = " ".join(done.out.split())
    perhaps = f"1 call cut off, at most ${row['cut_off_most']:.4f} more"
    assert f"0 written, {perhaps}." in said
    assert f"The budget is spent, or may be ({perhaps}): 2 attempts were not made" in said


def test_a_call_that_was_refused_is_not_billed(world: World) -> None:
    world.server.answer = lambda _: Fail(400, "no such model")
    world.evaluate("--agent function-calling --tasks 1")

    assert [row["cut_off"] for row in world.read_rows()] == [0]


def test_a_reply_with_a_count_below_nothing_does_not_fill_the_purse(world: World) -> None:
    prices = world.out.with_name("prices.yaml")
    prices.write_text(PRICES)
    text = [{"type": "text", "text": "<verdict>in order</verdict>"}]
    world.server.answer = lambda _: Message(text, usage=(-1_000_000_000, 50))
    options = "--agent function-calling --tasks 4 --concurrency 1 --budget 0.5"
    done = world.evaluate(f"{options} --prices {prices}")

    assert done.code == 0, done.err
    assert "The budget is spent" in done.out
    (row,) = world.read_rows()
    assert (row["tokens_in"], row["cost"], row["cut_off"]) == (0, None, 1)


def test_a_budget_ends_a_run_and_a_larger_one_goes_on_without_asking_anything_twice(
    world: World,
) -> None:
    prices = world.out.with_name("prices.yaml")
    prices.write_text(PRICES)
    player = world.play()
    options = f"--agent function-calling --tasks 10 --prices {prices}"
    first = world.evaluate(f"{options} --budget 0.20 --concurrency 2")

    assert first.code == 0, first.err
    assert "The budget is spent" in first.out
    # 14 replies cost $0.21, and one more may have been asked for.
    assert len(player.asked) in (14, 15)
    begun = len(world.read_rows())
    assert begun < 10

    second = world.evaluate(f"{options} --budget 50 --concurrency 2")
    assert second.code == 0, second.err
    rows = world.read_rows()
    assert len(rows) == 10
    assert all(row["is_right"] for row in rows)
    assert len(player.asked) == len(set(player.asked))
    assert len(player.asked) == sum(row["turns"] for row in rows)
    assert [Decimal(str(row["cost"])) for row in rows] == [COST * row["turns"] for row in rows]


def test_a_run_on_inspect_has_the_rows_of_the_bare_loop(released: Released, tmp_path: Path) -> None:
    agents = [
        word for name in ("gold", "wrong", "silent", "constant") for word in ("--agent", name)
    ]
    place, options = str(released.published.packages["L0"]), [*agents, "--tasks", "15"]
    bare = run("evaluate", place, *options, "--out", str(tmp_path / "bare"))
    inspect = run("evaluate", place, *options, "--inspect", "--out", str(tmp_path / "inspect"))

    assert (bare.code, inspect.code) == (0, 0), inspect.err
    found = []
    for name in ("bare", "inspect"):
        rows = {(row["task"], row["agent"]): row for row in read_rows(tmp_path / name)}
        found.append([{**rows[key], "seconds": 0} for key in sorted(rows)])
    assert found[0] == found[1]
    assert read_logs(tmp_path / "bare") == read_logs(tmp_path / "inspect")
    assert len(list((tmp_path / "inspect" / "inspect").glob("*.eval"))) == 4


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--agent", "react"], "model-unusable: --model: no model is named"),
        (["--agent", "react", "--model", "gpt"], "'gpt' does not name a provider and a model"),
        (["--agent", "react", "--model", "nobody/gpt"], "model-unusable: nobody/gpt"),
        (
            ["--agent", "gold", "--model", MODEL],
            "model-not-asked: --model: no agent uses a model",
        ),
        (["--agent", "react", "--model", MODEL, "--temperature", "warm"], "'warm'"),
    ],
)
def test_what_cannot_be_asked_is_named_before_anything_is_written(
    released: Released,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    options: list[str],
    says: str,
) -> None:
    set_keys(monkeypatch)
    place = str(released.published.packages["L0"])
    done = run("evaluate", place, *options, "--out", str(tmp_path / "run"))

    assert done.code == 2
    assert says in done.err
    assert not (tmp_path / "run").exists()


def test_rows_of_what_was_asked_before_are_not_made_again(world: World) -> None:
    world.play()
    options = "--agent function-calling --tasks 3"
    world.evaluate(options)
    asked = len(world.server.seen)
    world.evaluate(options)
    assert len(world.server.seen) == asked

    world.evaluate(f"{options} --temperature 0")
    assert len(world.server.seen) == 2 * asked
    assert len(RunFolder(world.out).rows) == 6
