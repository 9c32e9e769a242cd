"""The shape of a model: its records, decisions, tools and procedure."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from sopforge.language.domain.documents.field_schema import FieldDocument, SaidDocument
from sopforge.language.domain.documents.schema_terms import (
    Condition,
    DottedName,
    Identifier,
    Label,
    Name,
    Office,
    Percent,
    Result,
    Sentence,
    Strict,
    ToolName,
    Unit,
    Whole,
)


class EntityDocument(Strict):
    """A kind of record, with its key and fields.

    Each task is about one record of the first entity. Add another entity for records that several
    cases share, such as customers. Its ``key`` must be the name of a field in an earlier entity.
    That field is the reference to a record of the new entity. In ``dangling_share`` percent of the
    sampled rows, the reference leads to no record.

    If several references lead to records of one kind, use a [table](../tables.md) instead.
    """

    key: Name
    """The name of the field that identifies a record."""
    fields: dict[Name, FieldDocument]
    """The fields of a record, by name."""
    records: Annotated[Whole, Field(ge=1, le=20_000)] | None = None
    """The number of records from which cases choose. Set it only for an entity to which other
    records refer. The default is 1000."""
    dangling_share: Percent = 0
    """The percentage of rows in which the reference to this entity leads to no record."""


class PolicyDocument(Strict):
    """A named constant of the policy, such as a limit, a fee or a date."""

    value: Whole | Decimal | str
    """The value of the constant: a number, a date as `YYYY-MM-DD`, a time as `YYYY-MM-DD HH:MM`, or
    a duration such as `72 hours` or `1 hour and 30 minutes`."""
    unit: Unit = ""
    """The unit of the number, such as `EUR` or `days`."""
    meaning: Sentence
    """What the constant means, as a phrase such as `minimum age of a driver`. The SOP uses this
    phrase in its sentences."""


class CalendarDocument(Strict):
    """A list of holidays, which rules use to count working days.

    Saturdays and Sundays never count as working days, so you need not list them.
    """

    holidays: tuple[str, ...]
    """The dates of the holidays, as `YYYY-MM-DD`. Holidays do not count as working days."""
    meaning: Sentence
    """What the calendar means, as a phrase such as `days on which the depot is closed`. The SOP
    uses this phrase in its sentences."""


Results = Result | dict[Name, Result]


class PredicateDocument(Strict):
    """A named condition, which you can use in other conditions.

    With ``takes``, the predicate has parameters, and each use passes arguments. For example,
    ``used_up(hours_run, free_hours)`` passes two arguments.

    The SOP's rules use the clauses under ``said``. If ``said`` is unset, the rules use the
    description if it is a plain statement.
    """

    is_: Annotated[str, Field(alias="is")]
    """The condition, as an expression."""
    takes: tuple[Name, ...] = ()
    """The names of the predicate's parameters.

    A parameter stands for a field, a record, or an item of a list.
    """
    description: Sentence | None = None
    """What the condition means, as a clause such as `the tool is due for overhaul`."""
    said: SaidDocument | None = None
    """The clauses with which the SOP's rules state that the condition holds or does not hold."""


class FunctionDocument(Strict):
    """A named calculation with parameters, which conditions and values can use at several places.

    A use passes one argument for each parameter. For example, ``surcharge(parcel_weight, 12)``
    stands for the expression under ``is`` with `parcel_weight` and `12` in the place of the
    parameters.
    """

    takes: Annotated[tuple[Name, ...], Field(min_length=1)]
    """The names of the function's parameters. An argument can be any expression."""
    is_: Annotated[str, Field(alias="is")]
    """What the function gives: an expression over its parameters, fields, constants and the
    functions above it."""
    description: Sentence | None = None
    """What the function is for. Only people who read the brief see it."""


