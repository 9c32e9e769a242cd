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
    SignatureStanding,
    check_entries,
    check_release,
    name_signature_file,
)
from sopforge.store.signatures.signing import Signer
from sopforge.store.versions import RELEASE, RELEASE_SIGNATURE, DomainStore, Manifest


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


def load_signed_log(domain: DomainStore, signers: AllowedSigners | None) -> SignedLog:
    """Return the log of a domain with what is known of who signed its entries.

    Raises:
        StoreError: the log is broken.
    """
    log = AuditLog(domain)
    folder = f"{domain.place}/{domain}/signatures"
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
    domain: DomainStore, version: str, signers: AllowedSigners | None
) -> Signature:
    """Return what is known of who signed a release; raises ``StoreError`` where there is none."""
    compute_release_digest(domain, version)
    folder = f"{domain}/releases/{version}"
    record = read_text(domain.objects, f"{folder}/{RELEASE}").encode()
    data = domain.objects.read(f"{folder}/{RELEASE_SIGNATURE}")
    where = f"{domain.place}/{folder}/{RELEASE_SIGNATURE}"
    return check_release(record, data, _load_release_entries(domain, version), signers, where)


def find_refused_signatures(domain: DomainStore, signers: AllowedSigners | None) -> list[Fault]:
    """Return why signatures of a domain do not hold, and which are of nothing that is there.

    Raises:
        StoreError: the log is broken.
    """
    found = load_signed_log(domain, signers)
    releases = (*domain.list_releases(), *domain.list_private_releases())
    signed = [load_release_signature(domain, version, signers) for version in releases]
    faults = list_refusals([*found.signatures.values(), *signed])
    names = AuditLog(domain).read_signatures()
    gone = [number for number in names if number not in found.signatures]
    return [*faults, *(_without_entry(domain, number) for number in gone)]


def refuse_refused(domain: DomainStore, signers: AllowedSigners | None) -> None:
    """Raise ``StoreError`` where a signature of a decision does not hold."""
    faults = list_refusals(load_signed_log(domain, signers).signatures.values())
    if faults:
        raise StoreError(*faults)


def is_signed(domain: DomainStore, version: str) -> bool:
    """Return whether a release has a signature, whatever that is worth."""
    return domain.objects.read(f"{domain}/releases/{version}/{RELEASE_SIGNATURE}") is not None


def list_refusals(found: Iterable[Signature]) -> list[Fault]:
    """Return why signatures were refused."""
    return [
        item.fault
        for item in found
        if item.standing is SignatureStanding.REFUSED and item.fault is not None
    ]


def list_unsigned_decisions(found: SignedLog, by: str, *, again: bool = False) -> list[Decision]:
    """Return what somebody decided and has not signed; ``again`` also what is refused."""
    wanted = (
        {SignatureStanding.UNSIGNED, SignatureStanding.REFUSED}
        if again
        else {SignatureStanding.UNSIGNED}
    )
    return [
        item
        for item in found.by_persons
        if item.by == by and found.get_signature(item).standing in wanted
    ]


def sign_decision(domain: DomainStore, entry: Decision, signer: Signer) -> None:
    """Sign an entry that stands in the log.

    Raises:
        SshKeygenError: the key cannot sign.
        StoreError: the signature would be refused, or the entry is gone.
    """
    log = AuditLog(domain)
    data = signer.sign_entry(entry, log.read_entry_text(entry))
    log.keep_signature(entry.sequence, data)


def sign_release(domain: DomainStore, version: str, signer: Signer) -> None:
    """Sign a release; raises as ``sign_decision``, and where there is no such release."""
    compute_release_digest(domain, version)
    folder = f"{domain}/releases/{version}"
    record = read_text(domain.objects, f"{folder}/{RELEASE}").encode()
    data = signer.sign_release(record, _load_release_entries(domain, version))
    domain.objects.replace(f"{folder}/{RELEASE_SIGNATURE}", data)


def _load_release_entries(domain: DomainStore, version: str) -> list[Decision]:
    """Return the entries that a release carries; one of an early SOPForge has none."""
    folder = f"{domain}/releases/{version}/{AUDIT_LOG}"
    names = [name for name in domain.objects.list_names(folder) if name.endswith(".json")]
    texts = {name.rpartition("/")[2]: read_text(domain.objects, name) for name in names}
    return read_chain(texts, f"{domain.place}/{folder.rstrip('/')}")[0]


def _without_entry(domain: DomainStore, number: int) -> Fault:
    message = f"the log has no entry {number}: its newest entries were removed"
    where = f"{domain.place}/{domain}/signatures/{name_signature_file(number)}"
    return Fault("signature-without-entry", message, where, "restore the log from a copy")
