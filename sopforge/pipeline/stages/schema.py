"""Schema: the brief's facts become the domain model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import Workspace


def _iterate_names(value: object) -> Iterator[str]:
    """Yield the names within a value in their order, which a digest of it leaves out."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield str(name)
            yield from _iterate_names(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _iterate_names(part)


def _select_account(brief: Brief) -> list[object]:
    """Return where a stated model comes from, and the prose that it is compared with."""
    parts = brief.parts
    if not parts.remarks.sources:
        return []
    prose = [parts.task_context, brief.draft, list(parts.context)]
    return [parts.remarks.model_dump(mode="json"), prose]


def _select_answers(brief: Brief) -> list[object]:
    """Return what questions were answered; nothing where there is no answer, as in earlier keys."""
    answers = [answer.model_dump() for answer in brief.parts.answers]
    return [{"answers": answers}] if answers else []


class SchemaStage:
    """Writes ``domain.yaml``, which all later stages read."""

    name = "schema"
    revision = 8
    needs = ()

    def select_brief_part(self, brief: Brief) -> object:
        parts = brief.parts
        # Fields, constants and rules come in their order wherever they are written or drawn.
        order = list(_iterate_names(brief.facts))
        facts = [parts.domain, parts.title, parts.business_task, brief.facts, order]
        # Left out where there is none, as in the keys of versions that were made without any.
        if parts.outcomes:
            facts.append({name: item.model_dump() for name, item in parts.outcomes.items()})
        if brief.built is not None:
            return [*facts, *_select_account(brief), *_select_answers(brief)]
        from sopforge.proof.dataset.sampling.placing import count_wanted_keys

        prose = [parts.task_context, brief.draft, parts.guidelines, list(parts.context)]
        keys = count_wanted_keys(parts.dataset.n_samples)
        return [*facts, *prose, keys, *_select_answers(brief)]

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        domain = author.write_domain(workspace.brief)
        return {"domain.yaml": domain, **author.write_second_reading(workspace.brief, domain)}
