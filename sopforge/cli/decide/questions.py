"""Questions about a brief, as its experts read them: the case, both answers and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.options import StoredDomain, store_option
from sopforge.cli.output import Parts, Result, make_table
from sopforge.cli.screens.question_view import lay_out_view

if TYPE_CHECKING:
    from sopforge.pipeline.briefs.answering import Asked
    from sopforge.proof.comparing.asking.questions import Question


def list_questions(stored: StoredDomain, *, every: bool) -> Result:
    """Return the questions about a brief; those that are answered only if ``every`` is wanted."""
    from sopforge.pipeline.briefs.answering import load_questions
    from sopforge.pipeline.briefs.brief_files import load_latest_brief

    domain = stored.open()
    asked = load_questions(domain, load_latest_brief(domain))
    parts = _lay_out(asked, store_option(domain.place), every=every)
    return Result(lambda: _build_record(asked), parts)


def _build_record(asked: Asked) -> dict[str, object]:
    from sopforge.checks.readings.questions import find_answer

    found = []
    for number, question in asked.numbered.items():
        answer = find_answer(question, asked.answers)
        said = answer.says if answer else None
        found.append({"number": int(number), **question.as_record(), "answer": said})
    answers = [answer.model_dump() for answer in asked.answers]
    return {
        "domain": asked.domain,
        "version": asked.version,
        "questions": found,
        "answers": answers,
    }


def _lay_out(asked: Asked, there: str, *, every: bool) -> Parts:
    left = {item.id for item in asked.open}
    for number, question in asked.numbered.items():
        if every or question.id in left:
            yield from _lay_out_question(number, question)
    for answer in asked.answers:
        yield Text(f"answered: {answer.case}", "dim")
        yield Text(f"  {answer.says}", "dim")
    if not left:
        yield f"No questions about '{asked.domain}' are open."
        return
    first = next(number for number, item in asked.numbered.items() if item.id in left)
    yield f"{len(left)} open. Answer one with A, B or a sentence of your own, for example:"
    yield f"  sopforge answer {asked.domain} {first} A{there}"


def _lay_out_question(number: str, question: Question) -> Parts:
    yield Text(f"{number}. {question.heading}", "bold")
    share = f"; it affects {question.share:.2%} of sampled cases" if question.drawn else ""
    yield Text(f"   {question.id}{share}", "dim")
    keys = [fact for fact in question.case if fact.is_key] or list(question.case)
    if question.case:
        yield make_table("", ["fact", "value"], [(fact.label, fact.value) for fact in keys])
    if besides := [f"{fact.label}: {fact.value}" for fact in question.case if fact not in keys]:
        yield Text(f"   also: {'; '.join(besides)}", "dim")
    for letter, view in zip("AB", (question.first, question.second), strict=True):
        yield from lay_out_view(letter, view)
    yield ""
