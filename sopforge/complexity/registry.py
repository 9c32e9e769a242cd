"""All operators, found by their files, in the order in which they are applied."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import sopforge.complexity.operators
from sopforge.complexity.variant import Operator


def load_operators() -> tuple[Operator, ...]:
    """Return the operators of all modules that offer one: of the model first, by level and name.

    One that follows others comes after them, for it quotes what they make of the text.
    """
    names = sorted(
        module.name for module in pkgutil.iter_modules(sopforge.complexity.operators.__path__)
    )
    modules = [import_module(f"sopforge.complexity.operators.{name}") for name in names]
    offered = [getattr(module, "OPERATOR", None) for module in modules]
    # Further steps and branches are operators of another kind, which change answers.
    left = sorted(
        (item for item in offered if isinstance(item, Operator)),
        key=lambda item: (not item.is_of_model, item.level, item.name),
    )
    placed: list[Operator] = []
    while left:
        waiting = {item.name for item in left}
        following = next(item for item in left if waiting.isdisjoint(item.follows))
        left.remove(following)
        placed.append(following)
    return tuple(placed)
