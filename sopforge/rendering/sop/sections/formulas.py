"""The formulas of a model in the SOP: one sentence, or a list of what a value is made of.

A sum of more than plain values has a line for each summand, a choice between several values, or
between values that are worked out, a line for each of them; what stands deep inside other words is
named by a letter, with a line for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from sopforge.domain.fields import Field, Role, Sampling
from sopforge.domain.language.expressions import (
    Absolute,
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Constant,
    Contains,
    Expression,
    Extreme,
    Not,
    Operation,
    Outermost,
    Quotient,
    Read,
    Selection,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Formula
from sopforge.domain.values.types import BooleanType, NumberType, ValueType
from sopforge.logic.english import English, phrase_items, phrase_value
from sopforge.logic.english.notation import Notation
from sopforge.logic.phrasing.brackets import (
    as_side,
    bracket_if_open,
    get_unit,
    is_clause,
    is_lettered,
    is_worked_out,
)
from sopforge.logic.phrasing.grammar import compute_bracket_depth, contains_unit
from sopforge.logic.phrasing.idioms import (
    find_bound,
    find_mean,
    find_negated,
    find_rounded,
    is_count,
    is_plain_number,
    list_spoken_children,
    split_branches,
    unwrap_node,
)
from sopforge.logic.phrasing.shares import find_share
from sopforge.logic.variants.substitution import replace_part
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.conditions import list_stated_items
from sopforge.rendering.sop.sections.tables import (
    is_long_look_up,
    list_look_up_keys,
    render_look_up,
)
from sopforge.rendering.sop.wording import punctuate_items

_LONG_SUM = 5
_DEEPEST = 1
_LETTERED = "value "
_FEWEST_FOR_SIGNS = 2
_EXTREMES = {AggregateFunction.MINIMUM, AggregateFunction.MAXIMUM}
_AGGREGATED = {AggregateFunction.COUNT, AggregateFunction.SUM, *_EXTREMES}
_BOUNDS = {Extreme.MINIMUM: "at most", Extreme.MAXIMUM: "at least"}


@dataclass(frozen=True, slots=True)
class Layout:
    """What a value is, as far as it is said before a list, and the entries of the list.

    Two cases say all there is to say: nothing stands before them.
    """

    head: str
    entries: list[str]


def render_formula(
    model: DomainModel, formula: Formula, style: Style, opening: str, verb: str
) -> Iterator[Line]:
    """Return how a field is worked out; the verb stands between its name and what it is."""
    item = model.fields[formula.target]
    is_known = is_count(formula.value) or contains_unit(item.label, item.type)
    unit = "" if is_known else phrase_unit(item)
    states = list_stated_items(f"decision {formula.target}", formula.value)
    if is_long_look_up(model, formula.value):
        labels = [model.fields[name].label for name in list_look_up_keys(formula.value)]
        yield Line(style, f"{opening}{unit}{phrase_keys(labels)}", states)
        yield from render_look_up(model, formula.target, formula.value)
        return
    if selected := _lay_out_entries(English(model.fields), formula.value):
        yield Line(style, f"{opening}{unit}{selected.head}", states)
        yield from _render_nested(selected.entries, states)
        return
    value = _add_unit(formula.value, item.type)
    layout = _lay_out_value(English(model.fields), value, verb)
    if layout is not None:
        text = frames.CASES
        if layout.head:
            text = frames.LISTED.render(comma="," * bool(unit), verb=verb, head=layout.head)
        yield Line(style, f"{opening}{unit}{text}", states)
        yield from _render_nested(layout.entries, states)
        return
    value, letters = _with_letters(formula.value, model.fields)
    fields = {
        **model.fields,
        **{name: _make_letter_field(name, part) for name, part in letters.items()},
    }
    text = (frames.VALUE_WHERE if letters else frames.VALUE).render(
        value=phrase_formula(value, fields)
    )
    yield Line(style, f"{opening}{unit}{text}", states)
    parts = [
        frames.LETTER.render(letter=fields[name].label, value=phrase_formula(part, model.fields))
        for name, part in letters.items()
    ]
    yield from _render_nested(parts, states)


def _add_unit(value: Expression, kind: ValueType) -> Expression:
    """Return a choice whose plain numbers are in the unit of the field that it decides."""
    inner = unwrap_node(value)
    if not isinstance(kind, NumberType) or not kind.unit:
        return value
    if isinstance(inner, Constant) and isinstance(inner.type, NumberType) and not inner.type.unit:
        return replace(inner, type=replace(inner.type, unit=kind.unit))
    if not isinstance(inner, Choice) or find_mean(inner) is not None:
        return value
    then, otherwise = (_add_unit(part, kind) for part in (inner.then, inner.otherwise))
    return replace(inner, then=then, otherwise=otherwise)


def phrase_formula(value: Expression, fields: Mapping[str, Field]) -> str:
    """Return a value in words, with signs where it takes several operations or has letters."""
    has_letters = any(name.startswith(_LETTERED) for name in fields)
    if not takes_signs(value) and not has_letters:
        return phrase_value(value, fields)
    return Notation(fields).phrase(value)


def takes_signs(value: Expression) -> bool:
    """Return whether a value takes so many operations that signs say it better than words."""
    return _count_operations(value) >= _FEWEST_FOR_SIGNS


def _count_operations(node: Expression) -> int:
    inner = unwrap_node(node)
    own = isinstance(inner, Arithmetic) and find_negated(inner) is None
    if isinstance(inner, Quotient):
        own = find_rounded(inner) is None and find_share(inner) is None
    return own + sum(map(_count_operations, _list_operands(inner)))


def phrase_unit(item: Field) -> str:
    """Return the unit of a field as it stands after its name."""
    return f", in {item.type.unit}" if isinstance(item.type, NumberType) and item.type.unit else ""


def phrase_keys(labels: Iterable[str]) -> str:
    """Return what stands after the name of a look-up, before its table."""
    return frames.BY_KEYS.render(keys=" and ".join(labels))


def _render_nested(entries: Sequence[str], states: tuple[str, ...]) -> Iterator[Line]:
    return (Line(Style.NESTED, text, states) for text in punctuate_items(entries))


# lists


def _lay_out_value(words: English, value: Expression, verb: str) -> Layout | None:
    """Return a value as a list, None where a sentence says it as well."""
    inner = unwrap_node(value)
    if isinstance(inner, Choice) and find_mean(inner) is None:
        return (
            _lay_out_cases(words, inner)
            or _lay_out_ladder(words, inner)
            or _lay_out_guarded(words, inner, verb)
        )
    number, bounds = _strip_bounds(inner)
    summands = _list_summands(number)
    if len(summands) < _LONG_SUM and not any(is_clause(part) for part in summands):
        return None
    if len(summands) == 1:
        return None
    limits = [frames.LIMIT.render(bound=word, value=words.phrase(limit)) for word, limit in bounds]
    head = frames.SUM.render(limits=" and ".join(limits))
    return Layout(head, [_phrase_summand(words, part) for part in summands])


def _lay_out_entries(words: English, value: Expression) -> Layout | None:
    """Return what is made of entries with several conditions as a list of these, else None."""
    inner = unwrap_node(value)
    if not isinstance(inner, Selection | Aggregate) or inner.where is None:
        return None
    where = unwrap_node(inner.where)
    is_row = not words.phrase_filter(inner.where).startswith("for which (")
    if is_row or not isinstance(where, AllOf | AnyOf) or not is_lettered(where):
        return None
    opening = frames.ALL_HOLD if isinstance(where, AllOf) else frames.ANY_HOLDS
    plain = words.phrase(replace(inner, where=None))
    if isinstance(inner, Selection):
        every = plain.partition(", with ")[0]
        head = frames.SELECTED.render(every=every, opening=opening, parts=words.phrase_parts(inner))
    elif inner.function in _AGGREGATED:
        default, nothing = "", ""
        if inner.function in _EXTREMES:
            default, nothing = words.phrase_default(inner), plain.rpartition(" if there is ")[2]
        head = frames.AGGREGATED.render(
            what=plain.removesuffix(f", or {default} if there is {nothing}"),
            opening=opening,
            default=default,
            nothing=nothing,
        )
    else:
        return None
    return Layout(head, phrase_items(inner.where, words.fields))


def _phrase_summand(words: English, part: Expression) -> str:
    """Return a line of a sum; what adds nothing in all other cases does not say so."""
    inner, phrase = unwrap_node(part), words.phrase(part)
    if isinstance(inner, Constant):
        return frames.ALWAYS.render(value=phrase)
    if isinstance(inner, Choice) and find_mean(inner) is None:
        _, rest = split_branches(inner)
        if is_plain_number(rest, 0):
            last = f"{frames.OTHERWISE}{_phrase_value(words, inner, rest)}"
            return phrase.removesuffix(last)
    return phrase


def _lay_out_cases(words: English, choice: Choice) -> Layout | None:
    """Return a choice between values of which one is worked out as a list of its cases."""
    found, rest = split_branches(choice)
    values = [*(branch.then for branch in found), rest]
    if not any(map(is_worked_out, values)) or isinstance(choice.type, BooleanType):
        return None
    if len(found) == 1 and any(_needs_lines(words, value) for value in values):
        return None
    entries = [
        frames.CASE.render(
            condition=bracket_if_open(branch.condition, words.phrase(branch.condition)),
            value=_phrase_case(words, choice, branch.then),
        )
        for branch in found
    ]
    last = frames.LAST_CASE.render(value=_phrase_case(words, choice, rest))
    return Layout(frames.LADDER if len(found) > 1 else "", [*entries, last])


def _needs_lines(words: English, value: Expression) -> bool:
    """Return whether a value is a list itself, or names parts of it by letters."""
    is_deep = compute_bracket_depth(words.phrase(value)) > _DEEPEST
    summands = _list_summands(_strip_bounds(unwrap_node(value))[0])
    has_choice = any(isinstance(unwrap_node(part), Choice) for part in summands)
    is_short_sum = 1 < len(summands) < _LONG_SUM and not has_choice
    return is_deep or (not is_short_sum and _lay_out_value(words, value, "is") is not None)


def _phrase_case(words: English, choice: Choice, value: Expression) -> str:
    """Return a value at the end of a line, where it needs no brackets."""
    return words.phrase(value) if is_worked_out(value) else _phrase_value(words, choice, value)


def _lay_out_ladder(words: English, choice: Choice) -> Layout | None:
    """Return a choice of several values as a list of them, None where a sentence says it."""
    found, rest = split_branches(choice)
    if len(found) == 1 or all(branch.goes_on for branch in found[1:]):
        return None
    entries = []
    for branch in found:
        condition = bracket_if_open(branch.condition, words.phrase(branch.condition))
        entries.append(f"{_phrase_value(words, choice, branch.then)} if {condition}")
    last = frames.LAST_BRANCH.render(value=_phrase_value(words, choice, rest))
    return Layout(frames.LADDER, [*entries, last])


def _lay_out_guarded(words: English, choice: Choice, verb: str) -> Layout | None:
    """Return a choice between a plain value and a list, None where neither is a list."""
    asked, opposite = choice.condition, Not(choice.condition)
    is_plain = isinstance(unwrap_node(choice.otherwise), Constant | Read)
    is_denied = is_plain and isinstance(unwrap_node(asked), Contains | Read)
    for frame, condition, plain, other in (
        (frames.IF_ELSE, opposite, choice.otherwise, choice.then)
        if is_denied
        else (frames.UNLESS, asked, choice.otherwise, choice.then),
        (frames.IF_ELSE, asked, choice.then, choice.otherwise),
    ):
        layout = _lay_out_value(words, other, verb)
        if layout is not None:
            head = frame.render(
                plain=_phrase_value(words, choice, plain),
                condition=bracket_if_open(condition, words.phrase(condition)),
                again=frames.AGAIN[verb],
                head=layout.head,
            )
            return Layout(head, layout.entries)
    return None


def _phrase_value(words: English, choice: Choice, value: Expression) -> str:
    return as_side(value, words.phrase(value), get_unit(choice))


def _strip_bounds(node: Expression) -> tuple[Expression, list[tuple[str, Constant]]]:
    """Return a number without the constants that bound it, and these, innermost first."""
    inner = unwrap_node(node)
    limited = find_bound(inner) if isinstance(inner, Outermost) else None
    if not isinstance(inner, Outermost) or limited is None:
        return node, []
    number, limit = limited
    below, bounds = _strip_bounds(number)
    return below, [*bounds, (_BOUNDS[inner.extreme], limit)]


def _list_summands(node: Expression) -> list[Expression]:
    inner = unwrap_node(node)
    if isinstance(inner, Arithmetic) and inner.operation is Operation.ADD:
        return [*_list_summands(inner.left), *_list_summands(inner.right)]
    return [node]


# letters


def _with_letters(
    value: Expression, fields: Mapping[str, Field]
) -> tuple[Expression, dict[str, Expression]]:
    """Return a value with names for the parts that would need brackets within brackets."""
    letters: dict[str, Expression] = {}
    if compute_bracket_depth(phrase_formula(value, fields)) <= _DEEPEST:
        return value, letters
    for part, letter in zip(_find_clauses(value), ascii_uppercase, strict=False):
        letters[f"{_LETTERED}{letter}"] = part
        value = replace_part(value, part, Read(_drop_unit(part.type), f"{_LETTERED}{letter}"))
    return value, letters


def _drop_unit(kind: ValueType) -> ValueType:
    """Return the type of a named part: what it is in, its own words say.

    A product with what is in percent would be said as a share, and is none where that has a name.
    """
    return replace(kind, unit="") if isinstance(kind, NumberType) else kind


def _list_operands(node: Expression) -> tuple[Expression, ...]:
    """Return the numbers that a number is worked out from."""
    match node:
        case Arithmetic() | Quotient() | Absolute() | Outermost():
            return list_spoken_children(node)
        case Choice() if find_mean(node) is None:
            found, rest = split_branches(node)
            return (*(branch.then for branch in found), rest)
        case _:
            return ()


def _find_clauses(value: Expression) -> list[Expression]:
    """Return the parts of a number that need brackets, the outermost, left to right, each once."""
    found: dict[int, Expression] = {}
    for part in _list_operands(unwrap_node(value)):
        for clause in [unwrap_node(part)] if is_clause(part) else _find_clauses(part):
            found[id(clause)] = clause
    return list(found.values())


def _make_letter_field(name: str, part: Expression) -> Field:
    return Field(
        name,
        name.removeprefix(_LETTERED),
        Role.DERIVED,
        part.type,
        "",
        "",
        primary=False,
        sampling=Sampling(),
    )
