"""``sopforge new`` writes briefs that are whole as they stand, and loses nobody's file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.cli.make.new import render_starter
from sopforge.errors import MaterialError
from sopforge.language.domain.documents.schema import BriefDocument
from sopforge.language.domain.reading import read_brief


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_starter_goes_to_a_proved_release_by_the_commands_that_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    steps = re.findall(r"sopforge (.*)", said("new", "trip_costs"))
    assert [step.split()[0] for step in steps] == ["check", "generate", "publish"]

    checked, made, published = (json.loads(said(*step.split(), "--json")) for step in steps)

    assert checked["findings"] == []
    assert [stage["findings"] for stage in made["stages"]] == [0] * 7
    assert published["findings"] == []
    assert list(published["packages"]) == ["L0", "L1", "L2", "L3"]
    for package in published["packages"].values():
        proved = json.loads(said("run-oracle", package["place"], "--json"))
        shares = {agent["agent"]: agent["success"] for agent in proved["agents"]}
        assert shares.pop("reference") == 1.0
        assert set(shares.values()) == {0.0}


@pytest.mark.parametrize("kind", ["model", "prose"])
def test_every_key_of_a_brief_is_there_or_mentioned(kind: str) -> None:
    text = render_starter(kind, "trip_costs")

    there = read_brief(text, "trip_costs.yaml").parts.model_fields_set
    mentioned = set(re.findall(r"^# ([a-z_]+):", text, re.MULTILINE))

    assert there | mentioned == set(BriefDocument.model_fields)
    assert there & mentioned == set()


@pytest.mark.parametrize("kind", ["model", "prose"])
def test_what_is_mentioned_can_be_taken_in_as_it_stands(kind: str) -> None:
    text = render_starter(kind, "trip_costs")
    lines = [line for line in text.splitlines() if re.match(r"# [a-z_]+: ", line)]
    mentioned = [line for line in lines if not line.startswith(("# draft_sop:", "# model:"))]

    taken = read_brief(
        "\n".join([text, *(line.removeprefix("# ") for line in mentioned)]), "x.yaml"
    )

    assert len(mentioned) >= 4
    assert taken.parts.gates.count_approvers("schema") == 2
    assert taken.parts.document.owner == "head of finance"


def test_names_are_filled_in() -> None:
    parts = read_brief(render_starter("prose", "trip_costs"), "trip_costs.yaml").parts

    assert (parts.domain, parts.title) == ("trip_costs", "Trip Costs")
    assert (parts.model, parts.writer.name) == (None, "anthropic")


def test_prose_states_what_the_model_states() -> None:
    """The two starters are one domain: each limit of the one is in the other."""
    model = read_brief(render_starter("model", "trip_costs"), "trip_costs.yaml").model
    prose = read_brief(render_starter("prose", "trip_costs"), "trip_costs.yaml").parts.task_context

    for limit in ("60 days", "25 EUR", "400 EUR", "80 EUR", "250 EUR"):
        assert limit in prose
    for outcome in ("paid", "escalated", "refused"):
        assert outcome in prose
    assert model.primary.name == "claim_status"


def test_a_file_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "mine" / "brief.yaml"
    said("new", "trip_costs", "--out", str(path))
    path.write_text("mine", encoding="utf-8")

    refused = CliRunner().invoke(app, ["new", "trip_costs", "--out", str(path)])

    assert isinstance(refused.exception, MaterialError)
    (fault,) = refused.exception.faults
    assert (fault.code, "--force" in fault.hint) == ("brief-exists", True)
    assert path.read_text(encoding="utf-8") == "mine"
    said("new", "trip_costs", "--out", str(path), "--prose", "--force")
    assert path.read_text(encoding="utf-8") == render_starter("prose", "trip_costs")


def test_what_cannot_be_a_name_is_reported_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    refused = CliRunner().invoke(app, ["new", "Trip costs"])

    assert isinstance(refused.exception, MaterialError)
    assert list(tmp_path.iterdir()) == []
