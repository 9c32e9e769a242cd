"""The results in the SOP: what the answer holds, how each value is written, where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.general import result_rules, scored_rules
from sopforge.rendering.sop.references import to_steps
from sopforge.rendering.sop.sections.fields import answers_with_clauses, keyed, quoted

RESULTS = "Results"


def result_lines(model: DomainModel) -> Iterator[Line]:
    """Return what the answer states; the form of an answer is named in words, never shown."""
    yield from (Line(Style.PARAGRAPH, text) for text in result_rules())
    for item in model.outcomes:
        yield Line(Style.BULLET, _result(model, item), (f"outcome {item.name}",))
    if model.scored:
        yield from (Line(Style.PARAGRAPH, text) for text in scored_rules())
    for item in model.scored:
        text = f"{keyed(item)}: {item.description}. {_form(item.type)}{_source(model, item)}"
        yield Line(Style.BULLET, text, (f"scored {item.name}",))


def _result(model: DomainModel, item: Field) -> str:
    answers = f"One of: {answers_with_clauses(item.said)}." if item.said else _form(item.type)
    skipped = f' If it was not determined on the way: "{item.missing}".' if item.missing else ""
    main = " This is the final decision of the procedure." if item.primary else ""
    return f"{keyed(item)}: {item.description}. {answers}{skipped}{_source(model, item)}{main}"


def _source(model: DomainModel, item: Field) -> str:
    """Return the steps that determine a value."""
    steps = [step.id for step in model.steps.values() if item.name in _settled(model, step.id)]
    return f" Determined in {to_steps(model, steps, 'or')}." if steps else ""


def _settled(model: DomainModel, name: str) -> tuple[str, ...]:
    """Return what a step settles: by a decision, as an end, or from a tool."""
    step = model.steps[name]
    returned = model.tools[step.call].returns if step.call else ()
    return (*step.decide, *(step.end or {}), *returned)


def _form(kind: ValueType) -> str:
    """Return how a result of a type is written."""
    match kind:
        case EnumType() | BooleanType():
            labels = BOOLEAN_WORDS if isinstance(kind, BooleanType) else kind.values
            return f"One of: {quoted(labels)}."
        case NumberType():
            unit = f", in {kind.unit} but without naming the unit" if kind.unit else ""
            return f"{_digits(kind)}{unit}."
        case DateType():
            return "A date, written as year-month-day."
        case DateTimeType():
            return "A date and time, written as year-month-day hour:minute."
        case SetType():
            members = f"{quoted(kind.values)}; in this order, separated by semicolons"
            return f'Any of: {members}; "{kind.empty}" if there is none.'
        case TextType() | ListType():
            nothing = f'; "{kind.empty}" if there is none' if isinstance(kind, ListType) else ""
            return f"As it was found{nothing}."
        case _:
            assert_never(kind)


def _digits(kind: NumberType) -> str:
    if not kind.places:
        return "A whole number"
    return f"A number, written with {kind.places} decimal place{'s' * (kind.places != 1)}"
