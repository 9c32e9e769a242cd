"""The shapes of ``brief.yaml`` and ``domain.yaml`` as pydantic models; faults with their lines."""

from __future__ import annotations

import difflib
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from sopforge.domain.documents import Document, Path
from sopforge.errors import Fault, MaterialError

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
ToolName = Annotated[str, Field(pattern=r"^[a-z][A-Za-z0-9]{0,63}$")]
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,47}$")]
Sentence = Annotated[str, Field(min_length=1, max_length=100_000)]
Label = Annotated[str, Field(min_length=1, max_length=80)]
Percent = Annotated[int, Field(ge=0, le=100)]
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
    min: int
    max: int
    unit: str = ""


class NumberField(CommonField):
    """A decimal number with bounds and fixed places."""

    type: Literal["number"]
    places: Annotated[int, Field(ge=1, le=6)]
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
    weights: tuple[Annotated[int, Field(ge=0)], ...] | None = None


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

    value: int | Decimal
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
    rows: dict[Label, int | Decimal] | None = None
    value: str | None = None
    hit: Literal["unique", "first"] | None = None
    rules: tuple[RuleDocument, ...] | None = None


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

    n_samples: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    seed: Annotated[int, Field(ge=0)] = 0
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


Shape = TypeVar("Shape", bound=BaseModel)
Annotation: TypeAlias = Any  # whatever may stand in a type annotation


def validate(document: Document, shape: type[Shape]) -> Shape:
    """Return the document as ``shape``.

    Raises:
        MaterialError: with one fault, and its line, for each place that does not fit.
    """
    try:
        return shape.model_validate(document.value)
    except ValidationError as cause:
        faults = [_fault(document, shape, entry) for entry in cause.errors()]
        raise MaterialError(*faults) from cause


def _fault(document: Document, shape: type[BaseModel], entry: ErrorDetails) -> Fault:
    owner, path = _resolve(shape, entry["loc"])
    where = document.where(path)
    match entry["type"]:
        case "extra_forbidden":
            known = _field_names(owner)
            message = f"no field '{path[-1]}'; fields are {', '.join(known)}"
            return Fault("unknown-field", message, where, suggest(str(path[-1]), known))
        case "missing":
            return Fault("missing-field", f"'{path[-1]}' is required here", where, "add it")
        case _:
            found = "" if isinstance(entry["input"], dict | list) else f", found {entry['input']!r}"
            return Fault("invalid-value", f"{entry['msg']}{found}", where)


def suggest(name: str, known: list[str]) -> str:
    """Return "did you mean 'x'?" for the nearest known name, or nothing."""
    nearest = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{nearest[0]}'?" if nearest else ""


def _field_names(shape: type[BaseModel] | None) -> list[str]:
    return [info.alias or name for name, info in shape.model_fields.items()] if shape else []


def _resolve(shape: type[BaseModel], loc: Path) -> tuple[type[BaseModel] | None, Path]:
    """Return the innermost model class that ``loc`` passes, and ``loc`` without union tags."""
    kind: Annotation = shape
    owner: type[BaseModel] | None = shape
    path: list[str | int] = []
    for part in loc:
        tagged = _tagged_member(kind, part)
        if tagged is not None:
            kind = owner = tagged
            continue
        kind = _inner(kind, part)
        path.append(part)
        if _model_of(kind) is not None:
            owner = _model_of(kind)
    return owner, tuple(path)


def _model_of(kind: Annotation) -> type[BaseModel] | None:
    candidates = (kind, *get_args(kind))
    models = [item for item in candidates if isinstance(item, type) and issubclass(item, BaseModel)]
    return models[0] if len(models) == 1 else None


def _tagged_member(kind: Annotation, part: str | int) -> type[BaseModel] | None:
    for member in get_args(get_args(kind)[0]) if _origin(kind) is Annotated else get_args(kind):
        info = member.model_fields.get("type") if hasattr(member, "model_fields") else None
        if info is not None and part in get_args(info.annotation):
            found: type[BaseModel] = member
            return found
    return None


def _inner(kind: Annotation, part: str | int) -> Annotation:
    model = _model_of(kind)
    if model is not None:
        by_alias = {info.alias or name: info for name, info in model.model_fields.items()}
        return by_alias[str(part)].annotation if part in by_alias else None
    arguments = get_args(kind)
    if _origin(kind) is Annotated:
        return _inner(arguments[0], part)
    return arguments[-1 if _origin(kind) is dict else 0] if arguments else None


def _origin(kind: Annotation) -> object:
    return get_origin(kind)
