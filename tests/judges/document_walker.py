"""A case walked by the document of its domain alone: it stops where it would read what is unknown.

It shares no code with SOPForge. Conditions are read by the reference interpreter, from the left to
the right, which fails where a value is not there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.judges.reference_interpreter import Natural, decision, evaluate

Row = Mapping[str, "Natural | None"]
_READ = re.compile(r"^(\w+) is missing and was read$")


@dataclass
class DocumentWalk:
    """The steps of a case, what it knows, and what it would have read without knowing it."""

    known: dict[str, Natural | None]
    path: list[str] = field(default_factory=list)
    unknown: str = ""


def walk_document(document: Mapping[str, Any], row: Row) -> DocumentWalk:
    """Return the walk of a case, up to where it would read something that it does not know."""
    walker = _Walker(document["model"], dict(row))
    try:
        walker.walk()
    except KeyError as cause:
        walker.done.unknown = str(cause.args[0])
    except AssertionError as cause:
        found = _READ.match(str(cause))
        if found is None:
            raise
        walker.done.unknown = found[1]
    return walker.done


class _Walker:
    def __init__(self, model: Mapping[str, Any], record: dict[str, Natural | None]) -> None:
        self.model = model
        self.record = record
        self.fields = next(iter(model["entities"].values()))["fields"]
        inputs = {n: record[n] for n, item in self.fields.items() if item["role"] == "input"}
        # What nobody has decided may be asked about, and is not there.
        undecided = {
            n: None for n, item in self.fields.items() if item["role"] in {"derived", "outcome"}
        }
        self.done = DocumentWalk({**inputs, **undecided})
        self.taken: Counter[tuple[str, int]] = Counter()

    def walk(self) -> None:
        steps = self.model["procedure"]["steps"]
        name = self.model["procedure"]["start"]
        while name:
            self.done.path.append(name)
            step = steps[name]
            if "call" in step:
                self.call(self.model["tools"][step["call"]])
            for target in step.get("decide", []):
                self.decide(target)
            self.done.known.update(step.get("end", {}))
            name = self.choose_next(name, step.get("edges", []))

    def call(self, tool: Mapping[str, Any]) -> None:
        taken = {}
        for name in tool["takes"]:
            taken[name] = self.done.known[name]
            assert taken[name] is not None, f"{name} is missing and was read"
        if tool["kind"] == "compute":
            found = {
                n: evaluate(self.model["decisions"][n]["value"], taken) for n in tool["returns"]
            }
            self.done.known.update(found)
            return
        seen = {**self.record, **taken}
        self.record.update({n: evaluate(to, seen) for n, to in tool.get("effects", {}).items()})
        self.done.known.update({name: self.record[name] for name in tool["returns"]})

    def decide(self, target: str) -> None:
        labels = self.fields[target]["values"]
        self.done.known[target] = decision(self.model["decisions"][target], labels)(self.done.known)

    def choose_next(self, name: str, edges: list[Mapping[str, Any]]) -> str:
        for place, edge in enumerate(edges):
            if "when" not in edge or evaluate(edge["when"], self.done.known):
                self.taken[name, place] += 1
                is_used_up = "at_most" in edge and self.taken[name, place] > edge["at_most"]
                return str(edge["then"] if is_used_up else edge["to"])
        return ""
