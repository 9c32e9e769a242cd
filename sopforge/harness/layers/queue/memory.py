"""What an agent knows of a session: what was filed or withdrawn, and which limits changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sopforge.harness.layers.queue.plans import Memo, Notice, Withdrawal
from sopforge.harness.layers.queue.tallies import Cells, Filed
from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import OrderedType
from sopforge.language.logic.variants.changed_models import with_constant


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of a session so far, each thing with the number of the place at which it came.

    ``filed`` has cases by their keys, each as it was filed last.
    """

    place: int = 0
    filed: Mapping[str, tuple[int, Filed]] = field(default_factory=dict)
    withdrawn: Mapping[str, int] = field(default_factory=dict)
    memos: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def hear(self, notices: tuple[Notice, ...]) -> Memory:
        """Return what is known after the notices that come with the next case."""
        place = self.place + 1
        gone = {item.key: place for item in notices if isinstance(item, Withdrawal)}
        memos = {item.constant: (place, item.value) for item in notices if isinstance(item, Memo)}
        return replace(
            self,
            place=place,
            withdrawn={**self.withdrawn, **gone},
            memos={**self.memos, **memos},
        )

    def file(self, key: str, case: Filed) -> Memory:
        """Return what is known after a case was filed."""
        return replace(self, filed={**self.filed, key: (self.place, case)})

    def keep_last(self, places: int) -> Memory:
        """Return what is left for somebody who remembers the last places alone."""
        since = self.place - places
        return replace(
            self,
            filed={key: item for key, item in self.filed.items() if item[0] >= since},
            withdrawn={key: place for key, place in self.withdrawn.items() if place >= since},
            memos={name: item for name, item in self.memos.items() if item[0] >= since},
        )

    def find_case(self, key: str) -> Filed | None:
        """Return a case as it was filed last, None where it was not."""
        found = self.filed.get(key)
        return found and found[1]

    def complete(self, entries: Cells, key: str) -> Cells:
        """Return all entries of a case that is corrected, as far as they are remembered."""
        before = self.find_case(key)
        return {**(before.inputs if before else {}), **entries}

    def list_others(self, key: str) -> list[Filed]:
        """Return the cases that count beside one."""
        return [
            case
            for other, (_, case) in self.filed.items()
            if other != key and other not in self.withdrawn
        ]


@dataclass(frozen=True, slots=True)
class Limits:
    """A model with the limits that notices have changed, each state of them worked out once."""

    model: DomainModel
    kept: dict[tuple[tuple[str, int], ...], DomainModel] = field(default_factory=dict, repr=False)

    def apply(self, memory: Memory) -> DomainModel:
        """Return the model by which a case is decided, as far as notices are remembered."""
        changes = tuple((name, value) for name, (_, value) in memory.memos.items())
        if changes not in self.kept:
            self.kept[changes] = change_limits(self.model, changes)
        return self.kept[changes]


def change_limits(model: DomainModel, changes: Iterable[tuple[str, int]]) -> DomainModel:
    """Return a model with other values of some constants."""
    for name, value in changes:
        kind = model.policy[name].constant.type
        if not isinstance(kind, OrderedType):
            raise TypeError(f"{name} is no number and no day")
        model = with_constant(model, name, Constant(kind.with_bounds(value, value), value, name))
    return model
