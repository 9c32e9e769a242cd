"""Signatures of decisions and releases: where they are kept, and whether they hold.

A decision's signature is of the exact bytes of its entry, which holds the digest of the entry
before: it binds the whole log up to there. A release's is of ``release.json``, which pins the
digest of all its files and the head of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from sopforge.errors import Fault
from sopforge.store.entries import Decision, read_decision
from sopforge.store.objects import Objects
from sopforge.store.signatures import ssh_keygen
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.refusals import (
    OF_DECISION,
    OF_RELEASE,
    RefusedSignatureError,
    Signable,
    is_signer_name,
    make_refused_key_error,
    refuse_form,
    refuse_name,
    refuse_text,
)
from sopforge.store.signatures.ssh_keygen import Answer, SshKeygenError
from sopforge.store.versions import RELEASE_SIGNATURE

_FILE = re.compile(r"(\d{6,})\.sig", re.ASCII)


class SignatureStanding(StrEnum):
    """What is known of who signed something."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    UNVERIFIED = "not verified"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Signature:
    """What was found of a signature: whose it is and by which key, or why it does not hold.

    ``fault`` says why it is refused, or why it could not be verified.
    """

    standing: SignatureStanding
    by: str = ""
    fingerprint: str = ""
    fault: Fault | None = None

    @property
    def summary(self) -> str:
        """The same in words."""
        if self.standing is SignatureStanding.SIGNED:
            return f"signed by {self.by} ({self.fingerprint})"
        if self.fault is None:
            return str(self.standing)
        begin = (
            "signed, but" if self.standing is SignatureStanding.UNVERIFIED else "signature refused:"
        )
        return f"{begin} {self.fault.message}"

    def as_record(self) -> dict[str, object]:
        """Return it as plain JSON values."""
        return {
            "standing": self.standing.value,
            "by": self.by or None,
            "key": self.fingerprint or None,
            "code": self.fault.code if self.fault else None,
            "summary": self.summary,
        }


UNSIGNED = Signature(SignatureStanding.UNSIGNED)


def name_signature_file(sequence: int) -> str:
    """Return the name of the file of the signature of an entry."""
    return f"{sequence:06d}.sig"


def name_signature_path(domain: str, sequence: int) -> str:
    """Return where the signature of a domain's entry is kept."""
    return f"{domain}/signatures/{name_signature_file(sequence)}"


def read_signatures(objects: Objects, domain: str) -> dict[int, bytes]:
    """Return the signatures beside a domain's audit log, by the numbers of entries."""
    folder = f"{domain}/signatures"
    names = objects.list_children(folder)
    return select_signatures({name: objects.read(f"{folder}/{name}") or b"" for name in names})


def select_signatures(files: Mapping[str, bytes]) -> dict[int, bytes]:
    """Return the signatures among files by their names, by the numbers of entries."""
    named = ((_FILE.fullmatch(name), data) for name, data in sorted(files.items()))
    return {
        int(match[1]): data
        for match, data in named
        # One name for each number: by more zeros in front, a second file could stand for an entry.
        if match and match[0] == name_signature_file(int(match[1]))
    }


def check_entries(
    texts: Iterable[str],
    signatures: Mapping[int, bytes],
    signers: AllowedSigners | None,
    folder: str,
) -> dict[int, Signature]:
    """Return what is known of who signed the entries of a log, by their numbers.

    The signatures lie in a ``folder``. An entry counts as no older than those before it, whatever
    it says: who holds a key that expired cannot write one as of a time before them.

    Raises:
        StoreError: an entry cannot be read.
    """
    found, before, time = dict[int, Signature](), list[Signable](), datetime.min.replace(tzinfo=UTC)
    for number, text in enumerate(texts, start=1):
        entry = read_decision(text, f"entry {number}")
        own = read_entry_time(entry)
        time = max(time, own) if own else time
        signable = _build_signable(text, number, time if own else None, folder)
        data = signatures.get(number)
        if data is None:
            found[number] = UNSIGNED
        else:
            found[number] = _check(signable, data, entry.by, signers, before)
        before.append(signable)
    return found


def check_entry(
    entry: Decision, text: str, data: bytes, signers: AllowedSigners | None
) -> Signature:
    """Return what is known of a signature of one entry, before it is kept."""
    signable = _build_signable(text, entry.sequence, read_entry_time(entry), entry.domain)
    return _check(signable, data, entry.by, signers)


def check_release(
    record: bytes,
    data: bytes | None,
    entries: Iterable[Decision],
    signers: AllowedSigners | None,
    where: str = RELEASE_SIGNATURE,
) -> Signature:
    """Return what is known of who signed a ``release.json``: anybody who is listed may have.

    It holds no time. The newest of the ``entries`` that it rests on stands for it.
    """
    if data is None:
        return UNSIGNED
    times = [time for entry in entries if (time := read_entry_time(entry))]
    time = max(times, default=datetime.now(UTC))
    signable = Signable(record, OF_RELEASE, "the release", where, time)
    return _check(signable, data, None, signers)


def read_entry_time(entry: Decision) -> datetime | None:
    """Return when an entry says that it was written, None where that cannot be read."""
    try:
        time = datetime.fromisoformat(entry.at)
        return time.astimezone(UTC) if time.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _build_signable(text: str, number: int, time: datetime | None, folder: str) -> Signable:
    where = f"{folder}/{name_signature_file(number)}"
    return Signable(text.encode(), OF_DECISION, f"entry {number}", where, time)


def _check(
    signable: Signable,
    data: bytes,
    name: str | None,
    signers: AllowedSigners | None,
    before: Sequence[Signable] = (),
) -> Signature:
    """Return whether a signature is of a text, and of somebody; of anybody without a ``name``."""
    try:
        refuse_form(signable, data)
        refuse_text(signable, data, before)
        if signers is None:
            return Signature(SignatureStanding.UNVERIFIED, fault=_without_signers(signable))
        owner = _require_owner(signable, data, signers) if name is None else name
        answer = _require_answer(signable, data, owner, signers)
    except RefusedSignatureError as refused:
        return Signature(SignatureStanding.REFUSED, fault=refused.fault)
    except SshKeygenError as failed:
        return Signature(SignatureStanding.UNVERIFIED, fault=failed.faults[0])
    return Signature(SignatureStanding.SIGNED, owner, answer.fingerprint)


def _require_owner(signable: Signable, data: bytes, signers: AllowedSigners) -> str:
    """Return the first whom the allowed signers give the key; raises so where there is nobody."""
    names = ssh_keygen.find_owners(data, signable.digits, signers.text)
    owner = next(filter(is_signer_name, names), "")
    if not owner:
        raise make_refused_key_error(signable, data, "", signers, "")
    return owner


def _require_answer(signable: Signable, data: bytes, name: str, signers: AllowedSigners) -> Answer:
    """Return what was found of a signature that holds; raises why it does not."""
    refuse_name(signable, name)
    answer = ssh_keygen.verify(
        signable.text,
        data,
        signable.namespace,
        name=name,
        time=signable.digits,
        allowed=signers.text,
    )
    if not answer.is_good:
        raise make_refused_key_error(signable, data, name, signers, answer.said)
    return answer


def _without_signers(signable: Signable) -> Fault:
    hint = (
        "list the allowed signers with sopforge store signers, --allowed-signers FILE or"
        " SOPFORGE_ALLOWED_SIGNERS"
    )
    message = "no allowed signers are listed, so the signature was not verified"
    return Fault("signature-unverified", message, signable.where, hint)
