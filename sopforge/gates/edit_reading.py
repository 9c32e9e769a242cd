"""Having a language model read what a person wrote in an SOP and no check can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sopforge.authors.asking import Asking
from sopforge.authors.asking_together import ask_together
from sopforge.authors.reading.edited_lines import AskedLine, read_edited_lines
from sopforge.checks.sop.restored_lines import OpenLine, list_open_lines
from sopforge.rendering.sop.document import Line, Style, read_sop
from sopforge.stages.editing.edits import build_edit, with_edits
from sopforge.store.log.kept_edits import LineReading
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

STAGE = "edit"
"""Under which calls stand in the ledger."""
_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})


@dataclass(frozen=True, slots=True)
class EditReading:
    """The lines of an edit that no check can read: what they were read as, and which were not."""

    readings: tuple[LineReading, ...]
    unread: tuple[str, ...]


def read_edit(asking: Asking, workspace: Workspace, text: str, by: str) -> EditReading:
    """Have the lines of an edited SOP read that no check can read.

    ``workspace`` has the files of the SOP that waits, and of the model.

    Raises:
        MaterialError: nothing was changed, or nobody can read the text.
        ProviderError: there is no answer to be had.
    """
    files = workspace.select_stage_files("sop")
    edited, _ = with_edits("sop", files, [(by, build_edit("sop", files, text))])
    changed = workspace.with_stage("sop", edited)
    lines = read_sop(changed.files[SOP_TEXT], changed.files[SOP_TRACE]).lines
    open_lines = list_open_lines(changed, lines)
    said = read_edited_lines(
        partial(_ask_all, asking), workspace.model, _build_questions(lines, open_lines)
    )
    readings = tuple(LineReading(text, said[text], asking.identity) for text in said)
    return EditReading(
        readings, tuple(item.line.text for item in open_lines if item.line.text not in said)
    )


def _build_questions(lines: Sequence[Line], open_lines: Sequence[OpenLine]) -> list[AskedLine]:
    headings, heading = dict[str, str](), ""
    for line in lines:
        heading = line.text if line.style in _HEADINGS else heading
        headings.setdefault(line.text, heading)
    return [
        AskedLine(
            item.line.text, headings[item.line.text], tuple(other.text for other in item.meant)
        )
        for item in open_lines
    ]


def _ask_all(
    asking: Asking, questions: Sequence[tuple[str, Mapping[str, object]]]
) -> list[Mapping[str, Any]]:
    return ask_together(partial(asking.ask, stage=STAGE), questions, asking.concurrency)
