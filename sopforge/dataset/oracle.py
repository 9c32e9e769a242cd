"""The oracle: the expected path, calls and outcomes of a row, computed from the model."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.domain.model import DomainModel, Tool
from sopforge.domain.values.types import Value
from sopforge.logic.stated import stated_inputs
from sopforge.logic.tool_calls import Frame, Refused, answer, changed
from sopforge.logic.walking import Walk, walk


def label(model: DomainModel, row: Mapping[str, Value | None]) -> Walk:
    """Return the walk of a row with the model itself answering the tool calls."""
    record: Frame = row

    def service(tool: Tool, arguments: Frame) -> dict[str, Value | None] | Refused:
        nonlocal record
        result = answer(model, tool, arguments, record)
        if not isinstance(result, Refused):
            record = changed(tool, arguments, record)
        return result

    return walk(model, stated_inputs(model, row), service)
