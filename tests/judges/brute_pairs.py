"""What sets two cases apart, and all cases that one datum sets apart from another.

It shares no code with SOPForge. A datum is a value that the case states, a column of a record, or
the record that a reference leads to, with all beyond it. Keys are identifiers and no data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from tests.judges.brute_calls import Course, Made, Recorder, has_acted
from tests.judges.brute_leaves import Decided, find_decided, holds_leaf, list_leaves
from tests.judges.reference_interpreter import Natural
from tests.judges.reference_tables import OUT_OF_RANGE, Document, Frame, Record

FRESH = 20
"""How many records that are not there yet a reference is led to, one after another."""
MOST_REFERENCES = 3


@dataclass
class Sight:
    """All that a case can come to read: values by their paths, and where references lead.

    ``keys`` has the key of each reference that is there, ``found`` those that lead to a record.
    """

    values: Record = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    found: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class NamedLeaf:
    """A comparison that decided a case, of a step; without text, what a tool checks by itself."""

    decided: Decided
    text: str


@dataclass(frozen=True)
class Neighbour:
    """A case one datum apart; whether the datum is one that the comparison itself reads."""

    frame: Frame
    is_read: bool


class Neighbours(Recorder):
    """Tries the cases that differ in one datum; to what is ``unread``, no path leads."""

    def __init__(self, model: Document, unread: Iterable[str] = ()) -> None:
        super().__init__(model)
        self.unread = frozenset(unread)

    def see(self, frame: Frame) -> Sight:
        """Return all that a case can come to read."""
        sight = Sight()
        names = [name for name, item in self.fields.items() if item["role"] == "input"]
        for name in names:
            self.see_field(frame, name, self.fields[name], frame.case[name], sight)
        del sight.values[names[0]]
        return sight

    def see_field(
        self, frame: Frame, path: str, item: Document, value: Natural | None, sight: Sight
    ) -> None:
        if item["type"] != "reference":
            sight.values[path] = value
            return
        through = [sight.tables[part] for part in list_holders(path)]
        if value is None or item["to"] in through or len(through) == MOST_REFERENCES:
            return
        sight.keys[path], sight.tables[path] = str(value), item["to"]
        if path in self.unread:
            sight.found.add(path)
            return
        record = frame.tables[item["to"]].get(str(value))
        if record is None:
            return
        sight.found.add(path)
        for name, column in self.entities[item["to"]]["fields"].items():
            if name in record and name != self.entities[item["to"]]["key"]:
                self.see_field(frame, f"{path}.{name}", column, record[name], sight)

    def differ_in_one(self, one: Frame, other: Frame) -> bool:
        """Return whether two cases differ in one datum besides identifiers."""
        sights = self.see(one), self.see(other)
        paths = sights[0].values.keys() | sights[1].values.keys()
        apart = {path for path in paths if _get(sights[0], path) != _get(sights[1], path)}
        led = {
            path
            for path in sights[0].keys.keys() | sights[1].keys.keys()
            if _describe(sights[0], path) != _describe(sights[1], path)
        }
        turned = set(iterate_turned(*sights))
        if not led and not turned:
            return len(apart) == 1 or len({self.name_cell(sights[0], path) for path in apart}) == 1
        return any(
            self.explains(sights, path, apart | led, turned)
            for path in sights[0].keys.keys() | sights[1].keys.keys()
        )

    def name_cell(self, sight: Sight, path: str) -> tuple[str, str]:
        holder, _, column = path.rpartition(".")
        return sight.keys.get(holder, ""), column

    def explains(
        self,
        sights: tuple[Sight, Sight],
        reference: str,
        apart: Iterable[str],
        turned: Iterable[tuple[str, str]],
    ) -> bool:
        """Return whether all that differs is that a reference leads elsewhere."""
        cell = {self.name_cell(sight, reference) for sight in sights}
        alike = {reference} | {
            path
            for sight in sights
            for path in sight.keys
            if "." in path and self.name_cell(sight, path) in cell
        }

        def is_below(path: str) -> bool:
            return any(path == name or path.startswith(f"{name}.") for name in alike)

        return all(map(is_below, apart)) and all(
            is_below(one) or is_below(other) for one, other in turned
        )

    # leaves

    def name_leaf(self, course: Course, name: str) -> NamedLeaf | None:
        """Return the comparison of a name, where it is of what decided a case."""
        decided = find_decided(self, course)
        node, _, part = name.partition(", part ")
        if decided is None:
            return None
        if decided.is_own:
            return NamedLeaf(decided, "") if node.startswith(decided.node) else None
        leaves = [leaf for test in decided.tests for leaf in list_leaves(test)]
        return NamedLeaf(decided, leaves[int(part or 1) - 1]) if node == decided.node else None

    def is_turned(self, leaf: NamedLeaf, refused: Course, other: Course, frame: Frame) -> bool:
        """Return whether a comparison comes out otherwise in another case, where it is asked."""
        if not leaf.text:
            made = self.find_call(leaf.decided, refused, other)
            earlier = other.made[: other.made.index(made)] if made else ()
            # What its own action changed before decided nothing.
            has_written = any(self.acts(call.tool) and not call.refusal for call in earlier)
            return made is None or has_written or made.refusal != leaf.decided.refusal
        seen = self.find_seen(leaf.decided, refused, other, frame)
        return seen is not None and holds_leaf(leaf.text, seen) != holds_leaf(
            leaf.text, leaf.decided.seen
        )

    def find_call(self, decided: Decided, refused: Course, other: Course) -> Made | None:
        """Return the first call that asks of another case what decided."""
        asked = next(made for made in refused.made[::-1] if made.step == decided.step)
        return next(
            (made for made in other.made if (made.tool, made.given) == (asked.tool, asked.given)),
            None,
        )

    def find_seen(
        self, decided: Decided, refused: Course, other: Course, frame: Frame
    ) -> Record | None:
        """Return by what another case is judged where this one was decided.

        The records are those of its beginning: what its own action changed decided nothing.
        """
        if decided.refusal:
            made = self.find_call(decided, refused, other)
            return self.begin_again(made, frame) if made else None
        beginning = {path: value for path, value in self.see(frame).values.items() if "." in path}
        place = len(other.walk.path) - 1
        if decided.step in other.walk.path:
            place = other.walk.path.index(decided.step)
        known = other.known.get(place + 1, other.walk.known)
        return {**known, **frame.case, **beginning}

    def begin_again(self, made: Made, frame: Frame) -> Record | None:
        """Return what a call would see had nothing been changed before it."""
        values = self.see(frame).values
        if made.seen is None:
            return None
        placed = {path: path.partition(".") for path in made.seen if "." in path}
        actual = {p: f"{made.given[first]}.{rest}" for p, (first, _, rest) in placed.items()}
        return {**made.seen, **{p: values[name] for p, name in actual.items() if name in values}}

    # one datum

    def find_neighbours(self, frame: Frame, name: str, random: Random) -> Iterator[Neighbour]:
        """Yield cases one datum apart that act, and of which a comparison is otherwise."""
        refused = self.take(frame)
        leaf = self.name_leaf(refused, name)
        assert leaf is not None
        read = set(self.iterate_read(leaf, refused))
        for path, other in self.iterate_data(frame, random):
            course = self.take(other)
            if (
                not course.walk.end
                and has_acted(self, course)
                and self.is_turned(leaf, refused, course, other)
            ):
                yield Neighbour(other, bool(read & path))

    def iterate_read(self, leaf: NamedLeaf, refused: Course) -> Iterator[str]:
        """Yield the paths that a comparison reads, directly or by decisions."""
        if not leaf.decided.refusal:
            yield from self.expand(leaf.text)
            return
        made = next(made for made in refused.made[::-1] if made.step == leaf.decided.step)
        tool = self.model["tools"][made.tool]
        texts = [leaf.text] if leaf.text else [*made.given, *self.list_paths(tool)]
        if made.refusal == OUT_OF_RANGE:
            texts += map(str, tool.get("effects", {}).values())
        for text in texts:
            for path in iterate_names(text):
                first, dot, rest = path.partition(".")
                yield made.given.get(first, first) + dot + rest

    def expand(self, text: str) -> Iterator[str]:
        for name in iterate_names(text):
            yield name
            document = self.model["decisions"].get(name)
            if document:
                parts = [document.get("value"), *(r.get("when") for r in document.get("rules", ()))]
                for part in parts:
                    yield from self.expand(str(part)) if part else ()

    def iterate_data(self, frame: Frame, random: Random) -> Iterator[tuple[set[str], Frame]]:
        """Yield the cases that one datum sets apart, each with its paths; of fresh records some."""
        sight = self.see(frame)
        yield from self.iterate_stated(frame)
        yield from self.iterate_cells(frame, sight, random)
        for path in self.list_references(sight):
            for changed in self.lead_elsewhere(frame, sight, path, random):
                yield {path, *self.list_alike(sight, path)}, changed

    def iterate_stated(self, frame: Frame) -> Iterator[tuple[set[str], Frame]]:
        """Yield the cases that state another value."""
        for name, item in self.fields.items():
            if item["role"] == "input" and not item.get("unique") and item["type"] != "reference":
                for value in self.list_all_values(item, frame):
                    yield {name}, Frame({**frame.case, name: value}, frame.tables)

    def iterate_cells(
        self, frame: Frame, sight: Sight, random: Random
    ) -> Iterator[tuple[set[str], Frame]]:
        """Yield the cases of which a record holds another value."""
        held = [path for path in sight.values if "." in path]
        for cell in {self.name_cell(sight, path): None for path in held}:
            paths = {path for path in held if self.name_cell(sight, path) == cell}
            place = (sight.tables[min(paths).rpartition(".")[0]], *cell)
            for value in self.list_values(frame, place):
                for changed in self.change(frame, {place: value}, random):
                    yield paths, changed

    def list_alike(self, sight: Sight, path: str) -> list[str]:
        """Return the other paths of a reference that a record holds."""
        cell = self.name_cell(sight, path)
        return [
            other
            for other in sight.keys
            if "." in path and "." in other and self.name_cell(sight, other) == cell
        ]

    def list_references(self, sight: Sight) -> list[str]:
        """Return the references of the case, and those of the records that it comes to."""
        own = [
            name
            for name, item in self.fields.items()
            if item["role"] == "input" and item["type"] == "reference"
        ]
        held = [
            f"{path}.{column}"
            for path in sight.found - self.unread
            for column, item in self.entities[sight.tables[path]]["fields"].items()
            if item["type"] == "reference"
        ]
        return own + sorted(held)

    def lead_elsewhere(
        self, frame: Frame, sight: Sight, path: str, random: Random
    ) -> Iterator[Frame]:
        """Yield cases of which one reference leads to another record, to none, or is missing."""
        holder, _, column = path.rpartition(".")
        fields = self.entities[sight.tables[holder]]["fields"] if holder else self.fields
        item = fields[column]
        for value in self.list_all_values(item, frame):
            yield from self.set_reference(frame, sight, path, value)
        table: Document = self.entities[item["to"]]
        for turn in range(FRESH):
            key = f"{item['to'][0].upper()}8{turn:03}"
            record = {
                name: random.choice(self.list_all_values(part, frame) or [None])
                for name, part in table["fields"].items()
                if name != table["key"]
            }
            tables = deepcopy(frame.tables)
            tables[item["to"]][key] = {table["key"]: key, **record}
            yield from self.set_reference(Frame(frame.case, tables), sight, path, key)

    def set_reference(
        self, frame: Frame, sight: Sight, path: str, value: Natural | None
    ) -> Iterator[Frame]:
        holder, _, column = path.rpartition(".")
        tables, case = deepcopy(frame.tables), dict(frame.case)
        if holder:
            tables[sight.tables[holder]][sight.keys[holder]][column] = value
        else:
            case[column] = value
        changed = Frame(case, tables)
        if self.may_be(changed):
            yield changed


def iterate_names(text: str) -> Iterator[str]:
    """Yield the names and the paths that a text reads."""
    left: list[ast.AST] = [ast.parse(text, mode="eval").body]
    while left:
        node = left.pop()
        if isinstance(node, ast.Attribute | ast.Name):
            yield ast.unparse(node)
        else:
            left += ast.iter_child_nodes(node)


def list_holders(path: str) -> list[str]:
    """Return the references that a path goes through."""
    parts = path.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def iterate_turned(one: Sight, other: Sight) -> Iterator[tuple[str, str]]:
    """Yield the references that lead to one record in one case, and to two in the other."""
    for first, second in combinations(sorted(one.keys.keys() & other.keys.keys()), 2):
        same = [
            sight.tables[first] == sight.tables[second] and sight.keys[first] == sight.keys[second]
            for sight in (one, other)
        ]
        if same[0] != same[1]:
            yield first, second


def _get(sight: Sight, path: str) -> object:
    return sight.values.get(path, "nothing there")


def _describe(sight: Sight, path: str) -> tuple[bool, bool]:
    return path in sight.keys, path in sight.found
