"""SOP: nothing in it is still to be done."""

from __future__ import annotations

from sopforge.findings import Finding, make_error_finding
from sopforge.workspace import SOP_TEXT, Workspace


class SopFinished:
    """No line of the SOP says that something is missing."""

    name = "sop-finished"
    stage = "sop"

    def examine(self, workspace: Workspace) -> list[Finding]:
        lines = enumerate(workspace.files[SOP_TEXT].splitlines(), start=1)
        return [
            make_error_finding(
                "sop-todo", f"line {number} says TODO", where="sop", hint="finish the draft"
            )
            for number, line in lines
            if "TODO" in line
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        return workspace.with_files({SOP_TEXT: workspace.files[SOP_TEXT] + "TODO: holidays\n"})


CHECK = SopFinished()
