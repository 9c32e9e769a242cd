"""A flow chart shows every step and edge of a model, and the path that a case takes."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import yaml

from sopforge.artifacts.rendering.charts.flowchart import FlowChart, build_chart, collect_taken_ids
from sopforge.artifacts.rendering.charts.layering import TIP
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import CLAIMS, branches, callers, claims, orders, warranty


def collect_edge_ends(model: DomainModel) -> set[tuple[str, str]]:
    """Return both ends of every edge of a model, found without the chart's own list."""
    found = set()
    for step in model.steps.values():
        edges = (*step.edges, *step.refusals.values())
        found |= {(step.id, edge.to) for edge in edges}
        found |= {(step.id, edge.then) for edge in edges if edge.then}
    return found


def collect_described_ends(chart: FlowChart) -> set[tuple[str, str]]:
    return {(step.id, to) for step in chart.steps for _, _, to, _ in step.edges}


def test_every_step_and_edge_is_drawn_and_described() -> None:
    for model in (claims(), orders(), warranty(), branches(*range(10, 50, 2))):
        chart = build_chart(model)
        assert {node.id for node in chart.nodes} == set(model.steps)
        assert {step.id for step in chart.steps} == set(model.steps)
        assert collect_described_ends(chart) == collect_edge_ends(model)
        assert {edge.id for edge in chart.edges} == {
            edge for step in chart.steps for edge, *_ in step.edges
        }


def test_each_line_ends_upright_at_the_border_of_its_box_so_that_its_arrowhead_is_seen() -> None:
    for model in (claims(), orders(), warranty(), callers(), branches(*range(10, 50, 2))):
        chart = build_chart(model)
        heads = {edge: to for step in chart.steps for edge, _, to, _ in step.edges}
        nodes = {node.id: node for node in chart.nodes}
        for edge in chart.edges:
            node = nodes[heads[edge.id]]
            found = re.findall(r"([MLC])([^MLC]+)", edge.curve)
            points = [tuple(map(float, numbers.split()[-2:])) for _, numbers in found]
            (before_x, before_y), (x, y) = points[-2:]
            length = y - before_y
            border = node.y if length > 0 else node.y + node.height

            assert found[-1][0] == "L"
            assert all(one != other for one, other in pairwise(points))
            assert before_x == x
            assert abs(length) >= TIP - 0.11
            assert abs(y - border) < 0.11
            assert node.x < x < node.x + node.width


def test_forty_steps_are_drawn_with_the_start_on_top() -> None:
    model = branches(*range(10, 50, 2))
    chart = build_chart(model)
    (start,) = [node for node in chart.nodes if node.kind == "start"]

    assert len(model.steps) == 42
    assert start.id == model.start
    assert start.y == min(node.y for node in chart.nodes)
    assert {node.kind for node in chart.nodes} == {"start", "step", "end"}


def test_each_path_is_lit_from_the_start_to_an_end() -> None:
    for model in (claims(), orders(), warranty()):
        chart = build_chart(model)
        ids = {node.id for node in chart.nodes} | {edge.id for edge in chart.edges}
        for row in sample_rows(model, 5, range(40)):
            path = label_row(model, row).path
            lit = collect_taken_ids(chart, path)
            steps = [node for node in path if node in model.steps]
            assert lit <= ids
            assert set(steps) <= lit
            lit_edges = {
                (step.id, to)
                for step in chart.steps
                for edge, _, to, _ in step.edges
                if edge in lit
            }
            assert lit_edges == set(pairwise(steps))


def test_a_back_edge_is_described_with_what_follows_it() -> None:
    document: Any = yaml.safe_load(CLAIMS)
    steps = document["model"]["procedure"]["steps"]
    bounded = [
        edge for step in steps.values() for edge in step.get("edges", ()) if "at_most" in edge
    ]
    chart = build_chart(claims())

    assert bounded
    assert len([edge for edge in chart.edges if edge.kind == "used-up"]) == len(bounded)
    assert [edge for edge in chart.edges if edge.kind == "back"]


def test_words_that_have_no_room_stand_in_full_beside_the_drawing() -> None:
    model = branches(10)
    chart = build_chart(model)

    assert "Flow chart of 4 steps and 4 edges." in chart.summary
    assert chart.steps[0].edges[0][1] == "the f0 is at least 10"
    assert chart.steps[0].edges[1][1] == "in all other cases"


def test_a_part_is_named_and_led_into_by_each_step_that_carries_it_out() -> None:
    chart = build_chart(callers())
    texts = {node.id: {text.text for text in node.texts} for node in chart.nodes}

    assert "part: Verify the customer" in texts["ask"]
    assert {"carries out: Verify the", "customer"} <= texts["verify_large"]
    assert "returns" in texts["known"]
    into = {edge.id for edge in chart.edges if edge.kind == "part"}
    assert into == {
        *("verify_large into verify", "verify_change into verify"),
        *("look into look_up", "check into look_up"),
    }
    path = ["find", "find.2", "look", "read", "look.2", "pay"]
    assert collect_taken_ids(chart, path) == {*path, "look into look_up"}
    assert "Steps carry out these parts: Verify the customer; Look up the account." in chart.summary
