"""Sentences as people write them, each with the faults that would change what is done."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors

TEXT = (BRIEFS.parent / "tests/worlds/plain_words.yaml").read_text(encoding="utf-8")
BRIEF = read_brief(TEXT, "plain_words.yaml")
MODEL = BRIEF.model
LINES = render_sop(MODEL, "", (), None, control=BRIEF.parts.document).lines
NAMED, EARLY = "group of the instrument (group)", "the year of manufacture is before 1990"
GROUP = f'Set the {NAMED} to "old" if {EARLY}; otherwise set it to "recent".'
REFUSALS = "no_order (the order is missing) or too_bad (it is beyond repair), go to step 6.6"
AGAIN = "Determine the points, the shelf and the storage time (weeks) as in step 6.1 (Look at it)."
PRICE = "the price, or 0 EUR if none is given"
BASIS = f"the basis of the refund (basis), in EUR: {PRICE}."
SHARE = "the refundable share of the basis of the refund, rounded to 2 decimal places."
LISTED = 'each damage whose journey stage is "Road", with its stage of the journey.'
HANDED = 'the note as "memo". Then hand the case over to quality assurance.'


BIRTH = "the date of birth of the sender"
YOUNG = "the age of the sender on the day of return is less than 18 years"
OLD = "the age of the sender on the day of return is at least 65 years"
DEFINED = 'Damage was done on the road if there is a damage whose journey stage is "Road".'
DEFINED_FIRST = 'If there is a damage whose journey stage is "Road", damage was done on the road.'


BIRTH_DATE = (
    "        known_on: {label: birth date of the sender, role: input, type: date,"
    " min: 1940-01-01, max: 2015-12-31, description: day}\n"
)


def find_errors(old: str, new: str) -> list[str]:
    return list_edit_errors(MODEL, LINES, (old, new))


@pytest.mark.parametrize(
    "said",
    [
        GROUP,
        AGAIN,
        SHARE,
        LISTED,
        HANDED,
        f"If takeBack refuses with {REFUSALS} (Pass it on).",
        BASIS,
        "3 points if damage was done on the road (see section 4).",
        'Damage was done on the road if there is a damage whose journey stage is "Road".',
        "2 points if there is no warranty or the warranty ends before the day of return.",
        "there is a damage whose discovery day is after 2026-05-01.",
        f"1 point if {YOUNG}.",
        "1 point if the age of the sender on the day of return is at least 65 years.",
        "| If | shelf | storage time |",
        '| the points are more than 2 | "B" | 4 weeks |',
        "The stores carry out steps 6.3 and 6.5.",
        "Quality assurance is responsible for this procedure",
        "Quality assurance takes over at step 6.6",
    ],
)
def test_it_is_said_so(said: str) -> None:
    assert [line.text for line in LINES if said in line.text]


def test_all_of_it_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "label: day of its discovery",
            "label: stage of its journey",
            "whose stage of its journey is after 2026-05-01",
        ),
        (
            "        price: {role: input",
            f"{BIRTH_DATE}        price: {{role: input",
            f"the day of return is less than 18 years after {BIRTH}",
        ),
    ],
)
def test_words_that_would_stand_for_two_things_are_not_used(old: str, new: str, said: str) -> None:
    assert old in TEXT
    model = read_brief(TEXT.replace(old, new), "plain_words.yaml").model
    lines = render_sop(model, "", (), None, control=BRIEF.parts.document).lines

    assert any(said in line.text for line in lines)
    assert list(read_back_findings(model, lines)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("there is no warranty", 'the end of the warranty is "no warranty"'),
        (GROUP, GROUP.replace(", otherwise", "; in all other cases, it is")),
        ("day is after 2026-05-01", "day falls no earlier than 2026-05-02"),
        (GROUP, GROUP.replace("Determine", "Record").replace("): ", ") as ")),
        (GROUP, f'The {NAMED} is "old" if {EARLY}; otherwise, it is "recent".'),
        (GROUP, f'Determine the {NAMED}: if {EARLY}, it is "old"; otherwise, it is "recent".'),
        (AGAIN, AGAIN.replace("as in step", "in the same manner as in step")),
        (AGAIN, AGAIN.replace("as in step", "by the rules of step")),
        (BASIS, BASIS.replace(PRICE, "use the price if one is given; otherwise, use 0 EUR")),
        (DEFINED, DEFINED_FIRST),
        (YOUNG, f"the day of return is earlier than 18 years after {BIRTH}"),
        (OLD, f"the day of return is at least 65 years after {BIRTH}"),
        ("if there is no warranty or", "if no warranty exists or"),
        ("before 1990", "less than 1990"),
        ("before 1990", "earlier than 1990"),
        ("whose discovery day", "whose day of its discovery"),
        (
            "the refundable share of the basis",
            "the basis of the refund multiplied by the refundable share (in percent)",
        ),
        (LISTED, LISTED.replace("each damage", "each entry in the damages")),
        (HANDED, 'the note as "memo" and hand the case over to quality assurance.'),
        (HANDED, 'the note as "memo". Then hand the case over to the quality assurance.'),
        (
            "the price, or 0 EUR if none is given",
            "the price if the price is given, otherwise 0 EUR",
        ),
        ("(the order is missing)", "(the order is not on file)"),
        ("(the order is missing) or", "or"),
        ("Quality assurance takes over", "The quality assurance takes over"),
    ],
)
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    if old == "the refundable share of the basis":
        old, new = SHARE, f"{new}, rounded to 2 decimal places."

    assert find_errors(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("there is no warranty", "there is a warranty"),
        (GROUP, f'The {NAMED} is "old" if {EARLY}; otherwise, it is "old".'),
        (GROUP, f'Determine the {NAMED}: if {EARLY}, it is "recent"; otherwise, it is "old".'),
        ("day is after 2026-05-01", "day falls no later than 2026-05-02"),
        (YOUNG, YOUNG.replace("less than", "at most")),
        (YOUNG, YOUNG.replace("less than", "at least")),
        (YOUNG, YOUNG.replace("18", "19")),
        (OLD, OLD.replace("at least", "more than")),
        (OLD, OLD.replace("at least", "less than")),
        (AGAIN, AGAIN.replace("as in step", "in another manner than in step")),
        (AGAIN, AGAIN.replace("as in step 6.1 (Look at it)", "by the rules of step 6.4 (Keep it)")),
        (BASIS, BASIS.replace(PRICE, "use the price if one is given; otherwise, use 5 EUR")),
        (DEFINED, DEFINED_FIRST.replace("damage was done", "no damage was done")),
        (DEFINED, DEFINED_FIRST.replace("there is a damage", "there is no damage")),
        ("if there is no warranty or", "if a warranty exists or"),
        ("there is no warranty", "there is no guarantee"),
        ("before 1990", "after 1990"),
        ("before 1990", "no later than 1990"),
        (GROUP, GROUP.replace("1990", "1991")),
        (GROUP, GROUP.replace('"old" if', '"recent" if').replace('o "recent".', 'o "old".')),
        (GROUP, GROUP.replace('set it to "recent"', 'set it to "old"')),
        (AGAIN, AGAIN.replace("6.1 (Look at it)", "6.2 (Take it back)")),
        (AGAIN, AGAIN.replace("the points, the shelf", "the shelf")),
        (AGAIN, AGAIN.replace("as in step", "unlike in step")),
        (REFUSALS, REFUSALS.replace("go to step 6.6", "go to step 6.5")),
        (REFUSALS, REFUSALS.replace("no_order (the order is missing) or ", "")),
        (REFUSALS, REFUSALS.replace("the order is missing", "the order is on file")),
        (REFUSALS, REFUSALS.replace("the order is missing", "it is beyond repair")),
        (SHARE, SHARE.replace("2 decimal", "1 decimal")),
        (SHARE, SHARE.replace("share of the basis of the refund", "share of the price")),
        (LISTED, LISTED.replace('"Road"', '"Shop"')),
        (LISTED, LISTED.replace("stage is", "stage is not")),
        (LISTED, LISTED.replace("its stage of the journey", "its day of its discovery")),
        (HANDED, HANDED.replace("memo", "letter")),
        (HANDED, HANDED.replace("quality assurance", "stores")),
        ("or 0 EUR if none is given", "or 1 EUR if none is given"),
        ("the price, or 0 EUR", "the points, or 0 EUR"),
        ("whose discovery day is after", "whose discovery day is on or after"),
        ('damage whose journey stage is "Road".', 'damage whose journey stage is "Depot".'),
        ("if damage was done", "if no damage was done"),
        ("| the points are more than 2 |", "| the points are at least 2 |"),
        ("| the points are more than 2 |", '| the kind of instrument is "Clock" |'),
        ('"B" | 4 weeks', '"B" | 5 weeks'),
        ('"B" | 4 weeks', '"A" | 4 weeks'),
        ("| all other cases |", "| the points are less than 2 |"),
        ("| shelf | storage time |", "| storage time | shelf |"),
        ("takes over at step 6.6", "takes over at step 6.5"),
        ("carry out steps 6.3 and 6.5", "carry out steps 6.3 and 6.4"),
    ],
)
def test_a_fault_in_it_is_found(old: str, new: str) -> None:
    assert find_errors(old, new)


POINTS_ALONE = "Determine the points as in step 6.1 (Look at it)."


def test_one_field_is_decided_again_as_before() -> None:
    model = read_brief(TEXT.replace("decide: [points, storage]", "decide: [points]"), "a").model
    lines = render_sop(model, "", (), None, control=BRIEF.parts.document).lines

    assert [line for line in lines if line.text == POINTS_ALONE]
    assert list(read_back_findings(model, lines)) == []
    for other in ("as in step 6.2 (Take it back)", "unlike in step 6.1 (Look at it)"):
        assert list_edit_errors(model, lines, ("as in step 6.1 (Look at it)", other))
