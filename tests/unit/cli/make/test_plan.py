"""``sopforge plan`` says in words what a run would do; with a model, what it would cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.cli.make.new import render_starter

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.fixture
def store(tmp_path: Path) -> str:
    place = str(tmp_path / "store")
    CliRunner().invoke(app, ["generate", str(REFUND), "--store", place])
    return place


def test_what_waits_is_shown_with_the_command_that_shows_it(store: str) -> None:
    output = said("plan", str(REFUND), "--store", store)

    assert output.startswith("refund: 12 tasks, at L0, L1")
    assert "schema 1 up to date, waiting" in output
    assert "To be built: sop, dataset, api, toolspec, tools, complexity." in output
    assert f"schema waits for a decision: sopforge show refund schema --store {store}" in output


def test_reasons_are_shown_whole_where_it_is_no_terminal(store: str, tmp_path: Path) -> None:
    changed = tmp_path / "changed.yaml"
    text = REFUND.read_text(encoding="utf-8")
    changed.write_text(text.replace("value: 30,", "value: 20,"), encoding="utf-8")

    result = CliRunner().invoke(app, ["plan", str(changed), "--store", store])

    line = next(text for text in result.output.splitlines() if text.startswith("schema"))
    assert line.split("stale")[1].strip() == "brief: model.policy.refund_days.value 20 (was 30)"


def test_prose_says_what_shows_the_price(tmp_path: Path) -> None:
    brief = tmp_path / "prose.yaml"
    brief.write_text(render_starter("prose", "trip_costs"), encoding="utf-8")

    output = said("plan", str(brief), "--store", str(tmp_path / "store"))

    assert f"sopforge plan --preview {brief} --store {tmp_path / 'store'}" in output


def test_the_price_of_what_is_stale_is_estimated(store: str, tmp_path: Path) -> None:
    written = tmp_path / "written.yaml"
    by_a_model = "author: {name: anthropic, model: some-model}"
    text = REFUND.read_text(encoding="utf-8")
    written.write_text(text.replace("author: offline", by_a_model), encoding="utf-8")
    prices = tmp_path / "prices.yaml"

    plain = json.loads(said("plan", str(written), "--store", store, "--json"))["estimate"]
    output = said("plan", str(written), "--store", store)

    assert plain["together"]["cost_usd"] is None
    assert set(plain) == {
        *("sop", "api", "toolspec", "tools", "complexity"),
        *("together", "repairs", "at_most"),
    }
    assert plain["together"]["calls"] == sum(
        plain[stage]["calls"] for stage in ("sop", "api", "toolspec", "tools", "complexity")
    )
    row = output.split("per million tokens: ")[1]
    assert "some-model" in row
    prices.write_text(PRICE, encoding="utf-8")
    known = json.loads(
        said("plan", str(written), "--store", store, "--json", "--prices", str(prices))
    )["estimate"]["together"]
    # 10 dollars for a million tokens in, 20 for a million out
    cost = (known["tokens_in"] * 10 + known["tokens_out"] * 20) / 1_000_000
    assert float(known["cost_usd"]) == pytest.approx(cost, abs=0.01)


PRICE = """
format: 1
prices:
  - provider: anthropic
    model: some-model
    valid_from: 2020-01-01
    currency: USD
    input: 10
    output: 20
    cache_write: 10
    cache_read: 1
    checked_on: 2020-01-01
"""
