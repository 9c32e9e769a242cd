"""The data dictionary of the SOP: what each value means, by where the procedure has it from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.references import INPUTS, RESULTS, to_section_number, to_step
from sopforge.artifacts.rendering.sop.sections.fields import (
    list_label_owners,
    name_shared_labels,
    render_definition,
)
from sopforge.artifacts.rendering.sop.sections.kinds import group_by_kind
from sopforge.language.domain.fields import Field, Part, Role
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.values.types import NumberType

DICTIONARY = "Data dictionary"
INSIDE = "Calculated inside the tools:"


def render_dictionary(model: DomainModel, *, is_full: bool = True) -> Iterator[Statement]:
    """Return what the values mean that tools return and steps work out, each value once.

    Where it is not ``is_full``, only those whose answers and labels the rules say as clauses.
    """
    everything = _group_fields(model)
    known = ((heading, _select(items, is_full=is_full)) for heading, items in everything)
    groups = [(heading, items) for heading, items in known if items]
    own = list(group_by_kind(model, [item for _, items in groups for item in items]))
    if groups:
        text = (
            f"Besides the inputs ({to_section_number(INPUTS)}) and results"
            f" ({to_section_number(RESULTS)}), the procedure uses the following values."
        )
        yield Statement(Style.PARAGRAPH, text)
    common = ((heading, _leave_out_kinds(model, items)) for heading, items in groups)
    said = ((Statement(Style.PARAGRAPH, heading), items) for heading, items in common if items)
    for heading, found in (*said, *own):
        yield heading
        for item in found:
            line = render_definition(item, may_be_none=may_be_none(model, item))
            yield name_shared_labels(line, list_label_owners(model, item))


def _leave_out_kinds(model: DomainModel, items: Iterable[Field]) -> list[Field]:
    return [item for item in items if not model.find_kind(item.name)]


def may_be_none(model: DomainModel, item: Field) -> bool:
    """Return whether the dictionary has the word for no value of a field, if it has one."""
    return item.role in {Role.TOLD, Role.OBSERVED} or model.may_decide_nothing(item.name)


def _select(items: list[Field], *, is_full: bool) -> list[Field]:
    return [
        item for item in items if is_full or item.told or item.clauses or _has_clauses(item.parts)
    ]


def _has_clauses(parts: Iterable[Part]) -> bool:
    return any(part.said or part.label_clauses or part.value_clause for part in parts)


def _group_fields(model: DomainModel) -> Iterator[tuple[str, list[Field]]]:
    named = {item.name for item in model.given}
    for text in (item for item in model.inputs if item.tells):
        yield (
            f"Stated in the words of the {text.label}:",
            [model.fields[name] for name in text.tells],
        )
    for step in model.steps.values():
        for heading, items in _group_step_fields(model, step):
            found = [item for item in items if item.name not in named]
            named.update(item.name for item in found)
            if found:
                yield heading, found
    # What a number is that a tool alone works out, and in what unit, stands with its formula.
    found = [
        item
        for item in model.with_role(Role.DERIVED)
        if item.name not in named and not isinstance(item.type, NumberType)
    ]
    if found:
        yield INSIDE, found


def _group_step_fields(model: DomainModel, step: Step) -> Iterator[tuple[str, list[Field]]]:
    """Return what a step brings, with a heading for each place that it comes from."""
    if step.call:
        tool = model.tools[step.call].offered_name
        results = model.offered.list_tool_results(model.offered.tools[tool])
        yield f"Returned by {tool}:", list(results)
    decided = [model.fields[name] for name in step.decide]
    worked_out = [item for item in decided if item.role is Role.DERIVED]
    yield f"Set in step {to_step(step.id)}:", worked_out
