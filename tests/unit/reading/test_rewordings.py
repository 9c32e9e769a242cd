"""An SOP in other words: what means the same is accepted, what means something else is found."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.findings import has_errors
from sopforge.reading.rewordings import reword_passage
from sopforge.reading.sop_passages import Passage
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS

BRIEF = (
    (BRIEFS / "patient_intake.yaml")
    .read_text(encoding="utf-8")
    .replace("age of majority", "age of consent by law")
)
# Without clauses for labels, so that rules name these.
INTAKE = read_brief(
    re.sub(r"[ ,]*\bsaid: \{(?!yes).*?\}(?=,|$)", "", BRIEF, flags=re.MULTILINE), "brief"
).model
LINES = render_sop(INTAKE, "", (), 1).lines
BENEFIT = "the remaining prescription benefit is less than 50 USD"
TIER = "the copay tier is more than 4"
START = "the coverage starts after the intake date"
END = "the coverage ends before the intake date"
WAIT = "the intake date is less than 30 days after the coverage start date"
STATUS = 'the coverage status is not "Active"'
NETWORK = 'the insurance type is "Private" or "Marketplace"'
GUARDIAN = 'the consent signatory is not "Guardian"'
BOTH = 'the network status of the clinic is "Out of network" and the insurance type is "Medicaid"'
HOLD = 'If the pharmacy check is "declined", go to step 6.9 (Put on hold).'
LIMITS = "Note: the age of consent by law is 18 years."
DECIDE = "Determine the insurance validation:"
CASES = '"not accepted" if any of the following applies, otherwise "verified":'
ANY = (
    'Set the insurance validation to "not accepted" if any of the following applies, and otherwise'
    ' to "verified":'
)
RECORD = 'Record the registration status (user_registration) as "on hold" and'
CALL = "Call registerPatient with"
REQUIRED = 'insurance_not_verified: the insurance validation is not "verified".'
SAID_AS_REFUSAL = (
    'If the insurance validation is not "verified", as registerPatient requires, the tool refuses'
    " with insurance_not_verified."
)
ROW = "| at least 5 points |"
CHRONIC = 'include both "Hypertension" and "Type 2 diabetes"'


def findings_after(old: str, new: str) -> list[str]:
    """Return the errors of the SOP with one passage in other words."""
    place = next(n for n, line in enumerate(LINES) if old in line.text)
    said = LINES[place].text.replace(old, new).split("\n")
    lines = [
        *LINES[:place],
        *(replace(LINES[place], text=text) for text in said),
        *LINES[place + 1 :],
    ]
    found = list(read_back_findings(INTAKE, lines))
    return [finding.message for finding in found] if has_errors(found) else []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (REQUIRED, SAID_AS_REFUSAL),
        (BENEFIT, "the remaining prescription benefit falls below 50 USD"),
        (BENEFIT, "the remaining prescription benefit is under 50 USD"),
        (BENEFIT, "the remaining prescription benefit does not reach 50 USD"),
        (TIER, "the copay tier exceeds 4"),
        (TIER, "the copay tier is over 4"),
        (TIER, "copay tier is higher than 4"),
        (START, "the coverage start date is later than the intake date"),
        (START, "the coverage start date lies after the intake date"),
        (END, "the coverage end date is earlier than the intake date"),
        (END, "the coverage end date is prior to the intake date"),
        (WAIT, WAIT.replace("less than", "fewer than")),
        (WAIT, WAIT.replace("is less than", "lies less than")),
        (STATUS, 'the coverage status isn\'t "Active"'),
        (STATUS, 'the coverage status is other than "Active"'),
        (STATUS, 'the coverage status differs from "Active"'),
        (NETWORK, 'the insurance type is either "Private" or "Marketplace"'),
        (NETWORK, 'the insurance type is one of "Private" or "Marketplace"'),
        (GUARDIAN, 'the consent signatory is anything but "Guardian"'),
        (BOTH, f"both {BOTH}"),
        (BOTH, BOTH.replace(" and ", " as well as ")),
        (HOLD, 'Proceed to step 6.9 (Put on hold) if the pharmacy check is "declined".'),
        (HOLD, 'If the pharmacy check is "declined", continue with step 6.9 (Put on hold).'),
        (HOLD, 'In case the pharmacy check is "declined", go to step 6.9 (Put on hold).'),
        (LIMITS, f"Proceed to step 6.2 (Validate the medical coverage).\n{LIMITS}"),
        (LIMITS, f"Next, continue with step 6.2 (Validate the medical coverage).\n{LIMITS}"),
        (WAIT, "the intake date is 29 days after the coverage start date or earlier"),
        (ANY, f'{DECIDE} "verified" if none of the following applies, otherwise "not accepted":'),
        (ANY, f"{DECIDE} {CASES}"),
        (ANY, f"Assess the insurance validation: {CASES}"),
        (ANY, f"Establish the insurance validation (insurance_validation): {CASES}"),
        (RECORD, 'Set the registration status (user_registration) to "on hold" and'),
        (CALL, "Use registerPatient with"),
        (ROW, "| no less than 5 points |"),
        (CHRONIC, 'include both "Hypertension" and "Type 2 diabetes"'),
        (CHRONIC, 'include "Hypertension", and "Type 2 diabetes"'),
    ],
)
def test_other_words_of_one_meaning_are_accepted(old: str, new: str) -> None:
    assert findings_after(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (REQUIRED, SAID_AS_REFUSAL.replace("is not ", "is ")),
        (REQUIRED, SAID_AS_REFUSAL.replace("insurance_not_verified", "consent_missing")),
        (REQUIRED, SAID_AS_REFUSAL.replace('"verified"', '"not accepted"')),
        (BENEFIT, "the remaining prescription benefit is 50 USD or less"),
        (BENEFIT, "the remaining prescription benefit exceeds 50 USD"),
        (BENEFIT, "the remaining prescription benefit falls below 60 USD"),
        (TIER, "the copay tier is 4 or more"),
        (TIER, "the copay tier does not exceed 4"),
        (START, "the coverage start date is no later than the intake date"),
        (START, "the coverage start date lies before the intake date"),
        (END, "the coverage end date is not after the intake date"),
        (WAIT, WAIT.replace("less than", "no more than")),
        (WAIT, WAIT.replace("30 days", "30 months")),
        (WAIT, "the intake date is 29 days after the coverage start date or later"),
        (WAIT, "the intake date is 30 days after the coverage start date or earlier"),
        (WAIT, "the intake date is 29 days before the coverage start date or later"),
        (ANY, f'{DECIDE} "not accepted" if none of the following applies, otherwise "verified":'),
        (STATUS, 'the coverage status reads "Active"'),
        (STATUS, 'the coverage status is other than "Lapsed"'),
        (NETWORK, 'the insurance type is neither "Private" nor "Marketplace"'),
        (GUARDIAN, 'the consent signatory is either "Guardian"'),
        (BOTH, BOTH.replace(" and ", " or ")),
        (
            HOLD,
            'Proceed to step 6.10 (Refuse the registration) if the pharmacy check is "declined".',
        ),
        (HOLD, 'In case the pharmacy check differs from "declined", go to step 6.9 (Put on hold).'),
        (LIMITS, f"Proceed to step 6.5 (Assess the overall risk).\n{LIMITS}"),
        (RECORD, 'Set the registration status (user_registration) to "refused" and'),
        (CALL, "Use verifyPharmacy with"),
        (ROW, "| over 5 points |"),
        (CHRONIC, 'include "Hypertension", or "Type 2 diabetes"'),
        (NETWORK, 'the insurance type is not "Private" or "Marketplace"'),
    ],
)
def test_other_words_of_another_meaning_are_found(old: str, new: str) -> None:
    assert findings_after(old, new)


def test_a_sentence_that_cannot_be_read_names_its_unknown_words() -> None:
    found = findings_after(BENEFIT, "the remaining prescription benefit tops 50 USD")

    assert [message for message in found if 'not understood: "tops 50 USD' in message]


def test_labels_and_quoted_words_stay_as_they_are() -> None:
    passage = Passage('The fee exceeds limit is "not over 5".', is_bullet=False)
    found = reword_passage(passage, ["fee exceeds limit"])

    assert found.text == 'The fee exceeds limit is "not over 5".'


def test_a_label_without_its_article_gets_it() -> None:
    passage = Passage("If copay tier exceeds 4, wait.", is_bullet=False)

    assert reword_passage(passage, ["copay tier"]).text == "If the copay tier is more than 4, wait."
