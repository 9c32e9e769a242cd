"""What free texts presuppose, as conditions on every row: no record denies a text that it holds.

Samplers draw by them, and whoever changes a row later, or searches for one, has to keep them.
"""

from __future__ import annotations

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Presence,
    Read,
    Relation,
    collect_read_fields,
    iterate_parts,
)
from sopforge.language.domain.fields import ConditionalText, Field
from sopforge.language.domain.model import DomainModel


def build_text_facts(model: DomainModel) -> tuple[Expression, ...]:
    """Return for each text that presupposes something that it does not stand, or that holds."""
    return tuple(
        _build_text_fact(model, item, text)
        for item in model.fields.values()
        for text in item.sampling.texts
    )


def _build_text_fact(model: DomainModel, item: Field, text: ConditionalText) -> Expression:
    other = Compare(Relation.NE, Read(item.type, item.name), Constant(item.type, text.text))
    return AnyOf((other, require_values(model, text.when)))


def require_values(model: DomainModel, when: Expression) -> Expression:
    """Return a condition that holds only where there is all that it reads."""
    # What is missing is read as 0, which no text means.
    needed = tuple(Presence(name) for name in _list_needed(model, when))
    return AllOf((*needed, when)) if needed else when


def _list_needed(model: DomainModel, when: Expression) -> list[str]:
    """Return the fields that may be missing, and the records that a case may lack, that are read.

    What a condition tests for itself is not among them.
    """
    tested = {node.field for node in iterate_parts(when) if isinstance(node, Presence)}
    read = sorted(collect_read_fields(when) - tested)
    owners = [model.find_owner(name) for name in read]
    records = [
        entity.name for entity in model.references if entity in owners and model.may_lack(entity)
    ]
    return [*records, *(name for name in read if model.fields[name].missing)]
