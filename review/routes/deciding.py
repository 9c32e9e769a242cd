"""Deciding on a version: approve, ask for changes, or reject, each about what was shown."""

from __future__ import annotations

from itertools import zip_longest

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from review.access.posting import Posted, ReviewerForm
from review.desk import AtDesk, AtDomain, StageName
from review.settings import LONGEST_COMMENT
from sopforge.artifacts.packaging.rating.ratings import MARKS, RATINGS
from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.pipeline.gates.gate import decide, require_waiting_version
from sopforge.pipeline.gates.withdrawing import take_decision_back
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import Opinion
from sopforge.store.versions import DomainStore, Version

router = APIRouter()
_LONGEST_NUMBER = 12
_DONE = {
    DecisionVerdict.APPROVE: "approved",
    DecisionVerdict.REQUEST_CHANGES: "changes",
    DecisionVerdict.REJECT: "rejected",
}


@router.post("/d/{domain}/{stage}/decide")
def decide_on(form: ReviewerForm, desk: AtDesk, domain: AtDomain, stage: StageName) -> Response:
    """Record a decision, and have the domain go on if that lets it."""
    verdict, opinion = _parse_verdict(form), _parse_opinion(form)
    version = require_version_on_page(form, domain, stage)
    done = decide(
        domain,
        stage=stage,
        digest=version.manifest.content,
        verdict=verdict,
        by=form.visitor.name,
        opinion=opinion,
        despite_errors=form.get_text("despite_errors") == "yes",
    )
    desk.continue_if_due(domain.name)
    page = (
        f"/d/{domain}/{stage}"
        if done.missing and verdict is DecisionVerdict.APPROVE
        else f"/d/{domain}"
    )
    return RedirectResponse(f"{page}?done={_DONE[verdict]}", 303)


@router.post("/d/{domain}/{stage}/withdraw")
def take_back(form: ReviewerForm, desk: AtDesk, domain: AtDomain, stage: StageName) -> Response:
    """Withdraw the decision that the page showed, and have the domain come back to the stage."""
    number, reason = form.get_text("entry"), form.get_text("comment").strip()
    _refuse_long(reason, "reason")
    take_decision_back(
        domain,
        stage=stage,
        digest=form.get_text("digest"),
        by=form.visitor.name,
        # An empty number would fit whatever was decided since.
        entry=int(number) if number.isdecimal() and len(number) <= _LONGEST_NUMBER else -1,
        reason=reason,
    )
    desk.continue_if_due(domain.name)
    return RedirectResponse(f"/d/{domain}/{stage}?done=withdrawn", 303)


def require_version_on_page(form: Posted, domain: DomainStore, stage: str) -> Version:
    """Return the version that waits, if it is the one that the form was about.

    Raises:
        StoreError: another one waits, or none.
    """
    digest, key = form.get_text("digest"), form.get_text("key")
    # An empty digest would fit whatever waits.
    version = require_waiting_version(domain, stage, digest or "nothing")
    if (version.manifest.content, version.manifest.key) != (digest, key):
        message = f"{stage} was made again from other inputs since this page was opened"
        hint = "review the version that waits now, then decide on it"
        raise StoreError(Fault("stale-decision", message, domain.name, hint))
    return version


def _refuse_long(text: str, what: str) -> None:
    """Raise ``MaterialError`` for a text that is longer than anybody reads."""
    if len(text) > LONGEST_COMMENT:
        message = (
            f"the {what} has {len(text):,} characters; at most {LONGEST_COMMENT:,} are allowed"
        )
        hint = "shorten it, or add it to the brief as context"
        raise MaterialError(Fault("text-too-long", message, what, hint))


def _parse_verdict(form: Posted) -> DecisionVerdict:
    try:
        found = DecisionVerdict(form.get_text("verdict"))
    except ValueError:
        found = DecisionVerdict.EDIT
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
    if _parse_verdict(form) is DecisionVerdict.REQUEST_CHANGES and not words:
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
