"""SOPs in whose text some words are replaced, as a person edits them, and what is other then."""

from __future__ import annotations

from sopforge.artifacts.rendering.sop.alignment import with_text
from sopforge.artifacts.rendering.sop.forms import FORMS
from sopforge.artifacts.rendering.sop.sop import write_sop
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.checks.sop.differences import Derived, Difference, compare_statements
from sopforge.language.domain.documents.schema import SopForm
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.gates.edit_reading import sign_edit
from sopforge.pipeline.gates.gate import edit, require_waiting_version
from sopforge.pipeline.stages.pipeline import build_workspace, list_approved_versions
from sopforge.store.versions import Store


def derive(model: DomainModel, form: SopForm = "manual") -> Derived:
    """Return the SOP of a model, with what reads it."""
    writer = Writer(model, has_names=FORMS[form].has_definitions)
    return Derived(writer, write_sop(writer, form=form))


def find_edited(derived: Derived, *edits: tuple[str, str]) -> list[Difference]:
    """Return what a text says otherwise once the first of some words are replaced by others."""
    text = derived.document.as_text()
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    stored = with_text(derived.document, text)
    return [x for x in compare_statements(derived, stored.statements) if not x.is_alike]


def edit_and_sign(store: Store, brief: Brief, text: str, by: str) -> None:
    """Edit the SOP that waits, and sign that each line in other words means the same."""
    domain = brief.parts.domain
    version = require_waiting_version(store.get_domain(domain), "sop", "")
    workspace = build_workspace(brief, [*list_approved_versions(store, brief), version])
    signed = sign_edit(workspace, text, by)
    assert signed.unread == ()
    edit(
        store.get_domain(domain), stage="sop", digest="", text=text, by=by, readings=signed.readings
    )
