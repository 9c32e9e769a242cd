"""A release is taken back without a change to its files, and may be given back."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.store.digests import digest_text
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.yanks import describe_releases, find_yanked_releases, list_yanks_since, yank
from sopforge.store.opening import open_store
from sopforge.store.versions import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = open_store(tmp_path)
    for version in ("1.0.0", "1.1.0", "1.0.0-private.1"):
        opened.get_domain("depot").save_release(version, {}, {"version": version})
    return opened


def refused(store: Store, version: str, *, undo: bool = False) -> str:
    with pytest.raises(StoreError) as caught:
        yank(store.get_domain("depot"), version, by="ada", reason="wrong", undo=undo)
    return caught.value.faults[0].code


def test_a_yank_is_an_entry_of_the_audit_log_about_the_release(store: Store) -> None:
    made = yank(store.get_domain("depot"), "1.0.0", by="ada", reason="Rule R2 is wrong.")

    assert AuditLog(store.get_domain("depot")).list_entries() == [made]
    assert (made.stage, made.key, made.verdict) == ("release", "1.0.0", DecisionVerdict.YANK)
    assert made.content == digest_text('{\n "version": "1.0.0"\n}\n')
    found = find_yanked_releases(store.get_domain("depot"))["1.0.0"]
    assert (found.by, found.reason) == ("ada", "Rule R2 is wrong.")


@pytest.mark.parametrize(
    ("by", "code"),
    [
        ("approve-clean", "policy-name"),
        ("drawn-anew", "policy-name"),
        ("", "decider-name"),
        (" ada", "decider-name"),
        ("ada\nverified", "decider-name"),
        ("a\u200bda", "decider-name"),
        ("\udcff", "decider-name"),
    ],
)
def test_who_yanks_has_a_name_of_a_person_s_own(store: Store, by: str, code: str) -> None:
    with pytest.raises(StoreError) as caught:
        yank(store.get_domain("depot"), "1.0.0", by=by, reason="wrong")

    assert [fault.code for fault in caught.value.faults] == [code]
    assert AuditLog(store.get_domain("depot")).list_entries() == []


def test_a_name_may_have_letters_of_any_script_and_blanks(store: Store) -> None:
    assert (
        yank(store.get_domain("depot"), "1.0.0", by="Ада Лавлейс", reason="wrong").by
        == "Ада Лавлейс"
    )


def test_a_reason_that_is_no_text_is_refused(store: Store) -> None:
    with pytest.raises(StoreError) as caught:
        yank(store.get_domain("depot"), "1.0.0", by="ada", reason="wrong \udcff")

    assert [fault.code for fault in caught.value.faults] == ["words-not-text"]
    assert AuditLog(store.get_domain("depot")).list_entries() == []


def test_a_yank_can_be_undone_and_done_again(store: Store) -> None:
    yank(store.get_domain("depot"), "1.0.0", by="ada", reason="wrong")
    assert refused(store, "1.0.0") == "nothing-to-yank"
    yank(store.get_domain("depot"), "1.0.0", by="grace", reason="", undo=True)
    assert find_yanked_releases(store.get_domain("depot")) == {}
    assert refused(store, "1.0.0", undo=True) == "nothing-to-yank"
    yank(store.get_domain("depot"), "1.0.0", by="ada", reason="wrong after all")
    assert list(find_yanked_releases(store.get_domain("depot"))) == ["1.0.0"]


def test_what_is_no_release_cannot_be_yanked(store: Store) -> None:
    assert refused(store, "9.9.9") == "unknown-release"
    assert AuditLog(store.get_domain("depot")).list_entries() == []


def test_what_was_yanked_after_an_entry_is_listed_once(store: Store) -> None:
    yank(store.get_domain("depot"), "1.0.0", by="ada", reason="wrong")
    head = AuditLog(store.get_domain("depot")).read_head()
    yank(store.get_domain("depot"), "1.1.0", by="ada", reason="worse")
    yank(store.get_domain("depot"), "1.0.0", by="ada", reason="fine", undo=True)

    listed = [
        (item.version, item.is_undone) for item in list_yanks_since(store.get_domain("depot"), head)
    ]

    assert listed == [("1.1.0", False), ("1.0.0", True)]
    assert len(list_yanks_since(store.get_domain("depot"), "")) == 2
    assert (
        list_yanks_since(store.get_domain("depot"), AuditLog(store.get_domain("depot")).read_head())
        == []
    )


def test_releases_are_listed_with_why_they_were_yanked(store: Store) -> None:
    yank(store.get_domain("depot"), "1.0.0", by="ada", reason="wrong")

    assert (
        describe_releases(store.get_domain("depot"))
        == "1.0.0 (yanked: wrong), 1.0.0-private.1, 1.1.0"
    )
