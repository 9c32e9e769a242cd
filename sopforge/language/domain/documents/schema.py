"""The shapes of ``brief.yaml`` and ``domain.yaml`` as pydantic models."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from sopforge.extensions import list_names
from sopforge.language.domain.stage_names import StageName
from sopforge.language.domain.values.likeness import Likeness

_NAME = r"^[a-z][a-z0-9_]{0,47}$"
_TOOL_NAME = r"^[a-z][A-Za-z0-9]{0,63}$"
_PATH = r"^[a-z][a-z0-9_]{0,47}(\.[a-z][a-z0-9_]{0,47}){0,3}$"
_IDENTIFIER = r"^[A-Za-z][A-Za-z0-9_.-]{0,47}$"
# Offices stand in the SOP's sentences, where each figure is looked for among the model's.
_OFFICE = r"^[^\s\d|\"()][^\d|\"()]{0,79}$"
_DAY = r"^\d{4}-\d{2}-\d{2}$"
_CELL = r"^[^\s|\"][^|\"\n]{0,79}$"
_QUESTION = r"^q-[0-9a-f]{12}$"
PATTERN_WORDS = {
    _NAME: "at most 48 lowercase letters, digits and _, starting with a letter",
    _PATH: "at most four names joined by full stops, such as payer.balance",
    _TOOL_NAME: "at most 64 letters and digits, starting with a lowercase letter",
    _IDENTIFIER: "at most 48 letters, digits, _ . and -, starting with a letter",
    _OFFICE: "words without figures, brackets, bars and quotation marks, at most 80 characters",
    _CELL: "one line without bars and quotation marks, at most 80 characters",
    _QUESTION: "q- and twelve digits or letters from a to f",
}
PATTERN_FORMS = {
    _NAME: "lowercase letters, digits and _, starting with a letter, at most 48 characters",
    _PATH: "one to four names joined by full stops, such as payer.balance",
    _TOOL_NAME: "letters and digits, starting with a lowercase letter, at most 64 characters",
    _IDENTIFIER: "letters, digits, _, . and -, starting with a letter, at most 48 characters",
    _OFFICE: "no digits, parentheses, vertical bars or double quotes, at most 80 characters",
    _DAY: "YYYY-MM-DD",
    _CELL: "one line without vertical bars or double quotes, at most 80 characters",
    _QUESTION: "q- and 12 digits or letters from a to f",
}
"""The same for the reference, in which the type precedes the form."""

Name = Annotated[str, Field(pattern=_NAME)]
DottedName = Annotated[str, Field(pattern=_PATH)]
ToolName = Annotated[str, Field(pattern=_TOOL_NAME)]
Identifier = Annotated[str, Field(pattern=_IDENTIFIER)]
Office = Annotated[str, Field(pattern=_OFFICE)]
Cell = Annotated[str, Field(pattern=_CELL)]
QuestionId = Annotated[str, Field(pattern=_QUESTION)]
# Strict, for true and false would pass as 1 and 0.
Whole = Annotated[int, Field(strict=True)]
Sentence = Annotated[str, Field(min_length=1, max_length=100_000)]
Label = Annotated[str, Field(min_length=1, max_length=80)]
Unit = Annotated[str, AfterValidator(lambda unit: "percent" if unit == "per cent" else unit)]
"""A unit; all texts spell it alike."""
Percent = Annotated[Whole, Field(ge=0, le=100)]
Role = Literal["input", "observed", "derived", "outcome", "distractor", "secret", "session"]
Raw = str | int | bool | Decimal
Result = Raw | tuple[Label, ...]
"""What a rule, a row, an effect or an end gives; labels in a list are a set."""


class Strict(BaseModel):
    """A document part in which an unknown key is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TypicalDocument(Strict):
    """A narrower range, from which SOPForge samples ``share`` percent of the values."""

    min: Raw
    max: Raw
    share: Percent = 80


Weights = tuple[Annotated[Whole, Field(ge=0)], ...]


class NearDocument(Strict):
    """Samples a value near the value of an expression, in ``share`` percent of the rows.

    ``from`` and ``to`` set the minimum and the maximum distance from the expression's value. The
    distance is in days for a date, in minutes for a date-time, and in the field's unit for a
    number.
    """

    of: str
    from_: Annotated[Whole | Decimal, Field(alias="from")]
    to: Whole | Decimal
    shape: Weights | None = None
    share: Percent = 100


