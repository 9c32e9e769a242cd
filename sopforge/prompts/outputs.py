"""The forms that answers are asked in; templates name them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

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


class WrittenValue(Output):
    """A text that cases may show."""

    text: str
    persona: str = Field(description="Who says it, as listed; empty for a name.")
    end: str = Field(description="The way a case may end that it was written for; empty for none.")


class FieldValues(Output):
    """What the cases of one field are drawn from."""

    field: str
    values: list[WrittenValue]


class WrittenValues(Output):
    """Values for fields."""

    fields: list[FieldValues]


class WrittenCell(Output):
    """What a case states of a field."""

    field: str
    text: str


class WrittenCase(Output):
    """A case: all of its fields, and no answer."""

    cells: list[WrittenCell]


class WrittenCases(Output):
    """Cases of one way through the procedure."""

    rows: list[WrittenCase]


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


class ReadRow(Output):
    """A rule as a reader understands it."""

    when: str = Field(description="The condition; empty for the rule of all other cases.")
    then: str = Field(description="The result: a label, a number or an expression.")


class ReadDecision(Output):
    """What decides a field."""

    field: str
    hit: Literal["value", "first", "unique", "any", "sum", "min", "max", "count"]
    rules: list[ReadRow]
    sentence: str = Field(description="The sentence that says so, word for word.")


class ReadWay(Output):
    """A way on from a step."""

    when: str = Field(description="The condition; empty for the way of all other cases.")
    to: str = Field(description="The number of the step that it leads to, such as 6.2.")
    at_most: int = Field(description="How often it may be taken; 0 where nothing is said.")
    then: str = Field(description="The step after that; empty where nothing is said.")
    sentence: str = Field(description="The sentence that says so, word for word.")


class ReadRefusal(Output):
    """Where a case goes after a refusal."""

    code: str
    to: str = Field(description="The number of the step.")
    sentence: str = Field(description="The sentence that says so, word for word.")


class ReadGuard(Output):
    """What a tool checks before it answers."""

    tool: str
    condition: str = Field(description="What must hold, or the tool refuses.")
    refusal: str = Field(description="The code.")
    sentence: str = Field(description="The sentence that says so, word for word.")


class ReadValue(Output):
    """What a field is set to."""

    field: str
    value: str
    sentence: str = Field(description="The sentence that says so, word for word.")


class Unclear(Output):
    """A sentence that can be understood in more than one way."""

    sentence: str = Field(description="The sentence, word for word.")
    why: str = Field(description="How else it could be understood.")


class ReadSection(Output):
    """What a passage of an SOP says, as rules; what it does not say is left out."""

    decisions: list[ReadDecision]
    ways: list[ReadWay] = Field(description="In the order in which they are tried.")
    refused: list[ReadRefusal]
    guards: list[ReadGuard]
    effects: list[ReadValue] = Field(description="What a call sets on file.")
    ends: list[ReadValue] = Field(description="What is set where the procedure ends.")
    unclear: list[Unclear]


class LabelledOutcome(Output):
    """A result of a task."""

    name: str
    value: str


class LabelledTask(Output):
    """What a task comes to by the SOP."""

    task: str = Field(description="The task's id.")
    steps: list[str] = Field(description="The numbers of the steps, in the order they were taken.")
    outcomes: list[LabelledOutcome]
    unclear: list[Unclear] = Field(description="Sentences that the answer hangs on in doubt.")


class LabelledTasks(Output):
    """What each task comes to."""

    tasks: list[LabelledTask]


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
        "back_translation": ReadSection,
        "complexity_alternatives": WrittenAlternatives,
        "complexity_details": WrittenDetails,
        "complexity_reminders": WrittenReminders,
        "complexity_services": WrittenServices,
        "complexity_tangents": WrittenTangents,
        "corrected_document": CorrectedDocument,
        "dataset_rows": WrittenCases,
        "dataset_values": WrittenValues,
        "domain_model": WrittenModel,
        "independent_labelling": LabelledTasks,
        "sop_section": WrittenSection,
        "tool_code": WrittenModule,
        "toolspec_texts": WrittenToolspecs,
    }
)


def schema_of(output: str) -> dict[str, Any]:
    """Return the JSON schema of an output."""
    return OUTPUTS[output].model_json_schema()
