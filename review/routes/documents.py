"""The SOP handed out as a document that experts can circulate."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from review.access.visitors import FOR_SOMEBODY
from review.desk import AtDomain
from review.reading.gate_view import find_version
from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.pipeline.stages.sop import SopStage

router = APIRouter()
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@router.get("/d/{domain}/sop/sop.docx", dependencies=FOR_SOMEBODY)
def hand_out_word(request: Request, domain: AtDomain) -> Response:
    """Hand a version of the SOP out as a Word document.

    Raises:
        StoreError: there is no such version, or its text is not the one that was stored.
    """
    from sopforge.artifacts.rendering.word import render_word  # noqa: PLC0415 - few who review ask for it

    number = request.query_params.get("version", "")
    version = find_version(domain, SopStage.name, number)
    data = render_word(read_sop(version.files["sop.txt"], version.files["trace.json"]))
    name = f"{domain}-sop-{version.number}.docx"
    kept = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=_WORD, headers=kept)