class GivenDocument(Strict):
    """Sampling settings that apply only if a condition holds.

    For each key that you omit, SOPForge uses the setting of the field.
    """

    when: str
    weights: Weights | None = None
    typical: TypicalDocument | None = None
    shape: Weights | None = None
    near: NearDocument | None = None
    yes_share: Percent | None = None
    member_share: Percent | None = None
    missing_share: Percent | None = None


class CommonItem(Strict):
    """The keys of every field, such as its meaning and its word for a missing value.

    A field of an item has no role of its own, because its list has one. The first of ``given``
    whose condition holds decides how to sample a value.
    """

    role: Role | None = None
    description: Sentence
    label: Label | None = None
    examples: tuple[Raw, ...] = ()
    missing: Label | None = None
    missing_share: Percent = 0
    primary: bool = False
    given: tuple[GivenDocument, ...] = ()


class OrderedItem(CommonItem):
    """The keys of fields whose values have an order."""

    near: NearDocument | None = None


class FreeTextDocument(Strict):
    """A sentence of free text that fits only some cases."""

    text: Sentence
    when: str


class StringItem(CommonItem):
    """A string in an item of a list.

    Set exactly one of the keys ``pattern``, ``pool``, ``like`` and ``free_text``. This key
    determines how SOPForge creates the string.
    """

    type: Literal["string"]
    pattern: str | None = None
    pool: tuple[Label, ...] = ()
    like: Likeness | None = None
    unique: bool = False
    free_text: tuple[Sentence | FreeTextDocument, ...] = ()


class IntegerItem(OrderedItem):
    """An integer from ``min`` to ``max``, in an item of a list."""

    type: Literal["integer"]
    min: Whole
    max: Whole
    unit: Unit = ""
    typical: TypicalDocument | None = None
    shape: Weights | None = None


class NumberItem(OrderedItem):
    """A number with a fixed number of decimal places, in an item of a list."""

    type: Literal["number"]
    places: Annotated[Whole, Field(ge=1, le=6)]
    min: Decimal
    max: Decimal
    unit: Unit = ""
    typical: TypicalDocument | None = None
    shape: Weights | None = None


ClauseWords = Annotated[str, Field(max_length=120)]
"""A clause with ``{}`` for an amount or a value."""


class SaidDocument(Strict):
    """The clauses that sentences of the SOP use for yes and for no."""

    yes: Sentence
    no: Sentence


class DurationItem(OrderedItem):
    """A number of minutes from ``min`` to ``max``, in an item of a list."""

    type: Literal["duration"]
    min: Whole
    max: Whole
    typical: TypicalDocument | None = None
    shape: Weights | None = None


class BooleanItem(CommonItem):
    """A yes/no value in an item of a list.

    By default, the value is yes in half of the rows. To change this, set ``yes_share``.
    """

    type: Literal["boolean"]
    yes_share: Percent = 50
    said: SaidDocument | None = None


class EnumItem(CommonItem):
    """One of the listed values, sampled with the given integer weights.

    ``said`` gives clauses that the SOP's rules use instead of some or all of the values.
    """

    type: Literal["enum"]
    values: Annotated[tuple[Label, ...], Field(min_length=2)]
    weights: Weights | None = None
    said: dict[Label, Sentence | SaidDocument] = {}


class SetItem(CommonItem):
    """Any number of the listed labels, or none of them, in an item of a list."""

    type: Literal["set"]
    values: Annotated[tuple[Label, ...], Field(min_length=1, max_length=30)]
    empty: Label
    member_share: Percent = 20


class DateItem(OrderedItem):
    """A calendar date from ``min`` to ``max``."""

    type: Literal["date"]
    min: str
    max: str
    typical: TypicalDocument | None = None
    shape: Weights | None = None


class ListedDateItem(DateItem):
    """A date in an item of a list."""

    said: Annotated[str, Field(max_length=80)] = ""


class ListedEnumItem(EnumItem):
    """One of the listed labels, in an item of a list.

    With ``said``, the SOP's rules use clauses instead of labels. A mapping of labels to clauses can
    omit labels.
    """

    said: dict[Label, Sentence | SaidDocument] | ClauseWords = {}  # type: ignore[assignment]


