"""A person's edit at a gate: it is checked, waits, and stays through later changes of the brief."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.domain.reading import Brief, read_brief
from sopforge.errors import MaterialError, StoreError
from sopforge.findings import has_errors
from sopforge.rendering.sop_document import read_sop
from sopforge.stages.deriving import derived_findings
from sopforge.stages.gates import decide, edit
from sopforge.stages.pipeline import advance
from sopforge.stages.publishing import publish
from sopforge.store.decisions import AuditLog, GateState, Verdict
from sopforge.store.opening import open_store
from sopforge.store.versions import Store, Version

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


def brief_with(old: str = "", new: str = "") -> Brief:
    text = REFUND.read_text(encoding="utf-8")
    assert old in text
    return read_brief(text.replace(old, new, 1) if old else text, "refund.yaml")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path)


def waits(store: Store, brief: Brief, stage: str) -> Version:
    """Return the version of a stage that waits, all before it approved."""
    while True:
        version = advance(store, brief).version
        if version.manifest.stage == stage:
            return version
        decide(
            store,
            "refund",
            stage=version.manifest.stage,
            digest="",
            verdict=Verdict.APPROVE,
            by="ada",
        )


def edited(store: Store, version: Version, old: str, new: str) -> None:
    stage = version.manifest.stage
    file = {"schema": "domain.yaml", "sop": "sop.txt", "tools": "tools.py"}[stage]
    text = version.files[file]
    assert old in text
    edit(store, "refund", stage=stage, digest="", text=text.replace(old, new, 1), by="grace")


def test_an_edited_sop_is_checked_and_waits_under_the_names_of_both(store: Store) -> None:
    version = waits(store, brief_with(), "sop")
    edited(store, version, "do not skip a check.", "do not leave out a check.")
    assert AuditLog(store, "refund").state(version) is GateState.EDITED

    again = advance(store, brief_with()).version

    assert again.number == 2
    assert again.manifest.author == "offline, edited by grace"
    assert not has_errors(again.manifest.findings)
    assert "do not leave out a check." in again.files["sop.txt"]
    assert "do not leave out a check." in again.files["sop.md"]
    before, after = (read_sop(v.files["sop.txt"], v.files["trace.json"]) for v in (version, again))
    assert [line.states for line in before.lines] == [line.states for line in after.lines]
    assert len([1 for a, b in zip(before.lines, after.lines, strict=True) if a != b]) == 1


def test_an_edit_that_breaks_a_rule_is_found(store: Store) -> None:
    edited(store, waits(store, brief_with(), "sop"), "more than 30 days", "more than 31 days")

    again = advance(store, brief_with()).version

    codes = {finding.id for finding in again.manifest.findings}
    assert "sop-reads-otherwise" in codes


def test_a_new_line_of_an_edit_states_nothing(store: Store) -> None:
    old = "Query the order system with"
    edited(store, waits(store, brief_with(), "sop"), old, f"Stay calm.\n{old}")

    again = advance(store, brief_with()).version

    sop = read_sop(again.files["sop.txt"], again.files["trace.json"])
    (line,) = [line for line in sop.lines if line.text == "Stay calm."]
    assert (line.states, line.excused) == ((), "")


def test_an_edit_of_the_model_reaches_the_later_stages(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")

    sop = waits(store, brief_with(), "sop")

    assert "more than 20 days" in sop.files["sop.txt"]


def test_an_edit_is_kept_when_the_brief_changes_elsewhere(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    waits(store, brief_with(), "sop")

    sop = waits(store, brief_with("value: 200.00", "value: 250.00"), "sop")

    assert "more than 20 days" in sop.files["sop.txt"]
    assert "more than 250 USD" in sop.files["sop.txt"]


def test_an_edit_that_clashes_with_the_brief_is_told_with_both(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    waits(store, brief_with(), "sop")

    schema = advance(store, brief_with("value: 30", "value: 40")).version

    assert schema.manifest.stage == "schema"
    (clash,) = [item for item in schema.manifest.findings if item.id == "edit-conflict"]
    assert "grace edited lines" in clash.message
    assert "value: 20" in clash.evidence
    assert "value: 40" in clash.evidence
    assert "value: 40" in schema.files["domain.yaml"]


def test_a_release_says_by_whom_it_was_edited(store: Store) -> None:
    version = waits(store, brief_with(), "sop")
    edited(store, version, "do not skip a check.", "do not leave out a check.")
    advance(store, brief_with(), approve_clean=True)
    release = publish(store, brief_with())

    assert json.loads(release.text("L0", "provenance.json"))["edited"] == {"sop": ["grace"]}
    [found] = derived_findings(Path(release.packages["L0"]))
    assert found.id == "not-rebuilt"
    assert "sop by grace" in found.message


def test_edits_on_edits_are_kept_in_their_order(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    edited(store, waits(store, brief_with(), "schema"), "value: 20", "value: 25")

    assert "value: 25" in waits(store, brief_with(), "schema").files["domain.yaml"]


@pytest.mark.parametrize(
    ("stage", "text", "code"),
    [
        ("schema", "format: [", "invalid-yaml"),
        ("schema", "", "empty-document"),
        ("dataset", "x", "not-editable"),
    ],
)
def test_an_edit_that_cannot_be_read_changes_nothing(
    store: Store, stage: str, text: str, code: str
) -> None:
    version = waits(store, brief_with(), stage)

    with pytest.raises(MaterialError) as caught:
        edit(store, "refund", stage=stage, digest="", text=text, by="grace")

    assert code in {fault.code for fault in caught.value.faults}
    assert AuditLog(store, "refund").state(version) is GateState.WAITING
    assert not store.objects.names("refund/edits")


def test_an_edit_without_a_change_is_refused(store: Store) -> None:
    version = waits(store, brief_with(), "sop")

    with pytest.raises(MaterialError, match=r"sop\.txt is as it was"):
        edit(store, "refund", stage="sop", digest="", text=version.files["sop.txt"], by="grace")


def test_an_edit_of_what_does_not_wait_is_refused(store: Store) -> None:
    waits(store, brief_with(), "sop")

    with pytest.raises(StoreError, match="schema does not wait; sop"):
        edit(store, "refund", stage="schema", digest="", text="x", by="grace")
    assert not store.objects.names("refund/edits")
