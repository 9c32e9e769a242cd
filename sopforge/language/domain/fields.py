"""Fields and entities: what a record holds, who supplies it, and how it is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.values.types import Json, Value, ValueType
from sopforge.session.score import compose_raw


class Role(StrEnum):
    """Who supplies a field's value."""

    INPUT = "input"
    TOLD = "told"
    OBSERVED = "observed"
    DERIVED = "derived"
    OUTCOME = "outcome"
    DISTRACTOR = "distractor"
    SECRET = "secret"  # noqa: S105 - a role
    SESSION = "session"


GIVEN = (Role.INPUT, Role.TOLD)
"""The roles of what a case begins with: entries that the task states, and facts in its texts."""

STORED = (*GIVEN, Role.OBSERVED, Role.DISTRACTOR, Role.SECRET)
"""The roles of what a record holds; the others are worked out."""


@dataclass(frozen=True, slots=True)
class Typical:
    """A narrower range from which ``share`` percent of the values come."""

    minimum: int
    maximum: int
    share: int


@dataclass(frozen=True, slots=True)
class Near:
    """A value to which ``share`` percent of the values lie, from ``low`` to ``high`` beyond it."""

    value: Expression
    low: int
    high: int
    shape: tuple[int, ...]
    share: int


@dataclass(frozen=True, slots=True)
class ConditionalSampling:
    """How values are drawn where a condition on fields drawn before holds."""

    when: Expression
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class ConditionalText:
    """A text that presupposes something of the record: it stands only where the condition holds."""

    when: Expression
    text: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How realistic values of a field are drawn; shares are percentages, weights integers.

    ``shape`` weighs equal parts of a range. The first of ``given`` that holds is drawn by instead.
    ``same_as`` is another text that this one equals, and in what share of the rows. Of ``texts``
    each is drawn only where its condition holds.
    """

    weights: tuple[int, ...] = ()
    missing_share: int = 0
    member_share: int = 0
    yes_share: int = 50
    unique: bool = False
    typical: Typical | None = None
    shape: tuple[int, ...] = ()
    items: tuple[tuple[str, Sampling], ...] = ()
    of: str = ""
    same_as: tuple[str, int] | None = None
    near: Near | None = None
    given: tuple[ConditionalSampling, ...] = ()
    texts: tuple[ConditionalText, ...] = ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """What is worked out to draw a value: conditions, and what values lie near."""
        nears = (self.near, *(part.sampling.near for part in self.given))
        of_items = (found for _, part in self.items for found in part.expressions)
        conditions = (*(part.when for part in self.given), *(part.when for part in self.texts))
        return (*(near.value for near in nears if near), *conditions, *of_items)


@dataclass(frozen=True, slots=True)
class Malformed:
    """In how many percent of rows an input is malformed: by a slip, or as one of ``texts``."""

    share: int
    texts: tuple[str, ...] = ()


PLACE = "{}"
"""Where a clause of a brief has an amount or a value."""


@dataclass(frozen=True, slots=True)
class Said:
    """What is so where a yes/no field is yes, and where it is no: clauses of sentences."""

    yes: str
    no: str

    def say(self, value: str) -> Said:
        """Return the clauses with a value in the place of ``{}``."""
        return Said(*(clause.replace(PLACE, value) for clause in self.both))

    @property
    def both(self) -> tuple[str, str]:
        """Both clauses."""
        return self.yes, self.no


@dataclass(frozen=True, slots=True)
class LabelClauses:
    """What rules say instead of "the field is the label", and instead of the opposite."""

    label: str
    said: Said


@dataclass(frozen=True, slots=True)
class AmountClause:
    """What rules say instead of "the number is so much": the words around the amount.

    "The patient is", "old" for the age of a patient: "the patient is less than 18 years old".
    """

    before: str
    after: str = ""

    def say(self, amount: str) -> str:
        """Return the clause with an amount, such as "less than 18 years"."""
        return " ".join(filter(None, (self.before, amount, self.after)))


def find_clauses(items: Iterable[LabelClauses], label: str) -> Said | None:
    """Return what rules say where an enum is a label, and where it is another one."""
    return next((item.said for item in items if item.label == label), None)


@dataclass(frozen=True, slots=True)
class ToldValue:
    """Sentences, any of which tells one value of a fact.

    Where ``cell`` is "", they state all values, with ``{}`` in the place of the value.
    """

    cell: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What a field of a list's items is called in sentences, and what it means.

    ``said`` is what rules say in the place of a yes/no field's answers, ``label_clauses`` in the
    place of some of an enum's labels, ``value_clause`` of all values of an enum, with ``{}`` for
    the value; ``verb`` is what was done on a day, as "given". A day of an item never lies after the
    fields of ``until``, and is always before those of ``before``.
    """

    name: str
    label: str
    description: str
    said: Said | None = None
    label_clauses: tuple[LabelClauses, ...] = ()
    value_clause: Said | None = None
    verb: str = ""
    until: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Field:
    """A typed datum; ``label`` names it in sentences, ``missing`` is the word for no value.

    ``scored`` marks an intermediate value that is asked for and scored beside the outcomes. An
    input with ``malformed`` may be stated as a text that is no value of its type. ``said`` is what
    rules say in the place of a yes/no field's answers, ``label_clauses`` in the place of some of
    an enum's labels, ``amount_clause`` of a number beside an amount. A field of a record that a
    reference leads to is the ``column`` of a ``table``, of which there may be several such fields;
    briefs name one by its ``path``. A session fact ``starts`` with a value. A told fact stands in
    a text alone, in one of the sentences that ``told`` has for its value; ``tells`` has the facts
    that a text carries.
    """

    name: str
    label: str
    role: Role
    type: ValueType
    description: str
    missing: str
    primary: bool
    sampling: Sampling
    examples: tuple[Value, ...] = ()
    parts: tuple[Part, ...] = ()
    scored: bool = False
    malformed: Malformed | None = None
    said: Said | None = None
    label_clauses: tuple[LabelClauses, ...] = ()
    amount_clause: AmountClause | None = None
    table: str = ""
    column: str = ""
    path: str = ""
    starts: Value | None = None
    told: tuple[ToldValue, ...] = ()
    tells: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """What a brief calls it."""
        return self.path or self.name

    @property
    def source(self) -> str:
        """What its values are drawn by: fields of one column show the values of one record."""
        return f"{self.table}.{self.column}" if self.table else self.name

    @property
    def place(self) -> str:
        """Where a finding says that it is declared."""
        return (
            f"entities.{self.table}.fields.{self.column}" if self.table else f"fields.{self.name}"
        )

    def label_part(self, name: str) -> str:
        """Return what a field of this list's items is called in sentences."""
        declared = {part.name: part.label for part in self.parts}
        return declared.get(name, name.replace("_", " "))

    @property
    def clauses(self) -> tuple[str, ...]:
        """What rules say of the field in clauses of its own."""
        every = (*([self.said] if self.said else []), *(item.said for item in self.label_clauses))
        return tuple(clause for said in every for clause in said.both)

    def find_part(self, name: str) -> Part | None:
        """Return what a field of this list's items is called, None where it was not declared."""
        return next((part for part in self.parts if part.name == name), None)

    def format_cell(self, value: Value | None) -> str:
        """Return a value as a task, a CSV file and an answer show it."""
        if self.malformed and isinstance(value, str):
            return value
        return self.missing if value is None else self.type.to_cell(value)

    def as_json(self, value: Value | None) -> Json:
        """Return a value as tool parameters and results carry it."""
        if self.malformed and isinstance(value, str):
            return value
        return self.missing if value is None else self.type.to_json(value)

    def parse(self, raw: object) -> Value | None:
        """Return the value that a cell or a JSON value stands for; a malformed text for itself.

        Raises:
            ValueNotAllowedError: the raw value is not one of the field.
        """
        given = compose_raw(raw)
        if self.malformed and given in self.malformed.texts:
            return str(given)
        return None if self.missing and given == self.missing else self.type.encode(given)


@dataclass(frozen=True, slots=True)
class Entity:
    """A kind of record, found by its key; a further entity's key is a field that refers to it.

    Of a further entity there are ``records`` records, and ``dangling_share`` percent of the
    references lead to none. Where several references lead to one ``table``, each is an entity of
    its own; the records are those of the table, and ``key_column`` is their key. A reference equals
    that of ``same_as`` in a share of the rows.
    """

    name: str
    key: str
    fields: tuple[str, ...]
    records: int = 0
    dangling_share: int = 0
    table: str = ""
    key_column: str = ""
    same_as: tuple[str, int] | None = None

    @property
    def store(self) -> str:
        """The name of its records, which entities of one table share."""
        return self.table or self.name

    def name_column(self, item: Field) -> str:
        """Return what a field of its records is called where they are stored."""
        if not self.table:
            return item.name
        return self.key_column if item.name == self.key else item.column
