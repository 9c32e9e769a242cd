"""Where the boxes of a drawn graph stand: in layers, so that lines run down and seldom cross.

The method of Sugiyama, Tagawa and Toda: lines that close a circle are turned round, boxes get
layers, long lines get a point in each layer that they pass, neighbours are ordered by the middle
of what they are joined to, and are then moved as near to it as their widths allow.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import TypeAlias

ROUNDS, STARTS = 12, 12
GAP, LAYER_GAP = 28.0, 26.0
TIP = 14.0
"""How far a line runs upright from and to its boxes, so that its arrowhead points at its box."""
LINE_PULL, BOX_PULL = 4.0, 1.0
"""How hard a point of a line and a box are drawn to their neighbours: lines would be straight."""


LOOP = 16.0
"""How far beside its beginning, on its label's side, a line ends that leads to where it began."""
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A thing to be placed, with its size; ``x`` and ``y`` are its middle."""

    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Link:
    """A line from a box to another; ``label`` is a box that stands on it."""

    id: str
    tail: str
    head: str
    label: Box


@dataclass(frozen=True, slots=True)
class Placed:
    """A line's points, from the tail to the head, and the place of its label."""

    points: tuple[Point, ...]
    label: Box
    is_back: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The size of the drawing, the boxes and the lines."""

    width: float
    height: float
    boxes: Mapping[str, Box]
    links: Mapping[str, Placed]


def compute_layout(boxes: Mapping[str, Box], links: Sequence[Link]) -> Layout:
    """Return where everything stands; the first box is at the top. Equal graphs, equal places."""
    backs = _find_back_links(list(boxes), links)
    layers = _compute_layers(list(boxes), links, backs)
    drawing = _Drawing(dict(boxes))
    chains = {link.id: drawing.add_chain(link, layers, is_back=link.id in backs) for link in links}
    for name in boxes:
        drawing.put(name, layers[name])
    drawing.order()
    drawing.move()
    return drawing.build_layout(links, chains, backs)


def _find_back_links(names: Sequence[str], links: Sequence[Link]) -> frozenset[str]:
    """Return the lines that lead back to a box from which their tail is reached."""
    onward: defaultdict[str, list[Link]] = defaultdict(list)
    for link in links:
        onward[link.tail].append(link)
    found: set[str] = set()
    done: set[str] = set()
    for first in names:
        opened = dict.fromkeys([first] if first not in done else [])
        waiting = [(name, iter(onward[name])) for name in opened]
        while waiting:
            name, rest = waiting[-1]
            following = next(rest, None)
            if following is None:
                waiting.pop()
                opened.pop(name)
                done.add(name)
            elif following.head in opened:
                found.add(following.id)
            elif following.head not in done:
                opened[following.head] = None
                waiting.append((following.head, iter(onward[following.head])))
    return frozenset(found)


def _compute_layers(
    names: Sequence[str], links: Sequence[Link], backs: frozenset[str]
) -> Mapping[str, int]:
    """Return the layer of each box: two below the lowest from which a line leads to it.

    Between two boxes there is a layer for labels. What only lines back lead away from stands high.
    """
    into: defaultdict[str, list[str]] = defaultdict(list)
    for link in links:
        if link.tail != link.head:
            upper, lower = (link.head, link.tail) if link.id in backs else (link.tail, link.head)
            into[lower].append(upper)
    found: dict[str, int] = {}
    # This comes to an end, for no circle is left: lines that closed one are turned round.
    waiting = list(reversed(names))
    while waiting:
        name = waiting[-1]
        missing = [upper for upper in into[name] if upper not in found]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        found[name] = max((found[upper] + 2 for upper in into[name]), default=0)
    return found


@dataclass(slots=True)
class _Drawing:
    """Boxes and points of lines by layer, and who is joined to whom."""

    boxes: dict[str, Box]
    rows: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    above: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    below: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    middles: dict[str, float] = field(default_factory=dict)
    points: set[str] = field(default_factory=set)

    def put(self, name: str, layer: int) -> None:
        self.rows[layer].append(name)

    def add_chain(self, link: Link, layers: Mapping[str, int], *, is_back: bool) -> list[str]:
        """Put in the points of a line, its label's first below the upper box; return them all."""
        upper, lower = (link.head, link.tail) if is_back else (link.tail, link.head)
        start, end = layers[upper], layers[lower]
        passed = range(start + 1, max(end, start + 2))
        names = [f"{link.id}@{layer}" for layer in passed]
        for place, (name, layer) in enumerate(zip(names, passed, strict=True)):
            self.boxes[name] = Box(0, 0) if place else link.label
            self.points.add(name)
            self.put(name, layer)
        is_loop = upper == lower
        for one, other in pairwise([upper, *names, *([] if is_loop else [lower])]):
            self.below[one].append(other)
            self.above[other].append(one)
        return names

    def order(self) -> None:
        """Order each layer by the middle of its neighbours, and keep the order that crosses least.

        The lines of a box begin in the order in which they were given, unless another crosses less.
        """
        self._order_by_descent()
        best, least = self._copy(), self._count_crossings()
        for start in range(STARTS):
            if start:
                self._shuffle(start)
            for turn in range(ROUNDS):
                self._sweep(is_down=turn % 2 == 0)
                crossings = self._count_crossings()
                if crossings < least:
                    best, least = self._copy(), crossings
                if least == 0:
                    break
            if least == 0:
                break
        self.rows = best

    def _shuffle(self, seed: int) -> None:
        random = Random(seed)  # noqa: S311 - it has nothing to do with secrets
        for layer in sorted(self.rows):
            random.shuffle(self.rows[layer])

    def _sweep(self, *, is_down: bool) -> None:
        joined = self.above if is_down else self.below
        for layer in sorted(self.rows, reverse=not is_down):
            self._sort(layer, joined)
        self._swap_neighbours()

    def _order_by_descent(self) -> None:
        seen: dict[str, int] = {}
        for name in [name for layer in sorted(self.rows) for name in self.rows[layer]]:
            waiting = [name]
            while waiting:
                found = waiting.pop()
                if found not in seen:
                    seen[found] = len(seen)
                    waiting.extend(reversed(self.below[found]))
        for row in self.rows.values():
            row.sort(key=seen.__getitem__)

    def _copy(self) -> defaultdict[int, list[str]]:
        return defaultdict(list, {layer: list(row) for layer, row in self.rows.items()})

    def _sort(self, layer: int, joined: Mapping[str, list[str]]) -> None:
        places = self._find_places(layer - 1, layer, layer + 1)

        def compute_middle(name: str) -> float:
            near = [places[other] for other in joined.get(name, ())]
            return sum(near) / len(near) if near else float(places[name])

        self.rows[layer].sort(key=compute_middle)

    def _swap_neighbours(self) -> None:
        """Swap neighbours wherever their lines then cross less, until no swap helps."""
        # This comes to an end, for each swap leaves fewer crossings.
        while any(self._swap_in_row(layer) for layer in sorted(self.rows)):
            pass

    def _swap_in_row(self, layer: int) -> bool:
        """Swap neighbours of a row where that helps; return whether it did anywhere."""
        row, places = self.rows[layer], self._find_places(layer - 1, layer + 1)
        ends = {
            name: [[places[other] for other in joined.get(name, ())]
                   for joined in (self.above, self.below)]
            for name in row
        }  # fmt: skip
        is_changed = False
        for place in range(1, len(row)):
            left, right = ends[row[place - 1]], ends[row[place]]
            kept, swapped = _count_inversions(left, right), _count_inversions(right, left)
            if swapped < kept:
                row[place - 1 : place + 1] = row[place], row[place - 1]
                is_changed = True
        return is_changed

    def _find_places(self, *layers: int) -> dict[str, int]:
        """Return the place of each member of some layers in its row."""
        rows = (self.rows.get(layer, ()) for layer in layers)
        return {name: place for row in rows for place, name in enumerate(row)}

    def _count_crossings(self) -> int:
        total = 0
        for layer, row in self.rows.items():
            places = self._find_places(layer + 1)
            passed: list[int] = []
            for name in row:
                ends = [places[other] for other in self.below[name]]
                total += sum(len(passed) - bisect_right(passed, end) for end in ends)
                # Lines of one box do not cross each other, so they are counted together.
                passed = sorted([*passed, *ends])
        return total

    def move(self) -> None:
        """Move each layer below the one above it, and above the one below it, in turn.

        The last turn is downwards, so that what one line leads to stands right below.
        """
        for row in self.rows.values():
            self._place_row(row, [0.0] * len(row))
        for turn in range(ROUNDS + 1):
            is_down = turn % 2 == 0
            joined = self.above if is_down else self.below
            for layer in sorted(self.rows, reverse=not is_down):
                row = self.rows[layer]
                self._place_row(row, [self._compute_wanted_place(name, joined) for name in row])

    def _compute_wanted_place(self, name: str, joined: Mapping[str, list[str]]) -> float:
        near = [self.middles[other] for other in joined.get(name, ())]
        return sum(near) / len(near) if near else self.middles[name]

    def _place_row(self, row: Sequence[str], wanted: Sequence[float]) -> None:
        """Place a row as near as can be to where its members would be, none upon another.

        Members that would collide are joined, and stand about the mean of their wishes (the least
        squares under an order: pool adjacent violators).
        """
        offset, offsets = 0.0, []
        for place, name in enumerate(row):
            before = self.boxes[row[place - 1]].width if place else 0.0
            offset += (before + self.boxes[name].width) / 2 + GAP if place else 0.0
            offsets.append(offset)
        pools: list[tuple[float, float, int]] = []
        for name, wish, off in zip(row, wanted, offsets, strict=True):
            pull = LINE_PULL if name in self.points else BOX_PULL
            mean, weight, size = wish - off, pull, 1
            while pools and pools[-1][0] > mean:
                other, more, length = pools.pop()
                mean = (mean * weight + other * more) / (weight + more)
                weight, size = weight + more, size + length
            pools.append((mean, weight, size))
        means = [mean for mean, _, size in pools for _ in range(size)]
        for name, mean, off in zip(row, means, offsets, strict=True):
            self.middles[name] = mean + off

    def build_layout(
        self, links: Sequence[Link], chains: Mapping[str, Sequence[str]], backs: frozenset[str]
    ) -> Layout:
        """Return the layout with its upper left corner at 0, 0."""
        left = min(self.middles[name] - box.width / 2 for name, box in self.boxes.items())
        right = max(self.middles[name] + box.width / 2 for name, box in self.boxes.items())
        bands, top = {}, -TIP
        for layer in sorted(self.rows):
            # Lines bend between the bands, all over the same height, so they cross only as counted.
            tips = 0.0 if self.points.issuperset(self.rows[layer]) else 2 * TIP
            tall = tips + max(self.boxes[name].height for name in self.rows[layer])
            bands.update(dict.fromkeys(self.rows[layer], (top, top + tall)))
            top += tall + LAYER_GAP
        placed = {
            name: Box(
                box.width,
                box.height,
                round(self.middles[name] - left, 1),
                round(sum(bands[name]) / 2, 1),
            )
            for name, box in self.boxes.items()
        }
        lines = {
            link.id: _build_line(placed, bands, link, chains[link.id], is_back=link.id in backs)
            for link in links
        }
        own = {name: box for name, box in placed.items() if name not in self.points}
        bottom = max(box.y + box.height / 2 for box in placed.values())
        return Layout(round(right - left, 1), round(bottom, 1), own, lines)


