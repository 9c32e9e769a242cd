"""Answers of tools as an agent gets them: a result is what is published of it.

What an agent is given beside that, or in another type, is a fault of the tools. Messages of
refusals are compared with the derived ones where tools are tried.
"""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.errors import Fault, ToolProcessError
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import ValueNotAllowedError
from sopforge.language.english.nouns import join_items
from sopforge.language.logic.tool_calls import Refused
from sopforge.sandbox.answers import JSON, Answer, Refusal, as_json, as_text, is_same

_LONGEST = 200


def build_agent_answer(
    model: DomainModel, tool: Tool, answer: Answer
) -> Mapping[str, JSON] | Refused:
    """Return what an agent gets to see of an answer.

    Raises:
        ToolProcessError: it is no published result.
    """
    place = f"tools.py, {tool.name}()"
    if isinstance(answer, Refusal):
        return Refused(answer.code, answer.message)
    if isinstance(answer.value, dict) and not (flaw := _describe_flaw(model, tool, answer.value)):
        return answer.value
    shown = as_text(answer.value)[:_LONGEST]
    message = (
        flaw if isinstance(answer.value, dict) else f"it returns {shown}, which is not an object"
    )
    names = join_items(tool.returns) or "nothing"
    hint = f"return an object with {names}, and write each value as the field describes"
    raise ToolProcessError(Fault("result-not-published", message, place, hint))


def _describe_flaw(model: DomainModel, tool: Tool, value: Mapping[str, JSON]) -> str:
    """Return what is wrong with an object as the result of a tool, "" for nothing."""
    for name in value:
        if name not in tool.returns:
            return f"it returns {as_text(name)[:_LONGEST]}, which is not published"
    for name in tool.returns:
        if name not in value:
            return f"it returns no {name}"
        if wanted := _describe_mismatch(model.fields[name], value[name]):
            return f"it returns {name} as {as_text(value[name])[:_LONGEST]}, {wanted}"
    return ""


def _describe_mismatch(item: Field, raw: JSON) -> str:
    """Return how a value differs from how results carry it, "" where type and places are right."""
    try:
        written = as_json(item.as_json(item.parse(raw)))
    except ValueNotAllowedError:
        return "which is not a value of this field"
    return "" if is_same(raw, written) else f"which should be written {as_text(written)[:_LONGEST]}"
