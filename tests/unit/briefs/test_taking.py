"""A brief's file does not undo what changed in the store's brief since."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_changed, load_latest_brief
from sopforge.pipeline.briefs.regeneration import PatchText, change_brief
from sopforge.pipeline.briefs.taking import Newer, take_brief
from sopforge.store.opening import open_store
from sopforge.store.versions import Store

REFUND = (Path(__file__).parents[2] / "briefs" / "refund.yaml").read_text(encoding="utf-8")
DAYS = "refund_days: {value: 30,"
LIMIT = "pay_limit: {value: 200.00,"
TWO_WEEKS = "policy: {refund_days: {value: 14}}"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = open_store(tmp_path / "store")
    take_brief(opened.get_domain("refund"), file())
    return opened


def file(*changes: tuple[str, str], more: str = "") -> Brief:
    text = REFUND
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return read_brief(text + more, "refund.yaml")


def regenerate(store: Store, patch: str = TWO_WEEKS, context: str = "") -> None:
    handed = PatchText(patch, "patch") if patch else None
    keep_changed(
        store.get_domain("refund"),
        lambda: change_brief(load_latest_brief(store.get_domain("refund")), context, handed),
    )


def text_in(store: Store) -> str:
    return load_latest_brief(store.get_domain("refund")).text


def refused(store: Store, brief: Brief, newer: Newer = Newer.REFUSE) -> list[Fault]:
    before = text_in(store)
    with pytest.raises(MaterialError) as caught:
        take_brief(store.get_domain("refund"), brief, newer)
    assert text_in(store) == before
    return list(caught.value.faults)


def test_a_file_that_was_edited_is_taken(store: Store) -> None:
    edited = file((DAYS, "refund_days: {value: 21,"))
    take_brief(store.get_domain("refund"), edited)
    take_brief(store.get_domain("refund"), file())
    assert text_in(store) == REFUND


def test_a_file_without_what_was_regenerated_is_refused_with_the_difference(store: Store) -> None:
    regenerate(store, context="Gifts are not refunded.")

    [fault] = refused(store, file())

    assert (fault.code, fault.where) == ("brief-older", "refund.yaml")
    assert "model.policy.refund_days.value: 14 in the store, 30 in the file" in fault.message
    assert "context: [Gifts are not refunded.] in the store, nothing in the file" in fault.message
    assert f"sopforge continue refund --store {store.place};" in fault.hint
    assert "--merge" in fault.hint
    assert "--replace" in fault.hint


def test_a_file_with_all_that_was_regenerated_is_taken_with_its_own_changes(store: Store) -> None:
    regenerate(store, context="Gifts are not refunded.")
    own = file(
        (DAYS, "refund_days: {value: 14,"),
        (LIMIT, "pay_limit: {value: 150.00,"),
        more="context: [Gifts are not refunded., Coins are.]\n",
    )

    take_brief(store.get_domain("refund"), own)

    assert text_in(store) == own.text


def test_replacing_takes_the_file_as_it_is(store: Store) -> None:
    regenerate(store)
    take_brief(store.get_domain("refund"), file(), Newer.REPLACE)
    assert text_in(store) == REFUND
    take_brief(store.get_domain("refund"), file())


def test_a_merge_has_the_changes_of_both(store: Store) -> None:
    regenerate(store, context="Gifts are not refunded.")

    merged = take_brief(
        store.get_domain("refund"),
        file((LIMIT, "pay_limit: {value: 150.00,"), more="context: [Coins are.]\n"),
        Newer.MERGE,
    )

    assert merged.text == text_in(store)
    assert "refund_days: {value: 14, unit: days" in merged.text
    assert "pay_limit: {value: 150.00, unit: USD" in merged.text
    assert merged.parts.context == ("Gifts are not refunded.", "Coins are.")
    assert merged.text.startswith("# A small domain")


def test_after_a_merge_the_file_still_lacks_what_the_store_has(store: Store) -> None:
    regenerate(store)
    own = file((LIMIT, "pay_limit: {value: 150.00,"))
    merged = take_brief(store.get_domain("refund"), own, Newer.MERGE)

    [fault] = refused(store, own)

    assert "refund_days.value: 14 in the store" in fault.message
    assert "pay_limit" not in fault.message
    assert take_brief(store.get_domain("refund"), own, Newer.MERGE).text == merged.text


def test_what_both_changed_is_refused_where_it_stands(store: Store) -> None:
    regenerate(store)
    own = file((DAYS, "refund_days: {value: 21,"))

    [fault] = refused(store, own, Newer.MERGE)

    line = own.text[: own.text.index("refund_days")].count("\n") + 1
    where = f"refund.yaml:{line}, model.policy.refund_days.value"
    assert (fault.code, fault.where) == ("brief-conflict", where)
    assert "21 in the file, 14 in the store" in fault.message


def test_what_the_store_took_away_is_shown_and_merged(store: Store) -> None:
    more = "guidelines: Few requests are old.\n"
    take_brief(store.get_domain("refund"), file(more=more))
    keep_changed(store.get_domain("refund"), file)

    [fault] = refused(store, file(more=more))
    assert "guidelines: nothing in the store, Few requests are old. in the file" in fault.message
    assert take_brief(store.get_domain("refund"), file(more=more), Newer.MERGE).text == REFUND


def test_comments_are_no_difference(store: Store) -> None:
    regenerate(store)
    same = file((DAYS, "refund_days: {value: 14,"), ("model:", "# The facts.\nmodel:"))
    take_brief(store.get_domain("refund"), same)
    assert text_in(store) == same.text


def test_a_store_that_never_noted_a_file_goes_by_its_first_brief(store: Store) -> None:
    regenerate(store)
    store.objects.delete("refund/given.yaml")
    [fault] = refused(store, file())
    assert fault.code == "brief-older"
