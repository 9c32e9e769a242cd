"""The account of a model: where each quoted passage of the brief stands, and what cites it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from sopforge.domain.documents.schema import AnswerDocument, RemarksDocument
from sopforge.domain.fields import STORED, Field, Role
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief
from sopforge.domain.rules import HitPolicy, Table
from sopforge.domain.values.types import EnumType, SetType
from sopforge.sources.facts import Labels, collect_result_facts
from sopforge.sources.items import Item, list_items
from sopforge.sources.prose.quantities import (
    Quantity,
    read_quantities,
    remove_numbers,
    remove_pointers,
)
from sopforge.sources.prose.sentences import Kind, Prose, Sentence, read_prose


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a brief: the part in which they stand, where in its prose, and what cites them.

    ``because`` is why nothing comes from them, where they are set aside.
    """

    part: str
    start: int
    end: int
    items: tuple[str, ...] = ()
    because: str = ""

    def covers(self, part: str, start: int, end: int) -> bool:
        """Return whether a stretch of a part lies within the passage."""
        return self.part == part and self.start <= start and end <= self.end

    def has_place_in(self, part: str, start: int, end: int) -> bool:
        """Return whether the passage and a stretch of a part have a place in common."""
        return self.part == part and self.start < end and start < self.end


@dataclass(frozen=True)
class Account:
    """What a brief says and what a model holds, with the passages that lead from one to the other.

    ``lost`` are quotations that do not stand in the brief, ``unknown`` are names that no item has,
    each with the words that it is cited for. ``assumed`` has what each assumed item rests on.
    ``tried`` has the rules of each table whose first rule that holds decides, in their order, with
    the labels that they give.
    ``recorded`` counts the outcomes and what is scored beside them.
    Figures within ``names`` (labels, tools, offices) and ``numbers`` of paragraphs are none.
    ``examples`` are parts that bind in one case alone.
    """

    prose: Mapping[str, Prose]
    items: Mapping[str, Item]
    passages: tuple[Passage, ...]
    lost: tuple[str, ...]
    unknown: tuple[tuple[str, str], ...]
    assumed: Mapping[str, str]
    names: tuple[str, ...]
    outcome_labels: frozenset[Labels]
    stored_labels: frozenset[Labels]
    tried: Mapping[str, tuple[tuple[str, frozenset[tuple[str, Labels]]], ...]]
    fields: Mapping[str, Field]
    recorded: int
    examples: tuple[str, ...] = ()

    @cached_property
    def cited_passages(self) -> tuple[Passage, ...]:
        """The passages that items cite."""
        return tuple(passage for passage in self.passages if passage.items)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of paragraphs, such as 3.1, by which a brief refers to them."""
        found = (number for text in self.prose.values() for number in text.numbers)
        return tuple(dict.fromkeys(number for number in found if "." in number))

    def read_quantities(self, text: str) -> tuple[Quantity, ...]:
        """Return the quantities of a text of the brief."""
        plain = remove_pointers(remove_numbers(text, self.numbers), self.sections)
        return read_quantities(plain, self.names)

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """The plain numbers of headings and items, which "(5)" and "see 8" may point to."""
        found = (number for text in self.prose.values() for number in text.numbers)
        return tuple(dict.fromkeys(number for number in found if number.isdigit()))

    @cached_property
    def cited(self) -> Mapping[str, tuple[Passage, ...]]:
        """The passages of each item."""
        found: dict[str, list[Passage]] = {}
        for passage in self.passages:
            for name in passage.items:
                found.setdefault(name, []).append(passage)
        return {name: tuple(passages) for name, passages in found.items()}

    def quote(self, passage: Passage) -> str:
        """Return the words of a passage."""
        return self.prose[passage.part].text[passage.start : passage.end]

    def quote_without_names(self, passage: Passage) -> str:
        """Return the words of a passage with blanks for what fields are called.

        "The last day of waiting" names no label "waiting".
        """
        text = self.quote(passage)
        for pattern in self._field_names:
            text = pattern.sub(lambda found: " " * len(found[0]), text)
        return text

    @cached_property
    def _field_names(self) -> tuple[re.Pattern[str], ...]:
        """The labels of fields that have a label of some field within them."""
        known = {
            label.lower()
            for item in self.fields.values()
            for label in getattr(item.type, "values", ())
        }
        labels = {item.label.lower() for item in self.fields.values()} - known
        found = [
            label
            for label in sorted(labels, key=lambda label: (-len(label), label))
            if any(re.search(rf"(?<!\w){re.escape(inner)}(?!\w)", label) for inner in known)
        ]
        spelled = [_ARTICLE.join(map(re.escape, label.split())) for label in found]
        return tuple(re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE) for words in spelled)

    def is_prose(self, passage: Passage) -> bool:
        """Return whether a passage stands in no row of a table."""
        sentences = self.prose[passage.part].list_at(passage.start, passage.end)
        return all(sentence.kind is not Kind.ROW for sentence in sentences)

    def list_items_at(self, part: str, start: int, end: int) -> tuple[Item, ...]:
        """Return the items that cite a passage in which a stretch of a part lies."""
        names = dict.fromkeys(
            name
            for passage in self.passages
            if passage.covers(part, start, end)
            for name in passage.items
        )
        return tuple(self.items[name] for name in names)

    def is_set_aside(self, part: str, start: int, end: int) -> bool:
        """Return whether a stretch of a part is said to lead to nothing."""
        return any(p.because and p.covers(part, start, end) for p in self.passages)

    def measure_cover(self, part: str, start: int, end: int) -> float:
        """Return what share of a stretch of a part passages have."""
        covered = {
            place
            for passage in self.passages
            if passage.part == part
            for place in range(max(start, passage.start), min(end, passage.end))
        }
        return len(covered) / (end - start)

    def is_touched(self, part: str, start: int, end: int) -> bool:
        """Return whether a passage has a place in common with a stretch of a part."""
        return any(p.has_place_in(part, start, end) for p in self.passages)

    def iterate_sentences(self) -> Iterator[tuple[str, Sentence]]:
        """Yield all sentences of the brief, with their parts."""
        for part, prose in self.prose.items():
            for sentence in prose.sentences:
                yield part, sentence

    def list_own_quotes(self, name: str) -> tuple[str, ...]:
        """Return the quotations that an item cites."""
        return tuple(self.quote(passage) for passage in self.cited.get(name, ()))


_ARTICLE = r"\s+(?:the\s+|an?\s+)?"
EXAMPLE = "example"
"""Why an answer about one case leads to nothing, unless an item cites it."""
CONTRADICTED = "contradicted"
"""Why a sentence that contradicts another one leads to nothing."""


def read_brief_parts(brief: Brief) -> dict[str, Prose]:
    """Return the prose of a brief that can oblige, by the names of its parts."""
    parts = brief.parts
    texts = {
        "business_task": parts.business_task,
        "task_context": parts.task_context,
        "draft": brief.draft,
        **{f"context {number}": text for number, text in enumerate(parts.context, start=1)},
    }
    texts |= {name: answer.says for name, answer in _name_answers(brief).items()}
    return {name: read_prose(text) for name, text in texts.items() if text.strip()}


def _name_answers(brief: Brief) -> dict[str, AnswerDocument]:
    """Return the answers of a brief by the names of their parts."""
    answers = enumerate(brief.parts.answers, start=1)
    return {f"answer {number}": answer for number, answer in answers}


def list_examples(brief: Brief) -> tuple[str, ...]:
    """Return the parts that are examples: answers that say what is right in one case.

    Their figures are those of the case, and bind in no other.
    """
    return tuple(name for name, answer in _name_answers(brief).items() if answer.is_example)


def build_account(brief: Brief, model: DomainModel, remarks: RemarksDocument) -> Account:
    """Return the account of a model by its author's remarks."""
    prose, items = read_brief_parts(brief), list_items(model)
    examples = list_examples(brief)
    passages = [Passage(part, 0, len(prose[part].text), (), EXAMPLE) for part in examples]
    lost: list[str] = []
    unknown: list[tuple[str, str]] = []

    def locate(says: str, names: Iterable[str] = (), because: str = "") -> None:
        known = tuple(name for name in dict.fromkeys(names) if name in items)
        if because and _is_number(prose, says):
            return
        places = find_quoted(prose, says)
        if not places:
            lost.append(says)
        # What comes from a passage does so where it is first said; a short sentence that is said
        # again, as 'Else "declined".' is, means each of them.
        whole = [place for place in places[1:] if _is_sentence(prose, *place)]
        passages.extend(
            Passage(*place, known, because) for place in (places if because else places[:1] + whole)
        )

    for source in remarks.sources:
        locate(source.says, source.items)
        unknown.extend((name, source.says) for name in source.items if name not in items)
    for aside in remarks.set_aside:
        locate(aside.says, because=aside.because)
    # A quotation of a remark that is not in the brief is found by the check of remarks.
    sentences = [says for pair in remarks.contradictions for says in (pair.first, pair.second)]
    for sentence in filter(partial(find_quoted, prose), sentences):
        locate(sentence, because=CONTRADICTED)
    assumed = {name: item.says for item in remarks.assumed for name in item.items}
    unknown.extend((n, item.says) for item in remarks.assumed for n in item.items if n not in items)
    return Account(
        prose,
        items,
        tuple(passages),
        tuple(lost),
        tuple(unknown),
        assumed,
        list_names(model),
        _list_label_sets(model, Role.OUTCOME),
        _list_label_sets(model, *STORED),
        dict(_iterate_tried(model)),
        model.list_introduced_fields(),
        len(model.outcomes) + len(model.intermediates),
        examples,
    )


