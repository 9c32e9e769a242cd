"""Turns a business brief into a published, proved benchmark domain for LLM agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sopforge.notebook import evaluate, generate, load, publish

__all__ = ["evaluate", "generate", "load", "publish"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - what a module has
    """Return what a notebook needs; loaded when it is asked for, since a command needs less."""
    if name not in __all__:
        raise AttributeError(f"module 'sopforge' has no attribute {name!r}")
    from sopforge import notebook  # noqa: PLC0415

    return getattr(notebook, name)


def __dir__() -> list[str]:
    """Return the names of the module, those that are loaded later included."""
    return [*globals(), *__all__]
