"""So many percent of a percentage, and a sum where a condition holds: said so that it is read."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.model import DomainModel
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import parcel

WEIGHT = "weight: {role: input, type: number, places: 2, min: 0.00, max: 40.00, unit: kg"
SHARE = (WEIGHT, WEIGHT.replace("unit: kg", "unit: percent"))
FREE = ("value: 5, unit: kg", "value: 5, unit: percent")
MORE = (
    "        - {id: C2, otherwise: plain}",
    (
        "        - {id: C3, when: weight * (100 + 20) / 100 > 30, then: careful}\n"
        "        - {id: C2, otherwise: plain}"
    ),
)
POINTS = "{table: service, rows: {Standard: 0, Express: 2, Night: 4}}"
SUM = "(1 if weight > {} else 0) + (2 if service == 'Night' else 0) + (1 if fragile else 0)"
TAKES = (
    "takes: [parcel_id, weight, service]",
    "takes: [parcel_id, weight, service, fragile, contents]",
)

LEAST = "service_points: {role: derived, type: integer, min: 0, max: 4"


def write(model: DomainModel) -> str:
    return "\n".join(line.text for line in render_sop(model, "").lines)


def test_percent_of_what_is_in_percent_says_of_what() -> None:
    plain, share = parcel(MORE), parcel(SHARE, FREE, MORE)

    assert "the weight plus 20 percent is more than 30." in write(plain)
    assert "the weight plus 20 percent of it is more than 30." in write(share)
    for model in (plain, share):
        assert list(read_back_findings(model, render_sop(model, "").lines)) == []
    assert list_edit_errors(share, render_sop(share, "").lines, ("20 percent of it", "20 percent"))


@pytest.mark.parametrize("asked", ["fragile", "'Glass' in contents", "weight > 9"])
@pytest.mark.parametrize(
    "other",
    ["7", f"({SUM.format(7)})", "(7 if weight > 9 else 3)"],
    ids=["a figure", "another sum", "a choice"],
)
def test_a_sum_beside_another_value_is_read_back(asked: str, other: str) -> None:
    points = f'{{value: "({SUM.format(5)}) if {asked} else {other}"}}'
    wide = (LEAST, LEAST.replace("max: 4", "max: 9"))
    model = parcel((POINTS, points), TAKES, wide)

    assert list(read_back_findings(model, render_sop(model, "").lines)) == []


def test_the_value_without_the_sum_comes_first() -> None:
    points = f"""{{value: "({SUM.format(5)}) if 'Glass' in contents else 0"}}"""
    model = parcel((POINTS, points), TAKES)

    start = (
        'are 0 points if the contents do not include "Glass"; otherwise they are the sum of these:'
    )
    assert start in write(model)
