"""What is known of each refusal of a tool: its words, and the cases in which it comes.

A case is a set of marks that all have to be met; there is one for each manner in which the refusal
comes. Words are compared by their stems.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from sopforge.checks.words.stems import trim_word, trim_words
from sopforge.domain.fields import Field
from sopforge.domain.guards import GuardLeaf, list_guard_checks
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Contains,
    Expression,
    Not,
    OneOf,
    Read,
    Relation,
    collect_all_read_fields,
)
from sopforge.domain.model import (
    INVALID_PARAMETER,
    UNKNOWN_RECORD,
    DomainModel,
    Tool,
    build_writing_checks,
)
from sopforge.domain.values.types import BooleanType, EnumType, NumberType, to_cell
from sopforge.logic.english import phrase_expression
from sopforge.logic.tool_calls import RECORD_MISMATCH
from sopforge.rendering.refusal_codes import list_compared_fields, list_refusal_codes
from sopforge.sandbox.linting.rule import split_words

MOST_CASES = 64
"""A guard with more cases is known by its words alone."""


@dataclass(frozen=True, slots=True)
class LabelMark:
    """A field must have one of some labels for a refusal to come."""

    item: Field
    allowed: frozenset[str]


@dataclass(frozen=True, slots=True)
class FactMark:
    """What the words of a field or label say must hold for a refusal to come, or must not."""

    words: frozenset[str]
    holds: bool


@dataclass(frozen=True, slots=True)
class BoundMark:
    """A number must stand in a relation to a limit for a refusal to come."""

    words: frozenset[str]
    relation: Relation
    limit: str


@dataclass(frozen=True, slots=True)
class UnclearMark:
    """A condition that no words but those of the refusal itself are compared with."""

    words: frozenset[str]


Mark: TypeAlias = LabelMark | FactMark | BoundMark | UnclearMark
Case: TypeAlias = tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: sentences that state it, the cases in which it comes, and words that suit it.

    ``holding`` are words of states in which it comes, ``failing`` those of states in which it
    does not; ``subjects`` are what such words are said of, each enough with one of the states.
    """

    code: str
    words: frozenset[str]
    stated: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    holding: frozenset[str] = frozenset()
    failing: frozenset[str] = frozenset()
    subjects: tuple[frozenset[str], ...] = ()
    is_guard: bool = True
    fields: tuple[Field, ...] = field(default=())


def list_refusals(model: DomainModel, tool: Tool) -> list[Refusal]:
    """Return the refusals of a tool: those that every tool has of its kind, and its guards."""
    codes = list_refusal_codes(model, tool)
    built_in = {
        INVALID_PARAMETER: _build_parameter_refusal,
        UNKNOWN_RECORD: _build_record_refusal,
        RECORD_MISMATCH: _build_mismatch_refusal,
    }
    found = [build(model, tool) for code, build in built_in.items() if code in codes]
    checks = (*list_guard_checks(tool.guard), *build_writing_checks(model, tool))
    return [*found, *(_build_guard_refusal(model, check) for check in checks)]


def _build_parameter_refusal(model: DomainModel, tool: Tool) -> Refusal:
    items = model.list_tool_parameters(tool)
    of_items = trim_words(" ".join(f"{item.name} {item.label}" for item in items))
    general = trim_words(
        "parameter argument input value field form format type range outside list number text"
        " date schema required mandatory needed supplied provided complete empty permitted allowed"
        " accepted out"
    )
    holding = trim_words("missing wrong unknown outside empty incomplete out")
    failing = trim_words(
        "present valid complete known allowed permitted accepted supplied provided"
    )
    subjects = [trim_words("parameter"), trim_words("argument"), trim_words("input")]
    subjects += [trim_words("value"), *map(_list_label_words, items)]
    return Refusal(
        INVALID_PARAMETER,
        of_items | general | holding | failing,
        (INVALID_PARAMETER,),
        holding=holding,
        failing=failing,
        subjects=(*subjects, *(trim_words(item.name) for item in items)),
        is_guard=False,
    )


def _build_record_refusal(model: DomainModel, tool: Tool) -> Refusal:
    read = model.list_entities_read(tool)
    texts = [
        text
        for part in read
        for text in (part.name, part.store, part.key, model.fields[part.key].label)
    ]
    subjects = (*map(trim_words, texts), trim_words("record"), trim_words("entry"))
    general = trim_words("record entry file unknown known missing register wrong match no")
    return Refusal(
        UNKNOWN_RECORD,
        trim_words(" ".join(texts)) | general,
        (UNKNOWN_RECORD, list_refusal_codes(model, tool)[UNKNOWN_RECORD]),
        holding=trim_words("unknown missing"),
        failing=trim_words("known match"),
        subjects=subjects,
        is_guard=False,
    )


