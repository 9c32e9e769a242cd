"""SOP: what a language model read in a person's words is a line of the SOP that is made anew.

Such a reading is no proof. It is shown to whoever approves, beside the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sopforge.checks.sop.restored_lines import find_read_line, list_gone_lines
from sopforge.errors import StoreError
from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.rendering.sop.document import Line, SopDocument, read_sop
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace


class ModelReadings:
    """Each edited line that a language model read as a generated line replaces that line."""

    name = "model-readings"
    stage = "sop"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            lines = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE]).lines
        except StoreError:
            return []  # the check of what is stated says so
        read = [line for line in lines if line.read_as]
        if not read:
            return []
        gone = list_gone_lines(workspace, lines)
        unfit = [line for line in read if find_read_line(line, gone) is None]
        fitting = [line for line in read if line not in unfit]
        return [*map(_make_unfit_finding, unfit), *_report_readings(fitting)]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Have a line read as one that there is not."""
        document = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        wrong = replace(document.lines[-1], read_as="Close every case at once.", read_by="nobody")
        spoiled = SopDocument((*document.lines[:-1], wrong))
        return workspace.with_files({SOP_TRACE: spoiled.as_trace()})


def _make_unfit_finding(line: Line) -> Finding:
    return make_error_finding(
        "reading-unfit",
        f"'{line.text}' was read as another line of the SOP",
        where=SOP_TEXT,
        evidence=line.read_as,
        hint="edit the line again with --reader, or restore its former words",
    )


def _report_readings(lines: Sequence[Line]) -> list[Finding]:
    """Return what reviewers have to compare: no check read these lines."""
    if not lines:
        return []
    by = " and ".join(dict.fromkeys(line.read_by for line in lines))
    count = "1 line was" if len(lines) == 1 else f"{len(lines)} lines were"
    message = f"{count} read by a language model ({by}), not by a check"
    shown = [f"it says: {line.text}\nread as: {line.read_as}" for line in lines]
    hint = "compare each line with the line that it was read as"
    return [Finding("model-readings", Severity.NOTE, message, SOP_TEXT, "\n".join(shown), hint)]


CHECK = ModelReadings()
