"""What installed packages of others add: one entry point each, in the group of its kind.

A package that brings the operator ``courtesies`` says so in its ``pyproject.toml``:

    [project.entry-points."sopforge.operators"]
    courtesies = "my_package.courtesies:OPERATOR"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Literal, TypeAlias, TypeGuard, TypeVar

from sopforge.errors import Fault, MaterialError

Kind: TypeAlias = Literal[
    "operators", "checks", "exporters", "stages", "agents", "providers", "dials"
]
T = TypeVar("T")
_DECIDING: tuple[Kind, ...] = ("operators", "checks", "exporters", "stages", "dials")
"""Those that have a say in what a store or a package holds."""


@cache
def list_names(kind: Kind) -> tuple[str, ...]:
    """Return the names of what others add of a kind, sorted; nothing of it is loaded."""
    return tuple(sorted(_find(kind)))


def load_fitting(kind: Kind, name: str, fits: Callable[[object], TypeGuard[T]]) -> T:
    """Return what a package of others adds under a name.

    Raises:
        MaterialError: it cannot be loaded, or does not fit.
    """
    point, hint = _find(kind)[name], "update the package, or uninstall it"
    try:
        loaded = point.load()
    except Exception as cause:
        message = f"'{name}' of {_describe(point)} cannot be loaded: {cause!r}"
        raise MaterialError(Fault("extension-broken", message, f"sopforge.{kind}", hint)) from cause
    if fits(loaded) and getattr(loaded, "name", name) == name:
        return loaded
    message = f"'{name}' of {_describe(point)} lacks a part, or has another name of its own"
    raise MaterialError(Fault("extension-unfit", message, f"sopforge.{kind}", hint))


def load_extensions(kind: Kind, fits: Callable[[object], TypeGuard[T]]) -> tuple[T, ...]:
    """Return all that others add of a kind, by their names.

    Raises:
        MaterialError: one cannot be loaded, or does not fit.
    """
    return tuple(load_fitting(kind, name, fits) for name in list_names(kind))


@cache
def list_versions() -> Mapping[str, str]:
    """Return the versions of the packages that have a say in bytes, by name."""
    points = [point for kind in _DECIDING for point in _find(kind).values()]
    versions = {point.dist.name: point.dist.version for point in points if point.dist}
    return dict(sorted(versions.items()))


@cache
def _find(kind: Kind) -> Mapping[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=f"sopforge.{kind}"):
        if point.name in found:
            both = f"{_describe(found[point.name])} and {_describe(point)}"
            message, hint = f"'{point.name}' is added by {both}", "uninstall one of them"
            raise MaterialError(Fault("extension-twice", message, f"sopforge.{kind}", hint))
        found[point.name] = point
    return found


def _describe(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value
