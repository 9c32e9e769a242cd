from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from sopforge.errors import MaterialError, StoreError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import (
    keep_brief,
    keep_changed,
    list_kept_versions,
    load_brief,
    load_latest_brief,
)
from sopforge.pipeline.briefs.regeneration import change_brief, regenerate_brief
from sopforge.store.digests import digest_text
from sopforge.store.opening import open_store

REFUND = (Path(__file__).parents[2] / "briefs" / "refund.yaml").read_text(encoding="utf-8")
WITH_DRAFT = REFUND + "draft_sop: drafts/refund.md\n"


def write(folder: Path, text: str, draft: str | None = None) -> Path:
    path = folder / "refund.yaml"
    path.write_text(text, encoding="utf-8")
    if draft is not None:
        (folder / "drafts").mkdir()
        (folder / "drafts" / "refund.md").write_text(draft, encoding="utf-8")
    return path


def code_of(path: Path) -> str:
    with pytest.raises(MaterialError) as caught:
        load_brief(path)
    [fault] = caught.value.faults
    return fault.code


def test_a_draft_is_looked_for_from_the_folder_of_the_brief(tmp_path: Path) -> None:
    brief = load_brief(write(tmp_path, WITH_DRAFT, "# Purpose\n"))
    assert brief.draft == "# Purpose\n"


def test_a_brief_that_names_no_draft_has_an_empty_one(tmp_path: Path) -> None:
    assert load_brief(write(tmp_path, REFUND)).draft == ""


def test_a_missing_brief_is_reported_with_the_nearest_name(tmp_path: Path) -> None:
    write(tmp_path, REFUND)
    with pytest.raises(MaterialError) as caught:
        load_brief(tmp_path / "refnd.yaml")
    [fault] = caught.value.faults
    assert (fault.code, fault.hint) == ("brief-not-found", "did you mean 'refund.yaml'?")


def test_a_missing_draft_is_reported_at_its_line_of_the_brief(tmp_path: Path) -> None:
    path = write(tmp_path, WITH_DRAFT)
    with pytest.raises(MaterialError) as caught:
        load_brief(path)
    [fault] = caught.value.faults
    line = len(WITH_DRAFT.splitlines())
    assert (fault.code, fault.where) == ("draft-not-found", f"{path}:{line}, draft_sop")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert code_of(tmp_path) == "not-a-file"


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "brief.yaml"
    path.write_bytes("title: Rückgabe\n".encode("latin-1"))
    assert code_of(path) == "not-utf-8"


def test_a_kept_brief_is_the_brief_with_its_draft(tmp_path: Path) -> None:
    brief = load_brief(write(tmp_path, WITH_DRAFT, "# Purpose\n"))
    store = open_store(tmp_path / "store")
    keep_brief(store, brief)
    kept = load_latest_brief(store.get_domain("refund"))
    assert (kept.text, kept.draft) == (brief.text, brief.draft)


def test_a_domain_that_was_never_generated_has_no_kept_brief(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        load_latest_brief(open_store(tmp_path).get_domain("refund"))


def test_a_draft_outside_of_the_briefs_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "secret.md").write_text("not to be published")
    brief = tmp_path / "inner" / "brief.yaml"
    brief.write_text(REFUND + "\ndraft_sop: ../secret.md\n")
    with pytest.raises(MaterialError, match="draft-outside"):
        load_brief(brief)


@pytest.mark.parametrize("to", ["../../secret.md", "own.md"])
def test_a_draft_that_is_a_link_is_refused_wherever_it_leads(tmp_path: Path, to: str) -> None:
    (tmp_path / "secret.md").write_text("not to be published")
    (tmp_path / "inner").mkdir()
    path = write(tmp_path / "inner", WITH_DRAFT, "# Purpose\n")
    draft = path.parent / "drafts" / "refund.md"
    draft.rename(draft.with_name("own.md"))
    draft.symlink_to(to)
    assert code_of(path) == "not-a-file"


def test_a_draft_in_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, WITH_DRAFT, "# Purpose\n")
    (tmp_path / "drafts").rename(tmp_path / "real")
    (tmp_path / "drafts").symlink_to("real")
    assert code_of(path) == "not-a-file"