class RuleDocument(Strict):
    """One rule of a decision table.

    A rule has either a condition (``when``) and its result (``then``), or a result for all other
    cases (``otherwise``). If the table decides several fields, each result has one value per field.
    """

    id: Identifier
    """The id with which reports and explanations refer to the rule."""
    when: Condition | None = None
    """The condition under which the rule applies. Omit it in a rule with `otherwise`."""
    then: Results | None = None
    """The result if the condition holds: a value, an expression, or `missing` for no value."""
    otherwise: Results | None = None
    """The result for all other cases. Only the last rule can have this key."""


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
    """What the decision determines. Omit it if the field's description already states this."""
    scored: bool = False
    """The same setting as `scored` on the derived field. Set it in either place."""
    gives: Annotated[tuple[Name, ...], Field(min_length=2)] | None = None
    """The fields that the table decides together. Each `then` or row gives one value per field."""
    table: DottedName | tuple[DottedName, DottedName] | None = None
    """The enum field whose value SOPForge looks up, or a list of two such fields."""
    rows: Rows | None = None
    """The result for each value of the field under `table`. If `table` lists two fields, the result
    for each pair of values."""
    value: str | None = None
    """An expression that calculates the result, such as `damage_cost + late_fee`."""
    hit: Literal["unique", "first", "any", "priority", "collect"] | None = None
    """How the rules whose conditions hold give the result. `unique`: exactly one rule must apply.
    `first`: the first rule decides. `any`: all of them give the same result. `priority`: the result
    that stands first under `priority` decides. `collect`: SOPForge combines their results."""
    priority: Annotated[tuple[str, ...], Field(min_length=2)] | None = None
    """With `hit: priority`, the results from the one that goes before all others to the last. By
    default, the `values` of the field, in their order."""
    collect: Literal["sum", "min", "max", "count", "union"] | None = None
    """How `hit: collect` combines the results of the rules that apply."""
    rules: Annotated[tuple[RuleDocument, ...], Field(min_length=1)] | None = None
    """The rules of the decision table, in order."""


class GuardDocument(Strict):
    """A node of a guard: a condition (``is``) or a group of further nodes.

    If a tool's guard does not hold, the tool refuses the call.

    - A group ``any`` or ``first`` can have its own refusal. By default, it uses the refusal of its
      last condition.
    - A node ``not`` contains one node. Give the ``not`` its own refusal.
    """

    id: Identifier
    """The id with which reports and explanations refer to the node. It must be unique in the
    tool."""
    is_: Annotated[str | None, Field(alias="is")] = None
    """The condition, as an expression."""
    refusal: Identifier | None = None
    """The code with which the tool refuses the call if this node fails, such as `wrong_pin`."""
    says: Sentence | None = None
    """The reason that the tool gives for the refusal, such as `the PIN is not the one on file`."""
    all: tuple[GuardDocument, ...] | None = None
    """Nodes that must all hold. The first node that fails sets the refusal code."""
    any: tuple[GuardDocument, ...] | None = None
    """Nodes of which at least one must hold."""
    chain: tuple[GuardDocument, ...] | None = None
    """Nodes that must all hold. The tool tries them in the order of the list."""
    first: tuple[GuardDocument, ...] | None = None
    """Nodes of which at least one must hold. The tool tries them in order, and the first node that
    holds decides."""
    not_: Annotated[GuardDocument | None, Field(alias="not")] = None
    """A node that must not hold."""


