"""All dials, by what each says of itself, and in what doses levels have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeGuard

from sopforge.extensions import load_extensions
from sopforge.harness.layers.ambiguity.dial import AMBIGUITY
from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.documents.dial import DOCUMENTS
from sopforge.harness.layers.faults.dial import FAULTS
from sopforge.harness.layers.queue.dial import QUEUE
from sopforge.harness.layers.records.dial import RECORDS
from sopforge.harness.layers.refusals.dial import REFUSALS
from sopforge.harness.layers.user.dial import USER
from sopforge.harness.layers.writes.dial import WRITES


def _is_dial(found: object) -> TypeGuard[Dial]:
    return isinstance(found, Dial)


_OF_OTHERS = load_extensions("dials", _is_dial)
# The handbook holds the whole SOP: whatever adds to that lies within.
_OUTERMOST_FIRST = (
    *(DOCUMENTS, *_OF_OTHERS, FAULTS, USER, RECORDS),
    *(WRITES, QUEUE, REFUSALS, AMBIGUITY),
)
DIALS: Mapping[str, Dial] = MappingProxyType({dial.name: dial for dial in _OUTERMOST_FIRST[::-1]})
"""By name, in the order in which their layers are put around a package, the innermost first."""
SKILLS = [dial.work for dial in sorted(_OUTERMOST_FIRST, key=lambda dial: not dial.rewords_sop)]
"""How programs work amid each layer, the outermost first, but for the words of the SOP."""


@dataclass(frozen=True, slots=True)
class Ablated:
    """An agent that works as the reference does, but for one ability; it falls on one dial."""

    lacks: str
    dial: str


def _list_ablated() -> dict[str, Ablated]:
    """Return the ablated agents by their names, in the order of what they lack."""
    found = {
        name: Ablated(lacks, dial.name)
        for dial in DIALS.values()
        for name, lacks in dial.ablated.items()
    }
    order = [*Ability, *(lacks for dial in _OF_OTHERS for lacks in dial.ablated.values())]
    return dict(sorted(found.items(), key=lambda item: order.index(item[1].lacks)))


ABLATED: Mapping[str, Ablated] = MappingProxyType(_list_ablated())
"""The ablated agents by their names."""
_L4 = {"refusals": 3, "faults": 3}
_L5 = {**_L4, "queue": 10, "writes": 3}
_L6 = {**_L5, "documents": 40}
LEVELS: Mapping[str, Mapping[str, int]] = MappingProxyType({"L4": _L4, "L5": _L5, "L6": _L6})
"""The doses of each level of the ladder."""
