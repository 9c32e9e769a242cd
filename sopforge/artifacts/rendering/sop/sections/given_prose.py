"""The prose of a brief that its SOP prints: what is given for that, and binds nobody.

Rules stand in the SOP as the model has them. Prose beside them that could be read as a rule would
be a second one, which no proof covers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.draft import (
    PURPOSE,
    SCOPE,
    Section,
    collect_figures,
    read_draft,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.values.types import EnumType, SetType
from sopforge.language.english.prose.binding import may_bind, split_sentences


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sentence that the SOP leaves out, for it may be a rule, and its place in the brief."""

    place: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Prose:
    """The sections and the context that an SOP prints of a brief, and what it leaves out."""

    sections: list[Section]
    context: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def select_prose(brief: Brief, model: DomainModel) -> Prose:
    """Return the prose of a brief that the SOP of its model prints.

    A draft beside rules of the brief's own stands as it is. Where a model was written from prose,
    all of that prose is a source of rules: of a draft only the purpose and the scope are taken
    over, and of later additions nothing.
    """
    gone: list[LeftOut] = []
    is_prose = brief.parts.model is None
    sections = read_draft(brief.draft, collect_figures(model)).sections
    if is_prose:
        sections = list(_keep_opening(sections, gone))
    given = {PURPOSE: brief.parts.sop.purpose, SCOPE: brief.parts.sop.scope}
    for title, text in given.items():
        _add_section(sections, title, _keep(f"sop.{title.lower()}", text, may_bind, gone))
    context = () if is_prose else _keep_context(brief.parts.context, model, gone)
    return Prose(sections, tuple(context), tuple(gone))


def _keep(place: str, text: str, is_rule: Callable[[str], bool], gone: list[LeftOut]) -> str:
    """Return a text without the sentences that may be rules, which are added to those gone."""
    sentences = split_sentences(text)
    gone += [LeftOut(place, item) for item in sentences if is_rule(item)]
    return " ".join(item for item in sentences if not is_rule(item))


def _keep_opening(sections: Sequence[Section], gone: list[LeftOut]) -> Iterator[Section]:
    for part in sections:
        if part.title.lower() in {PURPOSE.lower(), SCOPE.lower()}:
            kept = [
                replace(item, text=text)
                for item in part.statements
                if (text := _keep("draft_sop", item.text, may_bind, gone))
            ]
            if kept:
                yield Section(part.title, kept)


def _add_section(sections: list[Section], title: str, text: str) -> None:
    """Put a section that no draft has first, or after the purpose."""
    titles = [part.title.lower() for part in sections]
    if text and title.lower() not in titles:
        place = titles.index(PURPOSE.lower()) + 1 if PURPOSE.lower() in titles else 0
        sections.insert(place, Section(title, [Statement(Style.PARAGRAPH, text, excused="draft")]))


def _keep_context(context: Sequence[str], model: DomainModel, gone: list[LeftOut]) -> Iterator[str]:
    """Yield what is for information only: neither words of a rule nor the name of a result."""
    labels = [
        label
        for item in model.outcomes
        if isinstance(item.type, EnumType | SetType)
        for label in item.type.values
    ]
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, labels))})\b", re.IGNORECASE)

    def is_rule(sentence: str) -> bool:
        return may_bind(sentence) or bool(labels and named.search(sentence))

    for number, text in enumerate(context):
        if kept := _keep(f"context.{number}", text, is_rule, gone):
            yield kept
