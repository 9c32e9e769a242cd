"""What a step says that its call returns: in words of the data dictionary, or by names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import collect_all_read_fields
from sopforge.domain.model import DomainModel, Tool, collect_deciding_expressions
from sopforge.domain.values.types import ListType
from sopforge.reading.call_words import list_returned_words, parse_returned_words
from sopforge.reading.parsed_sop import ParsedSop
from sopforge.reading.sop_passages import collect_facts
from sopforge.rendering.sop.sections.fields import (
    are_results_in_words,
    describe_returned_field,
    list_results,
    phrase_returned_field,
)


def find_other_results(model: DomainModel, tool: Tool, returned: str) -> Iterator[str]:
    """Yield where a text on what a tool returns differs from the model."""
    if _read_results_in_words(model, tool, returned):
        return
    names = _parse_returned_names(returned)
    results = [
        replace(item, name=tool.results[item.name])
        for item in list_results(model, tool)
        if tool.results[item.name] in names or item.name in _collect_read_fields(model)
    ]
    nothing = [word for item in results for word in _list_words_for_none(item)]
    # A reply is read by its names, whatever their order.
    is_named = sorted(names) == sorted(item.name for item in results)
    if not is_named or sorted(collect_facts(returned).quoted) != sorted(nothing):
        yield f"what {tool.offered_name} returns"
        return
    words = list_returned_words(returned)
    for item in results:
        if _has_another_label(returned, item):
            yield f"the label of {item.name}"
        if not _is_form(item, words.get(item.name, "")):
            yield f"the unit or the missing value of {item.name}"


def collect_names_in_words(model: DomainModel, parsed: ParsedSop) -> set[str]:
    """Return the values whose names stand in the data dictionary alone, as steps say words."""
    called = [
        (model.tools[step.call], said.call[2])
        for step, said in zip(model.steps.values(), parsed.steps, strict=False)
        if step.call is not None and said.call is not None
    ]
    return {
        name for tool, returned in called for name in _read_results_in_words(model, tool, returned)
    }


def _read_results_in_words(model: DomainModel, tool: Tool, returned: str) -> list[str]:
    """Return what words say that a tool returns; nothing if they leave out what is read."""
    if not are_results_in_words(model, tool):
        return []
    words = {phrase_returned_field(item): item.name for item in model.list_tool_results(tool)}
    names = parse_returned_words(returned, words) or []
    needed = _collect_read_fields(model).intersection(tool.returns)
    return names if len(set(names)) == len(names) and needed <= set(names) else []


def _collect_read_fields(model: DomainModel) -> frozenset[str]:
    """Return the fields that rules or tools read: what else a tool returns need not be said."""
    taken = (name for tool in model.tools.values() for name in tool.takes)
    return collect_all_read_fields(collect_deciding_expressions(model)).union(taken)


def _list_words_for_none(item: Field) -> list[str]:
    return [word for word in (getattr(item.type, "empty", ""), item.missing) if word]


def _has_another_label(returned: str, item: Field) -> bool:
    """Return whether the brackets after a returned field begin with another label than its own."""
    found = re.search(rf"\b{re.escape(item.name)} \((.+)", returned)
    openings = (item.label, "in ", "each entry has ", "an empty list means ", '"')
    return found is not None and not found[1].startswith(openings)


def _is_form(item: Field, words: str) -> bool:
    """Return whether words in brackets have the unit of a field, if any, and its missing value."""
    unit = getattr(item.type, "unit", "")
    units = re.findall(r"(?:^|, )in ([^;,]+)", words.removeprefix(item.label)) if unit else []
    if isinstance(item.type, ListType) and not describe_returned_field(item).endswith(f"({words})"):
        return False
    return list(collect_facts(words).quoted) == _list_words_for_none(item) and {*units} <= {unit}


def _parse_returned_names(returned: str) -> list[str]:
    """Return the names in a list of what a tool returns, without labels, units and words."""
    text = re.sub(r'"[^"]*"', "", returned)
    while "(" in text:
        text = re.sub(r" ?\([^()]*\)", "", text)
    return [name for name in text.split(", ") if name]
