"""The tools themselves: what each does, its source, and a form to try it."""

from __future__ import annotations

import ast
from functools import lru_cache

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from review.artifact import Artifact
from review.pages.page import Page, Query
from review.pages.parts.tool_cards import build_tool_cards
from sopforge.workspace import TOOL_TESTS, TOOLS

FILES = {TOOLS: "tools.py", TOOL_TESTS: "test_tools.py"}


def build_page(artifact: Artifact, query: Query) -> Page:
    """Return the page of the tools; a whole file is shown where it is asked for."""
    files = artifact.workspace.files
    source = files[TOOLS]
    wanted = query.get("file", "")
    shown = {name: files[path] for path, name in FILES.items() if path in files}
    return Page(
        "pages/tools.html.j2",
        {
            "cards": build_tool_cards(artifact.workspace.model),
            "sources": index_sources(source),
            "sizes": {name: text.count("\n") for name, text in shown.items()},
            "file": wanted if wanted in shown else "",
            "whole": highlight_source(shown[wanted]) if wanted in shown else "",
        },
    )


@lru_cache(maxsize=16)
def index_sources(source: str) -> dict[str, Markup]:
    """Return the source of each function by its name; none where it is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    lines = source.split("\n")
    return {
        node.name: highlight_source(_dedent_lines(lines[node.lineno - 1 : node.end_lineno]))
        for node in found
    }


@lru_cache(maxsize=64)
def highlight_source(source: str) -> Markup:
    """Return Python source with its words marked by class; it is escaped."""
    formatter = HtmlFormatter(nowrap=True)
    return Markup(highlight(source, PythonLexer(stripnl=False), formatter))  # noqa: S704


def _dedent_lines(lines: list[str]) -> str:
    indent = len(lines[0]) - len(lines[0].lstrip())
    blank = " " * indent
    return "\n".join(line.removeprefix(blank) for line in lines)
