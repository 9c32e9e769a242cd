"""Cases that the procedure leads to a decision, as the decision sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Expression,
    collect_read_fields,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, collect_decision_inputs
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.variants.substitution import Substitution
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.questions import Answer, Row, find_changeable_fields
from sopforge.proof.solving.unfolding import FALSE, TRUE, Moment, build_conjunction


def find_case(
    inquiry: Inquiry,
    decision: Decision,
    moments: Sequence[Moment],
    conditions: Sequence[Expression],
) -> Answer:
    """Return a case that meets the conditions where a decision is made, as the decision sees it.

    The question about the decision alone is the easier one, and enough where it has no case.
    """
    answer = inquiry.find_row(conditions)
    # Rows hold what an action changes as it was drawn: then that question proves nothing.
    is_changed = bool(
        moments and find_changeable_fields(inquiry.model) & collect_decision_inputs(decision)
    )
    if not (is_changed or isinstance(answer, Row)) or not is_ever_decided(inquiry, moments):
        return answer
    there = inquiry.find_row(
        [AnyOf(tuple(build_condition_at(moment, conditions) for moment in moments))]
    )
    if not isinstance(there, Row):
        return there
    return _build_seen_row(inquiry.model, decision, moments, {**there.values, **there.records})


def _build_seen_row(
    model: DomainModel,
    decision: Decision,
    moments: Sequence[Moment],
    row: Mapping[str, Value | None],
) -> Row:
    """Return what a decision reads of a case that comes to it."""
    known = next(moment.known for moment in moments if holds(moment.reached, row))
    # What the case leaves open can be anything, and so can what is worked out from it.
    open_ = {
        name for name, item in known.items() if not collect_read_fields(item.value) <= set(row)
    }
    worked_out = {name: item.value for name, item in known.items() if name not in open_}
    seen = {**row, **{name: evaluate(value, row) for name, value in worked_out.items()}}
    unknown = {name for name, item in known.items() if not holds(item.known, row)}
    read = collect_decision_inputs(decision) - unknown - open_
    values = {name: seen[name] for name in model.fields if name in read and name in seen}
    cells = {name: model.fields[name].format_cell(value) for name, value in values.items()}
    return Row(cells, values)


def build_condition_at(moment: Moment, conditions: Iterable[Expression]) -> Expression:
    """Return that a case comes to a moment and meets the conditions there."""
    substitution = Substitution(moment.known, TRUE)
    return reduce(build_conjunction, map(substitution.apply_to, conditions), moment.reached)


def is_ever_decided(inquiry: Inquiry, moments: Sequence[Moment]) -> bool:
    """Return whether a case comes to a decision; if none does, the edges are at fault."""
    reached = AnyOf(tuple(moment.reached for moment in moments)) if moments else FALSE
    return not inquiry.is_impossible(reached)