def _count_inversions(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> int:
    """Return how often lines of two neighbours cross, from where theirs end above and below."""
    return sum(
        one > other for ends, others in zip(left, right, strict=True)
        for one in ends for other in others
    )  # fmt: skip


def _build_line(
    boxes: Mapping[str, Box],
    bands: Mapping[str, tuple[float, float]],
    link: Link,
    chain: Sequence[str],
    *,
    is_back: bool,
) -> Placed:
    """Return a line from the edge of its tail to that of its head, through its points.

    It passes each layer upright, and turns between them only, so that it runs into no box.
    """
    upper, lower = (link.head, link.tail) if is_back else (link.tail, link.head)
    first, last = boxes[upper], boxes[lower]
    start = [(first.x, first.y + first.height / 2), (first.x, bands[upper][1])]
    if upper == lower:
        label = boxes[chain[0]]
        beside = min(LOOP, first.width / 4) * (1 if label.x >= first.x else -1)
        points = _build_loop(start, label, bands[chain[0]][0], beside)
        return Placed(points, boxes[chain[0]], is_back)
    inner = [(boxes[name].x, y) for name in chain for y in bands[name]]
    end = [(last.x, bands[lower][0]), (last.x, last.y - last.height / 2)]
    points = (*start, *inner, *end)
    return Placed(points[::-1] if is_back else points, boxes[chain[0]], is_back)


def _build_loop(start: Sequence[Point], label: Box, top: float, beside: float) -> tuple[Point, ...]:
    """Return a line from a box to its label, where it turns unseen, and back beside itself."""
    back = [(x + beside, y) for x, y in reversed(start)]
    turn = [(label.x, top), (label.x, label.y), (label.x + beside, label.y)]
    return (*start, *turn, (label.x + beside, top), *back)
