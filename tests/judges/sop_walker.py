"""A model whose every rule comes from the words of an SOP, to be walked like the one it is of."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from sopforge.dataset.oracle import label_row
from sopforge.dataset.records import Row
from sopforge.domain.language.expressions import Constant
from sopforge.domain.model import DomainModel, Edge, ProcedurePart, Step
from sopforge.domain.rules import Decision, Formula
from sopforge.logic.walking import collect_outcomes
from sopforge.reading.parsed_sop import ParsedStep, SopReader, Transition
from sopforge.reading.sop_passages import read_parts
from sopforge.rendering.sop.document import Line


def model_of_text(model: DomainModel, lines: Iterable[Line]) -> DomainModel:
    """Return a model with the fields and tools of another, and the procedure of a text."""
    parsed = SopReader(model).read(read_parts(line for line in lines if not line.excused))
    decisions: dict[str, Decision] = {
        name: Formula(name, value, "") for name, value in parsed.scores.items()
    }
    for said in parsed.steps:
        decisions |= said.decisions
    tools = dict(model.tools)
    for said in parsed.steps:
        if said.call is not None and said.effects:
            tools[said.call[0]] = replace(tools[said.call[0]], effects=said.effects)
    steps = {said.number: _step(said, parsed.parts) for said in parsed.steps}
    parts = {
        number: ProcedurePart(number, "", said.start, is_counted_anew=said.is_counted_anew)
        for number, said in parsed.parts.items()
    }
    whole = replace(model, decisions=decisions, tools=tools, steps=steps, parts=parts)
    return replace(whole, start=next(iter(steps)))


def list_other_answers(model: DomainModel, lines: Iterable[Line], rows: Iterable[Row]) -> list[Row]:
    """Return the rows to which who walks by a text comes to other answers than the model."""
    parsed = model_of_text(model, lines)
    return [
        row
        for row in rows
        if collect_outcomes(parsed, label_row(parsed, row))
        != collect_outcomes(model, label_row(model, row))
    ]


def _step(said: ParsedStep, parts: Container[str]) -> Step:
    section = said.number.partition(".")[0]
    edges = [
        _edge(said.number, place, transition) for place, transition in enumerate(said.transitions)
    ]
    refusals = {
        code: Edge(said.number, code, to, None) for code, (_, _, to) in said.refusals.items()
    }
    constants = {name: value for name, value in said.end.items() if isinstance(value, Constant)}
    return Step(
        id=said.number,
        title=said.title,
        instruction="",
        call=said.call[0] if said.call else None,
        decide=tuple(said.decisions),
        edges=tuple(edges),
        end=constants if said.is_end else None,
        refusals=refusals,
        hand_to=said.hand_to,
        do=said.do,
        part=section if section in parts else "",
        is_return=said.is_return,
    )


def _edge(step: str, place: int, transition: Transition) -> Edge:
    return Edge(step, str(place), transition.to, transition.when, transition.bound, transition.then)
