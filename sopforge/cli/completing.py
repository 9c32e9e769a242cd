"""What a shell offers while a command is typed: names that the store has, read quickly.

A bucket is not asked, for a shell waits; whatever goes wrong, nothing is offered and nothing said.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

from sopforge.errors import SopForgeError
from sopforge.store import places

if TYPE_CHECKING:
    from sopforge.store.versions import Store


def domain_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the domains of the store that begin as what is typed."""
    return _offered(ctx, incomplete, lambda store: store.domains())


def stage_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the stages of which the domain that is named has a version."""
    domain = _typed(ctx, "domain")
    return _offered(ctx, incomplete, lambda store: store.objects.children(f"{domain}/stages"))


def version_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the releases of the domain that is named, and the versions of the stage if one is."""
    domain, stage = _typed(ctx, "domain"), _typed(ctx, "stage")

    def known(store: Store) -> list[str]:
        versions = store.objects.children(f"{domain}/stages/{stage}") if stage else []
        return [*store.releases(domain), *(name.lstrip("0") for name in versions)]

    return _offered(ctx, incomplete, known)


def _offered(
    ctx: typer.Context, incomplete: str, names: Callable[[Store], Iterable[str]]
) -> list[str]:
    from sopforge.store.opening import open_store

    place = _typed(ctx, "store") or os.environ.get("SOPFORGE_STORE") or places.DEFAULT_STORE
    if "://" in place:
        return []
    try:
        return [name for name in names(open_store(place)) if name.startswith(incomplete)]
    except (OSError, SopForgeError, ValueError):
        return []


def _typed(ctx: typer.Context, name: str) -> str:
    """Return what is typed for a parameter so far.

    Behind an option that lacks its value, the words are not shared out to the arguments yet.
    """
    params: dict[str, Any] = ctx.params
    arguments = [item.name for item in ctx.command.params if item.param_type_name == "argument"]
    words = dict(zip(arguments, ctx.args, strict=False))
    return str(params.get(name) or words.get(name) or "")
