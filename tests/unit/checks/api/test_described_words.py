"""What APIs and toolspecs say is compared with what is derived from the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from sopforge.authors.offline import OfflineAuthor
from sopforge.briefs.brief_files import load_brief
from sopforge.checks.api.api_words import CHECK as API
from sopforge.checks.api.toolspec_words import CHECK as TOOLSPEC
from sopforge.domain.documents.yaml_documents import write_document
from sopforge.domain.reading import Brief
from sopforge.findings import Finding, Severity
from sopforge.rendering.api.arguments import iterate_operations
from sopforge.rendering.api.openapi import render_openapi
from sopforge.rendering.api.toolspecs import render_toolspecs
from sopforge.workspace import DOMAIN, OPENAPI, TOOLSPECS, Workspace

Specs: TypeAlias = Any
ROOT = Path(__file__).parents[4]
PATHS = [
    *sorted((ROOT / "briefs").glob("*.yaml")),
    *sorted((ROOT / "tests" / "briefs").glob("*.yaml")),
    *(
        path
        for path in sorted((ROOT / "tests" / "domains").glob("*.yaml"))
        if path.stem not in ("parcel", "transfers")
    ),
]
FEES = load_brief(ROOT / "tests" / "briefs" / "fees.yaml")
ORDERS = load_brief(ROOT / "tests" / "domains" / "orders.yaml")
CLAIMS = load_brief(ROOT / "tests" / "domains" / "everything.yaml")


def workspace(brief: Brief) -> Workspace:
    api = render_openapi(brief.model, {})
    domain = OfflineAuthor().write_domain(brief)
    return Workspace(brief, {DOMAIN: domain, OPENAPI: api, TOOLSPECS: render_toolspecs(api)})


def in_api(edit: Callable[[Any], object], brief: Brief = FEES) -> list[Finding]:
    made = workspace(brief)
    document = yaml.safe_load(made.files[OPENAPI])
    edit(document)
    return API.examine(made.with_files({OPENAPI: write_document(document)}))


def in_specs(edit: Callable[[Any], object], brief: Brief = FEES) -> list[Finding]:
    made = workspace(brief)
    specs = json.loads(made.files[TOOLSPECS])
    edit({item["toolSpec"]["name"]: item["toolSpec"] for item in specs})
    return TOOLSPEC.examine(made.with_files({TOOLSPECS: json.dumps(specs)}))


def describing(text: str) -> Callable[[Any], object]:
    """Return what gives the look-up of loans a description."""
    return lambda document: next(iterate_operations(document)).update(description=text)


def of_field(name: str, text: str) -> Callable[[Any], object]:
    return lambda document: document["components"]["schemas"][name].update(description=text)


def of_tool(name: str, text: str) -> Callable[[Any], object]:
    """Return what puts words before those on parameters."""

    def edit(specs: Specs) -> None:
        _, mark, rest = specs[name]["description"].partition("Parameters,")
        specs[name]["description"] = f"{text} {mark}{rest}"

    return edit


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_what_is_derived_is_sound(path: Path) -> None:
    made = workspace(load_brief(path))

    assert API.examine(made) == []
    assert TOOLSPEC.examine(made) == []


FINE = [
    "It finds a loan by its number and answers how many days late it came back.",
    "Asks the loan system. It needs the loan_id and answers days_late, in days.",
    "The loan_id has an L and 5 digits; days_late is a whole number from 0 to 40.",
    "The two systems of the library, old and new, are asked at once.",
    "It refuses with unknown_record where there is no such loan.",
    "Asking it twice changes nothing; it only reads.",
    "It answers the day of return as a year-month-day.",
    "Findet eine Ausleihe und sagt, um wie viele Tage sie zu spät kam.",
]


@pytest.mark.parametrize("text", FINE)
def test_a_description_may_say_what_is_public(text: str) -> None:
    assert in_api(describing(text)) == []
    assert in_specs(of_tool("lookUpLoan", text)) == []


WRONG = [
    ("Answers for a year only.", "described-number", "a year"),
    ("Answers what is more than 3 days late.", "described-number", "3, which is grace_days"),
    ("A day costs 1.25 EUR.", "described-number", "1.25, which is daily_fee"),
    ("The most that is taken is 12.5.", "described-number", "12.5, which is most"),
    ("Loans above 1,000 are rare.", "described-number", "1,000"),
    ("Answers for three days only.", "described-number", "three"),
    ("Loans of a fortnight are usual.", "described-number", "a fortnight"),
    ("Late by seventeen it is lost.", "described-number", "seventeen"),
    ("Says whether the reader is charged.", "described-name", "charged"),
    ("Says that it came in-time.", "described-name", "in time"),
    ("It shows the reader_card.", "described-name", "reader_card"),
    ("Call it before anything else.", "described-order", "call it before"),
    ("It is called first.", "described-order", "is called first"),
    ("What an earlier step said is read.", "described-order", "earlier step"),
    ("Answers <fee>ok</fee> at times.", "described-form", "<fee>"),
    ('Answers {"days": late}.', "described-form", '{"'),
    ("It finds\u200b a loan.", "described-form", "zero width space"),
    ("\u202eIt finds a loan.", "described-form", "right-to-left override"),
    ("It finds a loan.\nIt does.", "described-form", "u+000a"),
    ("It finds a loan. " * 100, "described-form", "characters; at most 1200 are allowed"),
    ("  ", "described-form", "the text is empty"),
]


@pytest.mark.parametrize(("text", "code", "shown"), WRONG)
def test_a_description_says_no_more_than_is_derived(text: str, code: str, shown: str) -> None:
    for found in (in_api(describing(text)), in_specs(of_tool("lookUpLoan", text))):
        assert [(item.id, item.severity) for item in found] == [(code, Severity.ERROR)]
        assert shown in found[0].message
        assert "lookUpLoan" in found[0].message
        assert found[0].hint


def test_a_summary_is_short_and_says_something() -> None:
    def summary(text: str) -> list[str]:
        found = in_api(lambda document: next(iterate_operations(document)).update(summary=text))
        return [item.id for item in found]

    assert summary("Show a loan") == []
    assert summary("Show a loan " * 20) == ["described-form"]
    assert summary("") == ["described-form"]
    assert [item.id for item in in_api(lambda d: next(iterate_operations(d)).pop("summary"))] == [
        "described-form"
    ]


def test_a_field_keeps_its_unit() -> None:
    assert in_api(of_field("days_late", "By how many days it is late.")) == []
    (found,) = in_api(of_field("days_late", "By how much it is late."))

    assert found.id == "described-lacks"
    assert "(days)" in found.message


def test_a_days_limits_and_words_for_nothing_are_kept() -> None:
    made = yaml.safe_load(workspace(CLAIMS).files[OPENAPI])["components"]["schemas"]
    said = {name: str(part.get("description")) for name, part in made.items()}
    name, plain = next((n, text) for n, text in said.items() if "year-month-day, from" in text)

    assert in_api(of_field(name, f"Kept on file: {plain}"), CLAIMS) == []
    (found,) = in_api(of_field(name, "The day."), CLAIMS)
    assert found.id == "described-lacks"
    assert "year-month-day" in found.message


def test_another_tools_names_stay_out() -> None:
    names = list(ORDERS.model.tools)
    (found,) = in_specs(of_tool(names[0], f"Not the same as {names[1]}."), ORDERS)

    assert (found.id, names[1] in found.message) == ("described-name", True)


@pytest.mark.parametrize(
    "text",
    [
        "Parameters, all required: none. It finds a loan.",
        "parameters, ALL required: loan_id. It finds a loan.",
    ],
)
def test_what_parameters_are_is_said_once(text: str) -> None:
    assert "described-parameters" in {item.id for item in in_specs(of_tool("lookUpLoan", text))}


def test_what_parameters_are_is_said_as_it_is() -> None:
    def other(specs: Specs) -> None:
        specs["lookUpLoan"]["description"] = "It finds a loan. Parameters, all required: none."

    assert [item.id for item in in_specs(other)] == ["described-parameters"]


def test_a_parameters_description_is_examined_too() -> None:
    def other(specs: Specs) -> None:
        properties = specs["lookUpLoan"]["inputSchema"]["json"]["properties"]
        properties["loan_id"]["description"] = "The loan, charged or not"

    (found,) = in_specs(other)
    assert (found.id, found.evidence) == ("described-name", "The loan, charged or not")
    assert "lookUpLoan, loan_id" in found.message


def test_what_an_api_says_is_examined_there_alone() -> None:
    made = workspace(FEES)
    document = yaml.safe_load(made.files[OPENAPI])
    next(iterate_operations(document))["summary"] = "Show what is charged"
    api = write_document(document)
    after = made.with_files({OPENAPI: api, TOOLSPECS: render_toolspecs(api)})

    assert [item.id for item in API.examine(after)] == ["described-name"]
    assert TOOLSPEC.examine(after) == []


GOODS = load_brief(ROOT / "briefs" / "dangerous_goods.yaml")


def test_a_false_refusal_is_an_error_that_shows_the_whole_text() -> None:
    text = "Books a consignment. Refuses goods that have no safety data sheet."

    def word(document: Specs) -> None:
        operations = {item["operationId"]: item for item in iterate_operations(document)}
        operation = operations["bookConsignment"]
        operation["description"] = text

    [in_document] = in_api(word, GOODS)
    [in_spec] = in_specs(of_tool("bookConsignment", text), GOODS)

    for found in (in_document, in_spec):
        assert (found.id, found.severity) == ("described-refusal", Severity.ERROR)
        assert "Refuses goods that have no safety data sheet." in found.message
        assert found.evidence.startswith(text)