class DateTimeItem(OrderedItem):
    """A date and time in an item of a list, such as ``2026-03-31 14:05``, without a time zone."""

    type: Literal["datetime"]
    min: str
    max: str
    typical: TypicalDocument | None = None
    shape: Weights | None = None


AtomDocument = Annotated[
    StringItem
    | IntegerItem
    | NumberItem
    | DurationItem
    | BooleanItem
    | ListedEnumItem
    | SetItem
    | ListedDateItem
    | DateTimeItem,
    Field(discriminator="type"),
]


class CommonField(CommonItem):
    """The keys that every field of a record adds, such as the source of its value.

    The SOP asks for a derived field that is ``scored``, and SOPForge scores it like an outcome.
    ``starts`` is the initial value of a session fact; by default, it is missing.
    """

    role: Role
    scored: bool = False
    starts: Raw | None = None


class MalformedDocument(Strict):
    """A malformed value, which the task states in ``share`` percent of the sampled rows.

    Only an input can be malformed. For a date, a date-time, a yes/no field or an enum, ``texts`` is
    required.
    """

    share: Annotated[Whole, Field(ge=1, le=100)]
    texts: tuple[Label, ...] = ()


class SameAsDocument(Strict):
    """Another field that has the same value in ``share`` percent of the rows.

    For a reference, name another reference to the same table. For a string, name a string with the
    same ``pattern``, ``pool`` or ``like``.
    """

    of: DottedName
    share: Percent = 100


class StringField(CommonField, StringItem):
    """A string, such as a name, an id or a comment.

    Set exactly one of the keys ``pattern``, ``pool``, ``like`` and ``free_text``. This key
    determines how SOPForge creates the string. Only a string with a ``pattern`` can be
    ``malformed``.
    """

    malformed: MalformedDocument | None = None
    of: Name | None = None
    same_as: SameAsDocument | None = None


class IntegerField(CommonField, IntegerItem):
    """An integer from ``min`` to ``max``, such as a number of days."""

    said: ClauseWords = ""


class NumberField(CommonField, NumberItem):
    """A number with a fixed number of decimal places, such as an amount of money."""

    said: ClauseWords = ""


class DurationField(CommonField, DurationItem):
    """A number of minutes, which the SOP's rules state in hours and minutes."""


class BooleanField(CommonField, BooleanItem):
    """A value that is either yes or no."""

    malformed: MalformedDocument | None = None


class EnumField(CommonField, EnumItem):
    """One of the listed labels, such as a type of tool."""

    malformed: MalformedDocument | None = None


class SetField(CommonField, SetItem):
    """Any number of the listed labels, or none of them."""


class DateField(CommonField, DateItem):
    """A calendar date, such as ``2026-03-31``."""

    malformed: MalformedDocument | None = None


class DateTimeField(CommonField, DateTimeItem):
    """A date and time to the minute, such as ``2026-03-31 14:05``, without a time zone."""

    malformed: MalformedDocument | None = None


class ListField(CommonField):
    """A list of up to ``size`` items, such as line items or past events.

    All items have the same fields, which you declare under ``items``.
    """

    type: Literal["list"]
    items: Annotated[dict[Name, AtomDocument], Field(min_length=1)]
    size: Annotated[Whole, Field(ge=1, le=20)]
    empty: Label
    shape: Weights | None = None


class ReferenceField(CommonField):
    """A reference to a record in a [table](../tables.md), by the record's key.

    Several references can lead to the same record. If a reference leads to no record, tools that
    take the reference refuse the call with the code ``unknown_record``.
    """

    type: Literal["reference"]
    to: Name
    dangling_share: Percent = 0
    same_as: SameAsDocument | None = None


FieldDocument = Annotated[
    StringField
    | IntegerField
    | NumberField
    | DurationField
    | BooleanField
    | EnumField
    | SetField
    | DateField
    | DateTimeField
    | ListField
    | ReferenceField,
    Field(discriminator="type"),
]


class EntityDocument(Strict):
    """A kind of record, with its key and fields.

    Each task is about one record of the first entity. Add another entity for records that several
    cases share, such as customers. Its ``key`` must be the name of a field in an earlier entity.
    That field is the reference to a record of the new entity. In ``dangling_share`` percent of the
    sampled rows, the reference leads to no record.

    If several references lead to records of one kind, use a [table](../tables.md) instead.
    """

    key: Name
    fields: dict[Name, FieldDocument]
    records: Annotated[Whole, Field(ge=1, le=20_000)] | None = None
    dangling_share: Percent = 0


