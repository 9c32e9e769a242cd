"""With which codes a tool can refuse, and what each of them means."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.tool_checks import (
    INVALID_PARAMETER,
    UNKNOWN_RECORD,
    build_writing_checks,
)
from sopforge.language.logic.tool_calls import RECORD_MISMATCH


def list_refusal_codes(model: DomainModel, tool: Tool) -> Mapping[str, str]:
    """Return what each code says with which a tool can refuse, in the order of its checks."""
    read = model.list_entities_read(tool)
    codes = {INVALID_PARAMETER: "a parameter is missing, not allowed or not known"}
    if read:
        named = " or ".join(dict.fromkeys(entity.store for entity in read))
        codes[UNKNOWN_RECORD] = f"there is no such {named}"
    if tool.kind is ToolKind.LOOKUP and list_compared_fields(model, tool):
        codes[RECORD_MISMATCH] = "a parameter is not what the record holds"
    guards = {
        check.refusal: " ".join(check.says.split())
        for check in (*list_guard_checks(tool.guard), *build_writing_checks(model, tool))
    }
    return {**codes, **guards}


def list_compared_fields(model: DomainModel, tool: Tool) -> tuple[str, ...]:
    """Return what a tool takes beside the keys that find its records."""
    read = model.list_entities_read(tool)
    # What an operation takes beside references stands in no record.
    if any(entity.table for entity in read):
        return ()
    keys = {entity.key for entity in read}
    return tuple(name for name in tool.takes if name not in keys)
