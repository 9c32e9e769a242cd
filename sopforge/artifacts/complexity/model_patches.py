"""Patches of a model's document, from which a variant with answers of its own is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from sopforge.language.domain.model import DomainModel

Parts: TypeAlias = Mapping[str, Any]
"""The ``model`` part of a brief as plain mappings, lists and scalars."""


class ModelOperator(Protocol):
    """Makes a procedure harder and its answers others, of the same types."""

    @property
    def name(self) -> str:
        """The operator's name, under which a variant gives its number."""

    def propose_patches(self, parts: Parts, model: DomainModel, seed: int) -> Iterator[Parts]:
        """Return patches in a keyed order, of which the first that is sound is to be taken."""


@runtime_checkable
class DeepeningOperator(ModelOperator, Protocol):
    """Makes what a reader can misread: who does comes to other answers in many cases."""

    @property
    def misreading(self) -> str:
        """The name of the misreading."""

    def misread(self, model: DomainModel) -> DomainModel:
        """Return a model as who misreads it has it: the same where the operator made nothing."""


def merge_patch(parts: Parts, patch: Parts) -> dict[str, Any]:
    """Return parts with a patch: mappings are merged, null takes away, all else replaces."""
    whole = dict(parts)
    for name, part in patch.items():
        there = whole.get(name)
        if part is None:
            whole.pop(name, None)
        elif isinstance(part, Mapping):
            whole[name] = merge_patch(there if isinstance(there, Mapping) else {}, part)
        else:
            whole[name] = part
    return whole
