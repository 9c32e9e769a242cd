"""``sopforge migrate``: bring a store of an earlier SOPForge to the format of this one."""

from __future__ import annotations

from sopforge.cli.options import DEFAULT_STORE, AsJson, StorePlace, store_to_write
from sopforge.cli.output import make_console, print_json, say
from sopforge.errors import Fault, MaterialError
from sopforge.store.places import OTHER_STORE, resolve_place


def migrate(place: StorePlace = DEFAULT_STORE, as_json: AsJson = False) -> None:
    """Convert a store to the current format; commands that write do this automatically.

    The command loses no data. If it is interrupted, run it again to continue.
    """
    from sopforge.store.formats.formats import FORMAT, mark_format

    opened = store_to_write(place)
    if not opened.objects.list_children(""):
        hint = f"{OTHER_STORE}; or create one: sopforge generate BRIEF"
        message = f"there is no store in {resolve_place(place)}"
        raise MaterialError(Fault("store-not-found", message, "", hint))
    mark_format(opened.objects)
    if as_json:
        print_json({"store": opened.place, "format": FORMAT})
        return
    say(make_console(), f"The store in {place} is in format {FORMAT}.")
