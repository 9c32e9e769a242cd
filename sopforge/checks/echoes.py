"""Findings on a model without those that only follow from another one, the causes first.

What follows is found again, if it is still there, once its cause is corrected.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from sopforge.findings import Finding, Severity, has_errors
from sopforge.language.domain.documents.places import find_line
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.expressions.expressions import collect_read_fields
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.workspace import DOMAIN, Workspace

_OF_EDGES = frozenset({"edge-never-taken", "loop-bound-never-reached"})
_OF_SOUND_MODELS = frozenset(
    {"field-without-influence", "decision-without-influence", "policy-without-influence"}
)
"""What never matters is reported of sound models only: downstream of a fault nothing matters."""
_OF_TABLES = frozenset({"gap", "overlap", "disagreement"})
"""Cases for which a table has no result, or several: what reads it is not yet known."""
_CAUSES = frozenset(
    {
        *_OF_TABLES,
        *("constraints-contradict", "unreachable-step", "endless-loop"),
        *("field-not-revealed", "field-not-derived", "outcome-not-decided", "unreachable-rule"),
    }
)
"""What others often follow from."""


def sort_causes_first(workspace: Workspace, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings on a model by severity, causes before others, in the document's order."""
    kept = without_echoes(workspace.model, findings)
    document = read_document(workspace.files[DOMAIN], DOMAIN)
    ranks = list(Severity)

    def rank_finding(item: Finding) -> tuple[int, bool, int]:
        return ranks.index(item.severity), item.id not in _CAUSES, find_line(document, item.where)

    return sorted(kept, key=rank_finding)


def without_echoes(model: DomainModel, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings on a model without those that only follow from another one."""
    findings = list(findings)
    open_ = _collect_decided(model, findings, _OF_TABLES)
    later = _collect_later_decided(model, open_)
    decided = _collect_decided(model, findings, {"unreachable-rule"}) | open_ | later
    is_unsound = has_errors(findings) or any(item.id == "unreachable-rule" for item in findings)
    return [
        item
        for item in findings
        if not (is_unsound and item.id in _OF_SOUND_MODELS)
        and not (item.id in _OF_EDGES and _collect_edge_fields(model, item.where) & decided)
        and not (
            item.id == "unreachable-rule" and _list_targets(model, item.where) <= later - open_
        )
    ]


def _collect_decided(
    model: DomainModel, findings: Iterable[Finding], codes: Container[str]
) -> frozenset[str]:
    """Return the fields that the decisions of some findings give."""
    return frozenset().union(
        *(_list_targets(model, item.where) for item in findings if item.id in codes)
    )


def _list_targets(model: DomainModel, where: str) -> frozenset[str]:
    """Return the fields that the decision at a place gives."""
    name = where.partition(",")[0].removeprefix("decisions.")
    return frozenset(target for target, item in model.decisions.items() if name == item.name)


def _collect_later_decided(model: DomainModel, fields: frozenset[str]) -> frozenset[str]:
    """Return the fields that decisions work out from some fields, directly or not."""
    found = frozenset(
        target
        for target, item in model.decisions.items()
        if target not in fields and collect_decision_inputs(item) & fields
    )
    return found | _collect_later_decided(model, fields | found) if found else found


def _collect_edge_fields(model: DomainModel, where: str) -> frozenset[str]:
    """Return the fields that the condition of the edge at a place reads."""
    edges = [edge for step in model.steps.values() for edge in step.edges]
    found = (edge.when for edge in edges if where == f"procedure.edges.{edge.id}")
    return frozenset().union(*(collect_read_fields(when) for when in found if when is not None))
