from __future__ import annotations

import os
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from sopforge.authors.providers.pricing import Price, read_prices
from sopforge.errors import MaterialError

TODAY = date(2026, 11, 20)
OWN = """
format: 1
prices:
  - {provider: anthropic, model: claude-opus-5-5, valid_from: 2026-11-01, currency: USD,
     input: 3, output: 15, cache_write: 3.75, cache_read: 0.30, checked_on: 2026-11-01}
  - {provider: bedrock, model: "eu.anthropic.*", valid_from: 2026-01-01, valid_to: 2026-06-30,
     currency: USD, input: 1, output: 2, cache_write: 1.25, cache_read: 0.10,
     checked_on: 2026-01-01}
"""


def shipped(model: str, prompt: int = 1000, on: date = TODAY) -> Price | None:
    return read_prices().find("anthropic", model, on, prompt)


def test_the_most_takes_every_token_of_the_prompt_as_the_dearest() -> None:
    price = shipped("claude-opus-5-5")
    assert price is not None
    assert price.compute_highest_cost(prompt=1_000_000, output=100_000) == Decimal(5) + Decimal(2)


def test_a_model_that_no_row_names_has_no_price() -> None:
    assert shipped("claude-unheard-of") is None
    assert read_prices().find("bedrock", "claude-opus-5-5", TODAY, 1) is None


def test_a_row_holds_on_its_days_only() -> None:
    before = shipped("claude-sonnet-5-5", on=date(2026, 10, 6))
    after = shipped("claude-sonnet-5-5", on=date(2026, 10, 7))
    assert before is not None
    assert after is not None
    assert (before.cache_read, after.cache_read) == (Decimal("0.20"), Decimal("0.10"))
    assert shipped("claude-sonnet-5-5", on=date(2026, 9, 27)) is None


def test_a_long_prompt_has_the_price_of_its_band() -> None:
    short, long = shipped("claude-haiku-5-5", 100_000), shipped("claude-haiku-5-5", 100_001)
    assert short is not None
    assert long is not None
    assert (short.input, long.input) == (Decimal("0.10"), Decimal("0.50"))


def test_every_row_that_ships_was_checked_after_its_price_began() -> None:
    rows = read_prices().rows
    assert len(rows) >= 10
    assert all(row.valid_from <= row.checked_on for row in rows)
    assert all(row.cache_read < row.input <= row.cache_write < row.output for row in rows)


def test_a_file_of_the_users_own_counts_first(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(OWN, encoding="utf-8")
    prices = read_prices(path)
    price = prices.find("anthropic", "claude-opus-5-5", TODAY, 1)
    assert price is not None
    assert price.input == 3
    assert prices.find("bedrock", "eu.anthropic.claude-x", date(2026, 6, 30), 1) is not None
    assert prices.find("bedrock", "eu.anthropic.claude-x", date(2026, 7, 1), 1) is None
    assert prices.find("anthropic", "claude-haiku-4-5", TODAY, 1) is not None


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MaterialError) as caught:
        read_prices(tmp_path / "none.yaml")
    assert caught.value.faults[0].code == "prices-not-read"


def test_faults_of_a_file_are_reported_by_line(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(OWN.replace("input: 1,", "input: -1,").replace("USD", "EUR", 1), "utf-8")
    with pytest.raises(MaterialError) as caught:
        read_prices(path)
    places = [fault.where for fault in caught.value.faults]
    assert places == [f"{path}:4, prices.0.currency", f"{path}:7, prices.1.input"]


def test_a_pipe_in_the_place_of_a_file_of_prices_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "own.yaml")
    with pytest.raises(MaterialError, match="is a named pipe"):
        read_prices(tmp_path / "own.yaml")


def test_an_amount_beyond_all_sums_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(OWN.replace("input: 1,", 'input: "1e999999999",'), "utf-8")
    with pytest.raises(MaterialError, match=r"prices\.1\.input"):
        read_prices(path)
