"""SOP: what a language model wrote of its own explains, and decides nothing.

No proof covers such words, so they hold nothing that could be taken for a rule. Numbers, names,
labels, quotations, characters and lengths are looked for in any language, words that bound or
oblige in English. A derived line that was worded anew has no more of them than it had.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from sopforge.checks.sop.brief_prose import find_like_prose
from sopforge.checks.sop.restored_lines import derive_lines, restore_lines
from sopforge.checks.words.bans import Ban, check_bans
from sopforge.checks.words.deciding_words import DECIDING, find_deciding_words, is_english
from sopforge.checks.words.loosening_words import find_loosening_words, is_looser
from sopforge.checks.words.model_names import (
    find_capital_labels,
    find_distinctive_labels,
    find_names,
    find_outcome_labels,
)
from sopforge.checks.words.odd_characters import (
    find_digits,
    find_markup,
    find_odd_characters,
    find_quotations,
)
from sopforge.domain.model import DomainModel
from sopforge.errors import StoreError
from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.reading.call_words import reword_call
from sopforge.reading.field_line_words import reword_form
from sopforge.reading.note_words import find_same_note
from sopforge.rendering.sop.document import Line, SopDocument, Style, insert_after, read_sop
from sopforge.rendering.sop.own_words import OWN_WORDS, make_own_paragraph
from sopforge.rendering.sop.plain_reading import build_plain_reading
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

LONGEST = 600
LONGER = 300
"""So many characters a paragraph has at most, and a line that is worded anew more than before."""
_HEADINGS = frozenset({Style.SECTION, Style.STEP})
_TITLES = frozenset({Style.TITLE, Style.SECTION})
_SAID = {
    "bound": "it states a bound or a comparison",
    "duty": "it states a duty",
    "condition": "it states a condition",
    "verdict": "it states a verdict",
    "route": "it redirects the case or overrules a rule",
}


@dataclass(frozen=True, slots=True)
class _Place:
    """A heading, with the paragraphs of a language model's own below it."""

    heading: Line
    texts: list[str] = field(default_factory=list)


