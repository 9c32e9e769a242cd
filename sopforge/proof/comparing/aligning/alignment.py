"""Which fact and which answer of one reading is which of another: the alignment of two models.

Of two readings, *ours* is the one whose words are used, *theirs* the other one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Annotated, Literal, TypeGuard

from pydantic import Field as Alias

from sopforge.errors import Fault, raise_gathered
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.schema_terms import Strict
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import (
    Document,
    Path,
    read_document,
    refuse_no_text,
    write_document,
)
from sopforge.language.domain.expressions.expressions import Constant, Expression, Selection
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.parsing import ExpressionError, Scope, check_syntax, parse_value
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    SetType,
    TextType,
    ValueType,
)
from sopforge.proof.comparing.aligning.needed import list_answer_fields, list_row_fields

FIELD, OUTCOME = "field", "outcome"
NO_VALUE = "no value"
"""The word for no value of a field that declares none."""
MOST_ITEMS = 20
LABELLED = (EnumType, BooleanType)


class OutcomeDocument(Strict):
    """Which outcome of ours one of theirs is, and which label of ours each of its labels."""

    is_: Annotated[str, Alias(alias="is")]
    labels: Mapping[str, str] = {}


class AlignmentDocument(Strict):
    """An alignment as a file: an expression over our fields for each of theirs."""

    format: Literal[1] = 1
    fields: Mapping[str, str | int | Decimal] = {}
    outcomes: Mapping[str, OutcomeDocument] = {}
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AlignedField:
    """What a field of theirs is in terms of ours: as it is written, and as it is read."""

    text: str
    value: Expression


@dataclass(frozen=True, slots=True)
class AlignedOutcome:
    """The outcome of ours that one of theirs is; ``labels`` has a cell of ours for one of theirs.

    A cell that it does not name is the same in both.
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Open:
    """What has no partner yet: a field or an outcome of theirs."""

    name: str
    kind: str
    label: str

    def as_record(self) -> dict[str, object]:
        """Return it as it is printed for programs."""
        return {"name": self.name, "kind": self.kind, "label": self.label}


@dataclass(frozen=True, slots=True)
class Alignment:
    """What is known of two readings' words for the same; ``open`` is what is not known yet.

    ``lacking`` are facts that theirs reads and that ours does not hold at all.
    """

    fields: Mapping[str, AlignedField] = field(default_factory=dict)
    outcomes: Mapping[str, AlignedOutcome] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    open: tuple[Open, ...] = ()


def read_alignment(text: str, source: str, ours: DomainModel, theirs: DomainModel) -> Alignment:
    """Return the alignment that a document states; what it leaves out is open.

    Raises:
        MaterialError: with all faults, each with its file, line and field.
    """
    document = read_document(text, source)
    refuse_no_text(document)
    parts = validate(document, AlignmentDocument)
    reading = _Reading(document, ours, theirs)
    fields = dict(reading.iterate_fields({name: str(text) for name, text in parts.fields.items()}))
    outcomes = dict(reading.iterate_outcomes(parts.outcomes))
    reading.check_lacking(parts)
    raise_gathered(reading.faults)
    written = {item.written: item.name for item in theirs.fields.values()}
    lacking = tuple(written[name] for name in parts.lacking)
    return find_open(theirs, Alignment(fields, outcomes, lacking))


def find_open(theirs: DomainModel, known: Alignment) -> Alignment:
    """Return an alignment with what it leaves open."""
    given = [name for name in known.fields if theirs.fields[name].role is Role.DERIVED]
    needed = list_row_fields(theirs, given)
    settled = {*known.fields, *known.lacking}
    found = [(FIELD, item) for item in needed if item.name not in settled]
    answers = list_answer_fields(theirs)
    found += [(OUTCOME, item) for item in answers if item.name not in known.outcomes]
    return replace(known, open=tuple(Open(item.name, kind, item.label) for kind, item in found))


def write_alignment(known: Alignment, theirs: DomainModel) -> str:
    """Return an alignment as a document; what is open stands in it as comments."""
    document: dict[str, object] = {"format": 1}
    written = {name: item.written for name, item in theirs.fields.items()}
    if known.fields:
        document["fields"] = {written[name]: item.text for name, item in known.fields.items()}
    if known.outcomes:
        document["outcomes"] = {
            name: {"is": item.name, **({"labels": dict(item.labels)} if item.labels else {})}
            for name, item in known.outcomes.items()
        }
    if known.lacking:
        document["lacking"] = [written[name] for name in known.lacking]
    lines = [f"# open: {item.kind} {written[item.name]} ({item.label})\n" for item in known.open]
    return write_document(document) + "".join(lines)


def parse_aligned(text: str, ours: DomainModel, item: Field) -> AlignedField:
    """Return an expression over our fields that stands for a field of theirs.

    Raises:
        ExpressionError: it is no expression, or no value of such a field.
    """
    paths = {part.path: part.name for part in ours.fields.values() if part.path}
    scope = Scope(
        fields={name: part.type for name, part in ours.fields.items() if _is_fact(part)},
        constants={name: part.constant for name, part in ours.policy.items()},
        optional=frozenset(name for name, part in ours.fields.items() if part.missing),
        calendars={name: calendar for name, (calendar, _) in ours.calendars.items()},
        paths=paths,
    )
    word, kind = item.missing or NO_VALUE, _widen_type(item.type)
    if not isinstance(kind, ListType):
        return AlignedField(text, parse_value(text, scope, kind, word))
    left_out = _list_parts_left_out(text, kind, scope)
    fewer = replace(kind, fields=tuple(part for part in kind.fields if part[0] not in left_out))
    return AlignedField(text, _fill_parts(parse_value(text, scope, fewer), kind))


