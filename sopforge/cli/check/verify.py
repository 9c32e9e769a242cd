"""``sopforge verify``: does a release hold what it says of itself?"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sopforge.cli.options import DEFAULT_STORE, ReleaseName, StorePlace
from sopforge.cli.output import Parts, Result, list_findings
from sopforge.cli.signing import SignersFile, load_signers
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.findings import Finding
    from sopforge.pipeline.releases.locating import Located
    from sopforge.pipeline.releases.verifying.verify import Verification

_DIGEST = re.compile(r"[0-9a-f]{64}")
_COLOURS = {"verified": "green", "failed": "red", "not verified": "yellow"}


def verify(
    release: ReleaseName,
    digest: Annotated[
        str, typer.Option(help="Digest that the publisher announced, as printed by 'publish'.")
    ] = "",
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild", help="Rebuild everything from the brief, and compare it with the release."
        ),
    ] = False,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Verify the files, the origin and the approvals of a release from any source.

    For a package that is inside its release, the command also verifies the release.
    """
    from sopforge.pipeline.releases.locating import locate_release

    if digest and not _DIGEST.fullmatch(digest):
        hint = "give all 64 digits, as 'sopforge publish' prints them"
        raise MaterialError(
            Fault("digest-malformed", f"'{digest}' is not a digest", "--digest", hint)
        )
    with locate_release(release, place) as found:
        done = _verify_located(found, digest, place, allowed_signers, rebuild=rebuild)
    record = {
        "release": release,
        "digest": done.digest,
        "holds": done.holds,
        "claims": [claim.as_record() for claim in done.claims],
        "signatures": {name: item.as_record() for name, item in done.signatures.items()},
    }
    return Result(record, _lay_out(release, done), has_findings=not done.holds)


def _verify_located(
    found: Located, digest: str, place: str, given: Path | None, *, rebuild: bool
) -> Verification:
    from sopforge.pipeline.releases.verifying.verify import verify_package, verify_release
    from sopforge.store.opening import open_store

    if found.release is None:
        return verify_package(found.folder, digest=digest, rebuild=rebuild)
    publisher = found.store or open_store(place)
    signers = load_signers(publisher, given)
    return verify_release(
        found.release, digest=digest, store=publisher, signers=signers, rebuild=rebuild
    )


def _lay_out(name: str, done: Verification) -> Parts:
    from sopforge.pipeline.releases.verifying.claims import ClaimStanding

    width = max(len(kind.value) for kind in ClaimStanding)
    shown: set[Finding] = set()
    for part, claims in groupby(done.claims, lambda claim: claim.part):
        yield Text(part, "bold")
        for claim in claims:
            # What was counted until then says nothing where the claim does not hold.
            counted = "" if claim.standing is ClaimStanding.FAILED else f": {claim.message}"
            line = f"  {claim.standing.value:{width}}  {claim.what}{counted}"
            yield Text(line, _COLOURS[claim.standing.value])
            yield from list_findings([item for item in claim.findings if item not in shown])
            shown.update(claim.findings)
    counts = {kind: sum(claim.standing is kind for claim in done.claims) for kind in ClaimStanding}
    summary = ", ".join(f"{count} {kind.value}" for kind, count in counts.items() if count)
    yield f"{name}: {summary}. Its digest is {done.digest}"