def _iterate_tried(
    model: DomainModel,
) -> Iterator[tuple[str, tuple[tuple[str, frozenset[tuple[str, Labels]]], ...]]]:
    for name, decision in model.decisions.items():
        if isinstance(decision, Table) and decision.hit is HitPolicy.FIRST:
            table = f"decisions.{name}"
            rules = decision.rules
            given = [
                (f"{table}.{rule.id}", collect_result_facts(rule.then).given) for rule in rules
            ]
            yield table, tuple(given)


def list_names(model: DomainModel) -> tuple[str, ...]:
    """Return the names of a model in which a figure is none: labels, tools, offices, texts."""
    names: list[str] = [*model.offered.tools, *model.tools, *model.hand_overs]
    for item in model.list_introduced_fields().values():
        kinds = (item.type, *(kind for _, kind in getattr(item.type, "fields", ())))
        for kind in kinds:
            if isinstance(kind, EnumType | SetType):
                names += kind.values
        names += getattr(item.type, "pool", ())
    return tuple(dict.fromkeys(names))


def _list_label_sets(model: DomainModel, *roles: Role) -> frozenset[Labels]:
    kinds = (item.type for item in model.with_role(*roles))
    return frozenset(kind.values for kind in kinds if isinstance(kind, EnumType | SetType))


def find_quoted(prose: Mapping[str, Prose], says: str) -> list[tuple[str, int, int]]:
    """Return the parts in which words stand, each with from where to where."""
    return [(part, *place) for part, text in prose.items() for place in text.find(says)]


def _is_sentence(prose: Mapping[str, Prose], part: str, start: int, end: int) -> bool:
    """Return whether a stretch of a part is one sentence or several."""
    sentences = prose[part].list_at(start, end)
    return (sentences[0].start, sentences[-1].end) == (start, end)


def _is_number(prose: Mapping[str, Prose], says: str) -> bool:
    """Return whether words are the number of a paragraph, which is no part of its text."""
    return any(says.strip(" .)") in text.numbers for text in prose.values())
