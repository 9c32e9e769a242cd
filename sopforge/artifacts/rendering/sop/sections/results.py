"""The results in the SOP: what the answer holds, how each value is written, where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sopforge.artifacts.rendering.sop.document import Statement, Style, format_table_row
from sopforge.artifacts.rendering.sop.references import to_step_numbers
from sopforge.artifacts.rendering.sop.sections.fields import (
    describe_entries,
    describe_number,
    describe_order,
    is_label_repeated,
    phrase_answer_clauses,
    quote_known_labels,
    quote_labels,
)
from sopforge.artifacts.rendering.sop.sections.general import (
    render_intermediate_rules,
    render_result_rules,
)
from sopforge.artifacts.rendering.sop.sections.kinds import group_by_kind
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
)
from sopforge.language.english.nouns import join_items

HEAD = ("Result", "XML element", "Value", "Set in")
"""What stands in the columns of a table of results."""
HEAD_WITH_UNSET = ("Result", "XML element", "Value", "If not set", "Set in")
"""The same where results have words for that no step has set them."""
LEFT_OUT = "Leave out the results of a kind to which the case does not belong."
NOWHERE = "no step"
_ALWAYS_SET = "-"
_UNSET = " if no step has set it"
_BAR = "|"


class ResultRow(NamedTuple):
    """What is said of a result, in the columns of the table."""

    result: str
    element: str
    value: str
    source: str


def render_results(model: DomainModel, *, is_defined: bool = False) -> Iterator[Statement]:
    """Return what the answer states; the form of an answer is named in words, never shown.

    ``is_defined``: a section of definitions says what the results mean.
    """
    yield from (Statement(Style.PARAGRAPH, text) for text in render_result_rules(model))
    asked = [item for item in model.outcomes if not model.find_kind(item.name)]
    yield from _render_table(model, asked, "outcome", is_defined=is_defined)
    for heading, items in group_by_kind(model, model.outcomes):
        yield heading
        yield from _render_table(model, items, "outcome", is_defined=is_defined)
    if len(asked) < len(model.outcomes):
        yield Statement(Style.PARAGRAPH, LEFT_OUT)
    if model.intermediates:
        yield from (Statement(Style.PARAGRAPH, text) for text in render_intermediate_rules())
        yield from _render_table(model, model.intermediates, "scored")


def _render_table(
    model: DomainModel, items: Sequence[Field], kind: str, *, is_defined: bool = False
) -> Iterator[Statement]:
    """Return the rows of some results; bullets where a bar in a cell would end it."""
    rows = [describe_result(model, item) for item in items]
    if is_defined:
        rows = [row._replace(result=item.label) for item, row in zip(items, rows, strict=True)]
    if any(_BAR in cell for row in rows for cell in row):
        for item in items:
            yield Statement(Style.BULLET, _render_bullet(model, item), (f"{kind} {item.name}",))
        return
    has_unset = any(row.value.endswith(_UNSET) for row in rows)
    yield Statement(Style.ROW, format_table_row(HEAD_WITH_UNSET if has_unset else HEAD))
    for row in rows:
        cells = _split_unset(row) if has_unset else row
        yield Statement(Style.ROW, format_table_row(cells), (f"{kind} {row.element}",))


def _split_unset(row: ResultRow) -> tuple[str, ...]:
    """Return the cells of a row with what is reported where no step has set the result apart."""
    value, _, unset = row.value.removesuffix(_UNSET).rpartition("; ")
    if not row.value.endswith(_UNSET):
        value, unset = row.value, _ALWAYS_SET
    return row.result, row.element, value, unset, row.source


def _render_bullet(model: DomainModel, item: Field) -> str:
    row = describe_result(model, item)
    meaning = row.result.removeprefix(item.label).removeprefix(": ")
    said = "; ".join(filter(None, (meaning, row.value, f"set in {row.source}")))
    return f"{item.label} ({item.name}): {said}."


def describe_result(model: DomainModel, item: Field) -> ResultRow:
    """Return what is said of a result: what it is, its element, its values, who settles it."""
    is_said = is_label_repeated(item, model.case.name)
    result = item.label if is_said else f"{item.label}: {' '.join(item.description.split())}"
    value = phrase_answer_clauses(item.said) if item.said else _describe_form(item)
    nothing = _describe_nothing(model, item)
    return ResultRow(result, item.name, f"{value}{nothing}", _describe_source(model, item))


def _describe_nothing(model: DomainModel, item: Field) -> str:
    """Return what is reported of a result that has no value."""
    if item.missing and item in model.outcomes:
        return f'; "{item.missing}"{_UNSET}'
    is_open = bool(item.missing) and model.may_decide_nothing(item.name)
    return f'; "{item.missing}" if it has no value' if is_open else ""


def _describe_source(model: DomainModel, item: Field) -> str:
    """Return the steps that settle a value."""
    steps = [
        step.id
        for step in model.steps.values()
        if item.name in _list_settled_fields(model, step.id)
    ]
    return to_step_numbers(model, steps) if steps else NOWHERE


def _list_settled_fields(model: DomainModel, name: str) -> tuple[str, ...]:
    """Return what a step settles: by a decision, as an end, or from a tool."""
    step = model.steps[name]
    returned = model.tools[step.call].returns if step.call else ()
    return (*step.decide, *(step.end or {}), *returned)


def _describe_form(item: Field) -> str:
    """Return how a result is written."""
    kind = item.type
    match kind:
        case EnumType() | BooleanType():
            labels = BOOLEAN_WORDS if isinstance(kind, BooleanType) else kind.values
            return f"{join_items(quote_known_labels(item, labels), 'or')}{describe_order(kind)}"
        case NumberType():
            return f"{describe_number(kind)}{f', in {kind.unit}' if kind.unit else ''}"
        case SetType():
            members = f"any of {quote_labels(kind.values)}, in this order, separated by semicolons"
            return f'{members}; "{kind.empty}" if there is none'
        case ListType():
            entries = describe_entries(item)
            return f'a list in brackets as JSON{entries}; "{kind.empty}" if there is none'
        case TextType():
            return "as it was found"
        case _:
            return kind.noun
