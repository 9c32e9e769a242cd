"""The shapes of ``brief.yaml`` and ``domain.yaml`` as pydantic models."""

from __future__ import annotations

import difflib
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sopforge.domain.stage_names import StageName
from sopforge.domain.values.likeness import Likeness

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
    _NAME: "small letters, digits and _, a small letter first, at most 48",
    _PATH: "names joined by a full stop, such as payer.balance, at most four",
    _TOOL_NAME: "letters and digits, a small letter first, at most 64",
    _IDENTIFIER: "letters, digits, _ . and -, a letter first, at most 48",
    _OFFICE: "words without figures, brackets, bars and quotation marks, at most 80 characters",
    _CELL: "one line without bars and quotation marks, at most 80 characters",
    _QUESTION: "q- and twelve digits or letters from a to f, as questions are numbered",
}

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
    """A narrower range from which ``share`` percent of the sampled values come."""

    min: Raw
    max: Raw
    share: Percent = 80


Weights = tuple[Annotated[Whole, Field(ge=0)], ...]


class NearDocument(Strict):
    """An expression near whose value ``share`` percent of the values are drawn.

    They lie between ``from`` and ``to`` beyond it: days beyond a date, minutes beyond a time.
    """

    of: str
    from_: Annotated[Whole | Decimal, Field(alias="from")]
    to: Whole | Decimal
    shape: Weights | None = None
    share: Percent = 100


class GivenDocument(Strict):
    """How a field is drawn where a condition holds; what it omits is drawn as usual."""

    when: str
    weights: Weights | None = None
    typical: TypicalDocument | None = None
    shape: Weights | None = None
    near: NearDocument | None = None
    yes_share: Percent | None = None
    member_share: Percent | None = None
    missing_share: Percent | None = None


class CommonItem(Strict):
    """What every field says: what it means, and its word for missing.

    A field of an item has no role of its own: it is supplied as its list is. The first of ``given``
    whose condition holds says how a value is drawn.
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
    """What fields say whose values have an order."""

    near: NearDocument | None = None


class FreeTextDocument(Strict):
    """A free text that presupposes something: it is drawn where ``when`` holds."""

    text: Sentence
    when: str


class StringItem(CommonItem):
    """Text made from a pattern, taken from a pool, like something that has a name, or free.

    Free text is shown and never compared.
    """

    type: Literal["string"]
    pattern: str | None = None
    pool: tuple[Label, ...] = ()
    like: Likeness | None = None
    unique: bool = False
    free_text: tuple[Sentence | FreeTextDocument, ...] = ()


class IntegerItem(OrderedItem):
    """A whole number with bounds."""

    type: Literal["integer"]
    min: Whole
    max: Whole
    unit: Unit = ""
    typical: TypicalDocument | None = None
    shape: Weights | None = None


class NumberItem(OrderedItem):
    """A decimal number with bounds and fixed places."""

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
    """The clauses that stand for yes and for no in sentences about a yes/no field."""

    yes: Sentence
    no: Sentence


class BooleanItem(CommonItem):
    """Yes or no; ``yes_share`` is the percentage of yes in sampled rows.

    ``said`` has the clauses that the SOP's rules use instead.
    """

    type: Literal["boolean"]
    yes_share: Percent = 50
    said: SaidDocument | None = None


class EnumItem(CommonItem):
    """One of the listed values, drawn with the given integer weights.

    ``said`` has the clauses that rules use instead of some of the values.
    """

    type: Literal["enum"]
    values: Annotated[tuple[Label, ...], Field(min_length=2)]
    weights: Weights | None = None
    said: dict[Label, Sentence | SaidDocument] = {}


class SetItem(CommonItem):
    """Any of the listed values; ``empty`` is the word for none of them."""

    type: Literal["set"]
    values: Annotated[tuple[Label, ...], Field(min_length=1, max_length=30)]
    empty: Label
    member_share: Percent = 20


class DateItem(OrderedItem):
    """A calendar day between two days."""

    type: Literal["date"]
    min: str
    max: str
    typical: TypicalDocument | None = None
    shape: Weights | None = None


class ListedDateItem(DateItem):
    """A calendar day of a list's item; ``said`` is what was done on it, such as "filed"."""

    said: Annotated[str, Field(max_length=80)] = ""


class ListedEnumItem(EnumItem):
    """One of the listed values in a list's item.

    ``said`` is what an item has to do with a value, such as "it was for {}", or has the clauses for
    some of the values.
    """

    said: dict[Label, Sentence | SaidDocument] | ClauseWords = {}  # type: ignore[assignment]


class DateTimeItem(OrderedItem):
    """A minute between two, written like ``2026-03-31 14:05``; no time zone."""

    type: Literal["datetime"]
    min: str
    max: str
    typical: TypicalDocument | None = None
    shape: Weights | None = None


