"""Signing decisions and releases with somebody's key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from sopforge.errors import Fault, StoreError
from sopforge.store.entries import Decision
from sopforge.store.signatures import ssh_keygen
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.refusals import NAME_HINT, OF_DECISION, OF_RELEASE, is_signer_name
from sopforge.store.signatures.signatures import (
    Signature,
    SignatureStanding,
    check_entry,
    check_release,
)


@dataclass(frozen=True, slots=True)
class Signer:
    """A key: a private one, or a public one whose private half an agent holds.

    What the allowed ``signers`` would refuse is not signed.
    """

    key: Path
    signers: AllowedSigners | None = None

    def sign_entry(self, entry: Decision, text: str) -> bytes:
        """Return the signature of an entry of an audit log, by who decided.

        Raises:
            SshKeygenError: the key cannot sign.
            StoreError: the name can be no signer's, or the signature would be refused.
        """
        if not is_signer_name(entry.by):
            message = f"{entry.by!r} cannot be the name of an allowed signer"
            raise StoreError(Fault("signer-name", message, entry.domain, NAME_HINT))
        data = ssh_keygen.sign(text.encode(), self.key, OF_DECISION)
        self._refuse(check_entry(entry, text, data, self.signers))
        return data

    def sign_release(self, record: bytes, entries: Iterable[Decision]) -> bytes:
        """Return the signature of a ``release.json``, which rests on entries; raises likewise."""
        data = ssh_keygen.sign(record, self.key, OF_RELEASE)
        self._refuse(check_release(record, data, entries, self.signers))
        return data

    def _refuse(self, signature: Signature) -> None:
        """Raise for a signature that would be refused."""
        if signature.standing is SignatureStanding.REFUSED and signature.fault is not None:
            hint = (
                "sign with a key that is listed under your name, or list this key under your name"
            )
            raise StoreError(replace(signature.fault, where=str(self.key), hint=hint))
