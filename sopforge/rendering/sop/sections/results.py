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
)
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.frames import RESULT
from sopforge.rendering.sop.general import render_intermediate_rules, render_result_rules
from sopforge.rendering.sop.references import to_step_numbers
from sopforge.rendering.sop.sections.fields import (
    describe_entries,
    is_label_repeated,
    phrase_answers,
    quote_labels,
)


def render_results(model: DomainModel) -> Iterator[Line]:
    """Return what the answer states; the form of an answer is named in words, never shown."""
    yield from (Line(Style.PARAGRAPH, text) for text in render_result_rules())
    for item in model.outcomes:
        yield Line(Style.BULLET, _describe_result(model, item), (f"outcome {item.name}",))
    if model.intermediates:
        yield from (Line(Style.PARAGRAPH, text) for text in render_intermediate_rules())
    for item in model.intermediates:
        missing = item.missing if model.may_decide_nothing(item.name) else ""
        source = _describe_source(model, item, missing)
        text = _render_result(model, item, f"{_describe_form(item)}{source}")
        yield Line(Style.BULLET, text, (f"scored {item.name}",))


def _describe_result(model: DomainModel, item: Field) -> str:
    answers = f"One of: {phrase_answers(item.said)}." if item.said else _describe_form(item)
    main = " This is the final decision of the procedure." if item.primary else ""
    source = _describe_source(model, item, item.missing)
    return _render_result(model, item, f"{answers}{source}{main}")


def _render_result(model: DomainModel, item: Field, rest: str) -> str:
    meaning = f"{item.description}. {rest}"
    if is_label_repeated(item, model.case.name):
        meaning = f"{rest[:1].lower()}{rest[1:]}"
    return RESULT.render(label=item.label, name=item.name, meaning=meaning)


def _describe_source(model: DomainModel, item: Field, missing: str) -> str:
    """Return the steps that settle a value, and what is reported where they do not."""
    steps = [
        step.id
        for step in model.steps.values()
        if item.name in _list_settled_fields(model, step.id)
    ]
    word = f'"{missing}"' if missing else ""
    if not steps:
        return f" Otherwise {word}." if word else ""
    return f" {frames.SETTLED.render(steps=to_step_numbers(model, steps), missing=word)}"


def _list_settled_fields(model: DomainModel, name: str) -> tuple[str, ...]:
    """Return what a step settles: by a decision, as an end, or from a tool."""
    step = model.steps[name]
    returned = model.tools[step.call].returns if step.call else ()
    return (*step.decide, *(step.end or {}), *returned)


def _describe_form(item: Field) -> str:  # noqa: PLR0911 - one case per type
    """Return how a result is written."""
    kind = item.type
    match kind:
        case EnumType() | BooleanType():
            labels = BOOLEAN_WORDS if isinstance(kind, BooleanType) else kind.values
            return f"One of: {quote_labels(labels)}."
        case NumberType():
            unit = f", in {kind.unit}, written without the unit" if kind.unit else ""
            return f"{_describe_number(kind)}{unit}."
        case DateType():
            return "A date, written as year-month-day."
        case DateTimeType():
            return "A date and time, written as year-month-day hour:minute."
        case SetType():
            members = f"{quote_labels(kind.values)}; in this order, separated by semicolons"
            return f'Any of: {members}; "{kind.empty}" if there is none.'
        case ListType():
            entries = describe_entries(item)
            return f'A list in brackets as JSON{entries}; "{kind.empty}" if there is none.'
        case TextType():
            return "As it was found."
        case _:
            assert_never(kind)


def _describe_number(kind: NumberType) -> str:
    if not kind.places:
        return "A whole number"
    return f"A number with {kind.places} decimal place{'s' * (kind.places != 1)}"
