"""``sopforge list``: the domains of a store, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopforge.cli.options import DEFAULT_STORE, AsJson, StorePlace, describe_empty_store
from sopforge.cli.output import make_console, print_json, print_rows, say

if TYPE_CHECKING:
    from sopforge.store.overview import Overview

_COLUMNS = ("domain", "title", "stage", "state", "release")


def list_domains(as_json: AsJson = False, place: StorePlace = DEFAULT_STORE) -> None:
    """List the domains of the store, each with its stage, its state and its newest release.

    To see what to do next, use status.
    """
    from sopforge.store.opening import open_store
    from sopforge.store.overview import list_overviews

    opened = open_store(place)
    rows = [_build_row(item) for item in list_overviews(opened)]
    if as_json:
        print_json({"domains": [dict(zip(_COLUMNS, row, strict=True)) for row in rows]})
    elif rows:
        print_rows(_COLUMNS, rows)
    else:
        say(make_console(), describe_empty_store(opened))


def _build_row(item: Overview) -> tuple[str, ...]:
    release = f"{item.release} (yanked)" if item.is_yanked else item.release
    return item.domain, item.title, item.stage, str(item.phase), release
