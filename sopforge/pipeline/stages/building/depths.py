"""How far what an author wrote was read: deeper faults show only once the others are gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from sopforge.findings import Finding
from sopforge.language.domain.reading import measure_read_depth
from sopforge.workspace import DOMAIN

_UNREADABLE_TOOLS = frozenset({"tools-malformed", "tools-too-large", "tools-too-deep"})
_UNCALLED_TOOLS = frozenset({"manager-missing", "manager-needs-arguments", "manager-without-tools"})


class ToolDepth(IntEnum):
    """How far a module of tools was read."""

    NOTHING = 0
    MODULE = 1
    MANAGER = 2


def measure_depth(
    stage: str, files: Mapping[str, str], findings: Sequence[Finding], *, is_examined: bool
) -> int:
    """Return how far the files of a stage were read; the greater, the more of them was judged.

    Only numbers of one stage can be compared.
    """
    found = {item.id for item in findings}
    if stage == "tools" and is_examined:
        return _measure_tool_depth(found)
    if stage == "schema":
        name = DOMAIN.removeprefix("schema/")
        return measure_read_depth(files[name], name) + is_examined
    return int(is_examined)


def _measure_tool_depth(found: set[str]) -> ToolDepth:
    if found & _UNREADABLE_TOOLS:
        return ToolDepth.NOTHING
    return ToolDepth.MODULE if found & _UNCALLED_TOOLS else ToolDepth.MANAGER
