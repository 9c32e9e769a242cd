"""Deciding on a version: approve, ask for changes, or reject, each about what was shown."""

from __future__ import annotations

from itertools import zip_longest

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from review.access.posting import Posted, ReviewerForm
from review.desk import AtDesk, Desk, DomainName, StageName
from review.rendering import render
from review.settings import LONGEST_COMMENT
from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.gates.gate import decide, require_waiting_version
from sopforge.gates.remark_places import find_version_aim, has_facts
from sopforge.gates.remarks import Aim
from sopforge.packaging.rating.ratings import MARKS, RATINGS
from sopforge.store.entries import Verdict
from sopforge.store.log.audit_log import Opinion
from sopforge.store.versions import Version

router = APIRouter()
_DONE = {
    Verdict.APPROVE: "approved",
    Verdict.REQUEST_CHANGES: "changes",
    Verdict.REJECT: "rejected",
}


@router.post("/d/{domain}/{stage}/decide")
def decide_on(
    request: Request, form: ReviewerForm, desk: AtDesk, domain: DomainName, stage: StageName
) -> Response:
    """Record a decision, and have the domain go on if that lets it.

    A request for what the words of the stage cannot change is offered where it can be changed.
    """
    verdict, opinion = _parse_verdict(form), _parse_opinion(form)
    version = require_version_on_page(desk, form, domain, stage)
    if verdict is Verdict.REQUEST_CHANGES and form.get_text("at") != stage:
        aim = find_version_aim(desk.store, version, opinion.feedback)
        if aim is not None:
            return _show_elsewhere(request, form, desk, version, aim)
    done = decide(
        desk.store,
        domain,
        stage=stage,
        digest=version.manifest.content,
        verdict=verdict,
        by=form.visitor.name,
        opinion=opinion,
        despite_errors=form.get_text("despite_errors") == "yes",
    )
    desk.continue_if_due(domain)
    page = f"/d/{domain}/{stage}" if done.missing and verdict is Verdict.APPROVE else f"/d/{domain}"
    return RedirectResponse(f"{page}?done={_DONE[verdict]}", 303)


def _show_elsewhere(
    request: Request, form: Posted, desk: Desk, version: Version, aim: Aim
) -> Response:
    """Show where a request is met, with what was written still in the forms."""
    domain = version.manifest.domain
    return render(
        request,
        "desk/elsewhere.html.j2",
        422,
        domain=domain,
        stage=version.manifest.stage,
        aim=aim,
        has_facts=has_facts(desk.store, domain),
        given={name: form.get_text(name) for name in ("digest", "key", "comment", "quote")},
        comments=_list_comments(form),
        words="\n\n".join(
            filter(None, [*(said for _, said in _list_comments(form)), form.get_text("comment")])
        ),
    )


def require_version_on_page(desk: Desk, form: Posted, domain: str, stage: str) -> Version:
    """Return the version that waits, if it is the one that the form was about.

    Raises:
        StoreError: another one waits, or none.
    """
    digest, key = form.get_text("digest"), form.get_text("key")
    # An empty digest would fit whatever waits.
    version = require_waiting_version(desk.store, domain, stage, digest or "nothing")
    if (version.manifest.content, version.manifest.key) != (digest, key):
        message = f"{stage} was made again from other inputs since this page was opened"
        hint = "review the version that waits now, then decide on it"
        raise StoreError(Fault("stale-decision", message, domain, hint))
    return version


def _refuse_long(text: str, what: str) -> None:
    """Raise ``MaterialError`` for a text that is longer than anybody reads."""
    if len(text) > LONGEST_COMMENT:
        message = (
            f"the {what} has {len(text):,} characters; at most {LONGEST_COMMENT:,} are allowed"
        )
        hint = "shorten it, or add it to the brief as context"
        raise MaterialError(Fault("text-too-long", message, what, hint))


def _parse_verdict(form: Posted) -> Verdict:
    try:
        found = Verdict(form.get_text("verdict"))
    except ValueError:
        found = Verdict.EDIT
    if found not in _DONE:
        message = f"'{form.get_text('verdict')[:40]}' is not a decision"
        raise MaterialError(Fault("verdict", message, "", f"choose one of {', '.join(_DONE)}"))
    return found


def _parse_opinion(form: Posted) -> Opinion:
    comment, quote = form.get_text("comment").strip(), form.get_text("quote").strip()
    _refuse_long(comment, "comment")
    _refuse_long(quote, "quote")
    comments = [*_list_comments(form), *([(quote, comment)] if comment else [])]
    words = "\n\n".join(_format_comment(about, said) for about, said in comments)
    if len(comments) > 1:
        _refuse_long(words, "comments together")
    if _parse_verdict(form) is Verdict.REQUEST_CHANGES and not words:
        message, hint = "the request for changes has no text", "write what to change"
        raise MaterialError(Fault("feedback-empty", message, "comment", hint))
    return Opinion(words, _parse_ratings(form), form.list_texts("checked"))


def _list_comments(form: Posted) -> list[tuple[str, str]]:
    """Return what was said beside passages, each after what it is about."""
    pairs = zip_longest(form.list_texts("about"), form.list_texts("said"), fillvalue="")
    # A quotation stands on one line, so that it is seen where what somebody says begins.
    found = [(" ".join(about.split()), said.replace("\r\n", "\n").strip()) for about, said in pairs]
    return [(about, said) for about, said in found if said]


def _format_comment(about: str, said: str) -> str:
    return f"About “{about}”: {said}" if about else said


def _parse_ratings(form: Posted) -> dict[str, int]:
    """Return the marks that were given; those left open are left out."""
    given = {name: form.get_text(f"rate_{name}") for name in RATINGS}
    faults = [
        Fault("rating", f"'{text[:20]}' is not a rating", name, "give a number from 1 to 10")
        for name, text in given.items()
        if text and text not in map(str, MARKS)
    ]
    if faults:
        raise MaterialError(*faults)
    return {name: int(text) for name, text in given.items() if text}
