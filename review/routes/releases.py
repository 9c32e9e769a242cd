"""Releases: publishing, what changed from one to the next, and downloads."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from review.access.posting import BY_PUBLISHER
from review.access.visitors import FOR_SOMEBODY
from review.desk import AtDesk, Desk, DomainName
from review.reading.approved_release import find_approved_release
from review.reading.kept_briefs import load_newest_brief
from review.reading.release_notes import parse_blocks
from review.reading.signers import collect_release_signatures
from review.rendering import render
from sopforge.errors import Fault, StoreError
from sopforge.store.log.yanks import find_yanked_releases
from sopforge.store.overview import Phase

router = APIRouter()
# A package is the same whenever it is downloaded.
_EPOCH = (1980, 1, 1, 0, 0, 0)


@router.get("/d/{domain}/releases", dependencies=FOR_SOMEBODY)
def show_releases(
    request: Request,
    desk: AtDesk,
    domain: DomainName,
) -> Response:
    """Show all releases, the newest first."""
    records = {name: _read_record(desk, domain, name) for name in desk.store.list_releases(domain)}
    is_passed = desk.index.refresh(domain).phase is Phase.PASSED
    return render(
        request,
        "desk/releases.html.j2",
        domain=domain,
        releases=dict(reversed(records.items())),
        notes=parse_blocks,
        yanked=find_yanked_releases(desk.store, domain),
        signed=collect_release_signatures(desk.store, domain, records, desk.signers_file),
        private=desk.store.list_private_releases(domain),
        passed=find_approved_release(desk.store, load_newest_brief(desk.store, domain))
        if is_passed
        else None,
        run=desk.runs.find_current_run(domain),
        trouble=desk.runs.find_failed_run(domain),
    )


@router.post("/d/{domain}/releases", dependencies=BY_PUBLISHER)
def publish(desk: AtDesk, domain: DomainName) -> Response:
    """Have the release written, if all gates are passed."""
    standing = desk.index.refresh(domain)
    if standing.phase is not Phase.PASSED:
        message = (
            f"'{domain}' cannot be released: its state is '{standing.phase}', and a release needs "
            "all gates passed"
        )
        hint = "decide on the version that waits first"
        raise StoreError(Fault("not-approved", message, standing.stage, hint))
    desk.runs.publish(domain)
    return RedirectResponse(f"/d/{domain}/releases?done=publishing", 303)


@router.get("/d/{domain}/releases/{version}.zip", dependencies=FOR_SOMEBODY)
def download_release(
    desk: AtDesk,
    domain: DomainName,
    version: str,
) -> Response:
    """Hand a release out."""
    # Private test sets are not among these, and nobody gets one here.
    if version not in desk.store.list_releases(domain):
        raise HTTPException(404)
    data = _zip_files(f"{domain}-{version}", desk.store.read_release_files(domain, version))
    name = f"{domain}-{version}.zip"
    kept = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/zip", headers=kept)


def _read_record(desk: Desk, domain: str, version: str) -> Mapping[str, Any]:
    return {"changes": "", **desk.store.read_release(domain, version)}


def _zip_files(folder: str, files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()
