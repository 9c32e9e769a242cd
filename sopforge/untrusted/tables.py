"""CSV tables that strangers wrote, cell by cell as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain, repeat

from sopforge.errors import Fault, PackageUnreadableError

MOST_ROWS, MOST_COLUMNS = 100_000, 1_000
"""Of a table; a brief can ask for 20,000 tasks."""
MOST_CELLS = 4_000_000


def read_table(text: str, where: str) -> Iterator[dict[str, str]]:
    """Return the rows of a table; cells that are not there are "", those beyond the head left out.

    Raises:
        PackageUnreadableError: it has too many cells, or Python's reader refuses a line of it,
            such as for a cell of more than 131,072 characters.
    """
    refuse_large(text, where)
    reader = csv.reader(io.StringIO(text))
    try:
        names = next(reader, [])
        for cells in reader:
            if cells:
                yield dict(zip(names, chain(cells, repeat("")), strict=False))
    except csv.Error as cause:
        hint = "correct the line: close its quotes, and keep long texts in a file of their own"
        place = f"{where}:{reader.line_num}"
        raise PackageUnreadableError(
            Fault("csv-malformed", _describe_error(cause), place, hint)
        ) from cause


def refuse_large(text: str, where: str) -> None:
    """Raise ``PackageUnreadableError`` for a table with more in it than is read."""
    # Counted as characters, before anything is split: commas and line ends in quotes are counted
    # too, which errs on the safe side.
    counts = {
        "rows": (text.count("\n"), MOST_ROWS),
        "columns": (text.partition("\n")[0].count(","), MOST_COLUMNS),
        "cells": (text.count("\n") + text.count(","), MOST_CELLS),
    }
    for what, (count, most) in counts.items():
        if count > most:
            message = f"the table has about {count:,} {what}; at most {most:,} are read"
            fault = Fault("csv-malformed", message, where, f"remove the surplus {what}")
            raise PackageUnreadableError(fault)


def _describe_error(cause: csv.Error) -> str:
    if "field larger" in str(cause):
        return f"a cell has more than {csv.field_size_limit():,} characters"
    return f"not a table: {cause}"
