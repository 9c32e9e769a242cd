"""What waits at a domain's gate: which version, and what was built ahead of its decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


class Identified(Protocol):
    """What a manifest says of a version: of which stage it is, from what, and what."""

    @property
    def stage(self) -> str:
        """The stage that made it."""

    @property
    def key(self) -> str:
        """The digest of all that it was made from."""

    @property
    def content(self) -> str:
        """The digest of its files."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The version that waits at a gate, by its stage, its key and its content.

    ``ahead`` holds the keys of the provisional versions downstream of it, by their stages.
    """

    stage: str
    key: str
    content: str
    ahead: Mapping[str, str] = field(default_factory=dict)

    def is_of(self, manifest: Identified) -> bool:
        """Return whether it is this version that waits."""
        return (self.key, self.content) == (manifest.key, manifest.content)

    def is_before(self, manifest: Identified) -> bool:
        """Return whether this version is provisional: built ahead of the decision on what waits."""
        return self.ahead.get(manifest.stage) == manifest.key

    @property
    def keys(self) -> dict[str, str]:
        """The keys of what waits and of all that is provisional, by stage."""
        return {**self.ahead, self.stage: self.key}

    def as_record(self) -> dict[str, object]:
        """Return it as ``pending.json`` holds it."""
        ahead = {"ahead": dict(self.ahead)} if self.ahead else {}
        return {"stage": self.stage, "key": self.key, "content": self.content, **ahead}


def build_waiting(manifest: Identified, ahead: Iterable[Identified]) -> Waiting:
    """Return that a version waits, with what is provisional downstream of it."""
    keys = {item.stage: item.key for item in ahead}
    return Waiting(manifest.stage, manifest.key, manifest.content, keys)


def read_waiting(value: Mapping[str, Any]) -> Waiting:
    """Return what waits by a record of it; raises ``ValueError`` where it names no version."""
    named = {part: value.get(part) for part in ("stage", "key", "content")}
    if not all(isinstance(part, str) for part in named.values()):
        raise ValueError("it names no version")
    ahead = value.get("ahead", {})
    if not isinstance(ahead, dict) or not all(isinstance(key, str) for key in ahead.values()):
        raise ValueError("the text after the stage is not a version")
    return Waiting(value["stage"], value["key"], value["content"], ahead)
