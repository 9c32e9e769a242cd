"""What a model author would be asked: its questions are put together, counted, and not sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sopforge.prompts.templates import load_template
from sopforge.providers.budget import estimate_prompt

BYTES_PER_TOKEN = 3
TOKENS_PER_ITEM = 60


@dataclass(frozen=True, slots=True)
class Question:
    """A question that would be asked, with its size in tokens, estimated from above."""

    stage: str
    template: str
    prompt: int
    answer: int


@dataclass(slots=True)
class Estimating:
    """Stands in for a model: answers what is derived, and keeps how long question and answer are.

    An answer is taken to be as long as the material that it words anew, or as so many things are.
    """

    model: str
    questions: list[Question] = field(default_factory=list)
    identity: str = "nobody"

    def version(self, template: str) -> str:
        return load_template(template).digest

    def ask(self, template: str, values: Mapping[str, object], *, stage: str) -> Mapping[str, Any]:
        request = load_template(template).request(values, model=self.model)
        answer, material = _PLAIN[template]
        size = sum(_tokens(values[name]) for name in material.split())
        self.questions.append(Question(stage, template, estimate_prompt(request), size))
        return answer


def _tokens(value: object) -> int:
    """Return how long an answer to a value is: a number is one of things to be written."""
    if isinstance(value, int):
        return value * TOKENS_PER_ITEM
    return len(str(value).encode()) // BYTES_PER_TOKEN


# What is answered where nothing is worded, and which of the values would be.
_PLAIN: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "sop_section": ({"insertions": [], "rewordings": []}, "lines"),
    "api_texts": ({"description": "", "tools": [], "fields": []}, "document"),
    "toolspec_texts": ({"tools": []}, "document"),
    "tool_code": ({"module": ""}, "api"),
    "complexity_reminders": ({"lead_ins": []}, "lead_ins"),
    "complexity_alternatives": ({"twins": [], "earlier": []}, "twins earlier"),
    "complexity_tangents": ({"tangents": []}, "tangents"),
    "complexity_services": ({"services": []}, "services"),
    "complexity_details": (
        {"form_details": [], "record_details": []},
        "form_details record_details",
    ),
}
