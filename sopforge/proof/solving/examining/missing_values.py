"""Reads of values that may be missing or malformed: whether a case ever comes to such a one.

Most reads are shown to be safe by the shape of the conditions around them. The solver is asked
about the others, with all that holds where the read happens: the path there, the rules or edges
before it that did not hold, and the parts of the same condition that come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Expression,
    Not,
    Presence,
    Read,
    list_ordered_parts,
)
from sopforge.language.domain.fields import Role
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool, ToolKind, order_decisions
from sopforge.language.domain.rules import Decision, Formula
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import BooleanType
from sopforge.language.logic.tables import build_presence
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.proof.solving.examining.read_places import (
    Asked,
    OpenRead,
    iterate_decision_places,
    iterate_reads,
)
from sopforge.proof.solving.questions import NoRow, Row, Undecided, find_row
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    Moment,
    Unfolded,
    build_conjunction,
    build_disjunction,
    find_decision_moments,
    unfold,
)

Fields: TypeAlias = frozenset[str]
_NOTHING: Fields = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """An expression that is read at some moments, where ``given`` holds as well."""

    where: str
    expression: Expression
    moments: Sequence[Moment]
    given: tuple[Expression, ...] = ()


def examine_missing(model: DomainModel) -> list[Finding]:
    """Return the reads at which a value can be missing, each with a case that comes there."""
    try:
        places, is_followed = unfold(model), True
    except TooManyStepsError:
        places, is_followed = (), False
    findings = []
    for reading in _iterate_readings(model, places, is_followed=is_followed):
        for read in list_open_reads(model, reading.expression):
            whole = OpenRead(read.field, (*reading.given, *read.given))
            findings += _check_read(model, reading, whole, is_followed=is_followed)
        findings += _check_malformed_reads(model, reading, is_followed=is_followed)
    for tool, moments, where in _iterate_calls(model, places):
        for name in tool.takes:
            takes_none = tool.kind is ToolKind.LOOKUP and not tool.operation
            if _may_miss(model, name) and not takes_none:
                findings += _check_call_read(model, tool, OpenRead(name, ()), moments, where)
    return list(dict.fromkeys(findings))


def list_open_reads(model: DomainModel, expression: Expression) -> list[OpenRead]:
    """Return the reads of an expression that its own shape does not show to be safe."""
    asked = Asked(partial(_may_miss, model), is_safe=_is_safe)
    return [read for read in iterate_reads(expression, (), asked) if not _is_safe(read)]


# where values are read


def _iterate_readings(
    model: DomainModel, places: Sequence[Unfolded], *, is_followed: bool
) -> Iterator[Reading]:
    anywhere = (Moment(TRUE, {}),)
    for number, constraint in enumerate(model.constraints):
        yield Reading(f"constraints.{number}", constraint, anywhere)
    for target, decision in model.decisions.items():
        moments = find_decision_moments(places, target)
        if not moments and not _is_computed(model, target):
            moments = list(anywhere)
        yield from _iterate_decision_readings(decision, moments)
    for step in model.steps.values():
        after = [Moment(place.passed, place.after) for place in places if place.step is step]
        moments = after if is_followed else list(anywhere)
        earlier: tuple[Expression, ...] = ()
        for edge in step.edges:
            if edge.when is not None:
                yield Reading(f"procedure.edges.{edge.id}", edge.when, moments, earlier)
                earlier = (*earlier, Not(edge.when))
    for tool in model.tools.values():
        yield from _iterate_guard_readings(model, tool)
        yield from _iterate_calculation_readings(model, tool)


def _is_computed(model: DomainModel, target: str) -> bool:
    """Return whether a tool works the value out: it does so only where its parameters are there."""
    tools = model.tools.values()
    return any(tool.kind is ToolKind.COMPUTE and target in tool.returns for tool in tools)


def _iterate_decision_readings(decision: Decision, moments: Sequence[Moment]) -> Iterator[Reading]:
    for place in iterate_decision_places(decision):
        where = f"decisions.{decision.name}" + (f", rule {place.rule}" if place.rule else "")
        yield Reading(where, place.expression, moments, place.given)


def _iterate_guard_readings(model: DomainModel, tool: Tool) -> Iterator[Reading]:
    """A tool may be called at any time, and with any parameters; only a lookup takes the word."""
    given_anything = {
        name: Replacement(Read(model.fields[name].type, f"{name}'"))
        for name in tool.takes
        if tool.kind is not ToolKind.LOOKUP
    }
    # A record that an action has changed need not satisfy the constraints any more.
    changed = (name for other in model.tools.values() for name in other.effects)
    for name in model.expand_columns(changed):
        item = model.fields[name]
        there = Presence(f"{name}'") if item.missing else None
        given_anything.setdefault(name, Replacement(Read(item.type, f"{name}'"), there))
    moment = (Moment(TRUE, given_anything),)
    earlier: tuple[Expression, ...] = ()
    for check in list_guard_checks(tool.guard):
        yield Reading(f"tools.{tool.offered_name}, guard {check.id}", check.test, moment, earlier)
        earlier = (*earlier, check.test)
    for name, value in tool.effects.items():
        yield Reading(f"tools.{tool.offered_name}, effect on {name}", value, moment, earlier)


def _iterate_calculation_readings(model: DomainModel, tool: Tool) -> Iterator[Reading]:
    """A calculator may be called with any parameters, and reads what it works out by itself."""
    known = {name: Replacement(Read(model.fields[name].type, f"{name}'")) for name in tool.takes}
    is_compute = tool.kind is ToolKind.COMPUTE
    for name in order_decisions(model, tool.returns, tool.takes) if is_compute else ():
        decision = model.decisions[name]
        if isinstance(decision, Formula):
            moment = Moment(TRUE, dict(known))
            yield Reading(f"tools.{tool.name}, {name}", decision.value, (moment,))
            present = build_presence(decision.value)
            known[name] = Replacement(
                moment.resolve_expression(decision.value),
                None if present is None else moment.resolve_expression(present),
            )


def _iterate_calls(
    model: DomainModel, places: Sequence[Unfolded]
) -> Iterator[tuple[Tool, list[Moment], str]]:
    for step in model.steps.values():
        if step.call is not None:
            moments = [Moment(item.reached, item.before) for item in places if item.step is step]
            yield model.tools[step.call], moments, f"procedure.steps.{step.id}"


# the questions


def _settle(
    model: DomainModel,
    condition: Expression,
    found: Finding,
    doubtful: Finding,
    *,
    is_followed: bool = True,
) -> list[Finding]:
    """Return what is found if a case meets a condition, or what is said if that stays open.

    Without the paths, only that there is no such case can be proved.
    """
    answer = NoRow() if condition is FALSE else find_row(model, [condition])
    if isinstance(answer, Undecided) or (isinstance(answer, Row) and not is_followed):
        return [doubtful]
    return [replace(found, evidence=str(answer))] if isinstance(answer, Row) else []


def _check_read(
    model: DomainModel, reading: Reading, read: OpenRead, *, is_followed: bool
) -> list[Finding]:
    where, hint = reading.where, _suggest_test(read.field, reading.expression)
    kind = model.find_kind(read.field)
    if kind and not where.startswith("tools"):
        hint = f"let only cases of the kind '{kind.name}' come here; or, {hint}"
    message = f"'{read.field}' may be missing but is read without a test for that"
    text = f"it could not be decided whether '{read.field}' can be missing where it is read"
    return _settle(
        model,
        _build_missing_condition(read, reading.moments),
        make_error_finding("unguarded-missing", message, where=where, hint=hint),
        make_warning_finding("unguarded-missing-undecided", text, where=where, hint=hint),
        is_followed=is_followed,
    )


def _check_malformed_reads(
    model: DomainModel, reading: Reading, *, is_followed: bool
) -> list[Finding]:
    """Return the findings about reads of inputs that the task may state malformed.

    What is drawn is never malformed, and a guard is reached by well-formed parameters only.
    """
    if reading.where.startswith(("constraints", "tools")):
        return []
    findings = []
    asked = Asked(lambda name: bool(model.fields[name].malformed), is_safe=_is_safe)
    for read in iterate_reads(reading.expression, (), asked):
        whole = OpenRead(read.field, (*reading.given, *read.given))
        where, what = reading.where, f"'{read.field}' may be malformed"
        hint = f"before it, let a tool refuse such cases, or ask well_formed({read.field})"
        message = f"{what} but is read without a test for that"
        text = f"it could not be decided whether {what} where it is read"
        findings += _settle(
            model,
            _build_malformed_condition(whole, reading),
            make_error_finding("malformed-read", message, where=where, hint=hint),
            make_warning_finding("malformed-read-undecided", text, where=where, hint=hint),
            is_followed=is_followed,
        )
    return findings


def _build_malformed_condition(read: OpenRead, reading: Reading) -> Expression:
    """Return the condition that a case reads the input at one of the moments, malformed."""
    found = FALSE
    for moment in reading.moments:
        substitution = Substitution(moment.known, TRUE)
        case: Expression = Presence(name_malformed_mark(read.field))
        for part in (*map(substitution.apply_to, reversed(read.given)), moment.reached):
            case = build_conjunction(part, case)
        found = build_disjunction(found, case)
    return found


def _suggest_test(name: str, expression: Expression) -> str:
    if isinstance(expression.type, BooleanType):
        return f"write 'present({name}) and ...' before it"
    return f"write '... if present({name}) else ...', the last for cases without it"


def _check_call_read(
    model: DomainModel, tool: Tool, read: OpenRead, moments: Sequence[Moment], where: str
) -> list[Finding]:
    hint = f"let an edge before it lead these cases elsewhere: not present({read.field})"
    if kind := model.find_kind(read.field):
        hint = f"let only cases of the kind '{kind.name}' come here"
    message = f"{tool.name} takes '{read.field}', which may be missing when it is called"
    text = (
        f"it could not be decided whether '{read.field}' can be missing when {tool.name} is called"
    )
    return _settle(
        model,
        _build_missing_condition(read, moments),
        make_error_finding("parameter-missing", message, where=where, hint=hint),
        make_warning_finding("unguarded-missing-undecided", text, where=where, hint=hint),
    )


def _build_missing_condition(read: OpenRead, moments: Iterable[Moment]) -> Expression:
    """Return the condition that a case reads the field at one of the moments and has no value."""
    found = FALSE
    for moment in moments:
        substitution = Substitution(moment.known, TRUE)
        present = substitution.apply_to(Presence(read.field))
        given = [moment.reached, *(substitution.apply_to(part) for part in read.given)]
        if present is not TRUE and read.field not in _find_present_fields(given):
            # Where the case does not know the field at all is a question of its own.
            known = moment.known[read.field].known if read.field in moment.known else None
            case: Expression = build_conjunction(known or TRUE, Not(present))
            for part in reversed(given):
                case = build_conjunction(part, case)
            found = build_disjunction(found, case)
    return found


# what the shape of conditions shows


def _may_miss(model: DomainModel, name: str) -> bool:
    """Return whether a field can lack a value where it is known.

    Of outcomes that are left open on some path, other checks follow what is known.
    """
    item = model.fields[name]
    if item.role is Role.OUTCOME:
        return model.may_decide_nothing(name)
    return bool(item.missing)


def _is_safe(read: OpenRead) -> bool:
    return read.field in _find_present_fields(read.given)


def _find_present_fields(conditions: Iterable[Expression]) -> Fields:
    """Return the fields that are present wherever all conditions hold, by their shape alone."""
    shape, wanted = _Shape(), list(conditions)
    for part in list_ordered_parts(wanted):
        shape.find_present_fields(part, holds=True)
        shape.find_present_fields(part, holds=False)
    return _NOTHING.union(*(shape.find_present_fields(item, holds=True) for item in wanted))


@dataclass(slots=True)
class _Shape:
    """Presence tests in conditions; a part that is shared is looked at once."""

    done: dict[tuple[int, bool], tuple[Expression, Fields]] = field(default_factory=dict)

    def find_present_fields(self, node: Expression, *, holds: bool) -> Fields:
        """Return the fields that are present wherever the node holds, or wherever it fails."""
        key = (id(node), holds)
        if key not in self.done:
            self.done[key] = (node, self._derive_present_fields(node, holds=holds))
        return self.done[key][1]

    def _derive_present_fields(self, node: Expression, *, holds: bool) -> Fields:
        match node:
            case Presence(field=name):
                return frozenset({name}) if holds else _NOTHING
            case Not():
                return self.find_present_fields(node.operand, holds=not holds)
            case AllOf() | AnyOf() if node.operands:
                parts = [self.find_present_fields(item, holds=holds) for item in node.operands]
                is_each = isinstance(node, AllOf) == holds
                return parts[0].union(*parts) if is_each else parts[0].intersection(*parts)
            case _:
                return _NOTHING