def _build_mismatch_refusal(model: DomainModel, tool: Tool) -> Refusal:
    items = [model.fields[name] for name in list_compared_fields(model, tool)]
    of_items = trim_words(" ".join(f"{i.name} {i.label}" for i in items))
    entities = " ".join(f"{e.name} {e.store} {e.key}" for e in model.list_entities_read(tool))
    general = trim_words(
        f"parameter argument input value detail record entry file stored match differ wrong other"
        f" hold holds kept against not {entities}"
    )
    subjects = (*map(_list_label_words, items), *(trim_words(item.name) for item in items))
    any_of = tuple(map(trim_words, ("parameter", "argument", "input", "value", "detail", "record")))
    return Refusal(
        RECORD_MISMATCH,
        of_items | general,
        (RECORD_MISMATCH, list_refusal_codes(model, tool)[RECORD_MISMATCH]),
        holding=trim_words("differ wrong"),
        failing=trim_words("match hold"),
        subjects=(*subjects, *any_of),
        is_guard=False,
    )


def _build_guard_refusal(model: DomainModel, check: GuardLeaf) -> Refusal:
    names = sorted(collect_all_read_fields([check.test]) & model.fields.keys())
    items = tuple(model.fields[name] for name in names)
    cases = tuple(_list_cases(model, check.test, is_met=False))
    labels = [label for i in items for label in getattr(i.type, "values", ())]
    texts = [check.says, check.refusal, phrase_expression(check.test, model.fields), *labels]
    texts += [f"{i.name} {i.label} {getattr(i.type, 'unit', '')}" for i in items]
    has_bounds = any(isinstance(mark, BoundMark) for case in cases for mark in case)
    words = trim_words(" ".join(texts)) | (BOUND_WORDS if has_bounds else frozenset())
    return Refusal(
        check.refusal,
        words,
        (check.says, check.refusal.replace("_", " ")),
        cases if len(cases) <= MOST_CASES else (),
        fields=items,
    )


def _list_cases(model: DomainModel, test: Expression, *, is_met: bool) -> Iterator[Case]:
    """Yield the cases in which a condition is met, or is not, each as marks that all hold."""
    match test:
        case Not(operand):
            yield from _list_cases(model, operand, is_met=not is_met)
        case AllOf(operands) | AnyOf(operands):
            parts = [list(_list_cases(model, part, is_met=is_met)) for part in operands]
            if isinstance(test, AnyOf) is is_met:
                yield from (case for part in parts for case in part)
            else:
                few = _is_few(parts)
                yield from map(_merge_marks, product(*parts) if few else [])
        case _:
            yield (_build_mark(model, test, is_met=is_met),)


def _is_few(parts: Iterable[list[Case]]) -> bool:
    count = 1
    for part in parts:
        count *= len(part)
    return count <= MOST_CASES


def _merge_marks(cases: tuple[Case, ...]) -> Case:
    """Return the marks of several conditions that hold together; labels of a field are one mark."""
    labels: dict[str, LabelMark] = {}
    others: list[Mark] = []
    for mark in (mark for case in cases for mark in case):
        if isinstance(mark, LabelMark):
            known = labels.get(mark.item.name)
            both = mark.allowed & known.allowed if known else mark.allowed
            labels[mark.item.name] = LabelMark(mark.item, both)
        else:
            others.append(mark)
    return (*labels.values(), *dict.fromkeys(others))


def _build_mark(  # noqa: PLR0911 - one case per form of a condition
    model: DomainModel, test: Expression, *, is_met: bool
) -> Mark:
    match test:
        case OneOf(Read(_, name), options):
            return _build_label_mark(
                model.fields[name], {option.value for option in options}, is_met=is_met
            )
        case Compare(relation, Read(EnumType(), name), Constant(value=value)):
            is_same = (relation is Relation.EQ) is is_met
            return _build_label_mark(model.fields[name], {value}, is_met=is_same)
        case Compare(relation, Read(NumberType() as kind, name), Constant(value=value)):
            words = _list_label_words(model.fields[name])
            limit = to_cell(kind, value)
            return BoundMark(words, relation if is_met else relation.opposite, limit)
        case Compare(relation, Read(BooleanType(), name), Constant(value=value)):
            holds = (relation is Relation.EQ) is bool(value)
            return FactMark(_list_label_words(model.fields[name]), holds is is_met)
        case Read(BooleanType(), name):
            return FactMark(_list_label_words(model.fields[name]), is_met)
        case Contains(_, member):
            return FactMark(trim_words(member), is_met)
        case _:
            return UnclearMark(trim_words(phrase_expression(test, model.fields)))


def _build_label_mark(item: Field, values: set[object], *, is_met: bool) -> Mark:
    kind = item.type
    if not isinstance(kind, EnumType):
        return UnclearMark(_list_label_words(item))
    named = frozenset(label for n, label in enumerate(kind.values) if n in values)
    return LabelMark(item, named if is_met else frozenset(kind.values) - named)


def _list_label_words(item: Field) -> frozenset[str]:
    return trim_words(item.label)


UPWARD = split_words("""
    more over above exceed exceeds exceeded exceeding exceedingly greater higher larger longer
    bigger beyond after later older many much high large
    """)
DOWNWARD = split_words(
    """less under below fewer lower smaller shorter before earlier younger few little low small"""
)
BOUND_WORDS = frozenset(
    trim_word(word)
    for word in (*UPWARD, *DOWNWARD, "least", "most", "maximum", "minimum", "up", "too", "limit")
)
