"""The shapes of ``brief.yaml`` and ``domain.yaml`` as pydantic models."""

from __future__ import annotations

import difflib
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_NAME = r"^[a-z][a-z0-9_]{0,47}$"
_TOOL_NAME = r"^[a-z][A-Za-z0-9]{0,63}$"
_IDENTIFIER = r"^[A-Za-z][A-Za-z0-9_.-]{0,47}$"
PATTERN_WORDS = {
    _NAME: "small letters, digits and _, a small letter first, at most 48",
    _TOOL_NAME: "letters and digits, a small letter first, at most 64",
    _IDENTIFIER: "letters, digits, _ . and -, a letter first, at most 48",
}

Name = Annotated[str, Field(pattern=_NAME)]
ToolName = Annotated[str, Field(pattern=_TOOL_NAME)]
Identifier = Annotated[str, Field(pattern=_IDENTIFIER)]
# Strict, for true and false would pass as 1 and 0.
Whole = Annotated[int, Field(strict=True)]
Sentence = Annotated[str, Field(min_length=1, max_length=100_000)]
Label = Annotated[str, Field(min_length=1, max_length=80)]
Percent = Annotated[Whole, Field(ge=0, le=100)]
Role = Literal["input", "observed", "derived", "outcome", "distractor"]


class Strict(BaseModel):
    """A document part in which an unknown key is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CommonField(Strict):
    """What every field says: who supplies it, what it means, and its word for missing."""

    role: Role
    description: Sentence
    label: Label | None = None
    missing: Label | None = None
    missing_share: Percent = 0
    primary: bool = False


class StringField(CommonField):
    """Opaque text, made from a pattern or taken from a pool."""

    type: Literal["string"]
    pattern: str | None = None
    pool: tuple[Label, ...] = ()
    unique: bool = False


class IntegerField(CommonField):
    """A whole number with bounds."""

    type: Literal["integer"]
    min: Whole
    max: Whole
    unit: str = ""


class NumberField(CommonField):
    """A decimal number with bounds and fixed places."""

    type: Literal["number"]
    places: Annotated[Whole, Field(ge=1, le=6)]
    min: Decimal
    max: Decimal
    unit: str = ""


class BooleanField(CommonField):
    """Yes or no; ``yes_share`` is the percentage of yes in sampled rows."""

    type: Literal["boolean"]
    yes_share: Percent = 50


class EnumField(CommonField):
    """One of the listed values, drawn with the given integer weights."""

    type: Literal["enum"]
    values: Annotated[tuple[Label, ...], Field(min_length=2)]
    weights: tuple[Annotated[Whole, Field(ge=0)], ...] | None = None


class SetField(CommonField):
    """Any of the listed values; ``empty`` is the word for none of them."""

    type: Literal["set"]
    values: Annotated[tuple[Label, ...], Field(min_length=1, max_length=30)]
    empty: Label
    member_share: Percent = 20


class DateField(CommonField):
    """A calendar day between two days."""

    type: Literal["date"]
    min: str
    max: str


FieldDocument = Annotated[
    StringField | IntegerField | NumberField | BooleanField | EnumField | SetField | DateField,
    Field(discriminator="type"),
]


class EntityDocument(Strict):
    """A kind of record: its key and its fields."""

    key: Name
    fields: dict[Name, FieldDocument]


class PolicyDocument(Strict):
    """A named constant of the policy."""

    value: Whole | Decimal
    unit: str = ""
    meaning: Sentence


class RuleDocument(Strict):
    """One rule of a decision table: a condition and a result, or the result for all other cases."""

    id: Identifier
    when: str | None = None
    then: str | int | bool | Decimal | None = None
    otherwise: str | int | bool | Decimal | None = None


class DecisionDocument(Strict):
    """A look-up (``table``, ``rows``), an expression (``value``) or rules with a hit policy."""

    description: Sentence | None = None
    table: Name | None = None
    rows: dict[Label, Whole | Decimal] | None = None
    value: str | None = None
    hit: Literal["unique", "first"] | None = None
    rules: Annotated[tuple[RuleDocument, ...], Field(min_length=1)] | None = None


class GuardDocument(Strict):
    """A node of a guard tree: a comparison (``is``) or a group of nodes."""

    id: Identifier
    is_: Annotated[str | None, Field(alias="is")] = None
    refusal: Identifier | None = None
    says: Sentence | None = None
    all: tuple[GuardDocument, ...] | None = None
    any: tuple[GuardDocument, ...] | None = None
    chain: tuple[GuardDocument, ...] | None = None


class ToolDocument(Strict):
    """A tool: what it takes, what it reveals or works out, and when it refuses."""

    kind: Literal["lookup", "compute", "action"]
    description: Sentence
    takes: Annotated[tuple[Name, ...], Field(min_length=1)]
    returns: tuple[Name, ...] = ()
    requires: GuardDocument | None = None


class EdgeDocument(Strict):
    """Where a step goes on to, and under which condition."""

    to: Name
    when: str | None = None


class StepDocument(Strict):
    """A step: calls at most one tool, decides, then goes on along the first edge that holds."""

    title: Sentence
    instruction: Sentence | None = None
    call: ToolName | None = None
    decide: tuple[Name, ...] = ()
    edges: tuple[EdgeDocument, ...] = ()
    end: dict[Name, str | int | bool | Decimal] | None = None


class ProcedureDocument(Strict):
    """The graph of steps and where it starts."""

    start: Name
    steps: dict[Name, StepDocument]


class ModelDocument(Strict):
    """The structured facts of a domain."""

    policy: dict[Name, PolicyDocument] = {}
    entities: Annotated[dict[Name, EntityDocument], Field(min_length=1, max_length=1)]
    constraints: tuple[str, ...] = ()
    decisions: dict[Name, DecisionDocument]
    tools: Annotated[dict[ToolName, ToolDocument], Field(min_length=1)]
    procedure: ProcedureDocument


class DatasetDocument(Strict):
    """How many tasks to make, from which seed, and how to mix them."""

    n_samples: Annotated[Whole, Field(ge=1, le=20_000)] = 100
    seed: Annotated[Whole, Field(ge=0)] = 0
    mix: Literal["natural", "balanced"] = "balanced"


Level = Literal["L0", "L1", "L2", "L3"]


class ComplexityDocument(Strict):
    """Which complexity levels to make."""

    levels: Annotated[tuple[Level, ...], Field(min_length=1)] = ("L0", "L1", "L2", "L3")


class BriefDocument(Strict):
    """What a person asks for."""

    format: Literal[1]
    domain: Name
    title: Sentence
    business_task: Sentence
    task_context: Sentence
    draft_sop: str | None = None
    guidelines: str = ""
    context: tuple[Sentence, ...] = ()
    model: ModelDocument
    dataset: DatasetDocument = DatasetDocument()
    complexity: ComplexityDocument = ComplexityDocument()
    author: Literal["offline"] = "offline"


class DomainDocument(Strict):
    """The schema stage's artifact: a complete model under the domain's name."""

    format: Literal[1]
    domain: Name
    title: Sentence
    business_task: Sentence
    model: ModelDocument


def suggest(name: str, known: list[str]) -> str:
    """Return "did you mean 'x'?" for the nearest known name, or nothing."""
    nearest = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{nearest[0]}'?" if nearest else ""
