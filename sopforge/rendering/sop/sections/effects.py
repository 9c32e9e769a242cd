"""What an action changes: records on file, facts of the session, and when it refuses to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.domain.fields import Field, Role, Said
from sopforge.domain.language.expressions import (
    AnyOf,
    Arithmetic,
    Choice,
    Constant,
    Expression,
    Missing,
    Outermost,
    Presence,
    Read,
    collect_read_fields,
)
from sopforge.domain.model import DomainModel, Tool, find_passed_limits
from sopforge.domain.values.types import NumberType, to_cell
from sopforge.logic.english import phrase_expression, phrase_value
from sopforge.logic.english.choices import is_condition
from sopforge.logic.phrasing.brackets import bracket_if_open, format_amount, is_last_continuation
from sopforge.logic.phrasing.grammar import conjugate_be, is_unit_named, list_unit_forms
from sopforge.logic.phrasing.idioms import find_bound, flatten_group, unwrap_node
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.conditions import list_stated_items

_BEFORE = re.compile(r" (?:already|meanwhile)\b| (?:before|earlier|previously)$")
"""What is true of something that was done at an earlier time."""
_ZERO = re.compile(r"0(?: \D+)?")


def render_effects(model: DomainModel, tool: Tool) -> Iterator[Line]:
    """Return what a call changes, and beyond which values it refuses to."""
    for name, value in tool.effects.items():
        stated = list_stated_items(f"effect {tool.name}.{name}", value)
        yield Line(Style.PARAGRAPH, _phrase_effect(model, model.fields[name], value), stated)
    for name, value in tool.effects.items():
        item = model.fields[name]
        limits = phrase_limits(item, *find_passed_limits(item, value))
        if limits:
            text = frames.BEYOND.render(tool=tool.offered_name, label=item.label, limits=limits)
            yield Line(Style.PARAGRAPH, text, (f"effect {tool.name}.{name}",))


def phrase_limits(item: Field, least: Constant | None, greatest: Constant | None) -> str:
    """Return the values beyond which a column would leave its range, "" where it cannot."""
    below, above = (
        frames.BEYOND_NUMBERS if isinstance(item.type, NumberType) else frames.BEYOND_DAYS
    )
    parts = ((below, least), (above, greatest))
    return " or ".join(
        f"{word} {format_limit(item, limit)}" for word, limit in parts if limit is not None
    )


def format_limit(item: Field, limit: Constant) -> str:
    """Return an end of a range as a sentence has it."""
    if isinstance(item.type, NumberType):
        return format_amount(Constant(item.type, limit.value), item.type.unit)
    return to_cell(item.type, limit.value)


def phrase_own_value(model: DomainModel, item: Field) -> str:
    """Return what a field holds before the call, as part of a longer value says it."""
    own: Expression = Read(item.type, item.name)
    if item.missing:
        own = Choice(item.type, Presence(item.name), own, Missing(item.type, item.missing))
    return phrase_value(own, model.fields)


def _phrase_effect(model: DomainModel, item: Field, value: Expression) -> str:
    words = phrase_value(value, model.fields)
    if item.said and isinstance(value, Constant):
        frame = frames.SESSION_CLAUSE if item.role is Role.SESSION else frames.CLAUSE_ON_FILE
        clause = item.said.yes if value.value else item.said.no
        return frame.render(verb="records", clause=_phrase_clause(model, clause))
    if item.said and item.role is not Role.SESSION and is_condition(value):
        clauses = Said(*(_phrase_clause(model, clause) for clause in item.said.both))
        if said := _phrase_condition(model, item, value, clauses):
            return said
    return _phrase_difference(item, value, words) or _phrase_new_value(
        item, words, phrase_own_value(model, item)
    )


def _phrase_condition(model: DomainModel, item: Field, value: Expression, said: Said) -> str:
    """Return by what condition a call records an answer, or else leaves it as it was.

    "" where the field itself decides in another manner what is recorded, and for conditions after
    whose words "otherwise" would not be clear.
    """
    if item.name not in collect_read_fields(value):
        condition = phrase_expression(value, model.fields)
        if bracket_if_open(value, condition) != condition:
            return ""
        return frames.CLAUSE_BY_CONDITION.render(
            verb="records", clause=said.yes, condition=condition, opposite=said.no
        )
    inner = unwrap_node(value)
    parts = flatten_group(inner) if isinstance(inner, AnyOf) else []
    rest = [part for part in parts if unwrap_node(part) != Read(item.type, item.name)]
    if len(rest) != 1 or len(parts) != len(rest) + 1 or item.name in collect_read_fields(rest[0]):
        return ""
    condition = phrase_expression(rest[0], model.fields)
    if bracket_if_open(rest[0], condition) != condition:
        return ""
    return frames.CLAUSE_OR_LEFT.render(
        verb="records", clause=said.yes, condition=condition, label=item.label
    )


def _phrase_clause(model: DomainModel, clause: str) -> str:
    """Return what a call records, as it stands of what is done just now."""
    known = {words for other in list_said(model) for words in (other.yes, other.no)}
    done = phrase_done(clause)
    return clause if done in known else done


def list_said(model: DomainModel) -> list[Said]:
    """Return what the answers of all yes/no fields of a model stand for."""
    return [item.said for item in model.fields.values() if item.said]


def phrase_done(clause: str) -> str:
    """Return a clause as it stands of what is done just now.

    >>> phrase_done("the claim has already been paid")
    'the claim has been paid'
    """
    return _BEFORE.sub("", clause)


def _phrase_difference(item: Field, value: Expression, words: str) -> str:
    """Return by how much a call raises or reduces a number, "" where it does something else."""
    inner, limit = unwrap_node(value), {}
    changed, comma, bound = words.partition(", but ")
    bounded = find_bound(inner) if isinstance(inner, Outermost) else None
    if bounded is not None:
        inner, limit = unwrap_node(bounded[0]), _find_limit(bound, item)
    if not isinstance(inner, Arithmetic) or not isinstance(unwrap_node(inner.left), Read):
        return ""
    by = unwrap_node(inner.right)
    for verb, word in frames.CHANGES.items():
        rest = changed.removeprefix(f"the {item.label} {word} ")
        is_bare = isinstance(by, Read | Constant) or is_last_continuation(by, inner)
        difference = rest if is_bare and "(" not in rest else _open_brackets(rest)
        if rest != changed and difference and bool(limit) == bool(comma):
            difference = _drop_named_unit(difference, item)
            ends_at_zero = limit.get("passed") == "below" and _ZERO.fullmatch(limit["limit"])
            if ends_at_zero and difference == "1":
                return frames.REDUCED_BY_ONE.render(each="Each", label=item.label)
            if ends_at_zero:
                return frames.REDUCED_TO_ZERO.render(
                    each="Each", label=item.label, value=difference
                )
            return frames.CHANGE.render(
                each="Each", verb=verb, label=item.label, value=difference, **limit
            )
    return ""


def _drop_named_unit(amount: str, item: Field) -> str:
    """Return an amount without its unit where the label of its field says what it counts."""
    unit = item.type.unit if isinstance(item.type, NumberType) else ""
    if not is_unit_named(item.label, unit):
        return amount
    figure, _, rest = amount.partition(" ")
    return figure if rest in list_unit_forms(unit) else amount


def _find_limit(bound: str, item: Field) -> dict[str, str]:
    """Return the one limit that a changed number does not pass, nothing where there are others."""
    for passed, words in frames.PASSED.items():
        limit = bound.removeprefix(f"{words} ")
        if limit != bound and " and " not in limit and "(" not in limit:
            return {"passed": passed, "limit": _drop_named_unit(limit, item)}
    return {}


def _open_brackets(words: str) -> str:
    """Return what stands in the brackets around words, "" where there are others or none."""
    inner = words[1:-1]
    return inner if words == f"({inner})" and not set(inner) & set('()"') else ""


def _phrase_new_value(item: Field, words: str, own: str) -> str:
    """Return the sentence of a new value, which may leave the field as it is in some cases."""
    if words == own:
        return frames.LEFT.render(label=item.label)
    kept, otherwise, new = words.partition(frames.OTHERWISE)
    if kept.startswith(f"{own} if ") and otherwise and frames.OTHERWISE not in new:
        condition = kept.removeprefix(f"{own} if ")
        verb = "sets it to" if item.role is Role.SESSION else "records it as"
        return frames.KEPT.render(label=item.label, condition=condition, verb=verb, value=new)
    return _phrase_change(item, words.removesuffix(f"{frames.OTHERWISE}{own}"), words)


def _phrase_change(item: Field, changed: str, words: str) -> str:
    """Return the sentence of a change, which may leave a field as it is in other cases."""
    stays = frames.STAYS if changed != words else ""
    if item.role is Role.SESSION:
        be = conjugate_be(item.label)
        return frames.SESSION_EFFECT.render(label=item.label, be=be, value=changed, stays=stays)
    frame = frames.SETTING if " as " in item.label else frames.EFFECT
    return frame.render(label=item.label, where=frames.ON_FILE, value=changed, stays=stays)
