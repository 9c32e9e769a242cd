"""What a model author would be asked: its questions are put together, counted, and not sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sopforge.prompts.templates import load_template
from sopforge.providers.budget import estimate_prompt

BYTES_PER_TOKEN = 3


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

    An answer is taken to be as long as the material that it words anew.
    """

    model: str
    questions: list[Question] = field(default_factory=list)
    identity: str = "nobody"

    def version(self, template: str) -> str:
        return load_template(template).digest

    def ask(self, template: str, values: Mapping[str, object], *, stage: str) -> Mapping[str, Any]:
        request = load_template(template).request(values, model=self.model)
        answer, material = _PLAIN[template]
        size = len(str(values[material]).encode()) // BYTES_PER_TOKEN
        self.questions.append(Question(stage, template, estimate_prompt(request), size))
        return answer


# What is answered where nothing is worded, and which of the values would be.
_PLAIN: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "sop_section": ({"insertions": [], "rewordings": []}, "lines"),
    "dataset_rows": ({"rows": []}, "fields"),
    "api_texts": ({"description": "", "tools": [], "fields": []}, "document"),
    "toolspec_texts": ({"tools": []}, "document"),
    "tool_code": ({"module": ""}, "api"),
}
