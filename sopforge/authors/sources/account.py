"""The account of a model: where each quoted passage of the brief stands, and what cites it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sopforge.authors.sources.facts import Labels
from sopforge.authors.sources.items import Item, list_items
from sopforge.authors.sources.labels import find_labels
from sopforge.authors.sources.prose.quantities import Quantity, read_quantities, remove_numbers
from sopforge.authors.sources.prose.sentences import Prose, Sentence, read_prose
from sopforge.language.domain.documents.remarks_schema import RemarksDocument
from sopforge.language.domain.documents.schema import DomainDocument
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.values.types import EnumType, SetType
from sopforge.language.english.prose.binding import is_binding

EXAMPLE = "example"
"""Why an answer about one case leads to nothing, unless an item cites it."""
CONTRADICTED = "contradicted"
"""Why a sentence that contradicts another one leads to nothing."""


@dataclass(frozen=True, slots=True)
class CitedPassage:
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
    Figures within ``names`` (labels, tools, offices) are none. ``outcome_labels`` are the labels
    of each outcome. ``examples`` are parts that bind in one case alone.
    """

    prose: Mapping[str, Prose]
    items: Mapping[str, Item]
    passages: tuple[CitedPassage, ...]
    lost: tuple[str, ...]
    unknown: tuple[tuple[str, str], ...]
    assumed: Mapping[str, str]
    names: tuple[str, ...]
    outcome_labels: frozenset[Labels]
    examples: tuple[str, ...] = ()

    @cached_property
    def cited_passages(self) -> tuple[CitedPassage, ...]:
        """The passages that items cite."""
        return tuple(passage for passage in self.passages if passage.items)

    @cached_property
    def cited(self) -> Mapping[str, tuple[CitedPassage, ...]]:
        """The passages of each item."""
        found: dict[str, list[CitedPassage]] = {}
        for passage in self.passages:
            for name in passage.items:
                found.setdefault(name, []).append(passage)
        return {name: tuple(passages) for name, passages in found.items()}

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of paragraphs, such as 3.1, by which a brief refers to them."""
        found = (number for text in self.prose.values() for number in text.numbers)
        return tuple(dict.fromkeys(number for number in found if "." in number))

    def read_quantities(self, text: str) -> tuple[Quantity, ...]:
        """Return the quantities of a text of the brief."""
        return read_quantities(remove_numbers(text, self.numbers), self.names)

    def may_bind(self, text: str) -> bool:
        """Return whether a sentence has a word of those that oblige, or names a result."""
        return is_binding(text) or any(find_labels(text, of) for of in self.outcome_labels)

    def quote(self, passage: CitedPassage) -> str:
        """Return the words of a passage."""
        return self.prose[passage.part].text[passage.start : passage.end]

    def list_quotes(self, name: str) -> tuple[str, ...]:
        """Return the quotations that an item cites."""
        return tuple(self.quote(passage) for passage in self.cited.get(name, ()))

    def list_sentences_of(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the sentences in which passages of items stand, in the order of the brief."""
        wanted = [passage for name in names for passage in self.cited.get(name, ())]
        return tuple(
            sentence.text
            for part, sentence in self.iterate_sentences()
            if any(item.has_place_in(part, sentence.start, sentence.end) for item in wanted)
        )

    def list_items_at(self, part: str, start: int, end: int) -> tuple[Item, ...]:
        """Return the items that cite a passage in which a stretch of a part lies."""
        citing = (item for item in self.passages if item.covers(part, start, end))
        names = dict.fromkeys(name for passage in citing for name in passage.items)
        return tuple(self.items[name] for name in names)

    def is_set_aside(self, part: str, start: int, end: int) -> bool:
        """Return whether a stretch of a part is said to lead to nothing."""
        return any(p.because and p.covers(part, start, end) for p in self.passages)

    def measure_cover(self, part: str, start: int, end: int) -> float:
        """Return what share of a stretch of a part passages have."""
        touching = [item for item in self.passages if item.has_place_in(part, start, end)]
        covered = {place for item in touching for place in range(item.start, item.end)}
        return len(covered & set(range(start, end))) / (end - start)

    def iterate_sentences(self) -> Iterator[tuple[str, Sentence]]:
        """Yield all sentences of the brief, with their parts."""
        for part, prose in self.prose.items():
            for sentence in prose.sentences:
                yield part, sentence


