"""Tools as the methods that answer their calls, ready to be set into the module's template."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sopforge.artifacts.rendering.refusal_codes import list_compared_fields, list_refusal_codes
from sopforge.artifacts.rendering.tools.kinds import (
    collect_kinds_used,
    is_shown_as_held,
    name_kind,
    quote_text,
    render_type_hint,
    takes_missing,
)
from sopforge.artifacts.rendering.tools.source import (
    ToolSource,
    ValueTable,
    build_value_table,
    render_negated_source,
    render_tool_source,
)
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import (
    DomainModel,
    Tool,
    ToolKind,
    collect_tool_inputs,
    order_decisions,
)
from sopforge.language.domain.rules import Formula

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
    follows: bool = False
    is_operation: bool = False


def build_method(model: DomainModel, tool: Tool, source: ToolSource) -> Method:
    """Return a tool as a method."""
    read = collect_tool_inputs(tool)
    is_compared = tool.kind is ToolKind.LOOKUP and bool(list_compared_fields(model, tool))
    # What a lookup takes was compared with the record; other tools read what they are given.
    recalled = sorted(read if is_compared else read - set(tool.takes))
    return Method(
        name=tool.name,
        kind=tool.kind.value,
        docstring=render_docstring(model, tool),
        takes=list(tool.takes),
        signature=[
            f"{item.name}: {render_type_hint(item.type)}"
            for item in model.list_tool_parameters(tool)
        ],
        checks={name: _check(model, tool, name) for name in tool.takes},
        compared=is_compared,
        found=bool(model.list_entities_read(tool)),
        finding=_render_record_search(model, tool, "checked[{!r}]" if is_compared else "{}"),
        uses_record=bool(recalled or (tool.returns and tool.kind is not ToolKind.COMPUTE)),
        guard_lines=_render_guard_lines(tool, source, recalled),
        effects={name: render_tool_source(source, value) for name, value in tool.effects.items()},
        steps=_build_steps(model, tool, source),
        results={name: _render_result(model, tool, name) for name in tool.returns},
        used=_collect_used_parameters(model, tool),
    )


def _render_record_search(model: DomainModel, tool: Tool, key: str) -> str:
    """Return the source that finds what a tool reads; of two records the first one's values win."""
    found = [
        f"self._find_{part.name}({key.format(part.key)})" for part in model.list_entities_read(tool)
    ]
    # Of a key that both have, the right side of | counts.
    return " | ".join(reversed(found))


def _render_guard_lines(tool: Tool, source: ToolSource, recalled: Iterable[str]) -> list[str]:
    lines = [f"{name} = record[{name!r}]" for name in recalled]
    for item in list_guard_checks(tool.guard):
        refusal = f"{quote_text(item.refusal)}, {quote_text(' '.join(item.says.split()))}"
        lines += [f"# guard {item.id}", f"if {render_negated_source(source, item.test)}:"]
        lines.append(f"    raise ToolRefusal({refusal})")
    return lines


def collect_value_tables(model: DomainModel, source: ToolSource) -> dict[str, ValueTable]:
    """Return the tables of decisions that tools look up, by the names of their constants."""
    found = {}
    for tool in model.tools.values():
        for name in list_applied_decisions(model, tool):
            table = _find_table(model, source, name)
            if table is not None:
                found[_name_table(name, table)] = table
    return found


def list_applied_decisions(model: DomainModel, tool: Tool) -> tuple[str, ...]:
    """Return the decisions that a compute tool applies, in order; none for other tools."""
    is_compute = tool.kind is ToolKind.COMPUTE
    return order_decisions(model, tool.returns, tool.takes) if is_compute else ()


def wrap_text(text: str, width: int = _WIDTH) -> list[str]:
    """Return words as lines of source: without line breaks and quotes that end a docstring."""
    plain = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    return textwrap.wrap(plain, width, break_long_words=False, break_on_hyphens=False)


def _collect_used_parameters(model: DomainModel, tool: Tool) -> frozenset[str]:
    """Return the parameters that a tool does more with than check them."""
    formulas = [model.decisions[name] for name in list_applied_decisions(model, tool)]
    values = [item.value for item in formulas if isinstance(item, Formula)]
    keys = {entity.key for entity in model.list_entities_read(tool)}
    copied = set(tool.returns) if tool.kind is ToolKind.COMPUTE else set()
    return collect_all_read_fields(values) | collect_tool_inputs(tool) | keys | copied


def _check(model: DomainModel, tool: Tool, name: str) -> str:
    item = model.fields[name]
    may_be_missing = collect_kinds_used(model)[name] and not takes_missing(item, tool)
    return f"{name_kind(name)}{'.kind' if may_be_missing else ''}.check({name})"


def _render_result(model: DomainModel, tool: Tool, name: str) -> str:
    value = name if tool.kind is ToolKind.COMPUTE else f"record[{name!r}]"
    item = model.fields[name]
    if is_shown_as_held(item.type) and not item.missing:
        return value
    return f"{name_kind(name)}.write({value})"


def _build_steps(model: DomainModel, tool: Tool, source: ToolSource) -> list[Step]:
    steps = []
    for name in list_applied_decisions(model, tool):
        decision = model.decisions[name]
        if isinstance(decision, Formula):
            table = _find_table(model, source, name)
            looked_up = "" if table is None else _render_lookup(name, table)
            text = looked_up or render_tool_source(source, decision.value)
            meaning = decision.description or model.fields[name].description
            steps.append(Step(name, text, wrap_text(f"{name}: {meaning}")))
    return steps


def _find_table(model: DomainModel, source: ToolSource, name: str) -> ValueTable | None:
    decision = model.decisions[name]
    table = build_value_table(source, decision.value) if isinstance(decision, Formula) else None
    # A field called fee_by_tier would have its kind under the table's name.
    is_free = table is not None and _name_table(name, table)[1:].lower() not in model.fields
    return table if is_free else None


def _name_table(name: str, table: ValueTable) -> str:
    return f"_{name}_by_{'_and_'.join(table.keys)}".upper()


def _render_lookup(name: str, table: ValueTable) -> str:
    return _name_table(name, table) + "".join(f"[{key}]" for key in table.keys)


def render_docstring(model: DomainModel, tool: Tool) -> list[str]:
    """Return what a method says: what it does, takes, returns and refuses with."""
    takes = {item.name: item.description for item in model.list_tool_parameters(tool)}
    returns = {item.name: item.description for item in model.list_tool_results(tool)}
    lines = wrap_text(f"{tool.description.rstrip('.')}.", _WIDTH - 4)
    lines += _render_section("Args:", takes)
    lines += _render_section("Returns:", returns)
    return lines + _render_section("Refusals:", list_refusal_codes(model, tool))


def _render_section(title: str, described: Mapping[str, str]) -> list[str]:
    if not described:
        return []
    lines = ["", title]
    for name, words in described.items():
        first, *rest = wrap_text(f"{name}: {words}", _WIDTH - 8)
        lines += [f"    {first}", *(f"        {line}" for line in rest)]
    return lines
