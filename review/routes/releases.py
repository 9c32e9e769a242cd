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
from review.desk import AtDesk, AtDomain
from review.reading.approved_release import find_approved_release
from review.reading.release_notes import parse_blocks
from review.reading.signers import collect_release_signatures
from review.rendering import render
from sopforge.errors import Fault, StoreError
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.store.log.yanks import find_yanked_releases
from sopforge.store.overview import Phase
from sopforge.store.versions import DomainStore

router = APIRouter()
# A package is the same whenever it is downloaded.
_EPOCH = (1980, 1, 1, 0, 0, 0)


@router.get("/d/{domain}/releases", dependencies=FOR_SOMEBODY)
def show_releases(
    request: Request,
    desk: AtDesk,
    domain: AtDomain,
) -> Response:
    """Show all releases, the newest first."""
    records = {name: _read_record(domain, name) for name in domain.list_releases()}
    is_passed = desk.index.refresh(domain.name).phase is Phase.PASSED
    return render(
        request,
        "desk/releases.html.j2",
        domain=domain,
        releases=dict(reversed(records.items())),
        notes=parse_blocks,
        yanked=find_yanked_releases(domain),
        signed=collect_release_signatures(domain, records, desk.signers_file),
        private=domain.list_private_releases(),
        passed=find_approved_release(desk.store, load_latest_brief(domain)) if is_passed else None,
        run=desk.runs.find_current_run(domain.name),
        trouble=desk.runs.find_failed_run(domain.name),
    )


@router.post("/d/{domain}/releases", dependencies=BY_PUBLISHER)
def publish(desk: AtDesk, domain: AtDomain) -> Response:
    """Have the release written, if all gates are passed."""
    standing = desk.index.refresh(domain.name)
    if standing.phase is not Phase.PASSED:
        message = (
            f"'{domain}' cannot be released: its state is '{standing.phase}', and a release needs "
            "all gates passed"
        )
        hint = "decide on the version that waits first"
        raise StoreError(Fault("not-approved", message, standing.stage, hint))
    desk.runs.publish(domain.name)
    return RedirectResponse(f"/d/{domain}/releases?done=publishing", 303)


@router.get("/d/{domain}/releases/{version}.zip", dependencies=FOR_SOMEBODY)
def download_release(
    domain: AtDomain,
    version: str,
) -> Response:
    """Hand a release out."""
    # Private test sets are not among these, and nobody gets one here.
    if version not in domain.list_releases():
        raise HTTPException(404)
    data = _zip_files(f"{domain}-{version}", domain.read_release_files(version))
    name = f"{domain}-{version}.zip"
    kept = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/zip", headers=kept)


def _read_record(domain: DomainStore, version: str) -> Mapping[str, Any]:
    return {"changes": "", **domain.read_release(version)}


def _zip_files(folder: str, files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()
