"""Forms of what a language model reads in an SOP: rules, edges and answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sopforge.authors.prompts.forms.form import Output


class ReadRow(Output):
    """A rule as a reader understands it."""

    when: str = Field(description="The condition; empty for the rule of all other cases.")
    then: str = Field(description="The result: a label, a number or an expression.")


class ReadDecision(Output):
    """What decides a field."""

    field: str
    hit: Literal["value", "first", "unique", "any", "sum", "min", "max", "count", "union"]
    rules: list[ReadRow]
    sentence: str = Field(description="The sentence that says so, word for word.")


class ReadTransition(Output):
    """A transition from a step."""

    when: str = Field(description="The condition; empty for the transition of all other cases.")
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
    """A sentence that can be understood in more than one sense."""

    sentence: str = Field(description="The sentence, word for word.")
    why: str = Field(description="How else it could be understood.")


class ReadSection(Output):
    """What a passage of an SOP says, as rules; what it does not say is left out."""

    decisions: list[ReadDecision]
    transitions: list[ReadTransition] = Field(description="In the order in which they are tried.")
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


class ReadSentence(Output):
    """Which statement a sentence makes."""

    id: str = Field(description="The id of the sentence.")
    differs: str = Field(
        description="How it differs from the statement nearest to it; empty where it does not."
    )
    says: str = Field(description="The id of the statement that it makes, or none.")


class ReadSentences(Output):
    """Which statement each sentence makes."""

    sentences: list[ReadSentence]


class ComplexityRating(Output):
    """How hard a procedure is for whoever has to follow it."""

    why: str = Field(
        description="What makes it as hard as that, in one sentence of 30 words at most."
    )
    score: int = Field(description="A whole number from 1 to 10.")


class RestingPassage(Output):
    """A passage of the rules, and what rests on it."""

    says: str = Field(description="A sentence or clause, word for word.")
    items: list[str] = Field(description="As in decisions.fee.R2 or policy.limit.")


class SecondReading(Output):
    """What a second reader understands a brief to decide."""

    model: str = Field(description="YAML text with the one key 'model'; no code fence.")
    sources: list[RestingPassage]


class AlignedFact(Output):
    """A fact of one reading in terms of another."""

    theirs: str = Field(description="The name of a fact of the second reading.")
    expression: str = Field(description="An expression over facts of the first reading.")


class AlignedLabel(Output):
    """A label of one reading, and that of another."""

    theirs: str
    ours: str = Field(description="The label of the first reading.")


class AlignedResult(Output):
    """A result of one reading, and which of another it is."""

    theirs: str = Field(description="The name of a result of the second reading.")
    ours: str = Field(description="The name of the result of the first reading.")
    labels: list[AlignedLabel]


class AlignedReadings(Output):
    """Which facts and results of two readings are the same."""

    fields: list[AlignedFact]
    outcomes: list[AlignedResult]
    lacking: list[str] = Field(description="Facts that the first reading does not hold at all.")


class JudgedCase(Output):
    """What a passage alone says of a case."""

    case: str = Field(description="The id of the case.")
    why: str = Field(
        description="What of the passage says so, in one sentence of 30 words at most."
    )
    result: str = Field(
        description="The result that the passage gives the case, word for word; empty if none."
    )
    excluded: list[str] = Field(
        description="The results that the passage rules out for the case, if it gives none."
    )


class JudgedCases(Output):
    """What passages alone say of their cases."""

    cases: list[JudgedCase]
