"""What an SOP says of its passages that are no rules, and of answers: nothing to be mistaken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sopforge.domain.model import DomainModel
from sopforge.findings import Finding, error
from sopforge.rendering.sop_document import Line, Style
from sopforge.rendering.sop_general import FOR_INFORMATION
from sopforge.workspace import SOP_TEXT

_SUPERSEDED = "superseded"
_REFERENCE = re.compile(r"\bstep \d")
_SAMPLE = re.compile(
    r"</?[A-Za-z_][\w.-]*\s*/?>|\{\s*[\"']|\b(?:answer|decision|result|output):\s*\"", re.IGNORECASE
)


def sop_mark_findings(model: DomainModel, lines: Iterable[Line]) -> Iterator[Finding]:
    """Report passages that could be taken for rules, and samples that could be for answers."""
    is_information = False
    for line in lines:
        if line.style is Style.SECTION:
            is_information = False
        is_information = is_information or line.text == FOR_INFORMATION
        if line.excused == _SUPERSEDED and _SUPERSEDED not in line.text:
            yield _unmarked(line, "a superseded passage does not say that it is superseded")
        if line.excused == "tangential" and not is_information and _tells(model, line.text):
            yield _unmarked(line, "a tangential passage speaks as a rule does")
        if _SAMPLE.search(line.text):
            yield error(
                "sop-sample-answer",
                "a loose reader could take a passage for an answer",
                where=SOP_TEXT,
                evidence=line.text,
                hint="name the form of the answer in words, without tags, braces or a sample",
            )


def draft_findings(lines: Iterable[Line], prose: Iterable[str]) -> Iterator[Finding]:
    """Report passages that pass for the brief's own prose, and that the brief does not hold."""
    known = " ".join(" ".join(prose).replace("**", "").split())
    for line in lines:
        if line.excused == "draft" and " ".join(line.text.split()) not in known:
            yield _unmarked(
                line, "a passage passes for the draft's, and the draft does not hold it"
            )


def _tells(model: DomainModel, text: str) -> bool:
    """Tell whether a passage names a tool, a step or a label, as rules do."""
    words = set(re.findall(r"\w+", text))
    return bool(words & set(model.tools)) or '"' in text or _REFERENCE.search(text) is not None


def _unmarked(line: Line, message: str) -> Finding:
    return error("sop-not-marked", message, where=SOP_TEXT, evidence=line.text)
