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


def list_domain_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the domains of the store that begin as what is typed."""
    return _list_matches(ctx, incomplete, lambda store: store.list_domains())


def list_stage_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the stages of which the domain that is named has a version."""
    domain = _get_typed_value(ctx, "domain")
    return _list_matches(
        ctx, incomplete, lambda store: store.objects.list_children(f"{domain}/stages")
    )


def list_version_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the releases of the domain that is named, and the versions of the stage if one is."""
    domain, stage = _get_typed_value(ctx, "domain"), _get_typed_value(ctx, "stage")

    def list_versions(store: Store) -> list[str]:
        versions = store.objects.list_children(f"{domain}/stages/{stage}") if stage else []
        return [*store.get_domain(domain).list_releases(), *(name.lstrip("0") for name in versions)]

    return _list_matches(ctx, incomplete, list_versions)


def _list_matches(
    ctx: typer.Context, incomplete: str, names: Callable[[Store], Iterable[str]]
) -> list[str]:
    from sopforge.store.opening import open_store

    place = (
        _get_typed_value(ctx, "place") or os.environ.get("SOPFORGE_STORE") or places.DEFAULT_STORE
    )
    if "://" in place:
        return []
    try:
        return [name for name in names(open_store(place)) if name.startswith(incomplete)]
    except (OSError, SopForgeError, ValueError):
        return []


def _get_typed_value(ctx: typer.Context, name: str) -> str:
    """Return what is typed for a parameter so far.

    After an option that lacks its value, the words are not assigned to the arguments yet.
    """
    params: dict[str, Any] = ctx.params
    arguments = [item.name for item in ctx.command.params if item.param_type_name == "argument"]
    words = dict(zip(arguments, ctx.args, strict=False))
    return str(params.get(name) or words.get(name) or "")
