"""Options of commands that sign, and of those that verify signatures, and what these mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.store.log.audit_log import SignEntry
    from sopforge.store.signatures.allowed_signers import AllowedSigners
    from sopforge.store.signatures.signing import Signer
    from sopforge.store.versions import Store

SigningKey = Annotated[
    Path | None,
    typer.Option(
        "--signing-key",
        envvar="SOPFORGE_SIGNING_KEY",
        metavar="KEY",
        help="SSH key to sign with: a private key, or the public key of a key in your ssh-agent.",
        show_default=False,
    ),
]
SignersFile = Annotated[
    Path | None,
    typer.Option(
        "--allowed-signers",
        envvar="SOPFORGE_ALLOWED_SIGNERS",
        metavar="FILE",
        help="File of allowed signers, in OpenSSH format [default: the signers in the store].",
        show_default=False,
    ),
]


def make_signer(store: Store, key: Path | None, given: Path | None) -> Signer | None:
    """Return what signs with a key, None without one; what would be refused is not signed."""
    if key is None:
        return None
    from sopforge.store.signatures.signing import Signer

    return Signer(key, load_signers(store, given))


def make_entry_signer(store: Store, key: Path | None, given: Path | None) -> SignEntry | None:
    """Return what signs an entry of an audit log, as ``make_signer`` does."""
    found = make_signer(store, key, given)
    return found.sign_entry if found else None


def require_signer(store: Store, key: Path | None, given: Path | None) -> Signer:
    """Return what signs with a key; raises ``MaterialError`` where none is named."""
    found = make_signer(store, key, given)
    if found is None:
        message, hint = "no signing key is named", "name the key: --signing-key ~/.ssh/id_ed25519"
        raise MaterialError(Fault("signing-key-missing", message, "--signing-key", hint))
    return found


def load_signers(store: Store, given: Path | None) -> AllowedSigners | None:
    """Return the allowed signers of a file, or the store's own where none is given."""
    from sopforge.store.signatures.allowed_signers import find_signers

    return find_signers(store.objects, given)
