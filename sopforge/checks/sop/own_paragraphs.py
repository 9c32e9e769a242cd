"""SOP: what somebody wrote of their own explains, and decides nothing.

No proof covers such words, so they hold nothing that could be taken for a rule. Numbers, names,
labels, quotations, characters and lengths are looked for in any language, words that bound or
oblige in English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sopforge.artifacts.rendering.sop.document import Statement, Style, read_sop
from sopforge.artifacts.rendering.sop.marks import OWN_WORDS, make_own_paragraph
from sopforge.checks.words.bans import AddedText, check_added_text
from sopforge.checks.words.deciding_words import is_english
from sopforge.errors import StoreError
from sopforge.findings import Finding, make_error_finding, make_note_finding
from sopforge.language.domain.model import DomainModel
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

LONGEST = 600
"""So many characters a paragraph has at most."""
_HEADINGS = frozenset({Style.SECTION, Style.STEP})


class OwnParagraphs:
    """No paragraph that a language model added contains names, numbers or words of a rule."""

    name = "own-words"
    stage = "sop"

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        except StoreError:
            return []  # the check of what is stated says so
        return [
            finding
            for heading, texts in _collect_own(stored.statements)
            for text in texts
            for finding in check_paragraph(workspace.model, text)
        ] + [
            finding
            for heading, texts in _collect_own(stored.statements)
            for finding in (*_find_further(heading, texts), _report(heading, texts))
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Put a paragraph in that frees some cases from the rules."""
        stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        place = [item.style for item in stored.statements].index(Style.SECTION) + 1
        lie = make_own_paragraph("Notices older than a fortnight are always waived.")
        statements = (*stored.statements[:place], lie, *stored.statements[place:])
        spoiled = replace(stored, statements=statements)
        return workspace.with_files({SOP_TEXT: spoiled.as_text(), SOP_TRACE: spoiled.as_trace()})


def check_paragraph(model: DomainModel, text: str) -> Iterator[Finding]:
    """Report what a paragraph of a language model's own says that could be taken for a rule."""
    said = _take_paragraph(model, text)
    return check_added_text(said, "a paragraph of a language model's own", SOP_TEXT)


def find_faults(model: DomainModel, text: str) -> list[str]:
    """Return what in a text of somebody's own could be taken for a rule."""
    return [item.message for item in check_added_text(_take_paragraph(model, text), "it", SOP_TEXT)]


def _take_paragraph(model: DomainModel, text: str) -> AddedText:
    trade = [item.label for item in model.fields.values() if item not in model.outcomes]
    return AddedText(model, text, LONGEST, " ".join(trade))


def _collect_own(statements: Iterable[Statement]) -> list[tuple[str, list[str]]]:
    """Return the headings under which there are own paragraphs, with these."""
    found: dict[str, list[str]] = {}
    heading = "The opening"
    for item in statements:
        if item.style in _HEADINGS:
            heading = item.text
        elif item.excused == OWN_WORDS:
            found.setdefault(heading, []).append(item.text)
    return list(found.items())


def _find_further(heading: str, texts: Sequence[str]) -> Iterator[Finding]:
    """Report further paragraphs under a heading: one for a step, and one for a section."""
    for text in texts[1:]:
        yield make_error_finding(
            "own-words-form",
            f"'{heading}' has more than one paragraph that a language model added",
            where=SOP_TEXT,
            evidence=text,
            hint="keep at most one paragraph after the heading of each section and step",
        )


def _report(heading: str, texts: Sequence[str]) -> Finding:
    """Show reviewers what no proof covers."""
    count = "a paragraph" if len(texts) == 1 else f"{len(texts)} paragraphs"
    message = f"a language model added {count} to '{heading}', which no proof covers"
    if not all(map(is_english, texts)):
        message += "; words that bound or oblige are recognized in English only"
    hint = "check that the text agrees with the rules, because agents read it too"
    return make_note_finding(
        "own-words", message, where=SOP_TEXT, evidence="\n".join(texts), hint=hint
    )


CHECK = OwnParagraphs()
