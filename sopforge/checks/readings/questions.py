"""What readers of a brief decide differently from its model, and what people answered to that."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from sopforge.authors.judging.judged import list_clause_questions, read_judged
from sopforge.checks.sources.accounts import find_account
from sopforge.errors import MaterialError
from sopforge.language.domain.documents.schema import AnswerDocument
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.reading import read_domain
from sopforge.proof.comparing.aligning.alignment import read_alignment
from sopforge.proof.comparing.aligning.matching import match_models
from sopforge.proof.comparing.asking.composing import BothSources
from sopforge.proof.comparing.asking.grounds import Sources, read_sources
from sopforge.proof.comparing.asking.questions import Question
from sopforge.proof.comparing.comparison import Comparison, compare_readings
from sopforge.workspace import ALIGNMENT, CLAUSES, DOMAIN, SECOND, Workspace, parse_model

_FIRST, _SECOND = 0, 1


def find_questions(workspace: Workspace) -> tuple[Question, ...]:
    """Return where readers of the brief and its model differ, answered or not."""
    return (*find_reading_questions(workspace), *find_clause_questions(workspace))


def find_reading_questions(workspace: Workspace) -> tuple[Question, ...]:
    """Return what the two readings of a workspace decide otherwise, answered or not.

    There is none where there is no second reading, or one that cannot be read.
    """
    try:
        found = compare_workspace(workspace)
    except MaterialError:
        return ()
    return found.questions if found else ()


def find_clause_questions(workspace: Workspace) -> tuple[Question, ...]:
    """Return the cases in which passages alone and the model differ, answered or not.

    There is none where no passage was judged, or what was judged cannot be read.
    """
    try:
        return judge_workspace(workspace)
    except MaterialError:
        return ()


def select_open(
    questions: Iterable[Question], answers: Sequence[AnswerDocument]
) -> tuple[Question, ...]:
    """Return the questions that nobody has answered."""
    return tuple(item for item in questions if not find_answer(item, answers))


def find_answer(question: Question, answers: Sequence[AnswerDocument]) -> AnswerDocument | None:
    """Return the last answer to a question, or to another one about the same case."""
    same = (item for item in reversed(answers) if _is_answered_by(question, item))
    return next(same, None)


def select_unfollowed(
    questions: Iterable[Question], answers: Sequence[AnswerDocument]
) -> tuple[AnswerDocument, ...]:
    """Return the answers by which a model still does not decide the cases of questions.

    They are those that took one of the two sides; of one in own words nobody knows it. Of several
    answers about one case the last one counts, as later additions do.
    """
    found = ((item, find_answer(item, answers)) for item in questions)
    unfollowed = (
        answer for item, answer in found if answer is not None and _takes(item, answer, {_SECOND})
    )
    return tuple(dict.fromkeys(unfollowed))


def are_followed(
    answers: Iterable[AnswerDocument],
    questions: Sequence[Question],
    given: Sequence[AnswerDocument],
) -> bool:
    """Return whether a model decides the cases of questions as answers say, as it is.

    They all take one of the two sides, and of all that were ``given`` to a question the last one
    takes the model's.
    """
    kept = [item for item in questions if _takes(item, find_answer(item, given), {_FIRST})]
    return all(
        any(
            _is_answered_by(item, answer) and _takes(item, answer, {_FIRST, _SECOND})
            for item in kept
        )
        for answer in answers
    )


def judge_workspace(workspace: Workspace) -> tuple[Question, ...]:
    """Return the cases in which passages alone and the model differ.

    What a second reading decides otherwise for the same cause is asked there, and not here, unless
    it was answered here.

    Raises:
        MaterialError: the model, or what was judged, has faults.
    """
    if CLAUSES not in workspace.files or DOMAIN not in workspace.files:
        return ()
    judged, account = read_judged(workspace.files[CLAUSES], CLAUSES), find_account(workspace)
    if account is None:
        return ()
    changed = [item.changed for item in find_reading_questions(workspace) if item.changed]
    asked = list_clause_questions(workspace.model, account, judged, changed)
    answers = workspace.brief.parts.answers
    return tuple(
        item
        for item in list_clause_questions(workspace.model, account, judged)
        if item in asked or find_answer(item, answers)
    )


def compare_workspace(workspace: Workspace) -> Comparison | None:
    """Return how the two readings of a workspace compare; None where there is but one.

    Raises:
        MaterialError: a reading or the alignment has faults.
    """
    files = workspace.files
    if SECOND not in files or DOMAIN not in files:
        return None
    return _compare_texts(files[DOMAIN], files[SECOND], files.get(ALIGNMENT, ""))


def _takes(question: Question, answer: AnswerDocument | None, sides: Container[int]) -> bool:
    return answer is not None and question.find_side(answer.case, answer.says) in sides


def _is_answered_by(question: Question, answer: AnswerDocument) -> bool:
    return question.id == answer.question or question.has_case(answer.case)


@lru_cache(maxsize=16)
def _compare_texts(domain: str, second: str, alignment: str) -> Comparison:
    """Return how two readings compare; it takes seconds, and is asked for again and again."""
    ours, theirs = parse_model(domain), read_domain(second, "second.yaml")
    given = read_alignment(alignment, "alignment.yaml", ours, theirs) if alignment else None
    sources = BothSources(_read_sources(domain), _read_sources(second))
    return compare_readings(ours, theirs, given or match_models(ours, theirs), sources)


def _read_sources(text: str) -> Sources:
    value = read_document(text, DOMAIN).value
    return read_sources(value.get("remarks")) if isinstance(value, dict) else {}
