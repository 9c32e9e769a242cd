"""The layer of ambiguity: lines of the SOP in other words, and an annex that some of them need."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from sopforge.artifacts.rendering.sop.ambiguous import OPENING, TITLE
from sopforge.artifacts.rendering.sop.meanings import drop_meanings
from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.layer import Layer
from sopforge.harness.layers.text.passages import list_spans
from sopforge.harness.layers.text.sections import add_section
from sopforge.sandbox.answers import JSON
from sopforge.session import layers

AMENDMENT = "amendment"
"""The kind of a passage whose limit the annex amends."""


@dataclass(frozen=True, slots=True)
class AmbiguousPassage:
    """A line of a step in other words, with the entry of the annex that it needs, if it does."""

    kind: str
    step: str
    before: str
    after: str
    entry: str = ""

    @property
    def use(self) -> str:
        """What the entry of the annex is about; in one step, no two are about the same."""
        return self.entry.partition(" is " if self.kind == AMENDMENT else " if ")[0]


@dataclass(frozen=True)
class Ambiguity(Layer[layers.Plain]):
    """The layer: another text of the SOP, which says what the plain one does."""

    passages: tuple[AmbiguousPassage, ...]
    name: str = field(default="ambiguity", init=False)

    def reword(self, sop: str) -> str:
        """Return an SOP with the passages in it."""
        # What limits mean, beside their figures, would say how they are amended.
        is_amended = any(item.kind == AMENDMENT for item in self.passages)
        lines = (drop_meanings(sop) if is_amended else sop).split("\n")
        spans = {
            item.name.partition(" ")[2]: range(item.at + 1, end)
            for item, end in list_spans(lines)
            if item.is_step
        }
        for item in self.passages:
            for at in spans.get(item.step, ()):
                lines[at] = item.after if lines[at] == item.before else lines[at]
        text = "\n".join(lines)
        entries = [item.entry for item in self.passages if item.entry]
        return add_section(text, TITLE, [OPENING, *entries]) if entries else text

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: the other text, and all else as it was."""
        return replace(shown, sop=self.reword(shown.sop))

    def describe(self, task: str) -> JSON:  # noqa: ARG002 - protocol
        """Return how many passages of each kind there are, as JSON."""
        kinds = Counter(item.kind for item in self.passages)
        return {"dose": self.dose, **{kind: kinds[kind] for kind in sorted(kinds)}}
