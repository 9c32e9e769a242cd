"""Tools as the methods that answer their calls, ready to be set into the module's template."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sopforge.domain.guards import guard_checks
from sopforge.domain.language.expressions import all_fields_read
from sopforge.domain.model import DomainModel, Tool, ToolKind, decision_order, tool_inputs
from sopforge.domain.rules import Formula
from sopforge.rendering.refusal_codes import compared, refusal_codes
from sopforge.rendering.tools.kinds import (
    is_shown_as_held,
    json_hint,
    kind_name,
    kinds_used,
    quoted,
    takes_missing,
)
from sopforge.rendering.tools.source import (
    ToolSource,
    ValueTable,
    negated_source,
    tool_source,
    value_table,
)

_WIDTH = 92


@dataclass(frozen=True, slots=True)
class Step:
    """A value that a tool works out: its source, and what it means."""

    name: str
    source: str
    meaning: list[str]


@dataclass(frozen=True, slots=True)
class Method:
    """What the template says of one tool."""

    name: str
    kind: str
    docstring: list[str]
    takes: list[str]
    signature: list[str]
    checks: dict[str, str]
    compared: bool
    found: bool
    finding: str
    uses_record: bool
    guard_lines: list[str]
    effects: dict[str, str]
    steps: list[Step]
    results: dict[str, str]
    used: frozenset[str]


def method(model: DomainModel, tool: Tool, source: ToolSource) -> Method:
    """Return a tool as a method."""
    read = tool_inputs(tool)
    is_compared = tool.kind is ToolKind.LOOKUP and bool(compared(model, tool))
    recalled = sorted(read if is_compared else read - set(tool.takes))
    return Method(
        name=tool.name,
        kind=tool.kind.value,
        docstring=_docstring(model, tool),
        takes=list(tool.takes),
        signature=[f"{item.name}: {json_hint(item.type)}" for item in model.tool_parameters(tool)],
        checks={name: _check(model, tool, name) for name in tool.takes},
        compared=is_compared,
        found=bool(model.entities_read(tool)),
        finding=_finding(model, tool, "checked[{!r}]" if is_compared else "{}"),
        uses_record=bool(recalled or (tool.returns and tool.kind is not ToolKind.COMPUTE)),
        guard_lines=_guard_lines(tool, source, recalled),
        effects={name: tool_source(source, value) for name, value in tool.effects.items()},
        steps=_steps(model, tool, source),
        results={name: _result(model, tool, name) for name in tool.returns},
        used=_used(model, tool),
    )


def _finding(model: DomainModel, tool: Tool, key: str) -> str:
    """Return the source that finds what a tool reads; of two records the first one's values win."""
    found = [
        f"self._find_{part.name}({key.format(part.key)})" for part in model.entities_read(tool)
    ]
    return " | ".join(reversed(found))


def _guard_lines(tool: Tool, source: ToolSource, recalled: Iterable[str]) -> list[str]:
    lines = [f"{name} = record[{name!r}]" for name in recalled]
    for item in guard_checks(tool.guard):
        refusal = f"{quoted(item.refusal)}, {quoted(' '.join(item.says.split()))}"
        lines += [f"# guard {item.id}", f"if {negated_source(source, item.test)}:"]
        lines.append(f"    raise ToolRefusal({refusal})")
    return lines


def value_tables(model: DomainModel, source: ToolSource) -> dict[str, ValueTable]:
    """Return the tables of decisions that tools look up, by the names of their constants."""
    found = {}
    for tool in model.tools.values():
        for name in worked_out(model, tool):
            table = _table(model, source, name)
            if table is not None:
                found[_table_name(name, table)] = table
    return found


def worked_out(model: DomainModel, tool: Tool) -> tuple[str, ...]:
    """Return the decisions that a compute tool applies, in order; none for other tools."""
    is_compute = tool.kind is ToolKind.COMPUTE
    return decision_order(model, tool.returns, tool.takes) if is_compute else ()


def wrapped(text: str, width: int = _WIDTH) -> list[str]:
    """Return words as lines of source: without line breaks and quotes that end a docstring."""
    plain = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    return textwrap.wrap(plain, width, break_long_words=False, break_on_hyphens=False)


def _used(model: DomainModel, tool: Tool) -> frozenset[str]:
    """Return the parameters that a tool does more with than check them."""
    formulas = [model.decisions[name] for name in worked_out(model, tool)]
    values = [item.value for item in formulas if isinstance(item, Formula)]
    keys = {entity.key for entity in model.entities_read(tool)}
    copied = set(tool.returns) if tool.kind is ToolKind.COMPUTE else set()
    return all_fields_read(values) | tool_inputs(tool) | keys | copied


def _check(model: DomainModel, tool: Tool, name: str) -> str:
    item = model.fields[name]
    may_be_missing = kinds_used(model)[name] and not takes_missing(item, tool)
    return f"{kind_name(name)}{'.kind' if may_be_missing else ''}.check({name})"


def _result(model: DomainModel, tool: Tool, name: str) -> str:
    value = name if tool.kind is ToolKind.COMPUTE else f"record[{name!r}]"
    item = model.fields[name]
    if is_shown_as_held(item.type) and not item.missing:
        return value
    return f"{kind_name(name)}.write({value})"


def _steps(model: DomainModel, tool: Tool, source: ToolSource) -> list[Step]:
    steps = []
    for name in worked_out(model, tool):
        decision = model.decisions[name]
        if isinstance(decision, Formula):
            table = _table(model, source, name)
            looked_up = "" if table is None else _lookup(name, table)
            text = looked_up or tool_source(source, decision.value)
            meaning = decision.description or model.fields[name].description
            steps.append(Step(name, text, wrapped(f"{name}: {meaning}")))
    return steps


def _table(model: DomainModel, source: ToolSource, name: str) -> ValueTable | None:
    decision = model.decisions[name]
    table = value_table(source, decision.value) if isinstance(decision, Formula) else None
    is_free = table is not None and _table_name(name, table)[1:].lower() not in model.fields
    return table if is_free else None


def _table_name(name: str, table: ValueTable) -> str:
    return f"_{name}_by_{'_and_'.join(table.keys)}".upper()


def _lookup(name: str, table: ValueTable) -> str:
    return _table_name(name, table) + "".join(f"[{key}]" for key in table.keys)


def _docstring(model: DomainModel, tool: Tool) -> list[str]:
    takes = {item.name: item.description for item in model.tool_parameters(tool)}
    returns = {item.name: item.description for item in model.tool_results(tool)}
    lines = wrapped(f"{tool.description.rstrip('.')}.", _WIDTH - 4)
    lines += _section("Args:", takes)
    lines += _section("Returns:", returns)
    return lines + _section("Refusals:", refusal_codes(model, tool))


def _section(title: str, described: Mapping[str, str]) -> list[str]:
    if not described:
        return []
    lines = ["", title]
    for name, words in described.items():
        first, *rest = wrapped(f"{name}: {words}", _WIDTH - 8)
        lines += [f"    {first}", *(f"        {line}" for line in rest)]
    return lines
