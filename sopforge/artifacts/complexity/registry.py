"""All operators, found by their files or as those of others, in the order of their application."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TypeGuard

from sopforge.artifacts.complexity import operators
from sopforge.artifacts.complexity.variant import Operator
from sopforge.extensions import load_extensions


def load_operators() -> tuple[Operator, ...]:
    """Return the operators of all modules that offer one: of the model first, by level and name.

    One that follows others comes after them, for it quotes what they make of the text.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(operators.__path__))
    modules = [import_module(f"sopforge.artifacts.complexity.operators.{name}") for name in names]
    offered = [getattr(module, "OPERATOR", None) for module in modules]
    # Further steps and branches are operators of another kind, which change answers.
    left = sorted(
        filter(_is_operator, [*offered, *load_extensions("operators", _is_operator)]),
        key=lambda item: (not item.is_of_model, item.level, item.name),
    )
    placed: list[Operator] = []
    while left:
        waiting = {item.name for item in left}
        following = next(item for item in left if waiting.isdisjoint(item.follows))
        left.remove(following)
        placed.append(following)
    return tuple(placed)


def _is_operator(offered: object) -> TypeGuard[Operator]:
    return isinstance(offered, Operator)
