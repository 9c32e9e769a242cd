"""The forms that answers are asked in; templates name them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Output(BaseModel):
    """A form of answers: exactly its parts."""

    model_config = ConfigDict(extra="forbid")


class CorrectedDocument(Output):
    """A document after its findings were dealt with."""

    document: str = Field(description="The whole document, corrected; not a part of it.")
    changes: list[str] = Field(description="What was changed, one sentence for each change.")
    not_applied: list[str] = Field(
        description="Each finding that could not be followed, and why; empty if there is none."
    )


class Contradiction(Output):
    """Two sentences of the material that cannot both hold."""

    first: str = Field(description="A sentence of the material, word for word.")
    second: str = Field(description="The sentence that contradicts it, word for word.")
    followed: str = Field(description="Which of the two the model follows, and why.")


class WrittenModel(Output):
    """A domain model with what its author took for granted."""

    assumptions: list[str] = Field(description="What the material does not say, a sentence each.")
    contradictions: list[Contradiction]
    model: str = Field(description="YAML text with the one key 'model'; no code fence.")


class FieldValues(Output):
    """What the cases of one field are drawn from."""

    field: str
    values: list[str]


class WrittenValues(Output):
    """Values for fields."""

    fields: list[FieldValues]


class Insertion(Output):
    """A paragraph of the writer's own."""

    after: int = Field(description="Number of the line that it stands behind; 0: before all.")
    text: str


class Rewording(Output):
    """Another wording of a line."""

    line: int = Field(description="Number of the line.")
    text: str = Field(description="The whole line, worded anew.")


class WrittenSection(Output):
    """What a section of an SOP gets, and which of its lines are worded anew."""

    insertions: list[Insertion]
    rewordings: list[Rewording]


class ToolWords(Output):
    """What is said of an operation."""

    tool: str = Field(description="The operation's id.")
    summary: str = Field(description="Up to ten words, without a full stop.")
    description: str = Field(description="Two to four sentences.")


class FieldWords(Output):
    """What is said of a field."""

    field: str
    description: str


class ApiWords(Output):
    """The words of an API document."""

    description: str = Field(description="What the services are for.")
    tools: list[ToolWords]
    fields: list[FieldWords]


class ParameterWords(Output):
    """What is said of a parameter."""

    name: str
    description: str


class ToolspecWords(Output):
    """What is said of a tool and its parameters."""

    tool: str
    description: str = Field(description="One to three sentences.")
    parameters: list[ParameterWords]


class WrittenToolspecs(Output):
    """The words of all toolspecs."""

    tools: list[ToolspecWords]


class WrittenModule(Output):
    """A Python module."""

    module: str = Field(description="The whole source; no code fence.")


class WrittenReminders(Output):
    """Sentences that lead to reminders."""

    lead_ins: list[str] = Field(description="A whole sentence each.")


class WrittenTangents(Output):
    """Sentences about the trade, beside the matter."""

    tangents: list[str] = Field(description="One or two whole sentences each.")


class OtherTool(Output):
    """Another name for a tool."""

    same_as: str = Field(description="The name of the tool that it is another name of.")
    tool: str = Field(description="The other name: letters and digits, a small letter first.")
    description: str = Field(description="What it does, without a full stop.")


class EarlierValue(Output):
    """A value that was in force earlier."""

    constant: str = Field(description="The name of the constant.")
    value: str = Field(description="The earlier value alone, written as the present one is.")
    why: str = Field(description="A whole sentence that tells why it was changed, without figures.")


class WrittenAlternatives(Output):
    """What was used earlier, or could be used as well."""

    twins: list[OtherTool]
    earlier: list[EarlierValue]


class LabelledDetail(Output):
    """A field with labels."""

    name: str = Field(description="Small letters, digits and _.")
    description: str = Field(description="What it tells, without a full stop.")
    values: list[str] = Field(description="Two to eight labels.")


class WrittenService(Output):
    """A look-up of no use to a case, and what it returns."""

    tool: str = Field(description="Letters and digits, a small letter first.")
    description: str = Field(description="What it does, without a full stop.")
    shows: LabelledDetail


class WrittenServices(Output):
    """Look-ups of the trade that are of no use to a case."""

    services: list[WrittenService]


class WrittenDetail(LabelledDetail):
    """A field with labels, or a whole number between bounds."""

    values: list[str] = Field(description="Two to eight labels; none for a whole number.")
    lowest: int = Field(description="The least whole number; 0 where there are labels.")
    highest: int = Field(description="The greatest whole number; 0 where there are labels.")


class WrittenDetails(Output):
    """Fields of forms and of records on which no case turns."""

    form_details: list[WrittenDetail]
    record_details: list[WrittenDetail]


OUTPUTS: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        "api_texts": ApiWords,
        "complexity_alternatives": WrittenAlternatives,
        "complexity_details": WrittenDetails,
        "complexity_reminders": WrittenReminders,
        "complexity_services": WrittenServices,
        "complexity_tangents": WrittenTangents,
        "corrected_document": CorrectedDocument,
        "dataset_values": WrittenValues,
        "domain_model": WrittenModel,
        "sop_section": WrittenSection,
        "tool_code": WrittenModule,
        "toolspec_texts": WrittenToolspecs,
    }
)


def schema_of(output: str) -> dict[str, Any]:
    """Return the JSON schema of an output."""
    return OUTPUTS[output].model_json_schema()
