"""What an action changes: records on file, facts of the session, and when it refuses to."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.writer import Writer, list_stated_items
from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import Tool, find_passed_limits
from sopforge.language.domain.values.types import NumberType, require_integer
from sopforge.language.english.nouns import format_figure, format_quantity

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
        item = fields[name]
        limits = phrase_limits(item, *find_passed_limits(item, value))
        if limits:
            text = _BEYOND.format(tool=tool.offered_name, label=item.label, limits=limits)
            yield Statement(Style.PARAGRAPH, text, (f"effect {tool.name}.{name}",))


def phrase_limits(item: Field, least: Constant | None, greatest: Constant | None) -> str:
    """Return the values beyond which a column would leave its range, "" where it cannot."""
    is_number = isinstance(item.type, NumberType)
    below, above = ("less than", "more than") if is_number else ("before", "after")
    parts = ((below, least), (above, greatest))
    return " or ".join(
        f"{word} {format_limit(item, limit)}" for word, limit in parts if limit is not None
    )


def format_limit(item: Field, limit: Constant) -> str:
    """Return an end of a range as a sentence has it."""
    if isinstance(item.type, NumberType):
        return format_quantity(
            format_figure(item.type, require_integer(limit.value)), item.type.unit
        )
    return item.type.to_cell(limit.value)
