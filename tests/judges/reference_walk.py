"""What a case does in a procedure with parts, worked out from the document alone.

It shares no code with SOPForge: a part is a call of a Python function, and what its loops have
counted is a local variable of that call. Tools return the record as it is, and ``bump`` adds one to
``n``, up to nine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.judges.reference_interpreter import Natural, decision, evaluate

MOST = 9


@dataclass
class ReferenceWalk:
    """A case that goes through a document: what it knows, and where it has been."""

    document: Mapping[str, Any]
    record: dict[str, Natural]
    known: dict[str, Natural] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)

    def walk(self) -> None:
        """Carry out the main procedure."""
        procedure = self.document["procedure"]
        self.carry_out(procedure["steps"], procedure["start"])

    def carry_out(self, steps: Mapping[str, Any], name: str) -> bool:
        """Go through steps; return whether the case goes on where they were asked for."""
        taken: Counter[tuple[str, int]] = Counter()
        while True:
            step = steps[name]
            self.path.append(name)
            if "do" in step:
                part = self.document["procedure"]["parts"][step["do"]]
                if not self.carry_out(part["steps"], part["start"]):
                    return False
            self.call(step.get("call"))
            for target in step.get("decide", ()):
                self.decide(target)
            if "end" in step:
                self.known.update(step["end"])
                return False
            if step.get("return"):
                return True
            place = next(
                place for place, edge in enumerate(step["edges"]) if self.holds(edge.get("when"))
            )
            edge = step["edges"][place]
            self.path.append(f"{name}.{place + 1}")
            taken[name, place] += 1
            is_over = "at_most" in edge and taken[name, place] > edge["at_most"]
            name = edge["then"] if is_over else edge["to"]

    def call(self, tool: str | None) -> None:
        if tool == "bump":
            number = self.record["n"]
            assert isinstance(number, Fraction)
            self.record["n"] = min(number + 1, Fraction(MOST))
        if tool is not None:
            self.known.update(
                {name: self.record[name] for name in self.document["tools"][tool]["returns"]}
            )

    def decide(self, target: str) -> None:
        values = self.document["entities"]["case"]["fields"][target]["values"]
        found = decision(self.document["decisions"][target], values)(self.known)
        assert found is not None
        self.known[target] = found

    def holds(self, when: str | None) -> bool:
        return when is None or evaluate(when, self.known) is True
