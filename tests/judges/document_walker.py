"""A case walked by the model of a document alone: it stops where it would read what is unknown.

It shares no code with SOPForge. Conditions are read by the reference interpreter, from the left to
the right, which fails where a value is not there. A part is a call of a Python function, and what
its loops have counted is a local variable of that call. A count of visits begins anew as a case
comes into the loop, which is looked for from each of its steps onwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.judges.reference_decisions import decision
from tests.judges.reference_interpreter import Natural, evaluate

Row = Mapping[str, "Natural | None"]
Steps = Mapping[str, Mapping[str, Any]]
_READ = re.compile(r"^(\w+) is missing and was read$")


@dataclass
class DocumentWalk:
    """The path of a case, what it knows, and what it would have read without knowing it."""

    known: dict[str, Natural | None]
    path: list[str] = field(default_factory=list)
    unknown: str = ""

    @property
    def steps(self) -> list[str]:
        return [node for node in self.path if "." not in node]


def walk_document(model: Mapping[str, Any], row: Row) -> DocumentWalk:
    """Return the walk of a case, up to where it would read something that it does not know."""
    walker = _Walker(model, dict(row))
    procedure = model["procedure"]
    try:
        walker.carry_out(procedure["steps"], procedure["start"])
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
        self.orders = [item["values"] for item in self.fields.values() if item.get("ordered")]
        inputs = {n: record[n] for n, item in self.fields.items() if item["role"] == "input"}
        # What nobody has decided may be asked about, and is not there.
        undecided = {
            n: None for n, item in self.fields.items() if item["role"] in {"derived", "outcome"}
        }
        self.in_case: Counter[str] = Counter()
        self.done = DocumentWalk({**inputs, **undecided})

    def carry_out(self, steps: Steps, name: str) -> bool:
        """Go through steps; return whether the case goes on where they were asked for."""
        taken: Counter[str] = Counter()
        while True:
            step = steps[name]
            self.done.path.append(name)
            if "do" in step:
                part = self.model["procedure"]["parts"][step["do"]]
                if not self.carry_out(part["steps"], part["start"]):
                    return False
            if "call" in step:
                self.call(self.model["tools"][step["call"]])
            for target in step.get("decide", []):
                self.decide(target)
            self.done.known.update(step.get("end", {}))
            if "edges" not in step:
                return "return" in step
            following = self.choose_next(name, step["edges"], taken)
            begin_loops(steps, name, following, taken)
            name = following

    def call(self, tool: Mapping[str, Any]) -> None:
        taken = {}
        for name in tool["takes"]:
            taken[name] = self.done.known[name]
            assert taken[name] is not None, f"{name} is missing and was read"
        if tool["kind"] == "compute":
            found = {
                n: evaluate(self.model["decisions"][n]["value"], taken, None, self.orders)
                for n in tool["returns"]
            }
            self.done.known.update(found)
            return
        seen = {**self.record, **taken}
        effects = tool.get("effects", {}).items()
        self.record.update({n: evaluate(to, seen, None, self.orders) for n, to in effects})
        self.done.known.update({name: self.record[name] for name in tool["returns"]})

    def decide(self, target: str) -> None:
        labels = self.fields[target]["values"]
        found = decision(self.model["decisions"][target], labels, None, self.orders)
        self.done.known[target] = found(self.done.known)

    def choose_next(self, step: str, edges: list[Mapping[str, Any]], taken: Counter[str]) -> str:
        for number, edge in enumerate(edges, 1):
            if "when" not in edge or evaluate(edge["when"], self.done.known, None, self.orders):
                self.done.path.append(f"{step}.{number}")
                counted = self.in_case if edge.get("counts") == "case" else taken
                counted[self.done.path[-1]] += 1
                is_used_up = "at_most" in edge and counted[self.done.path[-1]] > edge["at_most"]
                return str(edge["then"] if is_used_up else edge["to"])
        raise AssertionError(f"no edge of {step} can be taken")


def begin_loops(steps: Steps, name: str, following: str, taken: Counter[str]) -> None:
    """Count anew in the loops into which a case comes from a step outside of them."""
    for other, step in steps.items():
        for number, edge in enumerate(step.get("edges", []), 1):
            if edge.get("counts") == "visit":
                loop = find_loop(steps, other, edge["to"])
                if following in loop and name not in loop:
                    taken[f"{other}.{number}"] = 0


def find_loop(steps: Steps, tail: str, head: str) -> set[str]:
    """Return the head, and each step from which a case can come to the tail without it."""
    return {head} | {name for name in steps if name != head and is_led_to(steps, name, tail, head)}


def is_led_to(steps: Steps, name: str, to: str, barred: str) -> bool:
    """Return whether a case can come from a step to another one without a third."""
    seen, left = {barred}, [name]
    while left:
        at = left.pop()
        if at not in seen:
            seen.add(at)
            edges = steps[at].get("edges", [])
            left += [edge[key] for edge in edges for key in ("to", "then") if key in edge]
            left += steps[at].get("refused", {}).values()
    return to in seen - {barred}
