"""The format of a store: said in one place, refused where it is newer, migrated where it is older.

``store.json`` at the root is written before anything else. A step leads from one format to the
next: it writes under new names, then the store says its new format, and only then what the older
one needed is dropped. Wherever a process is killed in between, the next run goes on from there.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any, Protocol

from sopforge.errors import Fault, StoreError
from sopforge.store.formats import format_2, format_3
from sopforge.store.objects import ExistsError, Objects, make_damage_error, read_text

MARKER = "store.json"
_DROPPING = "is_dropping"


class Step(Protocol):
    """Leads from the format before it to its own; each part may be repeated after a kill."""

    FORMAT: int

    def is_older(self, objects: Objects) -> bool:
        """Return whether a store without a marker has yet to take this step."""

    def write(self, objects: Objects) -> None:
        """Write what the format needs, under names that the older one does not use."""

    def drop(self, objects: Objects) -> None:
        """Drop what only the older format used."""


STEPS: tuple[Step, ...] = (format_2, format_3)
"""In their order; the last leads to the format that this program reads and writes."""
FORMAT = STEPS[-1].FORMAT


@dataclass(frozen=True, slots=True)
class _Found:
    """The format of a store, and whether the last step has yet to drop what was before it."""

    format: int
    is_dropping: bool = False


def refuse_other(objects: Objects) -> None:
    """Raise ``StoreError`` for a store in a format that this program does not read and write."""
    found = _find_format(objects).format
    if found < FORMAT:
        message = f"the store is in format {found}; this SOPForge reads format {FORMAT}"
        place = shlex.quote(objects.place)
        hint = f"convert it to format {FORMAT} without loss: sopforge migrate --store {place}"
        raise StoreError(Fault("store-older", message, objects.place, hint))


def mark_format(objects: Objects) -> None:
    """Have a store say its format before it is first written to.

    Raises:
        StoreError: it is in another one.
    """
    refuse_other(objects)
    if objects.read(MARKER) is None:
        try:
            objects.create(MARKER, _render_marker(FORMAT))
        except ExistsError:
            refuse_other(objects)  # Another was first, perhaps a newer program.


def migrate(objects: Objects) -> int:
    """Bring a store to this program's format; return the one that it was in.

    Raises:
        StoreError: its format is newer, or another migrates it and does not come to an end.
    """
    before = _find_format(objects)
    if before.format == FORMAT and not before.is_dropping:
        return FORMAT
    with objects.hold_lock(MARKER):
        for step in STEPS:
            _apply_step(step, objects)
    return before.format


def _apply_step(step: Step, objects: Objects) -> None:
    """Apply a step as far as it is still to be applied."""
    # Looked at again below the lock: another process may have migrated while this one waited.
    found = _find_format(objects)
    if found.format == step.FORMAT - 1:
        step.write(objects)
        objects.replace(MARKER, _render_marker(step.FORMAT, is_dropping=True))
    elif found.format != step.FORMAT or not found.is_dropping:
        return
    step.drop(objects)
    objects.replace(MARKER, _render_marker(step.FORMAT))


def _find_format(objects: Objects) -> _Found:
    """Return the format that a store says, else the one that it shows.

    Raises:
        StoreError: it is newer than this program, or is not said as it was written.
    """
    if objects.read(MARKER) is None:
        shown = next((step.FORMAT - 1 for step in STEPS if step.is_older(objects)), FORMAT)
        # Another process may have begun a store in the meantime: the marker came first, and a
        # domain that is half written then has no seal either.
        if objects.read(MARKER) is None:
            return _Found(shown)
    value = _read_marker(objects)
    if value["format"] > FORMAT:
        message = (
            f"the store is in format {value['format']}; this SOPForge reads formats up to {FORMAT}"
        )
        hint = "use a newer SOPForge; this one has read and written nothing"
        raise StoreError(Fault("store-newer", message, objects.place, hint))
    return _Found(value["format"], is_dropping=bool(value.get(_DROPPING)))


def _read_marker(objects: Objects) -> dict[str, Any]:
    hint = f'restore the file; in a store of this SOPForge, it contains {{"format": {FORMAT}}}'
    try:
        value = json.loads(read_text(objects, MARKER))
    except ValueError as cause:
        raise make_damage_error(objects, MARKER, str(cause), hint) from cause
    number = value.get("format") if isinstance(value, dict) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise make_damage_error(objects, MARKER, "the file states no format", hint)
    return dict(value)


def _render_marker(number: int, *, is_dropping: bool = False) -> bytes:
    value = {"format": number, **({_DROPPING: True} if is_dropping else {})}
    return f"{json.dumps(value)}\n".encode()
