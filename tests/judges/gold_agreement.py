"""The harness of the proof that gold says of calls and deciding nodes what trying everything shows.

The answers are those of the reference, which knows nothing of SOPForge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.logic.walking import Walk
from sopforge.proof.dataset.gold.deciders import describe_decider
from sopforge.proof.dataset.gold.minimal import find_minimal_calls
from sopforge.proof.dataset.gold.order import derive_walk_needs
from sopforge.proof.dataset.oracle import label_row
from tests.generators.frames import make_frames
from tests.generators.table_parts import Document
from tests.generators.tables import write_document
from tests.judges.brute_calls import Cell, Course, Recorder, has_acted
from tests.judges.brute_leaves import Decided, find_decided, list_leaves, list_turning
from tests.judges.reference_tables import Frame
from tests.judges.table_agreement import DisagreementError, as_row


@dataclass
class GoldTally:
    """How much a run has tried: orders, calls that are left out, deciding nodes by their kind."""

    frames: int = 0
    orders: Counter[bool] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    deciders: Counter[str] = field(default_factory=Counter)


class GoldChecked:
    """A document with its model, whose gold is held to the reference on frames."""

    def __init__(self, document: Document, name: str) -> None:
        self.name = name
        self.model: DomainModel = read_domain(write_document(document), f"{name}.yaml")
        self.recorder = Recorder(document["model"])

    def check(self, frames: Sequence[Frame], tally: GoldTally, *, is_thorough: bool) -> None:
        """Hold orders, needed calls and deciders of all frames that come to an end.

        To count the calls that are kept and nothing needs takes as long as all else.

        Raises:
            DisagreementError: gold says something else than the reference.
        """
        for number, frame in enumerate(frames):
            course = self.recorder.take(frame)
            if course.walk.end:
                continue
            row = as_row(self.model, frame)
            walk, random = label_row(self.model, row), Random(number)  # noqa: S311 - no secret
            tally.frames += 1
            self.check_orders(frame, course, walk, random, tally)
            kept = find_minimal_calls(self.model, row, walk)
            self.check_kept(frame, course, kept, random, tally)
            if is_thorough:
                self.count_kept(frame, course, kept, random, tally)
            said = describe_decider(self.model, row, walk)
            tally.deciders[self.check_decider(frame, course, said)] += 1

    def compare(self, frame: Frame, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            raise DisagreementError(
                f"{self.name}: {what} is {found}, by the reference {wanted}, of {frame}"
            )

    def check_orders(
        self, frame: Frame, course: Course, walk: Walk, random: Random, tally: GoldTally
    ) -> None:
        """Hold it that just the orders may be which can be, and in which what acts stays."""
        needs = derive_walk_needs(self.model, walk)
        for drawn in self.recorder.iterate_orders(course, random):
            order = self.recorder.exchange_equal(course, drawn)
            turn = {place: number for number, place in enumerate(order)}
            found = all(
                turn[earlier] < turn[place]
                for place, needed in enumerate(needs)
                for earlier in needed
            )
            wanted = self.recorder.is_in_place(course, order) and self.recorder.is_workable(
                frame, course, order
            )
            self.compare(frame, f"order {order}", found, wanted)
            tally.orders[wanted] += 1

    def check_kept(
        self,
        frame: Frame,
        course: Course,
        kept: frozenset[int],
        random: Random,
        tally: GoldTally,
    ) -> None:
        """Hold it that whoever makes the needed calls alone can make them, and knows the end."""
        made = self.recorder.list_makeable(frame, course, kept)
        self.compare(frame, "needed calls", sorted(kept), made)
        self.compare(frame, "lost writes", self.recorder.list_writes(course) - kept, set())
        left = set(range(len(course.made))) - kept
        tally.calls["left out"] += len(left)
        tally.calls["needed"] += len(kept)
        if left:
            cells = self.list_shown(frame, course, left)
            others = self.recorder.iterate_varied(frame, cells, random)
            other = self.recorder.find_other_ending(course, made, others)
            self.compare(frame, f"frame that looks alike by {made}", other, None)

    def count_kept(
        self,
        frame: Frame,
        course: Course,
        kept: frozenset[int],
        random: Random,
        tally: GoldTally,
    ) -> None:
        """Count the calls that are said to be needed, and of which no frame is found to show it."""
        writes = self.recorder.list_writes(course)
        for place in sorted(kept - writes):
            rest = self.recorder.list_makeable(frame, course, kept - {place})
            tally.calls["needed, no writes"] += 1
            if not writes <= set(rest):
                continue
            cells = self.list_shown(frame, course, set(range(len(course.made))) - set(rest))
            others = self.recorder.iterate_varied(frame, cells, random)
            if self.recorder.find_other_ending(course, rest, others) is None:
                tally.calls["not shown to be needed"] += 1

    def list_shown(self, frame: Frame, course: Course, places: set[int]) -> list[Cell]:
        return list(
            dict.fromkeys(
                cell
                for place in sorted(places)
                for cell in self.recorder.list_shown(frame, course.made[place])
            )
        )

    def check_decider(self, frame: Frame, course: Course, said: Mapping[str, object]) -> str:
        """Hold step, node, code and parts of what decided; return of which kind it is."""
        self.compare(frame, "acts", said["acts"], has_acted(self.recorder, course))
        decided = find_decided(self.recorder, course)
        if decided is None:
            self.compare(frame, "decider", said.get("node"), None)
            return "nothing"
        found = (said.get("step"), said.get("refusal", ""))
        self.compare(frame, "decider", found, (decided.step, decided.refusal))
        node = str(said["node"])
        if decided.is_own:
            self.compare(frame, "node", node[: len(decided.node)], decided.node)
            return decided.refusal
        self.compare(frame, "node", node, decided.node)
        parts = said["parts"]
        assert isinstance(parts, list)
        self.check_parts(frame, parts, decided)
        return "guard" if decided.refusal else "edge" if node.startswith(decided.step) else "rule"

    def check_parts(self, frame: Frame, parts: Sequence[str], decided: Decided) -> None:
        """Hold it that those comparisons are named that alone would have changed a condition."""
        if len(decided.tests) != 1:
            self.compare(frame, f"parts of {decided.node}", parts, [])
            return
        sure, possible = list_turning(decided.tests[0], decided.seen)
        is_one = len(list_leaves(decided.tests[0])) == 1
        names = {
            place: decided.node if is_one else f"{decided.node}, part {place}" for place in possible
        }
        lacking = [names[place] for place in sure if names[place] not in parts]
        surplus = [name for name in parts if name not in names.values()]
        self.compare(frame, f"parts of {decided.node}", (lacking, surplus), ([], []))


def check_gold(
    document: Document, number: int, frames: int, tally: GoldTally, *, is_thorough: bool
) -> None:
    """Hold the gold of the domain of a number to the reference.

    Raises:
        DisagreementError: gold says something else.
    """
    made = make_frames(document, frames, number)
    GoldChecked(document, f"tables {number}").check(made, tally, is_thorough=is_thorough)
