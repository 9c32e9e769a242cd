"""A draft's title and pointers do not reach the SOP; sentences that stand without one stay."""

from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sop.sop_states_all import CHECK
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding, Severity
from sopforge.rendering.sop.document import Line, SopDocument, Style
from sopforge.rendering.sop.draft import read_draft
from sopforge.rendering.sop.draft_pointers import Pointers
from sopforge.stages.sop import build_sop_files
from sopforge.workspace import DOMAIN, Workspace
from tests.unit.authors.test_model_author import FEES

NUMBERED = Pointers(frozenset({"3.1", "3.2", "5.4", "7.1", "7.2", "7.4"}))

AS_IT_IS = [
    "This section is about mares.",
    "This figure is rounded down.",
    "The following figures are rough.",
    "A house under section 8 of the Housing Act is inspected first.",
    "Schedule 2 drugs are counted by two people.",
    "Tenants under a Section 106 agreement pay less.",
    "The form has two pages; page 2 of the passport has the photo.",
    "Annex II of the Directive lists the species.",
    "Temperatures above 20 degrees are noted.",
    "Water below the mark is topped up.",
    "The following papers are needed: passport, visa, ticket.",
    "The steps are listed below:",
    "Table 4 of the ADR names the class.",
    "Guests at table 12 were served late.",
    "Tape 5.4 m of the seam.",
    "Follow ISO 9001 in all records.",
    "The patient on page duty is called.",
    "A figure of eight knot is tied.",
    "The driver is paid in section B money.",
    "The section chief signs.",
    "The customer sits at a table below deck.",
    "See to it that the valve is closed.",
    "We see 40 cases a year.",
    "He goes to court 5.",
    "Take the bus to gate 7.",
    "The desk is on the page where the map is.",
    "The lift stops at 3.2 m.",
    "As agreed with the owner, the roof is opened.",
    "Appendix pain is treated at once.",
    "Section staff wear vests.",
    "Part A licences lapse after a year.",
]
SHORTENED = {
    "The fee is due at once (see section 4 below).": "The fee is due at once.",
    "The crane is locked, see Table 2.": "The crane is locked.",
    "As described above, the seal is checked.": "The seal is checked.",
    "The seal is checked as described above.": "The seal is checked.",
    "The checks listed below are made by the vet.": "The checks are made by the vet.",
    "Under section 5, a late entry is noted.": "A late entry is noted.",
    "It pays the fee of table 1, without discount.": "It pays the fee, without discount.",
    "A foal is chipped (for the codes see Annex D).": "A foal is chipped.",
    "Exempt persons (listed in Schedule 1) pay nothing.": "Exempt persons pay nothing.",
    "Milk is kept cold in accordance with section 3.": "Milk is kept cold.",
    "The above-mentioned permit is kept.": "The permit is kept.",
    "Loads are weighed (cf. Annex B, page 3).": "Loads are weighed.",
    "The meter is read; see also WI-07.": "The meter is read.",
    "Nothing else in this appendix applies to tugs.": "Nothing else applies to tugs.",
    "In accordance with section 3, two people open it.": "Two people open it.",
    "The tariff, as set out in Annex C, is paid in advance.": "The tariff is paid in advance.",
    "Blood is kept cold (as explained on page 3).": "Blood is kept cold.",
    "The keys, as section 7.4 says, stay in the safe.": "The keys stay in the safe.",
    "The clerk signs (see above) and leaves.": "The clerk signs and leaves.",
}
LEFT_OUT = [
    "A goat rejected under 3.1 or 3.2 is tagged.",
    "Cases not covered by sections 2 to 4 go to the head.",
    "If the hull is wet, proceed as in section 3.",
    "Owners of a berth find theirs in Appendix A.",
    "Whatever there is to pay under 7.1 or 7.2 is raised.",
    "Refer to section 9 for details.",
    "See below.",
    "Please see the annex below.",
    "Section 5 applies.",
    "The fee is in table 3.",
    "Go on to section 6.",
    "What follows in section 2 does not count.",
    "The following annex lists all valves.",
    "The fee reads none only as section 7.4 says.",
    "Details are on page 3.",
    "The rates are those of Table 1.",
    "This appendix is about mares.",
    "Read the next page first.",
    "Table 2 shows the fees.",
    "Document number: QA-17",
    "Version 3.2, 12 May 2020",
    "Page 3 of 9",
    "The rest is described in chapter 4.",
    "Everything else is said above.",
    "See SOP-114.",
    "The crop goes on to 3.2 and waits.",
]


def cleaned(text: str) -> str | None:
    line, _ = NUMBERED.strip_line(Line(Style.PARAGRAPH, text, excused="draft"))
    return line.text if line else None


@pytest.mark.parametrize("text", AS_IT_IS)
def test_what_only_looks_like_a_pointer_stays(text: str) -> None:
    assert cleaned(text) == text


