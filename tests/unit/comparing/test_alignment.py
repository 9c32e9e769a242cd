"""An alignment is read with all its faults, written as it is read, and names what is open."""

from __future__ import annotations

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.proof.comparing.aligning.alignment import read_alignment, write_alignment
from sopforge.proof.comparing.aligning.matching import match_models
from tests.worlds.readings import FIXTURES

NAMES = (FIXTURES / "names.yaml").read_text("utf-8")


def read(name: str) -> DomainModel:
    return read_domain((FIXTURES / name).read_text("utf-8"), name)


OURS, THEIRS = read("by_dates.yaml"), read("by_days.yaml")


def faults_of(text: str) -> list[tuple[str, str]]:
    with pytest.raises(MaterialError) as caught:
        read_alignment(text, "names.yaml", OURS, THEIRS)
    return [(fault.code, fault.where) for fault in caught.value.faults]


def test_a_whole_alignment_leaves_nothing_open() -> None:
    found = read_alignment(NAMES, "names.yaml", OURS, THEIRS)

    assert found.open == ()
    assert set(found.fields) == {"delay", "condition", "notice", "tariff"}
    assert found.outcomes["result"].labels["taken back"] == "Accepted"


def test_what_is_written_is_read_as_it_was() -> None:
    found = read_alignment(NAMES, "names.yaml", OURS, THEIRS)

    again = read_alignment(write_alignment(found, THEIRS), "again.yaml", OURS, THEIRS)

    assert again == found


def test_what_an_alignment_leaves_out_is_open() -> None:
    text = "fields:\n  delay: days_between(due_on, returned_on)\n"

    found = read_alignment(text, "names.yaml", OURS, THEIRS)

    assert {(item.kind, item.name) for item in found.open} == {
        ("field", "condition"),
        ("field", "notice"),
        ("field", "tariff"),
        ("outcome", "result"),
        ("outcome", "late_fee"),
    }


def test_what_is_worked_out_may_be_given_and_needs_nothing_then() -> None:
    text = NAMES.replace("  tariff:", "  late_fee_before: 0\n  tariff:")
    assert faults_of(text) == [("unknown-field", "names.yaml:7, fields.late_fee_before")]

    found = read_alignment("fields: {full_fee: 4}", "names.yaml", OURS, THEIRS)

    assert "full_fee" in found.fields
    assert "delay" in {item.name for item in found.open}  # the edges read it as well


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "due_on, returned_on",
            "due_on, brought_on",
            ("unknown-field", "names.yaml:4, fields.delay"),
        ),
        (
            "days_between(due_on, returned_on)",
            "due_on",
            ("type-error", "names.yaml:4, fields.delay"),
        ),
        ("'damaged' if", "'broken' if", ("unknown-value", "names.yaml:5, fields.condition")),
        ("is: decision", "is: verdict", ("unknown-field", "names.yaml:10, outcomes.result.is")),
        (
            "taken back: Accepted",
            "taken back: Taken",
            ("unknown-field", "names.yaml:11, outcomes.result.labels.taken back"),
        ),
        (
            "taken back: Accepted",
            "took back: Accepted",
            ("unknown-field", "names.yaml:11, outcomes.result.labels.took back"),
        ),
        ("  tariff:", "  price:", ("unknown-field", "names.yaml:7, fields.price")),
    ],
)
def test_a_fault_names_line_and_field(old: str, new: str, expected: tuple[str, str]) -> None:
    assert expected in faults_of(NAMES.replace(old, new))


def test_all_faults_are_named_at_once() -> None:
    text = NAMES.replace("is: decision", "is: verdict").replace("'damaged' if", "'broken' if")

    assert len(faults_of(text)) == 2


def test_a_fact_cannot_be_lacking_and_be_there() -> None:
    assert faults_of(NAMES + "lacking: [tariff]\n") == [
        ("duplicate-name", "names.yaml:13, lacking.0")
    ]


def test_a_file_prevails_over_what_would_be_matched() -> None:
    given = read_alignment("fields: {tariff: \"'full'\"}", "names.yaml", THEIRS, THEIRS)

    assert match_models(THEIRS, THEIRS, given).fields["tariff"].text == "'full'"
    assert match_models(THEIRS, THEIRS).fields["tariff"].text == "tariff"


def test_what_is_open_is_written_as_comments() -> None:
    text = write_alignment(match_models(OURS, THEIRS), THEIRS)

    assert "# open: field delay (delay)\n" in text
    assert read_alignment(text, "names.yaml", OURS, THEIRS).fields == {}
