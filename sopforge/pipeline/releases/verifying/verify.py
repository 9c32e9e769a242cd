"""A release or a package, claim by claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sopforge.artifacts.packaging.checksums import CHECKSUMS, compute_file_digest
from sopforge.artifacts.packaging.release import AUDIT_LOG
from sopforge.pipeline.releases.verifying.claims import Claim, ClaimStanding
from sopforge.pipeline.releases.verifying.folders import PackageFolder, ReleaseFolder
from sopforge.pipeline.releases.verifying.package_claims import check_package_claims
from sopforge.pipeline.releases.verifying.release_claims import (
    check_announced_digest,
    check_rebuild,
    check_release_claims,
    check_store_copy,
)
from sopforge.pipeline.releases.verifying.signature_claims import (
    check_signature_claims,
    collect_signatures,
)
from sopforge.progress.tracking import track
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.signatures import Signature
from sopforge.store.versions import Store


@dataclass(frozen=True, slots=True)
class Verification:
    """What was verified of a release, or of a package that came alone, and its digest.

    ``signatures`` say what is known of who signed ``release.json`` and the entries of its log.
    """

    digest: str
    claims: tuple[Claim, ...]
    signatures: Mapping[str, Signature] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether no claim was found to be wrong."""
        return not any(claim.standing is ClaimStanding.FAILED for claim in self.claims)


def verify_release(
    folder: Path,
    *,
    digest: str = "",
    store: Store | None = None,
    signers: AllowedSigners | None = None,
    rebuild: bool = False,
) -> Verification:
    """Return what holds of the release in a folder.

    ``digest`` is the one that was announced, ``store`` one that may have published it, ``signers``
    are those by whom signatures are verified. ``rebuild`` has all made again from the brief.
    """
    release = ReleaseFolder(folder)
    claims = [
        check_announced_digest("release", release.digest, digest),
        *check_release_claims(release),
    ]
    claims += check_signature_claims(release, signers)
    message = "name the store that published it with --store"
    claims.append(
        check_store_copy(release, store)
        if store
        else Claim("release", "the store has it and its log", ClaimStanding.OPEN, message)
    )
    for package in track(release.packages, "packages", name=_get_package_name):
        claims += _check_package(package, rebuild=rebuild)
    return Verification(release.digest, tuple(claims), collect_signatures(release, signers))


def _get_package_name(package: PackageFolder) -> str:
    return package.name


def verify_package(folder: Path, *, digest: str = "", rebuild: bool = False) -> Verification:
    """Return what holds of a package that came without its release; arguments as of a release."""
    package = PackageFolder(folder)
    found = compute_file_digest(package.files.get(CHECKSUMS, b""))
    message = f"its release has {AUDIT_LOG} beside it"
    claims = [
        check_announced_digest(package.name, found, digest),
        *_check_package(package, rebuild=rebuild),
        Claim(package.name, "stages are approved as the brief asks", ClaimStanding.OPEN, message),
    ]
    return Verification(found, tuple(claims))


def _check_package(package: PackageFolder, *, rebuild: bool) -> list[Claim]:
    claims = list(check_package_claims(package))
    message = "verify it with --rebuild, which takes as long as generating the domain"
    claims.append(
        check_rebuild(package)
        if rebuild
        else Claim(package.name, "it is made again from its brief", ClaimStanding.OPEN, message)
    )
    return claims
