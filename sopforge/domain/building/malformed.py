"""Malformed inputs: nothing reads a text that may be another than the one that was meant."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.building.gathering import Gathering
from sopforge.domain.documents import Path
from sopforge.domain.expressions import Expression, Read, parts
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import decision_expressions


def check_malformed_reads(gathering: Gathering, model: DomainModel) -> None:
    """Add faults for rules and edges that read the text of an input that may be malformed.

    A tool refuses such a text before its guard sees it; the agent itself would read it.
    """
    names = {item.name for item in model.malformable}
    for path, expression in _read_by_the_agent(model) if names else ():
        read = {node.field for node in parts(expression) if isinstance(node, Read)}
        for name in sorted(read & names):
            message = f"'{name}' may be malformed, and its text is read here"
            hint = "compare it in the guard of a tool, or drop 'malformed' from the field"
            gathering.fault(path, "malformed-read", message, hint)


def _read_by_the_agent(model: DomainModel) -> Iterator[tuple[Path, Expression]]:
    for name, decision in model.decisions.items():
        for expression in decision_expressions(decision):
            yield ("decisions", name), expression
    for step in model.steps.values():
        for number, edge in enumerate(step.edges):
            if edge.when is not None:
                yield ("procedure", "steps", step.id, "edges", number, "when"), edge.when
