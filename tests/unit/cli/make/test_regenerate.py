"""``sopforge regenerate``: only what is stale runs again, and what stays keeps its ids."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.pipeline.briefs.brief_files import (
    list_kept_versions,
    load_latest_brief,
)
from sopforge.store.opening import open_store
from tests.running.commands import run

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


def said(store: Path, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*arguments, "--store", str(store)])
    return result.exit_code, result.output


@pytest.fixture
def store(tmp_path: Path) -> Path:
    code, _ = said(tmp_path / "store", "generate", str(REFUND), "--approve-clean")
    assert code == 0
    return tmp_path / "store"


def versions(store: Path) -> dict[str, int]:
    names = ("schema", "sop", "dataset", "api", "toolspec", "tools", "complexity")
    return {name: len(open_store(store).get_domain("refund").list_versions(name)) for name in names}


def task_ids(store: Path, number: int) -> set[str]:
    files = open_store(store).get_domain("refund").list_versions("dataset")[number].files
    return {json.loads(line)["task_id"] for line in files["tasks.jsonl"].splitlines()}


def test_prose_reaches_the_sop_and_no_rule(store: Path) -> None:
    code, output = said(
        store, "regenerate", "refund", "--context", "Staff wear badges.", "--approve-clean"
    )

    assert code == 0, output
    assert versions(store) == {
        **dict.fromkeys(["schema", "dataset", "api", "toolspec", "tools"], 1),
        "sop": 2,
        "complexity": 2,
    }
    assert (
        "Staff wear badges."
        in open_store(store).get_domain("refund").list_versions("sop")[1].files["sop.txt"]
    )
    assert load_latest_brief(open_store(store).get_domain("refund")).parts.context == (
        "Staff wear badges.",
    )


def test_context_may_be_in_a_file(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("Staff wear\nbadges.\n")

    said(store, "regenerate", "refund", "--context", str(path))

    assert load_latest_brief(open_store(store).get_domain("refund")).parts.context == (
        "Staff wear badges.",
    )


def test_a_file_without_words_is_no_context(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(" \n")

    ran = run("regenerate", "refund", "--context", str(path), "--store", str(store))

    assert (ran.code, ran.err) == (
        2,
        (
            f"context-empty: --context: '{path}' is empty\n  hint: write into the file"
            f" what you want"
            " to add\n"
        ),
    )


def test_a_long_context_in_another_script_is_no_path(store: Path) -> None:
    words = "Сотрудники носят значки. " * 9

    code, output = said(store, "regenerate", "refund", "--context", words)

    assert code == 3, output
    assert load_latest_brief(open_store(store).get_domain("refund")).parts.context == (
        words.strip(),
    )


@pytest.mark.parametrize("name", ["notes/pet.md", "./pets", "pets.txt", "pipe"])
def test_a_file_that_is_not_there_is_no_context(store: Path, tmp_path: Path, name: str) -> None:
    place = {"pipe": str(tmp_path / "pipe"), "./pets": f"{tmp_path}/pets.rst"}.get(name, name)
    if name == "pipe":
        os.mkfifo(place)

    ran = run("regenerate", "refund", "--context", place, "--store", str(store))

    expected = "not-a-file" if name == "pipe" else "context-not-found"
    assert (ran.code, ran.err.partition(":")[0]) == (2, expected)
    assert len(list_kept_versions(open_store(store).get_domain("refund"))) == 1


@pytest.mark.parametrize("words", ["Smile.", "and/or", "Be polite, see notes/pets.md"])
def test_words_are_no_file(store: Path, words: str) -> None:
    assert said(store, "regenerate", "refund", "--context", words)[0] == 3


def test_a_patch_changes_the_rules_and_few_tasks(store: Path, tmp_path: Path) -> None:
    patch = tmp_path / "patch.yaml"
    patch.write_text("policy: {refund_days: {value: 20}}\n")

    code, output = said(
        store, "regenerate", "refund", "--model-patch", str(patch), "--approve-clean"
    )

    assert code == 0, output
    assert (
        "more than 20 and"
        in open_store(store).get_domain("refund").list_versions("sop")[1].files["sop.txt"]
    )
    kept = task_ids(store, 0) & task_ids(store, 1)
    assert len(kept) >= len(task_ids(store, 0)) / 2


def test_without_context_it_goes_on_where_it_waits(store: Path) -> None:
    said(store, "regenerate", "refund", "--context", "Staff wear badges.")
    code, output = said(store, "regenerate", "refund")

    assert code == 3
    assert "sop waits at its gate" in output
    assert "continue: sopforge regenerate refund" in output


def test_the_new_brief_can_be_taken_over(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.yaml"
    said(store, "regenerate", "refund", "--context", "One.", "--out", str(out), "--approve-clean")

    before = versions(store)
    code, _ = said(store, "generate", str(out))

    assert code == 0
    assert versions(store) == before


def test_the_new_brief_keeps_the_comments_of_the_file(store: Path, tmp_path: Path) -> None:
    own, elsewhere = tmp_path / "own.yaml", tmp_path / "elsewhere.yaml"
    own.write_text("# Ours.\n" + REFUND.read_text() + "# The end.\n")

    said(store, "regenerate", "refund", "--context", "Staff wear badges.", "--out", str(elsewhere))
    said(store, "regenerate", "refund", "--out", str(own))

    added = REFUND.read_text() + "context:\n- Staff wear badges.\n"
    assert elsewhere.read_text() == added
    assert own.read_text() == "# Ours.\n" + added + "# The end.\n"


def test_a_file_that_holds_no_brief_is_written_anew(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "brief.yaml"
    out.write_text("[to do")

    said(store, "regenerate", "refund", "--out", str(out))

    assert out.read_text() == REFUND.read_text()


def test_generating_from_the_file_does_not_undo_a_regeneration(store: Path, tmp_path: Path) -> None:
    patch = tmp_path / "patch.yaml"
    patch.write_text("policy: {refund_days: {value: 14}}\n")
    said(store, "regenerate", "refund", "--model-patch", str(patch), "--approve-clean")
    before = versions(store)

    alone = run("generate", str(REFUND), "--store", str(store))
    beside = run("generate", str(REFUND), "briefs/patient_intake.yaml", "--store", str(store))

    for refused in (alone, beside):
        assert refused.code == 2
        assert "refund_days.value: 14 in the store, 30 in the file" in refused.err
    assert versions(store) == before


def test_a_merged_brief_is_gone_on_with_from_the_store(store: Path, tmp_path: Path) -> None:
    own = tmp_path / "refund.yaml"
    own.write_text(REFUND.read_text().replace("value: 200.00", "value: 150.00"))
    said(store, "regenerate", "refund", "--context", "Staff wear badges.")

    code, output = said(store, "generate", str(own), "--merge")

    assert code == 3
    assert f"continue: sopforge continue refund --store {store}" in output
    brief = load_latest_brief(open_store(store).get_domain("refund"))
    assert brief.parts.context == ("Staff wear badges.",)
    assert "value: 150.00" in brief.text


def test_merging_and_replacing_are_two_things(store: Path) -> None:
    code, output = said(store, "generate", str(REFUND), "--merge", "--replace")
    assert code == 2
    assert "one of --merge and --replace" in output
