"""What an SOP says of its passages that are no rules, and of answers: nothing to be mistaken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sopforge.checks.sop.brief_prose import find_like_prose, is_same_prose
from sopforge.checks.sop.own_words import find_added_words
from sopforge.checks.words.deciding_words import is_english
from sopforge.domain.documents.schema import ControlDocument
from sopforge.domain.model import DomainModel
from sopforge.findings import (
    Finding,
    make_error_finding,
    make_note_finding,
    make_warning_finding,
)
from sopforge.rendering.sop.added.side_values import find_used_side_values
from sopforge.rendering.sop.added.superseded import (
    SUPERSEDED,
    collect_first_days,
    is_marked_void,
)
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.draft import Draft
from sopforge.rendering.sop.general import FOR_INFORMATION
from sopforge.rendering.sop.sections.control import CONTROL, render_document_head, render_retention
from sopforge.workspace import SOP_TEXT

_OTHER_MEASURES = "a term, a number, a bound, a denial or more than a word differs"
_BETWEEN = re.compile(r"\n\s*\n")
_DEFINITIONS = "definitions"
_NAMES = re.compile(r"[(),]| and | or ")
_REFERENCE = re.compile(r"\bstep \d")
_SAMPLE = re.compile(
    r"</?[A-Za-z_][\w.-]*\s*/?>|\{\s*[\"']|\b(?:answer|decision|result|output):\s*\"", re.IGNORECASE
)


def check_sop_marks(model: DomainModel, lines: Sequence[Line]) -> Iterator[Finding]:
    """Report passages that could be taken for rules, and samples that could be for answers."""
    for line in find_used_side_values(lines, model):
        yield _make_mark_finding(line, "a passage on a side value could decide something")
    is_information, first_days = False, collect_first_days(model)
    for line in lines:
        if line.style is Style.SECTION:
            is_information = False
        is_information = is_information or line.text == FOR_INFORMATION
        if line.excused == SUPERSEDED and not is_marked_void(line.text, first_days):
            yield _make_mark_finding(
                line, "a superseded passage does not say that it is superseded"
            )
        if (
            line.excused == "tangential"
            and not is_information
            and _has_rule_terms(model, line.text)
        ):
            yield _make_mark_finding(line, "a tangential passage reads like a rule")
        if find_sample_answers(line.text):
            yield make_error_finding(
                "sop-sample-answer",
                "a loose reader could take a passage for an answer",
                where=SOP_TEXT,
                evidence=line.text,
                hint="describe the form of the answer in words, without tags, braces or a sample",
            )


def find_sample_answers(text: str) -> list[str]:
    """Return the tags, braces and samples of a text that could pass for an answer."""
    return [found[0] for found in _SAMPLE.finditer(text)]


def check_control_lines(lines: Iterable[Line], control: ControlDocument) -> Iterator[Finding]:
    """Report where the SOP differs from the brief in what it says of itself as a document."""
    said = [line for line in lines if line.excused == CONTROL]
    known = [*render_document_head(control), *render_retention(control)]
    yield from (
        _make_mark_finding(line, "a passage states document data that the brief does not state")
        for line in said
        if not any(_is_same_line(line, other) for other in known)
    )
    for line in known:
        if not any(_is_same_line(line, other) for other in said):
            message = f"the text lacks this line on the document: {line.text}"
            hint = "add the line in these words, or remove it from the brief's 'document'"
            yield make_error_finding("sop-not-stated", message, where=SOP_TEXT, hint=hint)


def _is_same_line(line: Line, other: Line) -> bool:
    return line == other or (
        line.style is other.style is Style.PARAGRAPH and is_same_prose(line.text, other.text)
    )


def find_unused_terms(lines: Sequence[Line]) -> Iterator[Finding]:
    """Warn of terms that a draft defines and that no other passage uses."""
    is_definition = False
    for line in lines:
        if line.style is Style.SECTION:
            is_definition = line.text.lower().endswith(f" {_DEFINITIONS}")
        term, colon, _ = line.text.partition(":")
        if is_definition and line.excused == "draft" and colon and not _is_used(term, line, lines):
            yield make_warning_finding(
                "sop-term-unused",
                f"the draft defines '{term}', but no other passage uses the term",
                where=SOP_TEXT,
                evidence=line.text,
                hint="remove the term from the draft, or use it in the procedure",
            )


def _is_used(term: str, definition: Line, lines: Iterable[Line]) -> bool:
    """Return whether another line has a term or its short form, whatever the ending."""
    names = [name.strip().lower() for name in _NAMES.split(term) if name.strip()]
    stems = [re.escape(name[:-1] if name.endswith(("y", "s")) else name) for name in names]
    used = re.compile(rf"\b(?:{'|'.join(stems)})")
    return any(used.search(line.text.lower()) for line in lines if line is not definition)


def check_draft_passages(
    model: DomainModel, lines: Iterable[Line], prose: Sequence[str]
) -> Iterator[Finding]:
    """Report passages that pass for the brief's own prose, and that the brief does not hold.

    A person may have worded one anew; it says no more than the paragraph in whose place it is.
    """
    known = " ".join(" ".join(prose).replace("**", "").split())
    for line in lines:
        if line.excused == "draft" and " ".join(line.text.split()) not in known:
            more = _find_words_beyond_draft(model, line.text, prose)
            if more:
                message = "a passage is marked as the draft's, but the draft does not contain it"
                hint = "state only what the brief states there, or change the brief"
                yield make_error_finding(
                    "sop-not-marked",
                    f"{message} ({'; '.join(more)})",
                    where=SOP_TEXT,
                    evidence=line.text,
                    hint=hint,
                )


def report_left_out(draft: Draft) -> list[Finding]:
    """Return a note of what a draft says of itself and by its own numbers, if it does."""
    if not draft.left_out:
        return []
    shown = [
        f"{'left out' if item.is_whole else 'without its pointer'}: {item.text}"
        for item in draft.left_out
    ]
    lead = "passage of the draft points" if len(shown) == 1 else "passages of the draft point"
    return [
        make_note_finding(
            "sop-pointers-left-out",
            f"{len(shown)} {lead} to something that the SOP does not have, such as the draft's own"
            " numbers",
            where=SOP_TEXT,
            evidence="\n".join(shown),
            hint="replace each pointer in the draft with the content that it points to",
        )
    ]


def _find_words_beyond_draft(model: DomainModel, text: str, prose: Sequence[str]) -> list[str]:
    """Return what a passage says that the paragraph of the brief most like it does not."""
    if not is_english(" ".join((text, *prose))):
        return ["its words are known in English only"]
    parts = {part for whole in prose for part in (*whole.splitlines(), *_BETWEEN.split(whole))}
    plain = sorted(" ".join(part.replace("**", "").split()) for part in parts)
    term, colon, _ = text.partition(":")
    defined = [part for part in plain if colon and part.startswith(f"{term}:")]
    closest = sorted(defined, key=len)[-1:] or find_like_prose(text, plain)
    if not closest:
        return ["nothing there is like it"]
    if is_same_prose(text, closest[0]):
        return []
    return find_added_words(model, text, closest[0]) or [_OTHER_MEASURES]


def _has_rule_terms(model: DomainModel, text: str) -> bool:
    """Return whether a passage names a tool, a step or a label, as rules do."""
    words = set(re.findall(r"\w+", text))
    return bool(words & set(model.tools)) or '"' in text or _REFERENCE.search(text) is not None


def _make_mark_finding(line: Line, message: str) -> Finding:
    return make_error_finding("sop-not-marked", message, where=SOP_TEXT, evidence=line.text)
