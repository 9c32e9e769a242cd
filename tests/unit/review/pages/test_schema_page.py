"""The page of a model: its tables, its limits with their uses, and what a chosen case comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from review.artifact import Artifact
from review.pages.parts.field_words import group_fields
from review.pages.registry import build_artifact_page
from review.pages.schema import list_limits
from review.rendering import render_page
from sopforge.workspace import DOMAIN
from tests.judges.markup import Element, parsed
from tests.worlds.reviewed import page, with_files
from tests.worlds.small_models import changed, claims

LATE = {"v.days_since_delivery": "31", "v.reason": "Wrong item", "v.order_amount": "20.00"}


@pytest.fixture
def schema(refunds: Mapping[str, Artifact]) -> Artifact:
    return refunds["schema"]


def lit_rules(made: Element) -> list[str]:
    rows = [row for table in made.all("table", kind="rules") for row in table.all("tr", kind="lit")]
    return [row.attributes["id"] for row in rows]


@pytest.mark.parametrize(
    ("changes", "rule", "end", "status"),
    [
        ({}, "E1", "refuse", "refused"),
        ({"v.days_since_delivery": "30"}, "E2", "finish", "paid"),
        ({"v.reason": "Damaged"}, "E2", "finish", "paid"),
        ({"v.reason": "Damaged", "v.order_amount": "200.01"}, "E2", "pass_on", "passed on"),
    ],
)
def test_a_typed_case_lights_its_rule_and_its_path(
    schema: Artifact, changes: Mapping[str, str], rule: str, end: str, status: str
) -> None:
    made = page(schema, {"case": "1", **LATE, **changes})

    assert lit_rules(made) == [f"rule-eligibility.{rule}"]
    assert status in made.one("div", role="status").text
    (step,) = [
        item
        for item in made.one("ol", kind="steps").all("li", kind="lit")
        if item.attributes.get("id") == f"flow-step-{end}"
    ]
    assert "✓ on the path of this case" in step.text
    ends = [node for node in made.all("g", kind="end") if "lit" in node.classes]
    assert len(ends) == 1


def test_each_cell_of_a_row_that_may_be_a_card_is_labelled_by_its_column(schema: Artifact) -> None:
    for table in page(schema, {}).all("table", kind="rows"):
        _, *columns = [cell.text for cell in table.one("thead").all("th")]
        for row in table.one("tbody").all("tr"):
            cells = row.all("td")
            assert [cell.attributes["data-label"] for cell in cells] == columns


def test_the_page_without_a_case_lights_nothing(schema: Artifact) -> None:
    made = page(schema, {})

    assert lit_rules(made) == []
    assert made.all("svg")[0].all(kind="lit") == made.all("marker", kind="lit")


def test_a_table_has_a_column_for_each_field(schema: Artifact) -> None:
    table = page(schema, {}).one("table", kind="rules")

    assert [head.text for head in table.one("thead").all("th")] == [
        "Rule",
        "days since delivery",
        "reason for the request",
        "Then eligibility of the order is",
    ]
    assert [[cell.text for cell in row.all("td")] for row in table.one("tbody").all("tr")] == [
        ["more than 30 days", 'not "Damaged"', '"excluded"'],
        ["in every other case", '"eligible"'],
    ]


@pytest.mark.parametrize(
    ("name", "typed", "fault"),
    [
        ("days_since_delivery", "many", "'many' is not a number"),
        ("days_since_delivery", "91", "91 is outside 0 to 90"),
        ("order_amount", "9" * 10_000, "has too many digits"),
        ("reason", "<script>", "'<script>' is not one of: Damaged, Wrong item, Changed mind"),
    ],
)
def test_what_is_no_value_is_reported_beside_its_field(
    schema: Artifact, name: str, typed: str, fault: str
) -> None:
    made = page(schema, {"case": "1", **LATE, f"v.{name}": typed})
    entry = made.one("input", id=f"v-{name}")

    assert fault in made.one("div", role="alert").text
    assert entry.attributes["aria-invalid"] == "true"
    assert entry.attributes["value"] == typed
    assert lit_rules(made) == []


def test_a_number_of_no_example_is_no_case(schema: Artifact) -> None:
    for asked in ("0", "13", "-1", "x", "", "9" * 5_000, "²"):
        assert lit_rules(page(schema, {"case": asked})) == []


def test_a_case_that_breaks_a_constraint_is_not_worked_out(schema: Artifact) -> None:
    domain = schema.workspace.files[DOMAIN]
    bound = changed(
        domain, ("  decisions:\n", "  constraints: [order_amount >= 10.00]\n  decisions:\n")
    )
    made = page(
        with_files(schema, {DOMAIN: bound}), {"case": "1", **LATE, "v.order_amount": "9.99"}
    )

    assert "the order amount is at least 10 USD" in made.one("div", role="alert").text
    assert lit_rules(made) == []


def test_every_use_of_a_limit_is_listed(schema: Artifact) -> None:
    found = {
        item.name: [words for _, words in item.used] for item in list_limits(schema.workspace.model)
    }

    assert found == {
        "refund_days": ["eligibility of the order, rule E1"],
        "pay_limit": ["an edge from Look the order up"],
    }


def test_sections_that_would_be_empty_are_left_out(schema: Artifact) -> None:
    found = build_artifact_page(schema, {})
    names = ("limits", "constraints", "decisions", "tools")
    sections = {"limits", "decisions", "tools"}

    whole, bare = (
        parsed(render_page(replace(found, context={**found.context, **changes})))
        for changes in ({}, dict.fromkeys(names, ()))
    )

    for made, there in ((whole, sections), (bare, set[str]())):
        headings = {part.attributes["id"] for part in made.all("h2")}
        links = {part.attributes["href"][1:] for part in made.one("nav", kind="contents").all("a")}
        assert headings & sections == there
        assert links & sections == there
        assert links <= headings


def test_limits_are_looked_for_in_tools_formulas_and_calendars() -> None:
    found = {item.name: [words for _, words in item.used] for item in list_limits(claims())}

    assert "the tool payClaim" in found["pay_limit"]
    assert "an edge from Ask for receipts" in found["pay_limit"]
    assert all(found.values())


def test_fields_are_described_in_peoples_words(schema: Artifact) -> None:
    rows = {row.name: row for group in group_fields(schema.workspace.model) for row in group.rows}

    assert rows["request_id"].values == 'text: "R", then 5 digits'
    assert rows["order_amount"].values == "5.00 to 400.00, 2 decimal places"
    assert rows["order_amount"].unit == "USD"
    assert rows["reason"].values == "one of: Damaged, Wrong item, Changed mind"
    assert rows["eligibility"].missing == "not assessed"
    assert rows["refund_status"].notes == ("the answer that is scored first",)


def test_tools_say_what_they_require(schema: Artifact) -> None:
    card = page(schema, {}).one("article", id="tool-payRefund")

    assert 'the eligibility of the order is "eligible"' in card.text
    assert "not_eligible: the order is excluded" in card.text
    assert "Pay the refund" in card.text


def test_a_model_that_cannot_be_read_is_shown_as_text(schema: Artifact) -> None:
    broken = with_files(schema, {DOMAIN: "I am sorry, <b>I cannot</b>."})
    made = page(broken, {})

    assert "I am sorry, <b>I cannot</b>." in [part.text for part in made.all("pre")]
    assert made.one("div", role="alert").text
    assert made.all("b") == []
