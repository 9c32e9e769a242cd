"""A domain: its stages, the run in progress, its history, and what changed as a whole."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from review.access.posting import BY_REVIEWER
from review.access.visitors import FOR_SOMEBODY, Somebody
from review.desk import AtDesk, AtDomain
from review.reading.approved_release import find_approved_release
from review.reading.gate_view import GateView, read_entry_words
from review.reading.signers import collect_decision_signatures
from review.reading.stage_words import ABOUT
from review.reading.waiting_stages import find_neighbours, list_waiting
from review.rendering import render
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.overview import Phase
from sopforge.store.versions import DomainStore

router = APIRouter()


@router.get("/d/{domain}")
def show_domain(request: Request, visitor: Somebody, desk: AtDesk, domain: AtDomain) -> Response:
    """Show the stages of a domain, or only these to a page that looks again."""
    is_again = "hx-request" in request.headers
    brief, standing = load_latest_brief(domain), desk.index.refresh(domain.name)
    return render(
        request,
        "desk/domain_stages.html.j2" if is_again else "desk/domain.html.j2",
        domain=domain,
        title=brief.parts.title,
        task=brief.parts.business_task,
        standing=standing,
        beside=find_neighbours(
            list_waiting(desk.index.list_domains().rows, visitor.name), domain.name
        ),
        passed=find_approved_release(desk.store, brief) if standing.phase is Phase.PASSED else None,
        rows=list(GateView(domain).iterate_stages(desk.is_intact)),
        run=desk.runs.find_current_run(domain.name),
        trouble=desk.runs.find_failed_run(domain.name),
        phases=Phase,
        about=ABOUT,
        is_elsewhere=desk.is_elsewhere,
        runs_page=desk.find_runs_page(domain.name),
    )


@router.post("/d/{domain}/continue", dependencies=BY_REVIEWER)
def take_on(desk: AtDesk, domain: AtDomain) -> Response:
    """Start the next run of a domain by hand."""
    desk.go_on(domain.name)
    return RedirectResponse(f"/d/{domain}?done=continued", 303)


@router.get("/d/{domain}/history", dependencies=FOR_SOMEBODY)
def show_history(request: Request, desk: AtDesk, domain: AtDomain) -> Response:
    """Show all decisions; the chain of entries was verified when this answers."""
    log = AuditLog(domain).take_snapshot()
    entries = log.list_entries()
    return render(
        request,
        "desk/history.html.j2",
        domain=domain,
        entries=list(reversed(entries)),
        head=log.read_head(),
        said=read_entry_words(domain, entries),
        signed=collect_decision_signatures(domain, desk.signers_file),
        numbers=_index_version_numbers(domain),
    )


def _index_version_numbers(domain: DomainStore) -> dict[tuple[str, str], int]:
    """Return the numbers of versions by stage and key."""
    stages = domain.objects.list_children(f"{domain}/stages")
    return {
        (stage, version.manifest.key): version.number
        for stage in stages
        for version in domain.list_versions(stage)
    }
