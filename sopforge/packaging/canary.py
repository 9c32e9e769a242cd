"""The canary: a text by which benchmark data are found again where they do not belong."""

from __future__ import annotations

from uuid import NAMESPACE_OID, uuid5

from sopforge.packaging.release import Release


def canary_guid(release: Release) -> str:
    """Return the GUID that all packages of a release share, and no other release has.

    An agent never sees it: it stands in what is read about a package and beside the answers, not
    in SOP, tools or inputs.
    """
    return canary_of(release.model.name, release.version, release.seed)


def canary_of(domain: str, version: str, seed: int) -> str:
    """Return the GUID of the release of a domain whose tasks were drawn with a seed."""
    return str(uuid5(NAMESPACE_OID, f"sopforge/{domain}/{version}/{seed}"))


def canary_text(release: Release) -> str:
    """Return the sentence that asks whoever collects training data to leave these out."""
    return f"Benchmark data: keep them out of training corpora. Canary GUID {canary_guid(release)}"
