"""What never matters: fields, decisions and policy constants that change nothing.

Each is asked about by giving it another value, any at all, and looking for a case that ends
differently. Most of them matter in some drawn row, so that the solver has little to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    Expression,
    Presence,
    Read,
    Selection,
    collect_all_read_fields,
    collect_named_constants,
    list_children,
    list_ordered_parts,
)
from sopforge.language.domain.fields import Field, Role, Sampling
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, PolicyConstant, Step, ToolKind
from sopforge.language.domain.rules import Formula, HitPolicy, Table, list_decision_expressions
from sopforge.language.domain.values.types import (
    MINUTES_A_DAY,
    DateTimeType,
    MomentType,
    NumberType,
    ValueType,
)
from sopforge.language.logic.variants.changed_models import with_constant
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.proof.solving.comparing.differences import build_difference
from sopforge.proof.solving.examining.inquiry import Inquiry, find_undecided
from sopforge.proof.solving.questions import Answer, NoRow
from sopforge.proof.solving.unfolding import (
    TRUE,
    Unfolded,
    build_conjunction,
    derive_outcomes,
    unfold,
)


@dataclass(frozen=True, slots=True)
class _Doubt:
    """Something that may never matter: the finding if so, and when it does matter."""

    finding: Finding
    what: str
    derive: Callable[[], Expression]

    def make_findings(self, answer: Answer) -> list[Finding]:
        if isinstance(answer, NoRow):
            return [self.finding]
        return find_undecided(answer, f"whether {self.what}", self.finding.where)


def examine_influence(
    model: DomainModel, unfolded: tuple[Unfolded, ...], inquiry: Inquiry | None = None
) -> list[Finding]:
    """Warn of what rules read although no case depends on it.

    ``inquiry`` is the one of the examination that this is a part of.
    """
    inquiry = inquiry or Inquiry(model, unfolded)
    doubts = [
        *_list_doubted_fields(model, unfolded),
        *_list_doubted_decisions(model, unfolded),
        *_list_doubted_constants(model, unfolded),
    ]
    answers = inquiry.find_any_rows(
        [doubt.derive for doubt in doubts], "fields, decisions and constants asked about"
    )
    return [
        finding
        for doubt, answer in zip(doubts, answers, strict=True)
        for finding in doubt.make_findings(answer)
    ]


def _list_doubted_fields(model: DomainModel, unfolded: tuple[Unfolded, ...]) -> Iterator[_Doubt]:
    outcomes = {**_derive_answers(model, unfolded), **_derive_acts(model, unfolded)}
    read = collect_all_read_fields(
        part for known in outcomes.values() for part in _list_parts(known)
    )
    handed = _collect_handed(model, unfolded)
    for item in model.with_role(Role.OBSERVED):
        if item.name in read - handed:
            finding = make_warning_finding(
                "field-without-influence",
                f"no outcome and no action ever depends on '{item.written}', although rules read"
                " it",
                where=f"fields.{item.name}",
                hint=f"remove '{item.written}' from the rules, or add a rule in which it"
                " changes the result",
            )
            yield _Doubt(
                finding,
                f"'{item.written}' matters",
                partial(_derive_other_outcome, model, outcomes, item.name),
            )


def _derive_answers(model: DomainModel, unfolded: Sequence[Unfolded]) -> dict[str, Replacement]:
    """Return what an answer states of a case: its outcomes, and scored values where they are set.

    The latter are called after the places at which they are set.
    """
    found = derive_outcomes(model, tuple(unfolded))
    for place in unfolded:
        tool = model.tools.get(place.step.call or "")
        for name in (*place.step.decide, *(tool.returns if tool else ())):
            if model.fields[name].scored and name in place.after:
                known = place.after[name]
                there = build_conjunction(place.reached, known.present or TRUE)
                found[f"{name} at {len(found)}"] = Replacement(known.value, there)
    return found


def _derive_acts(model: DomainModel, unfolded: Sequence[Unfolded]) -> dict[str, Replacement]:
    """Return when actions are called, what is worked out for them, and what they write.

    They are called after their places.
    """
    found: dict[str, Replacement] = {}
    for place in unfolded:
        tool = model.tools.get(place.step.call or "")
        if tool is None or tool.kind is not ToolKind.ACTION:
            continue
        written = [place.later[name] for name in tool.effects if name in place.later]
        acts = [
            Replacement(place.reached),
            *_list_arguments(model, place.step, place),
            *(
                Replacement(it.value, build_conjunction(place.passed, it.present or TRUE))
                for it in written
            ),
        ]
        found |= {f"act {len(found) + number}": act for number, act in enumerate(acts)}
    return found


def _collect_handed(model: DomainModel, unfolded: Sequence[Unfolded]) -> frozenset[str]:
    """Return the fields that actions are handed: another value is another call."""
    called = {place.step.call for place in unfolded if place.step.call}
    tools = (model.tools[name] for name in called)
    return model.expand_columns(
        name for tool in tools if tool.kind is ToolKind.ACTION for name in tool.takes
    )


def _derive_other_outcome(
    model: DomainModel, outcomes: Mapping[str, Replacement], name: str
) -> Expression:
    others = _with_another(model, outcomes, name)
    return build_difference((known, others[item]) for item, known in outcomes.items())


def _list_parts(known: Replacement) -> tuple[Expression, ...]:
    return (known.value,) if known.present is None else (known.value, known.present)


def _with_another(
    model: DomainModel, outcomes: Mapping[str, Replacement], name: str
) -> dict[str, Replacement]:
    """Return the outcomes as they would be with another value of one field, or without it."""
    item = model.fields[name]
    is_there = Presence(f"{name}'") if item.missing else None
    substitution = Substitution({name: Replacement(Read(item.type, f"{name}'"), is_there)}, TRUE)
    for part in list_ordered_parts(
        part for known in outcomes.values() for part in _list_parts(known)
    ):
        substitution.apply_to(part)
    return {
        outcome: Replacement(
            substitution.apply_to(known.value),
            known.present and substitution.apply_to(known.present),
        )
        for outcome, known in outcomes.items()
    }


def _list_doubted_decisions(model: DomainModel, unfolded: Sequence[Unfolded]) -> Iterator[_Doubt]:
    for name in _list_used_decisions(model, unfolded):
        finding = make_warning_finding(
            "decision-without-influence",
            f"no outcome, edge or call ever depends on '{name}'",
            where=f"decisions.{name}",
            hint=f"delete '{name}' and everything that reads it, or make an outcome, an edge or"
            " a call depend on it",
        )
        yield _Doubt(
            finding,
            f"'{name}' matters",
            partial(
                _derive_other_course,
                model,
                unfolded,
                partial(_with_free_decision, name),
                f"{name}'",
            ),
        )


def _list_used_decisions(model: DomainModel, unfolded: Sequence[Unfolded]) -> list[str]:
    """Return the decisions that are taken and read or returned, or outcomes.

    A scored value matters by itself.
    """
    returned = {name for tool in model.tools.values() for name in tool.returns}
    read = collect_all_read_fields(expression for _, expression in _iterate_expressions(model))
    outcomes = {item.name for item in model.outcomes}
    taken = {name for place in unfolded for name in place.after}
    used = taken & (read | returned | outcomes)
    return [name for name in model.decisions if name in used and not model.fields[name].scored]


def _with_free_decision(name: str, model: DomainModel) -> DomainModel:
    """Return the model with a decision that may come to any value."""
    free = Read(model.fields[name].type, f"{name}'")
    return replace(
        model,
        fields={**model.fields, free.field: _make_free_field(free)},
        decisions={**model.decisions, name: Formula(name, free, "")},
    )


def _list_doubted_constants(model: DomainModel, unfolded: Sequence[Unfolded]) -> Iterator[_Doubt]:
    """Yield constants of rules and edges; what guards and constraints read is always used."""
    read: dict[str, set[str]] = {}
    for owner, expression in _iterate_expressions(model):
        for name in collect_named_constants(expression):
            read.setdefault(name, set()).add(owner)
    for name, item in model.policy.items():
        kind = _derive_other_values(item)
        if kind is None or not read.get(name, set()) <= {"decision", "edge"} or name not in read:
            continue
        free = Read(kind, f"{name}'")
        finding = make_warning_finding(
            "policy-without-influence",
            f"no outcome, edge or call depends on the value of '{name}'",
            where=f"policy.{name}",
            hint=f"delete '{name}' and the conditions that read it, or make an outcome, an edge"
            " or a call depend on them",
        )
        yield _Doubt(
            finding,
            f"the constant '{name}' matters",
            partial(
                _derive_other_course,
                model,
                unfolded,
                partial(_with_free_constant, name, free),
                free.field,
            ),
        )


def _iterate_expressions(model: DomainModel) -> Iterator[tuple[str, Expression]]:
    """Return all expressions of a model, each with what it belongs to."""
    for decision in model.decisions.values():
        # What is scored is a part of the answer.
        owner = "scored" if model.fields[decision.target].scored else "decision"
        yield from ((owner, part) for part in list_decision_expressions(decision))
        # With another figure in its last condition a table without "otherwise" has a gap.
        if isinstance(decision, Table) and decision.hit is not HitPolicy.COLLECT:
            last = decision.rules[-1].when
            yield from () if last is None else (("coverage", last),)
    for step in model.steps.values():
        yield from (("edge", edge.when) for edge in step.edges if edge.when is not None)
    for tool in model.tools.values():
        yield from (("guard", check.test) for check in list_guard_checks(tool.guard))
        yield from (("effect", value) for value in tool.effects.values())
    yield from (("constraint", constraint) for constraint in model.constraints)


def _derive_other_values(item: PolicyConstant) -> ValueType | None:
    """Return the values that a constant might have as well; a positive number stays positive."""
    constant = item.constant
    match constant.type:
        case NumberType(minimum=value, places=places, unit=unit) if value > 0:
            # It may be a divisor, which has to stay above 0.
            return NumberType(1, 2 * value + 1, places, unit)
        case NumberType(minimum=value, places=places, unit=unit):
            return NumberType(2 * value - 1, 0, places, unit)
        case MomentType(minimum=day) as kind:
            first, last = kind.widen().bounds
            year = 366 * (MINUTES_A_DAY if isinstance(kind, DateTimeType) else 1)
            return kind.with_bounds(max(first, day - year), min(last, day + year))
        case _:
            return None


def _with_free_constant(name: str, free: Read, model: DomainModel) -> DomainModel:
    """Return the model with another value in the place of a constant."""
    fields = {**model.fields, free.field: _make_free_field(free)}
    return replace(with_constant(model, name, free), fields=fields)


def _make_free_field(free: Read) -> Field:
    return Field(
        name=free.field,
        label=free.field,
        role=Role.OBSERVED,
        type=free.type,
        description="",
        missing="",
        primary=False,
        sampling=Sampling(),
    )


def _derive_other_course(
    model: DomainModel,
    unfolded: Sequence[Unfolded],
    free: Callable[[DomainModel], DomainModel],
    name: str,
) -> Expression:
    """Return when a case ends differently, takes another edge or calls with other values.

    ``free`` lets the model have a value of that name; only what reads it can come out differently.
    """
    others = unfold(free(model))
    pairs = list(zip(_collect_course(model, unfolded), _collect_course(model, others), strict=True))
    search = _Search(name)
    # From the bottom, so that no expression is followed deeper than Python's calls go.
    for part in list_ordered_parts(part for _, known in pairs for part in _list_parts(known)):
        search.is_part_of(part)
    return build_difference(pair for pair in pairs if search.is_read_in(pair[1]))


@dataclass(slots=True)
class _Search:
    """Looks for a value in expressions; a part that is shared is looked through once."""

    name: str
    done: dict[int, tuple[Expression, bool]] = field(default_factory=dict)

    def is_read_in(self, known: Replacement) -> bool:
        return any(self.is_part_of(part) for part in _list_parts(known))

    def is_part_of(self, node: Expression) -> bool:
        if id(node) not in self.done:
            is_found = self.name in _list_own_reads(node)
            is_found = is_found or any(self.is_part_of(part) for part in list_children(node))
            self.done[id(node)] = (node, is_found)
        return self.done[id(node)][1]


def _list_own_reads(node: Expression) -> tuple[str, ...]:
    """Return the field or list that a node itself reads."""
    match node:
        case Read(field=name) | Aggregate(list=name) | Selection(list=name):
            return (name,)
        case _:
            return ()


def _collect_course(model: DomainModel, unfolded: Sequence[Unfolded]) -> list[Replacement]:
    """Return all that shows of a case: its outcomes, its edges and the values it calls with."""
    shown = list(_derive_answers(model, unfolded).values())
    for place in unfolded:
        shown += [Replacement(transition.condition) for transition in place.transitions]
        shown += _list_arguments(model, place.step, place)
    return shown


def _list_arguments(model: DomainModel, step: Step, place: Unfolded) -> list[Replacement]:
    """Return what is handed to look-ups and actions; what is computed is followed further."""
    tool = model.tools.get(step.call or "")
    if tool is None or tool.kind is ToolKind.COMPUTE:
        return []
    known = [place.before[name] for name in tool.takes if name in place.before]
    return [
        Replacement(item.value, build_conjunction(place.reached, item.present or TRUE))
        for item in known
    ]
