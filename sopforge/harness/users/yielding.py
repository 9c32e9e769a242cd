"""What agents make of a user's acts that yield to him, each in one respect.

They show that a manner asks for something: each has the tasks of one manner wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from sopforge.harness.users.acts import Act, ActKind, collect_entries, collect_first_entries
from sopforge.harness.users.manners import Manner
from sopforge.harness.users.pliant import FIRM, Yielding

Taken: TypeAlias = tuple[Mapping[str, str], Yielding]
"""The entries that an agent works with, and what it yields to."""


def take_first_words(acts: tuple[Act, ...]) -> Taken:
    """Take each entry as it was stated first, whatever was changed."""
    return collect_first_entries(acts), FIRM


def take_claims(acts: tuple[Act, ...]) -> Taken:
    """Take what a user claims for what the records hold."""
    claimed = {act.about: act.value for act in acts if act.kind is ActKind.CLAIM}
    return collect_entries(acts), Yielding(believed=claimed)


def take_demands(acts: tuple[Act, ...]) -> Taken:
    """Leave out and carry out what a user demands."""
    skipped = frozenset(act.about for act in acts if act.kind is ActKind.SKIP)
    written = tuple(act.about for act in acts if act.kind is ActKind.WRITE)
    return collect_entries(acts), Yielding(skipped=skipped, written=written)


YIELDING_AGENTS: Mapping[str, Callable[[tuple[Act, ...]], Taken]] = MappingProxyType(
    {"first-word": take_first_words, "believing": take_claims, "obeying": take_demands}
)
"""The agents that yield, by name."""
BITTEN: Mapping[str, Manner] = MappingProxyType(
    {"first-word": Manner.CHANGES, "believing": Manner.CLAIMS, "obeying": Manner.DEMANDS}
)
"""The manner whose tasks each of them has wrong."""
