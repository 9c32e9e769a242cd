"""A mapping is read strictly: each fault has its line, and names what there is."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.packages import mappings
from sopforge.evaluation.packages.mapping import (
    find_own_mapping,
    parse_mapping,
    read_mapping,
    require_fitting,
)
from tests.worlds.foreign import COLUMNS, MAPPING

TOOLS = {"findParcel": ["parcel_id"], "countDays": ["sent_on", "arrived_on"]}
OUTPUTS = ("decision", "fee")


def test_a_whole_mapping_is_read() -> None:
    parts = parse_mapping(MAPPING, "m.yaml").parts
    assert parts.inputs is None
    assert parts.outcomes
    assert parts.outcomes["fee"].places == 2
    assert parts.calls
    assert parts.calls[1].when == {"depot": ("Nord", "South")}
    require_fitting(parse_mapping(MAPPING, "m.yaml"), COLUMNS, TOOLS, OUTPUTS)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "outcome: {}",
            "m.yaml:1, outcome: there is no field 'outcome' here",
        ),
        ("inputs: parcel_id", "m.yaml:1, inputs: expected a list"),
        ("inputs: []", "m.yaml:1, inputs: expected at least 1 item, found 0"),
        ("outcomes:\n  fee: {type: amount}", "m.yaml:2, outcomes.fee.type: the value must be"),
        ("outcomes:\n  fee: {}", "m.yaml:2, outcomes.fee.type: 'type' is required here"),
        ("outcomes:\n  fee: {type: number, places: 1.5}", "m.yaml:2, outcomes.fee.places: "),
        ("outcomes:\n  fee: {type: label, places: 2}", "m.yaml:2, outcomes.fee.places: a label"),
        ("outcomes:\n  fee: {type: number, labels: [a]}", "outcomes.fee.labels: a number has no"),
        (
            "outcomes:\n  fee: {type: label, tag: <a>}",
            "m.yaml:2, outcomes.fee.tag: '<a>' cannot be the name of an element",
        ),
        (
            "outcomes:\n  a: {type: date, format: '%m %m'}",
            "m.yaml:2, outcomes.a.format: no date can",
        ),
        (
            "outcomes:\n  a: {type: date, format: '%Y %Q'}",
            "m.yaml:2, outcomes.a.format: no date can",
        ),
        (
            "outcomes:\n  a: {type: date, format: '%d %'}",
            "m.yaml:2, outcomes.a.format: no date can",
        ),
        (
            "outcomes:\n  a: {type: date, format: '%G-%V'}",
            "m.yaml:2, outcomes.a.format: no date can",
        ),
        ("calls:\n  - tool: findParcel", "m.yaml:2, calls.0.arguments: 'arguments' is required"),
        ("missing: [a, b]", "m.yaml:1, missing: expected text, found a list"),
        ("[]", "expected a mapping (name: value)"),
        ("", "m.yaml: the file is empty"),
        ("a: b: c", "m.yaml:1"),
    ],
)
def test_what_has_another_shape_is_refused_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(MaterialError) as caught:
        parse_mapping(text, "m.yaml")
    (found,) = caught.value.faults
    assert fault in f"{found.where}: {found.message}"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("inputs: [parcel_id, weight]", ["m.yaml:1, inputs.1: the table has no column 'weight'"]),
        ("outcomes:\n  verdict: {type: label}", ["m.yaml:2, outcomes.verdict: the table has no"]),
        (
            "calls:\n  - tool: findParcels\n    arguments: {parcel_id: parcelid}",
            [
                "m.yaml:3, calls.0.arguments.parcel_id: the table has no column 'parcelid'",
                (
                    "m.yaml:2, calls.0.tool: there is no tool 'findParcels'; the"
                    " tools are findParcel,"
                ),
            ],
        ),
        (
            "calls:\n  - {tool: findParcel, arguments: {parcel: parcel_id}}",
            ["m.yaml:2, calls.0.arguments.parcel: 'findParcel' takes no 'parcel'; its parameters"],
        ),
        (
            "calls:\n  - {tool: findParcel, arguments: {}, when: {where: [North]}}",
            ["m.yaml:2, calls.0.when.where: the table has no column 'where'"],
        ),
        ("inputs: [parcel_id, fee]", ["m.yaml:1, inputs.1: 'fee' is an outcome"]),
    ],
)
def test_what_the_package_does_not_have_is_named(text: str, faults: list[str]) -> None:
    with pytest.raises(MaterialError) as caught:
        require_fitting(parse_mapping(text, "m.yaml"), COLUMNS, TOOLS, OUTPUTS)
    found = [f"{item.where}: {item.message}" for item in caught.value.faults]
    assert len(found) == len(faults)
    for said, fault in zip(found, faults, strict=True):
        assert fault in said


@pytest.mark.parametrize(
    "layout", ["%m/%d/%y", "%d %B %Y", "%Y-%m-%dT%H:%M:%S%z", "%d %b %Y %Z", "%c"]
)
def test_a_format_by_which_dates_can_be_read_is_taken(layout: str) -> None:
    parts = parse_mapping(f"outcomes:\n  a: {{type: date, format: '{layout}'}}", "m.yaml").parts
    assert parts.outcomes
    assert parts.outcomes["a"].format == layout


def test_an_answer_that_is_no_outcome_any_more_may_be_shown() -> None:
    text = "inputs: [parcel_id, fee]\noutcomes:\n  decision: {type: label}"
    require_fitting(parse_mapping(text, "m.yaml"), COLUMNS, TOOLS, OUTPUTS)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MaterialError) as caught:
        read_mapping(tmp_path / "none.yaml")
    assert caught.value.faults[0].code == "mapping-not-found"


OWN = sorted(
    file.name.removesuffix(".yaml")
    for file in files(mappings).iterdir()
    if file.name.endswith(".yaml")
)


@pytest.mark.parametrize("name", OWN)
def test_a_mapping_of_ours_belongs_to_tables_with_its_columns_alone(name: str) -> None:
    text = files(mappings).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    parts = parse_mapping(text, name).parts
    named = {
        *(parts.inputs or ()),
        *(parts.outcomes or ()),
        *(column for call in parts.calls or () for column in call.arguments.values()),
    }
    assert find_own_mapping(name, sorted(named)) is not None
    assert find_own_mapping(name, sorted(named)[1:]) is None


def test_other_packages_have_no_mapping_of_ours() -> None:
    assert find_own_mapping("parcels", COLUMNS) is None
    assert find_own_mapping("../mapping", COLUMNS) is None
