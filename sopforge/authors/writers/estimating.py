"""What a model author would be asked: its questions are put together, counted, and not sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sopforge.authors.providers.budget import estimate_prompt
from sopforge.authors.providers.completion import Request
from sopforge.authors.writers.asking import Asking
from sopforge.authors.writers.writing.rows import estimate_row

# English has about four bytes a token, and code has fewer: estimated from above.
BYTES_PER_TOKEN = 3
TOKENS_PER_ITEM = 60


@dataclass(frozen=True, slots=True)
class Question:
    """A question that would be asked, with its size in tokens, estimated from above.

    One that ``is_on_record`` costs nothing. One of a ``repair`` is asked if the checks find errors.
    One ``to_second`` is for the second reader, who may be another model.
    """

    stage: str
    template: str
    prompt: int
    answer: int
    is_on_record: bool = False
    repair: int = 0
    to_second: bool = False


@dataclass(slots=True)
class Estimating:
    """Stands in for a model: keeps how long question and answer are, and answers what is derived.

    An answer on record is given as it is, for what is asked next may depend on it. Any other is
    taken to be as long as the material that it words anew, or as so many things are.
    """

    asking: Asking
    to_second: bool = False
    questions: list[Question] = field(default_factory=list)

    concurrency = 1

    @property
    def identity(self) -> str:
        return self.asking.identity

    def compute_template_digest(self, template: str) -> str:
        return self.asking.compute_template_digest(template)

    def find_recorded_answer(
        self, template: str, values: Mapping[str, object]
    ) -> tuple[Request, Mapping[str, Any] | None]:
        return self.asking.find_recorded_answer(template, values)

    def ask(
        self, template: str, values: Mapping[str, object], *, stage: str, repair: int = 0
    ) -> Mapping[str, Any]:
        request, found = self.find_recorded_answer(template, values)
        plain, material = _PLAIN[template]
        size = sum(_estimate_tokens(values[name]) for name in material.split())
        if template == "dataset_rows":
            size = estimate_row(values) * _count_cases(values)
        prompt, is_on_record = estimate_prompt(request), found is not None
        parts = (stage, template, prompt, size, is_on_record, repair, self.to_second)
        self.questions.append(Question(*parts))
        return plain if found is None else found


def _estimate_tokens(value: object) -> int:
    """Return how long an answer to a value is: a number is one of things to be written."""
    if isinstance(value, int):
        return value * TOKENS_PER_ITEM
    return len(str(value).encode()) // BYTES_PER_TOKEN


def _count_cases(values: Mapping[str, Any]) -> int:
    return sum(path["cases"] for path in values["paths"])


# What is answered where nothing is worded, and which of the values would be.
_PLAIN: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "sop_section": ({"sections": []}, "sections"),
    "dataset_rows": ({"paths": []}, ""),
    "api_texts": ({"summaries": []}, "tools"),
    "toolspec_texts": ({"summaries": []}, "tools"),
    "tool_code": ({"module": ""}, "api"),
    "trade_names": ({"roles": [], "systems": [], "papers": []}, "roles systems papers"),
    "second_reading": ({"model": "", "sources": []}, "draft"),
    "align_readings": ({"fields": [], "outcomes": [], "lacking": []}, "second"),
    "clause_judge": ({"cases": []}, "passages"),
    "repair_findings": ({"replacements": [], "document": "", "not_applied": []}, "document"),
}
