"""Texts that a package has beside its layout's own: each module of this folder may add some.

A module adds texts by a function ``export``, from the release alone, and so may extensions. What
stands below ``grader/`` is for graders; all else agents may see, and it is searched for answers.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TypeAlias, TypeGuard

from sopforge.artifacts import packaging
from sopforge.artifacts.packaging.release import Release
from sopforge.extensions import load_extensions

Exporter: TypeAlias = Callable[[Release], Mapping[str, str]]


@cache
def load_exporters() -> tuple[Exporter, ...]:
    """Return the exporters of all modules that offer one, by module name, then those of others."""
    names = sorted(module.name for module in pkgutil.iter_modules(packaging.__path__))
    modules = [import_module(f"sopforge.artifacts.packaging.{name}") for name in names]
    own = [module.export for module in modules if hasattr(module, "export")]
    return (*own, *load_extensions("exporters", _is_exporter))


def _is_exporter(offered: object) -> TypeGuard[Exporter]:
    return callable(offered)


def collect_exports(release: Release) -> dict[str, str]:
    """Return the texts of all exporters by their names in the package."""
    return {name: text for export in load_exporters() for name, text in export(release).items()}
