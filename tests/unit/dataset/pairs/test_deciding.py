"""What decided the last branching of a case, where rules are added up and none applies."""

from __future__ import annotations

from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.deciding import find_deciding_branch
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.unit.domain.minimal_brief import read_model

LOOKED_UP = "      table: kind\n      rows: {Book: 1, Toy: 2}\n"
ADDED_UP = """\
      hit: collect
      collect: sum
      rules: [{id: P1, when: price > 400, then: 2}, {id: P2, when: is_opened, then: 1}]
"""
BOTH = ("decide: [refund]", "decide: [points, refund]")
FORK = (
    "          - {to: close}",
    "          - {when: points > 1, to: wait}\n          - {to: close}",
)


def test_the_field_alone_is_named() -> None:
    model = read_model((LOOKED_UP, ADDED_UP), BOTH, FORK)

    nodes = set()
    for row in sample_rows(model, 5, range(80)):
        walk = label_row(model, row)
        branch = find_deciding_branch(model, row, walk)
        if branch is not None and "points" in walk.rules:
            nodes.add((bool(walk.rules["points"]), branch.node))

    assert (False, "points") in nodes
    assert {node for applies, node in nodes if applies} <= {"points.P1", "points.P2"}
