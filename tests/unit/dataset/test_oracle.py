from __future__ import annotations

from collections.abc import Mapping

import pytest

from sopforge.language.domain.reading import Brief
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import format_cells

# An adult of 40 with a plain private plan, without any risk, and with a sound pharmacy.
PLAIN = {
    "patient_id": "P000001",
    "patient_name": "Ann Hill",
    "intake_date": "2026-03-01",
    "patient_age": "40",
    "consent_signatory": "Patient",
    "insurance_provider": "Northfield Mutual",
    "policy_number": "INS000001",
    "group_number": "GRP000001",
    "coverage_start_date": "2025-01-01",
    "insurance_type": "Private",
    "smoking_status": "Never",
    "alcohol_consumption": "Abstains",
    "exercise_frequency": "Three or four times a week",
    "previous_surgeries": "no surgery reported",
    "chronic_conditions": "no condition reported",
    "preferred_pharmacy_name": "Lakeside Drugs",
    "preferred_pharmacy_address": "14 Sample Street, Fairview",
    "pharmacy_phone": "212-555-0100",
    "coverage_status": "Active",
    "coverage_end_date": "open-ended",
    "network_status": "In network",
    "pbm_enrollment": "Enrolled",
    "copay_tier": "2",
    "annual_benefit_remaining": "500.00",
    "pharmacy_license": "Current",
    "pharmacy_network": "Participating",
    "accepts_e_prescriptions": "yes",
    "chart_number": "CH-0000001",
}
OUTSIDE = {"network_status": "Out of network"}
SUGAR = "Hypertension; Type 2 diabetes"  # 2 points each, and 4 for both together: 8
UNSIGNED = ("not assessed",) * 5 + ("refused",)
REFUSED = ("not accepted", *["not assessed"] * 4, "refused")
REGISTERED = ("verified", "verified", "low", "low", "confirmed", "registered")
MODERATE = ("verified", "verified", "low", "moderate", "confirmed", "registered")
HIGH = ("verified", "verified", "low", "high", "not assessed", "on hold")
NO_BENEFIT = ("verified", "not accepted", "low", "low", "not assessed", "on hold")
NO_PHARMACY = ("verified", "verified", "low", "low", "declined", "on hold")

CASES = [
    ("plain", {}, REGISTERED, "I6 B4 L3 O4 F4"),
    ("signed alone at 17", {"patient_age": "17"}, UNSIGNED, ""),
    ("signed by nobody", {"consent_signatory": "Nobody"}, UNSIGNED, ""),
    ("signed alone at 18", {"patient_age": "18"}, REGISTERED, "I6 B4 L3 O4 F4"),
    (
        "signed by the guardian at 17",
        {"patient_age": "17", "consent_signatory": "Guardian"},
        REGISTERED,
        "I6 B4 L3 O4 F4",
    ),
    ("suspended", {"coverage_status": "Suspended"}, REFUSED, "I1"),
    ("starts the day after", {"coverage_start_date": "2026-03-02"}, REFUSED, "I2"),
    ("starts on the day", {"coverage_start_date": "2026-03-01"}, REGISTERED, "I6 B4 L3 O4 F4"),
    ("ended the day before", {"coverage_end_date": "2026-02-28"}, REFUSED, "I3"),
    ("ends on the day", {"coverage_end_date": "2026-03-01"}, REGISTERED, "I6 B4 L3 O4 F4"),
    ("outside, 29 days", OUTSIDE | {"coverage_start_date": "2026-01-31"}, REFUSED, "I4"),
    ("outside, Medicaid", OUTSIDE | {"insurance_type": "Medicaid"}, REFUSED, "I5"),
    ("benefit pending", {"pbm_enrollment": "Pending"}, NO_BENEFIT, "I6 B1 L3 O4"),
    ("tier 5", {"copay_tier": "5"}, NO_BENEFIT, "I6 B2 L3 O4"),
    ("tier 4", {"copay_tier": "4"}, REGISTERED, "I6 B4 L3 O4 F4"),
    ("49.99 left", {"annual_benefit_remaining": "49.99"}, NO_BENEFIT, "I6 B3 L3 O4"),
    ("50.00 left", {"annual_benefit_remaining": "50.00"}, REGISTERED, "I6 B4 L3 O4 F4"),
    (
        "lifestyle 2, index 3",
        {"smoking_status": "Current"},
        ("verified", "verified", "moderate", "low", "confirmed", "registered"),
        "I6 B4 L2 O4 F4",
    ),
    (
        "lifestyle 5, index 6",
        {"smoking_status": "Current", "alcohol_consumption": "Heavy"},
        ("verified", "verified", "high", "moderate", "confirmed", "registered"),
        "I6 B4 L1 O3 F4",
    ),
    (
        "index 6",
        {"previous_surgeries": "Appendectomy; Cardiac bypass"},
        MODERATE,
        "I6 B4 L3 O3 F4",
    ),
    (
        "index 14",
        {"previous_surgeries": "Appendectomy; Cardiac bypass", "chronic_conditions": SUGAR},
        HIGH,
        "I6 B4 L3 O1",
    ),
    (
        "75, index 10",
        {"patient_age": "75", "previous_surgeries": "Appendectomy; Hernia repair"}
        | {"chronic_conditions": SUGAR},
        HIGH,
        "I6 B4 L3 O2",
    ),
    ("expired license", {"pharmacy_license": "Expired"}, NO_PHARMACY, "I6 B4 L3 O4 F1"),
    (
        "pharmacy outside, Medicare",
        {"pharmacy_network": "Outside", "insurance_type": "Medicare"},
        NO_PHARMACY,
        "I6 B4 L3 O4 F2",
    ),
    ("on paper, low", {"accepts_e_prescriptions": "no"}, REGISTERED, "I6 B4 L3 O4 F4"),
    (
        "on paper, moderate",
        {"accepts_e_prescriptions": "no", "previous_surgeries": "Appendectomy; Cardiac bypass"},
        ("verified", "verified", "low", "moderate", "declined", "on hold"),
        "I6 B4 L3 O3 F3",
    ),
]


@pytest.mark.parametrize(
    ("changes", "expected", "rules"),
    [pytest.param(*case, id=name) for name, *case in CASES],
)
def test_label_is_what_the_brief_says(
    patient_brief: Brief, changes: Mapping[str, str], expected: tuple[str, ...], rules: str
) -> None:
    model = patient_brief.model
    row = {name: model.fields[name].parse(cell) for name, cell in {**PLAIN, **changes}.items()}

    walk = label_row(model, row)

    shown = format_cells(
        model, [item.name for item in model.outcomes], collect_outcomes(model, walk)
    )
    assert tuple(shown.values()) == expected
    assert " ".join(" ".join(ids) for ids in walk.rules.values()) == rules
    assert walk.refusal is None


def test_every_rule_of_the_brief_decides_one_of_these_cases(patient_brief: Brief) -> None:
    ids = {
        rule.id
        for decision in patient_brief.model.decisions.values()
        for rule in getattr(decision, "rules", ())
    }

    assert ids == {rule for *_, rules in CASES for rule in str(rules).split()}
