"""Remarks as reviewers write them: which of them other words can meet, and which they cannot.

They were written by hand, a third of them after the patterns, which were not changed for these.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.domain.reading import Brief
from sopforge.gates.remarks import Aim, find_aim
from sopforge.rendering.sop.sop import render_sop

ROOT = Path(__file__).parents[3]
INTAKE, GOODS = "briefs/patient_intake.yaml", "briefs/dangerous_goods.yaml"
ABUSE = "briefs/referral_abuse.yaml"
REFUNDS, FEES = "tests/briefs/refund.yaml", "tests/briefs/fees.yaml"


@cache
def load(path: str) -> tuple[Brief, str]:
    brief = load_brief(ROOT / path)
    return brief, render_sop(brief.model, brief.draft).as_text()


def find(path: str, stage: str, remark: str) -> Aim | None:
    brief, text = load(path)
    return find_aim(brief.model, stage, remark, text)


ON_RULES = [
    (REFUNDS, "sop", "Refunds should be possible for 45 days, not 30."),
    (REFUNDS, "sop", "Orders above 500 EUR must go to a supervisor first."),
    (FEES, "sop", "Films should be tolerated too."),
    (FEES, "sop", "Raise the limit to ten days."),
    (FEES, "sop", "Students never pay a late fee."),
    (INTAKE, "sop", "Please verify the pharmacy before the insurance."),
    (INTAKE, "sop", "A moderate overall risk should be rejected as well."),
    (INTAKE, "sop", "We no longer register patients without prescription cover."),
    (INTAKE, "sop", "Swap steps 2 and 3."),
    (INTAKE, "toolspec", "registerPatient should also take the date of birth."),
    (GOODS, "sop", "The threshold for the control band is too low."),
    (GOODS, "api", "Add a parameter for the carrier to bookConsignment."),
    (ABUSE, "tools", "recordMeasure must refuse accounts with an open appeal."),
    (ABUSE, "sop", "Drop the condition on proxy logins."),
    (GOODS, "complexity", "L1 should have fewer annexes."),
    (ABUSE, "sop", "If the appeal is open, nothing may be suspended."),
    (REFUNDS, "sop", "Our policy changed: customers get 60 days now."),
    (REFUNDS, "sop", "Cheap orders can be refunded without any check."),
    (FEES, "sop", "The daily fee is wrong, it is 50 cent."),
    (FEES, "sop", "Books that come back on a Sunday count as returned on Saturday."),
    (INTAKE, "sop", "Heavy smokers belong into the high risk group."),
    (INTAKE, "sop", "Leave out the lifestyle score, we do not use it."),
    (INTAKE, "sop", "Two approvals are needed for high risk patients."),
    (INTAKE, "api", "validateInsurance should return the copay as well."),
    (INTAKE, "toolspec", "Make group_number optional."),
    (GOODS, "sop", "Do the safety data sheet last."),
    (GOODS, "tools", "bookConsignment refuses consignments by air too early; allow strict ones."),
    (GOODS, "complexity", "The limit in the annex must be 60."),
    (ABUSE, "sop", "Suspension needs at least three strikes."),
    (ABUSE, "sop", "What about accounts younger than a week? They should not be reviewed at all."),
    (ABUSE, "complexity", "L2 should have ten more tools."),
    (REFUNDS, "sop", "Gift cards are never refunded."),
    (REFUNDS, "sop", "We give goodwill refunds to everybody who complains twice."),
    (FEES, "sop", "The library now charges from the first day on."),
    (FEES, "sop", "Damaged books are sent to the workshop instead of being settled."),
    (INTAKE, "sop", 'Accept the "not accepted" insurance if the patient pays in cash.'),
    (INTAKE, "sop", "The chart must not be opened before the doctor has signed."),
    (INTAKE, "sop", "Use calculateOverallRisk only for adults."),
    (INTAKE, "toolspec", "verifyPharmacy needs no phone number."),
    (INTAKE, "api", "The status 404 should be a 400."),
    (GOODS, "sop", "Corrosives may go with oxidisers if the packages are small."),
    (GOODS, "sop", "Score incidents double when they are recent."),
    (GOODS, "tools", "scoreDisposal gives too many points for incineration."),
    (ABUSE, "sop", "A first offence gets a warning, nothing more."),
    (ABUSE, "sop", "Why do we block the payout? That is for legal to decide."),
    (ABUSE, "toolspec", "listReferrals should be limited to the last 50 referrals."),
]


@pytest.mark.parametrize(("path", "stage", "remark"), ON_RULES)
def test_a_remark_on_a_rule_belongs_to_the_rules(path: str, stage: str, remark: str) -> None:
    found = find(path, stage, remark)

    assert found is not None
    assert found.sentence in remark
    # How hard levels are is no part of the model.
    is_dose = stage == "complexity" and any(level in remark for level in ("L1", "L2"))
    assert found.stage == ("brief" if is_dose else "schema")


ON_WORDS = [
    (REFUNDS, "sop", "The introduction is too long; two sentences are enough."),
    (REFUNDS, "sop", "Please use a friendlier tone in the paragraphs about rejected orders."),
    (FEES, "sop", "Explain why films are treated differently."),
    (FEES, "sop", 'Typo in step 2: "recieve".'),
    (INTAKE, "sop", "Section 3 reads like a contract. Plain English, please."),
    (INTAKE, "sop", "Say in the opening whom this is for."),
    (INTAKE, "sop", "Put the paragraph about data protection at the end of section 1."),
    (GOODS, "sop", "The second paragraph repeats the first."),
    (GOODS, "sop", "Less jargon: our clerks are new."),
    (ABUSE, "sop", "Avoid the passive voice."),
    (ABUSE, "sop", "Add an explanation of what a proxy login is."),
    (ABUSE, "toolspec", "The description of recordMeasure is hard to understand."),
    (INTAKE, "api", "Summaries should start with a verb."),
    (INTAKE, "tools", "Add docstrings to the helper functions."),
    (GOODS, "complexity", "The asides sound made up; take something from daily work."),
    (FEES, "sop", "This is fine, but it could be more lively."),
    (FEES, "sop", "Say what 'late' means."),
    (REFUNDS, "sop", "Could you make it shorter? It goes on and on."),
    (REFUNDS, "sop", "Write it as our clerks talk."),
    (FEES, "sop", "Move the remark about the shelf to the top."),
    (FEES, "sop", 'I would not say "customer" but "reader".'),
    (INTAKE, "sop", "The tone towards patients is cold."),
    (INTAKE, "sop", "A sentence on why the pharmacy matters would help."),
    (INTAKE, "sop", "Please break up the wall of text in section 2."),
    (INTAKE, "api", "The operation texts do not say whose portal it is."),
    (INTAKE, "toolspec", "Start each description with what the tool is for."),
    (GOODS, "sop", 'Nobody here says "consignee"; use "receiver".'),
    (GOODS, "tools", "The code is hard to read, split the long function."),
    (GOODS, "complexity", "The tangents are boring."),
    (ABUSE, "sop", "Say to the reader what can go wrong in step 4."),
    (ABUSE, "sop", "Nice work, but the closing is missing some warmth."),
    (ABUSE, "complexity", "The reminders all begin in the same manner."),
    (REFUNDS, "sop", 'Please write "buyer" wherever it says "customer" in your own paragraphs.'),
    (REFUNDS, "sop", "It is a bit dry."),
    (FEES, "sop", "The last paragraph of the procedure belongs to the beginning."),
    (FEES, "sop", "Too many commas."),
    (INTAKE, "sop", "I stumble over the second sentence in step 3."),
    (INTAKE, "sop", "Too much text before the first step."),
    (INTAKE, "sop", "American spelling, please."),
    (INTAKE, "toolspec", "Descriptions should have the same structure."),
    (GOODS, "sop", "Make it sound less like a lawyer wrote it."),
    (GOODS, "api", "Do not repeat the name of the service in its summary."),
    (GOODS, "sop", 'The word "segregation" needs an explanation for newcomers.'),
    (ABUSE, "tools", "Rename the variable x, nobody knows what it is."),
    (ABUSE, "complexity", "One of the tangents is about the weather, which is odd."),
    (ABUSE, "sop", "What you wrote about privacy is fine, keep it, but cut the rest by a third."),
]


@pytest.mark.parametrize(("path", "stage", "remark"), ON_WORDS)
def test_a_remark_on_words_goes_to_their_author(path: str, stage: str, remark: str) -> None:
    assert find(path, stage, remark) is None


def test_a_remark_that_names_an_item_is_held_up_though_it_is_on_words() -> None:
    found = find(INTAKE, "sop", "Give the section on risk a short motivation.")

    assert found is not None
    assert "risk" in found.reason


def test_what_is_quoted_is_not_what_is_asked_for() -> None:
    words = "About “Refunds of more than 900 EUR must be approved.”: This is hard to read."
    assert find(REFUNDS, "sop", words) is None
    assert find(REFUNDS, "sop", f"About “The first step”: Make it shorter.\n\n{words}") is None


@pytest.mark.parametrize("stage", ["schema", "dataset"])
def test_where_rules_and_rows_are_written_all_is_heeded(stage: str) -> None:
    assert find(FEES, stage, "Raise the limit to ten days.") is None


def test_a_number_of_the_text_may_be_spoken_of() -> None:
    assert find(FEES, "sop", "Explain where the 3 days come from.") is None
    found = find(FEES, "sop", "Explain that 4 days are free.")
    assert found is not None
    assert "the number 4" in found.reason
