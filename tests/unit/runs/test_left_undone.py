"""What a command left undone that was killed is done by whoever comes next, and nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief, list_kept_versions
from sopforge.pipeline.briefs.regeneration import regenerate_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.versions import Store
from tests.worlds.quick_builds import settle

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"
PETS, GIFTS = "Pets travel free of charge.", "Gifts are not refunded."


@pytest.fixture(scope="module")
def brief() -> Brief:
    return read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml")


def died_after(store: Store, verdict: DecisionVerdict) -> None:
    """Write a decision of Ada's as a command does that dies before it takes the version away."""
    version = store.get_domain("refund").find_waiting_version()
    assert version is not None
    AuditLog(store.get_domain("refund")).append_decision(
        version, verdict, "ada", DeciderKind.PERSON
    )


@pytest.mark.parametrize(
    "verdict", [item for item in DecisionVerdict if item is not DecisionVerdict.WITHDRAW]
)
def test_what_was_settled_cannot_be_decided_on_though_it_still_waits(
    verdict: DecisionVerdict, store: Store, brief: Brief
) -> None:
    advance(store, brief)
    died_after(store, verdict)
    reason = f"the last decision on schema .* was made by ada: {verdict.replace('_', ' ')}"
    with pytest.raises(StoreError, match=f"nothing-waits: nothing waits at a gate; {reason}"):
        settle(store, "schema", DecisionVerdict.REJECT, by="bob")
    assert store.get_domain("refund").find_waiting() is None
    assert [entry.by for entry in AuditLog(store.get_domain("refund")).list_entries()] == ["ada"]


def test_an_approved_version_is_taken_from_its_gate_by_the_next_run(
    store: Store, brief: Brief
) -> None:
    advance(store, brief, approve_clean=True)
    newest = store.get_domain("refund").list_versions("complexity")[-1]
    store.get_domain("refund").set_waiting(newest)
    advance(store, brief)
    assert store.get_domain("refund").find_waiting() is None


def test_a_release_without_its_record_is_none(store: Store) -> None:
    store.objects.replace("refund/releases/1.0.0/refund/sop.txt", b"half")
    assert store.get_domain("refund").list_releases() == []
    store.get_domain("refund").save_release(
        "1.0.0", {"refund/sop.txt": b"whole"}, {"version": "1.0.0"}
    )
    assert store.get_domain("refund").list_releases() == ["1.0.0"]
    assert store.get_domain("refund").read_release_files("1.0.0") == {"refund/sop.txt": b"whole"}


def contexts(brief: Brief) -> list[str]:
    return list(brief.parts.context)


def test_context_that_is_given_again_is_added_once(store: Store, brief: Brief) -> None:
    keep_brief(store, brief)
    for _ in range(2):
        keep_brief(store, regenerate_brief(store.get_domain("refund"), PETS))
    assert contexts(regenerate_brief(store.get_domain("refund"), PETS)) == [PETS]
    keep_brief(store, regenerate_brief(store.get_domain("refund"), GIFTS))
    assert contexts(regenerate_brief(store.get_domain("refund"), GIFTS)) == [PETS, GIFTS]
    assert contexts(regenerate_brief(store.get_domain("refund"), PETS)) == [PETS, GIFTS, PETS]
    assert len(list_kept_versions(store.get_domain("refund"))) == 3


def test_context_is_added_again_once_an_earlier_brief_came_back(store: Store, brief: Brief) -> None:
    keep_brief(store, brief)
    keep_brief(store, regenerate_brief(store.get_domain("refund"), PETS))
    keep_brief(store, brief)
    assert contexts(regenerate_brief(store.get_domain("refund"), PETS)) == [PETS]


def test_a_patch_that_takes_a_part_away_can_be_repeated(
    store: Store, brief: Brief, tmp_path: Path
) -> None:
    """Applied to its own result it would have nothing to take away."""
    patch = tmp_path / "patch.yaml"
    patch.write_text("procedure: {steps: {refuse: {instruction: null}}}\n", encoding="utf-8")
    keep_brief(store, brief)
    keep_brief(store, regenerate_brief(store.get_domain("refund"), patch=patch))
    again = regenerate_brief(store.get_domain("refund"), patch=patch)
    keep_brief(store, again)
    assert "Tell the customer the reason." not in again.text
    assert list_kept_versions(store.get_domain("refund")) == ["0001", "0002"]
