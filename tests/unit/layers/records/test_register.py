from dataclasses import asdict

import pytest

from sopforge.harness.layers.matching import Matching
from sopforge.harness.layers.records.register import RegisterRow
from sopforge.sandbox.answers import JSONValue
from sopforge.session.environment import write_json
from sopforge.session.layers import Records

ROWS = [
    RegisterRow("C-2", {"name": "Ann Hill", "amount": "12.50", "goods": "Acids; Alkalis"}),
    RegisterRow("C-1", {"name": "Ann Mill", "amount": "12.51", "goods": "Alkalis; Acids"}),
    RegisterRow("C-3", {"name": "Ann Hill", "amount": "7.00", "goods": "none"}),
]


@pytest.mark.parametrize(
    ("name", "matching", "given", "keys"),
    [
        ("name", Matching.TEXT, "Ann Hill", ["C-2", "C-3"]),
        ("name", Matching.TEXT, " ann hill ", ["C-2", "C-3"]),
        ("name", Matching.TEXT, "Ann", []),
        ("amount", Matching.NUMBER, 12.5, ["C-2"]),
        ("amount", Matching.NUMBER, "7", ["C-3"]),
        ("goods", Matching.SET, ["Alkalis", "Acids"], ["C-2", "C-1"]),
        ("goods", Matching.SET, "acids; alkalis", ["C-2", "C-1"]),
        ("goods", Matching.SET, "none", ["C-3"]),
    ],
)
def test_rows_with_a_value_are_found_in_the_order_of_the_register(
    name: str, matching: Matching, given: JSONValue, keys: list[str]
) -> None:
    data = {
        "tool": "search",
        "key": "key",
        "limit": 9,
        "own": {},
        "columns": {name: matching.value},
        "rows": [asdict(row) for row in ROWS],
    }
    found, _, _ = Records(data, write_json).search("task", {"entry": name, "value": given})
    assert found["found"] == len(keys)
    assert [row["key"] for row in found["rows"]] == keys
