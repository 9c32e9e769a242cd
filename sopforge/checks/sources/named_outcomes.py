"""Findings about outcomes, their labels and words for no value, beside those of the brief."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.documents.schema import NamedOutcomeDocument
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import EnumType, SetType
from sopforge.morphology import list_stems
from sopforge.workspace import Workspace


def iterate_outcome_findings(workspace: Workspace) -> Iterator[Finding]:
    """Yield where outcomes, labels and words for no value are others than the brief names."""
    named, model = workspace.brief.parts.outcomes, workspace.model
    found: dict[str, Field] = {}
    for name, asked in named.items():
        item = _find_outcome(name, model)
        if item is None:
            listed = ", ".join(f"'{outcome.label}'" for outcome in model.outcomes)
            yield make_error_finding(
                "outcome-not-in-model",
                f"the brief names the outcome '{name}', but the model has no outcome with this"
                " name",
                where=f"outcomes.{name}",
                evidence=f"outcomes of the model: {listed}",
                hint="give one of the outcomes this name or label",
            )
            continue
        found[item.name] = item
        yield from _compare_outcome(name, asked, item)
    for item in model.outcomes:
        if named and item.name not in found:
            yield make_error_finding(
                "outcome-not-in-brief",
                f"the model has the outcome '{item.label}', which the brief does not name",
                where=item.place,
                hint="remove the outcome from the model, or name it under 'outcomes' in the brief",
            )


def _find_outcome(name: str, model: DomainModel) -> Field | None:
    """Return the outcome that is called so, by its name, its label, or the words of these."""
    stems = {*list_stems(name)}
    by_name = [item for item in model.outcomes if name in (item.name, item.label)]
    by_words = [
        item
        for item in model.outcomes
        if stems in ({*list_stems(item.label)}, {*list_stems(item.name)})
    ]
    return next(iter([*by_name, *by_words]), None)


def _compare_outcome(name: str, asked: NamedOutcomeDocument, item: Field) -> Iterator[Finding]:
    where = f"outcomes.{name}"
    held = item.type.values if isinstance(item.type, EnumType | SetType) else ()
    if asked.labels is not None and set(asked.labels) != set(held):
        lacking = [f"'{label}'" for label in asked.labels if label not in held]
        further = [f"'{label}'" for label in held if label not in asked.labels]
        parts = [f"the model lacks {', '.join(lacking)}"] if lacking else []
        parts += [f"the model adds {', '.join(further)}"] if further else []
        yield make_error_finding(
            "outcome-labels-differ",
            f"the labels of '{name}' differ: {'; '.join(parts)}",
            where=where,
            hint="give the outcome exactly the labels that the brief lists",
        )
    word = item.missing or getattr(item.type, "empty", "")
    if asked.none is not None and asked.none != word:
        yield make_error_finding(
            "outcome-word-differs",
            f"for a missing '{name}' the brief says '{asked.none}', but the model "
            + (f"'{word}'" if word else "has no word for it"),
            where=where,
            hint="set 'missing' of the outcome to the word in the brief",
        )
    if asked.primary and not item.primary:
        yield make_error_finding(
            "outcome-not-primary",
            f"'{name}' is the primary outcome in the brief but not in the model",
            where=where,
            hint="write 'primary: true' at this outcome only",
        )
