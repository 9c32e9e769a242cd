"""The shapes of fields, and of how SOPForge samples their values."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from sopforge.language.domain.documents.schema_terms import (
    DottedName,
    Label,
    Name,
    Percent,
    Raw,
    Role,
    Sentence,
    Strict,
    Unit,
    Whole,
)
from sopforge.language.domain.values.likeness import Likeness


class TypicalDocument(Strict):
    """A narrower range, from which SOPForge samples ``share`` percent of the values."""

    min: Raw
    """The lowest value of the narrower range."""
    max: Raw
    """The highest value of the narrower range."""
    share: Percent = 80
    """The percentage of values that SOPForge samples from the narrower range."""


Weights = tuple[Annotated[Whole, Field(ge=0)], ...]


class NearDocument(Strict):
    """Samples a value near the value of an expression, in ``share`` percent of the rows.

    ``from`` and ``to`` set the minimum and the maximum distance from the expression's value. The
    distance is in days for a date, in minutes for a date-time, and in the field's unit for a
    number.
    """

    of: str
    """The expression. It can read fields that you declare above this field."""
    from_: Annotated[Whole | Decimal, Field(alias="from")]
    """The minimum distance from the expression's value. Use a negative distance for lower values or
    earlier dates."""
    to: Whole | Decimal
    """The maximum distance from the expression's value."""
    shape: Weights | None = None
    """Weights for equal parts of the span from `from` to `to`. For example, `[1, 2, 1]` makes the
    middle part most frequent."""
    share: Percent = 100
    """The percentage of rows in which the value is near the expression's value. In the other rows,
    SOPForge samples the value as usual."""


class GivenDocument(Strict):
    """Sampling settings that apply only if a condition holds.

    For each key that you omit, SOPForge uses the setting of the field.
    """

    when: str
    """The condition under which SOPForge uses the settings of this entry."""
    weights: Weights | None = None
    """How often each label occurs, relative to the others. List the weights in the order of
    `values`."""
    typical: TypicalDocument | None = None
    """A narrower range from which SOPForge samples most of the values."""
    shape: Weights | None = None
    """Weights for equal parts of the range. `[8, 4, 2, 1]` makes low values most frequent."""
    near: NearDocument | None = None
    """Samples values near an expression's value, such as a date soon after another date."""
    yes_share: Percent | None = None
    """The percentage of rows in which the value is yes."""
    member_share: Percent | None = None
    """For each label, the percentage of rows in which the set contains the label."""
    missing_share: Percent | None = None
    """The percentage of rows in which the field has no value."""


class CommonItem(Strict):
    """The keys of every field, such as its meaning and its word for a missing value.

    A field of an item has no role of its own, because its list has one. The first of ``given``
    whose condition holds decides how to sample a value.
    """

    role: Role | None = None
    """Omit this key. The fields of an item have the role of their list."""
    description: Sentence
    """What the field means. The SOP uses this text word for word."""
    label: Label | None = None
    """The field's name in sentences. By default, each `_` in the name becomes a space."""
    examples: tuple[Raw, ...] = ()
    """Example values, as people write them. Each value must fit the field."""
    missing: Label | None = None
    """Omit this key. A field of a list item always has a value."""
    missing_share: Percent = 0
    """Omit this key. A field of a list item always has a value."""
    primary: bool = False
    """Omit this key. Only an outcome of the case can be primary."""
    given: tuple[GivenDocument, ...] = ()
    """Other sampling settings for certain cases. The first entry whose condition holds applies."""


class OrderedItem(CommonItem):
    """The keys of fields whose values have an order."""

    near: NearDocument | None = None
    """Samples values near an expression's value, such as a date soon after another date."""


class FreeTextDocument(Strict):
    """A sentence of free text that fits only some cases."""

    text: Sentence
    """The sentence to show."""
    when: str
    """A condition on other fields. SOPForge uses the sentence only if the condition holds."""


