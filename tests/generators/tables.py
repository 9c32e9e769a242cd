"""Small domains with tables, made at random from a number, and the frames that tasks begin with.

Ranges are tiny and records few, so that references often lead to one record and effects often
leave a range. A procedure asks only for what it is sure to know and to be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import yaml

from tests.judges.reference_interpreter import Natural
from tests.judges.reference_tables import Frame, Record, iterate_paths

MOST = 3
"""The greatest value of each number."""
MOST_LOOPS = 3
LABELS = ["Plain", "Odd"]
VERDICTS = ["first", "second", "third"]
TABLES = ("account", "branch", "client")
LETTERS = {"account": "A", "branch": "B", "client": "C"}
NUMBER = {"type": "integer", "min": 0, "max": MOST}
LACKING = {"missing": "not given", "missing_share": 25}
Document = dict[str, Any]


@dataclass(frozen=True)
class Name:
    """What an expression may name: a path, its kind, and the table that a reference leads to."""

    path: str
    kind: str
    to: str = ""
    may_lack: bool = False


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
    while not (document := _Maker(random).make())["model"]["tools"]:
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


class _Maker:
    """Makes one document, part by part."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.tables: dict[str, Document] = {}
        self.case: Document = {}
        self.tools: dict[str, Document] = {}
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

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # what there is

    def make_tables(self) -> None:
        names = list(TABLES[: self.random.choice([1, 2, 2, 3, 3])])
        for name in names:
            fields = self.make_columns(name)
            for to in names:
                if to != name and self.chance(0.55):
                    fields[f"own_{to}"] = self.make_reference(to)
            for column, item in fields.items():
                item["description"] = f"{column.replace('_', ' ')} of one {name}"
            self.tables[name] = {"key": f"{name}_no", "records": 4, "fields": fields}

    def make_columns(self, name: str) -> Document:
        """Return the fields of a table that refer to no other."""
        pattern = f"{LETTERS[name]}[0-9]{{4}}"
        fields: Document = {
            f"{name}_no": {"role": "observed", "type": "string", "pattern": pattern},
            "amount_held": {"role": "observed", **NUMBER},
            "is_open": {"role": "observed", "type": "boolean"},
        }
        if self.chance(0.5):
            fields["sort"] = {"role": "observed", "type": "enum", "values": LABELS}
        if self.chance(0.5):
            fields["spare"] = {"role": "observed", **NUMBER, **LACKING}
        fields["word"] = {"role": "secret", "type": "string", "pattern": "W[0-1]"}
        return fields

    def make_reference(self, to: str) -> Document:
        item: Document = {"role": "observed", "type": "reference", "to": to}
        if self.chance(0.3):
            item |= LACKING
        if self.chance(0.3):
            item["dangling_share"] = 20
        return item

    def make_case(self) -> None:
        self.case["request_id"] = {
            "role": "input",
            "type": "string",
            "pattern": "Q[0-9]{6}",
            "unique": True,
        }
        first = self.random.choice(list(self.tables))
        for place, name in enumerate(["payer", "payee", "agent"][: self.random.choice([2, 3, 3])]):
            is_like_first = place == 0 or self.chance(0.7)
            to = first if is_like_first else self.random.choice(list(self.tables))
            item: Document = {**self.make_reference(to), "role": "input"}
            above = [
                key
                for key, other in self.case.items()
                if other.get("to") == to and other["type"] == "reference"
            ]
            if above and self.chance(0.5):
                item["same_as"] = {"of": self.random.choice(above), "share": 50}
            self.case[name] = item
        self.case["amount"] = {"role": "input", **NUMBER}
        self.case["pin"] = {"role": "input", "type": "string", "pattern": "W[0-1]"}
        self.case["logged_in"] = {"role": "session", "type": "boolean", "starts": "no"}
        self.case["rounds"] = {"role": "session", **NUMBER, "starts": 0}
        self.case["served"] = {
            "role": "session",
            "type": "reference",
            "to": first,
            "missing": "nobody",
        }
        self.case["said"] = {"role": "session", "type": "string", "pattern": "W[0-1]"}
        self.case["said"] |= {"missing": "nothing"} if self.chance(0.5) else {"starts": "W0"}
        self.case["due"] = {"role": "derived", "type": "integer", "min": -9, "max": 9}
        self.case["verdict"] = {
            "role": "outcome",
            "type": "enum",
            "values": VERDICTS,
            "primary": True,
        }
        for name, item in self.case.items():
            item["description"] = f"{name.replace('_', ' ')} of the request"

    # what tools name

    def list_paths(self, name: str, table: str, above: tuple[str, ...] = ()) -> Iterator[Name]:
        """Yield what a reference of a name leads to, through two references at most."""
        fields = self.tables[table]["fields"]
        for column, item in fields.items():
            if column == self.tables[table]["key"]:
                continue
            kind = {"string": "text", "enum": "label"}.get(item["type"], item["type"])
            to = item.get("to", "")
            may_lack = bool(item.get("missing"))
            yield Name(f"{name}.{column}", kind, to, may_lack)
            if to and not above and to != table:
                yield from self.list_paths(f"{name}.{column}", to, (table,))

    def make_tools(self) -> None:
        for table in self.tables:
            columns = [
                name.path
                for name in self.list_paths("record_" + table, table)
                if not name.path.endswith(".word")
            ]
            own = [path for path in columns if path.count(".") == 1]
            inner = [path for path in columns if path.count(".") > 1]
            returns = own if self.chance(0.7) else own[:2] + [p for p in own if ".own_" in p]
            if inner and self.chance(0.3):
                returns = [*returns, self.random.choice(inner)]
            self.tools[f"get{table.title()}"] = {
                "kind": "lookup",
                "takes": {f"record_{table}": table},
                "returns": list(dict.fromkeys(returns)),
            }
        shared = [item["to"] for item in self.case.values() if item["type"] == "reference"]
        for number in range(self.random.choice([1, 2, 3])):
            self.make_action(number, self.random.choice(shared), self.random.choice(shared))
        for name, tool in self.tools.items():
            tool["description"] = f"Do what {name} does"

    def make_action(self, number: int, one: str, other: str) -> None:
        takes = self.make_parameters(one, other)
        paths = [
            name
            for parameter, table in takes.items()
            if table in self.tables
            for name in self.list_paths(parameter, table)
        ]
        seen = [name for name in paths if not name.may_lack and name.kind != "text"]
        seen += [Name(name, "integer") for name in takes if name == "given"]
        seen += [Name("logged_in", "boolean"), Name("rounds", "integer")]
        effects: Document = {
            name.path: self.make_effect(name, seen, paths)
            for name in self.choose_targets(paths, takes)
        }
        if self.chance(0.4) or not effects:
            effects["logged_in"] = self.random.choice(["yes", "no"])
        if self.chance(0.2):
            effects["rounds"] = self.random.choice(
                ["1", "rounds", "unchanged if logged_in else 2", "rounds + 2", "rounds + 1"]
            )
        effects |= self.make_session_effects(takes)
        tool: Document = {"kind": "action", "takes": takes, "effects": effects}
        if self.chance(0.6):
            tool["requires"] = {
                "id": "G",
                "is": self.make_session_guard(takes) or self.make_guard(seen, paths, takes),
                "refusal": "not_now",
                "says": "it cannot be done now",
            }
        tool["returns"] = [name.path for name in paths if name.kind != "text" and self.chance(0.3)]
        self.tools[f"doThing{number}"] = tool

    def make_session_effects(self, takes: Mapping[str, str]) -> Document:
        """Return what an action notes of whom it has served, and of what was said."""
        effects: Document = {}
        served = [name for name, what in takes.items() if what == self.case["served"]["to"]]
        if served and self.chance(0.4):
            lost = "missing" if self.chance(0.2) else ""
            effects["served"] = lost or self.random.choice(served)
        if "pin" in takes and self.chance(0.5):
            effects["said"] = "pin"
        return effects

    def make_session_guard(self, takes: Mapping[str, str]) -> str:
        """Return a condition on facts of the session that are no truth and no number, or none."""
        served = [name for name, what in takes.items() if what == self.case["served"]["to"]]
        there = "present(said) and " if self.case["said"].get("missing") else ""
        tests = [
            *(f"not present(served) or served == {name}" for name in served),
            *(f"present(served) and served != {name}" for name in served),
            *([f"{there}said == pin"] if "pin" in takes else []),
        ]
        return self.random.choice(tests) if tests and self.chance(0.3) else ""

    def make_parameters(self, one: str, other: str) -> dict[str, str]:
        """Return what an action takes: one record or two, and values."""
        takes = {f"from_{one}": one}
        if self.chance(0.7):
            takes[f"into_{other}"] = other
        if self.chance(0.6):
            takes["given"] = "amount"
        if self.chance(0.3):
            takes["pin"] = "pin"
        return takes

    def choose_targets(self, paths: list[Name], takes: Mapping[str, str]) -> list[Name]:
        """Return what an action writes, never what may be missing."""
        kinds = {"integer", "boolean", "label"}
        targets = [name for name in paths if name.kind in kinds and not name.may_lack]
        near = [name for name in targets if name.path.count(".") == 1]
        chosen = self.random.sample(near, min(len(near), self.random.choice([1, 1, 2, 2, 3])))
        if self.chance(0.35):
            chosen.append(self.random.choice(targets))
        tables = [table for table in takes.values() if table in self.tables]
        if len(set(tables)) < len(tables) and self.chance(0.6):
            # As a transfer: one column of two records.
            column = self.random.choice(["amount_held", "amount_held", "is_open"])
            chosen += [name for name in near if name.path.endswith(f".{column}")]
        return list(dict.fromkeys(chosen))

    def make_effect(self, target: Name, seen: list[Name], paths: list[Name]) -> str:
        """Return what an effect writes to a field of a table."""
        if target.kind == "boolean":
            return self.random.choice(["yes", "no", self.make_condition(seen)])
        if target.kind == "label":
            label = self.random.choice(LABELS)
            if self.chance(0.5):
                rest = self.random.choice(["unchanged", *(f"'{other}'" for other in LABELS)])
                return f"'{label}' if {self.make_condition(seen)} else {rest}"
            return label
        numbers = [name.path for name in seen if name.kind == "integer"]
        value = self.random.choice(
            [
                f"{target.path} + {self.random.choice(numbers)}",
                f"{target.path} - {self.random.choice(numbers)}",
                f"{target.path} + 1",
                f"unchanged - {self.random.choice(numbers)}",
                self.random.choice(numbers),
            ]
        )
        spare = [name.path for name in paths if name.may_lack and name.kind == "integer"]
        if spare and self.chance(0.3):
            name = self.random.choice(spare)
            value = f"{name} if present({name}) else {value}"
        if self.chance(0.25):
            return f"{value} if {self.make_condition(seen)} else unchanged"
        return value

    def make_guard(self, seen: list[Name], paths: list[Name], takes: Mapping[str, str]) -> str:
        words = [name.path for name in paths if name.path.endswith(".word")]
        if "pin" in takes and words and self.chance(0.7):
            return f"pin == {self.random.choice(words)}"
        return self.make_condition(seen)

    # conditions

    def make_condition(self, names: Iterable[Name], optional: Iterable[Name] = ()) -> str:
        """Return a condition on values that are there, and on some that may be missing."""
        names, optional = list(names), list(optional)
        if self.chance(0.25):
            word = self.random.choice(["and", "or"])
            return f"({self.make_test(names)}) {word} ({self.make_test(names)})"
        if optional and self.chance(0.35):
            name = self.random.choice(optional)
            test = self.make_test([name, *([name] * len(names)), *names])
            return (
                f"present({name.path}) and {test}"
                if self.chance(0.7)
                else (f"not present({name.path}) or {test}")
            )
        return self.make_test(names)

    def make_test(self, names: list[Name]) -> str:
        name = self.random.choice([name for name in names if name.kind != "text"])
        if name.kind == "boolean":
            return self.random.choice([name.path, f"not {name.path}"])
        if name.kind == "label":
            return f"{name.path} {self.random.choice(['==', '!='])} '{self.random.choice(LABELS)}'"
        alike = [other.path for other in names if (other.kind, other.to) == (name.kind, name.to)]
        if name.kind == "reference":
            return f"{name.path} {self.random.choice(['==', '!='])} {self.random.choice(alike)}"
        relation = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        other = self.random.choice([*alike, str(self.random.randint(0, MOST))])
        return f"{name.path} {relation} {other}"

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


