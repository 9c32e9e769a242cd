"""Mistakes in expressions: each one changes a single part, such as a reader or a tool might."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    Absolute,
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    Expression,
    Extreme,
    Lookup,
    Missing,
    Not,
    OneOf,
    Operation,
    Outermost,
    Presence,
    Read,
    Relation,
    Selection,
    Subset,
    iterate_parts,
    list_children,
    list_ordered_parts,
)
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
    OrderedType,
    SetType,
    TextType,
    ValueType,
    require_integer,
)
from sopforge.language.logic.tables import build_choice
from sopforge.language.logic.variants.substitution import Replacement, Substitution, replace_part
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.mutants.date_mistakes import derive_date_mistakes
from sopforge.proof.dataset.mutants.list_mistakes import derive_list_mistakes
from sopforge.proof.dataset.mutants.set_mistakes import derive_set_mistakes
from sopforge.proof.dataset.mutants.ties import derive_rounding_mistakes
from sopforge.proof.solving.unfolding import TRUE

MOST_LABELS = 8
"""How many other labels are tried in the place of one: all of a short list, else its neighbours."""
_EXTREMES = {Extreme.MINIMUM: Extreme.MAXIMUM, Extreme.MAXIMUM: Extreme.MINIMUM}


@dataclass(frozen=True, slots=True)
class Edit:
    """An expression with one mistake: what it is about, and what it is in words.

    ``is_of_row`` says that it takes a whole row of a table for another.
    """

    about: About
    words: str
    wrong: Expression
    is_of_row: bool = False


def derive_edits(
    expression: Expression,
    lists: dict[str, ListType] | None = None,
    named: Collection[Expression] = (),
) -> Iterator[Edit]:
    """Return the expression with each single mistake that it allows.

    ``lists`` are the types of the model's list fields, of whose items other fields can be taken;
    ``named`` are conditions that stay as they are.
    """
    for node in _iterate_nodes(expression, named):
        # A mark is no test of a missing value: malformed inputs have a mutant of their own.
        if isinstance(node, Presence) and not find_marked_field(node.field):
            words = f"no test whether {node.field} is there"
            yield Edit(About.MISSING, words, _without_test(expression, node.field))
        for about, words, other in _derive_mistakes(node, lists or {}):
            wrong = replace_part(expression, node, other)
            yield Edit(about, words, wrong, is_of_row=_takes_row(node, other))


def iterate_other_constants(node: Constant) -> Iterator[tuple[str, Constant]]:
    """Return what else might stand in the place of a constant: a unit less or more, other labels.

    >>> from sopforge.language.domain.expressions.numbers import make_number_constant
    >>> [words for words, _ in iterate_other_constants(make_number_constant(14))]
    ['13 for 14', '15 for 14']
    """
    for other in (*list_neighbours(node), *_iterate_other_labels(node)):
        yield f"{format_constant(other)} for {format_constant(node)}", other


def list_neighbours(number: Expression) -> list[Constant]:
    """Return a number or day one unit of its places down and up; nothing of what is no constant."""
    moved = (
        [shift_constant(number, step) for step in (-1, 1)] if isinstance(number, Constant) else []
    )
    return [other for other in moved if other is not None]


def format_constant(number: Constant) -> str:
    """Return a constant as people write it."""
    return number.type.to_cell(number.value)


def list_near_labels(kind: ValueType, code: int) -> list[int]:
    """Return the codes of the labels that are tried in the place of one, the nearest first."""
    low, high = kind.bounds
    others = [other for other in range(low, high + 1) if other != code]
    return sorted(others, key=lambda other: (abs(other - code), other))[:MOST_LABELS]


def list_taken_values(kind: ValueType) -> list[int]:
    """Return what no value is taken for: labels, or the number 0, the least and the greatest."""
    low, high = kind.bounds
    if isinstance(kind, EnumType | BooleanType):
        return list(range(low, high + 1))[:MOST_LABELS]
    zero = [0] if isinstance(kind, NumberType) and low <= 0 <= high else []
    return list(dict.fromkeys((*zero, low, high)))


def _iterate_other_labels(node: Constant) -> Iterator[Constant]:
    match node.type:
        case EnumType() | BooleanType():
            for code in list_near_labels(node.type, require_integer(node.value)):
                yield Constant(node.type, code)
        case SetType(values=values):
            code = require_integer(node.value)
            yield from (Constant(node.type, code ^ 1 << place) for place in range(len(values)))
        case TextType(pool=pool):
            others = [text for text in pool if text != node.value]
            yield from (Constant(node.type, text) for text in others[:MOST_LABELS])
        case _:
            return


def shift_constant(number: Constant, change: int) -> Constant | None:
    """Return a number or day so many units of its last place later, None where there is none."""
    match number.type:
        case NumberType(places=places, unit=unit):
            moved = numbers.make_number_constant(require_integer(number.value) + change, places)
            kind = replace(moved.type, unit=unit) if isinstance(moved.type, NumberType) else None
            return None if kind is None else replace(moved, type=kind)
        case MomentType() as kind:
            moment = require_integer(number.value) + change
            first, last = kind.widen().bounds
            if not first <= moment <= last:
                return None  # the last day of the calendar stands for "no end" in many rules
            return Constant(kind.with_bounds(moment, moment), moment)
        case _:
            return None


def _iterate_nodes(
    expression: Expression, named: Collection[Expression] = ()
) -> Iterator[Expression]:
    """Return the parts of an expression, each after its own, those about list items too.

    The cells of a table and the limit of a comparison are no parts of their own: the table and the
    comparison know what mistakes they have.
    """
    kept = {id(part) for part in iterate_parts(expression) if named and part in named}
    owned = set(kept)
    for node in _walk_all_nodes(expression, kept):
        match node:
            case Lookup(entries=entries):
                owned |= {id(entry) for entry in entries if isinstance(entry, Constant)}
            case Compare(left=left, right=right):
                owned |= {id(side) for side in (left, right) if isinstance(side, Constant)}
            case Subset(right=Constant() as right):
                owned.add(id(right))
            case _:
                pass
    yield from (node for node in _walk_all_nodes(expression, kept) if id(node) not in owned)


def _walk_all_nodes(expression: Expression, kept: set[int]) -> Iterator[Expression]:
    for node in list_ordered_parts([expression], kept):
        # The list of parts ends at an aggregate, for what is in it is about items.
        for part in list_children(node) if isinstance(node, Aggregate | Selection) else ():
            yield from _walk_all_nodes(part, kept)
        yield node


def _derive_mistakes(  # noqa: C901, PLR0912 - one case per node
    node: Expression, lists: dict[str, ListType]
) -> Iterator[tuple[About, str, Expression]]:
    yield from derive_date_mistakes(node)
    yield from derive_rounding_mistakes(node)
    yield from derive_list_mistakes(node, lists)
    yield from derive_set_mistakes(node)
    match node:
        case Compare():
            yield from _derive_comparator_mistakes(node)
        case Constant():
            about = About.CONSTANT if list_neighbours(node) else About.LABEL
            for words, other in iterate_other_constants(node):
                yield about, words, other
        case Missing():
            for code in list_taken_values(node.type):
                taken = Constant(node.type, code)
                yield About.MISSING, f"{format_constant(taken)} for no value", taken
        case OneOf():
            yield from _derive_option_mistakes(node)
        case Contains():
            yield from _derive_member_mistakes(node)
        case AllOf() | AnyOf():
            yield from _derive_operand_mistakes(node)
        case Not():
            yield About.CONDITION, "not left out", node.operand
        case Read(type=BooleanType()):
            yield About.CONDITION, f"no for yes of {node.field}", Not(node)
        case Outermost():
            yield from _derive_outermost_mistakes(node)
        case Arithmetic():
            yield from _derive_term_mistakes(node)
        case Absolute():
            yield About.CONSTANT, "the sign kept", node.operand
        case Choice():
            yield About.CONDITION, "the first of two values always", node.then
            yield About.CONDITION, "the second of two values always", node.otherwise
        case Lookup():
            yield from _derive_table_mistakes(node)
        case _:
            return


def _derive_comparator_mistakes(node: Compare) -> Iterator[tuple[About, str, Expression]]:
    """Return the comparison by another relation or with another limit.

    Texts, and labels without an order, are compared for equality only.
    """
    for limit, is_left in ((node.left, True), (node.right, False)):
        if isinstance(limit, Constant):
            about = About.LIMIT if list_neighbours(limit) else About.LABEL
            for words, other in iterate_other_constants(limit):
                wrong = replace(node, left=other) if is_left else replace(node, right=other)
                yield about, words, wrong
    yield from _derive_added_label_mistakes(node)
    if has_order(node.left.type):
        relations = [relation for relation in Relation if relation is not node.relation]
    else:
        relations = [node.relation.opposite]
    for relation in relations:
        words = f"{relation} for {node.relation}"
        yield About.COMPARATOR, words, replace(node, relation=relation)


def has_order(kind: ValueType) -> bool:
    """Return whether rules can ask which of two values of a type is the greater one."""
    return isinstance(kind, OrderedType) or (isinstance(kind, EnumType) and kind.is_ordered)


def _derive_added_label_mistakes(node: Compare) -> Iterator[tuple[About, str, Expression]]:
    """Return a comparison with a label that is met by another label too."""
    match node:
        case Compare(
            Relation.EQ | Relation.NE, operand, Constant(type=EnumType() as kind) as label
        ) if not isinstance(operand, Constant):
            for code in list_near_labels(kind, require_integer(label.value)):
                added = Constant(kind, code)
                listed: Expression = OneOf(operand, (label, added))
                wrong = listed if node.relation is Relation.EQ else Not(listed)
                yield (
                    About.LABEL,
                    f"{format_constant(added)} beside {format_constant(label)}",
                    wrong,
                )
        case _:
            return


def _derive_option_mistakes(node: OneOf) -> Iterator[tuple[About, str, Expression]]:
    for option in node.options if len(node.options) > 1 else ():
        kept = tuple(other for other in node.options if other != option)
        yield About.LABEL, f"{format_constant(option)} left out", replace(node, options=kept)
    kind = node.operand.type
    if isinstance(kind, EnumType):
        listed = {option.value for option in node.options}
        others = [code for code in range(len(kind.values)) if code not in listed]
        for code in others[:MOST_LABELS]:
            added = Constant(kind, code)
            words = f"{format_constant(added)} listed too"
            yield About.LABEL, words, replace(node, options=(*node.options, added))


def _derive_member_mistakes(node: Contains) -> Iterator[tuple[About, str, Expression]]:
    kind = node.operand.type
    if not isinstance(kind, SetType):
        return
    positions = sorted(
        (position for position in range(len(kind.values)) if position != node.position),
        key=lambda position: (abs(position - node.position), position),
    )
    for position in positions[:MOST_LABELS]:
        member = kind.values[position]
        words = f"{member} for {node.member}"
        yield About.LABEL, words, replace(node, member=member, position=position)


def _derive_operand_mistakes(node: AllOf | AnyOf) -> Iterator[tuple[About, str, Expression]]:
    is_all = isinstance(node, AllOf)
    swapped: Expression = AnyOf(node.operands) if is_all else AllOf(node.operands)
    yield About.CONDITION, "or for and" if is_all else "and for or", swapped
    for position in range(len(node.operands)):
        kept = (*node.operands[:position], *node.operands[position + 1 :])
        other = replace(node, operands=kept) if len(kept) > 1 else kept[0]
        yield About.CONDITION, f"part {position + 1} of {len(node.operands)} left out", other


def _derive_outermost_mistakes(node: Outermost) -> Iterator[tuple[About, str, Expression]]:
    other = _EXTREMES[node.extreme]
    yield About.CONSTANT, f"{other} for {node.extreme}", replace(node, extreme=other)
    for position in range(len(node.operands)):
        kept = (*node.operands[:position], *node.operands[position + 1 :])
        whole_ = replace(node, operands=kept) if len(kept) > 1 else kept[0]
        yield About.CONSTANT, f"{node.extreme} without value {position + 1}", whole_


def _derive_term_mistakes(node: Arithmetic) -> Iterator[tuple[About, str, Expression]]:
    quotient = numbers.find_remainder(node)
    if quotient is not None:
        yield About.CONSTANT, "the number for its remainder", node.left
        times = numbers.rescale_number(quotient, node.type.places)
        yield About.CONSTANT, "the quotient for the remainder", times
        return
    match node.operation:
        case Operation.ADD:
            yield from _swap_sign(node, Operation.SUBTRACT)
            yield About.CONSTANT, "the first term left out", node.right
            yield About.CONSTANT, "the second term left out", node.left
        case Operation.SUBTRACT:
            yield from _swap_sign(node, Operation.ADD)
            yield About.CONSTANT, "nothing taken off", node.left
        case Operation.MULTIPLY if node.left is node.right:
            twice = numbers.build_arithmetic(Operation.ADD, node.left, node.right)
            wrong = numbers.rescale_number(twice, node.type.places)
            yield About.CONSTANT, "twice the value for its square", wrong
        case Operation.MULTIPLY:
            return


def _swap_sign(node: Arithmetic, other: Operation) -> Iterator[tuple[About, str, Expression]]:
    # The other sum may pass 2^62, up to which alone numbers are kept.
    try:
        swapped = numbers.build_arithmetic(other, node.left, node.right)
    except numbers.TypeRuleError:
        return
    yield About.CONSTANT, f"{other} for {node.operation}", swapped


def _derive_table_mistakes(node: Lookup) -> Iterator[tuple[About, str, Expression]]:
    """Return the table with another value in a cell, or with another row taken for one.

    Of a table in a table, which is one with two keys, the cells are those of the inner ones.
    """
    kind = node.key.type
    labels = kind.values if isinstance(kind, EnumType) else ()
    for position, entry in enumerate(node.entries):
        if isinstance(entry, Constant):
            for words, other in _iterate_other_cells(node, position, entry):
                wrong = _with_entry(node, position, other)
                yield About.TABLE, f"row {labels[position]}, {words}", wrong
        for beside in (position - 1, position + 1):
            if 0 <= beside < len(node.entries):
                words = f"row {labels[beside]} taken for {labels[position]}"
                yield About.TABLE, words, _with_entry(node, position, node.entries[beside])


def _takes_row(node: Expression, other: Expression) -> bool:
    """Return whether a mistake in a table takes the entry of a neighbouring row."""
    if not isinstance(node, Lookup) or not isinstance(other, Lookup):
        return False
    pairs = enumerate(zip(node.entries, other.entries, strict=True))
    place = next((place for place, (old, new) in pairs if new is not old), 0)
    beside = (*node.entries[max(place - 1, 0) : place], *node.entries[place + 1 : place + 2])
    return any(other.entries[place] is entry for entry in beside)


def _iterate_other_cells(
    node: Lookup, position: int, entry: Constant
) -> Iterator[tuple[str, Constant]]:
    """Return other values for a cell: a unit less or more, other labels, or what other cells hold.

    The cells beside it are taken with their rows.
    """
    found = {other.value: other for _, other in iterate_other_constants(entry)}
    beside = {
        node.entries[other]
        for other in (position - 1, position + 1)
        if 0 <= other < len(node.entries)
    }
    cells = [cell for cell in node.entries if isinstance(cell, Constant) and cell not in beside]
    if isinstance(entry.type, NumberType) and cells:
        for cell in (min(cells, key=_get_value), max(cells, key=_get_value)):
            found.setdefault(cell.value, cell)
    found.pop(entry.value, None)
    for other in found.values():
        yield f"{format_constant(other)} for {format_constant(entry)}", other


def _get_value(cell: Constant) -> int:
    return require_integer(cell.value)


def _with_entry(node: Lookup, position: int, entry: Expression) -> Lookup:
    return replace(node, entries=(*node.entries[:position], entry, *node.entries[position + 1 :]))


def _without_test(expression: Expression, field: str) -> Expression:
    """Return an expression that takes a field to be there; else it is nothing, or the least."""
    reads = (
        node for node in iterate_parts(expression) if isinstance(node, Read) and node.field == field
    )
    read = next(reads, None)
    value = read or TRUE
    if read is not None and isinstance(read.type, OrderedType | EnumType):
        least = 0 if isinstance(read.type, EnumType) else max(0, read.type.bounds[0])
        value = build_choice(Presence(field), read, Constant(read.type, least))
    return Substitution({field: Replacement(value, TRUE)}, TRUE).apply_to(expression)
