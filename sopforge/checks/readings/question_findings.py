"""What findings about questions have in common: both answers, and how to give one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from sopforge.errors import Fault
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.documents.schema import AnswerDocument
from sopforge.proof.comparing.asking.questions import Question, View
from sopforge.workspace import DOMAIN


def _write_views(question: Question) -> str:
    """Return the two answers of a question, each with why."""
    offered = zip("AB", (question.first, question.second), strict=True)
    return "\n".join(line for letter, view in offered for line in _write_view(letter, view))


def _write_view(letter: str, view: View) -> Iterator[str]:
    decided = "; ".join(f"{label}: {value}" for label, value in view.decides.items())
    yield f"{letter}: {decided}"
    yield from view.because
    yield from (f'the brief: "{sentence}"' for sentence in view.sources)


class Shown(TypedDict):
    """Where a finding is, what shows it, and what to do."""

    where: str
    evidence: str
    hint: str


def show_question(question: Question, domain: str) -> Shown:
    """Return both answers of a question, and how one of them is given."""
    hint = f"answer with A, B or a sentence of your own: sopforge answer {domain} {question.id} A"
    return {"where": DOMAIN, "evidence": _write_views(question), "hint": hint}


def show_fault(fault: Fault, then: str) -> Shown:
    """Return where a reading cannot be read, and what requested changes lead to."""
    hint = fault.hint or f"request changes to the schema so that SOPForge {then}"
    return {"where": fault.where, "evidence": "", "hint": hint}


def make_unfollowed_finding(answer: AnswerDocument) -> Finding:
    """Return that a model contradicts an answer."""
    return make_error_finding(
        "answer-not-followed",
        f"the model contradicts the answer to question {answer.question}",
        where=DOMAIN,
        evidence=answer.says,
        hint="change the rule that decides this case, so that the result matches the answer",
    )