# ---------------------------------------------------------------------------------------- frames


def make_frames(document: Document, count: int, seed: object) -> list[Frame]:
    """Return frames with two or three records in each table."""
    random = Random(f"frames {seed}")  # noqa: S311 - no secret
    return [_make_frame(document["model"]["entities"], random, turn) for turn in range(count)]


def _make_frame(entities: Mapping[str, Any], random: Random, turn: int) -> Frame:
    case, *names = entities
    keys = {
        name: [f"{LETTERS[name]}000{place}" for place in range(random.choice([2, 2, 3]))]
        for name in names
    }
    tables = {
        name: {
            key: {
                column: key if column == entities[name]["key"] else _draw(item, keys, random)
                for column, item in entities[name]["fields"].items()
            }
            for key in keys[name]
        }
        for name in names
    }
    own: Record = {
        name: _draw(item, keys, random)
        for name, item in entities[case]["fields"].items()
        if item["role"] == "input"
    }
    return Frame({**own, "request_id": f"Q{turn:06}"}, tables)


def _draw(item: Mapping[str, Any], keys: Mapping[str, list[str]], random: Random) -> Natural | None:
    if item.get("missing") and random.random() < 0.25:
        return None
    if item["type"] == "reference":
        if item.get("dangling_share") and random.random() < 0.15:
            return f"{LETTERS[item['to']]}99{random.randint(10, 11)}"
        return random.choice(keys[item["to"]])
    if item["type"] == "integer":
        return Fraction(random.randint(item["min"], item["max"]))
    if item["type"] == "boolean":
        return random.random() < 0.5
    return str(random.choice(item.get("values", ["W0", "W1"])))
