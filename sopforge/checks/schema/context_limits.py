"""Schema: prose of the brief has no figure that the model does not have.

A draft is compared at the SOP, which leaves out such sentences. The context of a brief without a
model is compared with the account of the model that was written from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.artifacts.rendering.sop.draft import collect_figures, find_other_figures
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.values.types import NumberType
from sopforge.language.english.prose.binding import split_sentences
from sopforge.workspace import DOMAIN, Workspace


class ContextLimits:
    """Prose of the brief has no figure that the model does not have."""

    name = "context-limits"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        figures = collect_figures(workspace.model)
        return [
            make_warning_finding(
                "context-contradicts-limit",
                f"a sentence of the brief has a figure that the model does not have: {found}",
                where=place,
                evidence=sentence,
                hint="correct the number in this sentence, or correct the model if the sentence is"
                " right",
            )
            for place, text, case in _iterate_prose(workspace)
            for sentence in split_sentences(text)
            if (found := ", ".join(_find_figures(sentence, figures, case)))
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Let the business task name a limit that is ten times the model's."""
        meaning, unit, value = next(
            (item.meaning, item.constant.type.unit, item.constant.value)
            for item in workspace.model.policy.values()
            if isinstance(item.constant.type, NumberType) and item.constant.type.unit
        )

        def exaggerate(document: Parsed) -> None:
            document["business_task"] += f" As a rule, {meaning} are {value}7 {unit}."

        return edit_yaml(workspace, DOMAIN, exaggerate)


def _find_figures(sentence: str, figures: frozenset[str], case: str) -> list[str]:
    """Return the figures of a sentence that neither the model nor the case asked about has."""
    of_case = find_other_figures(case, figures)
    return [x for x in find_other_figures(sentence, figures) if x not in of_case]


def _iterate_prose(workspace: Workspace) -> Iterator[tuple[str, str, str]]:
    """Return what the brief says in prose, with its place, and the case that it answers for."""
    brief = workspace.brief
    yield "business_task", workspace.model.business_task, ""
    if brief.parts.model is not None:
        yield "task_context", brief.parts.task_context, ""
    yield "guidelines", brief.parts.guidelines, ""
    yield from ((f"context.{place}", text, "") for place, text in enumerate(brief.parts.context))
    for place, answer in enumerate(brief.parts.answers):
        yield f"answers.{place}.says", answer.says, answer.case


CHECK = ContextLimits()