def list_cells(item: Field) -> tuple[str, ...]:
    """Return the cells that an outcome of labels can have, its word for no value the last."""
    match item.type:
        case EnumType(values=values) | SetType(values=values):
            words = values
        case BooleanType():
            words = BOOLEAN_WORDS
        case _:
            words = ()
    return (*words, item.missing or NO_VALUE)


def is_comparable(one: ValueType, other: ValueType) -> bool:
    """Return whether answers of two types have a form in common."""
    if isinstance(one, LABELLED) and isinstance(other, LABELLED):
        return True
    return type(one) is type(other) and not isinstance(one, ListType)


def _list_parts_left_out(text: str, kind: ListType, scope: Scope) -> frozenset[str]:
    """Return the parts of items of which a text says nothing, where it may: they are texts."""
    written = {word.arg for word in ast.walk(check_syntax(text, scope).root) if _is_named(word)}
    texts = {name for name, part in kind.fields if isinstance(part, TextType)}
    return frozenset(texts - written) if len(texts) < len(kind.fields) else frozenset()


def _is_named(node: object) -> TypeGuard[ast.keyword]:
    return isinstance(node, ast.keyword)


def _fill_parts(made: Expression, kind: ListType) -> Expression:
    """Return a list whose items have all parts of a type; of what was left out the empty text."""
    if not isinstance(made, Selection):
        return made
    given = dict(zip((name for name, _ in made.type.fields), made.parts, strict=True))
    parts = tuple(given.get(name, Constant(part, "")) for name, part in kind.fields)
    return replace(made, type=kind, parts=parts)


def _is_fact(item: Field) -> bool:
    return item.role not in {Role.OUTCOME, Role.SESSION}


def _widen_type(kind: ValueType) -> ValueType:
    """Return a type without its bounds: what lies beyond is counted, and no fault."""
    wide = kind.widen()
    return replace(wide, size=MOST_ITEMS) if isinstance(wide, ListType) else wide


@dataclass(slots=True)
class _Reading:
    """Reads the parts of one document; what is wrong with them is gathered."""

    document: Document
    ours: DomainModel
    theirs: DomainModel
    faults: list[Fault] = field(default_factory=list)

    def add_fault(self, path: Path, code: str, message: str, hint: str = "") -> None:
        self.faults.append(Fault(code, message, self.document.locate_part(path), hint))

    def is_known(self, path: Path, name: str, known: Iterable[str], whose: str) -> bool:
        """Return whether a name is one of those that may stand at a place, else add a fault."""
        names = list(known)
        if name in names:
            return True
        hint = suggest(name, names) or f"known are {', '.join(names)}"
        self.add_fault(path, "unknown-field", f"{whose} has no '{name}' that may stand here", hint)
        return False

    def iterate_fields(self, given: Mapping[str, str]) -> Iterator[tuple[str, AlignedField]]:
        facts = {item.written: name for name, item in self.theirs.fields.items() if _is_fact(item)}
        for written, text in given.items():
            path: Path = ("fields", written)
            if not self.is_known(path, written, facts, "the other reading"):
                continue
            name = facts[written]
            try:
                yield name, parse_aligned(text, self.ours, self.theirs.fields[name])
            except ExpressionError as cause:
                message = f"{cause} (column {cause.column})"
                self.add_fault(path, cause.code, message, cause.hint)

    def iterate_outcomes(
        self, given: Mapping[str, OutcomeDocument]
    ) -> Iterator[tuple[str, AlignedOutcome]]:
        theirs = {item.name: item for item in list_answer_fields(self.theirs)}
        ours = {item.name: item for item in list_answer_fields(self.ours)}
        for name, part in given.items():
            path: Path = ("outcomes", name)
            is_known = self.is_known(path, name, theirs, "the other reading")
            if not is_known or not self.is_known((*path, "is"), part.is_, ours, "our reading"):
                continue
            self.check_labels((*path, "labels"), part, theirs[name], ours[part.is_])
            yield name, AlignedOutcome(part.is_, part.labels)

    def check_labels(self, path: Path, part: OutcomeDocument, item: Field, ours: Field) -> None:
        for label, meant in part.labels.items():
            self.is_known((*path, label), label, list_cells(item), f"'{item.name}'")
            self.is_known((*path, label), meant, list_cells(ours), f"'{ours.name}'")

    def check_lacking(self, parts: AlignmentDocument) -> None:
        facts = [item.written for item in self.theirs.fields.values() if _is_fact(item)]
        for place, name in enumerate(parts.lacking):
            self.is_known(("lacking", place), name, facts, "the other reading")
            if name in parts.fields:
                message = f"'{name}' is lacking, and has an expression too"
                self.add_fault(("lacking", place), "duplicate-name", message, "drop one of them")
