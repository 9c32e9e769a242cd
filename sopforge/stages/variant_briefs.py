"""Variants of a brief: whole briefs with a model, a dataset and answers of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.complexity import more_branches, more_steps
from sopforge.complexity.model_patches import ModelOperator, merged
from sopforge.domain.documents import write_document
from sopforge.domain.reading import Brief, read_brief
from sopforge.domain.schema import VariantDocument, suggest
from sopforge.errors import Fault, MaterialError
from sopforge.findings import has_errors
from sopforge.workspace import DOMAIN, Workspace

OPERATORS: tuple[ModelOperator, ...] = (more_steps.OPERATOR, more_branches.OPERATOR)
TRIES = 12
"""So many patches of an operator are tried before it is said that none is sound."""


def variant_brief(brief: Brief, name: str) -> Brief:
    """Return a variant of a brief as a brief; its domain is ``<domain>_<name>``.

    Raises:
        MaterialError: there is no such variant, its patch has faults, or an operator finds no way
            to make it that the checks of the schema accept.
    """
    asked = brief.parts.complexity.variants.get(name)
    if asked is None:
        raise MaterialError(_unknown(brief, name))
    changed = _read(brief, name, _patched(brief, name, asked))
    for operator in OPERATORS:
        for number in range(getattr(asked, operator.name)):
            changed = _harder(changed, operator, f"{name}: {operator.name} {number + 1}")
    return changed


def _patched(brief: Brief, name: str, asked: VariantDocument) -> dict[str, Any]:
    whole: Any = brief.document.value
    complexity = {key: part for key, part in whole["complexity"].items() if key != "variants"}
    texts = {"title": asked.title, "business_task": asked.business_task}
    return {
        **whole,
        "domain": f"{brief.parts.domain}_{name}",
        **{key: text for key, text in texts.items() if text is not None},
        "model": merged(whole["model"], whole["complexity"]["variants"][name].get("patch", {})),
        "complexity": complexity,
    }


def _harder(brief: Brief, operator: ModelOperator, where: str) -> Brief:
    """Return the brief with the first patch of an operator that the schema's checks accept."""
    for number, candidate in enumerate(_candidates(brief, operator)):
        if number == TRIES:
            break
        if not has_errors(_findings(candidate)):
            return candidate
    message = f"no place was found for {operator.name} at which every case is still decided"
    hint = "ask for fewer, or write what you want as a patch"
    raise MaterialError(Fault("variant-not-possible", message, where, hint))


def _candidates(brief: Brief, operator: ModelOperator) -> Iterator[Brief]:
    whole: Any = brief.document.value
    for patch in operator.patches(whole["model"], brief.model, brief.parts.dataset.seed):
        changed = {**whole, "model": merged(whole["model"], patch)}
        yield _read(brief, operator.name, changed)


def _findings(brief: Brief) -> list[Any]:
    domain = OfflineAuthor().write_domain(brief)
    return examine("schema", Workspace(brief, {DOMAIN: domain}))


def _read(brief: Brief, name: str, whole: dict[str, Any]) -> Brief:
    return read_brief(write_document(whole), f"{brief.document.source}, {name}", brief.draft)


def _unknown(brief: Brief, name: str) -> Fault:
    known = list(brief.parts.complexity.variants)
    hint = suggest(name, known) or f"variants are {', '.join(known) or 'none yet'}"
    where = brief.document.where(("complexity",))
    return Fault("unknown-variant", f"the brief has no variant '{name}'", where, hint)
