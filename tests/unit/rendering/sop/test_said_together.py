"""What sentences say at once, of one subject or of several values, each with planted faults."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors

TEXT = (BRIEFS.parent / "tests/worlds/said_together.yaml").read_text(encoding="utf-8")
BRIEF = read_brief(TEXT, "said_together.yaml")
MODEL = BRIEF.model
LINES = render_sop(MODEL, "", (), None, control=BRIEF.parts.document).lines
CUT = 'there is a damage found of the kind "Cut" that was not repaired'
LACKS = 'the gear found does not include both "Rope" and "Harness"'
WET = "the rig is wet and was not dropped"
LEFT = "the necessary papers that are not among the papers received"
LATER = "3 days after the day of the return"
BOTH = f"the day of the repair and the day of the check are both {LATER}"
AGAIN = (
    "repeat this step once; if any slip is still missing after that, go to step 6.5 (Lock it away)."
)
FEWER = "Each call reduces the number of missing slips by 1 until it is 0."
SLIP, TIE = "any slip is missing", "any tie is missing"
REPAIRED = "any damage found was repaired"
APART = (
    "the difference between the number of missing ties and the number of missing slips is more"
    " than 2"
)
LOST = 'those of "Rope" and "Harness" that are not among the gear found'
CRACK = 'there is a damage found of the kind "Crack"'
STAIN = 'there is a damage found of the kind "Stain" that was not repaired.'
HEAT = "the storage temperature is above the temperature limit"


def find_errors(old: str, new: str) -> list[str]:
    return list_edit_errors(MODEL, LINES, (old, new))


@pytest.mark.parametrize(
    "said",
    [
        f"4 points if {CUT}.",
        f"3 points if {LACKS}.",
        "2 points if any tie is missing.",
        f"1 point if {WET}.",
        "1 point if the borrowers changed the rig themselves or the borrower was hurt.",
        "1 point if there is a guidance appointment.",
        f"{LEFT}.",
        f"{BOTH}.",
        f"If any slip is missing, {AGAIN}",
        "The head of tool administration is responsible for this procedure",
        f"1 point if {REPAIRED}.",
        f"1 point if {APART}.",
        f"1 point if {HEAT}.",
        FEWER,
        f"Determine the lost gear (gear_lost): {LOST}.",
        f"{CRACK};",
        STAIN,
        f"Determine the missing papers (lacking): {LEFT}.",
        "The difference between two values, and what is called an absolute value, has no minus",
        '(change): "yes" if the borrowers changed the rig themselves, otherwise "no".',
    ],
)
def test_it_is_said_so(said: str) -> None:
    assert [line.text for line in LINES if said in line.text]


def test_all_of_it_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (CUT, 'there is a damage found whose kind is "Cut" and that was not repaired'),
        (CUT, 'there is a damage found of the kind "Cut" and that was not repaired'),
        (CUT, 'any damage found of the kind "Cut" was not repaired'),
        (
            LACKS,
            'the gear found does not include "Rope" or the gear found does not include "Harness"',
        ),
        (WET, "the rig is wet and the rig was not dropped"),
        (LEFT, "the necessary papers without the papers received"),
        (LEFT, "those of the necessary papers that are not among the papers received"),
        (LEFT, "whichever of the necessary papers do not appear among the papers received"),
        (
            BOTH,
            f"the day of the repair is {LATER} and the day of the check is {LATER}",
        ),
        (
            AGAIN,
            "repeat this step at most once; after that, go to step 6.5 (Lock it away) instead.",
        ),
        (AGAIN, AGAIN.replace("any slip is still missing", "any slip is missing")),
        (AGAIN, AGAIN.replace("any slip is still missing", "this is still the case")),
        (SLIP, "there is at least one missing slip"),
        (SLIP, "one or more slips are missing"),
        (TIE, "at least one tie is still missing"),
        (REPAIRED, "there is a damage found that was repaired"),
        (REPAIRED, "at least one damage found was repaired"),
        (FEWER, FEWER.replace("1 until it is 0", "up to 1")),
        (HEAT, "the storage temperature is more than the temperature limit"),
        (LOST, 'whichever of "Rope" and "Harness" are not among the gear found'),
        (CRACK, 'there is a damage found whose kind is "Crack"'),
        ("go to step 6.2 (Ask for the slips).", "go to step 6.2."),
        (
            FEWER,
            "As a result of the call, the number of missing slips falls by no more than 1.",
        ),
    ],
)
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    assert find_errors(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (CUT, CUT.replace("Cut", "Crack")),
        (CUT, CUT.replace("was not repaired", "was repaired")),
        (CUT, CUT.replace(" that was not repaired", "")),
        (CUT, CUT.replace("there is a damage", "there is no damage")),
        (CUT, 'any damage found of the kind "Cut" was repaired'),
        (CUT, CUT.replace('"Cut"', '"Cut" or "Stain"')),
        (LACKS, LACKS.replace("does not include both", "includes both")),
        (LACKS, LACKS.replace('both "Rope" and "Harness"', '"Rope"')),
        (LACKS, 'the gear found includes neither "Rope" nor "Harness"'),
        (LACKS, LACKS.replace('both "Rope" and', 'both "Rope" or')),
        (LACKS, LACKS.replace("Harness", "Helmet")),
        (LACKS, LACKS.replace("both", "all of")),
        (WET, "the rig is wet or was not dropped"),
        (WET, "the rig is wet and was dropped"),
        (WET, "the rig is not wet and was not dropped"),
        (WET, "the rig is wet and was not hurt"),
        (
            "the borrowers changed the rig themselves or the borrower was hurt",
            "the borrowers changed the rig themselves or was hurt",
        ),
        (LEFT, LEFT.replace("are not among", "are among")),
        (LEFT, "the papers received that are not among the necessary papers"),
        (LEFT, "whichever of the necessary papers appear among the papers received"),
        (BOTH, BOTH.replace("3 days", "2 days")),
        (BOTH, BOTH.replace("after", "before")),
        (BOTH, BOTH.replace("are both", "is")),
        (BOTH, BOTH.replace("the day of the repair and the day of the check are both", "both are")),
        (AGAIN, AGAIN.replace("once", "twice")),
        (AGAIN, AGAIN.replace(" once", ", at most twice")),
        (AGAIN, AGAIN.replace("6.5 (Lock it away)", "6.4 (Store it)")),
        (AGAIN, AGAIN.replace("any slip is still missing", "this is not the case")),
        (AGAIN, AGAIN.replace("any slip is still missing", "no slip is still missing")),
        (AGAIN, AGAIN.replace("any slip is still missing", "any tie is still missing")),
        (
            FEWER,
            "As a result of the call, the number of missing slips falls by no more than 2.",
        ),
        (
            FEWER,
            "As a result of the call, the number of missing slips rises by no more than 1.",
        ),
        ("there is a guidance appointment", "there is no guidance appointment"),
        (SLIP, "no slip is missing"),
        (SLIP, "any tie is missing"),
        (SLIP, "there are at least 2 missing slips"),
        (TIE, "all ties are missing"),
        (REPAIRED, "no damage found was repaired"),
        (REPAIRED, "any damage found was not repaired"),
        (REPAIRED, "all damages found were repaired"),
        (REPAIRED, 'any damage found was "Cut"'),
        (APART, APART.replace("more", "less")),
        (APART, APART.replace("2", "3")),
        (APART, APART.replace("the difference between", "the sum of")),
        (APART, APART.replace("missing ties and", "missing slips and")),
        (HEAT, HEAT.replace("above", "below")),
        (LOST, LOST.replace("are not among", "are among")),
        (LOST, LOST.replace("Harness", "Helmet")),
        (LOST, 'those of the gear found that are not among "Rope" and "Harness"'),
        (CRACK, CRACK.replace("Crack", "Stain")),
        (CRACK, CRACK.replace("is a", "is no")),
        (CRACK, CRACK.replace("of the kind", "not of the kind")),
        (STAIN, STAIN.replace("was not repaired", "was repaired")),
        (STAIN, STAIN.replace(" that was not repaired", "")),
        (HEAT, HEAT.replace("above", "at least")),
        (
            FEWER,
            FEWER.replace("slips", "ties"),
        ),
        (AGAIN, AGAIN.replace("repeat this step once", "repeat this step, at most 3 times")),
    ],
)
def test_a_fault_in_it_is_noticed(old: str, new: str) -> None:
    assert find_errors(old, new) != []