AtomDocument = Annotated[
    StringItem
    | IntegerItem
    | NumberItem
    | BooleanItem
    | ListedEnumItem
    | SetItem
    | ListedDateItem
    | DateTimeItem,
    Field(discriminator="type"),
]


class CommonField(CommonItem):
    """What every field of a record adds: who supplies its value.

    A derived field that is ``scored`` is asked for and scored beside the outcomes. A session fact
    ``starts`` with a value, or missing where it says none.
    """

    role: Role
    scored: bool = False
    starts: Raw | None = None


class MalformedDocument(Strict):
    """In how many percent of the sampled rows a task states a malformed text: one of ``texts``.

    Without texts, it is what a slip makes of the text of a pattern that is meant.
    """

    share: Annotated[Whole, Field(ge=1, le=100)]
    texts: tuple[Label, ...] = ()


class SameAsDocument(Strict):
    """Another field, which this one equals in ``share`` percent of the rows.

    Of a reference it is another one to the same table, of a text another one of the same kind.
    """

    of: DottedName
    share: Percent = 100


class StringField(CommonField, StringItem):
    """Text; one with a pattern may be ``malformed``, ``of`` names the text that it follows from.

    ``same_as`` names another text of the same kind, which this one equals in a share of the rows.
    """

    malformed: MalformedDocument | None = None
    of: Name | None = None
    same_as: SameAsDocument | None = None


class IntegerField(CommonField, IntegerItem):
    """A whole number; ``said`` is what rules say of it, with ``{}`` for the amount."""

    said: ClauseWords = ""


class NumberField(CommonField, NumberItem):
    """A decimal number; ``said`` is what rules say of it, with ``{}`` for the amount."""

    said: ClauseWords = ""


class BooleanField(CommonField, BooleanItem):
    """Yes or no."""

    malformed: MalformedDocument | None = None


class EnumField(CommonField, EnumItem):
    """One of the listed values."""

    malformed: MalformedDocument | None = None


class SetField(CommonField, SetItem):
    """Any of the listed values."""


class DateField(CommonField, DateItem):
    """A calendar day."""

    malformed: MalformedDocument | None = None


class DateTimeField(CommonField, DateTimeItem):
    """A minute."""

    malformed: MalformedDocument | None = None


class ListField(CommonField):
    """Up to ``size`` items, such as line items or past events; ``empty`` is the word for none.

    ``shape`` weighs equal parts of the numbers of items that there can be.
    """

    type: Literal["list"]
    items: Annotated[dict[Name, AtomDocument], Field(min_length=1)]
    size: Annotated[Whole, Field(ge=1, le=20)]
    empty: Label
    shape: Weights | None = None


class ReferenceField(CommonField):
    """The key of a record of another table, ``to``; several references may lead to one record.

    In ``dangling_share`` percent of the sampled rows it leads to no record.
    """

    type: Literal["reference"]
    to: Name
    dangling_share: Percent = 0
    same_as: SameAsDocument | None = None


