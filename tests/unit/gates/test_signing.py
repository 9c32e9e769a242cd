"""What a person can state of lines of an SOP that the grammar cannot read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.checks.sop.differences import derive_sop
from sopforge.errors import MaterialError
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.gates.edit_reading import EditReading, sign_edit
from sopforge.pipeline.gates.edit_trials import try_edit
from sopforge.pipeline.stages.editing.edits import build_edit, with_edits
from sopforge.pipeline.stages.sop import build_sop_files
from sopforge.store.log.kept_edits import LineReading
from sopforge.workspace import DOMAIN, Workspace

BRIEF = Path(__file__).parents[2] / "briefs" / "fees.yaml"
RULE = '"tolerated" if the delay is at most 3 days and the kind of the item is not "Film".'
SAME = [
    '"tolerated" if the delay is 3 days at the most and the kind of the item is not "Film".',
    '"tolerated" where the kind is not "Film" and the delay does not exceed three days.',
    'It is "tolerated" as long as nobody lent a "Film" and the delay is up to 3 days.',
]
OTHER = [
    '"tolerated" where the delay is no more than 4 days and the kind is not "Film".',
    '"tolerated" where the delay is below 3 days and the kind is not "Film".',
    '"tolerated" where the delay is no more than 3 weeks and the kind is not "Film".',
    '"tolerated" where the delay is no more than 3 days and the kind is "Film".',
    '"tolerated" where the delay is no more than 3 days and the kind is not "Book".',
    '"charged" where the delay is no more than 3 days and the kind is not "Film".',
    'See step 6.2 (Work the fee out): "tolerated" up to 3 days where the kind is not "Film".',
    # The grammar reads these, as other rules.
    '"tolerated" if the delay is at most 3 days or the kind of the item is not "Film".',
    '"tolerated" if the kind of the item is not "Film".',
]
UNNOTICED = {
    "a pointer within a label": RULE.replace('"tolerated"', '"tol (see section 9) erated"'),
    "a pointer that is not there": RULE.replace("the delay", "the delay (see section 99)"),
    "a mark of a reference": RULE.replace("the delay", "the delay {section Limits}"),
    "a wide label": RULE.replace('"Film"', '"Film "'),
}


@cache
def workspace() -> Workspace:
    """Return the model and the SOP of a domain as they wait at a gate."""
    text = BRIEF.read_text(encoding="utf-8")
    brief = read_brief(text, "fees.yaml")
    model = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return model.with_stage("sop", build_sop_files(derive_sop(model).document))


def word(line: str) -> str:
    """Return the text of the SOP with its second rule in other words."""
    text = workspace().files["sop/sop.txt"]
    assert text.count(RULE) == 1
    return text.replace(RULE, line)


@pytest.mark.parametrize("line", SAME)
def test_a_line_that_shows_no_difference_can_be_signed(line: str) -> None:
    signed = sign_edit(workspace(), word(line), "bob")

    assert signed == EditReading((LineReading(line, RULE, "signed by bob"),), ())
    found = try_edit(workspace(), "sop", word(line), "bob", signed.readings).findings
    assert [(item.id, item.severity.value) for item in found] == [("sop-signed", "warning")]


@pytest.mark.parametrize("line", OTHER)
def test_nobody_can_sign_what_shows_that_it_is_something_else(line: str) -> None:
    signed = sign_edit(workspace(), word(line), "bob")
    assert (signed.readings, [item.text for item in signed.unread]) == ((), [line])
    assert all(item.reasons for item in signed.unread)
    found = try_edit(workspace(), "sop", word(line), "bob").findings
    assert [item.id for item in found] == ["sop-reads-differently"]


@pytest.mark.parametrize("line", SAME)
def test_unsigned_words_are_an_error_that_says_what_to_do(line: str) -> None:
    found = try_edit(workspace(), "sop", word(line), "bob").findings

    assert [item.id for item in found] == ["sop-not-read"]
    assert "--sign" in found[0].hint


def test_words_of_the_grammar_need_nobody() -> None:
    line = (
        '"tolerated" if all of these hold: (a) the delay is at most 3 days; (b) the kind of the'
        ' item is not "Film".'
    )

    assert try_edit(workspace(), "sop", word(line), "bob").findings == ()


@pytest.mark.parametrize("line", UNNOTICED.values(), ids=UNNOTICED)
def test_what_the_grammar_reads_past_is_an_error_all_the_same(line: str) -> None:
    [found] = try_edit(workspace(), "sop", word(line), "bob").findings

    assert found.severity.value == "error"


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009"])
def test_a_space_of_another_width_is_a_space(space: str) -> None:
    text = word(RULE.replace("delay is", f"delay{space}is", 1)) + "\n"

    tried = try_edit(workspace(), "sop", text, "bob")

    assert tried.findings == ()
    assert space not in tried.edit.after


@pytest.mark.parametrize("letter", ["\0", "\x1f", "\u200b", "\u2028"])
def test_what_nobody_sees_is_refused_before_it_is_kept(letter: str) -> None:
    with pytest.raises(MaterialError, match="character-unseen"):
        try_edit(workspace(), "sop", word(RULE.replace("delay", f"del{letter}ay", 1)), "bob")


def test_a_line_that_nobody_reads_is_refused_before_it_is_kept() -> None:
    long = RULE.replace(".", " and the delay is at most 3 days" * 200 + ".")

    with pytest.raises(MaterialError, match="line-too-long"):
        try_edit(workspace(), "sop", word(long), "bob")


def test_a_text_that_waits_can_be_signed_as_it_is() -> None:
    edited = try_edit(workspace(), "sop", word(SAME[0]), "bob").workspace
    text = edited.files["sop/sop.txt"]

    signed = sign_edit(edited, text, "ann")

    assert [item.text for item in signed.readings] == [SAME[0]]
    found = try_edit(edited, "sop", text, "ann", signed.readings).findings
    assert [item.id for item in found] == ["sop-signed"]
    assert "ann states" in found[0].message


def test_a_signature_ends_with_its_line() -> None:
    files = workspace().select_stage_files("sop")
    plain, worded = files["sop.txt"], word(SAME[0])
    signed = sign_edit(workspace(), worded, "ann").readings
    edits = [
        ("ann", build_edit("sop", files, worded, signed)),
        ("ann", build_edit("sop", {"sop.txt": worded}, plain)),
        ("bob", build_edit("sop", files, worded)),
    ]

    made, _ = with_edits("sop", files, edits)

    statements = read_sop(made["sop.txt"], made["trace.json"]).statements
    assert [item.signer for item in statements if item.text == SAME[0]] == [""]


def test_what_a_model_read_stays_as_it_read_it() -> None:
    read = LineReading(SAME[0], RULE, "scripted:model")

    assert sign_edit(workspace(), word(SAME[0]), "bob", [read]) == EditReading((read,), ())


def test_the_sop_itself_has_no_findings() -> None:
    assert [item for item in examine("sop", workspace()) if item.severity.value != "note"] == []
