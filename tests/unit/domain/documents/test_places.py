"""A finding's place is shown with the line of the brief that it speaks of."""

from __future__ import annotations

import pytest

from sopforge.language.domain.documents.places import locate_place
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.reading import read_brief
from tests.unit.domain.minimal_brief import BRIEF, SOURCE, line_of


@pytest.mark.parametrize(
    ("where", "part"),
    [
        ("fields.price", "        price: {"),
        ("constraints.0", "- price > 1"),
        ("constraints", "  constraints:"),
        ("decisions.refund", "    refund:\n"),
        ("decisions.refund, rule A2", "{id: A2"),
        ("tools.payRefund", "    payRefund:"),
        ("tools.payRefund, guard G1", "{id: G1"),
        ("tools.payRefund, guard G", "      requires:"),
        ("procedure", "  procedure:"),
        ("procedure.steps.decide", "      decide:\n"),
        ("procedure.edges.look.2", "- {to: wait}"),
        ("title", "title: Refunds"),
        ("L3, tools.payRefund", "    payRefund:"),
    ],
)
def test_a_place_of_the_model_has_its_line(where: str, part: str) -> None:
    place = read_brief(BRIEF, SOURCE).locate_finding(where)
    assert place == f"{SOURCE}:{line_of(part)}, {where}"


@pytest.mark.parametrize(
    "where",
    [
        "",
        "tools/tools.py",
        "tools.py",
        "sop.txt",
        "L3",
        "L3, sop.txt",
        "fields.colour",
        "procedure.edges.look.9",
    ],
)
def test_another_place_stays_as_it_is(where: str) -> None:
    assert read_brief(BRIEF, SOURCE).locate_finding(where) == where


def test_a_field_of_a_further_entity_has_its_line() -> None:
    text = "model:\n  entities:\n    a: {fields: {x: 1}}\n    b:\n      fields:\n        y: 2\n"
    assert locate_place(read_document(text, SOURCE), "fields.y") == f"{SOURCE}:6, fields.y"
