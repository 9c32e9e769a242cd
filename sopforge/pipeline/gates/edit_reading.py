"""Having somebody say what a person wrote in an SOP that the grammar cannot read.

A language model reads it twice, or the person states that it means the same, and signs that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any

from sopforge.artifacts.rendering.sop.document import SIGNED, Statement, Style, read_sop
from sopforge.authors.writers.asking import Asking
from sopforge.authors.writers.asking_together import ask_together
from sopforge.authors.writers.reading.edited_lines import AskedLine, read_edited_lines
from sopforge.checks.sop.differences import (
    Difference,
    StatementChange,
    compare_statements,
    derive_sop,
)
from sopforge.pipeline.stages.editing.edits import build_edit, with_edits
from sopforge.store.log.kept_edits import LineReading
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

STAGE = "edit"
"""Under which calls stand in the ledger."""
_MOST_LIKE = 2
_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})


@dataclass(frozen=True, slots=True)
class OpenLine:
    """A line that nobody vouches for; ``reasons`` show that nobody can, where there are any."""

    text: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EditReading:
    """The statements of an edit that the grammar cannot read: what they are, and which are open."""

    readings: tuple[LineReading, ...]
    unread: tuple[OpenLine, ...]


def read_edit(asking: Asking, workspace: Workspace, text: str, by: str) -> EditReading:
    """Have the statements of an edited SOP read that the grammar cannot read.

    ``workspace`` has the files of the SOP that waits, and of the model.

    Raises:
        MaterialError: nothing was changed, or nobody can read the text.
        ProviderError: there is no answer to be had.
    """
    statements, found = _find_open(workspace, text, by)
    known = read_sop(*(workspace.select_stage_files("sop")[x] for x in ("sop.txt", "trace.json")))
    said = read_edited_lines(
        partial(_ask_all, asking),
        workspace.model,
        build_questions(statements, found, known.statements),
    )
    readings = tuple(LineReading(text, said[text], asking.identity) for text in said)
    lines = [OpenLine(item.stated.text, item.guards) for item in found if item.stated]
    return EditReading(readings, tuple(line for line in lines if line.text not in said))


def sign_edit(
    workspace: Workspace, text: str, by: str, read: Sequence[LineReading] = ()
) -> EditReading:
    """Return the statements that a person states to mean the same as those in whose place they are.

    Those of which figures, labels, relations or denials show that they do not are left open; those
    that a language model ``read`` stay as it read them.

    Raises:
        MaterialError: nothing was changed, or nobody can read the text.
    """
    _, found = _find_open(workspace, text, by)
    known = {item.text for item in read}
    pairs = [
        ((*item.guards, *_list_heading_reasons(item)), item.stated, item.derived)
        for item in found
        if item.stated and item.derived and item.stated.text not in known
    ]
    signed = (
        LineReading(stated.text, derived.text, f"{SIGNED}{by}")
        for guards, stated, derived in pairs
        if not guards
    )
    unread = (OpenLine(stated.text, guards) for guards, stated, _ in pairs if guards)
    return EditReading((*read, *signed), tuple(unread))


def _list_heading_reasons(item: Difference) -> tuple[str, ...]:
    """Return why nobody vouches for a heading: others refer to it by its words."""
    is_heading = item.stated is not None and item.stated.style in _HEADINGS
    return ("a heading is changed in the brief",) if is_heading else ()


def _find_open(
    workspace: Workspace, text: str, by: str
) -> tuple[Sequence[Statement], list[Difference]]:
    """Return the statements of an edited SOP, and those in other words that nobody vouches for."""
    files = workspace.select_stage_files("sop")
    edited: Mapping[str, str] = files
    if text != files["sop.txt"]:
        edited, _ = with_edits("sop", files, [(by, build_edit("sop", files, text))])
    changed = workspace.with_stage("sop", edited)
    statements = read_sop(changed.files[SOP_TEXT], changed.files[SOP_TRACE]).statements
    differences = compare_statements(derive_sop(changed), statements)
    return statements, [
        item
        for item in differences
        if item.kind is StatementChange.CHANGED and not item.is_alike and not item.is_vouched_for
    ]


def build_questions(
    statements: Sequence[Statement], found: Sequence[Difference], known: Sequence[Statement]
) -> list[AskedLine]:
    """Return what is asked about statements of an edited SOP; ``known`` are those before it."""
    headings, heading = dict[str, str](), ""
    for item in statements:
        heading = item.text if item.style in _HEADINGS else heading
        headings.setdefault(item.text, heading)
    return [
        AskedLine(
            item.stated.text,
            headings[item.stated.text],
            (item.derived.text,),
            _find_like(item.stated, item.derived, known),
        )
        for item in found
        if item.stated and item.derived
    ]


def _find_like(item: Statement, meant: Statement, known: Sequence[Statement]) -> tuple[str, ...]:
    """Return statements of the style of one, most like it, that say something not meant."""
    texts = [x.text for x in known if x.style is item.style and x.text != meant.text]
    return tuple(get_close_matches(item.text, dict.fromkeys(texts), n=_MOST_LIKE, cutoff=0))


def _ask_all(
    asking: Asking, questions: Sequence[tuple[str, Mapping[str, object]]]
) -> list[Mapping[str, Any]]:
    return ask_together(partial(asking.ask, stage=STAGE), questions, asking.concurrency)
