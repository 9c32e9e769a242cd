"""What a model author receives of our formats: the pages that people read."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_FIRST = "## What YAML makes of your text"


@cache
def load_domain_language() -> dict[str, str]:
    """Return the guide to the language, from fields to procedure, and the table of operators."""
    folder = files("prompt_templates")
    guide = (folder / "domain_language.md").read_text(encoding="utf-8")
    return {
        "language": guide[guide.index(_FIRST) :],
        "operators": (folder / "operators.md").read_text(encoding="utf-8"),
    }


@cache
def load_account_rules() -> str:
    """Return how a model accounts for its brief."""
    return (files("prompt_templates") / "accounts.md").read_text(encoding="utf-8")


@cache
def load_tool_rules() -> str:
    """Return the rules for modules of tools."""
    return (files("prompt_templates") / "tool_rules.md").read_text(encoding="utf-8")
