"""A tool that documents alone describe, and one of a similar name that is for another desk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.shown import ShownTool
from sopforge.sandbox.answers import JSONValue, Scalar
from sopforge.session.environment import write_json
from sopforge.session.layers import show_aged


@dataclass(frozen=True, slots=True)
class SimilarTool:
    """Two names for one tool of the documents: this desk's, and another desk's.

    The ``other`` shows records as they were: each of its results has another of the ``values`` that
    are known for it. ``sheet`` and ``other_sheet`` are the documents that describe the two.
    """

    tool: str
    name: str
    other: str
    is_other_first: bool
    sheet: int
    other_sheet: int
    values: Mapping[str, tuple[Scalar, ...]]

    def show(self, tool: ShownTool) -> list[ShownTool]:
        """Return what agents see of the two in the place of the tool."""
        own, other = (
            replace(tool, name=name, description=f"Document {number} describes this tool.")
            for name, number in ((self.name, self.sheet), (self.other, self.other_sheet))
        )
        return [other, own] if self.is_other_first else [own, other]

    def change_reply(self, reply: Reply, arguments: Mapping[str, JSONValue], seed: int) -> Reply:
        """Return a reply with what the other desk's records show in the place of the values."""
        return Reply(*show_aged(asdict(self), reply, arguments, seed, write_json))
