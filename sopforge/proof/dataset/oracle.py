"""The oracle: the expected path, calls and outcomes of a row, computed from the model."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.stated_inputs import derive_stated_inputs
from sopforge.language.logic.tool_calls import (
    Frame,
    Refused,
    answer_tool_call,
    apply_effects,
    begin_session,
)
from sopforge.language.logic.walking import Walk, collect_outcomes, walk


def label_row(model: DomainModel, row: Mapping[str, Value | None]) -> Walk:
    """Return the walk of a row with the model itself answering the tool calls."""
    record = begin_session(model, row)
    seen: list[Frame] = []

    def answer_call(tool: Tool, arguments: Frame) -> dict[str, Value | None] | Refused:
        nonlocal record
        seen.append(record)
        result = answer_tool_call(model, tool, arguments, record)
        if not isinstance(result, Refused):
            record = apply_effects(model, tool, arguments, record)
        return result

    done = walk(model, derive_stated_inputs(model, row), answer_call)
    done.changed = {
        name: record[name] for name in record if name in row and record[name] != row[name]
    }
    if model.operations is not None:
        done.seen = seen
    return done


def answer_row(model: DomainModel, row: Mapping[str, Value | None]) -> dict[str, str]:
    """Return the outcomes of a row as cells, as somebody states them who follows a model."""
    found = collect_outcomes(model, label_row(model, row))
    return {name: model.fields[name].format_cell(value) for name, value in found.items()}
