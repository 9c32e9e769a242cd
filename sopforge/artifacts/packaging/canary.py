"""The canary: a text by which benchmark data are found again where they do not belong."""

from __future__ import annotations

from uuid import NAMESPACE_OID, uuid5

from sopforge.artifacts.packaging.release import Release


def compute_release_canary(release: Release) -> str:
    """Return the GUID that all packages of a release share, and no other release has.

    An agent never sees it: it stands in what is read about a package and beside the answers, not
    in SOP, tools or inputs.
    """
    return compute_canary(release.model.name, release.version, release.seed)


def compute_canary(domain: str, version: str, seed: int) -> str:
    """Return the GUID of the release of a domain whose tasks were drawn with a seed."""
    return str(uuid5(NAMESPACE_OID, f"sopforge/{domain}/{version}/{seed}"))


def describe_canary(release: Release) -> str:
    """Return the sentence that asks whoever collects training data to leave these out."""
    canary = compute_release_canary(release)
    return f"Benchmark data: keep them out of training corpora. Canary GUID {canary}"
