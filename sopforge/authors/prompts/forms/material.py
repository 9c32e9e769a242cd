"""Forms of what makes complexity levels harder."""

from __future__ import annotations

from pydantic import Field

from sopforge.authors.prompts.forms.form import Output


class WrittenSentences(Output):
    """Sentences that lead to reminders, and sentences about the trade, beside the matter."""

    lead_ins: list[str] = Field(description="A whole sentence each; none where none is asked for.")
    tangents: list[str] = Field(description="One or two whole sentences each; maybe none.")


class OtherTool(Output):
    """Another name for a tool."""

    same_as: str = Field(description="The name of the tool that it is another name of.")
    tool: str = Field(description="The other name: letters and digits, a small letter first.")
    description: str = Field(description="What it does, without a full stop.")


class EarlierValue(Output):
    """A value that was in force earlier."""

    constant: str = Field(description="The name of the constant.")
    value: str = Field(description="The earlier value alone, written as the present one is.")
    why: str = Field(description="A whole sentence that says why it was changed, without figures.")


class LabelledDetail(Output):
    """A field with labels."""

    name: str = Field(description="Small letters, digits and _.")
    description: str = Field(description="What it shows, without a full stop.")
    values: list[str] = Field(description="Two to eight labels.")


class WrittenService(Output):
    """A look-up of no use to a case, and what it returns."""

    tool: str = Field(description="Letters and digits, a small letter first.")
    description: str = Field(description="What it does, without a full stop.")
    shows: LabelledDetail


class WrittenDetail(LabelledDetail):
    """A field with labels, or a whole number between bounds."""

    values: list[str] = Field(description="Two to eight labels; none for a whole number.")
    lowest: int = Field(description="The least whole number; 0 where there are labels.")
    highest: int = Field(description="The greatest whole number; 0 where there are labels.")


class WrittenAdditions(Output):
    """What a procedure could have beside the matter; a list that is not asked for is empty."""

    twins: list[OtherTool]
    earlier: list[EarlierValue]
    services: list[WrittenService]
    form_details: list[WrittenDetail]
    record_details: list[WrittenDetail]
    roles: list[str] = Field(description="Names in the singular, without an article.")
    systems: list[str] = Field(description="Names in the singular, without an article.")
    papers: list[str] = Field(description="Names in the singular, without an article.")
