"""Who signed what pages show; ``ssh-keygen`` is asked about each text once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from sopforge.releases.signatures import signed_log, signed_release
from sopforge.store.signatures.allowed_signers import find_signers
from sopforge.store.signatures.signatures import Signature
from sopforge.store.versions import Store


def signatures_of(store: Store, domain: str, file: Path | None) -> Mapping[int, Signature]:
    """Return what is known of who signed a domain's decisions, by the numbers of entries.

    They are verified by the allowed signers of a ``file``, or the store's own.

    Raises:
        StoreError: the audit log is broken, or the store's own allowed signers are faulty.
        MaterialError: those of the file are.
    """
    return signed_log(store, domain, find_signers(store.objects, file)).signatures


def release_signatures(
    store: Store, domain: str, versions: Iterable[str], file: Path | None
) -> dict[str, Signature]:
    """Return what is known of who signed releases, by their versions; raises likewise."""
    signers = find_signers(store.objects, file)
    return {name: signed_release(store, domain, name, signers) for name in versions}
