"""Content of strangers: read within limits, and refused with its place where it cannot be read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from referencing.exceptions import Unresolvable

from sopforge.errors import Fault, MaterialError, PackageUnreadableError, shorten
from sopforge.findings import make_error_finding
from sopforge.untrusted.content import refuse_unreadable
from sopforge.untrusted.schemas import make_validator
from sopforge.untrusted.tables import read_table
from sopforge.untrusted.time_limit import TooSlowError, limit_time


def refusal(text: str) -> tuple[str, str]:
    with pytest.raises(PackageUnreadableError) as refused:
        list(read_table(text, "records.csv"))
    (fault,) = refused.value.faults
    assert fault.code == "csv-malformed"
    return fault.where, fault.message


def test_short_rows_are_filled_and_cells_beyond_the_head_left_out() -> None:
    rows = list(read_table("a,b\n1\n\n1,2,3\n", "records.csv"))
    assert rows == [{"a": "1", "b": ""}, {"a": "1", "b": "2"}]


def test_a_cell_that_is_too_long_is_refused_at_its_line() -> None:
    assert list(read_table("a\n" + "x" * 131_072 + "\n", "records.csv"))
    found = refusal("a\n1\n" + "x" * 131_073 + "\n")
    assert found == ("records.csv:3", "a cell has more than 131,072 characters")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n" + "1\n" * 100_000, "the table has about 100,001 rows; at most 100,000 are read"),
        ("a," * 1_001 + "\n", "the table has about 1,001 columns; at most 1,000 are read"),
        (
            "a\n" + "," * 4_000_000,
            "the table has about 4,000,001 cells; at most 4,000,000 are read",
        ),
    ],
    ids=["rows", "columns", "cells"],
)
def test_a_table_with_too_much_in_it_is_not_read(text: str, message: str) -> None:
    assert refusal(text) == ("records.csv", message)


@pytest.mark.parametrize("word", ["$ref", "$dynamicRef"])
def test_a_schema_opens_no_file(tmp_path: Path, word: str) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({"const": "secret"}), encoding="utf-8")
    with pytest.raises(Unresolvable):
        make_validator({word: secret.as_uri()}).is_valid("guess")


def test_a_schema_refers_to_itself() -> None:
    schema = {"$defs": {"short": {"maxLength": 1}}, "$ref": "#/$defs/short"}
    assert not make_validator(schema).is_valid("long")


def test_a_pattern_that_never_ends_is_stopped() -> None:
    said = "the pattern takes more than 0[.]05 s"
    with pytest.raises(TooSlowError, match=said), limit_time(0.05, "the pattern"):
        re.fullmatch(r"(a+)+b", "a" * 64)


@pytest.mark.parametrize("raised", [KeyError("x"), RecursionError("deep"), MemoryError()])
def test_what_reading_raises_is_a_fault_of_the_package(raised: Exception) -> None:
    with (
        pytest.raises(PackageUnreadableError) as refused,
        refuse_unreadable("it", "grader/tasks.jsonl"),
    ):
        raise raised
    (fault,) = refused.value.faults
    assert (fault.code, fault.where) == ("package-malformed", "grader/tasks.jsonl")
    assert type(raised).__name__ in fault.message


def test_a_fault_that_reading_raises_stays_as_it_is() -> None:
    with pytest.raises(MaterialError, match="said"), refuse_unreadable("it"):
        raise MaterialError(Fault("value-not-allowed", "said"))


def test_an_over_long_value_is_cut_wherever_it_is_shown() -> None:
    value = "begin" + "x" * 4_900_000 + "end"
    message = f"'{value}' is not a number"
    assert len(Fault("invalid-value", message).message) < 400
    found = make_error_finding("round-trip", "short", evidence=message).as_record()["evidence"]
    assert found.startswith("'begin")
    assert found.endswith("end' is not a number")
    assert "[… 4,899,726 characters …]" in found


def test_a_long_text_of_short_lines_stays_whole() -> None:
    text = "a line of evidence\n" * 500
    assert shorten(text) == text
    assert len(shorten(text * 3)) < 400