class ToolDocument(Strict):
    """A tool that the agent can call.

    - To change the record, use an action. Its ``effects`` map each changed field to the new value.
    - To give an existing tool a second name, add a tool with ``same_as``. Only the name and the
      description of the two tools can differ.
    - To replace a tool, add ``replaced_by`` to the old tool. Agents must then no longer use the old
      tool.
    """

    kind: Literal["lookup", "compute", "action"]
    """What the tool does. A `lookup` reads the record. A `compute` tool calculates values. An
    `action` changes the record."""
    description: Sentence
    """What the tool does, in words such as `Look up a rental`."""
    takes: Annotated[tuple[DottedName, ...] | dict[Name, DottedName], Field(min_length=1)]
    """The tool's parameters. Give a list of fields, or a mapping of parameter names to fields."""
    returns: tuple[DottedName, ...] = ()
    """The fields whose values the tool returns."""
    requires: GuardDocument | None = None
    """The guard: the conditions under which the tool accepts a call. If the guard does not hold,
    the tool refuses the call."""
    effects: dict[DottedName, Result] = {}
    """The fields that an action changes, with the new value of each field."""
    same_as: ToolName | None = None
    """The existing tool for which this tool is another name."""
    replaced_by: ToolName | None = None
    """The tool that agents must use instead of this one."""


class EdgeDocument(Strict):
    """A transition to the next step, and the condition under which the case takes it.

    If the edge leads back to an earlier step, ``at_most`` limits how often the case can take the
    edge. Once the limit is reached, the case goes to the step under ``then``.
    """

    to: Name
    """The name of the next step."""
    when: Condition | None = None
    """The condition under which the case takes this edge. Omit it only on the last edge, which
    applies in all other cases."""
    at_most: Annotated[Whole, Field(ge=1, le=20)] | None = None
    """How many times a case can take this edge. Use it for an edge that leads back to an earlier
    step."""
    then: Name | None = None
    """The next step once the case has taken the edge `at_most` times."""
    counts: Literal["visit", "case"] | None = None
    """Whether `at_most` limits the whole case, or one visit of the loop: the count then begins anew
    each time the case enters the loop. By default, it limits the whole case; in a part, one use of
    the part."""


class StepDocument(Strict):
    """A step calls at most one tool, decides fields, and then takes the first edge that holds.

    Some steps differ from this:

    - A step with ``do`` runs a part of the procedure instead of calling a tool.
    - A step with ``end`` ends the case. Only such a step can have ``hand_to``.
    - A step with ``return`` ends a part. Only a step of a part can have this key.
    """

    title: Sentence
    """The title of the step, such as `Find the rental`."""
    by: Office | None = None
    """The role of the person who carries out this step, such as `depot clerk`."""
    instruction: Sentence | None = None
    """What the person does in addition to the tool call, such as `Ask for photos if there are
    none`. Use the terms of the trade."""
    call: ToolName | None = None
    """The name of the tool to call."""
    with_: Annotated[dict[Name, DottedName], Field(alias="with")] = {}
    """The field that the step passes to each parameter. By default, the step passes the field with
    the same name."""
    do: Name | None = None
    """The name of the part to run instead of calling a tool. After the part, the case returns to
    this step."""
    refused: dict[Identifier, Name] = {}
    """The next step for each refusal code that the tool can return."""
    decide: tuple[Name, ...] = ()
    """The fields to decide at this step, in order."""
    edges: tuple[EdgeDocument, ...] = ()
    """The transitions to the next steps. The case takes the first edge whose condition holds."""
    end: dict[Name, Result] | None = None
    """The outcomes to set, by field. The case ends at a step with this key."""
    hand_to: Office | None = None
    """The office that takes over the case at this end, such as `shift manager`."""
    return_: Annotated[Literal[True] | None, Field(alias="return")] = None
    """Ends the part at this step. The case continues at the step that ran the part."""


class PartDocument(Strict):
    """A sequence of steps that several steps of the procedure run with ``do``."""

    title: Sentence
    """The title of the part, such as `Check the customer`."""
    start: Name
    """The name of the step at which the part begins."""
    steps: dict[Name, StepDocument]
    """The steps of the part, by name. Each name must be unique in the whole procedure."""


class ProcedureDocument(Strict):
    """The steps of the procedure, and the parts that several steps run."""

    start: Name
    """The name of the step at which each case starts."""
    by: Office | None = None
    """The role of the person who carries out every step that has no `by` of its own."""
    steps: dict[Name, StepDocument]
    """The steps of the procedure, by name."""
    parts: dict[Name, PartDocument] = {}
    """Sequences of steps that you write once and run from several steps, by name."""


