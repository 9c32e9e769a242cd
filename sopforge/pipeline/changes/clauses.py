"""Which clause of an SOP states a rule or an edge: its words, and the heading they stand below."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from sopforge.artifacts.rendering.sop.document import SopDocument, Style, read_sop
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

_HEADINGS = {Style.SECTION, Style.STEP}


@dataclass(frozen=True, slots=True)
class Clause:
    """A passage of an SOP, and the heading that it stands below."""

    heading: str
    text: str


def find_clause(document: SopDocument, item: str) -> Clause | None:
    """Return the first passage that states a model item, with the lines that belong to it.

    ``item`` is named as traces name it, such as ``rule fee.F2``; None where no passage does.
    """
    heading = ""
    for states, group in groupby(document.statements, key=lambda known: item in known.states):
        lines = [line for known in group for line in known.lines]
        if states:
            return Clause(heading, " ".join(line.text for line in lines))
        headings = [line.text for line in lines if line.style in _HEADINGS]
        heading = headings[-1] if headings else heading
    return None


def load_sop(side: Workspace, *, is_made: bool) -> SopDocument:
    """Return the SOP of a side; where it has none of its model, what the model derives to."""
    if is_made and SOP_TEXT in side.files:
        return read_sop(side.files[SOP_TEXT], side.files[SOP_TRACE])
    return OfflineAuthor().write_sop(side.model, side.brief)
