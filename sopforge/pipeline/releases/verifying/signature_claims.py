"""Who signed a release, and the decisions that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial

from sopforge.artifacts.packaging.release import AUDIT_LOG
from sopforge.errors import SopForgeError
from sopforge.findings import Finding, convert_faults
from sopforge.pipeline.releases.signatures import SignedLog, check_log, list_refusals
from sopforge.pipeline.releases.verifying.claims import Claim, Observation, check_claim
from sopforge.pipeline.releases.verifying.folders import ReleaseFolder
from sopforge.store.entries import Decision, name_entry, read_chain
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.signatures import Signature, SignatureStanding, check_release
from sopforge.store.versions import RELEASE, RELEASE_SIGNATURE
from sopforge.untrusted.content import UNREADABLE


def check_signature_claims(
    release: ReleaseFolder, signers: AllowedSigners | None
) -> Iterator[Claim]:
    """Return whether the release and the decisions of persons are signed by whom it says."""
    looks = {
        "the release is signed": _check_release_signed,
        "decisions of persons are signed": _check_decisions_signed,
    }
    for what, look in looks.items():
        yield check_claim("release", what, partial(look, release, signers))


def collect_signatures(
    release: ReleaseFolder, signers: AllowedSigners | None
) -> dict[str, Signature]:
    """Return what is known of signatures by the files they are of; nothing for a broken log."""
    with suppress(SopForgeError, *UNREADABLE):
        log = _read_signed_log(release, signers)
        entries = {f"{AUDIT_LOG}{name_entry(n)}": found for n, found in log.signatures.items()}
        return {RELEASE: _read_release_signature(release, signers), **entries}
    return {}


def _read_release_signature(release: ReleaseFolder, signers: AllowedSigners | None) -> Signature:
    entries, _ = read_chain(release.log, AUDIT_LOG.rstrip("/"))
    data = release.beside.get(RELEASE_SIGNATURE)
    return check_release(release.beside[RELEASE], data, entries, signers)


def _read_signed_log(release: ReleaseFolder, signers: AllowedSigners | None) -> SignedLog:
    return check_log(release.log, release.signatures, signers, AUDIT_LOG.rstrip("/"))


def _check_release_signed(release: ReleaseFolder, signers: AllowedSigners | None) -> Observation:
    found = _read_release_signature(release, signers)
    summary = f"{found.summary}{_describe_signers_file(found, signers)}"
    return Observation(
        summary,
        _make_refusal_findings([found]),
        is_open=found.standing is not SignatureStanding.SIGNED,
    )


def _check_decisions_signed(release: ReleaseFolder, signers: AllowedSigners | None) -> Observation:
    log = _read_signed_log(release, signers)
    found = [(entry, log.get_signature(entry)) for entry in log.by_persons]
    left = [(entry, item) for entry, item in found if item.standing is not SignatureStanding.SIGNED]
    summary = f"{len(found) - len(left)} of {len(found)}{_describe_signers(found)}"
    if left:
        summary += (
            f"; not {', '.join(f'entry {entry.sequence} by {entry.by}' for entry, _ in left)}"
        )
    unverified = {item.summary for _, item in left if item.standing is SignatureStanding.UNVERIFIED}
    summary = "; ".join([summary, *sorted(unverified)])
    return Observation(
        summary, _make_refusal_findings(log.signatures.values()), is_open=bool(left) or not found
    )


def _describe_signers(found: Iterable[tuple[Decision, Signature]]) -> str:
    """Return who signed which stages, in the order in which they did."""
    stages: dict[str, list[str]] = {}
    for entry, item in found:
        if item.standing is SignatureStanding.SIGNED:
            stages.setdefault(entry.by, []).append(entry.stage)
    who = [f"{name} {', '.join(dict.fromkeys(named))}" for name, named in stages.items()]
    return f" ({'; '.join(who)})" if who else ""


def _describe_signers_file(found: Signature, signers: AllowedSigners | None) -> str:
    """Return who says so: whoever can write that file can let anybody sign."""
    has_said = found.standing is SignatureStanding.SIGNED and signers is not None
    return f", as {signers.place} has it" if has_said and signers else ""


def _make_refusal_findings(found: Iterable[Signature]) -> list[Finding]:
    return convert_faults(list_refusals(found))
