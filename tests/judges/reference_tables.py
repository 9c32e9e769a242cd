"""What a domain with tables does with a case, worked out from its document alone.

It shares no code with SOPForge. A *frame* is what a task begins with: the fields of the case, and
the records of each table by their keys. Numbers are fractions, yes or no is a truth value, labels
and keys are texts, and what is missing is None.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from tests.judges import reference_interpreter
from tests.judges.reference_decisions import decision
from tests.judges.reference_interpreter import Meaning, Natural

Record: TypeAlias = dict[str, "Natural | None"]
Tables: TypeAlias = dict[str, dict[str, Record]]
Document: TypeAlias = Mapping[str, Any]
OUT_OF_RANGE, SAME_RECORD, UNKNOWN_RECORD = "out_of_range", "same_record", "unknown_record"


@dataclass
class Frame:
    """What a task begins with."""

    case: Record
    tables: Tables


@dataclass(frozen=True)
class Call:
    """A call as an agent sees it: a result, or the code of a refusal."""

    tool: str
    arguments: Record
    result: Record
    refusal: str = ""


@dataclass
class Walk:
    """What became of a case; ``end`` says how it ended: "" at an end, else why not there."""

    known: Record
    path: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    end: str = ""
    changed: Tables = field(default_factory=dict)
    session: Record = field(default_factory=dict)


class RefusedError(Exception):
    """A tool refuses with a code."""


class ReferenceTables:
    """Walks frames through the procedure of a document."""

    def __init__(self, model: Document) -> None:
        self.model = model
        self.entities: Document = model["entities"]
        self.case = next(iter(self.entities))
        self.fields: Document = self.entities[self.case]["fields"]
        self.decisions = {
            name: decision(document, self.fields[name].get("values", ()))
            for name, document in model.get("decisions", {}).items()
        }

    def walk(self, frame: Frame) -> Walk:
        """Return what becomes of a case; the frame stays as it is."""
        tables = {
            table: {key: dict(record) for key, record in records.items()}
            for table, records in frame.tables.items()
        }
        stated = {name for name, item in self.fields.items() if item["role"] == "input"}
        done = Walk({name: frame.case[name] for name in frame.case if name in stated})
        done.session = {
            name: as_natural(item, item.get("starts"))
            for name, item in self.fields.items()
            if item["role"] == "session"
        }
        self.follow_steps(done, tables)
        done.changed = _find_changes(frame.tables, tables)
        return done

    def follow_steps(self, done: Walk, tables: Tables) -> None:
        steps = self.model["procedure"]["steps"]
        at: str | None = self.model["procedure"]["start"]
        rounds: Counter[str] = Counter()
        while at is not None:
            step = steps[at]
            done.path.append(at)
            code = self.call(step, done, tables) if step.get("call") else ""
            if code:
                at = step.get("refused", {}).get(code)
                if at is None:
                    done.end = code
                else:
                    done.path.append(f"{done.path[-1]}.{code}")
                continue
            for name in step.get("decide", ()):
                found = self.decisions[name](done.known)
                if found is None:
                    done.end = name
                    return
                done.known[name] = found
            at = self.leave(step, done, rounds)

    def leave(self, step: Document, done: Walk, rounds: Counter[str]) -> str | None:
        """Return the step after a step, None after an end."""
        if "end" in step:
            for name, raw in step["end"].items():
                done.known[name] = as_natural(self.fields[name], raw)
            return None
        for number, edge in enumerate(step["edges"], 1):
            if "when" not in edge or meaning(edge["when"])(done.known):
                name = f"{done.path[-1]}.{number}"
                done.path.append(name)
                rounds[name] += 1
                is_used_up = "at_most" in edge and rounds[name] > edge["at_most"]
                return str(edge["then"] if is_used_up else edge["to"])
        raise AssertionError("no edge can be taken")

    # calls

    def call(self, step: Document, done: Walk, tables: Tables) -> str:
        """Make the call of a step, and return the code with which it is refused, or nothing."""
        tool = self.model["tools"][step["call"]]
        parameters: Document = tool["takes"]
        given = {name: step.get("with", {}).get(name, name) for name in parameters}
        arguments = {name: done.known[path] for name, path in given.items()}
        try:
            result = self.answer(tool, arguments, tables, done.session)
        except RefusedError as refused:
            done.calls.append(Call(step["call"], arguments, {}, str(refused)))
            return str(refused)
        named = {path.replace(".", "_"): value for path, value in result.items()}
        done.calls.append(Call(step["call"], arguments, named))
        for path, value in result.items():
            first, _, rest = path.partition(".")
            done.known[f"{given[first]}.{rest}"] = value
        return ""

    def answer(self, tool: Document, arguments: Record, tables: Tables, session: Record) -> Record:
        """Return the results of a call by their paths, and change tables and session.

        Raises:
            RefusedError: the tool refuses.
        """
        effects: Document = tool.get("effects", {})
        seen = self.look(tool, arguments, tables, session)
        guard = tool.get("requires")
        if guard and not meaning(str(guard["is"]))(seen):
            raise RefusedError(guard["refusal"])
        places = {
            path: self.place(tool, path, arguments, tables) for path in effects if "." in path
        }
        if len(set(places.values())) < len(places):
            raise RefusedError(SAME_RECORD)
        new = {path: self.work_out(path, raw, places, seen) for path, raw in effects.items()}
        for path, value in new.items():
            self.check_range(self.describe_target(path, places), value)
        for path, value in new.items():
            if path in places:
                table, key, column = places[path]
                tables[table][key][column] = value
            else:
                session[path] = value
        found: Record = {}
        for path in tool.get("returns", ()):
            table, key, column = self.place(tool, path, arguments, tables)
            found[path] = tables[table][key][column]
        return found

    def look(self, tool: Document, arguments: Record, tables: Tables, session: Record) -> Record:
        """Return what guard and effects of a call may name.

        Raises:
            RefusedError: a record is lacking that the call is about.
        """
        texts = [str(raw) for raw in tool.get("effects", {}).values()]
        texts += [str(tool["requires"]["is"])] if tool.get("requires") else []
        paths = {path for text in texts for path in iterate_paths(text)}
        paths |= {*tool.get("returns", ()), *tool.get("effects", {})}
        for name, kind in tool["takes"].items():
            if kind in self.entities:
                self.find(tables, kind, arguments[name])
        seen: Record = {**session, **arguments}
        for path in sorted(path for path in paths if "." in path):
            table, key, column = self.place(tool, path, arguments, tables)
            seen[path] = tables[table][key][column]
        return seen

    def work_out(
        self, path: str, raw: object, places: Mapping[str, tuple[str, str, str]], seen: Record
    ) -> Natural | None:
        """Return what an effect writes."""
        item = self.describe_target(path, places)
        if item["type"] == "boolean" and raw in {"yes", "no"}:
            return raw == "yes"
        if raw == "missing":
            return None
        if isinstance(raw, str) and raw in item.get("values", ()):
            return raw
        return meaning(str(raw))({**seen, "unchanged": seen[path]})

    def describe_target(self, path: str, places: Mapping[str, tuple[str, str, str]]) -> Document:
        """Return the field that an effect writes, as the document has it."""
        table, _, column = places.get(path, ("", "", path))
        item: Document = self.entities[table]["fields"][column] if table else self.fields[column]
        return item

    def check_range(self, item: Document, value: Natural | None) -> None:
        if isinstance(value, Fraction) and not item["min"] <= value <= item["max"]:
            raise RefusedError(OUT_OF_RANGE)

    def find(self, tables: Tables, table: str, key: Natural | None) -> Record:
        if not isinstance(key, str) or key not in tables[table]:
            raise RefusedError(UNKNOWN_RECORD)
        return tables[table][key]

    def place(
        self, tool: Document, path: str, arguments: Record, tables: Tables
    ) -> tuple[str, str, str]:
        """Return the table, key and column that a path from a parameter leads to."""
        first, *inner, last = path.split(".")
        table, key = tool["takes"][first], arguments[first]
        for name in inner:
            record = self.find(tables, table, key)
            table, key = self.entities[table]["fields"][name]["to"], record[name]
        self.find(tables, table, key)
        return table, str(key), last


@cache
def meaning(text: str) -> Meaning:
    """Return the function of rows that an expression stands for, each read once."""
    return reference_interpreter.meaning(text)


def as_natural(item: Document, raw: object) -> Natural | None:
    """Return a value as documents write it."""
    if raw is None:
        return None
    if item["type"] == "boolean":
        return raw in {"yes", True}
    return Fraction(str(raw)) if item["type"] in {"integer", "number"} else str(raw)


def iterate_paths(text: str) -> Iterator[str]:
    """Yield the paths with points that a text names."""
    yield from _list_paths(text)


@cache
def _list_paths(text: str) -> tuple[str, ...]:
    tree = ast.walk(ast.parse(text, mode="eval"))
    return tuple(ast.unparse(node) for node in tree if isinstance(node, ast.Attribute))


def _find_changes(before: Tables, after: Tables) -> Tables:
    changed: Tables = {}
    for table, records in after.items():
        for key, record in records.items():
            differing = {
                name: value for name, value in record.items() if before[table][key][name] != value
            }
            if differing:
                changed.setdefault(table, {})[key] = differing
    return changed
