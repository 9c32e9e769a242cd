"""A person's edit at a gate: it is checked, waits, and stays through later changes of the brief."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.errors import MaterialError, StoreError
from sopforge.findings import has_errors
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.regeneration import PatchText, change_brief
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.pipeline.stages.editing.edits import with_edits
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, GateState, Opinion
from sopforge.store.log.kept_edits import Edit, keep_edit
from sopforge.store.versions import Store, Version
from tests.worlds.edited_sops import edit_and_sign
from tests.worlds.quick_builds import settle

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


def brief_with(old: str = "", new: str = "") -> Brief:
    text = REFUND.read_text(encoding="utf-8")
    assert old in text
    return read_brief(text.replace(old, new, 1) if old else text, "refund.yaml")


def waits(store: Store, brief: Brief, stage: str) -> Version:
    """Return the version of a stage that waits, all before it approved."""
    while True:
        version = advance(store, brief).version
        if version.manifest.stage == stage:
            return version
        settle(store, version.manifest.stage)


def edited(store: Store, version: Version, old: str, new: str) -> None:
    stage = version.manifest.stage
    file = {"schema": "domain.yaml", "sop": "sop.txt", "tools": "tools.py"}[stage]
    text = version.files[file]
    assert old in text
    edit(
        store.get_domain("refund"),
        stage=stage,
        digest="",
        text=text.replace(old, new, 1),
        by="grace",
    )


def test_an_edited_sop_is_checked_and_waits_under_the_names_of_both(store: Store) -> None:
    version = waits(store, brief_with(), "sop")
    text = version.files["sop.txt"].replace("Take the steps in order", "Follow the steps in order")
    edit_and_sign(store, brief_with(), text, "grace")
    assert AuditLog(store.get_domain("refund")).compute_gate_state(version) is GateState.EDITED

    again = advance(store, brief_with()).version

    assert again.number == 2
    assert again.manifest.author == "offline, edited by grace"
    assert [item.id for item in again.manifest.findings] == ["sop-signed"]
    assert "Follow the steps in order" in again.files["sop.txt"]
    assert "Follow the steps in order" in again.files["sop.md"]
    before, after = (read_sop(v.files["sop.txt"], v.files["trace.json"]) for v in (version, again))
    assert [line.states for line in before.lines] == [line.states for line in after.lines]
    assert len([1 for a, b in zip(before.lines, after.lines, strict=True) if a != b]) == 1


def test_an_edit_that_breaks_a_rule_is_found(store: Store) -> None:
    edited(store, waits(store, brief_with(), "sop"), "more than 30 and", "more than 31 and")

    again = advance(store, brief_with()).version

    codes = {finding.id for finding in again.manifest.findings}
    assert "sop-reads-differently" in codes


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

    assert "more than 20 and" in sop.files["sop.txt"]


def test_an_edit_is_kept_when_the_brief_changes_elsewhere(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    waits(store, brief_with(), "sop")

    sop = waits(store, brief_with("value: 200.00", "value: 250.00"), "sop")

    assert "more than 20 and" in sop.files["sop.txt"]
    assert "more than 250 USD" in sop.files["sop.txt"]


def test_an_edit_that_clashes_with_the_brief_is_reported_with_both(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    waits(store, brief_with(), "sop")

    schema = advance(store, brief_with("value: 30", "value: 40")).version

    assert schema.manifest.stage == "schema"
    (clash,) = [item for item in schema.manifest.findings if item.id == "edit-conflict"]
    assert "grace edited lines" in clash.message
    assert "value: 20" in clash.evidence
    assert "value: 40" in clash.evidence
    assert "value: 40" in schema.files["domain.yaml"]


def test_what_was_changed_and_changed_back_clashes_with_nothing(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    edited(store, waits(store, brief_with(), "schema"), "value: 20", "value: 30")

    schema = advance(store, brief_with("value: 30", "value: 40")).version

    assert schema.manifest.findings == ()
    assert "value: 40" in schema.files["domain.yaml"]


def test_a_clash_is_settled_by_who_edits_the_file_again(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    waits(store, brief_with(), "sop")
    clashing = brief_with("value: 30", "value: 40")
    edited(store, advance(store, clashing).version, "value: 40", "value: 35")

    settled = advance(store, clashing).version

    assert settled.manifest.findings == ()
    assert "value: 35" in settled.files["domain.yaml"]
    again = waits(store, brief_with("value: 30", "value: 45"), "schema")
    (clash,) = [item for item in again.manifest.findings if item.id == "edit-conflict"]
    assert "value: 35" in clash.evidence


def test_who_edits_other_lines_before_a_clash_does_not_settle_it(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    edited(store, waits(store, brief_with(), "schema"), "value: 200.00", "value: 250.00")

    schema = advance(store, brief_with("value: 30", "value: 40")).version

    assert [item.id for item in schema.manifest.findings] == ["edit-conflict"]
    assert "value: 250.00" in schema.files["domain.yaml"]


def test_an_edit_is_kept_when_the_brief_is_patched(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    waits(store, brief_with(), "sop")
    patch = PatchText("policy: {pay_limit: {value: 250.00}}", "patch.yaml")

    schema = waits(store, change_brief(brief_with(), patch=patch), "schema")

    assert [item.id for item in schema.manifest.findings] == []
    assert "value: 20," in schema.files["domain.yaml"]
    assert "value: 250.00," in schema.files["domain.yaml"]
    back = waits(store, brief_with("value: 200.00", "value: 240.00"), "schema")
    assert [item.id for item in back.manifest.findings] == []
    assert "value: 20," in back.files["domain.yaml"]


def test_an_edit_after_the_brief_was_patched_is_kept_when_the_patch_goes(store: Store) -> None:
    patch = PatchText("policy: {pay_limit: {value: 250.00}}", "patch.yaml")
    patched = waits(store, change_brief(brief_with(), patch=patch), "schema")
    edited(store, patched, "value: 30", "value: 20")

    back = waits(store, brief_with(), "schema")

    assert [item.id for item in back.manifest.findings] == []
    assert "value: 20," in back.files["domain.yaml"]
    assert "value: 200.00," in back.files["domain.yaml"]


def test_an_edit_of_lines_that_a_patch_changes_is_reported_and_leaves_the_others(
    store: Store,
) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    edited(store, waits(store, brief_with(), "schema"), "max: 90", "max: 80")
    patch = PatchText("policy: {refund_days: {value: 40}}", "patch.yaml")

    schema = waits(store, change_brief(brief_with(), patch=patch), "schema")

    (clash,) = schema.manifest.findings
    line = next(line for line in REFUND.read_text("utf-8").splitlines() if "refund_days: {" in line)
    was, wrote, says = (line.replace("value: 30", f"value: {days}") for days in (30, 20, 40))
    assert clash.evidence == f"it was:\n{was}\ngrace wrote:\n{wrote}\nnow it says:\n{says}"
    assert "max: 80" in schema.files["domain.yaml"]


MODEL = "a:\n max: 90\nb:\n max: 60\nc: 1\nd: 1\n"


def merged(later: str, *edits: tuple[str, str]) -> tuple[str, list[str]]:
    """Return a later text with edits merged in, and the codes of what could not be merged."""
    made = [("grace", Edit("schema", "domain.yaml", *edit)) for edit in edits]
    files, found = with_edits("schema", {"domain.yaml": later}, made)
    return files["domain.yaml"], [item.id for item in found]


def test_a_clash_is_settled_though_the_lines_of_the_edit_stand_elsewhere_too() -> None:
    ada = MODEL.replace("max: 90", "max: 60")
    later = MODEL.replace("max: 90", "max: 100")
    settling = later.replace("max: 100", "max: 80")

    assert merged(later, (MODEL, ada)) == (later, ["edit-conflict"])
    assert merged(later, (MODEL, ada), (later, settling)) == (settling, [])


def test_lines_that_were_deleted_are_not_given_up_where_the_like_of_the_author_s_stand() -> None:
    ada = MODEL.replace(" max: 90\n", "")
    grown = ada.replace("d: 1", "d: 2")  # the author's d, with what ada did
    bob = grown.replace("c: 1", "c: 2")
    later = MODEL.replace("max: 90", "max: 60").replace("d: 1", "d: 2")

    text, found = merged(later, (MODEL, ada), (grown, bob))

    assert (text, found) == (later.replace("c: 1", "c: 2"), ["edit-conflict"])


def test_an_edit_is_not_given_up_where_the_author_wrote_all_around_it_anew() -> None:
    before = "one\ntwo\nthree\nfour\nfive\n"
    ada = before.replace("one", "ONE")
    grown = ada.replace("three", "Three")  # the author's three, with what ada did
    later = "1, 2\n3\nfour\nfive\n"

    text, found = merged(later, (before, ada), (grown, grown.replace("five", "FIVE")))

    assert (text, found) == ("1, 2\n3\nfour\nFIVE\n", ["edit-conflict"])


def test_a_release_says_by_whom_it_was_edited(store: Store) -> None:
    version = waits(store, brief_with(), "sop")
    text = version.files["sop.txt"].replace("Take the steps in order", "Follow the steps in order")
    edit_and_sign(store, brief_with(), text, "grace")
    advance(store, brief_with())
    settle(store, "sop")
    advance(store, brief_with(), approve_clean=True)
    release = publish(store, brief_with())

    assert json.loads(release.read_text("L0", "provenance.json"))["edited"] == {"sop": ["grace"]}
    for place in release.packages.values():
        assert check_derivation(Path(place)) == []
        assert check_rebuilding(Path(place)) == []


def test_a_release_whose_brief_was_laid_out_anew_is_made_again(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    advance(store, brief_with(), approve_clean=True)
    later = change_brief(brief_with(), "Staff wear badges.")  # in the layout of this program
    advance(store, later, approve_clean=True)

    release = publish(store, later)

    for place in release.packages.values():
        assert check_rebuilding(Path(place)) == []


def test_a_release_whose_model_says_something_else_is_not_made_again(store: Store) -> None:
    advance(store, brief_with(), approve_clean=True)
    package = Path(publish(store, brief_with()).packages["L0"])
    model = package / "grader" / "domain.yaml"
    model.write_text(model.read_text().replace("value: 30", "value: 31"))

    found = {item.where for item in check_rebuilding(package)}

    assert "grader/domain.yaml" in found


def test_a_brief_in_another_order_makes_another_model(store: Store) -> None:
    first = advance(store, brief_with()).version
    text = REFUND.read_text(encoding="utf-8")
    days, limit = (line for line in text.splitlines() if "{value: " in line)
    swapped = text.replace(f"{days}\n{limit}\n", f"{limit}\n{days}\n")

    again = advance(store, read_brief(swapped, "refund.yaml")).version

    assert (first.number, again.number) == (1, 2)
    assert again.files["domain.yaml"].index("pay_limit") < again.files["domain.yaml"].index(
        "refund_days"
    )


def test_edits_on_edits_are_kept_in_their_order(store: Store) -> None:
    edited(store, waits(store, brief_with(), "schema"), "value: 30", "value: 20")
    edited(store, waits(store, brief_with(), "schema"), "value: 20", "value: 25")

    assert "value: 25" in waits(store, brief_with(), "schema").files["domain.yaml"]


@pytest.mark.parametrize(
    ("stage", "text", "code"),
    [
        ("schema", "format: [", "invalid-yaml"),
        ("schema", "# nothing\n", "empty-document"),
        ("dataset", "x", "not-editable"),
        ("toolspec", '[{"toolSpec": {"name": "payRefund"}}]', "edit-unreadable"),
        ("toolspec", "3", "edit-unreadable"),
    ],
)
def test_an_edit_that_cannot_be_read_changes_nothing(
    store: Store, stage: str, text: str, code: str
) -> None:
    version = waits(store, brief_with(), stage)

    with pytest.raises(MaterialError) as caught:
        edit(store.get_domain("refund"), stage=stage, digest="", text=text, by="grace")

    assert code in {fault.code for fault in caught.value.faults}
    assert AuditLog(store.get_domain("refund")).compute_gate_state(version) is GateState.WAITING
    assert not store.objects.list_names("refund/edits")


def test_an_edit_without_a_change_is_refused(store: Store) -> None:
    version = waits(store, brief_with(), "sop")

    with pytest.raises(MaterialError, match=r"your edit does not change sop\.txt"):
        edit(
            store.get_domain("refund"),
            stage="sop",
            digest="",
            text=version.files["sop.txt"],
            by="grace",
        )


def test_an_edit_of_what_does_not_wait_is_refused(store: Store) -> None:
    waits(store, brief_with(), "sop")

    with pytest.raises(StoreError, match="schema is not waiting; sop"):
        edit(store.get_domain("refund"), stage="schema", digest="", text="x", by="grace")
    assert not store.objects.list_names("refund/edits")


@pytest.mark.parametrize("text", ["", " \n\t\n"], ids=["empty", "blank"])
def test_a_text_of_nothing_is_no_edit(store: Store, text: str) -> None:
    waits(store, brief_with(), "sop")

    with pytest.raises(MaterialError) as refused:
        edit(store.get_domain("refund"), stage="sop", digest="", text=text, by="grace")

    (fault,) = refused.value.faults
    assert (fault.code, fault.message) == ("edit-blank", "the edit leaves no text in sop.txt")
    assert AuditLog(store.get_domain("refund")).list_entries()[-1].stage == "schema"


@pytest.mark.parametrize(
    ("stage", "text", "found"),
    [
        ("api", "just text\n", "expected a mapping (name: value), found 'just text'"),
        ("toolspec", '"just text"\n', "expected a list of tools, found 'just text'"),
    ],
    ids=["api", "toolspec"],
)
def test_a_text_of_another_kind_is_refused_at_once(
    store: Store, stage: str, text: str, found: str
) -> None:
    waits(store, brief_with(), stage)

    with pytest.raises(MaterialError) as refused:
        edit(store.get_domain("refund"), stage=stage, digest="", text=text, by="grace")

    (fault,) = refused.value.faults
    assert (fault.code, fault.message) == ("edit-unreadable", f"the file cannot be read: {found}")


def test_a_store_that_kept_an_edit_of_nothing_still_goes_on(store: Store) -> None:
    version = waits(store, brief_with(), "sop")
    change = Edit("sop", "sop.txt", version.files["sop.txt"], "")
    keep_edit(store.get_domain("refund"), change)
    settle(store, "sop", DecisionVerdict.EDIT, by="grace", opinion=Opinion(edit=change.digest))

    again = advance(store, brief_with()).version

    assert again.files["sop.txt"] == ""
    assert has_errors(again.manifest.findings)
