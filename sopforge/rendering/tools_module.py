"""The tools module of a model: self-contained Python source that answers every tool call."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from jinja2 import Environment, PackageLoader, StrictUndefined

from sopforge.domain.expressions import Constant, Expression, constants_named
from sopforge.domain.fields import Field
from sopforge.domain.guards import guard_checks
from sopforge.domain.model import DomainModel, Tool, ToolKind, decision_order, tool_inputs
from sopforge.domain.rules import Formula, decision_expressions
from sopforge.domain.types import (
    SET_SEPARATOR,
    AtomType,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueType,
    to_cell,
)
from sopforge.logic.python_source import helpers_of, python_source
from sopforge.rendering.pattern_regex import as_regex


def render_tools(model: DomainModel) -> str:
    """Return the source of ``tools.py``; it uses the standard library only."""
    environment = Environment(
        loader=PackageLoader("sopforge.rendering"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the output is Python source, escaped by repr
    )
    environment.filters.update(pyrepr=_quoted, pytuple=_tuple)
    return environment.get_template("tools.py.j2").render(
        title=model.title.replace('"', "'").replace("\\", "/"),
        entities=[
            (entity.name, entity.key, model.records_file(entity))
            for entity in model.entities.values()
        ],
        effects=any(tool.effects for tool in model.tools.values()),
        separator=SET_SEPARATOR,
        manager=manager_name(model),
        constants=_constants(model),
        fields=[(name, _codec(model.fields[name])) for name in _field_names(model)],
        helpers=helpers_of(_expressions(model)),
        tools=[_method(model, tool) for tool in model.tools.values()],
    )


def manager_name(model: DomainModel) -> str:
    """Return the name of the class that answers the calls."""
    return "".join(part.capitalize() for part in model.name.split("_")) + "Manager"


def _field_names(model: DomainModel) -> list[str]:
    names = [
        item.name for entity in model.entities.values() for item in model.stored_fields(entity)
    ]
    for tool in model.tools.values():
        names += [*tool.takes, *tool.returns]
    return list(dict.fromkeys(names))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _tuple(items: Iterable[str]) -> str:
    quoted = [_quoted(item) for item in items]
    return f"({', '.join(quoted)}{',' if len(quoted) == 1 else ''})"


def _codec(item: Field) -> str:
    kind = _type_codec(item.type)
    return f"Optional({kind}, {_quoted(item.missing)})" if item.missing else kind


def _type_codec(kind: ValueType) -> str:
    if not isinstance(kind, ListType):
        return _atom_codec(kind)
    fields = ", ".join(f"{_quoted(name)}: {_atom_codec(part)}" for name, part in kind.fields)
    return f"Items({{{fields}}}, {kind.size}, empty={_quoted(kind.empty)})"


def _atom_codec(kind: AtomType) -> str:  # noqa: PLR0911 - one case per type
    match kind:
        case NumberType():
            places = f", {kind.places}" if kind.places else ""
            return f"Number({kind.minimum}, {kind.maximum}{places})"
        case BooleanType():
            return "Flag()"
        case EnumType():
            return f"Label({', '.join(map(_quoted, kind.values))})"
        case SetType():
            return f"Labels({', '.join(map(_quoted, kind.values))}, empty={_quoted(kind.empty)})"
        case DateType():
            return f"Day({kind.minimum}, {kind.maximum})"
        case DateTimeType():
            return f"Minute({kind.minimum}, {kind.maximum})"
        case TextType():
            return f"Text({_quoted(as_regex(kind.pattern))})" if kind.pattern else "Text()"
        case _:
            assert_never(kind)


@dataclass(frozen=True, slots=True)
class _Constant:
    name: str
    value: Value
    comment: str


def _expressions(model: DomainModel) -> list[Expression]:
    """Return all that the tools work out or test."""
    expressions: list[Expression] = []
    for tool in model.tools.values():
        expressions += [check.test for check in guard_checks(tool.guard)]
        expressions += tool.effects.values()
        for name in decision_order(model, tool.returns, tool.takes):
            expressions += decision_expressions(model.decisions[name])
    return expressions


def _constants(model: DomainModel) -> list[_Constant]:
    """Return the policy constants and calendars that the tools use."""
    expressions = _expressions(model)
    used = frozenset().union(*(constants_named(expression) for expression in expressions))
    calendars = [
        _Constant(name, repr(calendar.holidays), " ".join(meaning.split()))
        for name, (calendar, meaning) in model.calendars.items()
        if name in used
    ]
    return calendars + [
        _Constant(
            name,
            item.constant.value,
            f"{' '.join(item.meaning.split())}: {to_cell(item.constant.type, item.constant.value)}",
        )
        for name, item in model.policy.items()
        if name in used
    ]


@dataclass(frozen=True, slots=True)
class _Check:
    test: str
    code: str
    says: str


@dataclass(frozen=True, slots=True)
class _Method:
    name: str
    kind: str
    description: str
    takes: list[str]
    targets: str
    entities: list[str]
    keys: list[str]
    reads_record: bool
    guards: list[_Check]
    guarded: list[str]
    recalled: list[str]
    effects: list[tuple[str, str]]
    formulas: list[str]
    results: list[tuple[str, str]]


def _method(model: DomainModel, tool: Tool) -> _Method:
    is_compute = tool.kind is ToolKind.COMPUTE
    source = "{}" if is_compute else 'record["{}"]'
    named = _named(model)
    checks = guard_checks(tool.guard)
    entities = model.entities_read(tool)
    read = tool_inputs(tool)
    recalled = sorted(read - set(tool.takes))
    return _Method(
        name=tool.name,
        kind=tool.kind.value,
        description=tool.description.replace('"', "'").replace("\\", "/"),
        takes=list(tool.takes),
        targets=", ".join(tool.takes) + ("," if len(tool.takes) == 1 else ""),
        entities=[entity.name for entity in entities],
        keys=[entity.key for entity in entities],
        reads_record=bool(entities) and bool(tool.returns or recalled or tool.effects),
        guards=[
            _Check(python_source(check.test, named), check.refusal, check.says) for check in checks
        ],
        guarded=sorted(read & set(tool.takes)),
        recalled=recalled,
        effects=[(name, python_source(value, named)) for name, value in tool.effects.items()],
        formulas=_formulas(model, tool) if is_compute else [],
        results=[(name, source.format(name)) for name in tool.returns],
    )


def _named(model: DomainModel) -> dict[str, Constant]:
    return {name: item.constant for name, item in model.policy.items()}


def _formulas(model: DomainModel, tool: Tool) -> list[str]:
    lines = []
    for name in decision_order(model, tool.returns, tool.takes):
        decision = model.decisions[name]
        if isinstance(decision, Formula):
            lines.append(f"{name} = {python_source(decision.value, _named(model))}")
    return lines