class PolicyDocument(Strict):
    """A named constant of the policy, such as a limit, a fee or a date."""

    value: Whole | Decimal | str
    unit: Unit = ""
    meaning: Sentence


class CalendarDocument(Strict):
    """A list of holidays, which rules use to count working days.

    Saturdays and Sundays never count as working days, so you need not list them.
    """

    holidays: tuple[str, ...]
    meaning: Sentence


Results = Result | dict[Name, Result]


class PredicateDocument(Strict):
    """A named condition, which you can use in other conditions.

    With ``takes``, the predicate has parameters, and each use passes arguments. For example,
    ``used_up(hours_run, free_hours)`` passes two arguments.

    The SOP's rules use the clauses under ``said``. If ``said`` is unset, the rules use the
    description if it is a plain statement.
    """

    is_: Annotated[str, Field(alias="is")]
    takes: tuple[Name, ...] = ()
    description: Sentence | None = None
    said: SaidDocument | None = None


class RuleDocument(Strict):
    """One rule of a decision table.

    A rule has either a condition (``when``) and its result (``then``), or a result for all other
    cases (``otherwise``). If the table decides several fields, each result has one value per field.
    """

    id: Identifier
    when: str | None = None
    then: Results | None = None
    otherwise: Results | None = None


Rows = (
    dict[Label, Result]
    | dict[Label, dict[Label, Result]]
    | dict[Label, dict[Label, dict[Name, Result]]]
)


class DecisionDocument(Strict):
    """How a field gets its value: from a look-up, an expression, or rules.

    Choose one of these forms:

    - For a look-up, set ``table`` and ``rows``.
    - For an expression, set ``value``.
    - For rules, set ``rules`` and ``hit``. With ``hit: collect``, also set ``collect``.

    To decide several fields with one look-up or one table of rules, list the fields under
    ``gives``. The decision then has a name of its own instead of a field's name.
    """

    description: Sentence | None = None
    scored: bool = False
    gives: Annotated[tuple[Name, ...], Field(min_length=2)] | None = None
    table: DottedName | tuple[DottedName, DottedName] | None = None
    rows: Rows | None = None
    value: str | None = None
    hit: Literal["unique", "first", "any", "collect"] | None = None
    collect: Literal["sum", "min", "max", "count", "union"] | None = None
    rules: Annotated[tuple[RuleDocument, ...], Field(min_length=1)] | None = None


class GuardDocument(Strict):
    """A node of a guard: a condition (``is``) or a group of further nodes.

    If a tool's guard does not hold, the tool refuses the call.

    - A group ``any`` or ``first`` can have its own refusal. By default, it uses the refusal of its
      last condition.
    - A node ``not`` contains one node. Give the ``not`` its own refusal.
    """

    id: Identifier
    is_: Annotated[str | None, Field(alias="is")] = None
    refusal: Identifier | None = None
    says: Sentence | None = None
    all: tuple[GuardDocument, ...] | None = None
    any: tuple[GuardDocument, ...] | None = None
    chain: tuple[GuardDocument, ...] | None = None
    first: tuple[GuardDocument, ...] | None = None
    not_: Annotated[GuardDocument | None, Field(alias="not")] = None


class ToolDocument(Strict):
    """A tool that the agent can call.

    - To change the record, use an action. Its ``effects`` map each changed field to the new value.
    - To give an existing tool a second name, add a tool with ``same_as``. Only the name and the
      description of the two tools can differ.
    - To replace a tool, add ``replaced_by`` to the old tool. Agents must then no longer use the old
      tool.
    """

    kind: Literal["lookup", "compute", "action"]
    description: Sentence
    takes: Annotated[tuple[DottedName, ...] | dict[Name, DottedName], Field(min_length=1)]
    returns: tuple[DottedName, ...] = ()
    requires: GuardDocument | None = None
    effects: dict[DottedName, Result] = {}
    same_as: ToolName | None = None
    replaced_by: ToolName | None = None


class EdgeDocument(Strict):
    """A transition to the next step, and the condition under which the case takes it.

    If the edge leads back to an earlier step, ``at_most`` limits how often the case can take the
    edge. Once the limit is reached, the case goes to the step under ``then``.
    """

    to: Name
    when: str | None = None
    at_most: Annotated[Whole, Field(ge=1, le=20)] | None = None
    then: Name | None = None


