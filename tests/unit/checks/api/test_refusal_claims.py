"""What descriptions say of refusals is compared with the tools' own checks.

The sentences were written by hand as people write them, each with a tool of a domain that ships or
that the tests have; which are true was decided by reading the guards.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.checks.api.refusal_claims import find_false_refusals
from sopforge.domain.model import DomainModel

ROOT = Path(__file__).parents[4]
INTAKE = ("briefs/patient_intake.yaml", "registerPatient")
COVER = ("briefs/patient_intake.yaml", "validateInsurance")
GOODS = ("briefs/dangerous_goods.yaml", "bookConsignment")
SCORES = ("briefs/dangerous_goods.yaml", "scoreHandling")
MEASURES = ("briefs/referral_abuse.yaml", "recordMeasure")
CLAIMS = ("tests/domains/everything.yaml", "payClaim")
ORDERS = ("tests/domains/orders.yaml", "reserveGoods")
PERMITS = ("tests/domains/permits.yaml", "grantPermit")
WARRANTY = ("tests/domains/warranty.yaml", "getClaim")
REFUNDS = ("tests/briefs/refund.yaml", "payRefund")
LOANS = ("tests/briefs/fees.yaml", "lookUpLoan")
Subject = tuple[str, str]


@cache
def load_model(path: str) -> DomainModel:
    return load_brief(ROOT / path).model.offered


def find_faults(subject: Subject, text: str) -> list[str]:
    path, tool = subject
    model = load_model(path)
    return find_false_refusals(model, model.tools[tool], text)


FALSE = [
    (INTAKE, "Registers a patient and opens a chart; refuses if the insurance has been verified."),
    (INTAKE, "Refuses the registration when the patient is under eighteen."),
    (INTAKE, "It rejects patients whose policy number does not match."),
    (INTAKE, "Requires that the lifestyle risk level is high."),
    (INTAKE, "Fails when the pharmacy has been confirmed."),
    (INTAKE, "Refuses only if the pharmacy has not been confirmed."),
    (INTAKE, "Registers the patient unless the insurance has not been verified."),
    (INTAKE, "The overall risk level must not be moderate."),
    (INTAKE, "Never refuses a patient."),
    (GOODS, "Refuses goods of the maximum band."),
    (GOODS, "Declines consignments that travel by air."),
    (GOODS, "Refuses goods of the strict band that fly."),
    (GOODS, "A consignment that has not been booked before is refused."),
    (GOODS, "Refuses if the product has no safety data sheet."),
    (GOODS, 'Requires that the segregation is "prohibited together".'),
    (GOODS, "Only consignments of packing group I are accepted."),
    (GOODS, "Requires a signed consent of the carrier."),
    (MEASURES, "Refuses when the account has been terminated."),
    (MEASURES, "Refuses to record a formal warning."),
    (
        MEASURES,
        (
            "Fails if the bonus at risk is less than 2500 USD and the measure is an account "
            "termination."
        ),
    ),
    (MEASURES, "Refuses suspensions when the risk score is above 70."),
    (MEASURES, "Cannot record anything while an appeal is open."),
    (CLAIMS, "Refuses amounts above 1200 USD."),
    (CLAIMS, "Refuses payable amounts of at least 900 USD."),
    (CLAIMS, "Refuses payable amounts below 900 USD."),
    (CLAIMS, "Refuses if the account is not frozen."),
    (CLAIMS, "Rejects a claim when the pin matches the code on file."),
    (ORDERS, "Fails if there were five reservations already."),
    (ORDERS, "Refuses orders of blocked regions."),
    (ORDERS, "Refuses if the goods are not reserved yet."),
    (PERMITS, "Refuses roads where the traffic is less than 400 cars."),
    (PERMITS, "Refuses if a hospital is nearby."),
    (WARRANTY, "Rejects a serial number that matches the serial on file."),
    (WARRANTY, "Refuses claims of devices that are older than the warranty."),
    (REFUNDS, "Refuses orders that are eligible."),
    (REFUNDS, "Needs an approval by the manager."),
    (SCORES, "Refuses products without a handling sheet."),
    (LOANS, "Refuses loans that are overdue."),
    (COVER, "Refuses if the cover has ended."),
    (COVER, "Always succeeds."),
    (
        INTAKE,
        (
            "Opens a chart for the patient. The call fails if the prescription benefit has "
            "already been verified."
        ),
    ),
    (INTAKE, "A chart number is needed before a patient can be registered."),
    (INTAKE, "Patients with a moderate overall risk are turned down, and the call is rejected."),
    (INTAKE, "Registration is refused for heavy smokers."),
    (INTAKE, "It will not register anyone whose pharmacy is confirmed."),
    (INTAKE, "The only check is that the insurance has been verified."),
    (INTAKE, "Accepts a patient only if the coverage is active."),
    (INTAKE, "Refuses when both risk levels are low."),
    (GOODS, "Rejects bookings of prohibited goods by sea."),
    (GOODS, "The call is refused if the package quantity exceeds the limit."),
    (GOODS, 'Requires the hazard class to be "Not dangerous".'),
    (GOODS, "Refuses goods whose control band is enhanced and whose mode of transport is Air."),
    (GOODS, "Refuses if no consignment of this request is booked yet."),
    (GOODS, "Books goods unless they may not travel in this load."),
    (MEASURES, "Fails when the payout has not been blocked."),
    (MEASURES, "Declines measures against accounts with open appeals."),
    (MEASURES, "Refuses an account termination."),
    (MEASURES, "Refuses to act when the bonus at risk is below 2500 USD."),
    (CLAIMS, "The payable amount must exceed 900 USD."),
    (CLAIMS, "Fails if the claim was handed in too late."),
    (CLAIMS, "Needs a pin that differs from the code on file."),
    (ORDERS, "Refuses unless the goods are reserved."),
    (ORDERS, "Orders above the open amount of the customer are refused."),
    (PERMITS, "Refuses work of less than 10 days near a hospital."),
    (PERMITS, "Refuses if the traffic is at least 400 cars."),
    (WARRANTY, "Fails if the dealer is unknown."),
    (REFUNDS, "Rejects refunds of eligible orders."),
    (REFUNDS, "It does not refuse any order."),
    (LOANS, "Requires a reader card."),
    (COVER, "Refuses if the record exists."),
    (INTAKE, "Refuses a patient whose overall risk level is moderate and not acceptable."),
]


@pytest.mark.parametrize(("subject", "text"), FALSE)
def test_a_refusal_that_the_tool_does_not_have_is_found(subject: Subject, text: str) -> None:
    [found] = find_faults(subject, text)

    # The sentence is shown, whichever one of the text it is.
    assert found.endswith('"')
    assert found.split(': "')[-1].removesuffix('"') in text


TRUE = [
    (
        INTAKE,
        "Registers a patient and opens a chart; refuses if the insurance has not been verified.",
    ),
    (
        INTAKE,
        (
            "Refuses when the insurance or the prescription benefit has not been verified, "
            "when the overall risk does not allow a registration, or when the pharmacy has not "
            "been confirmed."
        ),
    ),
    (INTAKE, "It rejects patients whose insurance is not verified."),
    (INTAKE, "Requires a confirmed pharmacy."),
    (
        INTAKE,
        (
            "Requires verified insurance, a verified prescription benefit, acceptable risk "
            "levels and a confirmed pharmacy."
        ),
    ),
    (INTAKE, 'Fails with pharmacy_not_confirmed unless the pharmacy check is "confirmed".'),
    (INTAKE, "Cannot register a patient without verified insurance."),
    (INTAKE, "The insurance must be verified and the pharmacy must be confirmed."),
    (INTAKE, "Refuses when the overall risk level is high."),
    (INTAKE, "Refuses if there is no such patient."),
    (INTAKE, "A patient whose insurance is unverified cannot be registered."),
    (GOODS, "Refuses goods of the maximum band that are to fly."),
    (GOODS, "Refuses a consignment in the maximum control band when the mode of transport is Air."),
    (GOODS, "Declines a request whose consignment has been booked before."),
    (GOODS, "Refuses goods without a hazard class."),
    (GOODS, 'Refuses if the segregation is "prohibited together".'),
    (GOODS, "Refuses goods that may not travel in this load."),
    (GOODS, "A consignment that is booked already is rejected."),
    (GOODS, "Refuses unknown products and parameters that are missing or not allowed."),
    (MEASURES, "Refuses reminders and cases without action."),
    (MEASURES, "Refuses if another review has already blocked the payout."),
    (MEASURES, 'Rejects the call when the measure is "rules reminder" or "no action".'),
    (MEASURES, "Refuses if there is no such account."),
    (CLAIMS, "Refuses if the account is frozen."),
    (CLAIMS, "Rejects a wrong code."),
    (CLAIMS, "Refuses if the pin is not the same as the code on file."),
    (CLAIMS, "Refuses payable amounts above 900 USD."),
    (CLAIMS, "Requires that the payable amount is at most 900 USD and more than 0 USD."),
    (CLAIMS, "Fails if the amount cannot be paid at once."),
    (ORDERS, "Refuses if the goods are reserved already."),
    (ORDERS, "Refuses after three reservations."),
    (ORDERS, "Refuses an unknown order."),
    (PERMITS, "Refuses if a hospital is nearby and the work is long."),
    (PERMITS, "Fails when the road is busy and cannot be closed."),
    (WARRANTY, "Refuses if the serial number is not the same as the serial on file."),
    (WARRANTY, "Rejects the call if this is not the device that was sold."),
    (REFUNDS, "Refuses an order that is not eligible."),
    (REFUNDS, 'Requires that the eligibility of the order is "eligible".'),
    (REFUNDS, "Refuses if the order is excluded."),
    (SCORES, "Refuses a parameter that is missing or not allowed."),
    (LOANS, "It refuses with unknown_record where there is no such loan."),
    (LOANS, "Needs the loan_id and answers days_late, in days."),
    (COVER, "Refuses when a parameter is not what the record holds."),
    (COVER, "Refuses if the policy number does not match the record."),
    (COVER, "Requires the patient_id and the policy number."),
    (
        COVER,
        (
            "Asks the eligibility portal for the state of a cover, and refuses if the patient"
            " is unknown."
        ),
    ),
    (
        INTAKE,
        (
            "Opens a chart for the patient. The call fails if the prescription benefit has "
            "not been verified."
        ),
    ),
    (INTAKE, "It will not register anyone whose pharmacy has not been confirmed."),
    (INTAKE, "Patients with a high overall risk level are rejected."),
    (
        INTAKE,
        (
            "The call is refused for an unknown patient, for unverified insurance or an "
            "unverified prescription benefit, and where the overall risk does not allow a "
            "registration."
        ),
    ),
    (INTAKE, "Accepts a patient only if the insurance has been verified."),
    (INTAKE, "Refuses a patient whose overall risk level is high and not acceptable."),
    (INTAKE, 'Registration is declined when the insurance validation is "not accepted".'),
    (GOODS, "Rejects goods that are prohibited together."),
    (
        GOODS,
        (
            "Books a consignment and makes out its transport document. It refuses if a "
            "consignment of this request is booked already, if the goods have no hazard "
            "class, if they may not travel in this load, or if they are of the maximum band "
            "and would fly."
        ),
    ),
    (GOODS, "Requires a hazard class, and refuses goods that may not travel in this load."),
    (GOODS, 'The segregation must not be "prohibited together".'),
    (GOODS, 'Refuses when the hazard class is "Not dangerous" or "Cannot be classified".'),
    (MEASURES, "Fails when the payout has been blocked by another review."),
    (MEASURES, "Declines cases without action and reminders, which are not recorded."),
    (CLAIMS, "The payable amount must not exceed 900 USD."),
    (CLAIMS, "Needs a pin that matches the code on file."),
    (
        CLAIMS,
        (
            "Pays a claim; refuses frozen accounts, wrong pins and amounts that cannot be "
            "paid at once."
        ),
    ),
    (ORDERS, "Refuses if the order does not exist."),
    (
        ORDERS,
        "Fails if the goods have been reserved before or if there were three reservations already.",
    ),
    (ORDERS, "Cannot reserve goods that are already reserved."),
    (PERMITS, "Refuses if a hospital is nearby and the days of work are at least 10."),
    (
        PERMITS,
        (
            "Grants a permit unless a hospital is nearby and the work is long or the road is "
            "busy and cannot be closed."
        ),
    ),
    (
        WARRANTY,
        (
            "Fails if the claim is unknown or the serial number is not the one of the device "
            "that was sold."
        ),
    ),
    (REFUNDS, "Only orders that are eligible are paid; others are refused."),
    (REFUNDS, "Refuses with not_eligible when the order is excluded."),
    (LOANS, "Fails for a loan that does not exist."),
    (COVER, "The policy number and the group number must match what the record holds."),
    (
        COVER,
        (
            "It refuses a malformed or missing parameter, a patient that is not known, and "
            "details that differ from the record."
        ),
    ),
]


@pytest.mark.parametrize(("subject", "text"), TRUE)
def test_a_refusal_of_the_tool_may_be_said_in_other_words(subject: Subject, text: str) -> None:
    assert find_faults(subject, text) == []


# They are true, and further from the tool's words than is read: taken back, not let through.
UNREAD = [
    (
        INTAKE,
        (
            'The pharmacy check has to be "confirmed"; otherwise the call fails with '
            "pharmacy_not_confirmed."
        ),
    ),
    (GOODS, "Refuses a second booking of the same consignment."),
    (
        MEASURES,
        (
            "Refuses a suspension with too much bonus at risk, to which only the integrity "
            "lead is entitled."
        ),
    ),
]


@pytest.mark.parametrize(("subject", "text"), UNREAD)
def test_words_far_from_those_of_the_tool_are_not_let_through(subject: Subject, text: str) -> None:
    assert find_faults(subject, text)


FREE = [
    (LOANS, "Asking it twice changes nothing; it only reads."),
    (
        COVER,
        "Asks the payer for the state of the medical cover and answers whether it is in force.",
    ),
    (GOODS, "Books a classified consignment and makes out its transport document."),
    (SCORES, "Works out a score from the demands on storage, and reads no record."),
    (LOANS, "Lehnt jede Ausleihe ab, deren Leser jünger als achtzehn Jahre ist, und bucht nichts."),
]


@pytest.mark.parametrize(("subject", "text"), FREE)
def test_what_speaks_of_no_refusal_is_not_read_as_one(subject: Subject, text: str) -> None:
    assert find_faults(subject, text) == []


def test_a_list_that_claims_to_be_whole_names_all() -> None:
    [found] = find_faults(INTAKE, "It refuses only if the insurance has not been verified.")

    left = "prescription_not_verified, risk_not_acceptable, pharmacy_not_confirmed"
    assert left in found
    assert find_faults(REFUNDS, "It refuses only if the order is not eligible.") == []
