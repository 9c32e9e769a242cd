"""A bare result is compared with the column that its tool says it gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.checks.auditing.results import find_column_of_tool, find_contradicted_columns
from sopforge.checks.auditing.subject import read_subject

TABLE = """ship_id,draught,is_laden,berth,berth_fee,due_on,verdict
V-1,40,True,north,12.5,2026-05-01,enter
V-2,55,False,south,30,2026-05-02,wait
V-3,70,True,north,41,2026-05-04,wait
"""
SPECS = {
    # name: description, code of its result from the row's number 1, 2, 3
    "calculateBerthFee": ("Adds up dues.", "[12.5, 31, 40][n]"),
    "isLaden": ("Says it.", "n == 1"),
    "assign": ("Return the `berth` of a ship.", "['north', 'south', 'south'][n]"),
    "plan": ("Gives the day that is in due_on.", "'2026-05-09'"),
    "sound_draught": ("Sounds.", "[40, 55, 70][n]"),
    "give_verdict": ("Gives it.", "'noted, thank you'"),
    "checkBerth": ("Checks.", "True"),
    "measure": ("From berth fee and due on it reckons how long the ship lies.", "n"),
}


@pytest.fixture
def found(tmp_path: Path) -> list[tuple[str, str]]:
    """The messages on a small package with their evidence."""
    schema = {"type": "object", "properties": {"ship_id": {"type": "string"}}}
    specs = [
        {"toolSpec": {"name": name, "description": words, "inputSchema": {"json": schema}}}
        for name, (words, _) in SPECS.items()
    ]
    methods = [
        f"    def {name}(self, ship_id):\n        n = int(ship_id[-1]) - 1\n        return {code}\n"
        for name, (_, code) in SPECS.items()
    ]
    outputs = {"input_columns": ["ship_id"], "output_columns": ["verdict"]}
    files = {
        "sop.txt": "Let ships enter.",
        "tools.py": "\n".join(["class HarbourManager:", *methods]),
        "toolspecs.json": json.dumps(specs),
        "metadata.json": json.dumps(outputs),
        "test_set_with_outputs.csv": TABLE,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    spots = find_contradicted_columns(read_subject(tmp_path))
    return [(spot.message, spot.evidence) for spot in spots]


def test_a_bare_result_that_differs_from_its_column_is_found(
    found: list[tuple[str, str]],
) -> None:
    says = "the result differs from column"
    assert found == [
        (
            f"'calculateBerthFee': {says} 'berth_fee' on 2 of 3 rows",
            "task 1: 31, on record '30'",
        ),
        (f"'isLaden': {says} 'is_laden' on 3 of 3 rows", "task 0: false, on record 'True'"),
        (f"'assign': {says} 'berth' on 1 of 3 rows", "task 2: \"south\", on record 'north'"),
        (
            f"'plan': {says} 'due_on' on 3 of 3 rows",
            "task 0: \"2026-05-09\", on record '2026-05-01'",
        ),
    ]


@pytest.mark.parametrize(
    ("name", "description", "column"),
    [
        ("computeRiskIndex", "", "risk_index"),
        ("compute_risk_index", "", "risk_index"),
        ("RiskIndex", "", "risk_index"),
        ("computeRiskIndexOfSite", "", ""),
        ("computeRisk", "", "risk"),
        ("compute", "Return the risk index.", "risk_index"),
        ("compute", "Return risk_index.", "risk_index"),
        ("compute", "Return the RISK-INDEX.", "risk_index"),
        ("compute", "Return the risk of a site.", ""),
        ("compute", "Return 'risk'.", "risk"),
        ("compute", "Return risk_index by site_age.", ""),
        ("compute", "Return risk_indexes.", ""),
        ("compute", "", ""),
    ],
)
def test_a_tool_names_a_column_by_its_name_or_its_description(
    name: str, description: str, column: str
) -> None:
    assert find_column_of_tool(name, description, ["risk", "risk_index", "site_age"]) == column
