"""The harness of the proof that pairs are what they are said to be, and that none is overlooked.

The answers are those of the reference, which knows nothing of SOPForge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.coverage.goal_rows import GoalRows
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.deciding import has_acted as is_said_to_act
from sopforge.proof.dataset.pairs.deciding import list_deciding_leaves
from sopforge.proof.dataset.pairs.refusal_pairs import TRIED, Alone, Paired, find_pairs
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.generators.scopes import natural
from tests.generators.table_parts import Document
from tests.generators.tables import write_document
from tests.judges.brute_calls import has_acted
from tests.judges.brute_pairs import Neighbours
from tests.judges.reference_tables import Frame, Tables
from tests.judges.table_agreement import DisagreementError

Row = Mapping[str, "Value | None"]


@dataclass
class PairTally:
    """How many pairs there are, and the leaves without by their reasons.

    ``beside`` are neighbours that pairs do not ask for, by why: of further cases, or apart in a
    datum that the leaf does not read.
    """

    pairs: int = 0
    alone: Counter[str] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)


class PairsChecked:
    """A document with its model, whose pairs are held to the reference."""

    def __init__(self, document: Document, number: int) -> None:
        self.name, self.number, self.document = f"tables {number}", number, document
        self.model = read_domain(write_document(document), f"{self.name}.yaml")
        followed = {entity.key for entity in self.model.references}
        self.case, *_ = document["model"]["entities"].values()
        self.unread = {
            name
            for name, item in self.case["fields"].items()
            if item["type"] == "reference" and item["role"] == "input" and name not in followed
        }
        self.neighbours = Neighbours(document["model"], self.unread)

    def check(self, rows: int, tally: PairTally) -> None:
        """Hold all pairs, and all leaves without, to the reference.

        Raises:
            DisagreementError: one of them is otherwise.
        """
        tasks = self.draw_tasks(rows)
        places = Places(self.model, self.number)
        paired = find_pairs(self.model, tasks, places, GoalRows(self.model, places).draw_full_row)
        groups: dict[str, list[Candidate]] = {}
        for task in paired.tasks:
            if task.pair:
                groups.setdefault(task.pair, []).append(task)
        for leaf, two in groups.items():
            self.check_pair(leaf, two)
            tally.pairs += 1
        for leaf, why in paired.alone.items():
            self.check_alone(leaf, why, paired, tally)
            tally.alone[why.value] += 1
        self.check_names(tasks, {*groups, *paired.alone})

    def draw_tasks(self, rows: int) -> list[Candidate]:
        drawn = sample_rows(self.model, self.number, range(rows))
        found = [
            Candidate(f"task-{place}", f"drawn {place}", place, row, label_row(self.model, row))
            for place, row in enumerate(drawn)
        ]
        return [task for task in found if not task.walk.refusal and not task.walk.undecided]

    def compare(self, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            raise DisagreementError(f"{self.name}: {what} is {found}, by the reference {wanted}")

    def check_pair(self, leaf: str, two: Sequence[Candidate]) -> None:
        """Hold a pair to it: one acts, one datum is apart, and the leaf alone is otherwise."""
        frames = sorted(map(self.as_frame, two), key=self.is_acting)
        refused, carried_out = (self.neighbours.take(frame) for frame in frames)
        ends = (refused.walk.end, carried_out.walk.end)
        self.compare(f"end of the pair of {leaf}", ends, ("", ""))
        acting = list(map(self.is_acting, frames))
        self.compare(f"who acts of the pair of {leaf}", acting, [False, True])
        if not self.neighbours.differ_in_one(*frames):
            raise DisagreementError(f"{self.name}: the pair of {leaf} is apart in more: {frames}")
        named = self.neighbours.name_leaf(refused, leaf)
        if named is None or not self.neighbours.is_turned(named, refused, carried_out, frames[1]):
            raise DisagreementError(f"{self.name}: {leaf} decides otherwise of {frames}")

    def check_alone(self, leaf: str, why: Alone, paired: Paired, tally: PairTally) -> None:
        """Hold it that where there is said to be proof, no neighbour is found."""
        tried = self.list_tried(leaf, paired)
        for place, task in enumerate(tried):
            frame = self.as_frame(task.row)
            for found in self.neighbours.find_neighbours(frame, leaf, Random(place)):  # noqa: S311 - no secret
                if place >= TRIED:
                    tally.beside["of a further case"] += 1
                elif not found.is_read:
                    tally.beside["by what the leaf does not read"] += 1
                elif why in {Alone.PROVED, Alone.NO_DATUM}:
                    raise DisagreementError(
                        f"{self.name}: {leaf} has a neighbour ({why}): {frame}, {found.frame}"
                    )
                else:
                    tally.beside[why.value] += 1
                break

    def list_tried(self, leaf: str, paired: Paired) -> list[Candidate]:
        """Return some cases that a leaf refuses, first those that were tried."""
        refused = [
            task
            for task in paired.tasks
            if not is_said_to_act(self.model, task.walk) and leaf in self.list_leaves(task)
        ]
        # Leaves are paired in their order: a task of an earlier one's pair is tried last.
        refused.sort(key=lambda task: bool(task.pair and task.pair < leaf))
        return refused[: TRIED + 1]

    def list_leaves(self, task: Candidate) -> set[str]:
        return {leaf.id for leaf in list_deciding_leaves(self.model, task.row, task.walk)}

    def check_names(self, tasks: Sequence[Candidate], named: set[str]) -> None:
        """Hold it that each leaf that refuses some case is of a pair, or is said to have none."""
        for task in tasks:
            course = self.neighbours.take(self.as_frame(task.row))
            acts = is_said_to_act(self.model, task.walk)
            self.compare("acts", acts, has_acted(self.neighbours, course))
            leaves = set() if acts else self.list_leaves(task)
            self.compare("leaves without a word", leaves - named, set())
            for leaf in leaves:
                if self.neighbours.name_leaf(course, leaf) is None:
                    raise DisagreementError(f"{self.name}: {leaf} does not decide on {task.row}")

    def is_acting(self, frame: Frame) -> bool:
        return has_acted(self.neighbours, self.neighbours.take(frame))

    # frames of rows

    def as_frame(self, row: Row | Candidate) -> Frame:
        """Return what a row says as a frame; of what nothing reads, there is some record."""
        values = row.row if isinstance(row, Candidate) else row
        case = {item.name: natural(item.type, values[item.name]) for item in self.model.inputs}
        entities: Document = self.document["model"]["entities"]
        tables: Tables = {name: {} for name in list(entities)[1:]}
        for entity in self.model.references:
            if values[entity.name] is None:
                continue
            key = str(values[entity.key])
            record = tables[entity.table].setdefault(key, {entities[entity.table]["key"]: key})
            for name in entity.fields:
                item = self.model.fields[name]
                record[item.column] = natural(item.type, values[name])
        keys = {values[entity.key] for entity in self.model.references}
        for name in self.unread:
            if case[name] is not None and case[name] not in keys:
                self.fill(tables, self.case["fields"][name]["to"], str(case[name]))
        return Frame(case, tables)

    def fill(self, tables: Tables, table: str, key: str) -> None:
        fields = self.document["model"]["entities"][table]["fields"]
        frame = Frame({}, tables)
        record = {
            name: (self.neighbours.list_all_values(item, frame) or [None])[0]
            for name, item in fields.items()
        }
        tables[table][key] = {**record, f"{table}_no": key}


def check_pairs(document: Document, number: int, rows: int, tally: PairTally) -> None:
    """Hold the pairs of the domain of a number to the reference.

    Raises:
        DisagreementError: one of them is otherwise.
    """
    PairsChecked(document, number).check(rows, tally)
