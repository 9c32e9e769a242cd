"""The tools of a model as an agent calls them, before there is any code of theirs."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.harness.scoring.agents import Call
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tool_checks import INVALID_PARAMETER
from sopforge.language.domain.values.types import ValueNotAllowedError
from sopforge.language.logic.tool_calls import Frame, Refused, answer_tool_call, apply_effects


def make_tool_caller(model: DomainModel, record: Frame) -> Call:
    """Return what calls the model's tools about one case; actions change its record."""
    now = record

    def call_tool(name: str, sent: Mapping[str, object]) -> Mapping[str, object] | Refused:
        nonlocal now
        tool = model.tools[name]
        try:
            given = {
                item.name: item.parse(sent[item.name]) for item in model.list_tool_parameters(tool)
            }
        except (KeyError, ValueNotAllowedError) as cause:
            return Refused(INVALID_PARAMETER, str(cause))
        result = answer_tool_call(model, tool, given, now)
        if isinstance(result, Refused):
            return result
        now = apply_effects(model, tool, given, now)
        return {name: model.fields[name].as_json(value) for name, value in result.items()}

    return call_tool
