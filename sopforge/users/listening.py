"""How a program speaks with a user: it asks for what it lacks by its label, and reads his words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sopforge.environment.session import Session
from sopforge.users.acts import Act, collect_entries
from sopforge.users.speaking import Speech

_MOST_TURNS = 5


@dataclass(frozen=True, slots=True)
class Listener:
    """Knows what the entries of a domain are called, and how users of it speak."""

    speech: Speech

    def hear(self, session: Session[Any]) -> tuple[Act, ...]:
        """Return all that the user of a session says until nothing is lacking that he knows."""
        heard = self.speech.read(session.observation.task.text)
        for _ in range(_MOST_TURNS):
            lacking = self.list_lacking(heard)
            fresh = (
                self.speech.read(session.say(self.write_question(lacking)) or "") if lacking else ()
            )
            if not fresh:
                break
            heard += fresh
        return heard

    def list_lacking(self, heard: tuple[Act, ...]) -> list[str]:
        """Return the labels of entries that were not stated so far."""
        known = collect_entries(heard)
        inputs = self.speech.model.inputs
        return [self.speech.labels[item.name] for item in inputs if item.name not in known]

    def write_question(self, lacking: list[str]) -> str:
        """Return what asks for some entries."""
        return f"Please give me: {', '.join(lacking)}."
