"""Facts and answers that two readings call the same; of all others somebody has to say it.

Whatever two readings decide has no part in it: labels that one of them mixed up must not be matched
as it mixed them up.
"""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.parsing import ExpressionError
from sopforge.language.domain.values.types import EnumType, ListType, NumberType
from sopforge.proof.comparing.aligning.alignment import (
    FIELD,
    AlignedField,
    AlignedOutcome,
    Alignment,
    find_open,
    is_comparable,
    list_cells,
    parse_aligned,
)
from sopforge.proof.comparing.aligning.needed import list_answer_fields


def match_models(
    ours: DomainModel, theirs: DomainModel, given: Alignment | None = None
) -> Alignment:
    """Return the alignment of two models; what is ``given`` prevails, what stays open is named.

    Matched are fields and outcomes of the same name or label, regardless of case, if their types,
    units and labels are the same.
    """
    known = given or Alignment()
    facts = [item for item in ours.fields.values() if item.role in STORED]
    answers = list_answer_fields(ours)
    fields, outcomes = dict(known.fields), dict(known.outcomes)
    for part in find_open(theirs, known).open:
        item = theirs.fields[part.name]
        if part.kind == FIELD:
            other = _find_namesake(item, facts)
            aligned = _align_field(ours, item, other) if other else None
            if aligned is not None:
                fields[item.name] = aligned
        else:
            other = _find_namesake(item, answers)
            labels = _pair_cells(item, other) if other else None
            if other is not None and labels is not None:
                outcomes[item.name] = AlignedOutcome(other.name, labels)
    return find_open(theirs, Alignment(fields, outcomes, known.lacking))


def _find_namesake(item: Field, others: Iterable[Field]) -> Field | None:
    """Return the field of the same name, else that of the same label."""
    named = {other.written.casefold(): other for other in others}
    labelled = {other.label.casefold(): other for other in named.values()}
    return named.get(item.written.casefold()) or labelled.get(item.label.casefold())


def _align_field(ours: DomainModel, item: Field, other: Field) -> AlignedField | None:
    """Return a field of ours as one of theirs, None where somebody has to say how it is one."""
    if not _has_same_unit(item, other):
        return None
    try:
        return parse_aligned(_write_field(item, other), ours, item)
    except ExpressionError:
        return None


def _write_field(item: Field, other: Field) -> str:
    match item.type, other.type:
        case EnumType(values=theirs), EnumType(values=values) if theirs != values:
            # The same labels in another order; the last one stands for all others.
            *labels, last = _pair_labels(theirs, values).items()
            branches = [f"{one!r} if {other.written} == {two!r} else" for one, two in labels]
            is_whole = len(labels) + 1 == len(theirs) == len(values)
            return " ".join([*branches, repr(last[0])]) if is_whole else other.written
        case ListType(fields=parts), _:
            made = ", ".join(f"{name}=i.{name}" for name, _ in parts)
            return f"[item({made}) for i in {other.written}]"
        case NumberType() as kind, _ if other.missing and not item.missing:
            # Theirs has some number in all cases: where ours has none, no rule should turn on it.
            least = kind.to_cell(kind.minimum)
            return f"{other.written} if present({other.written}) else {least}"
        case _:
            return other.written


def _pair_cells(item: Field, other: Field) -> dict[str, str] | None:
    """Return the cells of an outcome of ours for those of theirs that are written differently.

    None where the two cannot be compared. A label without a partner stays without.
    """
    if not is_comparable(item.type, other.type) or not _has_same_unit(item, other):
        return None
    theirs, ours = list_cells(item)[:-1], list_cells(other)[:-1]
    paired = _pair_labels(theirs, ours)
    if theirs and not paired:
        return None
    return {label: meant for label, meant in paired.items() if label != meant}


def _pair_labels(theirs: Iterable[str], ours: Iterable[str]) -> dict[str, str]:
    called = {label.casefold(): label for label in ours}
    return {label: called[label.casefold()] for label in theirs if label.casefold() in called}


def _has_same_unit(item: Field, other: Field) -> bool:
    kinds = item.type, other.type
    if not isinstance(kinds[0], NumberType) or not isinstance(kinds[1], NumberType):
        return True
    units = {kind.unit.casefold() for kind in kinds if isinstance(kind, NumberType) and kind.unit}
    return len(units) < 2  # noqa: PLR2004 - one of the two may name none
