"""The script of a user at one task: data, and what he replies by it to what an agent says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.harness.users.acts import Act, ActKind
from sopforge.harness.users.manners import Manner, Mode
from sopforge.harness.users.topics import Topics
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.session.layers import answer_asked

PATIENCE: Mapping[bool, int] = {False: 1, True: 3}
"""How often a user asks again before he closes: where he insists, more often."""


@dataclass(frozen=True, slots=True)
class Script:
    """What a user does at a task.

    He begins with the ``opening`` and knows the ``entries``, as they are in his last word. With the
    entry ``turning`` he says the ``late`` acts, once. ``lacking`` are manners that were asked for
    and that the task does not lend itself to.
    """

    task: str
    mode: Mode
    manners: tuple[Manner, ...]
    opening: tuple[Act, ...]
    entries: Mapping[str, str]
    turning: str = ""
    late: tuple[Act, ...] = ()
    lacking: tuple[Manner, ...] = ()

    @property
    def patience(self) -> int:
        """How often he asks again before he closes."""
        return PATIENCE[Manner.INSISTS in self.manners]

    @property
    def withheld(self) -> tuple[str, ...]:
        """The entries that he does not give unasked."""
        stated = {act.about for act in self.opening if act.kind is ActKind.STATE}
        return tuple(name for name in self.entries if name not in stated)

    def list_acts(self) -> tuple[Act, ...]:
        """Return all that he may come to say of his case."""
        given = dict.fromkeys([*self.entries_before.items(), *self.entries.items()])
        disclosed = (Act(ActKind.DISCLOSE, name, cell) for name, cell in given)
        return (*self.opening, *disclosed, *self.late)

    def answer(self, topics: Topics, said: Sequence[str]) -> tuple[Act, ...]:
        """Return what he does after the last of what was said to him."""
        asked = [topics.find(text) for text in said]
        request = {
            "turning": self.turning,
            "before": _make_disclosures(self.entries_before),
            "after": _make_disclosures(self.entries),
            "late": self.late,
        }
        unknown = {name: Act(ActKind.UNKNOWN, name) for names in asked for name in names}
        insisting = [Act(ActKind.INSIST)] * self.patience
        return tuple(answer_asked(request, asked, unknown, insisting, Act(ActKind.CLOSE)))

    @property
    def entries_before(self) -> Mapping[str, str]:
        """The entries as he has them until he changes one."""
        changed = {act.about: act.before for act in self.late if act.kind is ActKind.CHANGE}
        return {**self.entries, **changed}


def _make_disclosures(entries: Mapping[str, str]) -> dict[str, Act]:
    return {name: Act(ActKind.DISCLOSE, name, cell) for name, cell in entries.items()}


def list_answers_without_entries(model: DomainModel) -> tuple[Act, ...]:
    """Return what users of a domain say of no entry of theirs."""
    others = (item.name for item in model.fields.values() if item.role is not Role.INPUT)
    unknown = (Act(ActKind.UNKNOWN, name) for name in others)
    return (*unknown, Act(ActKind.INSIST), Act(ActKind.CLOSE))
