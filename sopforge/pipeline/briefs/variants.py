"""Variants of a brief: whole briefs with a model, a dataset and answers of their own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sopforge.artifacts.complexity.misreadings import OPERATORS, measure_misreading
from sopforge.artifacts.complexity.model_patches import (
    DeepeningOperator,
    ModelOperator,
    merge_patch,
)
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, Severity, has_errors
from sopforge.language.domain.documents.schema import VariantDocument, suggest
from sopforge.language.domain.documents.yaml_documents import write_document
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.patches import Patch, parse_patch, relocate_faults
from sopforge.workspace import DOMAIN, Workspace

TRIES = 12
"""So many patches of an operator are tried before it is said that none is sound."""
COMPARED = 16
"""Of so many patches, those come first whose misreading shows often enough."""
SHOWN_OFTEN = 45
"""In so many percent of drawn cases."""


def build_variant_brief(brief: Brief, name: str, folder: Path = Path()) -> Brief:
    """Return a variant of a brief as a brief; its domain is ``<domain>_<name>``.

    A patch in a file is looked for from ``folder``; the variant holds what is in it.

    Raises:
        MaterialError: there is no such variant, its patch has faults, or an operator cannot make
            it so that the checks of the schema accept it.
    """
    asked = brief.parts.complexity.variants.get(name)
    if asked is None:
        raise MaterialError(_make_unknown_fault(brief, name))
    changed = _patch_brief(brief, name, asked, parse_patch(brief, name, folder))
    for operator in OPERATORS:
        for number in range(getattr(asked, operator.name)):
            changed = _apply_operator(changed, operator, f"{name}: {operator.name} {number + 1}")
    return changed


def _patch_brief(brief: Brief, name: str, asked: VariantDocument, patch: Patch) -> Brief:
    whole: Any = brief.document.value
    complexity = {key: part for key, part in whole["complexity"].items() if key != "variants"}
    texts = {"title": asked.title, "business_task": asked.business_task}
    changed = {
        **whole,
        "domain": f"{brief.parts.domain}_{name}",
        **{key: text for key, text in texts.items() if text is not None},
        "model": merge_patch(whole["model"], patch.parts),
        "complexity": complexity,
    }
    try:
        return _read(brief, name, changed)
    except MaterialError as refused:
        source = _name_source(brief, name)
        raise MaterialError(
            *relocate_faults(refused.faults, source, brief, patch, f"variant '{name}'")
        ) from refused


def _apply_operator(brief: Brief, operator: ModelOperator, where: str) -> Brief:
    """Return the brief with the first patch of an operator that the schema's checks accept."""
    reasons: list[str] = []
    for candidate in islice(_order_candidates(brief, operator), TRIES):
        findings = _check_schema(candidate)
        if not has_errors(findings):
            return candidate
        reasons += [item.message for item in findings if item.severity is Severity.ERROR][:1]
    reason = "the procedure has no rule or step left that it could change"
    if reasons:
        reason = f"{len(reasons)} places were tried; at the first, {reasons[0]}"
    message = f"{operator.name} found no place where every case is still decided: "
    hint = "lower the number in the brief, or write the change as a patch"
    raise MaterialError(Fault("variant-not-possible", message + reason, where, hint))


def _order_candidates(brief: Brief, operator: ModelOperator) -> Iterator[Brief]:
    """Return the candidates in their keyed order, those first that are misread often enough."""
    candidates = _iterate_candidates(brief, operator)
    if not isinstance(operator, DeepeningOperator):
        yield from candidates
        return
    seed = brief.parts.dataset.seed
    first = list(islice(candidates, COMPARED))
    shown = [min(measure_misreading(item.model, operator, seed), SHOWN_OFTEN) for item in first]
    yield from (first[place] for place in sorted(range(len(first)), key=lambda n: (-shown[n], n)))
    yield from candidates


def _iterate_candidates(brief: Brief, operator: ModelOperator) -> Iterator[Brief]:
    whole: Any = brief.document.value
    for patch in operator.propose_patches(whole["model"], brief.model, brief.parts.dataset.seed):
        changed = {**whole, "model": merge_patch(whole["model"], patch)}
        yield _read(brief, operator.name, changed)


def _check_schema(brief: Brief) -> list[Finding]:
    domain = OfflineAuthor().write_domain(brief)
    return examine("schema", Workspace(brief, {DOMAIN: domain}))


def _read(brief: Brief, name: str, whole: dict[str, Any]) -> Brief:
    return read_brief(write_document(whole), _name_source(brief, name), brief.draft)


def _name_source(brief: Brief, name: str) -> str:
    return f"{brief.document.source}, {name}"


def _make_unknown_fault(brief: Brief, name: str) -> Fault:
    known = list(brief.parts.complexity.variants)
    hint = suggest(name, known) or f"the variants are {', '.join(known) or 'none yet'}"
    where = brief.document.locate_part(("complexity",))
    return Fault("unknown-variant", f"the brief has no variant '{name}'", where, hint)
