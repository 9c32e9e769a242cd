"""Lines of an SOP in the words that they need away from the sentence under which they stand."""

from __future__ import annotations

from dataclasses import replace

from sopforge.domain.model import DomainModel
from sopforge.domain.rules import HitPolicy, Table
from sopforge.rendering.sop.document import Line, SopDocument, Style
from sopforge.rendering.sop.frames import name_answer


def complete_line(line: Line, model: DomainModel) -> Line:
    """Return a line as it reads alone: a rule that gives its value alone names its field.

    A rule that is counted or added up has another sentence, in which its value is no result.
    """
    target = _find_target(line)
    table = model.decisions.get(target)
    is_result = isinstance(table, Table) and table.hit is not HitPolicy.COLLECT
    if line.style is not Style.BULLET or not is_result:
        return line
    return replace(line, text=name_answer(line.text, model.fields[target].label))


def complete_lines(document: SopDocument, model: DomainModel) -> SopDocument:
    """Return an SOP whose lines can be quoted, each as it reads alone."""
    return SopDocument(tuple(complete_line(line, model) for line in document.lines))


def _find_target(line: Line) -> str:
    """Return the field that a line of a rule decides, "" for another line."""
    kind, _, name = line.states[0].partition(" ") if line.states else ("", "", "")
    return name.partition(".")[0] if kind == "rule" else ""
