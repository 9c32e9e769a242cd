"""Answering what two readings of a brief decide otherwise: the answers are kept in the brief."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from review.access.posting import Posted, ReviewerForm
from review.access.visitors import FOR_SOMEBODY
from review.desk import AtDesk, AtDomain
from review.rendering import render
from sopforge.errors import Fault, MaterialError
from sopforge.pipeline.briefs.answering import Asked, choose_words, keep_answers, load_questions
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.proof.comparing.asking.questions import Question

router = APIRouter()
_ANSWER, _OWN = "answer:", "own:"
_OWN_WORDS = "own"


@router.get("/d/{domain}/questions", dependencies=FOR_SOMEBODY)
def show_questions(request: Request, domain: AtDomain) -> Response:
    """Show the questions of a domain by themselves."""
    asked = load_questions(domain, load_latest_brief(domain))
    return _render(request, asked)


@router.post("/d/{domain}/questions")
def answer(request: Request, form: ReviewerForm, desk: AtDesk, domain: AtDomain) -> Response:
    """Keep what somebody answered, all of it or nothing, and start the run."""
    with desk.turns.take_turn():
        asked = load_questions(domain, load_latest_brief(domain))
        typed = {**form.select_fields(_ANSWER), **form.select_fields(_OWN)}
        try:
            given = list(_iterate_answers(asked, form))
        except MaterialError as refused:
            return _render(request, asked, 422, typed=typed, faults=refused.faults)
    keep_answers(domain, given)
    desk.go_on(domain.name)
    return RedirectResponse(f"/d/{domain}/schema?done=answered", 303)


def _render(request: Request, asked: Asked, status: int = 200, **more: object) -> Response:
    context = {"domain": asked.domain, "asked": asked, "typed": {}, "faults": (), **more}
    return render(request, "desk/questions_page.html.j2", status, **context)


def _iterate_answers(asked: Asked, form: Posted) -> Iterator[tuple[Question, str]]:
    """Yield the questions that a form answers, each with the sentence.

    Raises:
        MaterialError: one of them is none any more, or an answer cannot be used, or none is there.
    """
    own = {name.removeprefix(_OWN): said for name, said in form.select_fields(_OWN).items()}
    sides = {name.removeprefix(_ANSWER): said for name, said in form.select_fields(_ANSWER).items()}
    # Words of one's own are an answer, whether or not it was marked that they are one.
    given = {name: said for name, said in own.items() if said.strip()}
    given |= {name: side for name, side in sides.items() if side != _OWN_WORDS}
    given |= {name: own.get(name, "") for name, side in sides.items() if side == _OWN_WORDS}
    if not given:
        message, hint = (
            "the form has no answer",
            "choose A or B, or write what is right in your own words",
        )
        raise MaterialError(Fault("answer-not-usable", message, asked.domain, hint))
    for name, said in given.items():
        question = asked.get_question(name)
        yield question, choose_words(question, said)
