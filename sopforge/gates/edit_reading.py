"""Having a language model read what a person wrote in an SOP and no check can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
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
_MOST_LIKE = 2
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
    known = read_sop(files["sop.txt"], files["trace.json"]).lines
    said = read_edited_lines(
        partial(_ask_all, asking), workspace.model, build_questions(lines, open_lines, known)
    )
    readings = tuple(LineReading(text, said[text], asking.identity) for text in said)
    return EditReading(
        readings, tuple(item.line.text for item in open_lines if item.line.text not in said)
    )


def build_questions(
    lines: Sequence[Line], open_lines: Sequence[OpenLine], known: Sequence[Line]
) -> list[AskedLine]:
    """Return what is asked about open lines of an edited SOP; ``known`` are those before it."""
    headings, heading = dict[str, str](), ""
    for line in lines:
        heading = line.text if line.style in _HEADINGS else heading
        headings.setdefault(line.text, heading)
    return [
        AskedLine(
            item.line.text,
            headings[item.line.text],
            meant := tuple(dict.fromkeys(other.text for other in item.meant)),
            _find_like_lines(item.line, meant, known),
        )
        for item in open_lines
    ]


def _find_like_lines(line: Line, meant: Sequence[str], known: Sequence[Line]) -> tuple[str, ...]:
    """Return lines of the style of a line, most like it, that say something else than is meant."""
    texts = [x.text for x in known if x.style is line.style and x.text not in meant]
    return tuple(get_close_matches(line.text, dict.fromkeys(texts), n=_MOST_LIKE, cutoff=0))


def _ask_all(
    asking: Asking, questions: Sequence[tuple[str, Mapping[str, object]]]
) -> list[Mapping[str, Any]]:
    return ask_together(partial(asking.ask, stage=STAGE), questions, asking.concurrency)
