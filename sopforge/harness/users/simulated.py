"""The user of a package: a layer around its environment, which stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown, ShownTask
from sopforge.harness.users.acts import Act
from sopforge.harness.users.knowing import require_known
from sopforge.harness.users.making import make_script
from sopforge.harness.users.manners import Asked, Manner
from sopforge.harness.users.rehearsing import Rehearsal
from sopforge.harness.users.scripts import Script, list_answers_without_entries
from sopforge.harness.users.speaking import Speech
from sopforge.harness.users.topics import Topics
from sopforge.harness.users.words import Words, load_words

F = TypeVar("F")


@dataclass(frozen=True)
class SimulatedUser:
    """Says what a task is about, by a script for each; what he replies follows from what was said.

    It holds the scripts, the names of fields and the words: nothing of what is right.
    """

    asked: Asked
    scripts: Mapping[str, Script]
    speech: Speech
    openings: Mapping[str, str] = field(repr=False)

    @cached_property
    def topics(self) -> Topics:
        """What he may be asked for."""
        return Topics(self.speech.model)

    def answer(self, task: str, said: Sequence[str]) -> str:
        """Return his reply to the last of all that was said to him."""
        return self.say(self.scripts[task].answer(self.topics, said), task, len(said))

    def say(self, acts: Sequence[Act], task: str, turn: int) -> str:
        """Return acts in words, drawn by the seed, the task and the turn."""
        return self.speech.write(acts, self.asked.seed, task, turn)

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see where he says what tasks are about: the tasks that he has."""
        tasks = {
            name: ShownTask(name, text, {}, shown.tasks[name].split)
            for name, text in self.openings.items()
        }
        return replace(shown, tasks=tasks)

    def join(self, environment: Environment[F]) -> Environment[F]:
        """Return an environment in whose sessions he may be spoken to."""
        return replace(environment, shown=self.show(environment.shown), user=self)

    def describe(self, task: str) -> dict[str, Any]:
        """Return what makes an attempt with him another one, as JSON."""
        script = self.scripts[task]
        lacking = {"lacking": list(script.lacking)} if script.lacking else {}
        return {
            "mode": script.mode,
            "asked": self.asked.names,
            "manners": list(script.manners),
            **lacking,
            "words": self.speech.words.digest[:16],
        }

    def count_lacking(self) -> dict[Manner, int]:
        """Return how many tasks do not lend themselves to a manner that was asked for."""
        lacking = [item for script in self.scripts.values() for item in script.lacking]
        return {item: lacking.count(item) for item in Manner if item in lacking}


def make_user(
    rehearsal: Rehearsal, asked: Asked, words: Words | None = None, chosen: Sequence[str] = ()
) -> SimulatedUser:
    """Return the user of the chosen tasks of a package, of all where none are chosen.

    Raises:
        PackageUnreadableError: the user of some task cannot know what he must say.
        MaterialError: the words cannot be read back.
    """
    require_known(rehearsal.model, rehearsal.tasks)
    names = chosen or list(rehearsal.environment.shown.tasks)
    scripts = {name: make_script(rehearsal, asked, name) for name in names}
    speech = Speech(rehearsal.model, words or load_words())
    # All that he may come to say: words that fail, fail before anybody begins.
    speech.write(list_answers_without_entries(rehearsal.model))
    for script in scripts.values():
        speech.write(script.list_acts())
    openings = {
        name: speech.write(script.opening, asked.seed, name, 0) for name, script in scripts.items()
    }
    return SimulatedUser(asked, scripts, speech, openings)
