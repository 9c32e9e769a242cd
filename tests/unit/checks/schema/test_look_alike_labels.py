"""Labels that only look alike are pointed out, and labels that differ in a letter are not."""

from __future__ import annotations

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.schema.look_alike_labels import CHECK, describe_only_difference
from sopforge.findings import Finding
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.quick_builds import REFUND
from tests.worlds.small_models import CLAIMS, changed

NEAR = ("[Near, Far], desc", "[Near, Far], missing: near, desc")
POOL = ("M2X, T9B], description: code that", "k7q, T9B], description: code that")
VALUES = "[Damaged, Wrong item, Changed mind]"


def found(text: str, *changes: tuple[str, str]) -> list[Finding]:
    brief = read_brief(changed(text, *changes), "brief.yaml")
    return CHECK.examine(Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)}))


@pytest.mark.parametrize(
    ("first", "second", "how"),
    [
        pytest.param("Paid", "paid", "case", id="case"),
        pytest.param("Stra\u00dfe", "STRASSE", "case", id="sharp s"),
        pytest.param("M\uff12", "M2", "the form of letters", id="wide digit"),
        pytest.param("\ufb01ne", "fine", "the form of letters", id="ligature"),
        pytest.param("in  time", "in time", "whitespace", id="two blanks"),
        pytest.param("in\u00a0time", "in time", "whitespace", id="hard blank"),
        pytest.param("no show", "noshow", "whitespace", id="no blank"),
        pytest.param("In time", "in  time", "case and whitespace", id="case and blanks"),
        pytest.param("\ufb01ne", "FINE", "case", id="ligature that capitals do not have"),
        pytest.param("m\uff12", "M2", "case and the form of letters", id="case and wide digit"),
        pytest.param("paid", "said", "", id="letter"),
        pytest.param("resume", "r\u00e9sum\u00e9", "", id="accent that distinguishes"),
        pytest.param("paid", "paid", "", id="the same"),
    ],
)
def test_labels_look_alike_where_no_letter_differs(first: str, second: str, how: str) -> None:
    assert describe_only_difference(first, second) == how
    assert describe_only_difference(second, first) == how


def test_both_labels_are_named_with_their_field() -> None:
    (finding,) = found(REFUND, (VALUES, "[Damaged, Wrong item, wrong item]"))

    assert finding.message == "'Wrong item' and 'wrong item' of 'reason' differ only in case"
    assert finding.where == "fields.reason"
    assert finding.evidence == ""


def test_letters_that_look_the_same_are_spelt_out() -> None:
    (finding,) = found(REFUND, (VALUES, '[Damaged, "Size \uff12", "Size 2"]'))

    assert finding.evidence == r"'Size \uff12' and 'Size 2'"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param(
            ("values: [Tip, Drinks]", "values: [Tip, Drinks, tip]"), "lines.extras", id="members"
        ),
        pytest.param(NEAR, "region", id="missing"),
        pytest.param(POOL, "pin", id="pool"),
    ],
)
def test_all_labels_of_a_field_are_compared(change: tuple[str, str], field: str) -> None:
    messages = [item.message for item in found(CLAIMS, change)]

    assert [text for text in messages if text.endswith(f" of '{field}' differ only in case")]


def test_labels_of_fields_that_are_compared_are_compared() -> None:
    # A rule on the path asks whether who signed is the line manager.
    signed = ("Cleo], description: who signed", "CLEO], description: who signed")

    (finding,) = found(CLAIMS, signed)

    assert finding.message == (
        "the labels 'CLEO' of 'signed_by' and 'Cleo' of 'line_manager' are compared, but differ"
        " only in case"
    )
    assert finding.where == "fields.line_manager"


def test_labels_of_fields_that_nothing_compares_may_look_alike() -> None:
    paper = ("values: [White, Yellow]", "values: [near, FAR]")

    assert found(CLAIMS, paper) == []