class StepDocument(Strict):
    """A step calls at most one tool, decides fields, and then takes the first edge that holds.

    Some steps differ from this:

    - A step with ``do`` runs a part of the procedure instead of calling a tool.
    - A step with ``end`` ends the case. Only such a step can have ``hand_to``.
    - A step with ``return`` ends a part. Only a step of a part can have this key.
    """

    title: Sentence
    by: Office | None = None
    instruction: Sentence | None = None
    call: ToolName | None = None
    with_: Annotated[dict[Name, DottedName], Field(alias="with")] = {}
    do: Name | None = None
    refused: dict[Identifier, Name] = {}
    decide: tuple[Name, ...] = ()
    edges: tuple[EdgeDocument, ...] = ()
    end: dict[Name, Result] | None = None
    hand_to: Office | None = None
    return_: Annotated[Literal[True] | None, Field(alias="return")] = None


class PartDocument(Strict):
    """A sequence of steps that several steps of the procedure run with ``do``."""

    title: Sentence
    start: Name
    steps: dict[Name, StepDocument]


class ProcedureDocument(Strict):
    """The steps of the procedure, and the parts that several steps run."""

    start: Name
    by: Office | None = None
    steps: dict[Name, StepDocument]
    parts: dict[Name, PartDocument] = {}


Share = Annotated[Whole, Field(ge=1, le=50)]


class ContradictingDocument(Strict):
    """The recorded value that an input must match, and how often the two can differ."""

    on_file: DottedName
    share: Share = 5


class IncompleteDocument(Strict):
    """Cases in which an entry is missing or contradicts the record.

    Use this section to test what agents do in such cases. A task leaves out an input only where the
    input matters.
    """

    lacking: dict[Name, Share] = {}
    contradicting: dict[Name, ContradictingDocument] = {}
    answer: Literal["ask", "return", "escalate"]
    sets: Annotated[dict[Name, Result], Field(min_length=1)]
    hand_to: Office | None = None


class ModelDocument(Strict):
    """The exact rules of a domain: its records, decisions, tools and procedure."""

    policy: dict[Name, PolicyDocument] = {}
    calendars: dict[Name, CalendarDocument] = {}
    entities: Annotated[dict[Name, EntityDocument], Field(min_length=1, max_length=12)]
    predicates: dict[Name, PredicateDocument] = {}
    constraints: tuple[str, ...] = ()
    decisions: dict[Name, DecisionDocument]
    tools: Annotated[dict[ToolName, ToolDocument], Field(min_length=1)]
    procedure: ProcedureDocument
    incomplete: IncompleteDocument | None = None
    requests: Annotated[tuple[Sentence, ...], Field(max_length=40)] = ()


class CoverageDocument(Strict):
    """Which mistakes the tasks must reveal, and which paths need a task.

    If ``paths`` is unset, every path needs a task, provided that there are at most half as many
    paths as tasks.
    """

    noticed_by: Literal["primary", "outcomes", "trajectory"] = "outcomes"
    paths: Literal["all", "edge-pairs"] | Annotated[Whole, Field(ge=1, le=20_000)] | None = None


class DatasetDocument(Strict):
    """The number of tasks, and how SOPForge selects them."""

    n_samples: Annotated[Whole, Field(ge=1, le=20_000)] = 100
    seed: Annotated[Whole, Field(ge=0)] = 0
    mix: Literal["natural", "balanced", "outcomes"] = "balanced"
    dev_share: Percent = 20
    coverage: CoverageDocument = CoverageDocument()


TextLevel = Literal["L0", "L1", "L2", "L3"]
DialLevel = Literal["L4", "L5", "L6", "dials"]
Level = Literal["L0", "L1", "L2", "L3", "L4", "L5", "L6", "dials"]
HarderLevel = Literal["L1", "L2", "L3"]
Dose = Annotated[Whole, Field(ge=0, le=64)]


