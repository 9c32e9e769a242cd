"""What the answers of a model follow from: the facts of rows that it reads, and its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from sopforge.language.domain.expressions.expressions import (
    Expression,
    Read,
    collect_all_read_fields,
)
from sopforge.language.domain.fields import STORED, Field, Role
from sopforge.language.domain.model import DomainModel, Tool, ToolKind, order_decisions
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    Unfolded,
    Unfolder,
    build_conjunction,
    build_disjunction,
)

_GIVEN = " as given"


def name_given(name: str) -> str:
    """Return under which name a row holds what a model works out, and another reading is given.

    No field has such a name.
    """
    return f"{name}{_GIVEN}"


def list_answer_fields(model: DomainModel) -> tuple[Field, ...]:
    """Return all that is scored: the outcomes, and the values in between that are marked so."""
    return (*model.outcomes, *model.intermediates)


def list_row_fields(model: DomainModel, given: Iterable[str] = ()) -> tuple[Field, ...]:
    """Return the fields of rows that the answers are worked out from, in the model's order.

    What a model works out from others, and is ``given``, needs none of these for it.
    """
    read = collect_row_names(with_given(model, given))
    return tuple(
        item for item in model.fields.values() if item.role in STORED and item.name in read
    )


def collect_row_names(model: DomainModel) -> frozenset[str]:
    """Return the names that rows must have: of fields, of records, and of inputs with a mark."""
    read = collect_all_read_fields([*iterate_answer_expressions(model), *model.row_conditions])
    # A record is reached by its reference, which a case without it has not.
    keys = {entity.key for entity in model.references if {entity.name, *entity.fields} & read}
    return frozenset({*(find_marked_field(name) or name for name in read), *keys})


def iterate_answer_expressions(model: DomainModel) -> Iterator[Expression]:
    """Yield what the answers are worked out from; all that decides where that is too much."""
    try:
        names = [item.name for item in list_answer_fields(model)]
        for known in derive_known_answers(model, names).values():
            yield known.value
            yield known.present or TRUE
    except TooManyStepsError:
        for item in model.with_role(*STORED):
            yield Read(item.type, item.name)


def derive_known_answers(model: DomainModel, names: Iterable[str]) -> Mapping[str, Replacement]:
    """Return answers as expressions over rows; a case that comes to no end has none.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    by = Unfolder(model)
    by.begin_with_nothing()
    places = tuple(by.unfold())
    found = by.merge_at_ends(places, names)
    ended = _build_ended(places)
    if ended is TRUE:
        return found
    return {
        name: Replacement(item.value, build_conjunction(item.present or TRUE, ended))
        for name, item in found.items()
    }


def _build_ended(places: Sequence[Unfolded]) -> Expression:
    """Return when a case comes to an end; always, where nothing can refuse it."""
    if not any(item.condition is not FALSE for place in places for item in place.refusals):
        return TRUE
    ends = [place.reached for place in places if place.step.end is not None]
    return reduce(build_disjunction, ends, FALSE)


def with_given(model: DomainModel, names: Iterable[str]) -> DomainModel:
    """Return a model that is handed some of what it works out: an input for each of them."""
    found = [name for name in names if name in model.decisions]
    for name in found:
        item = model.fields[name]
        given = replace(item, name=name_given(name), role=Role.INPUT, scored=False)
        formula = Formula(name, Read(item.type, given.name), model.decisions[name].description)
        case = replace(model.case, fields=(*model.case.fields, given.name))
        model = replace(
            model,
            fields={**model.fields, given.name: given},
            entities={**model.entities, case.name: case},
            decisions={**model.decisions, name: formula},
        )
    tools = {key: _hand_over(model, tool, found) for key, tool in model.tools.items()}
    return replace(model, tools=tools) if found else model


def _hand_over(model: DomainModel, tool: Tool, names: Iterable[str]) -> Tool:
    """Return a tool that is handed what it would work out with the rest of what it takes."""
    if tool.kind is not ToolKind.COMPUTE:
        return tool
    worked_out = order_decisions(model, tool.returns, tool.takes)
    more = tuple(name_given(name) for name in names if name in worked_out)
    return replace(tool, takes=(*tool.takes, *more)) if more else tool
