"""Small domains with tables, made at random from a number.

Ranges are tiny and records few, so that references often lead to one record and effects often
leave a range. A procedure asks only for what it is sure to know and to be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

import yaml

from tests.generators.table_parts import VERDICTS, Document, Name, PartsMaker
from tests.judges.reference_tables import iterate_paths

MOST_LOOPS = 3


@dataclass
class Facts:
    """What is known at a step, and of which of it that it is there."""

    known: dict[str, Name]
    there: set[str] = field(default_factory=set)
    fresh: set[str] = field(default_factory=set)

    def meet(self, other: Facts) -> Facts:
        """Return what is known whichever of two edges was taken."""
        known = {path: name for path, name in self.known.items() if path in other.known}
        return Facts(known, self.there & other.there, self.fresh & other.fresh)

    def holds_all(self, other: Facts) -> bool:
        """Return whether all that others know is known."""
        are_known = other.known.keys() <= self.known.keys() and other.there <= self.there
        return are_known and other.fresh <= self.fresh

    def list_safe(self) -> list[Name]:
        """Return the names whose values are there."""
        return [
            name for name in self.known.values() if not name.may_lack or name.path in self.there
        ]

    def list_optional(self) -> list[Name]:
        """Return the names whose values may be missing."""
        return [name for name in self.known.values() if name.may_lack]

    def copy(self) -> Facts:
        """Return the same facts, to be added to."""
        return Facts(dict(self.known), set(self.there), set(self.fresh))


def resolve_path(path: str, given: Mapping[str, str]) -> str:
    """Return what a path of a tool is in the case, by what its parameters are handed."""
    first, dot, rest = path.partition(".")
    return f"{given.get(first, first)}{dot}{rest}"


def make_document(number: int) -> Document:
    """Return the document of a number."""
    random = Random(f"tables {number}")  # noqa: S311 - no secret
    while not (document := _TablesMaker(random).make())["model"]["tools"]:
        pass
    return document


def with_ruled_action(document: Document) -> Document:
    """Return a document in which a rule decides at last whether an action is carried out.

    It is the same one where no action takes only what every case states.
    """
    model = document["model"]
    steps: Document = model["procedure"]["steps"]
    stated = {
        name
        for name, item in next(iter(model["entities"].values()))["fields"].items()
        if item["role"] == "input" and not item.get("missing")
    }
    found = next((s for s in steps.values() if _hands_over(model, s, stated)), None)
    if found is None:
        return document
    last = next(name for name, step in steps.items() if step.get("decide") == ["verdict"])
    edges = [{"when": f"verdict == '{VERDICTS[0]}'", "to": "acts"}, {"to": "closes"}]
    acts = {
        "title": "Step acts",
        "call": found["call"],
        "with": found["with"],
        "refused": dict.fromkeys(found["refused"], "closes"),
        "edges": [{"to": "closes"}],
    }
    changed = {**steps, last: {**steps[last], "edges": edges}, "acts": acts}
    procedure = {**model["procedure"], "steps": changed}
    return {**document, "model": {**model, "procedure": procedure}}


def _hands_over(model: Document, step: Document, stated: set[str]) -> bool:
    """Return whether a step calls an action that changes tables, about what cases state."""
    tool = model["tools"].get(step.get("call"), {})
    given = {step.get("with", {}).get(name, name) for name in tool.get("takes", ())}
    return any("." in path for path in tool.get("effects", ())) and given <= stated


def write_document(document: Document) -> str:
    """Return a document as YAML, in which nothing stands for something above it."""
    return yaml.dump(document, Dumper=_Plain, sort_keys=False)


class _Plain(yaml.SafeDumper):
    """Writes each part in full."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the name that it has in PyYAML
        return True