class _OwnDoses(Strict):
    """How many items each complexity operator adds at one level.

    A complexity operator makes one kind of addition ([complexity.md](../complexity.md)). If you
    omit a dose, the dose of the next lower level applies.
    """

    cross_references: Dose | None = None
    indirect_thresholds: Dose | None = None
    redundant_detail: Dose | None = None
    redundant_rules: Dose | None = None
    superseded: Dose | None = None
    tangents: Dose | None = None
    equivalent_tools: Dose | None = None
    partial_tools: Dose | None = None
    superseded_tools: Dose | None = None
    general_tools: Dose | None = None
    distractor_inputs: Dose | None = None
    distractor_returns: Dose | None = None


if TYPE_CHECKING:
    DosesDocument = _OwnDoses
else:
    # Those of operators that others add are keys like any other.
    DosesDocument = create_model(
        "DosesDocument",
        __base__=_OwnDoses,
        __doc__=_OwnDoses.__doc__,
        __module__=__name__,
        **dict.fromkeys(list_names("operators"), (Dose | None, None)),
    )


DIALS: Mapping[str, int] = {
    **dict.fromkeys(("ambiguity", "user", "refusals", "queue", "writes", "records", "faults"), 64),
    "documents": 300,
    **dict.fromkeys(list_names("dials"), 64),
}
"""The largest dose of each dial."""


class _OwnDials(Strict):
    """The dose of each dial at the level ``dials``.

    A dial makes the session harder, for example through failing tools ([dials.md](../dials.md)).
    """


if TYPE_CHECKING:
    DialsDocument = _OwnDials
else:
    DialsDocument = create_model(
        "DialsDocument",
        __base__=_OwnDials,
        __doc__=_OwnDials.__doc__,
        __module__=__name__,
        **{name: (Annotated[Whole, Field(ge=0, le=most)], 0) for name, most in DIALS.items()},
    )


class DifficultyDocument(Strict):
    """How difficult the levels with dials must be."""

    one_mistake_median: Annotated[Decimal, Field(gt=0, lt=1)]


class VariantDocument(Strict):
    """A separate domain that SOPForge derives from the brief's domain. It has its own answers.

    SOPForge first merges ``patch`` into the model:

    - It merges mappings key by key.
    - It removes an item whose value in the patch is null.
    - It replaces any other value, including a list.

    SOPForge then adds steps, rules, parts and exceptions. The ``more_`` keys set their numbers.
    """

    title: Sentence | None = None
    business_task: Sentence | None = None
    patch: dict[Name, object] | Sentence = {}
    more_steps: Annotated[Whole, Field(ge=0, le=8)] = 0
    more_branches: Annotated[Whole, Field(ge=0, le=8)] = 0
    more_parts: Annotated[Whole, Field(ge=0, le=3)] = 0
    more_order: Annotated[Whole, Field(ge=0, le=8)] = 0
    more_windows: Annotated[Whole, Field(ge=0, le=8)] = 0
    more_exceptions: Annotated[Whole, Field(ge=0, le=8)] = 0


class ComplexityDocument(Strict):
    """The complexity levels to build, and doses that differ from the defaults.

    - To change how much L1, L2 and L3 add, set ``doses``. A dose also applies to higher levels up
      to L3, until one of them sets another dose.
    - To make sessions harder, for example with failing tools, set ``dials``.
    - To reach a certain difficulty at the levels with dials, set ``difficulty``.
    - To build harder domains in addition to this one, set ``variants``.
    """

    levels: Annotated[tuple[Level, ...], Field(min_length=1)] = ("L0", "L1", "L2", "L3")
    doses: dict[HarderLevel, DosesDocument] = {}
    dials: DialsDocument | None = None
    difficulty: DifficultyDocument | None = None
    variants: dict[Name, VariantDocument] = {}


SopForm = Literal["instruction", "manual", "policy"]


class WordingDocument(Strict):
    """The form of the SOP, and what it says of itself."""

    form: SopForm = "manual"
    purpose: str = ""
    scope: str = ""
    seed: Annotated[Whole, Field(ge=0)] = 1


LicenceId = Literal[
    "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC0-1.0", "ODC-By-1.0", "Apache-2.0", "MIT"
]
Rating = Annotated[Decimal, Field(ge=1, le=10)]
Mark = Annotated[Whole, Field(ge=1, le=10)]


class RaterDocument(Strict):
    """A domain expert's rating of the SOP, on the scales of the SOP-Bench papers.

    The three scales go in different directions: an easy SOP has a high ``ease``, but a low
    ``ambiguity`` and a low ``reasoning``.
    """

    by: Sentence
    ease: Mark
    ambiguity: Mark
    reasoning: Mark


