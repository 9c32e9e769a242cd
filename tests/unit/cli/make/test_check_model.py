"""``sopforge check`` on a brief of prose: what it can say before there is a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from sopforge.authors.writers.writing.domain import add_head
from sopforge.cli.app import app
from sopforge.errors import MaterialError
from tests.unit.authors.test_model_author import ACCOUNT, MODEL_TEXT, brief_of
from tests.worlds.counter_rows import COUNTER
from tests.worlds.small_models import changed

FEES = Path(__file__).parents[3] / "briefs" / "fees.yaml"


@pytest.fixture
def prose(tmp_path: Path) -> Path:
    path = tmp_path / "late fees.yaml"
    path.write_text(brief_of().text, encoding="utf-8")
    return path


def test_prose_is_no_mistake_and_the_next_command_is_named(prose: Path) -> None:
    done = CliRunner().invoke(app, ["check", str(prose)])

    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == "fees: prose without a model; no findings"
    assert "when the model is written" in lines[1]
    assert lines[-1] == f"Next: sopforge plan --preview '{prose}'"


def test_what_can_be_found_in_prose_is_found(prose: Path) -> None:
    parts = yaml.safe_load(prose.read_text("utf-8"))
    parts["task_context"] += " Ask Dana Whitlock, dana.whitlock@harbourbooks.com, about slips."
    prose.write_text(yaml.safe_dump(parts), encoding="utf-8")

    done = CliRunner().invoke(app, ["check", str(prose), "--json"])

    value = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (value["fields"], value["steps"], value["tasks_needed"]) == (None, None, {})
    assert "personal-data" in {item["id"] for item in value["findings"]}


@pytest.mark.parametrize("is_other", [False, True])
def test_prose_is_compared_with_nothing(prose: Path, *, is_other: bool) -> None:
    pair = [str(FEES), str(prose)] if is_other else [str(prose), str(FEES)]

    done = CliRunner().invoke(app, ["check", pair[0], "--against", pair[1]])

    assert isinstance(done.exception, MaterialError)
    [fault] = done.exception.faults
    assert (fault.code, fault.where) == ("model-missing", str(prose))


def compare_texts(folder: Path, *texts: str) -> Result:
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"brief {number}.yaml")
        paths[-1].write_text(text, encoding="utf-8")
    one, other = map(str, paths)
    return CliRunner().invoke(app, ["check", one, "--against", other, "--json"])


def test_a_difference_that_only_a_table_shows_is_found(tmp_path: Path) -> None:
    charged = changed(COUNTER, ("target.balance + amount}", "target.balance + amount - 1.00}"))

    done = compare_texts(tmp_path, COUNTER, charged)

    assert json.loads(done.stdout)["against"]["answer"] == "different"


def test_briefs_of_other_answers_are_not_compared(tmp_path: Path) -> None:
    plain = FEES.read_text("utf-8")
    renamed = changed(
        plain, ("fee: {role", "due: {role"), ("    fee:\n", "    due:\n"), ("[fee]", "[due]")
    )

    done = compare_texts(tmp_path, plain, renamed)

    assert isinstance(done.exception, MaterialError)
    [fault] = done.exception.faults
    assert (fault.code, fault.message) == (
        "fields-differ",
        "the models differ in their fields: due, fee",
    )


def write_domain(path: Path, model: str) -> str:
    """Write a domain as it would be written from the prose, and return its path."""
    brief = brief_of()
    path.write_text(add_head(brief, {"model": model, **ACCOUNT}), encoding="utf-8")
    return str(path)


def test_a_written_model_is_compared_with_its_prose(prose: Path, tmp_path: Path) -> None:
    sound = write_domain(tmp_path / "sound.yaml", MODEL_TEXT)
    wrong = write_domain(tmp_path / "wrong.yaml", MODEL_TEXT.replace("value: 3,", "value: 4,"))

    accepted = CliRunner().invoke(app, ["check", str(prose), "--written", sound])
    refused = CliRunner().invoke(app, ["check", str(prose), "--written", wrong])

    assert (accepted.exit_code, refused.exit_code) == (0, 1)
    assert "figure-not-in-model" in refused.output


def test_a_model_that_is_stated_is_not_written_from_prose(tmp_path: Path) -> None:
    stated = tmp_path / "stated.yaml"
    stated.write_text(FEES.read_text("utf-8"), encoding="utf-8")

    found = CliRunner().invoke(app, ["check", str(stated), "--written", str(stated)])

    assert isinstance(found.exception, MaterialError)
    assert found.exception.faults[0].code == "model-stated"


def test_the_sop_is_written_and_checked_where_the_rules_are_sound(tmp_path: Path) -> None:
    brief = tmp_path / "fees.yaml"
    text = FEES.read_text(encoding="utf-8")
    brief.write_text(f"{text}\ndraft_sop: draft.md\n", encoding="utf-8")
    draft = "# Purpose\nAny item that is 77 days late is written off at once.\n"
    (tmp_path / "draft.md").write_text(draft, encoding="utf-8")

    done = CliRunner().invoke(app, ["check", str(brief), "--json"])

    found = [
        item for item in json.loads(done.stdout)["findings"] if item["id"] == "sop-draft-left-out"
    ]
    assert done.exit_code == 0
    assert "77" in found[0]["evidence"] + found[0]["message"]


def test_of_rules_with_errors_no_sop_is_written(tmp_path: Path) -> None:
    brief = tmp_path / "fees.yaml"
    text = FEES.read_text(encoding="utf-8")
    brief.write_text(text.replace("otherwise:", "when: days_late > 999, then:"), encoding="utf-8")

    done = CliRunner().invoke(app, ["check", str(brief), "--json"])

    assert done.exit_code == 1
    ids = {item["id"] for item in json.loads(done.stdout)["findings"]}
    assert not [name for name in ids if name.startswith("sop-")]
