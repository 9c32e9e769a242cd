"""The format of a store: ``store.json`` at its root says it, and another one is refused.

The file is written before anything else, so that no program mistakes one format for another.
"""

from __future__ import annotations

import json

from sopforge.errors import Fault, StoreError
from sopforge.store.objects import ExistsError, Objects, make_damage_error, read_text

MARKER = "store.json"
FORMAT = 1
"""The format that this program reads and writes."""
_MARK = f"{json.dumps({'format': FORMAT})}\n".encode()


def refuse_other(objects: Objects) -> None:
    """Raise ``StoreError`` for a store in a format that this program does not read and write."""
    if objects.read(MARKER) is None:
        return
    hint = f'restore the file; in a store of this SOPForge, it contains {{"format": {FORMAT}}}'
    try:
        value = json.loads(read_text(objects, MARKER))
    except ValueError as cause:
        raise make_damage_error(objects, MARKER, str(cause), hint) from cause
    number = value.get("format") if isinstance(value, dict) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise make_damage_error(objects, MARKER, "the file states no format", hint)
    if number != FORMAT:
        message = f"the store is in format {number}; this SOPForge reads format {FORMAT}"
        hint = "use the SOPForge version that wrote it; this one has read and written nothing"
        raise StoreError(Fault("store-format", message, objects.place, hint))


def mark_format(objects: Objects) -> None:
    """Have a store say its format before it is first written to.

    Raises:
        StoreError: it is in another one.
    """
    refuse_other(objects)
    if objects.read(MARKER) is None:
        try:
            objects.create(MARKER, _MARK)
        except ExistsError:
            refuse_other(objects)  # Another was first, perhaps another program.
