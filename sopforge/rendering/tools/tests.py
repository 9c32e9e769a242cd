"""The tests that stand beside a tools module: what it answers and refuses, from the data."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.domain.model import DomainModel, ToolKind
from sopforge.domain.tasks import GoldCall
from sopforge.rendering.tools.layout import laid_out
from sopforge.rendering.tools.methods import wrapped
from sopforge.rendering.tools.module import manager_name
from sopforge.rendering.tools.templating import environment


def render_tool_tests(model: DomainModel, cases: Iterable[GoldCall]) -> str:
    """Return the source of ``test_tools.py``; it needs nothing but ``tools.py`` and its records."""
    given = list(cases)
    text = (
        environment()
        .get_template("test_tools.py.j2")
        .render(
            title=" ".join(wrapped(model.title)),
            manager=manager_name(model),
            actions=[tool.name for tool in model.tools.values() if tool.kind is ToolKind.ACTION],
            answered=[_shown(case, dict(case.result)) for case in given if not case.refusal],
            refused=[_shown(case, case.refusal) for case in given if case.refusal],
        )
    )
    return laid_out(text)


def _shown(case: GoldCall, expected: object) -> str:
    """Return a case as a literal in plain characters."""
    return ascii((case.tool, dict(case.arguments), expected))
