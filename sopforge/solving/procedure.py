"""The procedure examined over all rows: ways never taken, refusals on the path, missing reads.

Every question is asked with the condition under which its step is reached, so that what an
earlier branch has ruled out is not reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.domain.expressions import AnyOf, Expression, Not, Read, fields_read
from sopforge.domain.model import DomainModel, Role
from sopforge.domain.types import ListType
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, error, warning
from sopforge.logic.substitution import Known, Substitution
from sopforge.logic.tables import same_value
from sopforge.solving.questions import Answer, NoRow, Row, Undecided, find_row
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    TooManyStepsError,
    Unfolded,
    both,
    outcomes_of,
    unfold,
)


def examine_procedure(model: DomainModel) -> list[Finding]:
    """Return what is wrong with the procedure, each with a case where there is one."""
    if isinstance(find_row(model, (), is_shown=False), NoRow):
        hint = "loosen one of them, or the ranges of their fields"
        message = "no row satisfies all constraints"
        return [error("constraints-contradict", message, where="constraints", hint=hint)]
    try:
        places = unfold(model)
    except TooManyStepsError as cause:
        return [warning("procedure-undecided", str(cause), where="procedure")]
    return [
        *_ways_never_taken(model, places),
        *_refusals(model, places),
        *_without_influence(model, places),
    ]


def _ways_never_taken(model: DomainModel, places: Iterable[Unfolded]) -> list[Finding]:
    conditions: dict[str, Expression] = {}
    for place in places:
        for way in place.ways:
            earlier = conditions.get(way.edge.id)
            joined = way.condition if earlier is None else AnyOf((earlier, way.condition))
            conditions[way.edge.id] = joined
    findings = []
    for name, condition in conditions.items():
        answer = find_row(model, [condition], is_shown=False)
        where = f"procedure.steps.{name.rpartition('.')[0]}"
        if isinstance(answer, NoRow):
            message = f"no case ever takes way {name.rpartition('.')[2]} out of this step"
            hint = "remove the edge, or check the conditions before it"
            findings.append(error("way-never-taken", message, where=where, hint=hint))
        findings += _undecided(answer, f"whether a case takes way {name}", where)
    return findings


def _refusals(model: DomainModel, places: Iterable[Unfolded]) -> list[Finding]:
    """Report calls that a tool refuses although the case followed the procedure."""
    findings = []
    for place in places:
        for item in place.refusals:
            answer = find_row(model, [item.condition])
            where = f"procedure.steps.{place.step.id}"
            if isinstance(answer, Row):
                message = f"{place.step.call} refuses with {item.code} on the procedure's own path"
                hint = f"name a step for {item.code} under 'refused', or lead these cases elsewhere"
                evidence = str(answer)
                findings.append(
                    error("refused-on-path", message, where=where, evidence=evidence, hint=hint)
                )
            findings += _undecided(answer, f"whether {item.code} can happen", where)
    return list(dict.fromkeys(findings))


def _without_influence(model: DomainModel, places: tuple[Unfolded, ...]) -> list[Finding]:
    """Warn of observed fields on which no outcome ever depends."""
    outcomes = outcomes_of(model, places)
    findings = []
    for item in model.with_role(Role.OBSERVED):
        is_list = isinstance(item.type, ListType)  # another list cannot stand in for it
        if item.missing or is_list or not _is_read(item.name, outcomes):
            continue
        other = _with_another(model, outcomes, item.name)
        answer = find_difference(model, outcomes, other, is_shown=False)
        if isinstance(answer, NoRow):
            message = f"no outcome ever depends on '{item.name}', although rules read it"
            findings.append(
                warning("field-without-influence", message, where=f"fields.{item.name}")
            )
    return findings


def _is_read(name: str, outcomes: dict[str, Known]) -> bool:
    return any(name in fields_read(known.value) for known in outcomes.values())


def _with_another(model: DomainModel, outcomes: dict[str, Known], name: str) -> dict[str, Known]:
    """Return the outcomes as they would be with another value of one field."""
    other = Known(Read(model.fields[name].type, f"{name}'"))
    substitution = Substitution({name: other}, TRUE)
    return {
        outcome: Known(
            substitution.of(known.value), known.present and substitution.of(known.present)
        )
        for outcome, known in outcomes.items()
    }


def distinguish(model: DomainModel, other: DomainModel) -> Answer:
    """Return a row that two models of the same fields decide differently, or the proof of none.

    Raises:
        MaterialError: the models have other fields or types.
    """
    kinds, others = (
        {item.name: item.type for item in part.fields.values()} for part in (model, other)
    )
    odd = sorted(name for name in {**kinds, **others} if kinds.get(name) != others.get(name))
    if odd:
        message = f"the models differ in their fields: {', '.join(odd)}"
        hint = "only rules, policy and procedure may differ"
        raise MaterialError(Fault("fields-differ", message, "model.entities", hint))
    sides = [outcomes_of(part, unfold(part)) for part in (model, other)]
    return find_difference(model, *sides)


def find_difference(
    model: DomainModel,
    left: dict[str, Known],
    right: dict[str, Known],
    *,
    is_shown: bool = True,
) -> Answer:
    """Return a row on which two readings of the outcomes differ, or the proof that none does."""
    differs: Expression = FALSE
    for name, known in left.items():
        differs = _either(differs, _differs(known, right[name]))
    return find_row(model, [differs], is_shown=is_shown)


def _differs(left: Known, right: Known) -> Expression:
    first, second = left.present or TRUE, right.present or TRUE
    values = both(both(first, second), Not(same_value(left.value, right.value)))
    return _either(values, Not(same_value(first, second)))


def _either(left: Expression, right: Expression) -> Expression:
    return right if left is FALSE else AnyOf((left, right))


def _undecided(answer: Answer, what: str, where: str) -> list[Finding]:
    if not isinstance(answer, Undecided):
        return []
    return [warning("undecided", f"the solver's budget ran out on {what}", where=where)]
