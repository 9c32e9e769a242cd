"""What agents make of a user's acts that yield to one of his manners.

They show that a manner asks for something: each has the tasks of one manner wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from sopforge.harness.users.acts import Act, ActKind, collect_entries, collect_first_entries
from sopforge.harness.users.manners import Manner
from sopforge.harness.users.pliant import Yielding

YIELDING_AGENTS: Mapping[str, Manner] = MappingProxyType(
    {"first-word": Manner.CHANGES, "believing": Manner.CLAIMS, "obeying": Manner.DEMANDS}
)
"""The agents that yield, by name, each with the manner whose tasks it has wrong."""


def take_acts(
    acts: tuple[Act, ...], manners: Collection[Manner]
) -> tuple[Mapping[str, str], Yielding]:
    """Return the entries that an agent works with who yields to some manners, and to what.

    It takes each entry as it was stated first, whatever was changed; what is claimed for what the
    records hold; and it leaves out and carries out what is demanded.
    """
    claimed = {act.about: act.value for act in acts if act.kind is ActKind.CLAIM}
    skipped = frozenset(act.about for act in acts if act.kind is ActKind.SKIP)
    written = tuple(act.about for act in acts if act.kind is ActKind.WRITE)
    is_obeying = Manner.DEMANDS in manners
    return (
        collect_first_entries(acts) if Manner.CHANGES in manners else collect_entries(acts),
        Yielding(
            claimed if Manner.CLAIMS in manners else {},
            skipped if is_obeying else frozenset(),
            written if is_obeying else (),
        ),
    )
