"""Lines that a person worded anew, put back into the words in which the model's are written.

Only a line that cannot be read as a rule, and says the same by all that it names, compares, ties
together and denies, is put back; any other one stays as it is, and is read for what it says. Where
a language model read such a line, its reading is the line that it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

from sopforge.checks.sop.brief_prose import has_same_sense, is_same_general, is_same_prose
from sopforge.checks.words.loosening_words import is_looser
from sopforge.domain.model import DomainModel
from sopforge.reading.call_words import write_out_check
from sopforge.reading.field_line_words import WELL_FORMED, reword_form
from sopforge.reading.parsed_sop import SopReader
from sopforge.reading.sop_passages import read_parts
from sopforge.reading.statements.comparison import Vocabulary
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.general import list_general_sentences
from sopforge.rendering.sop.meanings import MEANING
from sopforge.rendering.sop.named_conditions import DEFINED
from sopforge.rendering.sop.own_words import OWN_WORDS
from sopforge.rendering.sop.sections.control import CONTROL
from sopforge.rendering.sop.sections.exceptions import collect_refusals
from sopforge.rendering.sop.sop import render_sop
from sopforge.workspace import Workspace

_READ_APART = frozenset({OWN_WORDS, MEANING, CONTROL})
"""What is no statement of the model, or is compared by its bounds and periods alone."""
_FIELDS = ("field ", "term ")
_PROSE = frozenset({Style.PARAGRAPH, Style.BULLET})
_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})


def derive_lines(workspace: Workspace) -> tuple[Line, ...]:
    """Return the lines of the SOP as the model and the brief make it."""
    parts = workspace.brief.parts
    document = render_sop(
        workspace.model,
        workspace.brief.draft,
        parts.additions,
        parts.sop.seed,
        parts.task_context,
        control=parts.document,
        form=parts.sop.form,
    )
    return document.lines


@dataclass(frozen=True, slots=True)
class OpenLine:
    """A line that no check can read, and the derived lines in whose place it may be."""

    line: Line
    meant: tuple[Line, ...]


def list_open_lines(workspace: Workspace, lines: Sequence[Line]) -> list[OpenLine]:
    """Return the lines worded anew that cannot be read, of those in place of derived ones."""
    derived = derive_lines(workspace)
    known, gone = {line.text for line in derived}, _select_gone_lines(derived, lines)
    read = _list_read_texts(workspace.model, lines)
    restored = restore_lines(workspace, lines)
    unread = [
        line
        for line, plain in zip(lines, restored, strict=True)
        if line.text == plain.text and line.text not in known and line.text not in read
    ]
    places = ((line, tuple(item for item in gone if _is_alike(line, item))) for line in unread)
    return [OpenLine(line, meant) for line, meant in places if meant]


def list_gone_lines(workspace: Workspace, lines: Iterable[Line]) -> list[Line]:
    """Return the derived lines that a text has no longer, but for headings."""
    return _select_gone_lines(derive_lines(workspace), lines)


def _select_gone_lines(derived: Iterable[Line], lines: Iterable[Line]) -> list[Line]:
    left, gone = Counter(line.text for line in lines), []
    for line in derived:
        left[line.text] -= 1
        if left[line.text] < 0 and line.style not in _HEADINGS:
            gone.append(line)
    return gone


def restore_lines(workspace: Workspace, lines: Sequence[Line]) -> list[Line]:
    """Return lines with the wording of those that they say the same as and are in place of."""
    derived = derive_lines(workspace)
    known, gone = {line.text for line in derived}, _select_gone_lines(derived, lines)
    if not gone:
        return list(lines)
    names, general = _build_vocabulary(workspace.model), _list_general(workspace.model)
    spell = partial(write_out_check, refusals=collect_refusals(workspace.model))
    read = _list_read_texts(workspace.model, lines)
    return [
        line
        if line.text in known or line.text in read
        else _restore(line, gone, names, general, spell)
        for line in lines
    ]


def _list_read_texts(model: DomainModel, lines: Sequence[Line]) -> set[str]:
    """Return the texts of the lines that are understood as rules, and so are read as they stand."""
    parts = read_parts(lines)
    unread = SopReader(model).read(parts).unread
    passages = [passage for part in parts for passage in part.passages if passage not in unread]
    return {text for passage in passages for text in (passage.text, *passage.items)}


def _restore(
    line: Line,
    gone: Sequence[Line],
    names: Vocabulary,
    general: AbstractSet[str],
    spell: Callable[[str], str],
) -> Line:
    if line.read_as:
        return find_read_line(line, gone) or line
    # The cells of a row have an order, which checks of their own compare.
    if line.style is Style.ROW:
        return line
    # What defines a condition is no statement: its sides may not change places.
    if line.excused in _READ_APART or any(item.startswith(DEFINED) for item in line.states):
        return line
    # What introduces a field, and the parts of a form, are compared by a check of their own.
    is_field = any(item.startswith(_FIELDS) for item in line.states)
    if is_field or WELL_FORMED.search(reword_form(line.text)):
        return line
    meant = (other for other in gone if _is_alike(line, other))
    if _is_prose(line):
        return next((other for other in meant if _is_said(line.text, other.text, general)), line)
    text = spell(line.text)
    same = (other for other in meant if _is_same_in_sense(text, spell(other.text), names))
    return next(same, line)


def _is_same_in_sense(text: str, known: str, names: Vocabulary) -> bool:
    is_alike = has_same_sense(text, known) and not is_looser(text, known)
    return is_alike and names.is_same_statement(text, known)


def find_read_line(line: Line, gone: Iterable[Line]) -> Line | None:
    """Return the derived line that a language model reads a line as, None where there is none.

    A line stands only for one in whose place it is: of the same style, about the same items.
    """
    return next((x for x in gone if x.text == line.read_as and _is_alike(line, x)), None)


def _is_alike(line: Line, other: Line) -> bool:
    """Return whether a line states the same items of the model as another one, in its style."""
    return (line.states, line.excused, line.style) == (other.states, other.excused, other.style)


def find_replaced_prose(workspace: Workspace, lines: Sequence[Line]) -> list[str]:
    """Return the prose in whose place a text says something else.

    A person may leave such a line out, for it decides nothing, but put nothing else there.
    """
    derived = derive_lines(workspace)
    known, kept = {line.text for line in derived}, {line.text for line in lines}
    fresh = [line for line in lines if line.text not in known]
    said = [*(line.text for line in fresh), " ".join(line.text for line in fresh)]
    general = _list_general(workspace.model)
    return [
        line.text
        for line in derived
        if _is_prose(line)
        and line.text not in kept
        and any(_is_alike(other, line) for other in fresh)
        and not any(_is_said(text, line.text, general) for text in said)
    ]


def _is_prose(line: Line) -> bool:
    is_step = all(item.startswith("step ") for item in line.states)
    return line.style in _PROSE and is_step and line.excused in {"", "draft"}


def _is_said(text: str, known: str, general: AbstractSet[str]) -> bool:
    """Return whether a text says what a line of prose says; some of these are general sentences."""
    is_same = is_same_general if known in general else is_same_prose
    return not is_looser(text, known) and is_same(text, known)


def _list_general(model: DomainModel) -> frozenset[str]:
    return frozenset(list_general_sentences(model))


def _build_vocabulary(model: DomainModel) -> Vocabulary:
    return Vocabulary(item.label for item in model.list_introduced_fields().values())