class StringItem(CommonItem):
    """A string in an item of a list.

    Set exactly one of the keys ``pattern``, ``pool``, ``like`` and ``free_text``. This key
    determines how SOPForge creates the string.
    """

    type: Literal["string"]
    """The type that this section describes."""
    pattern: str | None = None
    """The pattern from which SOPForge generates the string, such as `R[0-9]{6}`."""
    pool: tuple[Label, ...] = ()
    """The strings from which SOPForge samples the value."""
    like: Likeness | None = None
    """The kind of string that SOPForge invents, such as `person name`."""
    unique: bool = False
    """Omit this key. A field of a list item cannot be unique."""
    free_text: tuple[Sentence | FreeTextDocument, ...] = ()
    """Sentences that agents see but rules cannot compare. In a list item, they cannot have
    conditions."""


class IntegerItem(OrderedItem):
    """An integer from ``min`` to ``max``, in an item of a list."""

    type: Literal["integer"]
    """The type that this section describes."""
    min: Whole
    """The lowest possible value."""
    max: Whole
    """The highest possible value."""
    unit: Unit = ""
    """The unit of the number, such as `EUR` or `days`."""
    typical: TypicalDocument | None = None
    """A narrower range from which SOPForge samples most of the values."""
    shape: Weights | None = None
    """Weights for equal parts of the range. `[8, 4, 2, 1]` makes low values most frequent."""
    near: NearDocument | None = None
    """Samples values near an expression's value, such as an amount near another amount."""


class NumberItem(OrderedItem):
    """A number with a fixed number of decimal places, in an item of a list."""

    type: Literal["number"]
    """The type that this section describes."""
    places: Annotated[Whole, Field(ge=1, le=6)]
    """The number of decimal places that every value has."""
    min: Decimal
    """The lowest possible value."""
    max: Decimal
    """The highest possible value."""
    unit: Unit = ""
    """The unit of the number, such as `EUR` or `days`."""
    typical: TypicalDocument | None = None
    """A narrower range from which SOPForge samples most of the values."""
    shape: Weights | None = None
    """Weights for equal parts of the range. `[8, 4, 2, 1]` makes low values most frequent."""
    near: NearDocument | None = None
    """Samples values near an expression's value, such as an amount near another amount."""


ClauseWords = Annotated[str, Field(max_length=120)]
"""A clause with ``{}`` for an amount or a value."""


class SaidDocument(Strict):
    """The clauses that sentences of the SOP use for yes and for no."""

    yes: Sentence
    """The clause for yes, such as `the loan is large`."""
    no: Sentence
    """The clause for no, such as `the loan is not large`."""


class DurationItem(OrderedItem):
    """A number of minutes from ``min`` to ``max``, in an item of a list."""

    type: Literal["duration"]
    """The type that this section describes."""
    min: Whole
    """The shortest possible duration, in minutes."""
    max: Whole
    """The longest possible duration, in minutes."""
    typical: TypicalDocument | None = None
    """A narrower range from which SOPForge samples most of the values."""
    shape: Weights | None = None
    """Weights for equal parts of the range. `[8, 4, 2, 1]` makes low values most frequent."""
    near: NearDocument | None = None
    """Samples values near an expression's value, such as a duration near another one."""


class BooleanItem(CommonItem):
    """A yes/no value in an item of a list.

    By default, the value is yes in half of the rows. To change this, set ``yes_share``.
    """

    type: Literal["boolean"]
    """The type that this section describes."""
    yes_share: Percent = 50
    """The percentage of rows in which the value is yes."""
    said: SaidDocument | None = None
    """Two clauses that the SOP's rules use instead of yes and no. Each begins with `it`, such as
    `it is still open`."""


class EnumItem(CommonItem):
    """One of the listed values, sampled with the given integer weights.

    ``said`` gives clauses that the SOP's rules use instead of some or all of the values.
    """

    type: Literal["enum"]
    """The type that this section describes."""
    values: Annotated[tuple[Label, ...], Field(min_length=2)]
    """The labels that the field can have."""
    ordered: bool = False
    """If true, `values` lists the labels from the lowest to the highest, so that rules can compare
    them: `severity >= 'medium'`."""
    weights: Weights | None = None
    """How often each label occurs, relative to the others. List the weights in the order of
    `values`."""
    said: dict[Label, Sentence | SaidDocument] = {}
    """Clauses that the SOP's rules use instead of labels, by label. For example, `Drill: the tool
    is a drill`."""