class OwnWords:
    """No paragraph that a language model added contains names, numbers or words of a rule."""

    name = "own-words"
    stage = "sop"

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            lines = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE]).lines
        except StoreError:
            return []  # the check of what is stated says so
        own = [line.text for line in lines if line.excused == OWN_WORDS]
        return [
            *(found for text in own for found in check_paragraph(workspace.model, text)),
            *_check_headings(workspace, lines),
            *_check_moved_lines(workspace, build_plain_reading(lines)),
            *_find_extra_paragraphs(_collect_own_places(lines, _HEADINGS)),
            *_check_reworded_lines(workspace, restore_lines(workspace, build_plain_reading(lines))),
            *_report_own_paragraphs(_collect_own_places(lines, frozenset({Style.SECTION}))),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Put a paragraph in that frees some cases from the rules."""
        document = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        place = [line.style for line in document.lines].index(Style.SECTION)
        lie = make_own_paragraph("Notices older than a fortnight are always waived.")
        spoiled = SopDocument(insert_after(document.lines, place, lie))
        return workspace.with_files({SOP_TEXT: spoiled.as_text(), SOP_TRACE: spoiled.as_trace()})


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A text of a language model's own, with the model of the procedure that it must not state."""

    model: DomainModel
    text: str


def check_paragraph(model: DomainModel, text: str) -> Iterator[Finding]:
    """Report what a paragraph of a language model's own says that could be taken for a rule."""
    about = "a paragraph of a language model's own"
    return check_bans(_BANS, _Paragraph(model, text), about, where=SOP_TEXT, evidence=text)


def _find_numbers(said: _Paragraph) -> list[str]:
    return [*find_digits(said.text), *find_deciding_words(said.text, "number")]


def _find_names(said: _Paragraph) -> list[str]:
    model, text = said.model, said.text
    capital = find_capital_labels(text, model) if is_english(text) else []
    return [
        *find_names(text, model),
        *find_outcome_labels(text, model),
        *find_distinctive_labels(text, model),
        *capital,
        *find_quotations(text),
    ]


def _find_deciding_words(said: _Paragraph) -> Iterator[str]:
    for kind, effect in _SAID.items():
        words = find_deciding_words(said.text, kind)
        if words:
            yield f"{effect}: {', '.join(words)}"


def _find_form_faults(said: _Paragraph) -> list[str]:
    text = said.text
    length = [f"{len(text)} characters"] if len(text) > LONGEST else []
    return [*length, *find_odd_characters(text), *find_markup(text)]


_BANS: tuple[Ban[_Paragraph], ...] = (
    Ban("own-words-number", "counts or measures", "remove the number", _find_numbers),
    Ban(
        "own-words-name",
        "names something that the procedure decides with",
        "use words of the trade, and name no tool, field, code, label or quotation",
        _find_names,
    ),
    Ban(
        "own-words-decide",
        "could be taken for a rule",
        "describe the purpose of the step or what to watch for; the rule has a line of its own",
        _find_deciding_words,
    ),
    Ban(
        "own-words-form",
        "is not plain prose",
        f"write prose of at most {LONGEST} characters, in plain letters and without markup",
        _find_form_faults,
    ),
)


def _collect_own_places(lines: Iterable[Line], headings: frozenset[Style]) -> list[_Place]:
    """Return the headings of some styles under which there are own paragraphs, with these."""
    places: list[_Place] = []
    heading = Line(Style.TITLE, "The opening")
    for line in lines:
        if line.style in headings:
            heading = line
        elif line.excused == OWN_WORDS:
            if not places or places[-1].heading is not heading:
                places.append(_Place(heading))
            places[-1].texts.append(line.text)
    return places


def _check_headings(workspace: Workspace, lines: Iterable[Line]) -> Iterator[Finding]:
    """Report titles with words added: they can say whom a section concerns, or what it is worth."""
    derived = [line for line in derive_lines(workspace) if line.style in _TITLES]
    titles = {_drop_number(line): line.style for line in derived}
    for line in lines:
        title = _drop_number(line)
        if line.style not in _TITLES or title in titles:
            continue
        document = next((text for text, style in titles.items() if style is Style.TITLE), "")
        longer = next((text for text in titles if title.startswith(f"{text} ")), "")
        known = document if line.style is Style.TITLE else longer
        if known:
            yield make_error_finding(
                "own-words-reworded",
                f"a title differs from '{known}'",
                where=SOP_TEXT,
                evidence=line.text,
                hint=f"write '{known}'",
            )


def _drop_number(heading: Line) -> str:
    return heading.text.partition(". ")[2] or heading.text


def _find_extra_paragraphs(places: Iterable[_Place]) -> Iterator[Finding]:
    """Report further paragraphs under a heading: one for a step, and one for a section."""
    for place in places:
        for text in place.texts[1:]:
            message = (
                f"'{place.heading.text}' has more than one paragraph that a language model added"
            )
            hint = "keep at most one paragraph after the heading of each section and step"
            yield make_error_finding(
                "own-words-form", message, where=SOP_TEXT, evidence=text, hint=hint
            )


_PROVED = ("rule ", "edge ", "decision ", "guard ", "end ", "effect ", "predicate ")
_RESTRAINTS = (
    re.compile(
        r"\b(?:not|never|no|nor|neither|nothing|nobody|none|cannot|without|instead)\b|n't\b"
    ),
    re.compile(r"\b(?:only|unless|except|until|solely|exclusively)\b"),
)
"""Words that deny or bound, of which a line that no rule reads may lose none."""
_UNREAD = ((), ("start",))


def _check_reworded_lines(workspace: Workspace, lines: Sequence[Line]) -> Iterator[Finding]:
    """Report lines worded anew that say more than the derived ones that state the same."""
    model, derived = workspace.model, _derive_lines(workspace)
    known = {line.text for line in derived}
    kept = {(line.text, line.states) for line in lines}
    gone = [line for line in derived if (line.text, line.states) not in kept]
    for line in lines:
        if line.text in known or not _is_derived(line):
            continue
        before = [item for item in gone if _is_beside(item, line)]
        texts = [item.text for item in before]
        yield from _check_loosened(line, texts)
        if find_same_note(line.text, texts) is not None:
            continue
        yield from _check_lost_restraints(line, before)
        added = find_added_words(model, reword_form(reword_call(line.text)), " ".join(texts))
        if not added:
            yield from _check_new_line(line, texts)
        if _is_proved(line):
            # What such a line decides is read back, and compared with the model by proof.
            words = {word for kind in DECIDING for word in find_deciding_words(line.text, kind)}
            words.update(find_outcome_labels(line.text, model))
            added = [item for item in added if item not in words]
        if added:
            message = f"a reworded line adds content to the original ({'; '.join(added)})"
            hint = "restore the line, or change only the words around its rule"
            yield make_error_finding(
                "own-words-reworded", message, where=SOP_TEXT, evidence=line.text, hint=hint
            )


def _check_new_line(line: Line, before: Sequence[str]) -> Iterator[Finding]:
    """Report a line that no rule reads, and that is like none in whose place it is."""
    if line.states in _UNREAD and not find_like_prose(line.text, before):
        yield make_error_finding(
            "own-words-reworded",
            "a new line matches no rule in the model and no prose in the brief",
            where=SOP_TEXT,
            evidence=line.text,
            hint="delete the line, or add it to the brief under 'draft' or as the step's"
            " 'instruction'",
        )


def _check_loosened(line: Line, before: Sequence[str]) -> Iterator[Finding]:
    """Report a line that makes of all some, or of a duty a choice."""
    if all(is_looser(line.text, text) for text in ("", *before)):
        found = find_loosening_words(line.text)
        yield make_error_finding(
            "own-words-reworded",
            f"a reworded line is less strict than the original ({', '.join(found)})",
            where=SOP_TEXT,
            evidence=line.text,
            hint="restore the line, or reword it so that it is as strict as before",
        )


def _check_moved_lines(workspace: Workspace, lines: Iterable[Line]) -> Iterator[Finding]:
    """Report derived lines that stand in the place of others: they speak of another step there."""
    states: dict[str, set[tuple[str, ...]]] = {}
    for line in derive_lines(workspace):
        states.setdefault(line.text, set()).add(line.states)
    for line in lines:
        known = states.get(line.text, {line.states})
        is_line = not line.excused and line.style in {Style.PARAGRAPH, Style.BULLET}
        if is_line and line.states not in known:
            yield make_error_finding(
                "own-words-reworded",
                "a line is no longer in its place",
                where=SOP_TEXT,
                evidence=line.text,
                hint="move it back to its place",
            )


def _is_proved(line: Line) -> bool:
    """Return whether a line is read back, so that what it decides is compared with the model."""
    return any(item.startswith(_PROVED) for item in line.states)


def _is_beside(derived: Line, line: Line) -> bool:
    """Return whether a derived line is what another one may be in place of.

    What leads from one step, or decides one field, may be a list or a sentence.
    """
    if not line.states:
        return not derived.states or _is_proved(derived)
    if not _is_proved(line):
        return derived.states == line.states
    owners = [{item.rpartition(".")[0] or item for item in one.states} for one in (derived, line)]
    return derived.states == line.states or bool(owners[0] & owners[1])


def _check_lost_restraints(line: Line, before: Sequence[Line]) -> Iterator[Finding]:
    """Report a line without rules of its own that denies or bounds less than the one before it."""
    texts = [item.text for item in before if item.states in _UNREAD]
    if line.states not in _UNREAD:
        return
    closest = get_close_matches(line.text, texts, n=1, cutoff=0)
    lost = [
        word
        for words in _RESTRAINTS
        for word in words.findall(closest[0].lower() if closest else "")
        if len(words.findall(closest[0].lower())) > len(words.findall(line.text.lower()))
    ]
    if lost:
        message = f"a reworded line lacks what the original forbids or requires ({', '.join(lost)})"
        yield make_error_finding(
            "own-words-reworded",
            message,
            where=SOP_TEXT,
            evidence=line.text,
            hint="restore the line, or reword it so that it still says this",
        )


def _derive_lines(workspace: Workspace) -> list[Line]:
    """Return the lines of the SOP as the model makes it, of which a writer may word some anew."""
    return [line for line in derive_lines(workspace) if _is_derived(line)]


def _is_derived(line: Line) -> bool:
    """Return whether a line is text that the model of the procedure makes, and no added ban."""
    is_ban = any(item.startswith("ban ") for item in line.states)
    return not line.excused and not is_ban and line.style not in {*_HEADINGS, Style.TITLE}


def find_added_words(model: DomainModel, text: str, before: str) -> list[str]:
    """Return what a text has more of than another one."""
    length = len(text) - len(before)
    found = [f"{length} characters more"] if length > LONGER else []
    for search in (find_digits, find_quotations, find_odd_characters, find_markup):
        found += Counter(search(text)) - Counter(search(_spell_figures(before)))
    for names in (find_names, find_outcome_labels, find_distinctive_labels):
        found += [name for name in names(text, model) if name not in names(before, model)]
    for kind in DECIDING:
        words, known = find_deciding_words(text, kind), find_deciding_words(before, kind)
        found += words if len(words) > len(known) else []
    return found


def _spell_figures(text: str) -> str:
    """Return a text with the figures of words that others replace: "twice" is "2 times"."""
    return text.replace(" zero", " 0").replace("twice ", "2 times ")


def _report_own_paragraphs(places: Iterable[_Place]) -> Iterator[Finding]:
    """Show reviewers, section by section, what no proof covers."""
    for place in places:
        title, texts = place.heading.text, place.texts
        count = "a paragraph" if len(texts) == 1 else f"{len(texts)} paragraphs"
        message = f"a language model added {count} to '{title}', which no proof covers"
        if not all(map(is_english, texts)):
            message += "; words that bound or oblige are recognized in English only"
        evidence, hint = (
            "\n".join(texts),
            "check that the text agrees with the rules, because agents read it too",
        )
        yield Finding("own-words", Severity.NOTE, message, SOP_TEXT, evidence, hint)


CHECK = OwnWords()
