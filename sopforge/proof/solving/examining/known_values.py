"""Reads of values that only some paths make known: whether a case ever comes to one without it.

That a read is safe is proved with all that holds where it happens: the path there, the rules or
edges before it that did not hold, and the parts of the same condition that come first. Then what
stands for an unknown value decides nothing. For the first time that a case read one, all that led
it there would be worked out from values that it knows, and the solver would have found the case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.expressions.expressions import Expression, Not
from sopforge.language.domain.fields import STORED
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.variants.substitution import Substitution
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
    unfold,
)

_DECIDED_HINT = "decide it on that path too, or add an edge that leads such cases elsewhere"
_STORED_HINT = (
    "call a tool that returns it on that path too, or add an edge that leads such cases elsewhere"
)
_FORK_HINT = "before it, test the condition under which it became known: '... and ...'"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a case may read something: an unfolded step, and the moment there."""

    unfolded: Unfolded
    moment: Moment


@dataclass(frozen=True, slots=True)
class _Reader:
    """What reads fields at a step: in words, at which places, and each read."""

    words: str
    step: Step
    places: Sequence[_Place]
    reads: Sequence[OpenRead]


def examine_known_values(model: DomainModel) -> list[Finding]:
    """Return the reads at which a case may not know the value, each with a case and its path."""
    if not model.partly_known:
        return []
    try:
        places = unfold(model)
    except TooManyStepsError as cause:
        return [
            make_error_finding(
                "value-known-undecided",
                f"it cannot be proved that '{model.fields[name].written}' is known wherever it is"
                f" read: {cause}",
                where="procedure",
                hint="lower 'at_most' of the back edges, or call a tool that returns it on"
                " every path",
            )
            for name in sorted(model.partly_known)
        ]
    return [
        finding
        for reader in _iterate_readers(model, places)
        for name in sorted({read.field for read in reader.reads})
        for finding in _examine_reader(model, places, reader, name)
    ]


def _iterate_readers(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[_Reader]:
    asked = Asked(
        lambda name: name in model.partly_known,
        # Whether something has been decided is known wherever one asks; what a record holds is not.
        is_tested=partial(_is_looked_up, model),
    )
    for step in model.steps.values():
        here = [place for place in places if place.step is step]
        if step.call is not None:
            reads = [OpenRead(name, ()) for name in model.tools[step.call].takes]
            there = [_Place(item, Moment(item.reached, item.before)) for item in here]
            wanted = [read for read in reads if asked.is_read(read.field)]
            name = model.tools[step.call].offered_name
            yield _Reader(f"the call of {name}", step, there, wanted)
        for target in step.decide:
            there = [_Place(item, item.moments[target]) for item in here]
            wanted = [
                read
                for part in iterate_decision_places(model.decisions[target])
                for read in iterate_reads(part.expression, part.given, asked)
            ]
            yield _Reader(f"'{target}'", step, there, wanted)
        there = [_Place(item, Moment(item.passed, item.after)) for item in here]
        yield _Reader("an edge", step, there, list(_iterate_edge_reads(step, asked)))


def _is_looked_up(model: DomainModel, name: str) -> bool:
    return name in model.partly_known and model.fields[name].role in STORED


def _iterate_edge_reads(step: Step, asked: Asked) -> Iterator[OpenRead]:
    earlier: tuple[Expression, ...] = ()
    for edge in step.edges:
        if edge.when is not None:
            yield from iterate_reads(edge.when, earlier, asked)
            earlier = (*earlier, Not(edge.when))


def _examine_reader(
    model: DomainModel, places: Sequence[Unfolded], reader: _Reader, name: str
) -> list[Finding]:
    """Return the finding about one field and all reads of it by one reader."""
    reads = [read for read in reader.reads if read.field == name]
    conditions = [_build_unknown_condition(reads, place.moment, name) for place in reader.places]
    wanted = reduce(build_disjunction, conditions, FALSE)
    answer = NoRow() if wanted is FALSE else find_row(model, [wanted])
    where = f"procedure.steps.{reader.step.id}"
    item = model.fields[name]
    known = _STORED_HINT if item.role in STORED else _DECIDED_HINT
    hint, what = f"{known}; or, {_FORK_HINT}", f"'{item.written}' is known"
    if isinstance(answer, Undecided):
        message = f"it could not be proved that {what} wherever {reader.words} reads it"
        return [make_error_finding("value-known-undecided", message, where=where, hint=hint)]
    if not isinstance(answer, Row):
        return []
    return [
        make_error_finding(
            "value-not-known",
            f"{reader.words} needs '{item.written}', which is not known on every path"
            f" to step '{reader.step.id}'",
            where=where,
            evidence=_describe_case(places, reader, conditions, answer),
            hint=hint,
        )
    ]


def _build_unknown_condition(reads: Iterable[OpenRead], moment: Moment, name: str) -> Expression:
    """Return the condition that a case reads the field at a moment and does not know it."""
    known = moment.known[name].known or TRUE
    if known is TRUE:
        return FALSE
    seen = Substitution(moment.known, TRUE)
    found: Expression = FALSE
    for read in reads:
        given = reduce(build_conjunction, map(seen.apply_to, read.given), TRUE)
        found = build_disjunction(found, given)
    return build_conjunction(
        moment.reached, build_conjunction(TRUE if known is FALSE else Not(known), found)
    )


def _describe_case(
    places: Sequence[Unfolded], reader: _Reader, conditions: Sequence[Expression], row: Row
) -> str:
    """Return the case that reads without knowing, and the steps by which it comes there."""
    seen = {**row.values, **row.records}
    pairs = zip(reader.places, conditions, strict=True)
    end = next((item.unfolded for item, test in pairs if holds(test, seen)), None)
    path = [] if end is None else _trace_path(places, row, end)
    steps = f"path: {' > '.join(path)}" if path else ""
    return "; ".join(part for part in (str(row) or "any case", steps) if part)


def _trace_path(places: Sequence[Unfolded], row: Row, end: Unfolded) -> list[str]:
    """Return the steps from the start to a place that a case comes to, none if it does not."""
    by_place = {place.place: place for place in places}
    seen = {**row.values, **row.records}
    here, path = places[0], [places[0].step.id]
    while here is not end:
        taken = next((item for item in here.transitions if holds(item.condition, seen)), None)
        # Where a procedure goes round for ever, which is a finding of its own, so does its path.
        if taken is None or len(path) > len(places):
            return []
        here = by_place[taken.to]
        # A step that carries out a part was named when the case came there first.
        path += [] if here.place.is_back else [here.step.id]
    return path
