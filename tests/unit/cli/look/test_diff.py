"""``sopforge diff``: which versions it compares, what it prints, and how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.cli.screens.changes_output import render_words
from sopforge.errors import SopForgeError
from sopforge.findings import has_errors
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.changes.texts import compare_words
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.worlds.changed_briefs import LONGER, OTHER_WORDS, REFUND
from tests.worlds.quick_builds import settle
from tests.worlds.small_models import changed

LIMIT = "days after delivery in which a refund may be asked for"


def make(place: Path, *changes: tuple[str, str], approve: bool = True, out: bool = False) -> None:
    store, brief = open_store(place), read_brief(changed(REFUND, *changes), "brief.yaml")
    advance(store, brief, approve_clean=approve)
    if out:
        publish(store, brief)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a release, and nothing after it."""
    place = tmp_path_factory.mktemp("store")
    make(place, out=True)
    return place


@pytest.fixture(scope="module")
def longer(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the same with a threshold moved after the release."""
    place = Path(shutil.copytree(released, tmp_path_factory.mktemp("longer") / "store"))
    make(place, LONGER)
    return place


def diff(place: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["diff", "refund", *arguments, "--store", str(place)])
    if isinstance(done.exception, SopForgeError):
        raise done.exception
    return done.exit_code, done.output


def fault(place: Path, *arguments: str) -> tuple[str, str, str]:
    with pytest.raises(SopForgeError) as caught:
        diff(place, *arguments)
    [found] = caught.value.faults
    return found.code, found.message, found.hint


def test_nothing_changed_where_each_stage_has_one_version(released: Path) -> None:
    code, output = diff(released)
    assert code == 0
    assert "refund schema: version 1, unchanged\n" in output
    assert output.endswith("Nothing changed.\n")


def test_the_newest_is_held_against_what_was_approved_before(longer: Path) -> None:
    code, output = diff(longer)
    assert code == 1
    assert "refund schema: version 2 compared with 1\n" in output
    assert f'  ~ policy constant "{LIMIT}": value [-30-]{{+32+}} days\n' in output
    assert "Some cases are decided differently." in output
    assert "\nNext release: major\n" in output


def test_what_waits_is_held_against_the_newest_release(longer: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(longer, tmp_path / "store"))
    make(place, ("value: 30,", "value: 34,"), approve=False)
    make(place, ("value: 30,", "value: 35,"), approve=False)
    _, output = diff(place, "schema")
    assert "refund schema: version 4 compared with 1\n" in output
    assert "value [-30-]{+35+} days" in output


def test_the_next_release_is_shown_before_its_tasks_are_made_as_it_is_numbered_then(
    released: Path, tmp_path: Path
) -> None:
    place = Path(shutil.copytree(released, tmp_path / "store"))
    make(place, LONGER, approve=False)
    _, output = diff(place)
    assert "\nNext release, judged by the stages up to schema: major\n" in output
    make(place, LONGER, out=True)
    assert open_store(place).get_domain("refund").list_releases() == ["1.0.0", "2.0.0"]


def test_what_a_part_of_the_stages_says_of_the_next_release_is_the_least(
    released: Path, tmp_path: Path
) -> None:
    place = Path(shutil.copytree(released, tmp_path / "store"))
    make(place, OTHER_WORDS, approve=False)
    assert "\nNext release, judged by the stages up to sop: at least patch\n" in diff(place)[1]


def test_an_edit_that_the_checks_refused_is_not_the_old_text(tmp_path: Path) -> None:
    place = tmp_path / "store"
    make(place, approve=False)
    store, brief = open_store(place), read_brief(REFUND, "brief.yaml")
    settle(store, "schema")
    advance(store, brief)
    text = store.get_domain("refund").list_versions("sop")[-1].files["sop.txt"]
    for old, new in (
        ("more than 30 and", "more than 33 and"),
        ("Decide on refund", "Decide  on refund"),
    ):
        edit(
            store.get_domain("refund"),
            stage="sop",
            digest="",
            text=text.replace(old, new),
            by="ada",
        )
        advance(store, brief)
    first, refused, last = store.get_domain("refund").list_versions("sop")
    assert [has_errors(item.manifest.findings) for item in (first, refused, last)] == [
        *(False, True, False)
    ]
    _, output = diff(place, "sop")
    assert "refund sop: version 3 compared with 1\n" in output
    assert "33" not in output


def test_a_stage_made_from_what_is_new_is_new(tmp_path: Path) -> None:
    make(tmp_path, approve=False)
    make(tmp_path, LONGER)
    _, output = diff(tmp_path)
    assert "refund schema: version 2 compared with 1\n" in output
    assert "refund sop: version 1, with no earlier version\n" in output
    assert "+ sop/sop.md is new." in output


def test_a_stage_is_read_word_by_word(longer: Path) -> None:
    code, output = diff(longer, "sop")
    assert code == 1
    assert "more than [-30-]{+32+} and" in output
    assert "\nsop/sop.txt: same as sop/sop.md\n" in output
    assert output.count("{+32+}") == 2, "in the rule, and beside what the limit means"
    assert "Next release, judged by this stage alone: at least patch" in output


def test_a_patch_of_the_model_is_one_passage_of_its_file(released: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(released, tmp_path / "store"))
    patch = tmp_path / "patch.yaml"
    patch.write_text("policy: {refund_days: {value: 20}}\n", encoding="utf-8")
    command = ["regenerate", "refund", "--model-patch", str(patch)]
    CliRunner().invoke(app, [*command, "--store", str(place)])

    _, output = diff(place, "schema")
    _, whole = diff(place)

    later = "unchanged, from before the last change: looked at again after the schema"
    assert f"refund sop: version 1, {later}\n" in whole
    assert output.count("[-30-]{+20+}") == 2  # of the limit, and of the passage


def test_versions_can_be_turned_round(longer: Path) -> None:
    code, output = diff(longer, "schema", "--from", "2", "--to", "1")
    assert code == 1
    assert "value [-32-]{+30+} days" in output


def test_a_version_has_no_changes_against_itself(longer: Path) -> None:
    assert diff(longer, "schema", "--from", "2", "--to", "2")[0] == 0


def test_a_release_can_be_named(longer: Path) -> None:
    assert diff(longer, "--from", "1.0.0", "--to", "1.0.0")[0] == 0
    code, output = diff(longer, "--from", "1.0.0")
    assert code == 1
    assert "refund complexity: version 2 compared with 1\n" in output


def test_changes_are_printed_as_json(longer: Path) -> None:
    code, output = diff(longer, "--json")
    record = json.loads(output)
    assert code == 1
    assert (record["domain"], record["bump"]) == ("refund", "major")
    assert record["versions"]["schema"] == {"from": 1, "to": 2}
    assert record["cases"]["examples"][0]["case"]["days_since_delivery"] == "31"


def test_before_a_release_the_first_one_is_shown(tmp_path: Path) -> None:
    make(tmp_path, approve=False)
    make(tmp_path, LONGER, approve=False)
    code, output = diff(tmp_path)
    assert code == 1
    assert "\nThe first release will be 1.0.0.\n" in output
    assert "Next release" not in output
    assert "\nThe first release will be 1.0.0.\n" in diff(tmp_path, "schema")[1]
    assert json.loads(diff(tmp_path, "--json")[1])["bump"] == "first"


def test_what_is_released_already_is_reported_as_released(longer: Path, tmp_path: Path) -> None:
    assert json.loads(diff(longer, "--json")[1])["released_as"] is None
    place = Path(shutil.copytree(longer, tmp_path / "store"))
    make(place, LONGER, out=True)

    code, output = diff(place)

    assert code == 1
    assert "All these changes are in release 2.0.0." in output
    assert "Next release" not in output
    assert json.loads(diff(place, "--json")[1])["released_as"] == "2.0.0"
    assert "Next release, judged by this stage alone: at least minor" in diff(place, "schema")[1]


def test_reworded_texts_are_counted_where_all_stages_are_read(
    released: Path, tmp_path: Path
) -> None:
    place = Path(shutil.copytree(released, tmp_path / "store"))
    make(place, OTHER_WORDS)
    code, output = diff(place)
    assert code == 1
    assert "refund dataset: version 1, unchanged\n" in output
    assert "Next release: patch\n" in output
    assert "Show the changed text with: sopforge diff refund sop --store " in output


def test_an_unknown_stage_is_reported_with_the_nearest(longer: Path) -> None:
    assert fault(longer, "shema") == (
        "unknown-stage",
        (
            "there is no stage 'shema'; stages are schema, sop, dataset, api, toolspec, tools,"
            " complexity"
        ),
        "did you mean 'schema'?",
    )


@pytest.mark.parametrize("number", ["3", "0", "-1", "x"])
def test_an_unknown_version_is_reported_with_those_that_there_are(
    longer: Path, number: str
) -> None:
    code, message, _ = fault(longer, "schema", f"--from={number}")
    assert code == "unknown-version"
    assert message == f"'refund' has no version '{number}' of schema; it has: 1, 2"


def test_a_version_without_its_stage_is_reported(longer: Path) -> None:
    assert fault(longer, "--to", "2") == (
        "stage-not-named",
        "'2' names no release, and versions are numbered stage by stage",
        f"name the stage as well: sopforge diff refund schema --to 2 --store {longer}",
    )


def test_an_unknown_release_is_reported_with_those_that_there_are(longer: Path) -> None:
    code, message, _ = fault(longer, "--from", "3.0.0")
    assert (code, message) == (
        "unknown-release",
        "'refund' has no release 3.0.0; its releases are 1.0.0",
    )


def test_a_release_whose_versions_are_gone_is_reported(longer: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(longer, tmp_path / "store"))
    shutil.rmtree(place / "refund" / "stages" / "sop" / "0001")
    code, message, _ = fault(place, "--from", "1.0.0")
    assert (code, message) == (
        "release-source-gone",
        "the sop of release 1.0.0 is no longer in the store as it was",
    )


def test_a_terminal_gets_colours_in_the_place_of_marks() -> None:
    words = compare_words("at most 30 days", "at most 31 days")
    assert render_words(words, has_colours=False).plain == "at most [-30-]{+31+} days"
    screen = Console(force_terminal=True, color_system="standard", width=80)
    with screen.capture() as caught:
        screen.print(render_words(words, has_colours=True))
    assert caught.get() == "at most \x1b[9;31m30\x1b[0m\x1b[32m31\x1b[0m days\n"


def test_control_characters_of_a_text_do_not_reach_the_terminal() -> None:
    words = compare_words("safe", "\x1b]0;owned\x07")
    assert "\x1b" not in render_words(words, has_colours=False).plain
