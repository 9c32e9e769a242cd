"""What an action changes: records on file, facts of the session, and when it refuses to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.writer import Writer, list_stated_items
from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import Tool
from sopforge.language.domain.tool_checks import find_passed_limits
from sopforge.language.domain.values.types import NumberType
from sopforge.language.english.words import phrase_constant

_BEYOND = "{tool} refuses with out_of_range if the {label} would become {limits}."


def render_effects(writer: Writer, tool: Tool) -> Iterator[Statement]:
    """Return what a call changes, and beyond which values it refuses to."""
    fields = writer.model.fields
    for name, value in tool.effects.items():
        stated = list_stated_items(f"effect {tool.name}.{name}", value)
        kind = "session" if fields[name].role is Role.SESSION else "effect"
        new = writer.mean_value(value, fields[name].type)
        if fields[name].missing and new == (
            "if",
            ("given", ("field", name)),
            ("field", name),
            ("label", fields[name].missing),
        ):
            new = ("field", name)
        yield writer.state(Style.PARAGRAPH, kind, ("writes", ("field", name), new), stated)
    for name, value in tool.effects.items():
        limits = phrase_passed_limits(fields, fields[name], value)
        if limits:
            label = fields[name].label
            text = _BEYOND.format(tool=tool.offered_name, label=label, limits=limits)
            yield Statement(Style.PARAGRAPH, text, (f"effect {tool.name}.{name}",))


def phrase_passed_limits(fields: Mapping[str, Field], item: Field, value: Expression) -> str:
    """Return beyond which ends a value would leave the range of a field, "" where it cannot."""
    is_number = isinstance(item.type, NumberType)
    words = ("less than", "more than") if is_number else ("before", "after")
    return " or ".join(
        f"{word} {phrase_constant(replace(limit, type=item.type), fields)}"
        for word, limit in zip(words, find_passed_limits(item, value), strict=True)
        if limit is not None
    )
