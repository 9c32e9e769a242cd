"""Complexity: what operators did to the text leaves one reading of it, that of the plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sopforge.checks.spoiling import edit_text
from sopforge.checks.variants_keep_answers import STAGE, levels, variant
from sopforge.errors import StoreError
from sopforge.findings import Finding, error
from sopforge.rendering.indirect_limits import resolved
from sopforge.rendering.reminders import REMINDER, untrue_reminders
from sopforge.rendering.sop_document import Line, read_sop
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace


class VariantPassages:
    """Every line of the plain text is there, its limits worked out; reminders are true."""

    name = "variant-passages"
    stage = STAGE

    def examine(self, workspace: Workspace) -> list[Finding]:
        plain = _lines(workspace)
        return [
            finding
            for level in levels(workspace)
            for finding in _of_level(level, plain, variant(workspace, level))
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Take the word back that says of a passage that it only reminds of another."""
        for level in reversed(levels(workspace)):
            for line in _lines(variant(workspace, level)):
                if line.excused == REMINDER:
                    changed = line.text[:-2] + "?" + line.text[-1]
                    return edit_text(workspace, f"{STAGE}/{level}/{SOP_TEXT}", line.text, changed)
        raise ValueError("no level has a reminder")


def _lines(workspace: Workspace) -> tuple[Line, ...]:
    return read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE]).lines


def _of_level(level: str, plain: Iterable[Line], harder: Workspace) -> list[Finding]:
    try:
        lines = _lines(harder)
    except StoreError as cause:
        return [error("sop-trace", str(cause), where=f"{level}, {SOP_TRACE}")]
    missing = Counter(_said(plain)) - Counter(_said(resolved(lines)))
    return [
        *(
            error(
                "variant-line",
                f"the text at {level} does not say what the plain text says",
                where=f"{level}, {SOP_TEXT}",
                evidence=text,
            )
            for text in missing
        ),
        *(
            error(
                "variant-reminder",
                f"a reminder at {level} repeats no line that stands where it says",
                where=f"{level}, {SOP_TEXT}",
                evidence=line.text,
            )
            for line in untrue_reminders(lines)
        ),
    ]


def _said(lines: Iterable[Line]) -> list[str]:
    return [line.text for line in lines]


CHECK = VariantPassages()