def read_brief_parts(brief: Brief) -> dict[str, Prose]:
    """Return the prose of a brief that can oblige, by the names of its parts."""
    parts = brief.parts
    texts = {
        "business_task": parts.business_task,
        "task_context": parts.task_context,
        "draft": brief.draft,
        **{f"context {number}": text for number, text in enumerate(parts.context, start=1)},
        **{f"answer {number}": item.says for number, item in enumerate(parts.answers, start=1)},
    }
    return {name: read_prose(text) for name, text in texts.items() if text.strip()}


def list_examples(brief: Brief) -> tuple[str, ...]:
    """Return the parts that are examples: answers that say what is right in one case.

    Their figures are those of the case, and bind in no other.
    """
    answers = enumerate(brief.parts.answers, start=1)
    return tuple(f"answer {number}" for number, answer in answers if answer.is_example)


def read_remarks(text: str, name: str) -> RemarksDocument:
    """Return what the author of a domain document remarks on it.

    Raises:
        MaterialError: the document has faults.
    """
    return validate(read_document(text, name), DomainDocument).remarks


def build_account(brief: Brief, model: DomainModel, remarks: RemarksDocument) -> Account:
    """Return the account of a model by its author's remarks."""
    prose, items = read_brief_parts(brief), list_items(model)
    examples = list_examples(brief)
    passages = [CitedPassage(part, 0, len(prose[part].text), (), EXAMPLE) for part in examples]
    lost: list[str] = []
    for source in remarks.sources:
        places = _find_said(prose, source.says)
        known = tuple(name for name in dict.fromkeys(source.items) if name in items)
        passages += [CitedPassage(*place, known) for place in places]
        lost += [] if places else [source.says]
    for aside in remarks.set_aside:
        places = find_quoted(prose, aside.says)
        passages += [CitedPassage(*place, (), aside.because) for place in places]
        is_number = any(aside.says.strip(" .)") in text.numbers for text in prose.values())
        lost += [] if places or is_number else [aside.says]
    # A quotation of a contradiction that is not in the brief is found by the check of remarks.
    for says in (says for pair in remarks.contradictions for says in (pair.first, pair.second)):
        places = find_quoted(prose, says)
        passages += [CitedPassage(*place, (), CONTRADICTED) for place in places]
    cited = [(name, part.says) for part in remarks.sources for name in part.items]
    assumed = [(name, part.says) for part in remarks.assumed for name in part.items]
    kinds = [item.type for item in model.outcomes]
    return Account(
        prose,
        items,
        tuple(passages),
        tuple(lost),
        tuple((name, says) for name, says in (*cited, *assumed) if name not in items),
        dict(assumed),
        list_names(model),
        frozenset(kind.values for kind in kinds if isinstance(kind, EnumType | SetType)),
        examples,
    )


def find_quoted(prose: Mapping[str, Prose], says: str) -> list[tuple[str, int, int]]:
    """Return the parts in which words stand, each with from where to where."""
    return [(part, *place) for part, text in prose.items() for place in text.find(says)]


def _find_said(prose: Mapping[str, Prose], says: str) -> list[tuple[str, int, int]]:
    """Return where a source is said: where its words stand first, or as whole sentences.

    A short sentence that is said again, as 'Else "declined".' is, means each of them.
    """
    places = find_quoted(prose, says)
    return places[:1] + [place for place in places[1:] if _is_whole(prose, *place)]


def _is_whole(prose: Mapping[str, Prose], part: str, start: int, end: int) -> bool:
    """Return whether a stretch of a part is one sentence or several."""
    sentences = prose[part].list_at(start, end)
    return (sentences[0].start, sentences[-1].end) == (start, end)


def list_names(model: DomainModel) -> tuple[str, ...]:
    """Return the names of a model in which a figure is none: labels, tools, offices, texts."""
    names: list[str] = [*model.offered.tools, *model.tools, *model.hand_overs]
    for item in model.list_introduced_fields().values():
        for kind in (item.type, *(kind for _, kind in getattr(item.type, "fields", ()))):
            names += kind.values if isinstance(kind, EnumType | SetType) else ()
        names += getattr(item.type, "pool", ())
    return tuple(dict.fromkeys(names))
