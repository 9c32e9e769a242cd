"""Who signed the decisions and the releases of a domain, and signing those that nobody has yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sopforge.artifacts.packaging.release import AUDIT_LOG
from sopforge.errors import Fault, StoreError
from sopforge.store.entries import DeciderKind, Decision, read_chain
from sopforge.store.log.audit_log import AuditLog, select_decisions_on
from sopforge.store.log.yanks import compute_release_digest
from sopforge.store.objects import read_text
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.signatures import (
    UNSIGNED,
    Signature,
    Standing,
    check_entries,
    check_release,
    name_signature_file,
)
from sopforge.store.signatures.signing import Signer
from sopforge.store.versions import RELEASE, RELEASE_SIGNATURE, Manifest, Store


@dataclass(frozen=True, slots=True)
class SignedLog:
    """The entries of a domain's audit log, and what is known of who signed them."""

    entries: tuple[Decision, ...]
    signatures: Mapping[int, Signature]

    def get_signature(self, entry: Decision) -> Signature:
        """Return what is known of who signed an entry."""
        return self.signatures.get(entry.sequence, UNSIGNED)

    def list_decisions(self, manifest: Manifest) -> list[Decision]:
        """Return the decisions on a version, with the findings that were shown."""
        return select_decisions_on(manifest, self.entries)

    @property
    def by_persons(self) -> list[Decision]:
        """What persons decided: a policy signs nothing, and what is carried was decided before."""
        return [
            item for item in self.entries if item.kind is DeciderKind.PERSON and not item.carries
        ]


def load_signed_log(store: Store, domain: str, signers: AllowedSigners | None) -> SignedLog:
    """Return the log of a domain with what is known of who signed its entries.

    Raises:
        StoreError: the log is broken.
    """
    log = AuditLog(store, domain)
    folder = f"{store.place}/{domain}/signatures"
    return check_log(log.read_entry_texts(), log.read_signatures(), signers, folder)


def check_log(
    texts: Mapping[str, str],
    signatures: Mapping[int, bytes],
    signers: AllowedSigners | None,
    folder: str,
) -> SignedLog:
    """Return the entries of a log by its texts, with what is known of who signed them; raises so.

    The signatures lie in a ``folder``.
    """
    entries, _ = read_chain(texts, folder)
    return SignedLog(tuple(entries), check_entries(texts.values(), signatures, signers, folder))


def load_release_signature(
    store: Store, domain: str, version: str, signers: AllowedSigners | None
) -> Signature:
    """Return what is known of who signed a release; raises ``StoreError`` where there is none."""
    compute_release_digest(store, domain, version)
    folder = f"{domain}/releases/{version}"
    record = read_text(store.objects, f"{folder}/{RELEASE}").encode()
    data = store.objects.read(f"{folder}/{RELEASE_SIGNATURE}")
    where = f"{store.place}/{folder}/{RELEASE_SIGNATURE}"
    return check_release(
        record, data, _load_release_entries(store, domain, version), signers, where
    )


def find_refused_signatures(
    store: Store, domain: str, signers: AllowedSigners | None
) -> list[Fault]:
    """Return why signatures of a domain do not hold, and which are of nothing that is there.

    Raises:
        StoreError: the log is broken.
    """
    found = load_signed_log(store, domain, signers)
    releases = (*store.list_releases(domain), *store.list_private_releases(domain))
    signed = [load_release_signature(store, domain, version, signers) for version in releases]
    faults = list_refusals([*found.signatures.values(), *signed])
    names = AuditLog(store, domain).read_signatures()
    gone = [number for number in names if number not in found.signatures]
    return [*faults, *(_without_entry(store, domain, number) for number in gone)]


def refuse_refused(store: Store, domain: str, signers: AllowedSigners | None) -> None:
    """Raise ``StoreError`` where a signature of a decision does not hold."""
    faults = list_refusals(load_signed_log(store, domain, signers).signatures.values())
    if faults:
        raise StoreError(*faults)


def is_signed(store: Store, domain: str, version: str) -> bool:
    """Return whether a release has a signature, whatever that is worth."""
    return store.objects.read(f"{domain}/releases/{version}/{RELEASE_SIGNATURE}") is not None


def list_refusals(found: Iterable[Signature]) -> list[Fault]:
    """Return why signatures were refused."""
    return [
        item.fault for item in found if item.standing is Standing.REFUSED and item.fault is not None
    ]


def list_unsigned_decisions(found: SignedLog, by: str, *, again: bool = False) -> list[Decision]:
    """Return what somebody decided and has not signed; ``again`` also what is refused."""
    wanted = {Standing.UNSIGNED, Standing.REFUSED} if again else {Standing.UNSIGNED}
    return [
        item
        for item in found.by_persons
        if item.by == by and found.get_signature(item).standing in wanted
    ]


def sign_decision(store: Store, domain: str, entry: Decision, signer: Signer) -> None:
    """Sign an entry that stands in the log.

    Raises:
        SshKeygenError: the key cannot sign.
        StoreError: the signature would be refused, or the entry is gone.
    """
    log = AuditLog(store, domain)
    data = signer.sign_entry(entry, log.read_entry_text(entry))
    log.keep_signature(entry.sequence, data)


def sign_release(store: Store, domain: str, version: str, signer: Signer) -> None:
    """Sign a release; raises as ``sign_decision``, and where there is no such release."""
    compute_release_digest(store, domain, version)
    folder = f"{domain}/releases/{version}"
    record = read_text(store.objects, f"{folder}/{RELEASE}").encode()
    data = signer.sign_release(record, _load_release_entries(store, domain, version))
    store.objects.replace(f"{folder}/{RELEASE_SIGNATURE}", data)


def _load_release_entries(store: Store, domain: str, version: str) -> list[Decision]:
    """Return the entries that a release carries; one of an early SOPForge has none."""
    folder = f"{domain}/releases/{version}/{AUDIT_LOG}"
    names = [name for name in store.objects.list_names(folder) if name.endswith(".json")]
    texts = {name.rpartition("/")[2]: read_text(store.objects, name) for name in names}
    return read_chain(texts, f"{store.place}/{folder.rstrip('/')}")[0]


def _without_entry(store: Store, domain: str, number: int) -> Fault:
    message = f"the log has no entry {number}: its newest entries were removed"
    where = f"{store.place}/{domain}/signatures/{name_signature_file(number)}"
    return Fault("signature-without-entry", message, where, "restore the log from a copy")
