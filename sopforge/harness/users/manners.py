"""The manners of a user, what is asked for by their names, and which task has which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import suggest
from sopforge.seeds import permute_items


class Mode(StrEnum):
    """Whether a user says all at once, or answers what he is asked."""

    ONE_MESSAGE = "one-message"
    TURN_BY_TURN = "turn-by-turn"


class Manner(StrEnum):
    """What a user does beside saying what his case is."""

    PLAIN = "plain"
    CHANGES = "changes"
    INSISTS = "insists"
    CLAIMS = "claims"
    DEMANDS = "demands"


ALL = "all"
"""Asked for in the place of manners: one is drawn for each task."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What user is asked for: his mode, his manners, the seed; of ``is_drawn``, one for a task.

    So many entries are ``kept_back`` turn by turn; with none, their number is drawn too.
    """

    mode: Mode
    manners: tuple[Manner, ...] = (Manner.PLAIN,)
    is_drawn: bool = False
    seed: int = 0
    kept_back: int = 0

    @property
    def names(self) -> list[str]:
        """The manners by the names under which they were asked for."""
        return [ALL] if self.is_drawn else [item.value for item in self.manners]

    def list_candidates(self, task: str) -> list[tuple[Manner, ...]]:
        """Return the sets of manners that a task may have, the first that it can have counts."""
        if not self.is_drawn:
            return [self.manners]
        return [(item,) for item in permute_items(list(Manner), self.seed, "manner", task)]


def read_asked(mode: str, names: Sequence[str], seed: int) -> Asked:
    """Return what is asked for by names.

    Raises:
        MaterialError: there is no such mode or manner, or ``all`` stands beside others.
    """
    known = _require_known(mode, [item.value for item in Mode], "--user", "user")
    if ALL in names and len(names) > 1:
        message, hint = (
            "'all' is combined with other manners",
            "give 'all' alone; it draws from all manners",
        )
        raise MaterialError(Fault("user-manner-unknown", message, "--manner", hint))
    if ALL in names:
        return Asked(Mode(known), tuple(Manner), is_drawn=True, seed=seed)
    listed = [item.value for item in Manner]
    given = [Manner(_require_known(name, [*listed, ALL], "--manner", "manner")) for name in names]
    kept = [item for item in Manner if item in given and item is not Manner.PLAIN]
    return Asked(Mode(known), tuple(kept) or (Manner.PLAIN,), seed=seed)


def _require_known(name: str, known: list[str], where: str, what: str) -> str:
    if name not in known:
        hint = suggest(name, known) or f"choose from {', '.join(known)}"
        fault = Fault("user-manner-unknown", f"there is no {what} '{name}'", where, hint)
        raise MaterialError(fault)
    return name
