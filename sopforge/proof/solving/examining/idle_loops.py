"""Loops whose actions undo each other: a round leaves all as it was, and only the bound ends it.

A procedure is deterministic: a case that is, after a round, as it was before goes the same round
again. A loop that only looks again, and changes nothing on its round, is none of these: it waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce

from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import Expression, Not
from sopforge.language.domain.model import DomainModel, Edge
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.comparing.differences import build_difference
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.places import StepPlace
from sopforge.proof.solving.questions import Row
from sopforge.proof.solving.unfolding import (
    FALSE,
    Transition,
    Unfolded,
    Unfolder,
    build_conjunction,
    build_disjunction,
)

ROUNDS = 2
"""How many rounds are looked at: in the first one, a case may not know yet what it learns there."""


def examine_loops(inquiry: Inquiry, places: Sequence[Unfolded]) -> list[Finding]:
    """Report each edge back by which some case comes to where it was, after changes on file."""
    heads = {place.place: place for place in places}
    found: dict[str, Finding] = {}
    for tail in places:
        for transition in tail.transitions:
            edge = transition.edge
            head = heads.get(tail.place._replace(step=edge.to, is_back=False))
            is_early = dict(tail.place.visits).get(edge.id, 0) < ROUNDS
            if edge.bound is None or transition.is_used_up or head is None or not is_early:
                continue
            condition = _build_idle_round(inquiry.model, places, (head, tail), transition)
            if condition is FALSE or edge.id in found:
                continue
            answer = inquiry.find_row([condition])
            if isinstance(answer, Row):
                found[edge.id] = _make_finding(inquiry.model, places, head.place, edge, answer)
    return list(found.values())


def _build_idle_round(
    model: DomainModel,
    places: Sequence[Unfolded],
    ends: tuple[Unfolded, Unfolded],
    transition: Transition,
) -> Expression:
    """Return when a case takes the edge back as it began the round, and was otherwise between."""
    head, tail = ends
    written = list(dict.fromkeys(_iterate_written(model)))
    changed = [
        build_conjunction(place.passed, _build_difference(model, head.state, place.later, written))
        for place in _list_acting_places(model, places, head.place)
    ]
    # What the case knew before the round and has learned otherwise lets the next one differ.
    learned = [name for name in head.before if name in tail.after]
    differs = build_disjunction(
        _build_difference(model, head.state, tail.later, written),
        _build_difference(model, head.before, tail.after, learned),
    )
    between = reduce(build_disjunction, changed, FALSE)
    if between is FALSE:
        return FALSE
    return build_conjunction(build_conjunction(transition.condition, between), Not(differs))


def _list_acting_places(
    model: DomainModel, places: Iterable[Unfolded], head: StepPlace
) -> list[Unfolded]:
    """Return the places of a round at which something on file or in the session is changed."""
    return [
        item
        for item in places
        if (item.place.visits, item.place.callers) == (head.visits, head.callers)
        and item.step.call
        and model.tools[item.step.call].effects
    ]


def _iterate_written(model: DomainModel) -> Iterator[str]:
    for tool in [model.tools[name] for name in model.called]:
        for name in tool.effects:
            yield name
            yield from (other.name for other, _, _ in model.list_aliases(name))


def _build_difference(
    model: DomainModel,
    one: Mapping[str, Replacement],
    other: Mapping[str, Replacement],
    names: Iterable[str],
) -> Expression:
    """Return when one of some fields is not the same in two states."""
    plain = Unfolder(model).build_plain_value
    pairs = ((name, one.get(name), other.get(name)) for name in names)
    return build_difference(
        (left or plain(name), right or plain(name)) for name, left, right in pairs
    )


def _make_finding(
    model: DomainModel, places: Iterable[Unfolded], head: StepPlace, edge: Edge, case: Row
) -> Finding:
    acting = [item.step.call or "" for item in _list_acting_places(model, places, head)]
    names = " and ".join(f"'{name}'" for name in dict.fromkeys(acting))
    return make_warning_finding(
        "loop-undoes-itself",
        f"a case that goes back by edge {edge.name} has the same data on file as when the round"
        f" began, in spite of changes by {names}: it repeats the round until 'at_most' ends the"
        " loop",
        where=f"procedure.edges.{edge.id}",
        evidence=str(case),
        hint="change the steps of the loop so that a round changes something, or add an earlier"
        " edge that leads these cases on",
    )
