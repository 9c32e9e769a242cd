"""SOPs with some words of a line replaced, as a person edits them, and the errors of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.model import DomainModel
from sopforge.findings import has_errors
from sopforge.rendering.sop.document import Line


def list_edit_errors(
    model: DomainModel, lines: Sequence[Line], *edits: tuple[str, str]
) -> list[str]:
    """Return the errors of an SOP with words replaced, each in the first line that has them.

    There are none where it has only warnings.
    """
    edited = list(lines)
    for old, new in edits:
        place = next(n for n, line in enumerate(edited) if old in line.text)
        edited[place] = replace(edited[place], text=edited[place].text.replace(old, new))
    found = list(read_back_findings(model, edited))
    return [item.message for item in found] if has_errors(found) else []