Share = Annotated[Whole, Field(ge=1, le=50)]


class ContradictingDocument(Strict):
    """The recorded value that an input must match, and how often the two can differ."""

    on_file: DottedName
    """The recorded value that the input must match. Write its name as in rules, for example
    `payer.owner.born_on`."""
    share: Share = 5
    """The percentage of rows in which the input can differ from the record."""


class IncompleteDocument(Strict):
    """Cases in which an entry is missing or contradicts the record.

    Use this section to test what agents do in such cases. A task leaves out an input only where the
    input matters.
    """

    lacking: dict[Name, Share] = {}
    """The inputs that a task can leave out, by name. For each input, give the percentage of
    rows."""
    contradicting: dict[Name, ContradictingDocument] = {}
    """The inputs whose stated value can contradict the record, by name."""
    answer: Literal["ask", "return", "escalate"]
    """What the agent does with an incomplete or contradictory case: ask for the entry, return the
    case, or escalate the case."""
    sets: Annotated[dict[Name, Result], Field(min_length=1)]
    """The outcomes of an incomplete or contradictory case, by field."""
    hand_to: Office | None = None
    """The office that receives the case if `answer` is `escalate`."""


class KindDocument(Strict):
    """A kind of case with fields of its own, such as requests to add a bag.

    Only cases of the kind have these fields. All other cases neither state them, nor hold them on
    file, nor report them as results. Rules that only cases of the kind come to read them without a
    test for a missing value.
    """

    title: Sentence
    """What the SOP calls the kind, such as `Add a bag`."""
    when: Condition
    """The condition under which a case is of this kind, such as `wish == 'Add bag'`. It reads only
    inputs that every case states."""
    fields: Annotated[tuple[Name, ...], Field(min_length=1)]
    """The fields of the case that only this kind has: inputs, observed and derived fields, and
    outcomes. None of them is the key or the primary outcome."""
    missing: Label = "inapplicable"  # contains neither "yes" nor "no", which a result may be
    """The word that tables and tools show where other cases have no value."""


class ModelDocument(Strict):
    """The exact rules of a domain: its records, decisions, tools and procedure."""

    policy: dict[Name, PolicyDocument] = {}
    """The constants of the policy, by name. Rules use the name, and the SOP states the value."""
    calendars: dict[Name, CalendarDocument] = {}
    """The calendars that rules use to count working days, by name."""
    entities: Annotated[dict[Name, EntityDocument], Field(min_length=1, max_length=12)]
    """The kinds of records, by name. Each task is about one record of the first kind."""
    kinds: Annotated[dict[Name, KindDocument], Field(max_length=6)] = {}
    """Kinds of cases that have fields of their own, by name."""
    predicates: dict[Name, PredicateDocument] = {}
    """Named conditions that rules, edges, guards and constraints can use, by name."""
    functions: dict[Name, FunctionDocument] = {}
    """Named calculations with parameters that all expressions can use, by name. The SOP writes them
    out where they are used."""
    constraints: tuple[str, ...] = ()
    """Conditions that every sampled record must satisfy, such as `due_on >= '2026-03-01'`."""
    decisions: dict[Name, DecisionDocument]
    """How each derived field and each outcome gets its value, by the name of the field."""
    tools: dict[ToolName, ToolDocument] = {}
    """The tools that the agent can call, by name. Without tools, the agent decides from what the
    task states."""
    procedure: ProcedureDocument
    """The steps of the work, and the step at which each case starts."""
    incomplete: IncompleteDocument | None = None
    """Which entries can be missing or contradict the record, and what the agent does in these
    cases."""
    requests: Annotated[tuple[Sentence, ...], Field(max_length=40)] = ()
    """Templates for the requests with which people submit a case. Each template must contain every
    input once, as `{field}`."""
