"""What gold calls are for, worked out by trying: other orders, and other frames that look alike.

It shares no code with SOPForge. An agent may hand over what the task states and what an earlier
call has returned; what it has not looked up may be anything that the document lets it be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import permutations, product
from math import prod
from random import Random
from typing import TypeAlias

from tests.judges.reference_interpreter import Natural
from tests.judges.reference_tables import (
    Document,
    Frame,
    Record,
    ReferenceTables,
    RefusedError,
    Tables,
    Walk,
    as_natural,
    iterate_paths,
)

MOST_TO_PERMUTE = 6
ORDERS = 150
"""How many orders are drawn where calls are too many for all of them."""
JOINT = 250
"""How many changes of several cells are tried; all where there are no more."""
Order: TypeAlias = Sequence[int]
Cell: TypeAlias = tuple[str, str, str]
"""A table, a key and a column; without a column, whether the record is there."""


@dataclass(frozen=True)
class Made:
    """A call of a walk: its step, the paths that it hands over, and what came back."""

    step: str
    tool: str
    given: Mapping[str, str]
    arguments: Record
    result: Record
    refusal: str
    seen: Record | None
    """What guard and effects read; nothing where a record was lacking."""


@dataclass
class Course:
    """A walk with its calls, and what was known where each node of its path was left."""

    walk: Walk
    made: list[Made] = field(default_factory=list)
    known: dict[int, Record] = field(default_factory=dict)


@dataclass(frozen=True)
class Ending:
    """What a case comes to: how it ends, what it has written, and its answers."""

    end: str
    writes: tuple[str, ...]
    answers: tuple[object, ...]


def name_asked(made: Made) -> str:
    """Return a call without its reply, as text."""
    return repr((made.tool, sorted(made.arguments.items())))


def has_acted(recorder: Recorder, course: Course) -> bool:
    """Return whether a case has carried out an action that writes to a table."""
    return any(
        not made.refusal
        and any("." in path for path in recorder.model["tools"][made.tool].get("effects", ()))
        for made in course.made
    )


class Recorder(ReferenceTables):
    """Walks frames, and keeps what was known and handed over meanwhile."""

    def __init__(self, model: Document) -> None:
        super().__init__(model)
        self.course = Course(Walk({}))

    def take(self, frame: Frame) -> Course:
        """Return what becomes of a case, call by call."""
        self.course = Course(Walk({}))
        self.course.walk = self.walk(frame)
        return self.course

    def call(self, step: Document, done: Walk, tables: Tables) -> str:
        tool = self.model["tools"][step["call"]]
        given = {name: step.get("with", {}).get(name, name) for name in tool["takes"]}
        arguments = {name: done.known[path] for name, path in given.items()}
        try:
            seen: Record | None = dict(self.look(tool, arguments, tables, done.session))
        except RefusedError:
            seen = None
        code = super().call(step, done, tables)
        said = done.calls[-1]
        self.course.made.append(
            Made(done.path[-1], said.tool, given, arguments, said.result, code, seen)
        )
        return code

    def leave(self, step: Document, done: Walk, rounds: object) -> str | None:
        self.course.known[len(done.path)] = dict(done.known)
        return super().leave(step, done, rounds)  # type: ignore[arg-type]

    def acts(self, tool: str) -> bool:
        """Return whether a tool may change anything."""
        return bool(self.model["tools"][tool].get("effects"))

    def begin(self) -> Record:
        """Return the facts of a session as it begins."""
        return {
            name: as_natural(item, item.get("starts"))
            for name, item in self.fields.items()
            if item["role"] == "session"
        }

    def find_ending(self, course: Course) -> Ending:
        """Return what a case comes to."""
        walk = course.walk
        writes = [name_asked(course.made[place]) for place in sorted(self.list_writes(course))]
        names = [name for name, item in self.fields.items() if item["role"] == "outcome"]
        return Ending(walk.end, tuple(writes), tuple(walk.known.get(name) for name in names))

    # orders

    def is_workable(self, frame: Frame, course: Course, order: Order) -> bool:
        """Return whether calls can be made in an order and are answered as they were."""
        tables, session = deepcopy(frame.tables), self.begin()
        known = {
            name: value
            for name, value in frame.case.items()
            if self.fields[name]["role"] == "input"
        }
        for place in order:
            made = course.made[place]
            if self.hand_over(made, known) != made.arguments:
                return False
            if self.reply(made, tables, session) != (made.result, made.refusal):
                return False
            known |= self.list_learned(made)
        return True

    def list_learned(self, made: Made) -> Record:
        """Return what a call makes known."""
        return {
            self.place_result(made, path): made.result[path.replace(".", "_")]
            for path in self.model["tools"][made.tool].get("returns", ())
            if not made.refusal
        }

    def hand_over(self, made: Made, known: Record) -> Record | None:
        """Return what a call hands over as far as it is known; nothing where some is not."""
        found: Record = {}
        for name, path in made.given.items():
            value = self.find_known(path, known)
            if path not in known and value is None:
                return None
            found[name] = value
        return found

    def find_known(self, path: str, known: Record) -> Natural | None:
        """Return a value that is known, or is decided by what is."""
        if path in known or path not in self.decisions:
            return known.get(path)
        try:
            return self.decisions[path](known)
        except KeyError:
            return None

    def place_result(self, made: Made, path: str) -> str:
        first, _, rest = path.partition(".")
        return f"{made.given[first]}.{rest}"

    def reply(self, made: Made, tables: Tables, session: Record) -> tuple[Record, str]:
        """Return what a call is answered, by its results or its refusal."""
        try:
            found = self.answer(self.model["tools"][made.tool], made.arguments, tables, session)
        except RefusedError as refused:
            return {}, str(refused)
        return {path.replace(".", "_"): value for path, value in found.items()}, ""

    def is_in_place(self, course: Course, order: Order) -> bool:
        """Return whether all that act have the same calls before them as they had."""
        return all(
            set(order[:turn]) == set(range(place))
            for turn, place in enumerate(order)
            if self.acts(course.made[place].tool)
        )

    def exchange_equal(self, course: Course, order: Order) -> Order:
        """Return an order with equal calls as they stood, for nobody can know them apart."""
        made = course.made
        written = [0]
        for call in made:
            written.append(written[-1] + self.acts(call.tool))
        same: dict[str, list[int]] = {}
        for place in range(len(made)):
            same.setdefault(self.name_call(made[place], written[place]), []).append(place)
        names = [self.name_call(made[place], written[place]) for place in order]
        return [same[name].pop(0) for name in names]

    def name_call(self, made: Made, written: int) -> str:
        return f"{name_asked(made)} {written}"

    def iterate_orders(self, course: Course, random: Random) -> Iterator[Order]:
        """Yield all orders of a few calls; of more, some in which what acts keeps its place."""
        count = len(course.made)
        if count <= MOST_TO_PERMUTE:
            yield from permutations(range(count))
            return
        for _ in range(ORDERS):
            order: list[int] = []
            free: list[int] = []
            for place in range(count):
                if self.acts(course.made[place].tool):
                    order += [*random.sample(free, len(free)), place]
                    free = []
                else:
                    free.append(place)
            yield [*order, *random.sample(free, len(free))]

    # frames that look alike

    def list_makeable(self, frame: Frame, course: Course, kept: Iterable[int]) -> list[int]:
        """Return the kept calls that an agent can make who makes no others."""
        known = {
            name: value
            for name, value in frame.case.items()
            if self.fields[name]["role"] == "input"
        }
        found: list[int] = []
        for place in sorted(kept):
            made = course.made[place]
            for path in made.given.values():
                self.learn_alike(path, known)
            if self.hand_over(made, known) == made.arguments:
                found.append(place)
                self.learn(made, known)
        return found

    def learn(self, made: Made, known: Record) -> None:
        """Take in a reply, with what it says of the same record under other references."""
        for path, value in self.list_learned(made).items():
            holder, _, column = path.rpartition(".")
            same = [name for name in known if known[name] == known.get(holder) is not None]
            known |= {f"{name}.{column}": value for name in same} | {path: value}

    def learn_alike(self, path: str, known: Record) -> None:
        """Take in what is known of a record under another reference."""
        holder, _, column = path.rpartition(".")
        if path in known or not holder:
            return
        self.learn_alike(holder, known)
        key = known.get(holder)
        for other in [other for other in known if other.rpartition(".")[2] == column]:
            if key is not None and known.get(other.rpartition(".")[0]) == key:
                known[path] = known[other]

    def list_writes(self, course: Course) -> set[int]:
        """Return the places of the calls that may have changed something."""
        return {
            place
            for place, made in enumerate(course.made)
            if self.acts(made.tool) and not made.refusal
        }

    def find_other_ending(
        self, course: Course, kept: Sequence[int], others: Iterable[Frame]
    ) -> Frame | None:
        """Return a frame that looks alike to who makes the kept calls, and ends otherwise."""
        wanted = self.find_ending(course)
        return next(
            (other for other in others if self.is_other_unseen(course, kept, other, wanted)), None
        )

    def is_other_unseen(
        self, course: Course, kept: Sequence[int], other: Frame, wanted: Ending
    ) -> bool:
        """Return whether another frame asks for another write, or answer, before it looks other.

        What a write is answered, nobody knows who has yet to choose it.
        """
        beside = self.take(other)
        found = self.find_ending(beside)
        if found.end or found == wanted:
            return False
        tried = self.list_tried(beside)
        tables, session = deepcopy(other.tables), self.begin()
        written = 0
        for place in sorted(kept):
            made = course.made[place]
            is_write = self.acts(made.tool) and not made.refusal
            if is_write and (written, name_asked(made)) not in tried:
                return True
            if self.reply(made, tables, session) != (made.result, made.refusal):
                return False
            written += is_write
        return True

    def list_tried(self, course: Course) -> set[tuple[int, str]]:
        """Return the calls that try to write, each with how many writes came before it."""
        found: set[tuple[int, str]] = set()
        written = 0
        for made in course.made:
            if self.acts(made.tool):
                found.add((written, name_asked(made)))
                written += not made.refusal
        return found

    def list_shown(self, frame: Frame, made: Made) -> list[Cell]:
        """Return the cells of the records that a call reads, whether they are there included."""
        tool = self.model["tools"][made.tool]
        records: dict[tuple[str, str], None] = {}
        for name, kind in tool["takes"].items():
            if kind in self.entities:
                records[kind, str(made.arguments[name])] = None
        for path in self.list_paths(tool):
            first, *inner = path.split(".")[:-1]
            table, key = tool["takes"][first], made.arguments[first]
            for name in inner:
                record = frame.tables[table].get(str(key))
                if record is None or record[name] is None:
                    break
                table, key = self.entities[table]["fields"][name]["to"], record[name]
                records[table, str(key)] = None
        return [
            (table, key, column)
            for table, key in records
            for column in ("", *self.entities[table]["fields"])
            if column != self.entities[table]["key"]
        ]

    def list_paths(self, tool: Document) -> list[str]:
        """Return the paths that a tool reads, writes or returns."""
        texts = [*map(str, tool.get("effects", {}).values())]
        texts += [str(tool["requires"]["is"])] if tool.get("requires") else []
        named = {path for text in texts for path in iterate_paths(text)}
        named |= {*tool.get("effects", ()), *tool.get("returns", ())}
        return sorted(path for path in named if "." in path)

    def iterate_varied(
        self, frame: Frame, cells: Sequence[Cell], random: Random
    ) -> Iterator[Frame]:
        """Yield frames that differ in some cells: each alone, and all together where few."""
        choices = {cell: self.list_values(frame, cell) for cell in cells}
        choices = {cell: values for cell, values in choices.items() if values}
        for cell, values in choices.items():
            for value in values:
                yield from self.change(frame, {cell: value}, random)
        if prod(len(values) + 1 for values in choices.values()) <= JOINT:
            changes = [[(cell, value) for value in values] for cell, values in choices.items()]
            for chosen in product(*([None, *part] for part in changes)):
                picked = dict(change for change in chosen if change is not None)
                if len(picked) > 1:
                    yield from self.change(frame, picked, random)
            return
        for _ in range(JOINT):
            some = random.sample(list(choices), random.randint(2, len(choices)))
            yield from self.change(
                frame, {cell: random.choice(choices[cell]) for cell in some}, random
            )

    def list_values(self, frame: Frame, cell: Cell) -> list[Natural | None]:
        """Return the other values that a cell may have."""
        table, key, column = cell
        if not column:
            return [key not in frame.tables[table]]
        if key not in frame.tables[table]:
            return []
        values = self.list_all_values(self.entities[table]["fields"][column], frame)
        return [value for value in values if value != frame.tables[table][key][column]]

    def list_all_values(self, item: Document, frame: Frame) -> list[Natural | None]:
        """Return all values of a field."""
        found: list[Natural | None] = [None] if item.get("missing") else []
        if item["type"] == "reference":
            found += list(frame.tables[item["to"]])
            return [*found, "A9999"] if item.get("dangling_share") else found
        if item["type"] == "integer":
            return [*found, *(as_natural(item, n) for n in range(item["min"], item["max"] + 1))]
        if item["type"] == "boolean":
            return [*found, True, False]
        return [*found, *item.get("values", ("W0", "W1"))]

    def change(
        self, frame: Frame, changes: Mapping[Cell, Natural | None], random: Random
    ) -> Iterator[Frame]:
        """Yield a frame with some cells changed, if the document lets there be one."""
        tables = deepcopy(frame.tables)
        for (table, key, column), value in changes.items():
            if not column and value:
                fields = self.entities[table]["fields"]
                drawn = {
                    name: random.choice(self.list_all_values(item, frame))
                    for name, item in fields.items()
                    if name != self.entities[table]["key"]
                }
                tables[table][key] = {self.entities[table]["key"]: key, **drawn}
            elif not column:
                del tables[table][key]
        for (table, key, column), value in changes.items():
            if column and key in tables[table]:
                tables[table][key][column] = value
        changed = Frame(frame.case, tables)
        if self.may_be(changed):
            yield changed

    def may_be(self, frame: Frame) -> bool:
        """Return whether all references that may not lead nowhere lead to a record."""
        held = [
            (item, record.get(name))
            for fields, record in self.iterate_records(frame)
            for name, item in fields.items()
            if item["type"] == "reference" and item["role"] in {"input", "observed"}
        ]
        return all(
            value is None or item.get("dangling_share") or value in frame.tables[item["to"]]
            for item, value in held
        )

    def iterate_records(self, frame: Frame) -> Iterator[tuple[Document, Record]]:
        yield self.fields, frame.case
        for table, records in frame.tables.items():
            for record in records.values():
                yield self.entities[table]["fields"], record