FieldDocument = Annotated[
    StringField
    | IntegerField
    | NumberField
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
    """A kind of record: its key and its fields.

    A task is about one record of the first entity. The key of each further one is a field of an
    entity before it: the reference that leads to one of its ``records`` records, or, in
    ``dangling_share`` percent of the sampled rows, to none.
    """

    key: Name
    fields: dict[Name, FieldDocument]
    records: Annotated[Whole, Field(ge=1, le=20_000)] | None = None
    dangling_share: Percent = 0


class PolicyDocument(Strict):
    """A named constant of the policy: a number, or a date written as year-month-day."""

    value: Whole | Decimal | str
    unit: Unit = ""
    meaning: Sentence


class CalendarDocument(Strict):
    """The holidays that are no working days, besides Saturdays and Sundays."""

    holidays: tuple[str, ...]
    meaning: Sentence


Results = Result | dict[Name, Result]


class PredicateDocument(Strict):
    """A named condition; with ``takes``, about what is in brackets where it is used.

    ``said`` has the clauses by which the SOP's rules name it; without it, the description is one
    where it is a plain statement.
    """

    is_: Annotated[str, Field(alias="is")]
    takes: tuple[Name, ...] = ()
    description: Sentence | None = None
    said: SaidDocument | None = None


class RuleDocument(Strict):
    """One rule of a decision table: a condition and a result, or the result for all other cases.

    Of a table that gives several fields, the result holds a value for each of them.
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
    """A look-up (``table``, ``rows``), an expression (``value``) or rules with a hit policy.

    A look-up takes one enum field, or a list of two. ``gives`` names the fields that one table or
    look-up gives together; it then has a name of its own. ``collect`` says what the results of all
    rules that apply are made into. ``scored`` says of the derived field what it could say itself.
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
    """A node of a guard tree: a comparison (``is``) or a group of nodes.

    A group ``any`` or ``first`` may have a refusal of its own; it is that of its last leaf
    otherwise. A ``not`` has its own refusal, and one node.
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
    """A tool: what it takes, what it reveals or works out, and when it refuses.

    An action changes the record by its ``effects``, each a field and its value from then on. A tool
    that is only another name of one says so (``same_as``): it is alike in all but its description.
    One that may not be used any more names the one that replaces it (``replaced_by``).
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
    """Where a step goes on to, and under which condition.

    An edge that leads back says how often it may be taken (``at_most``), and where the case goes
    instead when that is used up (``then``).
    """

    to: Name
    when: str | None = None
    at_most: Annotated[Whole, Field(ge=1, le=20)] | None = None
    then: Name | None = None


class StepDocument(Strict):
    """A step: calls at most one tool, decides, then goes on along the first edge that holds.

    Where the tool refuses with a code under ``refused``, the case goes to the step named there.
    At an end, ``hand_to`` names the office that takes the case over. In the place of a call, a step
    may carry out a part of the procedure (``do``); a step of a part may ``return``.
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
    """A part of the procedure that steps carry out by its name, and come back from."""

    title: Sentence
    start: Name
    steps: dict[Name, StepDocument]


class ProcedureDocument(Strict):
    """The graph of steps and where it starts, and parts that several steps carry out.

    ``by`` is the role that carries out the steps that name no other.
    """

    start: Name
    by: Office | None = None
    steps: dict[Name, StepDocument]
    parts: dict[Name, PartDocument] = {}


Share = Annotated[Whole, Field(ge=1, le=50)]


class ContradictingDocument(Strict):
    """What a record says that an input must agree with, and in how many percent it does not."""

    on_file: DottedName
    share: Share = 5


class IncompleteDocument(Strict):
    """Cases that come in with an entry lacking, or with one that contradicts what is on file.

    ``lacking`` has inputs that a task may leave out, each in so many percent of the rows; there are
    such tasks only where it matters what is lacking. ``answer`` says what becomes of these cases,
    ``sets`` their outcomes, ``hand_to`` the office that an escalated one is handed to.
    """

    lacking: dict[Name, Share] = {}
    contradicting: dict[Name, ContradictingDocument] = {}
    answer: Literal["ask", "return", "escalate"]
    sets: Annotated[dict[Name, Result], Field(min_length=1)]
    hand_to: Office | None = None


class ModelDocument(Strict):
    """The structured facts of a domain."""

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
    """What tasks must notice mistakes by, and which control paths they must take.

    Paths are all, so many, or each pair of edges; else it depends on how many there are.
    """

    noticed_by: Literal["primary", "outcomes", "trajectory"] = "outcomes"
    paths: Literal["all", "edge-pairs"] | Annotated[Whole, Field(ge=1, le=20_000)] | None = None


class DatasetDocument(Strict):
    """How many tasks to make, from which seed, how to mix them, and the share to develop on."""

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


class DosesDocument(Strict):
    """How many things each complexity operator adds at a level; else as at the level below."""

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


class DialsDocument(Strict):
    """How much of each dial the level ``dials`` has."""

    ambiguity: Dose = 0
    user: Dose = 0
    refusals: Dose = 0
    queue: Dose = 0
    writes: Dose = 0
    records: Dose = 0
    faults: Dose = 0
    documents: Annotated[Whole, Field(ge=0, le=300)] = 0


class DifficultyDocument(Strict):
    """How hard levels with dials are to be."""

    one_mistake_median: Annotated[Decimal, Field(gt=0, lt=1)]


class VariantDocument(Strict):
    """A separate domain, made from that of the brief, with its own answers.

    The ``patch``, or what is in the file of that name beside the brief, is merged into the model:
    mappings are merged, null takes a part away, all else, lists too, replaces what was there. The
    operators then add steps, split rules, and add parts, rules in an order that counts, windows on
    lists, and exceptions.
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
    """Which complexity levels to make, and other doses of the operators than the usual ones.

    A dose holds at its level and at those above, up to L3, until one of them says another.
    ``dials`` are the doses of a level of that name. For ``difficulty`` the queues of levels with
    dials are lengthened. ``variants`` are harder domains beside this one.
    """

    levels: Annotated[tuple[Level, ...], Field(min_length=1)] = ("L0", "L1", "L2", "L3")
    doses: dict[HarderLevel, DosesDocument] = {}
    dials: DialsDocument | None = None
    difficulty: DifficultyDocument | None = None
    variants: dict[Name, VariantDocument] = {}


SopForm = Literal["instruction", "manual", "policy"]


class WordingDocument(Strict):
    """The form of the SOP, and by which seed it chooses among sentences of one meaning.

    An ``instruction`` is short, a ``manual`` the full document, a ``policy`` one with annexes.
    """

    form: SopForm = "manual"
    seed: Annotated[Whole, Field(ge=0)] = 1


LicenceId = Literal[
    "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC0-1.0", "ODC-By-1.0", "Apache-2.0", "MIT"
]
Rating = Annotated[Decimal, Field(ge=1, le=10)]
Mark = Annotated[Whole, Field(ge=1, le=10)]


class RaterDocument(Strict):
    """A domain expert's rating of the SOP, on the scales of the SOP-Bench papers.

    ``ease`` of understanding, where 10 is easiest; ``ambiguity`` or implicit knowledge that it asks
    for, and ``reasoning`` that it takes, where 10 is most.
    """

    by: Sentence
    ease: Mark
    ambiguity: Mark
    reasoning: Mark


class ModelRatingDocument(Strict):
    """How hard a language model finds the SOP, on a scale where Berkeley function calling is 2."""

    by: Sentence
    score: Mark
    why: Sentence


class PackageDocument(Strict):
    """How the domain is published: what is scored, under which licence, by whom, of which day."""

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
AuthorName = Literal["offline", "anthropic", "bedrock", "openai"]


class ReaderDocument(Strict):
    """The language model that reads a brief a second time; by default as the author is set."""

    name: AuthorName | None = None
    model: Sentence | None = None
    effort: Literal["low", "medium", "high", "max"] | None = None


class AuthorDocument(Strict):
    """Who writes the artifacts: the offline author from the facts, or a language model.

    ``model`` is the model's id at its provider; a model writes the ``stages`` that are listed,
    the offline author the others. Findings go back to the model at most ``rounds`` times. With two
    ``readers``, a brief in prose is read a second time, by the ``second`` where one is named.
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
    """The SOP's data as a document; what is omitted is not written.

    The ``owner`` is the office that answers for the SOP, ``retention`` how long records are kept.
    """

    number: Cell | None = None
    owner: Office | None = None
    effective_on: Annotated[str, Field(pattern=_DAY)] | None = None
    review_every: Cell | None = None
    retention: Cell | None = None


class GatesDocument(Strict):
    """How many persons must approve each stage (by default one), and the points to examine."""

    approvers: dict[StageName, Annotated[Whole, Field(ge=1, le=99)]] = {}
    checklist: tuple[Sentence, ...] = ()

    def count_approvers(self, stage: str) -> int:
        """Return how many persons must approve a stage."""
        return {str(name): count for name, count in self.approvers.items()}.get(stage, 1)


class ContradictionDocument(Strict):
    """Two sentences of a brief that cannot both hold, and which of them the model follows."""

    first: Sentence
    second: Sentence
    followed: Sentence


class LeftOutDocument(Strict):
    """A text, by its beginning, that cases are not drawn from, and why."""

    text: Sentence
    reason: Sentence


class ValuesDocument(Strict):
    """What happened to the texts written for a field: each is kept or left out."""

    field: Name
    given: Whole
    kept: Whole
    personas: dict[str, Whole] = {}
    presupposing: Whole = 0
    left_out: tuple[LeftOutDocument, ...] = ()


class SourceDocument(Strict):
    """A passage of the brief, word for word, and the items of the model that come from it."""

    says: Sentence
    items: Annotated[tuple[str, ...], Field(min_length=1)]


class SetAsideDocument(Strict):
    """A passage of the brief, word for word, from which nothing in the model comes, and why."""

    says: Sentence
    because: Literal["example", "history", "heading", "contact", "out of scope"]


class AssumptionDocument(Strict):
    """What the author assumed, and the items of the model that depend on it."""

    says: Sentence
    items: tuple[str, ...] = ()


class RemarksDocument(Strict):
    """Where a model comes from, and what its author wants reviewers to know."""

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
    """An outcome as the brief names it: all of its labels, and its word for no value."""

    labels: Annotated[tuple[Label, ...], Field(min_length=2)] | None = None
    none: Label | None = None
    primary: bool = False


class AnswerDocument(Strict):
    """A person's answer to a question raised by two readings of the brief."""

    question: QuestionId
    case: Sentence
    says: Sentence

    @property
    def is_example(self) -> bool:
        """Whether it says what is right in its case, and nothing beyond."""
        return self.says.casefold().startswith(f"if {self.case.rstrip('.')},".casefold())


class BriefDocument(Strict):
    """A person's request; the offline author needs the ``model``, others can write it."""

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
    """The schema stage's artifact: a complete model under the domain's name."""

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