def test_a_brief_that_is_a_link_is_the_one_that_was_named(tmp_path: Path) -> None:
    write(tmp_path, REFUND)
    (tmp_path / "latest.yaml").symlink_to("refund.yaml")
    assert load_brief(tmp_path / "latest.yaml").text == REFUND


@pytest.mark.parametrize("name", [".", "drafts", "drafts/.."])
def test_a_folder_in_the_place_of_a_draft_is_refused(tmp_path: Path, name: str) -> None:
    assert code_of(write(tmp_path, f"{REFUND}draft_sop: {name}\n", "")) == "not-a-file"


@pytest.mark.parametrize("name", ["refund.yaml", "drafts/refund.md"])
def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, WITH_DRAFT, "# Purpose\n")
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    assert code_of(path) == "not-a-file"


def test_a_file_with_a_hole_in_it_is_refused_unread(tmp_path: Path) -> None:
    path = write(tmp_path, REFUND)
    with path.open("ab") as file:
        file.truncate(3_000_000_000)
    assert code_of(path) == "file-too-large"


def test_a_brief_that_is_kept_takes_the_place_of_none_that_was_added_meanwhile(
    tmp_path: Path,
) -> None:
    store = open_store(tmp_path)
    first = keep_brief(store, read_brief(REFUND, "refund.yaml"))
    read = load_latest_brief(store.get_domain("refund"))
    added = keep_brief(store, change_brief(read, "Pets travel free of charge."))

    assert (first, added) == (1, 2)
    assert keep_brief(store, read) == 1
    assert "Pets travel free of charge." in load_latest_brief(store.get_domain("refund")).text


def test_an_earlier_brief_that_is_given_anew_is_the_newest_again(tmp_path: Path) -> None:
    store, given = open_store(tmp_path), read_brief(REFUND, "refund.yaml")
    keep_brief(store, given)
    keep_brief(store, change_brief(given, "Pets travel free of charge."))

    assert keep_brief(store, given) == 3
    assert load_latest_brief(store.get_domain("refund")).text == REFUND


def test_what_is_added_while_a_brief_is_changed_is_not_lost(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    keep_brief(store, read_brief(REFUND, "refund.yaml"))
    added: list[str] = []

    def add(context: str) -> None:
        keep_changed(
            store.get_domain("refund"),
            lambda: regenerate_brief(store.get_domain("refund"), context),
        )
        added.append(context)

    other = Thread(target=add, args=["Pets travel free of charge."])

    def changed() -> Brief:
        brief = regenerate_brief(store.get_domain("refund"), "Gifts are not refunded.")
        other.start()
        other.join(0.5)
        assert added == []
        return brief

    kept = keep_changed(store.get_domain("refund"), changed)
    other.join()

    assert (kept.kept, kept.parts.context) == (2, ("Gifts are not refunded.",))
    assert load_latest_brief(store.get_domain("refund")).parts.context == (
        "Gifts are not refunded.",
        "Pets travel free of charge.",
    )


def test_a_change_that_changes_nothing_keeps_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    keep_brief(store, read_brief(REFUND, "refund.yaml"))
    keep_changed(store.get_domain("refund"), lambda: load_latest_brief(store.get_domain("refund")))
    assert list_kept_versions(store.get_domain("refund")) == ["0001"]


def test_of_two_additions_to_one_brief_the_second_is_refused(tmp_path: Path) -> None:
    store, given = open_store(tmp_path), read_brief(REFUND, "refund.yaml")
    keep_brief(store, given)
    base = digest_text(REFUND)
    keep_brief(store, change_brief(given, "Pets travel free of charge."), base)

    with pytest.raises(StoreError, match="brief-changed"):
        keep_brief(store, change_brief(given, "Gifts are not refunded."), base)
    assert "Gifts" not in load_latest_brief(store.get_domain("refund")).text


def test_a_change_of_no_domain_writes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "elsewhere")

    with pytest.raises(StoreError, match="unknown-domain"):
        keep_changed(
            store.get_domain("refund"), lambda: load_latest_brief(store.get_domain("refund"))
        )

    assert not (tmp_path / "elsewhere").exists()
