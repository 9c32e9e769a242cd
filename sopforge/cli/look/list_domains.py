"""``sopforge list``: the domains of a store, a line each."""

from __future__ import annotations

from sopforge.cli.options import DEFAULT_STORE, StorePlace, describe_empty_store
from sopforge.cli.output import Result, lay_out_rows


def list_domains(place: StorePlace = DEFAULT_STORE) -> Result:
    """List the domains of the store, each with its stage, its state and its newest release.

    To see what to do next, use status.
    """
    from sopforge.store.opening import open_store
    from sopforge.store.overview import list_overviews

    opened = open_store(place)
    columns = ("domain", "title", "stage", "state", "release")
    rows = [
        (
            *(item.domain, item.title, item.stage, str(item.phase)),
            f"{item.release} (yanked)" if item.is_yanked else item.release,
        )
        for item in list_overviews(opened)
    ]
    records = [dict(zip(columns, row, strict=True)) for row in rows]
    shown = lay_out_rows(columns, rows) if rows else describe_empty_store(opened)
    return Result({"domains": records}, [shown])
