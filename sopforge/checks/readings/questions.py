"""What a second reading of a brief decides otherwise, and what people answered to that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sopforge.comparing.aligning.alignment import read_alignment
from sopforge.comparing.aligning.matching import match_models
from sopforge.comparing.asking.composing import BothSources
from sopforge.comparing.asking.grounds import Sources, read_sources
from sopforge.comparing.asking.questions import Question
from sopforge.comparing.comparison import Comparison, compare_readings
from sopforge.domain.documents.schema import AnswerDocument
from sopforge.domain.documents.yaml_documents import read_document
from sopforge.domain.reading import read_domain
from sopforge.errors import MaterialError
from sopforge.workspace import ALIGNMENT, DOMAIN, SECOND, Workspace, parse_model

_SECOND = 1


def find_questions(workspace: Workspace) -> tuple[Question, ...]:
    """Return what the two readings of a workspace decide otherwise, answered or not.

    There is none where there is no second reading, or one that cannot be read.
    """
    try:
        found = compare_workspace(workspace)
    except MaterialError:
        return ()
    return found.questions if found else ()


def find_open_questions(workspace: Workspace) -> tuple[Question, ...]:
    """Return what the two readings of a workspace decide otherwise and nobody has answered."""
    answers = workspace.brief.parts.answers
    return tuple(item for item in find_questions(workspace) if not find_answer(item, answers))


def find_answer(question: Question, answers: Sequence[AnswerDocument]) -> AnswerDocument | None:
    """Return the last answer to a question, or to another one about the same case."""
    same = (item for item in reversed(answers) if _is_answered_by(question, item))
    return next(same, None)


def find_unfollowed_answers(workspace: Workspace) -> tuple[AnswerDocument, ...]:
    """Return the answers by which the model still does not decide the cases they are about.

    They are those that took one of the two sides; of one in own words nobody knows it.
    """
    return tuple(dict.fromkeys(_iterate_unfollowed(workspace)))


def compare_workspace(workspace: Workspace) -> Comparison | None:
    """Return how the two readings of a workspace compare; None where there is but one.

    Raises:
        MaterialError: a reading or the alignment has faults.
    """
    files = workspace.files
    if SECOND not in files or DOMAIN not in files:
        return None
    return _compare_texts(files[DOMAIN], files[SECOND], files.get(ALIGNMENT, ""))


def _iterate_unfollowed(workspace: Workspace) -> Iterator[AnswerDocument]:
    answers = workspace.brief.parts.answers
    for question in find_questions(workspace) if answers else ():
        # Of several answers about one case the last one counts, as later additions do.
        answer = find_answer(question, answers)
        if answer is not None and question.find_side(answer.case, answer.says) == _SECOND:
            yield answer


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
