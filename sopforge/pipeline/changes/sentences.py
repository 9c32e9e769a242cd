"""Which sentences of the SOP change with an edit of the model, or of a clause of it."""

from __future__ import annotations

from sopforge.checks.sop.differences import derive_sop
from sopforge.errors import MaterialError
from sopforge.pipeline.changes.texts import TextPassage, compare_passages
from sopforge.workspace import DOMAIN, Workspace


def list_changed_sentences(before: Workspace, after: Workspace) -> tuple[TextPassage, ...]:
    """Return what differs in the SOPs that two models make; nothing where one cannot be read."""
    if before.files[DOMAIN] == after.files[DOMAIN]:
        return ()
    try:
        old, new = (derive_sop(each).document.as_text() for each in (before, after))
    except MaterialError:  # The checks say why.
        return ()
    return compare_passages(old, new)
