"""A procedure without tools goes from its brief to graded agents: the task states all facts."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from sopforge.evaluation.packages.proved import read_proved
from tests.running.commands import run
from tests.servers.model_server import model_server
from tests.worlds.model_players import make_player
from tests.worlds.providers import set_keys

BRIEF = """format: 1
domain: parcel_reply
title: Reply about a parcel
business_task: Decide which reply a customer gets about a late parcel.
task_context: Clerks answer by hand, without a system.
dataset: {n_samples: 30, seed: 1}
complexity: {levels: [L0, L2]}
model:
  entities:
    parcel:
      key: parcel_id
      fields:
        parcel_id: {role: input, type: string, pattern: "P[0-9]{6}", unique: true, description: number of the parcel}
        days_late: {label: delay, role: input, type: integer, min: 0, max: 60, unit: days, description: how many days the parcel is late}
        insured: {label: insurance, role: input, type: boolean, description: whether the parcel is insured}
        reply: {role: outcome, type: enum, values: [Wait, Refund, Trace], primary: true, description: what the customer is offered}
  decisions:
    reply:
      hit: first
      rules:
        - {id: R1, when: days_late > 20 and insured, then: Refund}
        - {id: R2, when: days_late > 5, then: Trace}
        - {id: R3, otherwise: Wait}
  procedure:
    start: judge
    steps:
      judge: {title: Decide on the reply, decide: [reply], edges: [{to: done}]}
      done: {title: Close the case, end: {}}
"""  # noqa: E501 - as a person writes it
MODEL = "anthropic/claude-test-1"
PRICES = """format: 1
prices:
  - {provider: anthropic, model: "claude-test*", valid_from: 2020-01-01, currency: USD,
     input: 10, output: 100, cache_write: 0, cache_read: 0, checked_on: 2020-01-01}
"""


def find_reply(days_late: int, insured: str) -> str:
    """Return what the brief's rules say."""
    if days_late > 20 and insured == "yes":
        return "Refund"
    return "Trace" if days_late > 5 else "Wait"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the domain's release."""
    place = tmp_path_factory.mktemp("no_tools")
    (place / "brief.yaml").write_text(BRIEF, encoding="utf-8")
    store = str(place / "store")
    made = run("generate", str(place / "brief.yaml"), "--approve-clean", "--store", store)
    assert made.code == 0, made.err
    published = run("publish", "parcel_reply", "--yes", "--store", store)
    assert published.code == 0, published.err
    return place / "store/parcel_reply/releases/1.0.0"


def test_answers_follow_the_rules(release: Path) -> None:
    with (release / "parcel_reply/test_set_with_outputs.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))

    assert {row["reply"] for row in rows} == {"Wait", "Refund", "Trace"}
    for row in rows:
        assert row["reply"] == find_reply(int(row["days_late"]), row["insured"])


def test_the_sop_speaks_of_no_tool_but_to_say_so(release: Path) -> None:
    for package in ("parcel_reply", "parcel_reply_l2"):
        text = (release / package / "sop.txt").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if "tool" in line]
        assert lines == [
            "No step of this procedure uses a tool. Take all facts from the inputs of the case."
        ]


def test_agents_are_graded_without_a_call(release: Path, tmp_path: Path) -> None:
    package = str(release / "parcel_reply")
    assert run("run-oracle", package).code == 0
    shares = evaluate(package, tmp_path, "gold", "wrong", "random-tool", "never-refuses")

    assert shares.pop("random-tool") < 1
    assert shares == {"gold": 1, "wrong": 0, "never-refuses": 1}


@pytest.mark.parametrize("kind", ["function-calling", "react"])
def test_a_model_may_answer_at_once(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    package = release / "parcel_reply"
    (tmp_path / "prices.yaml").write_text(PRICES, encoding="utf-8")
    with model_server() as server:
        set_keys(monkeypatch)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        server.answer = make_player(read_proved(package).graded.tasks)
        asking = ["--model", MODEL, "--prices", str(tmp_path / "prices.yaml")]
        shares = evaluate(str(package), tmp_path, kind, asking=asking)

    assert shares == {f"{kind}@{MODEL}": 1}
    assert len(server.seen) == 6


def evaluate(
    package: str, place: Path, *agents: str, asking: Sequence[str] = ()
) -> dict[str, float]:
    """Return the share of six tasks that each agent has right; all of them end their attempts."""
    named = [part for agent in agents for part in ("--agent", agent)]
    rest = ["--tasks", "6", "--seed", "1", "--json", "--out", str(place / "out")]
    done = run("evaluate", package, *named, *asking, *rest)
    assert done.code == 0, done.err
    runs = json.loads(done.out)["runs"]
    assert all(item["ecr"]["share"] == 1 for item in runs)
    return {item["agent"]: item["tsr"]["share"] for item in runs}
