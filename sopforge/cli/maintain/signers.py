"""``sopforge store signers``: who may sign, with which keys, in the settings of a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, StorePlace
from sopforge.cli.output import Result, lay_out_rows
from sopforge.errors import Fault, raise_gathered

if TYPE_CHECKING:
    from sopforge.store.signatures.allowed_signers import AllowedSigners, SignerLine


@dataclass(frozen=True, slots=True)
class _Row:
    """Who may sign with the key of a fingerprint, under which options."""

    names: tuple[str, ...]
    key: str
    options: Mapping[str, str]

    @property
    def cells(self) -> tuple[str, ...]:
        """The same as a line of a table."""
        parts = [f"{name}={value}" if value else name for name, value in self.options.items()]
        return ", ".join(self.names), self.key, " ".join(parts)


def signers(
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="Replace the allowed signers with those in this file."
        ),
    ] = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Show the allowed signers of a store, or replace them with those in a file.

    Anyone who can write to the store can change them. If that matters, use a file of your own
    with --allowed-signers when you verify.
    """
    from sopforge.store.opening import open_store
    from sopforge.store.signatures.allowed_signers import (
        keep_signers,
        read_own_signers,
        read_signers,
    )

    opened = open_store(place)
    if source is not None:
        found = read_signers(source)
        # First: a key that ssh-keygen cannot read must not be kept.
        rows = _list_rows(found)
        keep_signers(opened.objects, found)
    else:
        kept = read_own_signers(opened.objects)
        rows = _list_rows(kept) if kept else []
    none = "The store keeps no allowed signers. Set them: sopforge store signers --from FILE"
    shown = lay_out_rows(("names", "key", "options"), [row.cells for row in rows]) if rows else none
    return Result({"signers": [asdict(row) for row in rows]}, [shown])


def _list_rows(found: AllowedSigners) -> list[_Row]:
    """Return what each line says; raises ``MaterialError`` for keys that are none."""
    from sopforge.store.signatures.ssh_keygen import compute_fingerprint

    keys = [(line, compute_fingerprint(line.public_key)) for line in found.lines]
    raise_gathered([_make_key_fault(found, line) for line, key in keys if not key])
    return [_Row(line.names, key, line.options) for line, key in keys]


def _make_key_fault(found: AllowedSigners, line: SignerLine) -> Fault:
    where, hint = f"{found.place}:{line.number}", "copy the public key again, from its .pub file"
    return Fault("signers-malformed", "ssh-keygen cannot read its key", where, hint)
