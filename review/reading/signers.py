"""Who signed what pages show; ``ssh-keygen`` is asked about each text once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from sopforge.pipeline.releases.signatures import load_release_signature, load_signed_log
from sopforge.store.signatures.allowed_signers import find_signers
from sopforge.store.signatures.signatures import Signature
from sopforge.store.versions import DomainStore


def collect_decision_signatures(domain: DomainStore, file: Path | None) -> Mapping[int, Signature]:
    """Return what is known of who signed a domain's decisions, by the numbers of entries.

    They are verified by the allowed signers of a ``file``, or the store's own.

    Raises:
        StoreError: the audit log is broken, or the store's own allowed signers are faulty.
        MaterialError: those of the file are.
    """
    return load_signed_log(domain, find_signers(domain.objects, file)).signatures


def collect_release_signatures(
    domain: DomainStore, versions: Iterable[str], file: Path | None
) -> dict[str, Signature]:
    """Return what is known of who signed releases, by their versions; raises likewise."""
    signers = find_signers(domain.objects, file)
    return {name: load_release_signature(domain, name, signers) for name in versions}
