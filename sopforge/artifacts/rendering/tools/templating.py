"""How templates of source are filled in."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from sopforge.artifacts.rendering.tools.kinds import name_kind, quote_text


@cache
def build_environment() -> Environment:
    """Return what fills in the templates of emitted source."""
    made = Environment(
        loader=PackageLoader("sopforge.artifacts.rendering"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the output is Python source, escaped by repr
    )
    made.filters.update(literal=quote_text, kind=name_kind)
    return made
