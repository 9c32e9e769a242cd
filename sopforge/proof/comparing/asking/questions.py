"""Questions that an expert of the trade can answer: a case, what each reading decides, and why."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.language.english.nouns import conjugate_be, join_items

Row: TypeAlias = Mapping[str, Value | None]
DIFFERENCE, FACT = "difference", "fact"
NOTHING = "no value"
"""What is said of an outcome that a case does not come to."""
_DENIAL = 'not "'
_ID_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a case as the SOP shows it; ``clause`` says the same in a sentence.

    By its ``key`` facts the two readings part.
    """

    label: str
    value: str
    clause: str = ""
    is_key: bool = False

    def phrase(self) -> str:
        """Return the fact as it stands in a sentence."""
        return self.clause or f"the {self.label} is {self.value}"

    def as_record(self) -> dict[str, str | bool]:
        """Return it as it is printed for programs."""
        return {"label": self.label, "value": self.value, "is_key": self.is_key}


@dataclass(frozen=True, slots=True)
class View:
    """What one reading decides on a case: the outcomes that differ, why, and what that rests on.

    ``items`` are the names of what decided in its model, for programs.
    """

    decides: Mapping[str, str]
    because: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    items: tuple[str, ...] = ()

    def as_record(self) -> dict[str, object]:
        """Return it as it is printed for programs."""
        return {
            "decides": dict(self.decides),
            "because": list(self.because),
            "sources": list(self.sources),
            "items": list(self.items),
        }


@dataclass(frozen=True, slots=True)
class Question:
    """One difference of two readings, as a question about one case.

    The case has the facts that the first of the outcomes takes; the others are named beside it.
    ``cases`` counts the drawn cases that turn on it, of ``drawn``. Where only one reading asks for
    a fact, ``matter`` says which. ``rows`` is the whole case as each reading holds it, and
    ``changed`` the first model with the thing that differs read as the second one reads it, where
    that is known.
    """

    case: tuple[Fact, ...]
    first: View
    second: View
    cases: int
    drawn: int
    kind: str = DIFFERENCE
    matter: str = ""
    rows: tuple[Row, Row] = field(default=({}, {}), repr=False, compare=False)
    changed: DomainModel | None = field(default=None, repr=False, compare=False)
    id: str = field(init=False, default="")

    def __post_init__(self) -> None:
        content = [
            self.kind,
            self.matter,
            [[fact.label, fact.value] for fact in self.case],
            [[sorted(view.decides.items()), view.because] for view in (self.first, self.second)],
        ]
        digest = hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()
        object.__setattr__(self, "id", f"q-{digest[:_ID_LENGTH]}")

    @property
    def share(self) -> float:
        """The share of the drawn cases that turn on it."""
        return self.cases / self.drawn if self.drawn else 0.0

    @property
    def text(self) -> str:
        """The question as a person is asked it."""
        return f"{self.heading} {self.describe_case()}"

    @property
    def heading(self) -> str:
        """What is asked, without the case."""
        if self.kind == FACT:
            return f"Does it matter {self.matter}?"
        return "What is right in this case?"

    def describe_case(self) -> str:
        """Return the case in one sentence."""
        if not self.case:
            return "In every case alike."
        first = [fact.phrase() for fact in self.case if fact.is_key]
        others = [fact.phrase() for fact in self.case if not fact.is_key]
        if not first or not others:
            return f"{_capitalize(join_items(first or others))}."
        return f"{_capitalize(join_items(first))}. Besides, {join_items(others)}."

    @property
    def plain_case(self) -> str:
        """The facts of the case in one sentence, in the order in which answers have them."""
        facts = [fact.phrase() for fact in self.case]
        return f"{_capitalize(join_items(facts))}." if facts else self.describe_case()

    def has_case(self, words: str) -> bool:
        """Return whether the plain case of a question has the same facts, in whatever order."""
        said, facts = words.casefold(), [fact.phrase().casefold() for fact in self.case]
        is_whole = len(words) == len(self.plain_case)
        return words == self.plain_case or (
            bool(facts) and is_whole and all(fact in said for fact in facts)
        )

    @property
    def offered(self) -> tuple[str, str]:
        """A sentence for each of the two answers, such as a brief can be added to by."""
        case = join_items([fact.phrase() for fact in self.case])
        return self._write_answer(self.first, case), self._write_answer(self.second, case)

    def find_side(self, case: str, says: str) -> int | None:
        """Return which of the two answers a sentence is, given the same case in other words.

        0 is the first, 1 the second; None is neither.
        """
        words = case.removesuffix(".") if self.case else ""
        offered = [self._write_answer(view, words) for view in (self.first, self.second)]
        known = [sentence.casefold() for sentence in offered]
        return known.index(says.casefold()) if says.casefold() in known else None

    def _write_answer(self, view: View, case: str) -> str:
        label, value = next(iter(view.decides.items()))
        shown = value if value.startswith(_DENIAL) else f'"{value}"'
        end = f"the {label} {conjugate_be(label)} {shown}"
        if value == NOTHING:
            end = f"the {label} {'have' if conjugate_be(label) == 'are' else 'has'} no value"
        return f"If {case}, {end}." if case else f"In every case {end}."

    def as_record(self) -> dict[str, object]:
        """Return it as it is printed for programs."""
        return {
            "id": self.id,
            "kind": self.kind,
            "question": self.text,
            "case": [fact.as_record() for fact in self.case],
            "readings": [self.first.as_record(), self.second.as_record()],
            "offered": list(self.offered),
            "cases": self.cases,
            "share": round(self.share, 4),
        }


def write_denial(value: str) -> str:
    """Return what is said of an outcome that has any other value than this one.

    >>> write_denial("declined")
    'not "declined"'
    """
    return f'{_DENIAL}{value}"'


def sort_questions(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return questions with the one first that most cases turn on, each once."""
    once = {question.id: question for question in questions}
    return tuple(sorted(once.values(), key=lambda question: (-question.cases, question.id)))


def _capitalize(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
