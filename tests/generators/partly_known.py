"""Small procedures made from a number, in which most values are made known on some paths only.

Each value is made known at a step that some cases pass by. What reads it is mostly guarded by the
condition that led there, and sometimes by another one or by none, so that of many models about as
many are sound as are not. A case has few values, so that all cases can be walked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import yaml

from tests.judges.reference_interpreter import Natural

Document = dict[str, Any]

FIELDS: Document = {
    "k": {"role": "input", "type": "string", "pattern": "K[0-9]{5}", "unique": True},
    "a": {"role": "input", "type": "boolean"},
    "b": {"role": "input", "type": "boolean"},
    "p": {"role": "observed", "type": "integer", "min": 0, "max": 2},
    "q": {"role": "observed", "type": "boolean"},
    "r": {"role": "observed", "type": "enum", "values": ["Um", "Ve"]},
    "t": {
        "role": "observed",
        "type": "list",
        "size": 1,
        "empty": "no entry",
        "items": {"n": {"type": "integer", "min": 0, "max": 1, "description": "n"}},
    },
    "s": {"role": "derived", "type": "integer", "min": 0, "max": 9},
    "d": {"role": "derived", "type": "enum", "values": ["Low", "High"], "missing": "not weighed"},
    "out": {"role": "outcome", "type": "enum", "values": ["Xa", "Yb", "Zc"], "primary": True},
}
POOLS: Mapping[str, tuple[Natural, ...]] = {
    "a": (False, True),
    "b": (False, True),
    "p": (Fraction(0), Fraction(1), Fraction(2)),
    "q": (False, True),
    "r": ("Um", "Ve"),
    "t": ((), ({"n": Fraction(0)},), ({"n": Fraction(1)},)),
}
ATOMS: Mapping[str, tuple[str, ...]] = {
    "a": ("a",),
    "b": ("b", "not b"),
    "p": ("p > 0", "p == 2", "p <= 1"),
    "q": ("q", "not q"),
    "r": ("r == 'Ve'", "r == 'Um'"),
    "t": ("any(i.n > 0 for i in t)", "count(i for i in t) == 0", "all(i.n > 0 for i in t)"),
    "s": ("s > 2", "s == 1"),
    "d": ("d == 'Low'", "d == 'High'"),
}
STAGES = ("getP", "getQR", "getT", "calc", "weigh", "bump")
MAKES = {"getP": "p", "getQR": "qr", "getT": "t", "calc": "s", "weigh": "d", "bump": ""}
NAMES = tuple(name for name in ATOMS if name not in "ab")


def list_rows() -> Iterator[dict[str, Natural]]:
    """Yield all cases, each with a key of its own."""
    for number, values in enumerate(product(*POOLS.values())):
        yield {"k": f"K{number:05}", **dict(zip(POOLS, values, strict=True))}


def make_document(number: int) -> Document:
    """Return the domain document of a number."""
    random = Random(f"partly known {number}")  # noqa: S311 - no secret
    return _PartlyKnownMaker(random, slips=random.choice([0, 0, 10])).make()


def write_document(document: Document) -> str:
    """Return a domain document as its text."""
    return yaml.safe_dump(document, sort_keys=False)


@dataclass
class _PartlyKnownMaker:
    random: Random
    slips: int
    gates: dict[str, str] = field(default_factory=dict)

    def make(self) -> Document:
        stages = list(STAGES)
        self.random.shuffle(stages)
        if stages.index("calc") < stages.index("getP"):
            stages.remove("getP")
            stages.insert(stages.index("calc"), "getP")
        fields = {name: {**item, "description": name} for name, item in FIELDS.items()}
        fields = {name: {**item, "label": f"entry {name}"} for name, item in fields.items()}
        steps = self.make_steps(stages)
        return {
            "format": 1,
            "domain": "partly_known",
            "title": "Partly known",
            "business_task": "Decide.",
            "model": {
                "entities": {"case": {"key": "k", "fields": fields}},
                "decisions": self.make_decisions(),
                "tools": self.make_tools(),
                "procedure": {"start": "f0", "steps": steps},
            },
        }

    # conditions

    def happens(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def gate(self) -> str:
        """Return a condition on what the task states."""
        return self.random.choice(["a", "b", "not a", "a and b", "a or b", "not b"])

    def read(self, name: str) -> str:
        """Return a condition that reads a field, guarded by what led to where it is made known."""
        atom = self.random.choice(ATOMS[name])
        guard = self.gates.get(name)
        if name == "d" and self.happens(40):
            return f"present(d) and {atom}"
        if guard is None or self.happens(self.slips):
            return atom if self.happens(30) else f"{self.gate()} and {atom}"
        makers: list[Callable[[], str]] = [
            lambda: f"({guard}) and {atom}",
            lambda: f"not ({guard}) or {atom}",
            lambda: f"{self.gate()} and ({guard}) and {atom}",
        ]
        if name in "ps":
            makers.append(lambda: f"({name} if ({guard}) else 0) > 0")
        return self.random.choice(makers)()

    def condition(self) -> str:
        known = [*self.gates] or ["a", "b"]
        first = self.read(self.random.choice(known))
        if self.happens(60):
            return first
        second = self.read(self.random.choice([*known, "a", "b"]))
        return f"({first}) {self.random.choice(['and', 'or'])} ({second})"

    # parts of the model

    def make_steps(self, stages: list[str]) -> Document:
        steps: Document = {}
        for number, stage in enumerate(stages):
            onward = f"f{number + 1}" if number + 1 < len(stages) else "judge"
            gate = self.make_gate(stage)
            steps[f"f{number}"] = {
                "title": f"Fork {number}",
                "edges": [{"when": gate, "to": f"s{number}"}, {"to": onward}],
            }
            if stage == "bump" and self.happens(50):
                steps[f"f{number}"]["edges"][1]["to"] = f"s{number}"
            for name in MAKES[stage]:
                self.gates[name] = gate
            steps[f"s{number}"] = {"title": f"Stage {number}", **self.make_act(stage)}
            steps[f"s{number}"]["edges"] = self.make_edges(number, onward)
        steps["judge"] = {
            "title": "Judge",
            "decide": ["out"],
            "edges": [{"when": self.condition(), "to": "other"}, {"to": "done"}],
        }
        steps["other"] = {"title": "End otherwise", "end": {"out": "Zc"}}
        steps["done"] = {"title": "End", "end": {}}
        return steps

    def make_gate(self, stage: str) -> str:
        if stage in {"calc", "bump"} and "p" in self.gates and self.happens(80):
            guard = f"({self.gates['p']})"
            return self.random.choice([guard, guard, f"{guard} and b", f"{guard} and p > 0"])
        if self.gates and self.happens(35):
            return self.condition()
        return self.gate()

    def make_act(self, stage: str) -> Document:
        return {"decide": ["d"]} if stage == "weigh" else {"call": stage}

    def make_edges(self, number: int, onward: str) -> list[Document]:
        if self.happens(25):
            back = f"f{self.random.randrange(number + 1)}"
            return [
                {"when": self.condition(), "to": back, "at_most": 1, "then": onward},
                {"to": onward},
            ]
        if self.happens(25):
            return [{"when": self.condition(), "to": "other"}, {"to": onward}]
        return [{"to": onward}]

    def make_decisions(self) -> Document:
        names = ["R1", "R2"] if self.happens(60) else ["R1"]
        return {
            "s": {"value": "p * 2 + 1"},
            "d": self.make_table(["L1"], ["Low", "High"], at_end=False),
            "out": self.make_table(names, ["Xa", "Yb"], at_end=True),
        }

    def make_table(self, names: list[str], labels: list[str], *, at_end: bool) -> Document:
        kept = dict(self.gates)
        if not at_end:
            # Mostly of what the task states: what else is known there, chance decides.
            self.gates = {
                name: gate
                for name, gate in kept.items()
                if self.happens(40) and name not in "sd" and not re.search(r"\bd\b", gate)
            }
        rules: list[Document] = [
            {"id": name, "when": self.condition(), "then": self.random.choice(labels)}
            for name in names
        ]
        self.gates = kept
        hit = self.random.choice(["first", "any"]) if len(names) == 1 else "first"
        return {"hit": hit, "rules": [*rules, {"id": "R9", "otherwise": labels[-1]}]}

    def make_tools(self) -> Document:
        def tool(kind: str, takes: list[str], returns: list[str]) -> Document:
            return {"kind": kind, "description": kind, "takes": takes, "returns": returns}

        takes, returns = self.random.choice([["k"], ["k", "p"]]), self.random.choice([[], ["p"]])
        bump = tool("action", takes, returns)
        return {
            "getP": tool("lookup", ["k"], ["p"]),
            "getQR": tool("lookup", ["k"], ["q", "r"]),
            "getT": tool("lookup", self.random.choice([["k"], ["k"], ["k", "r"]]), ["t"]),
            "calc": tool("compute", ["p"], ["s"]),
            "bump": {**bump, "effects": {"p": "min(p + 1, 2)"}},
        }
