"""Forms of what a language model writes: a domain, texts, rows, sections, words, code."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sopforge.authors.prompts.forms.form import Output


class Replacement(Output):
    """A part of a document and what stands in its place."""

    find: str = Field(
        description="Text of the document, word for word, blanks and line breaks included; as much"
        " of it as it takes to stand there exactly once."
    )
    replace: str = Field(description="The text in its place; empty to take it out.")


class CorrectedDocument(Output):
    """The changes of a document, by which its findings or remarks are dealt with."""

    replacements: list[Replacement] = Field(
        description="All changes. They are made together, in the document as it was shown."
    )
    document: str = Field(
        description="Empty; the whole new document only where most of its lines change, and then"
        " without replacements."
    )
    not_applied: list[str] = Field(
        description="Each finding or remark that could not be followed, and why; a sentence each."
    )


class Contradiction(Output):
    """Two sentences of the material that cannot both hold."""

    first: str = Field(description="A sentence of the material, word for word.")
    second: str = Field(description="The sentence that contradicts it, word for word.")
    followed: str = Field(description="Which of the two the model follows, and why.")


class CitedPassage(Output):
    """Words of the material, and the items of the model that come from them."""

    says: str = Field(description="A sentence or clause of the material, word for word.")
    items: list[str] = Field(description="Names of items, as in decisions.fee.R2 or policy.limit.")


class PassageSetAside(Output):
    """Words of the material that lead to nothing in the model."""

    says: str = Field(description="A sentence or clause of the material, word for word.")
    because: Literal["example", "history", "heading", "contact", "out of scope"]


class Assumption(Output):
    """What the material does not say."""

    says: str = Field(description="What was taken for granted, in one sentence.")
    items: list[str] = Field(description="Names of the items that rest on it; may be empty.")


class WrittenModel(Output):
    """A domain model, where it comes from, and what its author took for granted."""

    model: str = Field(description="YAML text with the one key 'model'; no code fence.")
    sources: list[CitedPassage]
    set_aside: list[PassageSetAside]
    assumptions: list[Assumption]
    contradictions: list[Contradiction]


class WrittenValue(Output):
    """A text that cases may show."""

    text: str
    persona: str = Field(description="Who says it, as listed; empty for a name.")
    end: str = Field(description="The end of a case that it was written for; empty for none.")
    presupposes: str = Field(
        description="What it presupposes of the record, as a condition; empty for nothing."
    )


class FieldValues(Output):
    """What the cases of one field are drawn from."""

    field: str
    values: list[WrittenValue]


class WrittenValues(Output):
    """Values for fields."""

    fields: list[FieldValues]


class ReadText(Output):
    """What a text presupposes, as somebody reads it who knows its words alone."""

    text: int = Field(description="The number of the text.")
    presupposes: str = Field(description="A condition on the record; empty for nothing.")


class ReadTexts(Output):
    """What each text presupposes."""

    texts: list[ReadText]


class WrittenCell(Output):
    """What a case states of a field."""

    field: str
    text: str


class WrittenCase(Output):
    """A case: all of its fields, and no answer."""

    cells: list[WrittenCell]


class PathCases(Output):
    """Cases of one path through the procedure."""

    path: int = Field(description="The number of the path.")
    rows: list[WrittenCase]


class WrittenCases(Output):
    """Cases of each path that was asked for."""

    paths: list[PathCases]


class Insertion(Output):
    """A paragraph of the writer's own."""

    after: int = Field(description="Number of the line that it stands after; 0: before all.")
    text: str


class WrittenSection(Output):
    """What a section of an SOP gets."""

    section: int = Field(description="The number of the section.")
    insertions: list[Insertion]


class WrittenSections(Output):
    """The sections that get something; the others are left out."""

    sections: list[WrittenSection]


class ToolSummary(Output):
    """What is said of a tool beside its derived description."""

    tool: str = Field(description="The name of the tool; empty for the API as a whole.")
    summary: str = Field(description="One sentence; empty to take the last one away.")


class ToolSummaries(Output):
    """The summaries of toolspecs."""

    summaries: list[ToolSummary]


class ApiSummaries(ToolSummaries):
    """The summaries of an API document."""


class WrittenModule(Output):
    """The class of a Python module."""

    module: str = Field(
        description="The source of the class, and of what it needs besides; no code fence."
    )
