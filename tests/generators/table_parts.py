"""What a made domain with tables has: its tables, its case, its tools, and what these may name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

MOST = 3
"""The greatest value of each number."""
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


class PartsMaker:
    """Makes the tables, the case and the tools of one document."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.tables: dict[str, Document] = {}
        self.case: Document = {}
        self.tools: dict[str, Document] = {}

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
