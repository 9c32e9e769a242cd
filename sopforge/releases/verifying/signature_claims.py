"""Who signed a release, and the decisions that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial

from sopforge.errors import SopForgeError
from sopforge.findings import Finding, of_faults
from sopforge.packaging.release import AUDIT_LOG
from sopforge.releases.signatures import SignedLog, check_log, refusals
from sopforge.releases.verifying.claims import Claim, Observation, looked_at
from sopforge.releases.verifying.folders import ReleaseFolder
from sopforge.store.entries import Decision, entry_name, read_chain
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.signatures import Signature, Standing, check_release
from sopforge.store.versions import RELEASE, RELEASE_SIGNATURE
from sopforge.untrusted.content import UNREADABLE


def signed_claims(release: ReleaseFolder, signers: AllowedSigners | None) -> Iterator[Claim]:
    """Return whether the release and the decisions of persons are signed by whom it says."""
    looks = {"the release is signed": _release, "decisions of persons are signed": _decisions}
    for what, look in looks.items():
        yield looked_at("release", what, partial(look, release, signers))


def known_signatures(
    release: ReleaseFolder, signers: AllowedSigners | None
) -> dict[str, Signature]:
    """Return what is known of signatures by the files they are of; nothing for a broken log."""
    with suppress(SopForgeError, *UNREADABLE):
        log = _log_of(release, signers)
        entries = {f"{AUDIT_LOG}{entry_name(n)}": found for n, found in log.signatures.items()}
        return {RELEASE: _signature_of(release, signers), **entries}
    return {}


def _signature_of(release: ReleaseFolder, signers: AllowedSigners | None) -> Signature:
    entries, _ = read_chain(release.log, AUDIT_LOG.rstrip("/"))
    data = release.beside.get(RELEASE_SIGNATURE)
    return check_release(release.beside[RELEASE], data, entries, signers)


def _log_of(release: ReleaseFolder, signers: AllowedSigners | None) -> SignedLog:
    return check_log(release.log, release.signatures, signers, AUDIT_LOG.rstrip("/"))


def _release(release: ReleaseFolder, signers: AllowedSigners | None) -> Observation:
    found = _signature_of(release, signers)
    told = f"{found.summary}{_by(found, signers)}"
    return Observation(told, _findings([found]), is_open=found.standing is not Standing.SIGNED)


def _decisions(release: ReleaseFolder, signers: AllowedSigners | None) -> Observation:
    log = _log_of(release, signers)
    found = [(entry, log.of(entry)) for entry in log.by_persons]
    left = [(entry, item) for entry, item in found if item.standing is not Standing.SIGNED]
    told = f"{len(found) - len(left)} of {len(found)}{_by_whom(found)}"
    if left:
        told += f"; not {', '.join(f'entry {entry.sequence} by {entry.by}' for entry, _ in left)}"
    unverified = {item.summary for _, item in left if item.standing is Standing.UNVERIFIED}
    told = "; ".join([told, *sorted(unverified)])
    return Observation(told, _findings(log.signatures.values()), is_open=bool(left) or not found)


def _by_whom(found: Iterable[tuple[Decision, Signature]]) -> str:
    """Return who signed which stages, in the order in which they did."""
    stages: dict[str, list[str]] = {}
    for entry, item in found:
        if item.standing is Standing.SIGNED:
            stages.setdefault(entry.by, []).append(entry.stage)
    who = [f"{name} {', '.join(dict.fromkeys(named))}" for name, named in stages.items()]
    return f" ({'; '.join(who)})" if who else ""


def _by(found: Signature, signers: AllowedSigners | None) -> str:
    """Return who says so: whoever can write that file can let anybody sign."""
    has_said = found.standing is Standing.SIGNED and signers is not None
    return f", as {signers.place} has it" if has_said and signers else ""


def _findings(found: Iterable[Signature]) -> list[Finding]:
    return of_faults(refusals(found))