class SetItem(CommonItem):
    """Any number of the listed labels, or none of them, in an item of a list."""

    type: Literal["set"]
    """The type that this section describes."""
    values: Annotated[tuple[Label, ...], Field(min_length=1, max_length=60)]
    """The labels that the set can contain: at most 60, for a set is kept in 64 bits."""
    empty: Label
    """The words to show if the set is empty, such as `no extras`."""
    member_share: Percent = 20
    """For each label, the percentage of rows in which the set contains the label."""


class DateItem(OrderedItem):
    """A calendar date from ``min`` to ``max``."""

    type: Literal["date"]
    """The type that this section describes."""
    min: str
    """The earliest possible date, as `YYYY-MM-DD`."""
    max: str
    """The latest possible date, as `YYYY-MM-DD`."""
    typical: TypicalDocument | None = None
    """A narrower range from which SOPForge samples most of the values."""
    shape: Weights | None = None
    """Weights for equal parts of the range. `[8, 4, 2, 1]` makes early dates most frequent."""


class ListedDateItem(DateItem):
    """A date in an item of a list."""

    said: Annotated[str, Field(max_length=80)] = ""
    """What was done on the date, in one to three words. With `filed`, rules say "claims filed
    before ..."."""


class ListedEnumItem(EnumItem):
    """One of the listed labels, in an item of a list.

    With ``said``, the SOP's rules use clauses instead of labels. A mapping of labels to clauses can
    omit labels.
    """

    said: dict[Label, Sentence | SaidDocument] | ClauseWords = {}  # type: ignore[assignment]
    """The clauses that rules use instead of labels. Give one clause for all labels, such as `it was
    for {}`, or a clause for each label."""


class DateTimeItem(OrderedItem):
    """A date and time in an item of a list, such as ``2026-03-31 14:05``, without a time zone."""

    type: Literal["datetime"]
    """The type that this section describes."""
    min: str
    """The earliest possible time, such as `2026-02-01 08:00`."""
    max: str
    """The latest possible time, such as `2026-02-28 18:00`."""
    typical: TypicalDocument | None = None
    """A narrower range from which SOPForge samples most of the values."""
    shape: Weights | None = None
    """Weights for equal parts of the range. `[8, 4, 2, 1]` makes early times most frequent."""


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
    """The source of the value, such as the task or a tool ([all roles](../brief.md#fields))."""
    scored: bool = False
    """If true, the SOP asks for this derived field, and SOPForge scores it like an outcome."""
    starts: Raw | None = None
    """The initial value of a field with the role `session`. By default, the field has no value at
    first."""
    missing: Label | None = None
    """The word to show if the field has no value. Omit it if the field always has a value."""
    missing_share: Percent = 0
    """The percentage of rows in which the field has no value. Requires `missing`."""
    primary: bool = False
    """Omit this key. Only an enum can be the primary outcome."""
    told: dict[Label, tuple[Sentence, ...]] | tuple[Sentence, ...] = ()
    """For a field with the role `told`, the sentences that state its value. For an enum or a yes/no
    field, give a list of sentences for each value. For others, give a list of sentences with `{}`
    for the value, which includes its unit."""


class MalformedDocument(Strict):
    """A malformed value, which the task states in ``share`` percent of the sampled rows.

    Only an input can be malformed. For a date, a date-time, a yes/no field or an enum, ``texts`` is
    required.
    """

    share: Annotated[Whole, Field(ge=1, le=100)]
    """The percentage of rows in which the task states a malformed value."""
    texts: tuple[Label, ...] = ()
    """The malformed values to use, such as `see label`. If you omit them, SOPForge adds a typing
    error to the correct value."""


class SameAsDocument(Strict):
    """Another field that has the same value in ``share`` percent of the rows.

    For a reference, name another reference to the same table. For a string, name a string with the
    same ``pattern``, ``pool`` or ``like``.
    """

    of: DottedName
    """The name of the other field, such as `pin_on_file`."""
    share: Percent = 100
    """The percentage of rows in which both fields have the same value."""