@pytest.mark.parametrize(("text", "kept"), SHORTENED.items())
def test_a_sentence_that_stands_without_its_pointer_loses_it(text: str, kept: str) -> None:
    assert cleaned(text) == kept


@pytest.mark.parametrize("text", LEFT_OUT)
def test_a_sentence_that_does_not_stand_without_is_left_out(text: str) -> None:
    assert cleaned(text) is None


DRAFT = """# Working Instruction 7: Late books

Document number: WI-07
Version 3.2, May

What comes back late is settled at the desk.

## 1. Purpose

1.1 Readers are treated alike (see section 4 below). Section 9 applies. It is always on the desk.

## 2. At the desk

| Slip | Colour |
| --- | --- |
| see page 3 | green |

- Be kind, as described above.
- See Annex B.

## 3. Elsewhere

See chapter 12.
"""


def test_the_title_and_the_numbers_go_and_what_stands_under_the_title_opens_the_purpose() -> None:
    draft = read_draft(DRAFT)

    assert [(part.title, [line.text for line in part.lines]) for part in draft.sections] == [
        (
            "Purpose",
            ["What comes back late is settled at the desk.", "Readers are treated alike."],
        ),
        ("At the desk", ["| Slip | Colour |", "| see page 3 | green |", "Be kind."]),
    ]
    assert [(item.text, item.is_whole) for item in draft.left_out] == [
        ("Document number: WI-07", True),
        ("Version 3.2, May", True),
        ("Readers are treated alike (see section 4 below).", False),
        ("Section 9 applies.", True),
        ("It is always on the desk.", True),
        ("Be kind, as described above.", False),
        ("See Annex B.", True),
        ("See chapter 12.", True),
    ]


def test_headings_of_one_depth_have_no_title_among_them() -> None:
    draft = read_draft("# Aim\n\nBe fair.\n\n# Scope\n\nAll late books.")

    assert [part.title for part in draft.sections] == ["Aim", "Scope"]
    assert draft.left_out == []


@pytest.mark.parametrize(
    ("headings", "titles"),
    [
        (
            ["Terms and definitions", "3. Roles and Responsibilities"],
            ["Definitions", "Roles"],
        ),
        (["Glossary", "Definitions"], ["Glossary", "Definitions"]),
        (["Glossary", "Terms"], ["Definitions", "Terms"]),
        (["Terms of payment", "Record keeping"], ["Terms of payment", "Records"]),
    ],
)
def test_usual_headings_are_those_of_the_sop_and_none_stands_twice(
    headings: list[str], titles: list[str]
) -> None:
    draft = read_draft("\n\n".join(f"# {heading}\n\nBe fair." for heading in headings))

    assert [part.title for part in draft.sections] == titles


def test_a_glossary_takes_the_place_of_generated_definitions() -> None:
    sop, _ = checked("# Scope\n\nAll late books.\n\n# Glossary\n\n- **Loan**: a book that is out.")

    titles = [line.text for line in sop.lines if line.style is Style.SECTION]
    assert [title for title in titles if "Definitions" in title] == ["2. Definitions"]
    assert not any("Glossary" in title for title in titles)


@pytest.mark.parametrize(
    ("prose", "count"),
    [
        ("Since 2024, the desk handles all fines.", 0),
        ("In March 2019, fines were raised.", 0),
        ("Since 2024, 31 readers have complained.", 1),
        ("Books of 2024 cost more.", 1),
    ],
)
def test_a_year_of_the_past_is_no_figure_of_the_rules(prose: str, count: int) -> None:
    _, findings = checked(f"# Aim\n\n{prose}\n\n# Scope\n\nAll late books.")

    assert [item.id for item in findings] == ["sop-prose"] * count


def checked(draft: str) -> tuple[SopDocument, list[Finding]]:
    brief = read_brief(FEES, "fees.yaml", draft)
    sop = OfflineAuthor().write_sop(brief.model, brief)
    files = {DOMAIN: OfflineAuthor().write_domain(brief)}
    return sop, CHECK.examine(Workspace(brief, files).with_stage("sop", build_sop_files(sop)))


def test_the_sop_has_no_pointer_and_a_note_lists_what_was_left_out() -> None:
    sop, findings = checked(DRAFT)

    text = sop.as_text()
    assert "1. Purpose\nWhat comes back late is settled at the desk.\nReaders are" in text
    for pointer in ("Working Instruction", "section 4 below", "Annex B", "WI-07", "Elsewhere"):
        assert pointer not in text
    [note] = findings
    assert (note.id, note.severity) == ("sop-pointers-left-out", Severity.NOTE)
    assert "left out: Section 9 applies." in note.evidence
    assert "without its pointer: Be kind, as described above." in note.evidence


def test_a_draft_without_pointers_stands_as_it_is_without_a_note() -> None:
    sop, findings = checked("# Aim\n\nBe fair to readers.\n\n# Scope\n\nAll late books.")

    assert "1. Aim\nBe fair to readers.\n" in sop.as_text()
    assert findings == []