class _TablesMaker(PartsMaker):
    """Makes one document, part by part."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.decisions: dict[str, Document] = {}
        self.steps: dict[str, Document] = {}
        self.loops = 0

    def make(self) -> Document:
        self.make_tables()
        self.make_case()
        self.make_tools()
        self.make_steps()
        self.drop_uncalled()
        entities = {"request": {"key": "request_id", "fields": self.case}, **self.tables}
        return {
            "format": 1,
            "domain": "tables",
            "title": "Tables",
            "business_task": "Decide.",
            "model": {
                "entities": entities,
                "decisions": self.decisions,
                "tools": self.tools,
                "procedure": {"start": next(iter(self.steps)), "steps": self.steps},
            },
        }

    # the procedure

    def make_steps(self) -> None:
        count = self.random.randint(5, 9)
        arrivals: dict[int, Facts] = {0: self.begin()}
        befores: dict[int, Facts] = {}
        for number in range(count):
            if number in arrivals:
                befores[number] = arrivals[number]
                self.make_step(number, count, arrivals, befores)
        verdicts = dict(zip(("ends", "fails"), VERDICTS, strict=False))
        for name, verdict in verdicts.items():
            self.steps[name] = {"title": f"Step {name}", "end": {"verdict": verdict}}
        known = arrivals.get(count, Facts({}))
        last: Document = {"title": "Last step", "edges": [{"to": "closes"}]}
        self.decisions["verdict"] = self.make_rules(known)
        self.steps[f"s{count}"] = {**last, "decide": ["verdict"]}
        self.steps["closes"] = {"title": "Step closes", "end": {}}

    def begin(self) -> Facts:
        kinds = {"string": "text", "enum": "label"}
        return Facts(
            {
                name: Name(
                    name,
                    kinds.get(item["type"], item["type"]),
                    item.get("to", ""),
                    bool(item.get("missing")),
                )
                for name, item in self.case.items()
                if item["role"] == "input" and item["type"] != "string"
            }
        )

    def make_step(
        self, number: int, count: int, arrivals: dict[int, Facts], befores: dict[int, Facts]
    ) -> None:
        before = befores[number]
        step: Document = {"title": f"Step {number}"}
        after = before.copy()
        call = self.choose_call(before)
        if call is not None:
            name, given = call
            tool = self.tools[name]
            step["call"] = name
            step["with"] = {key: path for key, path in given.items() if key != path}
            if tool.get("effects"):
                after.fresh.clear()
            for path in tool["returns"]:
                first, _, rest = path.partition(".")
                actual = f"{given[first]}.{rest}"
                if not self.is_followed(actual):
                    continue
                found = next(
                    item
                    for item in self.list_paths(first, tool["takes"][first])
                    if item.path == path
                )
                after.known[actual] = Name(actual, found.kind, found.to, found.may_lack)
                after.there.discard(actual)
                after.fresh.add(actual)
            codes = ["unknown_record", "not_now", "out_of_range", "same_record"]
            step["refused"] = {
                code: self.lead(self.choose_target(number, count), before, arrivals)
                for code in self.list_codes(tool, given, codes)
                if self.chance(0.8)
            }
        if "due" not in self.decisions and self.chance(0.3):
            self.decisions["due"] = self.make_formula(after)
            step["decide"] = ["due"]
            after.known["due"] = Name("due", "integer")
        step["edges"] = self.make_edges(number, count, after, arrivals, befores)
        self.steps[f"s{number}"] = step

    def list_codes(self, tool: Document, given: Mapping[str, str], codes: list[str]) -> list[str]:
        guarded = "requires" in tool
        paths = self.list_used_paths(tool, given)
        handed = {given[name] for name, kind in tool["takes"].items() if kind in self.tables}
        holders = {path.rpartition(".")[0] for path in paths}
        lacking = any(self.may_lead_nowhere(path) for path in {*handed, *holders})
        written = [self.find_column(tool, path) for path in tool.get("effects", {}) if "." in path]
        sums = [raw for path, raw in tool.get("effects", {}).items() if path.endswith("_held")]
        return [
            code
            for code in codes
            if (code == "unknown_record" and lacking)
            or (code == "not_now" and guarded)
            or (code == "out_of_range" and any("+" in raw or "-" in raw for raw in sums))
            or (code == "same_record" and len(set(written)) < len(written))
        ]

    def find_column(self, tool: Document, path: str) -> tuple[str, str]:
        """Return the table and the column that a path from a parameter leads to."""
        first, *inner, last = path.split(".")
        table = tool["takes"][first]
        for name in inner:
            table = self.tables[table]["fields"][name]["to"]
        return table, last

    def list_used_paths(self, tool: Document, given: Mapping[str, str]) -> set[str]:
        """Return what a call reads and writes, by the paths from the case."""
        texts = [str(raw) for raw in tool.get("effects", {}).values()]
        texts += [tool["requires"]["is"]] if "requires" in tool else []
        named = {path for text in texts for path in iterate_paths(text)}
        named |= {*tool["returns"], *tool.get("effects", {})}
        return {
            f"{given[first]}.{rest}"
            for first, _, rest in (path.partition(".") for path in named)
            if rest
        }

    def list_references(self, path: str) -> list[Document]:
        """Return the references that a path goes through, the last name of it if it is one."""
        first, *inner = path.split(".")
        found = [self.case[first]]
        for column in inner:
            found.append(self.tables[found[-1]["to"]]["fields"][column])
        return [item for item in found if item["type"] == "reference"]

    def is_followed(self, path: str) -> bool:
        """Return whether the case has what a path leads to: three references, no table twice."""
        through = [item["to"] for item in self.list_references(path.rpartition(".")[0])]
        return len(set(through)) == len(through) <= 3

    def may_lead_nowhere(self, path: str) -> bool:
        """Return whether a record is lacking on some frames that a path goes through."""
        through = self.list_references(path)
        # The case itself hands over only what is there.
        return any(item.get("dangling_share") for item in through) or any(
            item.get("missing") for item in through[1:]
        )

    def choose_call(self, before: Facts) -> tuple[str, dict[str, str]] | None:
        """Return a tool and what it is handed; nothing where that is not known or not there."""
        safe = before.list_safe()
        references = [name for name in safe if name.kind == "reference"]
        numbers = [name.path for name in safe if name.kind == "integer" and name.path != "due"]
        names = list(self.tools)
        self.random.shuffle(names)
        if self.chance(0.1):
            return None
        unread = [name for name in references if f"{name.path}.amount_held" not in before.known]
        last = next(reversed(self.steps.values()), {}).get("call", "")
        readable = [
            name
            for name in references
            if self.is_callable(f"get{name.to.title()}", {f"record_{name.to}": name.path})
        ]
        # Who looks again after an action sees what it has changed.
        chosen = [name for name in readable if last.startswith("do") or name in unread]
        if chosen and self.chance(0.6):
            name = self.random.choice(chosen)
            tool = f"get{name.to.title()}"
            return tool, {f"record_{name.to}": name.path}
        for tool in names:
            given: dict[str, str] = {}
            for parameter, kind in self.tools[tool]["takes"].items():
                if kind in self.tables:
                    fitting = [name.path for name in references if name.to == kind]
                else:
                    fitting = ["pin"] if kind == "pin" else numbers
                if not fitting:
                    break
                given[parameter] = self.random.choice(fitting)
            else:
                # One record under two parameters is another matter where both are one path.
                paths = [path for path in given.values() if path != "pin"]
                if len(set(paths)) == len(paths) and self.is_callable(tool, given, before.fresh):
                    return tool, given
        return None

    def is_callable(self, tool: str, given: Mapping[str, str], fresh: Iterable[str] = ()) -> bool:
        """Return whether the case has all that a call reads and writes."""
        used = self.list_used_paths(self.tools[tool], given)
        for listed in (self.tools[tool]["returns"], self.tools[tool].get("effects", {})):
            actual = [resolve_path(path, given) for path in listed]
            # Two names of one value are no call of the language.
            if len(set(actual)) < len(actual):
                return False
        # What a tool reads in the record by itself is handed to it as it is there.
        if given.get("given") in used and (
            given["given"] not in fresh or given["given"].rpartition(".")[0] not in given.values()
        ):
            return False
        records = [
            path for path in given.values() if self.case.get(path, {}).get("to") or "." in path
        ]
        return all(map(self.is_followed, [*used, *(f"{path}.is_open" for path in records)]))

    def choose_target(self, number: int, count: int) -> int:
        return self.random.choice([number + 1, number + 1, self.random.randint(number + 1, count)])

    def lead(self, target: int, facts: Facts, arrivals: dict[int, Facts]) -> str:
        if self.chance(0.15):
            return self.random.choice(["ends", "fails"])
        arrivals[target] = arrivals[target].meet(facts) if target in arrivals else facts.copy()
        return f"s{target}"

    def make_edges(
        self,
        number: int,
        count: int,
        after: Facts,
        arrivals: dict[int, Facts],
        befores: dict[int, Facts],
    ) -> list[Document]:
        edges: list[Document] = []
        lacking = [name for name in after.list_optional() if name.path not in after.there]
        if lacking and self.chance(0.6):
            chosen = self.random.choice([n for n in lacking if n.kind == "reference"] or lacking)
            to = self.lead(self.choose_target(number, count), after, arrivals)
            edges.append({"when": f"not present({chosen.path})", "to": to})
            after = after.copy()
            after.there.add(chosen.path)
        while self.chance(0.35) and len(edges) < 3:
            when = self.make_condition(after.list_safe(), after.list_optional())
            back = [place for place, facts in befores.items() if after.holds_all(facts)]
            if back and self.chance(0.5) and self.loops < MOST_LOOPS:
                self.loops += 1
                then = self.lead(number + 1, after, arrivals)
                edges.append(
                    {
                        "when": when,
                        "to": f"s{self.random.choice(back)}",
                        "at_most": self.random.choice([1, 2]),
                        "then": then,
                    }
                )
            else:
                to = self.lead(self.choose_target(number, count), after, arrivals)
                edges.append({"when": when, "to": to})
        arrivals[number + 1] = (
            arrivals[number + 1].meet(after) if number + 1 in arrivals else after.copy()
        )
        return [*edges, {"to": f"s{number + 1}"}]

    # decisions

    def make_rules(self, facts: Facts) -> Document:
        rules: list[Document] = []
        for place in range(self.random.randint(1, 4)):
            when = self.make_condition(facts.list_safe(), facts.list_optional())
            rules.append({"id": f"R{place}", "when": when, "then": self.random.choice(VERDICTS)})
        if self.chance(0.85):
            rules.append({"id": "REST", "otherwise": self.random.choice(VERDICTS)})
        return {"hit": "first", "rules": rules}

    def make_formula(self, facts: Facts) -> Document:
        numbers = [name.path for name in facts.list_safe() if name.kind == "integer"]
        one, other = self.random.choice(numbers), self.random.choice(numbers)
        return {"value": f"{one} {self.random.choice(['+', '-'])} {other}"}

    def drop_uncalled(self) -> None:
        called = {step.get("call") for step in self.steps.values()}
        self.tools = {name: tool for name, tool in self.tools.items() if name in called}
        while unled := self.tables.keys() - {
            item["to"]
            for fields in (self.case, *(table["fields"] for table in self.tables.values()))
            for item in fields.values()
            if item["type"] == "reference"
        }:
            self.tables = {name: item for name, item in self.tables.items() if name not in unled}
        if "due" not in self.decisions:
            del self.case["due"]