class ModelRatingDocument(Strict):
    """A language model's rating of how hard the SOP is."""

    by: Sentence
    score: Mark
    why: Sentence


class PackageDocument(Strict):
    """How SOPForge publishes the domain: the scored outputs, licence, authors and date."""

    outputs: Literal["primary", "all"] = "primary"
    licence: LicenceId = "CC-BY-4.0"
    authors: tuple[Sentence, ...] = ()
    released: Annotated[str, Field(pattern=_DAY)] | None = None
    complexity_score: Rating | None = None
    human_complexity: Rating | None = None
    ratings: tuple[RaterDocument, ...] = ()
    model_ratings: tuple[ModelRatingDocument, ...] = ()

    def as_terms(self) -> dict[str, object]:
        """Return the terms as a release pins them: ratings only where there are any.

        So a release that was made before there were ratings has the same terms as ever.
        """
        terms = self.model_dump(mode="json")
        absent = {name for name in ("ratings", "model_ratings") if not terms[name]}
        return {name: value for name, value in terms.items() if name not in absent}


WrittenStage = Literal["schema", "sop", "dataset", "api", "toolspec", "tools", "complexity"]
_OwnAuthor = Literal["offline", "anthropic", "bedrock", "openai"]
if TYPE_CHECKING:
    AuthorName = _OwnAuthor
else:
    AuthorName = Literal[(_OwnAuthor, *list_names("providers"))]


class ReaderDocument(Strict):
    """The language model that reads a brief a second time.

    For each key that you omit, SOPForge uses the author's setting.
    """

    name: AuthorName | None = None
    model: Sentence | None = None
    effort: Literal["low", "medium", "high", "max"] | None = None


class AuthorDocument(Strict):
    """Who writes the artifacts: the offline author or a language model.

    The offline author is part of SOPForge and uses no language model.

    - To use a language model, set ``name`` to its provider and ``model`` to its id.
    - To let the offline author write some of the stages, list only the other stages under
      ``stages``.
    - To have a second reader read a prose brief too, set ``readers: 2``. To use another language
      model for this reader, set ``second``.
    """

    name: AuthorName
    model: Sentence | None = None
    effort: Literal["low", "medium", "high", "max"] | None = None
    rounds: Annotated[Whole, Field(ge=0, le=8)] = 3
    readers: Annotated[Whole, Field(ge=1, le=2)] = 1
    second: ReaderDocument = ReaderDocument()
    stages: Annotated[tuple[WrittenStage, ...], Field(min_length=1)] = (
        "schema",
        "sop",
        "api",
        "toolspec",
        "tools",
        "complexity",
    )

    @property
    def second_reader(self) -> AuthorDocument:
        """Who reads a brief a second time, with all settings."""
        named = self.second.model_dump(exclude_none=True)
        return self.model_copy(update={**named, "second": ReaderDocument()})


class ControlDocument(Strict):
    """Data about the SOP as a document. The SOP mentions only the keys that you set."""

    number: Cell | None = None
    owner: Office | None = None
    effective_on: Annotated[str, Field(pattern=_DAY)] | None = None
    review_every: Cell | None = None
    retention: Cell | None = None


class SettingDocument(Strict):
    """Who works by the procedure, and with what. The levels write about these people and things."""

    worker: Office | None = None
    roles: tuple[Office, ...] = ()
    offices: tuple[Office, ...] = ()
    systems: tuple[Office, ...] = ()
    papers: tuple[Office, ...] = ()


UNDECLARED = SettingDocument()


class GatesDocument(Strict):
    """How many people must approve each stage, and which points they must examine."""

    approvers: dict[StageName, Annotated[Whole, Field(ge=1, le=99)]] = {}
    checklist: tuple[Sentence, ...] = ()

    def count_approvers(self, stage: str) -> int:
        """Return how many persons must approve a stage."""
        return {str(name): count for name, count in self.approvers.items()}.get(stage, 1)


class ContradictionDocument(Strict):
    """Two sentences of the brief that contradict each other, and the one that the model follows."""

    first: Sentence
    second: Sentence
    followed: Sentence


class LeftOutDocument(Strict):
    """The beginning of a rejected text, and the reason why SOPForge rejected the text."""

    text: Sentence
    reason: Sentence


