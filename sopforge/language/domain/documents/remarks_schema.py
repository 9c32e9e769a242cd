"""The shape of what a model's author reports of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sopforge.language.domain.documents.schema_terms import Name, Sentence, Strict, Whole


class ContradictionDocument(Strict):
    """Two sentences of the brief that contradict each other, and the one that the model follows."""

    first: Sentence
    """The first of the two sentences."""
    second: Sentence
    """The second of the two sentences."""
    followed: Sentence
    """The sentence that the model follows."""


class LeftOutDocument(Strict):
    """The beginning of a rejected text, and the reason why SOPForge rejected the text."""

    text: Sentence
    """The beginning of the rejected text."""
    reason: Sentence
    """The reason why SOPForge rejected the text."""


class ValuesDocument(Strict):
    """How many texts a language model wrote for a field, and how many of them SOPForge uses."""

    field: Name
    """The name of the field for which the texts were written."""
    given: Whole
    """The number of texts that the language model wrote."""
    kept: Whole
    """The number of these texts that SOPForge uses."""
    personas: dict[str, Whole] = {}
    """The number of used texts for each persona, such as `hurried` or `thorough`."""
    presupposing: Whole = 0
    """The number of used texts that fit only some records, because they presuppose a fact about the
    record."""
    left_out: tuple[LeftOutDocument, ...] = ()
    """The texts that SOPForge rejected, each with the reason."""


class SourceDocument(Strict):
    """A passage of the brief, and the items of the model that come from it, such as rules."""

    says: Sentence
    """The passage, quoted exactly from the brief."""
    items: Annotated[tuple[str, ...], Field(min_length=1)]
    """The names of the items, such as `policy.x` or `steps.s.1` ([all
    forms](../sources.md#names-of-items))."""


class SetAsideDocument(Strict):
    """A passage of the brief from which no item of the model comes, and the reason."""

    says: Sentence
    """The passage, quoted exactly from the brief."""
    because: Literal["example", "history", "heading", "contact", "out of scope"]
    """The reason why no item of the model comes from the passage."""


class AssumptionDocument(Strict):
    """What the author assumed, and the items of the model that depend on it."""

    says: Sentence
    """The assumption, as a sentence."""
    items: tuple[str, ...] = ()
    """The names of the items that depend on the assumption."""


class RemarksDocument(Strict):
    """What the model's author reports to reviewers about the brief and the model.

    For example, ``sources`` quotes the passage from which each rule comes. SOPForge compares the
    passages with the model ([sources.md](../sources.md)).
    """

    sources: tuple[SourceDocument, ...] = ()
    """Quoted passages of the brief. Each entry lists the items of the model that come from its
    passage."""
    set_aside: tuple[SetAsideDocument, ...] = ()
    """Quoted passages of the brief from which no item of the model comes, each with the reason."""
    assumptions: tuple[Sentence | AssumptionDocument, ...] = ()
    """The author's assumptions. Write each as a sentence, or as a mapping that also lists the items
    that depend on it."""
    contradictions: tuple[ContradictionDocument, ...] = ()
    """Pairs of sentences in the brief that contradict each other, with the sentence that the model
    follows."""
    values: tuple[ValuesDocument, ...] = ()
    """How many texts a language model wrote for each field, and how many of them SOPForge uses."""

    @property
    def assumed(self) -> tuple[AssumptionDocument, ...]:
        """What was taken for granted; where an assumption is a sentence alone, no item is named."""
        return tuple(
            item if isinstance(item, AssumptionDocument) else AssumptionDocument(says=item)
            for item in self.assumptions
        )
