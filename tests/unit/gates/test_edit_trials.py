"""An edit that is tried is judged as one that is kept, and leaves no trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates.edit_trials import try_edit
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.stages.editing.edits import require_editable_file
from sopforge.pipeline.stages.pipeline import advance, build_workspace, list_approved_versions
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.versions import Store
from tests.worlds.quick_builds import settle

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


@pytest.fixture
def brief() -> Brief:
    return read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml")


@pytest.mark.parametrize(
    ("stage", "change", "ids"),
    [
        ("schema", ("value: 30", "value: 20"), set()),
        (
            "schema",
            ("value: 30", "value: 95"),
            {"unreachable-rule"},
        ),
        (
            "sop",
            ("more than 30 ", "more than 31 "),
            {"sop-reads-differently"},
        ),
    ],
)
def test_what_is_found_is_what_the_run_finds(
    store: Store, brief: Brief, stage: str, change: tuple[str, str], ids: set[str]
) -> None:
    file = require_editable_file(stage)
    version = advance(store, brief).version
    if stage == "sop":
        settle(store, "schema")
        version = advance(store, brief).version
    before = list_approved_versions(store, brief)
    text = version.files[file].replace(*change, 1)
    assert text != version.files[file]

    tried = try_edit(build_workspace(brief, [*before, version]), stage, text, "ada")
    entries = AuditLog(store.get_domain("refund")).list_entries()
    edit(store.get_domain("refund"), stage=stage, digest="", text=text, by="ada")

    assert len(AuditLog(store.get_domain("refund")).list_entries()) == len(entries) + 1
    assert tried.findings == advance(store, brief).version.manifest.findings
    assert {item.id for item in tried.findings} == ids


def test_a_text_that_is_as_it_was_is_no_edit(store: Store, brief: Brief) -> None:
    version = advance(store, brief).version

    with pytest.raises(MaterialError, match="edit-empty"):
        try_edit(build_workspace(brief, [version]), "schema", version.files["domain.yaml"], "ada")


@pytest.mark.parametrize(
    "words",
    [
        "The request must be left to a supervisor.",
        "You can leave the request to a supervisor.",
        "The supervisor is to leave the request.",
    ],
)
def test_an_instruction_in_other_words_is_not_taken_for_the_same(
    store: Store, brief: Brief, words: str
) -> None:
    advance(store, brief)
    settle(store, "schema")
    version = advance(store, brief).version
    workspace = build_workspace(brief, [*list_approved_versions(store, brief), version])
    text, known = version.files["sop.txt"], "Leave the request to a supervisor."
    assert known in text

    tried = try_edit(workspace, "sop", text.replace(known, words), "ada")

    assert {item.id for item in tried.findings} == {"sop-not-read"}
