"""A label that stands after "the" names a thing; what does not is found, with a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.briefs.brief_files import load_brief
from sopforge.checks.schema.readable_labels import CHECK
from sopforge.checks.words.label_words import find_label_fault
from sopforge.domain.reading import read_brief, read_domain
from sopforge.findings import Finding, Severity
from sopforge.stages.pipeline import Ending
from sopforge.store.opening import open_store
from sopforge.workspace import DOMAIN, Workspace
from tests.unit.authors.test_model_author import FEES, MODEL_TEXT, run, written

ROOT = Path(__file__).parents[4]
SHIPPED = [*(ROOT / "briefs").rglob("*.yaml"), ROOT / "docs" / "examples" / "small_counter.yaml"]

BAD = [
    "that day's rate",
    "any other business",
    "our opinion",
    "what the customer says",
    "the date",
    "number of",
    "Customer's",
    "is insured",
    "my assessment",
    "how many items",
    "which depot",
    "date of the",
    "amount to be paid by",
    "their remarks",
    "an incident report",
    "no of parcels",
    "who signed",
    "weight per",
    "reason for",
    "owner's",
    "of the tenant",
    "name and",
    "value (",
    "Please state the age",
    "this visit",
    "patients'",
    "has been weighed",
    "when it arrived",
    "why refused",
    "cargo_class",
    "date of of arrival",
    "temperature in",
    "each pallet",
    "your signature",
    "the vessel's flag",
    "whose turn",
    "distance to",
    "a copy of the deed",
    "how old the roof is",
    "amount of",
    "supplier's",
    "we owe",
    "has paid",
    "sterile since",
    "date when",
    "its condition",
    "enter the IBAN",
    "some tests",
    "shift and",
    "where found",
    "fee for the",
    "those present",
    "cannot be reached",
    "tax_class",
    "kind of...",
    "reference no:",
    "was late by",
    "is over 18",
    "both parents",
    "during the flight",
]
BAD_YES_NO = [
    "whether it rained",
    "does it smell",
    "customer is a member",
    "insured",
    "fully paid",
    "damaged",
    "parcel was opened",
    "in stock",
    "by post",
    "we accept",
    "there is a receipt",
    "Was it cold?",
    "overdue",
    "not sterile",
    "are seals broken",
    "did the driver stop",
    "animal is vaccinated",
    "vaccinated",
    "with breakfast",
    "under warranty",
    "goods were inspected",
    "eligible",
    "already refunded",
    "chargeable",
    "if pregnant",
    "he signed",
    "price is final",
]
GOOD = [
    "opinion of the officer",
    "statement of the customer",
    "number of parcels",
    "customer's name",
    "due date",
    "kind of tool",
    "date the loan was taken",
    "day on which it was seen",
    "place it goes to",
    "check in",
    "time of the check-in",
    "add-on",
    "in-date stock",
    "after hours calls",
    "on hold time",
    "per diem",
    "last will",
    "watering can size",
    "number of the day's calls",
    "what-if case",
    "who's who entry",
    "no-show count",
    "all-risk cover",
    "A-level grade",
    "IT department",
    "I-94 number",
    "hours of sunshine",
    "right to buy",
    "weight in kg",
    "price before tax",
    "amount paid",
    "balance due",
    "vote against",
    "date sent",
    "bill of lading",
    "persons on board",
    "must weight",
    "may day offer",
    "theatre",
    "this-year mileage",
    "overdue amount",
    "insured person",
    "cause of the fire",
    "state of the road",
    "name of the vessel",
    "flag state",
    "age of the roof",
    "mileage",
    "blood group",
    "stage of the lease",
    "reading on arrival",
    "hours worked",
    "days overdue",
    "person in charge",
    "place of work",
    "means of payment",
    "what's-on listing",
    "permit to fly",
    "last-mile carrier",
    "end-of-line date",
    "on-time share",
    "grade",
    "shift lead",
    "no-fly zone",
    "a la carte price",
    "tooth number",
    "size of the herd",
    "hand in",
    "lamp hours left",
    "seller's note",
    "guests' age",
    "weight at birth",
    "in-flight meal",
    "mode of entry",
    "waste class",
]
GOOD_YES_NO = [
    "membership",
    "is insured",
    "has receipt",
    "presence of photos",
    "acceptance of e-prescriptions",
    "consent of the guardian",
    "seal intact on arrival",
    "history of falls",
    "signed waiver",
    "vaccination",
    "is vaccinated",
    "had an accident",
    "needs a crane",
    "theft report",
    "follow-up",
    "sign-off",
    "goods inspection",
    "parents' consent",
]


@pytest.mark.parametrize("label", BAD)
def test_a_label_that_names_no_thing_is_found(label: str) -> None:
    fault = find_label_fault(label)

    assert fault is not None
    assert fault.reason
    assert fault.hint


@pytest.mark.parametrize("label", BAD_YES_NO)
def test_a_label_of_a_yes_no_field_is_a_noun_or_a_statement(label: str) -> None:
    assert find_label_fault(label, is_yes_no=True) is not None


@pytest.mark.parametrize("label", GOOD)
def test_a_good_label_passes(label: str) -> None:
    assert find_label_fault(label) is None


@pytest.mark.parametrize("label", GOOD_YES_NO)
def test_a_good_label_of_a_yes_no_field_passes(label: str) -> None:
    assert find_label_fault(label, is_yes_no=True) is None


def found_in(text: str) -> list[Finding]:
    brief = read_brief(text, "brief.yaml")
    return CHECK.examine(Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)}))


def test_the_finding_shows_the_sentence_that_would_come() -> None:
    [found] = found_in(FEES.replace("label: delay,", "label: how late it is,"))

    assert (found.id, found.severity) == ("label-reads-badly", Severity.WARNING)
    assert found.where == "fields.days_late"
    assert found.evidence == "the how late it is is 0 days"
    assert "noun" in found.hint


def test_a_result_is_found_by_the_sentence_that_gives_it() -> None:
    label = 'fee: {label: "our charge", role: outcome'
    [found] = found_in(FEES.replace("fee: {role: outcome", label))

    assert found.evidence == "the our charge is ..."


def test_a_label_that_stands_in_no_sentence_is_nobodys_trouble() -> None:
    # Nothing reads the number of the loan but the look-up.
    assert found_in(FEES.replace("loan_id: {role", "loan_id: {label: our number, role")) == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_briefs_have_labels_that_read_well(path: Path) -> None:
    brief = load_brief(path)

    assert CHECK.examine(Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})) == []


BADLY = MODEL_TEXT.replace("label: delay,", "label: our delay,")


def test_a_model_author_is_asked_to_name_it_otherwise(tmp_path: Path) -> None:
    def renamed(values: Mapping[str, Any]) -> Mapping[str, Any]:
        assert [item["id"] for item in values["findings"]] == ["label-reads-badly"]
        return {"document": values["document"].replace("our delay", "delay")}

    players = {"domain_model": written(BADLY), "repair_findings": renamed}
    progress, asking = run(tmp_path, players)

    assert (progress.ending, asking.times("repair_findings")) == (Ending.APPROVED, 1)
    stored = open_store(tmp_path).list_versions("fees", "schema")[-1]
    model = read_domain(stored.files["domain.yaml"], "domain.yaml")
    assert model.fields["days_late"].label == "delay"
    assert stored.manifest.findings == ()


def test_a_name_that_stays_is_shown_at_the_gate_after_one_attempt(tmp_path: Path) -> None:
    same = {"repair_findings": lambda values: {"document": values["document"]}}

    progress, asking = run(tmp_path, {"domain_model": written(BADLY), **same})

    assert asking.times("repair_findings") == 1
    findings = open_store(tmp_path).list_versions("fees", "schema")[-1].manifest.findings
    assert [item.id for item in findings] == ["label-reads-badly"]
    assert progress.ending is Ending.APPROVED


def test_a_better_name_is_not_bought_with_an_error(tmp_path: Path) -> None:
    def spoiled(values: Mapping[str, Any]) -> Mapping[str, Any]:
        text = values["document"].replace("our delay", "delay")
        return {"document": text.replace("days_late == 0", "days_late < 0")}

    run(tmp_path, {"domain_model": written(BADLY), "repair_findings": spoiled})

    stored = open_store(tmp_path).list_versions("fees", "schema")[-1]
    assert "our delay" in stored.files["domain.yaml"]
    assert [item.id for item in stored.manifest.findings] == ["label-reads-badly"]
