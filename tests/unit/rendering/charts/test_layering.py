"""Boxes stand apart, lines run down, and none runs through a box."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random

import pytest

from sopforge.artifacts.rendering.charts.layering import Box, Layout, Link, compute_layout


def graph(count: int, seed: int) -> tuple[dict[str, Box], list[Link]]:
    """Return a chain of boxes with jumps ahead, back edges and loops of one."""
    random = Random(seed)  # noqa: S311 - a test
    boxes = {
        f"s{place}": Box(random.randint(60, 200), random.randint(30, 90)) for place in range(count)
    }
    links = [
        Link(f"e{place}", f"s{place}", f"s{place + 1}", Box(0, 0)) for place in range(count - 1)
    ]
    for place in range(count):
        tail, head = (f"s{random.randrange(count)}" for _ in range(2))
        links.append(Link(f"x{place}", tail, head, Box(random.randint(40, 150), 30)))
    return boxes, links


def meet(one: Box, other: Box) -> bool:
    return (
        abs(one.x - other.x) < (one.width + other.width) / 2
        and abs(one.y - other.y) < (one.height + other.height) / 2
    )


def crossed(layout: Layout, points: Sequence[tuple[float, float]]) -> list[str]:
    """Return the boxes that an upright part of a line runs through."""
    return [
        name
        for (x1, y1), (x2, y2) in pairwise(points)
        for name, box in layout.boxes.items()
        if x1 == x2
        and abs(x1 - box.x) < box.width / 2
        and min(y1, y2) < box.y + box.height / 2 - 0.2
        and max(y1, y2) > box.y - box.height / 2 + 0.2
    ]


def in_gap(layout: Layout, y1: float, y2: float) -> bool:
    """Return whether no box reaches into a band."""
    low, high = sorted((y1, y2))
    return all(
        box.y + box.height / 2 <= low + 0.2 or box.y - box.height / 2 >= high - 0.2
        for box in layout.boxes.values()
    )


@pytest.mark.parametrize(("count", "seed"), [(1, 0), (2, 1), (10, 2), (10, 3), (30, 4)])
def test_things_stand_apart_and_lines_pass_boxes_by(count: int, seed: int) -> None:
    boxes, links = graph(count, seed)
    layout = compute_layout(boxes, links)
    things = [*layout.boxes.values(), *(line.label for line in layout.links.values())]

    assert layout.boxes.keys() == boxes.keys()
    assert not [pair for pair in combinations(things, 2) if meet(*pair)]
    for thing in things:
        for place, size, whole in (
            (thing.x, thing.width, layout.width),
            (thing.y, thing.height, layout.height),
        ):
            assert place - size / 2 >= -0.2
            assert place + size / 2 <= whole + 0.2
    for link in links:
        points = layout.links[link.id].points
        assert crossed(layout, points) == []
        assert all(x1 == x2 or in_gap(layout, y1, y2) for (x1, y1), (x2, y2) in pairwise(points))
        tail, head = layout.boxes[link.tail], layout.boxes[link.head]
        assert points[0][0] == tail.x
        assert abs(points[-1][0] - head.x) <= (head.width / 4 if link.tail == link.head else 0)
        assert {abs(points[0][1] - tail.y), abs(points[-1][1] - head.y)} <= {
            tail.height / 2,
            head.height / 2,
        }


def test_a_back_edge_runs_up_and_all_others_run_down() -> None:
    boxes = {name: Box(80, 30) for name in "abc"}
    links = [
        Link("on", "a", "b", Box(0, 0)),
        Link("end", "b", "c", Box(0, 0)),
        Link("again", "b", "a", Box(60, 20)),
        Link("same", "b", "b", Box(60, 20)),
    ]
    layout = compute_layout(boxes, links)

    assert layout.boxes["a"].y < layout.boxes["b"].y < layout.boxes["c"].y
    assert [name for name, line in layout.links.items() if line.is_back] == ["again", "same"]
    again = [y for _, y in layout.links["again"].points]
    assert again == sorted(again, reverse=True)
    loop, box = layout.links["same"].points, layout.boxes["b"]
    assert loop[0] == (box.x, box.y + 15)
    assert loop[-1] == (box.x + 16, box.y + 15)


def test_a_chain_is_straight() -> None:
    boxes = {f"s{place}": Box(60 + 20 * place, 30) for place in range(6)}
    links = [Link(f"e{place}", f"s{place}", f"s{place + 1}", Box(0, 0)) for place in range(5)]

    assert len({box.x for box in compute_layout(boxes, links).boxes.values()}) == 1


def test_equal_graphs_have_equal_places() -> None:
    assert compute_layout(*graph(20, 3)) == compute_layout(*graph(20, 3))
