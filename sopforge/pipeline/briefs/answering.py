"""Answers to questions that readers of a brief have raised, as additions to the kept brief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sopforge.checks.readings.questions import find_answer, find_questions
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.documents.schema import AnswerDocument
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.values.unseen import refuse_unseen
from sopforge.pipeline.briefs.brief_files import keep_changed, load_latest_brief
from sopforge.proof.comparing.asking.questions import Question
from sopforge.store.course import find_current_version
from sopforge.store.versions import DomainStore, Version
from sopforge.workspace import Workspace, name_stage_files

SIDES = ("A", "B")
"""What the two answers are called that a question offers."""
LONGEST = 2_000
STAGE = "schema"


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a domain's schema, the answered ones too, so that numbers stay as they are.

    ``answers`` are those that the kept brief holds, of earlier questions too.
    """

    domain: str
    version: int
    questions: tuple[Question, ...]
    answers: tuple[AnswerDocument, ...]

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that nobody has answered."""
        return tuple(item for item in self.questions if not find_answer(item, self.answers))

    @property
    def numbered(self) -> dict[str, Question]:
        """The questions by their numbers."""
        return {str(number): item for number, item in enumerate(self.questions, start=1)}

    def get_question(self, named: str) -> Question:
        """Return the question of an id or a number.

        Raises:
            MaterialError: there is none.
        """
        found = {**self.numbered, **{item.id: item for item in self.questions}}.get(named)
        if found is None:
            message = f"'{self.domain}' has no question '{named}'"
            listed = ", ".join(f"{number} ({item.id})" for number, item in self.numbered.items())
            hint = f"its questions are {listed}" if listed else "its readers raise no question"
            raise MaterialError(Fault("unknown-question", message, self.domain, hint))
        return found


def load_questions(domain: DomainStore, brief: Brief) -> Asked:
    """Return the questions of the schema that counts, with the answers of a brief.

    Raises:
        MaterialError: no schema was made yet.
    """
    version = find_current_version(domain, STAGE)
    if version is None:
        message, hint = (
            f"'{domain}' has no schema yet",
            f"make it with: sopforge continue {domain}",
        )
        raise MaterialError(Fault("unknown-stage", message, domain.place, hint))
    return collect_questions(brief, version)


def collect_questions(brief: Brief, version: Version) -> Asked:
    """Return the questions of a version of a schema, with the answers of a brief."""
    workspace = Workspace(brief, name_stage_files(STAGE, version.files))
    found = find_questions(workspace)
    return Asked(brief.parts.domain, version.number, found, brief.parts.answers)


def keep_answers(domain: DomainStore, answers: Sequence[tuple[Question, str]]) -> Brief:
    """Keep a domain's newest brief with further answers, all of them or none, and return it."""
    return keep_changed(domain, lambda: answer_questions(load_latest_brief(domain), answers))


def choose_words(question: Question, answer: str) -> str:
    """Return the sentence of an answer: one of the two that are offered, or one's own.

    Raises:
        MaterialError: it is blank or too long, or has characters that nobody sees.
    """
    refuse_unseen(answer, "the answer")
    said = " ".join(answer.split())
    if said.upper() in SIDES:
        return question.offered[SIDES.index(said.upper())]
    if not said or len(said) > LONGEST:
        message = "the answer is blank" if not said else f"the answer has {len(said):,} characters"
        hint = (
            f"answer with A, with B, or with one sentence of at most {LONGEST:,} characters"
            " that says what is right"
        )
        raise MaterialError(Fault("answer-not-usable", message, question.id, hint))
    return said


def answer_questions(brief: Brief, answers: Sequence[tuple[Question, str]]) -> Brief:
    """Return a brief with further answers, each a question and a sentence.

    The same answer twice is one.
    """
    earlier = brief.parts.answers
    added = [
        {"question": question.id, "case": question.plain_case, "says": says}
        for question, says in answers
        if (last := find_answer(question, earlier)) is None or last.says != says
    ]
    whole: Any = brief.document.value
    return _with_answers(brief, whole, added) if added else brief


def _with_answers(
    brief: Brief, whole: Mapping[str, Any], added: Sequence[Mapping[str, str]]
) -> Brief:
    changed = {**whole, "answers": [*whole.get("answers", ()), *added]}
    return read_brief(change_document(brief.text, changed), brief.document.source, brief.draft)
