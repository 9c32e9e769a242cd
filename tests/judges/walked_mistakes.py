"""What a mistake changes on a row, found by walking the row with the mistake: case by case.

Nothing here judges goals with expressions over all rows, as the dataset stage does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType, Value, ValueType
from sopforge.language.logic.walking import Walk, collect_outcomes
from sopforge.proof.dataset.oracle import label_row

Row = Mapping[str, Value | None]


@dataclass(frozen=True)
class Walked:
    """A row walked with the model, beside which it is walked with models that have a mistake."""

    model: DomainModel
    row: Row

    @cached_property
    def walk(self) -> Walk:
        return label_row(self.model, self.row)

    @property
    def is_task(self) -> bool:
        """Whether the case comes to an answer."""
        return self.walk.refusal is None and not self.walk.undecided

    def noticed(self, wrong: DomainModel) -> tuple[bool, bool, bool] | None:
        """Return whether a mistake changes the primary answer, any scored one, and the path.

        A case that the mistake has refused has no answer. None where there is nothing to compare:
        no rule of a decision applies any more, or a malformed date is reckoned with.
        """
        try:
            other = label_row(wrong, self.row)
        except TypeError:
            return None
        if other.undecided:
            return None
        is_refused, primary = other.refusal is not None, self.model.primary.name
        right, found = answers(self.model, self.walk), answers(wrong, other)
        return (
            is_refused or right[primary] != found[primary],
            is_refused or right != found,
            self.walk.path != other.path,
        )


def answers(model: DomainModel, walk: Walk) -> dict[str, object]:
    """Return all that is scored of a walk; a number whatever places the model keeps it to."""
    intermediates = {item.name: walk.known.get(item.name) for item in model.intermediates}
    found = {**collect_outcomes(model, walk), **intermediates}
    return {name: _plain(model.fields[name].type, value) for name, value in found.items()}


def _plain(kind: ValueType, value: Value | None) -> object:
    if isinstance(kind, NumberType) and isinstance(value, int):
        return Fraction(value, 10**kind.places)
    return value