class StringField(CommonField, StringItem):
    """A string, such as a name, an id or a comment.

    Set exactly one of the keys ``pattern``, ``pool``, ``like`` and ``free_text``. This key
    determines how SOPForge creates the string. Only a string with a ``pattern`` can be
    ``malformed``.
    """

    malformed: MalformedDocument | None = None
    """Makes the task state a malformed value, such as one with a typing error, in some rows."""
    of: Name | None = None
    """The string field from which SOPForge derives this one, such as a name for an email
    address."""
    same_as: SameAsDocument | None = None
    """Makes this string equal to another string of the same kind in some of the rows."""
    unique: bool = False
    """If true, no two records have the same string. A unique string needs `like` or `pattern`."""
    free_text: tuple[Sentence | FreeTextDocument, ...] = ()
    """Sentences that agents see but rules cannot compare. To use a sentence only in some cases,
    give it a condition."""
    tells: tuple[Name, ...] = ()
    """Facts with the role `told` that this text carries, each in a sentence of its own between
    those of `free_text`."""


class IntegerField(CommonField, IntegerItem):
    """An integer from ``min`` to ``max``, such as a number of days."""

    said: ClauseWords = ""
    """The clause that rules use to state the amount. `{}` stands for the amount, as in `the patient
    is {} old`."""


class NumberField(CommonField, NumberItem):
    """A number with a fixed number of decimal places, such as an amount of money."""

    said: ClauseWords = ""
    """The clause that rules use to state the amount. `{}` stands for the amount, as in `the parcel
    weighs {}`."""


class DurationField(CommonField, DurationItem):
    """A number of minutes, which the SOP's rules state in hours and minutes."""


class BooleanField(CommonField, BooleanItem):
    """A value that is either yes or no."""

    malformed: MalformedDocument | None = None
    """Makes the task state a malformed value, such as one with a typing error, in some rows."""
    said: SaidDocument | None = None
    """Two clauses that the SOP's rules use instead of yes and no, such as `the customer is a
    member`."""


class EnumField(CommonField, EnumItem):
    """One of the listed labels, such as a type of tool."""

    malformed: MalformedDocument | None = None
    """Makes the task state a malformed value, such as one with a typing error, in some rows."""
    primary: bool = False
    """If true, this is the primary outcome, which SOP-Bench's evaluator scores."""


class SetField(CommonField, SetItem):
    """Any number of the listed labels, or none of them."""


class DateField(CommonField, DateItem):
    """A calendar date, such as ``2026-03-31``."""

    malformed: MalformedDocument | None = None
    """Makes the task state a malformed value, such as one with a typing error, in some rows."""


class DateTimeField(CommonField, DateTimeItem):
    """A date and time to the minute, such as ``2026-03-31 14:05``, without a time zone."""

    malformed: MalformedDocument | None = None
    """Makes the task state a malformed value, such as one with a typing error, in some rows."""


class ListField(CommonField):
    """A list of up to ``size`` items, such as line items or past events.

    All items have the same fields, which you declare under ``items``.
    """

    type: Literal["list"]
    """The type that this section describes."""
    items: Annotated[dict[Name, AtomDocument], Field(min_length=1)]
    """The fields of an item, by name. They have the role of the list."""
    size: Annotated[Whole, Field(ge=1, le=60)]
    """The maximum number of items in the list."""
    empty: Label
    """The words to show if the list is empty, such as `no damage`."""
    shape: Weights | None = None
    """Weights for the possible numbers of items, from none to `size`. For example, with `size: 2`,
    `[4, 2, 1]` makes empty lists most frequent."""


class ReferenceField(CommonField):
    """A reference to a record in a [table](../tables.md), by the record's key.

    Several references can lead to the same record. If a reference leads to no record, tools that
    take the reference refuse the call with the code ``unknown_record``.
    """

    type: Literal["reference"]
    """The type that this section describes."""
    to: Name
    """The name of the table that contains the record."""
    dangling_share: Percent = 0
    """The percentage of rows in which the reference leads to no record."""
    same_as: SameAsDocument | None = None
    """Makes this reference equal to another reference in some of the rows."""


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
