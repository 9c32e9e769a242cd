"""The tests that stand beside a tools module: what it answers and refuses, from the data."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.artifacts.rendering.tools.layout import lay_out_source
from sopforge.artifacts.rendering.tools.methods import wrap_text
from sopforge.artifacts.rendering.tools.module import name_manager
from sopforge.artifacts.rendering.tools.templating import build_environment
from sopforge.language.domain.model import DomainModel, ToolKind
from sopforge.language.domain.tasks import GoldCall


def render_tool_tests(model: DomainModel, cases: Iterable[GoldCall]) -> str:
    """Return the source of ``test_tools.py``; it needs nothing but ``tools.py`` and its records."""
    given, model = list(cases), model.offered
    text = (
        build_environment()
        .get_template("test_tools.py.j2")
        .render(
            title=" ".join(wrap_text(model.title)),
            manager=name_manager(model),
            actions=[tool.name for tool in model.tools.values() if tool.kind is ToolKind.ACTION],
            answered=[_render_case(case, dict(case.result)) for case in given if not case.refusal],
            refused=[_render_case(case, case.refusal) for case in given if case.refusal],
        )
    )
    return lay_out_source(text)


def _render_case(case: GoldCall, expected: object) -> str:
    """Return a case as a literal in plain characters."""
    return ascii((case.tool, dict(case.arguments), expected))
