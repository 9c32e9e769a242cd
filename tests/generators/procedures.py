"""Procedures with parts, made from a number: steps, bounded loops, parts that carry out others.

Equal numbers give equal documents. A call changes the record, so that a loop does not go round in
vain, and each step may decide anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import yaml

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain

Document = Mapping[str, Any]

CONDITIONS = (
    *("a < 5", "b >= 3", "n > a", "n + a >= 6", "p", "not q", "p and a > 2"),
    *("grade == 'high'", "n >= 4 or q", "a != b"),
)
LABELS = ("red", "green", "blue")


def make_document(number: int) -> dict[str, Any]:
    """Return the domain document of a number."""
    return _ProcedureMaker(Random(f"procedure {number}")).document()  # noqa: S311 - no secret


def make_procedure(number: int) -> tuple[DomainModel, dict[str, Any]]:
    """Return the model of a number, and the ``model`` part of its document."""
    document = make_document(number)
    return read_domain(yaml.safe_dump(document, sort_keys=False), "made.yaml"), document["model"]


class _ProcedureMaker:
    def __init__(self, random: Random) -> None:
        self.random = random

    def document(self) -> dict[str, Any]:
        names = ["first", "second"][: self.random.randint(1, 2)]
        # A part carries out those after it, so that none comes to itself.
        parts = {
            name: {
                "title": f"The {name} part",
                "start": f"{name}_0",
                "steps": self.steps(name, names[place + 1 :]),
            }
            for place, name in enumerate(names)
        }
        main = self.steps("", names)
        return {
            "format": 1,
            "domain": "made",
            "title": "Made up",
            "business_task": "Decide.",
            "model": {
                "entities": {"case": {"key": "case_id", "fields": self.fields()}},
                "decisions": {"grade": self.grade()},
                "tools": {
                    "look": _tool("lookup", ["a", "b", "p", "q", "n"]),
                    "bump": {**_tool("action", ["n"]), "effects": {"n": "min(n + 1, 9)"}},
                },
                "procedure": {"start": "main_0", "steps": main, "parts": parts},
            },
        }

    def fields(self) -> dict[str, Any]:
        number = {"role": "observed", "type": "integer", "min": 0, "max": 9}
        truth = {"role": "observed", "type": "boolean"}
        kinds: dict[str, dict[str, Any]] = {
            "case_id": {"role": "input", "type": "string", "pattern": "C[0-9]{6}", "unique": True},
            **dict.fromkeys(("a", "b", "n"), number),
            **dict.fromkeys(("p", "q"), truth),
            "grade": {"role": "outcome", "type": "enum", "values": ["low", "high"]},
            "colour": {"role": "outcome", "type": "enum", "values": list(LABELS), "primary": True},
        }
        return {
            name: {"label": f"field {name}" if len(name) == 1 else name, "description": name} | item
            for name, item in kinds.items()
        }

    def grade(self) -> dict[str, Any]:
        limit = self.random.randint(2, 8)
        rules = [{"id": "G1", "when": f"n >= {limit}", "then": "high"}]
        return {"hit": "first", "rules": [*rules, {"id": "G2", "otherwise": "low"}]}

    def steps(self, part: str, others: list[str]) -> dict[str, Any]:
        """Return the steps of a part; its last one returns, that of the main procedure ends."""
        count = self.random.randint(2, 3) + (not part)
        names = [f"{part or 'main'}_{place}" for place in range(count)]
        found = {name: self.step(names, place, others) for place, name in enumerate(names[:-1])}
        if not part:
            found[names[0]] = {**found[names[0]], "call": "look", "decide": ["grade"]}
            found[names[0]].pop("do", None)
            # Each part is carried out somewhere, and one of them twice.
            for name in (others[0], *others):
                extra = f"main_{len(found)}_{name}"
                found[extra] = {"do": name, "edges": [{"to": names[-1]}]}
                before = self.random.choice(list(found.values())[:-1])
                before["edges"][-1] = {"to": extra}
        found[names[-1]] = self.last(part)
        if part and self.random.random() < 0.5:
            found[f"{part}_out"] = {"end": {"colour": self.random.choice(LABELS)}}
            first = found[names[0]]["edges"]
            first.insert(0, {"when": self.random.choice(CONDITIONS), "to": f"{part}_out"})
        return {name: {"title": name.replace("_", " "), **item} for name, item in found.items()}

    def last(self, part: str) -> dict[str, Any]:
        if part:
            return {"return": True}
        return {"end": {"colour": self.random.choice(LABELS)}}

    def step(self, names: list[str], place: int, others: list[str]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        turn = self.random.random()
        if others and turn < 0.4:
            made["do"] = self.random.choice(others)
        elif turn < 0.8:
            made["call"] = "bump"
        if self.random.random() < 0.4:
            made["decide"] = ["grade"]
        return {**made, "edges": [*self.edges(names, place), {"to": names[place + 1]}]}

    def edges(self, names: list[str], place: int) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = []
        later = names[place + 1 :]
        if self.random.random() < 0.6:
            made.append({"when": self.random.choice(CONDITIONS), "to": self.random.choice(later)})
        if self.random.random() < 0.3:
            back = self.random.choice(names[: place + 1])
            bound = {"at_most": self.random.randint(1, 2), "then": self.random.choice(later)}
            made.append({"when": self.random.choice(CONDITIONS), "to": back, **bound})
        return made


def _tool(kind: str, returns: list[str]) -> dict[str, Any]:
    return {"kind": kind, "description": "Do", "takes": ["case_id"], "returns": returns}
