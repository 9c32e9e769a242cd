"""The SOP as agents read it, with what each passage states, and where each rule is stated."""

from __future__ import annotations

from review.artifact import Artifact
from review.pages.page import Page, Query
from review.pages.parts.model_items import KINDS, OTHER, index_model_items
from review.pages.parts.sop_reading import build_blocks, count_marks, group_stated_items
from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.language.domain.rules import Table
from sopforge.workspace import SOP_TEXT, SOP_TRACE


def build_page(artifact: Artifact, query: Query) -> Page:  # noqa: ARG001 - there is one page of it
    """Return the page of an SOP."""
    workspace = artifact.workspace
    document = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
    items = index_model_items(workspace.model)
    rules = [
        items[f"rule {name}.{rule.id}"]
        for name, decision in workspace.model.decisions.items()
        if isinstance(decision, Table)
        for rule in decision.rules
    ]
    shown = build_blocks(document.lines, items)
    found = group_stated_items(document.lines, items, rules)
    ordered = {kind: found[kind] for kind in (*KINDS.values(), OTHER) if kind in found}
    return Page(
        "pages/sop.html.j2",
        {
            "blocks": shown,
            "marks": count_marks(shown),
            "traced": ordered,
            "unstated": [part.item for part in found.get(KINDS["rule"], ()) if not part.passages],
            "signed": [item for item in document.statements if item.signer],
            "words": len(workspace.files[SOP_TEXT].split()),
        },
    )
