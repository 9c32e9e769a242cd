"""What ``sopforge edit`` is handed, and what it makes of an editor that fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.running.commands import run

BRIEF = Path(__file__).parents[3] / "briefs" / "fees.yaml"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which the schema of a domain waits."""
    folder = tmp_path_factory.mktemp("edit") / "store"
    assert run("generate", str(BRIEF), "--store", str(folder)).code == 3
    return folder


@pytest.mark.parametrize(
    ("editor", "reason"),
    [("no-such-editor", "no-such-editor: Editing failed"), ("false", "false: Editing failed")],
)
def test_an_editor_that_fails_is_no_fault_of_ours(
    place: Path, monkeypatch: pytest.MonkeyPatch, editor: str, reason: str
) -> None:
    monkeypatch.setenv("VISUAL", editor)

    ran = run("edit", "fees", "schema", "--store", str(place))

    assert (ran.code, ran.out) == (2, "")
    first, hint = ran.err.splitlines()
    assert first.startswith(f"editor-failed: EDITOR: {reason}")
    assert hint == ("  hint: set EDITOR to an installed editor, or pass a file: --from FILE")


def test_a_brief_named_as_its_domain_is_reported_with_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "briefs").mkdir()
    (tmp_path / "briefs" / "fees.yaml").write_bytes(BRIEF.read_bytes())
    monkeypatch.chdir(tmp_path)

    ran = run("generate", "fees")

    assert ran.code == 2
    assert ran.err == (
        "brief-not-found: fees: there is no file 'fees'\n  hint: did you mean 'briefs/fees.yaml'?\n"
    )


def test_what_a_person_edited_wrongly_is_to_be_edited_again(tmp_path: Path) -> None:
    at = ("--store", str(tmp_path / "store"))
    run("generate", str(BRIEF), *at)
    run("approve", "fees", "schema", "--by", "ada", *at)
    run("continue", "fees", *at)
    mine = tmp_path / "mine.txt"
    text = run("show", "fees", "sop", "--file", "sop.txt", *at).out
    mine.write_text(text.replace("3 days", "5 days"), encoding="utf-8")
    run("edit", "fees", "sop", "--from", str(mine), "--by", "ada", *at)
    assert run("continue", "fees", *at).code == 1

    status = json.loads(run("status", "--json", *at).out)

    assert status["domains"][0]["next"] == "edit it again"


def test_what_a_person_signs_stands_at_the_gate_and_in_the_package(tmp_path: Path) -> None:
    at = ("--store", str(tmp_path / "store"))
    text = reach_sop(at)
    worded = reword(text, ("is at most 3 days and", "is 3 days at the most and"))
    mine = tmp_path / "mine.txt"
    mine.write_text(worded, encoding="utf-8")

    said = run("edit", "fees", "sop", "--from", str(mine), "--by", "bob", "--sign", *at).out
    waiting = run("continue", "fees", *at).out
    by_policy = run("generate", str(BRIEF), "--approve-clean", *at).out
    run("approve", "fees", "sop", "--by", "eve", *at)
    run("generate", str(BRIEF), "--approve-clean", *at)
    run("publish", "fees", *at)

    assert "sop waits at its gate" in by_policy
    assert said.startswith("1 line that the checks cannot read means the same:")
    assert "warning sop-signed: bob states that a line in other words means the same" in waiting
    package = tmp_path / "store" / "fees" / "releases" / "1.0.0" / "fees"
    signed = json.loads((package / "provenance.json").read_bytes())["signed"]
    line = '"tolerated" if the delay is 3 days at the most and the kind of the item is not "Film".'
    assert [(item["by"], item["text"]) for item in signed] == [("bob", line)]
    assert f"- {line}\n" in (package / "README.md").read_text("utf-8")


def test_a_preview_shows_the_sentences_that_change_and_keeps_nothing(
    place: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "domain.yaml"
    text = run("show", "fees", "schema", "--file", "domain.yaml", "--store", str(place)).out
    mine.write_text(text.replace("value: 3, unit: days", "value: 4, unit: days"), encoding="utf-8")
    before = run("status", "--json", "--store", str(place)).out

    ran = run(
        *("edit", "fees", "schema", "--from", str(mine), "--preview", "--json"),
        *("--store", str(place)),
    )

    film = 'the kind of the item is not "Film".'
    assert [(item["before"], item["after"]) for item in json.loads(ran.out)["sentences"]] == [
        (
            f'- "tolerated" if the delay is at most 3 days and {film}',
            f'- "tolerated" if the delay is at most 4 days and {film}',
        ),
        (
            "  - 3 days: days late for which nothing is due",
            "  - 4 days: days late for which nothing is due",
        ),
    ]
    assert run("status", "--json", "--store", str(place)).out == before


def reach_sop(at: tuple[str, str]) -> str:
    """Have an SOP wait at its gate; return its text."""
    run("generate", str(BRIEF), *at)
    run("approve", "fees", "schema", "--by", "ada", *at)
    run("continue", "fees", *at)
    return run("show", "fees", "sop", "--file", "sop.txt", *at).out


def reword(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with words replaced that it has."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text
