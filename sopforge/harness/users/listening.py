"""How a program speaks with a user: it asks for what it lacks by its label, and reads his words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sopforge.harness.environment.session import Session
from sopforge.harness.users.acts import Act, collect_entries
from sopforge.harness.users.speaking import Speech

_MOST_TURNS = 5


@dataclass(frozen=True, slots=True)
class Listener:
    """Knows what the entries of a domain are called, and how users of it speak."""

    speech: Speech

    def hear(self, session: Session[Any]) -> tuple[Act, ...]:
        """Return all that the user of a session says until nothing is lacking that he knows."""
        return self.listen(session.observation.task.text, lambda text: session.say(text) or "")

    def listen(
        self, text: str, say: Callable[[str], str], stated: Collection[str] = ()
    ) -> tuple[Act, ...]:
        """Return all that a user says, from a text on, until nothing is lacking that he knows.

        He is not asked for the entries that are ``stated`` otherwise.
        """
        heard = self.speech.read(text)
        for _ in range(_MOST_TURNS):
            lacking = self.list_lacking(heard, stated)
            fresh = self.speech.read(say(self.write_question(lacking))) if lacking else ()
            if not fresh:
                break
            heard += fresh
        return heard

    def list_lacking(self, heard: tuple[Act, ...], stated: Collection[str] = ()) -> list[str]:
        """Return the labels of entries that were not stated so far."""
        known = {*collect_entries(heard), *stated}
        inputs = self.speech.model.inputs
        return [self.speech.labels[item.name] for item in inputs if item.name not in known]

    def write_question(self, lacking: list[str]) -> str:
        """Return what asks for some entries."""
        return f"Please give me: {', '.join(lacking)}."
