"""SOP: prose of the model and of its brief may be left out, but not be replaced by other prose."""

from __future__ import annotations

from sopforge.checks.sop.restored_lines import find_replaced_prose, restore_lines
from sopforge.checks.spoiling import edit_text
from sopforge.errors import StoreError
from sopforge.findings import Finding, make_error_finding
from sopforge.rendering.sop.document import read_sop
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace


class KeptProse:
    """A reworded instruction, note or paragraph has the same meaning as the original."""

    name = "kept-prose"
    stage = "sop"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        except StoreError:
            return []  # the check of what is stated says so
        lines = restore_lines(workspace, stored.lines)
        return [_make_finding(text) for text in find_replaced_prose(workspace, lines)]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Turn round when a case may be closed."""
        return edit_text(
            workspace, SOP_TEXT, "only where a step says so", "also where a step says no"
        )


def _make_finding(text: str) -> Finding:
    return make_error_finding(
        "sop-not-stated",
        f"the text no longer says this: {text}",
        where=SOP_TEXT,
        hint="restore it, or add the new wording to the brief under 'draft' or as the step's"
        " 'instruction'",
    )


CHECK = KeptProse()