class ValuesDocument(Strict):
    """How many texts a language model wrote for a field, and how many of them SOPForge uses."""

    field: Name
    given: Whole
    kept: Whole
    personas: dict[str, Whole] = {}
    presupposing: Whole = 0
    left_out: tuple[LeftOutDocument, ...] = ()


class SourceDocument(Strict):
    """A passage of the brief, and the items of the model that come from it, such as rules."""

    says: Sentence
    items: Annotated[tuple[str, ...], Field(min_length=1)]


class SetAsideDocument(Strict):
    """A passage of the brief from which no item of the model comes, and the reason."""

    says: Sentence
    because: Literal["example", "history", "heading", "contact", "out of scope"]


class AssumptionDocument(Strict):
    """What the author assumed, and the items of the model that depend on it."""

    says: Sentence
    items: tuple[str, ...] = ()


class RemarksDocument(Strict):
    """What the model's author reports to reviewers about the brief and the model.

    For example, ``sources`` quotes the passage from which each rule comes. SOPForge compares the
    passages with the model ([sources.md](../sources.md)).
    """

    sources: tuple[SourceDocument, ...] = ()
    set_aside: tuple[SetAsideDocument, ...] = ()
    assumptions: tuple[Sentence | AssumptionDocument, ...] = ()
    contradictions: tuple[ContradictionDocument, ...] = ()
    values: tuple[ValuesDocument, ...] = ()

    @property
    def assumed(self) -> tuple[AssumptionDocument, ...]:
        """What was taken for granted; where an assumption is a sentence alone, no item is named."""
        return tuple(
            item if isinstance(item, AssumptionDocument) else AssumptionDocument(says=item)
            for item in self.assumptions
        )


class NamedOutcomeDocument(Strict):
    """An outcome that the model must have, with its labels and its word for no value."""

    labels: Annotated[tuple[Label, ...], Field(min_length=2)] | None = None
    none: Label | None = None
    primary: bool = False


class AnswerDocument(Strict):
    """A person's answer to a question on which readers of the brief differ."""

    question: QuestionId
    case: Sentence
    says: Sentence

    @property
    def is_example(self) -> bool:
        """Whether it says what is right in its case, and nothing beyond."""
        return self.says.casefold().startswith(f"if {self.case.rstrip('.')},".casefold())


class BriefDocument(Strict):
    """A request for a domain, in prose and, optionally, as exact rules.

    If you write the rules under ``model``, you can use the offline author. Otherwise, set
    ``author`` to a language model, which then writes the rules.
    """

    format: Literal[1]
    domain: Name
    title: Sentence
    business_task: Sentence
    task_context: Sentence
    draft_sop: str | None = None
    guidelines: str = ""
    context: tuple[Sentence, ...] = ()
    answers: tuple[AnswerDocument, ...] = ()
    outcomes: dict[Sentence, NamedOutcomeDocument] = {}
    remarks: RemarksDocument = RemarksDocument()
    model: ModelDocument | None = None
    document: ControlDocument = ControlDocument()
    setting: SettingDocument = SettingDocument()
    sop: WordingDocument = WordingDocument()
    dataset: DatasetDocument = DatasetDocument()
    complexity: ComplexityDocument = ComplexityDocument()
    package: PackageDocument = PackageDocument()
    gates: GatesDocument = GatesDocument()
    author: AuthorName | AuthorDocument = "offline"

    @property
    def additions(self) -> tuple[str, ...]:
        """What was added in prose later: the context, then the answers, each in its order."""
        return (*self.context, *(item.says for item in self.answers))

    @property
    def writer(self) -> AuthorDocument:
        """Who writes, with all settings; a model that the brief states is settled."""
        author = self.author
        writer = author if isinstance(author, AuthorDocument) else AuthorDocument(name=author)
        if self.model is None:
            return writer
        others = tuple(stage for stage in writer.stages if stage != "schema")
        return writer.model_copy(update={"stages": others})


class DomainDocument(Strict):
    """The artifact of the schema stage: a complete model under the domain's name."""

    format: Literal[1]
    domain: Name
    title: Sentence
    business_task: Sentence
    remarks: RemarksDocument = RemarksDocument()
    model: ModelDocument


def suggest(name: str, known: list[str]) -> str:
    """Return "did you mean 'x'?" for the nearest known name, or nothing."""
    nearest = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{nearest[0]}'?" if nearest else ""
