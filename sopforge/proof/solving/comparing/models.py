"""What two models make of all cases that both have: answers, tables at the end, and actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
    collect_all_read_fields,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import find_marked_field, name_malformed_mark
from sopforge.language.domain.values.types import (
    EnumType,
    MomentType,
    NumberType,
    OrderedType,
    ValueType,
)
from sopforge.language.logic.tables import build_equality
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.comparing.differences import build_difference, find_differing_row
from sopforge.proof.solving.consequences import Consequences, derive_consequences, list_actions
from sopforge.proof.solving.questions import Answer, Undecided
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    build_conjunction,
    build_disjunction,
    list_answers,
    negate_condition,
)


@dataclass(frozen=True, slots=True)
class Compared:
    """What is known of what follows in two models for the cases that both have.

    ``narrowed`` are fields of which only values were asked about that both models have. Where
    fields are ``apart``, so that no case can be asked about, there is no answer.
    """

    answer: Answer | None
    narrowed: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


def compare_models(model: DomainModel, other: DomainModel) -> Compared:
    """Return a row of which two models make something else, or the proof of none.

    Compared are answers, what tables hold at the end, and what becomes of actions. Fields that
    neither reads may differ, others in their bounds and labels, and outcomes in their labels: equal
    labels are equal answers. Rows are such as both models' constraints allow; what one model alone
    answers, changes or calls is left out.
    """
    columns = list_columns_compared(model, other)
    try:
        sides = [derive_consequences(part, columns) for part in (model, other)]
    except TooManyStepsError:
        return Compared(Undecided())
    first, second = sides
    names = [name for name in first.answers if name in second.answers]
    shared = _find_shared_values(model, other, sides)
    apart = [name for name, condition in shared.items() if condition is None]
    apart += _find_incomparable_fields(model, other, (*names, *columns))
    if apart or not names:
        return Compared(None, apart=tuple(dict.fromkeys(apart)))
    pairs = [(name, first.answers[name], second.answers[name]) for name in names]
    pairs += [(name, first.on_file[name], second.on_file[name]) for name in columns]
    found = list(_iterate_fate_differences(model, other, sides))
    for name, left, right in pairs:
        kinds = model.fields[name].type, other.fields[name].type
        found.append(_build_answer_difference(kinds, left, right))
    within = [condition for condition in shared.values() if condition is not None]
    # The constraints of the first model are part of every question about it.
    answer = find_differing_row(model, found, (*within, *other.row_conditions))
    return Compared(answer, tuple(shared))


def list_columns_compared(model: DomainModel, other: DomainModel) -> tuple[str, ...]:
    """Return the fields of tables that actions of either model change, and that both have."""
    if model.operations is None or other.operations is None:
        return ()
    changing = (*model.list_changing_columns(), *other.list_changing_columns())
    return tuple(
        name for name in dict.fromkeys(changing) if name in model.fields and name in other.fields
    )


def list_answers_of_one(model: DomainModel, other: DomainModel) -> tuple[str, ...]:
    """Return what a model alone answers."""
    return tuple(sorted({*list_answers(model)} - {*list_answers(other)}))


def list_acts_of_one(model: DomainModel, other: DomainModel) -> tuple[str, ...]:
    """Return the actions that a model alone calls, and the columns that only it has and changes."""
    called = [name for name in list_actions(model) if name not in list_actions(other)]
    changing = () if model.operations is None else model.list_changing_columns()
    fields = [model.fields[name] for name in changing if name not in other.fields]
    return (*called, *dict.fromkeys(f"{item.table}.{item.column}" for item in fields))


def _iterate_fate_differences(
    model: DomainModel, other: DomainModel, sides: Sequence[Consequences]
) -> Iterator[Expression]:
    """Yield when an action that both call is carried out, or refused with a code, in one only."""
    both = set(list_actions(model)) & set(list_actions(other))
    left, right = (side.fates for side in sides)
    for fate in {**left, **right}:
        one, two = left.get(fate, FALSE), right.get(fate, FALSE)
        if fate[0] in both and one is not two:
            yield Not(build_equality(one, two))


def collect_names_read(model: DomainModel, parts: Iterable[Expression]) -> frozenset[str]:
    """Return the fields and records that consequences and constraints are worked out from."""
    found = collect_all_read_fields((*parts, *model.row_conditions))
    return frozenset(find_marked_field(name) or name for name in found)


def _find_shared_values(
    model: DomainModel, other: DomainModel, sides: Sequence[Consequences]
) -> dict[str, Expression | None]:
    """Return of the names that are read, and that both models do not have alike, what both have."""
    read = collect_names_read(model, sides[0].iterate_expressions())
    read |= collect_names_read(other, sides[1].iterate_expressions())
    found: dict[str, Expression | None] = {}
    # What is decided follows from other fields: a case does not bring it along.
    for name in sorted(read - {*model.decisions, *other.decisions}):
        one, two = model.fields.get(name), other.fields.get(name)
        if one is None or two is None:
            if one is not two or _summarize_record(model, name) != _summarize_record(other, name):
                found[name] = None
        elif _summarize_field(one) != _summarize_field(two):
            found[name] = _build_shared_condition(one, two)
    return found


def _summarize_field(item: Field) -> object:
    return item.type, bool(item.missing), bool(item.malformed)


def _summarize_record(model: DomainModel, name: str) -> object:
    """Return how a record is come by, None where there is no entity of the name."""
    entity = next((item for item in model.references if item.name == name), None)
    return entity and (entity.key, model.may_lack(entity), bool(entity.dangling_share))


def _build_shared_condition(one: Field, two: Field) -> Expression | None:
    """Return the condition that a value is one of both fields, None where none is known to be."""
    within = _build_shared_type_condition(one, two)
    if within is None:
        return None
    if bool(one.missing) != bool(two.missing):
        within = build_conjunction(Presence(one.name), within)
    elif one.missing:
        # Missing in both is an equal input, whatever the two ranges are.
        within = build_disjunction(Not(Presence(one.name)), within)
    if bool(one.malformed) != bool(two.malformed):
        within = build_conjunction(Not(Presence(name_malformed_mark(one.name))), within)
    return within


def _build_shared_type_condition(one: Field, two: Field) -> Expression | None:
    if one.type == two.type:
        return TRUE
    read = Read(one.type, one.name)
    match one.type, two.type:
        case EnumType(values=left), EnumType(values=right):
            # The code has to be the same too: a row holds codes, which each model reads by its own
            # labels.
            codes = [code for code, word in enumerate(left) if right[code : code + 1] == (word,)]
            equal = (Compare(Relation.EQ, read, Constant(one.type, code)) for code in codes)
            return reduce(build_disjunction, equal, FALSE) if codes else None
        # With other places the same integer is another number.
        case NumberType() as left, NumberType() as right if left.places == right.places:
            return _build_shared_range(read, left, right)
        case MomentType() as left, MomentType() as right if left.is_like(right):
            return _build_shared_range(read, left, right)
        case _:
            return None


def _build_shared_range(read: Read, left: OrderedType, right: OrderedType) -> Expression | None:
    low, high = max(left.minimum, right.minimum), min(left.maximum, right.maximum)
    if low > high:
        return None
    least = Compare(Relation.GE, read, Constant(read.type, low))
    return build_conjunction(least, Compare(Relation.LE, read, Constant(read.type, high)))


def _find_incomparable_fields(
    model: DomainModel, other: DomainModel, names: Iterable[str]
) -> list[str]:
    """Return the fields whose values cannot be compared with each other."""
    kinds = [(name, model.fields[name].type, other.fields[name].type) for name in names]
    # Labels are compared as words and numbers in shared places; other kinds have no common form.
    return [
        name
        for name, left, right in kinds
        if left != right
        and (type(left) is not type(right) or not isinstance(left, EnumType | NumberType))
    ]


def _build_answer_difference(
    kinds: tuple[ValueType, ValueType], left: Replacement, right: Replacement
) -> Expression:
    """Return the condition that two answers are written in other words."""
    first, second = kinds
    if first == second or not (isinstance(first, EnumType) and isinstance(second, EnumType)):
        return build_difference([(left, right)])
    same: Expression = FALSE
    for code, word in enumerate(first.values):
        if word in second.values:
            here = Compare(Relation.EQ, left.value, Constant(first, code))
            there = Compare(Relation.EQ, right.value, Constant(second, second.values.index(word)))
            same = build_disjunction(same, build_conjunction(here, there))
    one, two = left.present or TRUE, right.present or TRUE
    return build_disjunction(
        build_conjunction(build_conjunction(one, two), negate_condition(same)),
        Not(build_equality(one, two)),
    )
