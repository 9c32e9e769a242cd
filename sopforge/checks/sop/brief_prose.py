"""SOP: prose of the brief that no proof covers, which may contradict the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.artifacts.rendering.sop.document import Statement, Style, read_sop
from sopforge.artifacts.rendering.sop.draft import collect_figures, find_other_figures, read_draft
from sopforge.artifacts.rendering.sop.sections.given_prose import select_prose
from sopforge.errors import StoreError
from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.values.types import EnumType
from sopforge.language.english.prose.binding import split_sentences
from sopforge.morphology import list_stems
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

_SAMPLE = re.compile(
    r"</?[A-Za-z_][\w.-]*\s*/?>|\{\s*[\"']|\b(?:answer|decision|result|output):\s*\"", re.IGNORECASE
)
_DEFINITIONS = "definitions"
_DECIDING = re.compile(r"\b(?:decid|determin|judg|assess|choos|classif)", re.IGNORECASE)
_NAMES = re.compile(r"[(),]| and | or ")


class BriefProse:
    """No prose of the brief has figures or results that the model does not have, or a sample."""

    name = "brief-prose"
    stage = "sop"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        except StoreError:
            return []  # the check of what is stated says so
        model, figures = workspace.model, collect_figures(workspace.model)
        return [
            *(x for item in stored.statements for x in _examine_statement(model, figures, item)),
            *_report_left_out(workspace.brief, figures),
            *_report_rules(workspace.brief, model),
            *_find_unused_terms(stored.statements),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Have the first paragraph show an answer."""
        stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        first = next(x for x in stored.statements if x.style is Style.PARAGRAPH)
        return workspace.with_files(
            {
                SOP_TEXT: workspace.files[SOP_TEXT].replace(first.text, _show(first.text), 1),
                SOP_TRACE: workspace.files[SOP_TRACE],
            }
        )


def _show(text: str) -> str:
    """Return a text of the same length that could be taken for an answer."""
    return "<a>"[: len(text)].ljust(len(text), "x")


def _examine_statement(
    model: DomainModel, figures: frozenset[str], item: Statement
) -> Iterator[Finding]:
    samples = find_sample_answers(item.text)
    if samples:
        yield make_error_finding(
            "sop-sample-answer",
            f"a loose reader could take a passage for an answer ({', '.join(samples)})",
            where=SOP_TEXT,
            evidence=item.text,
            hint="describe the form of the answer in words, without tags, braces or a sample",
        )
    named = _find_unproved(model, figures, item)
    if named:
        yield make_warning_finding(
            "sop-prose",
            f"the brief's prose mentions {named}; check that this agrees with the rules",
            where=SOP_TEXT,
            evidence=item.text,
            hint=f"write this sentence of the brief without {named}, or leave it out",
        )


def find_sample_answers(text: str) -> list[str]:
    """Return the tags, braces and samples of a text that could pass for an answer."""
    return [found[0] for found in _SAMPLE.finditer(text)]


def _find_unproved(model: DomainModel, figures: frozenset[str], item: Statement) -> str:
    """Return the figures and results of a statement that is prose of the brief."""
    instructions = {" ".join(step.instruction.split()) for step in model.steps.values()}
    if item.excused not in {"draft", "tangential"} and item.text not in instructions:
        return ""
    odd = find_other_figures(item.text, figures)
    labels = [
        f'"{label}"'
        for sentence in (split_sentences(item.text) if item.excused else ())
        for result in model.outcomes
        for label in _find_results(result, sentence)
    ]
    return ", ".join([*dict.fromkeys(labels), *odd])


def _find_results(result: Field, sentence: str) -> list[str]:
    """Return the labels of an outcome that a sentence names, unless it says what is decided."""
    known = result.type.values if isinstance(result.type, EnumType) else ()
    named = [label for label in known if _is_named(label, sentence)]
    is_whole = len(named) == len(known) or "whether" in sentence.lower()
    return [] if is_whole and _DECIDING.search(sentence) else named


def _is_named(label: str, text: str) -> bool:
    """Return whether a text names a label: words of everyday use, as "accepted", do in quotes."""
    is_everyday = label.replace(" ", "").isalpha() and label.islower()
    named = (
        f"[\"'“\u2018]{re.escape(label)}[\"'”\u2019]" if is_everyday else rf"\b{re.escape(label)}\b"
    )
    return re.search(named, text) is not None


def _report_left_out(brief: Brief, figures: frozenset[str]) -> Iterator[Finding]:
    """Warn of what is gone of a draft beside a model of the brief's own, which is printed whole."""
    if brief.parts.model is None:
        return
    for sentence in read_draft(brief.draft, figures).left_out:
        yield make_warning_finding(
            "sop-draft-left-out",
            "the SOP leaves out a sentence of the draft: it points to a passage by number, or has a"
            " figure that the model does not have",
            where=SOP_TEXT,
            evidence=sentence,
            hint="write the sentence without the number, or with the model's figure",
        )


def _report_rules(brief: Brief, model: DomainModel) -> Iterator[Finding]:
    """Warn of prose that the SOP leaves out because it may be a rule."""
    for item in select_prose(brief, model).left_out:
        yield make_warning_finding(
            "sop-prose-left-out",
            "the SOP leaves out a sentence of the brief that may be a rule: the SOP states only the"
            " rules of the model",
            where=item.place,
            evidence=item.sentence,
            hint="if it is a rule, state it in the model; otherwise write it without figures and"
            " words that bind, such as 'must', 'if' and 'only'",
        )


def _find_unused_terms(statements: Sequence[Statement]) -> Iterator[Finding]:
    """Warn of terms that a draft defines and that no other passage uses."""
    is_definition = False
    for item in statements:
        if item.style is Style.SECTION:
            is_definition = item.text.lower().endswith(f" {_DEFINITIONS}")
        term, colon, _ = item.text.partition(":")
        is_drafted = is_definition and item.excused == "draft" and bool(colon)
        if is_drafted and not _is_used(term, item, statements):
            yield make_warning_finding(
                "sop-term-unused",
                f"the draft defines '{term}', but no other passage uses the term",
                where=SOP_TEXT,
                evidence=item.text,
                hint="remove the term from the draft, or use it in the procedure",
            )


def _is_used(term: str, definition: Statement, statements: Sequence[Statement]) -> bool:
    """Return whether another statement has a term or its short form, whatever the ending."""
    names = [stems for name in _NAMES.split(term) if (stems := list_stems(name))]
    others = [list_stems(item.text) for item in statements if item is not definition]
    return any(_has_part(words, name) for words in others for name in names)


def _has_part(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Return whether words hold others one after the other."""
    return any(words[place : place + len(part)] == part for place in range(len(words)))


CHECK = BriefProse()
