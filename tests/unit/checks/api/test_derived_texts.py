"""Texts of APIs and toolspecs follow from the model, and summaries beside them decide nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from sopforge.artifacts.rendering.api.arguments import iterate_operations
from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.artifacts.rendering.api.summaries import WHOLE, add_summaries, add_tool_summaries
from sopforge.artifacts.rendering.api.toolspecs import render_toolspecs
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.api.api_words import CHECK as API
from sopforge.checks.api.toolspec_words import CHECK as TOOLSPEC
from sopforge.findings import Finding, Severity
from sopforge.language.domain.documents.yaml_documents import write_document
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.workspace import DOMAIN, OPENAPI, TOOLSPECS, Workspace

Document: TypeAlias = Any
ROOT = Path(__file__).parents[4]
PATHS = [*sorted((ROOT / "briefs").glob("*.yaml")), ROOT / "tests" / "domains" / "everything.yaml"]
FEES_TEXT = (ROOT / "tests" / "briefs" / "fees.yaml").read_text(encoding="utf-8")
FEES = read_brief(FEES_TEXT, "fees.yaml")


def workspace(brief: Brief = FEES) -> Workspace:
    api = render_openapi(brief.model, {})
    domain = OfflineAuthor().write_domain(brief)
    return Workspace(brief, {DOMAIN: domain, OPENAPI: api, TOOLSPECS: render_toolspecs(api)})


def in_api(edit: Callable[[Document], object]) -> list[Finding]:
    made = workspace()
    document = yaml.safe_load(made.files[OPENAPI])
    edit(document)
    return API.examine(made.with_files({OPENAPI: write_document(document)}))


def in_specs(edit: Callable[[Document], object]) -> list[Finding]:
    made = workspace()
    [spec] = json.loads(made.files[TOOLSPECS])
    edit(spec["toolSpec"])
    return TOOLSPEC.examine(made.with_files({TOOLSPECS: json.dumps([spec])}))


def summing_up(text: str, brief: Brief = FEES) -> list[list[Finding]]:
    """Return what is found where the tool has a summary: in the API, and in the toolspecs."""
    made = workspace(brief)
    summaries = {"lookUpLoan": text}
    api = made.with_files({OPENAPI: add_summaries(made.files[OPENAPI], summaries)})
    specs = made.with_files({TOOLSPECS: add_tool_summaries(made.files[TOOLSPECS], summaries)})
    return [API.examine(api), TOOLSPEC.examine(specs)]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_what_is_derived_is_sound(path: Path) -> None:
    made = workspace(load_brief(path))

    assert API.examine(made) == []
    assert TOOLSPEC.examine(made) == []


FINE = [
    "It finds a loan by its number and states how late it came back.",
    "Asks the loan system. It needs the loan_id and answers days_late, in days.",
    "The loan_id has an L and 5 digits; days_late goes from 0 to 40.",
    "Asking it again changes nothing, for it reads and does no more.",
    "Findet eine Ausleihe und sagt, wie spät sie zurückkam.",
]
WRONG = [
    ("Shows what is past 3 days.", "own-words-number", "(3)"),
    ("A day costs 1.25 coins.", "own-words-number", "(1.25)"),
    ("Late by seventeen it is lost.", "own-words-number", "(seventeen)"),
    ("Loans of a fortnight are usual.", "own-words-number", "(a fortnight)"),
    ("Says whether the reader is charged.", "own-words-name", "(charged)"),
    ("Says that it came in-time.", "own-words-name", "(in time)"),
    ("It shows the reader_card.", "own-words-name", "(reader_card)"),
    ("It says unknown_record at times.", "own-words-name", "(unknown_record)"),
    ("It knows of a Film too.", "own-words-name", "(Film)"),
    ('It says "late" of some.', "own-words-name", '("late")'),
    ("Refuses loans of films.", "own-words-decide", "(verdict: refuses)"),
    ("Readers must show it.", "own-words-decide", "(duty: must)"),
    ("Works only for members.", "own-words-decide", "(condition: only)"),
    ("Shows loans over the limit.", "own-words-decide", "(bound: limit)"),
    ("Call it before all else.", "own-words-decide", "(route: call it before)"),
    ("Answers <fee>ok</fee> at times.", "own-words-form", "(<; >)"),
    ("It finds\u200b a loan.", "own-words-form", "(zero width space)"),
    ("It finds a loan. " * 13, "own-words-form", "(220 characters, of at most 200)"),
]


@pytest.mark.parametrize("text", FINE)
def test_a_summary_may_explain_with_the_words_of_its_tool(text: str) -> None:
    assert summing_up(text) == [[], []]


@pytest.mark.parametrize(("text", "code", "shown"), WRONG)
def test_a_summary_says_nothing_that_decides(text: str, code: str, shown: str) -> None:
    for found in summing_up(text):
        [finding] = [item for item in found if item.id == code]
        assert finding.severity is Severity.ERROR
        assert finding.message.startswith("lookUpLoan, description: the summary ")
        assert shown in finding.message
        assert finding.evidence == text.strip()


def test_the_summary_of_an_api_is_judged_too() -> None:
    made = workspace()
    said = add_summaries(made.files[OPENAPI], {WHOLE: "Settles the loans of 3 desks."})
    [found] = API.examine(made.with_files({OPENAPI: said}))

    assert found.id == "own-words-number"
    assert found.message == "info, summary: the summary counts or measures (3)"


def test_every_tool_may_have_a_summary_whatever_leads_to_it() -> None:
    made = workspace(load_brief(ROOT / "briefs" / "dangerous_goods.yaml"))
    tools = dict.fromkeys(made.model.tools, "It serves the desk.")
    api = add_summaries(made.files[OPENAPI], tools)
    found = API.examine(made.with_files({OPENAPI: api}))
    specs = add_tool_summaries(made.files[TOOLSPECS], tools)

    assert api.count("It serves the desk.") == len(tools) == 8
    assert (found, TOOLSPEC.examine(made.with_files({TOOLSPECS: specs}))) == ([], [])


BOOKINGS = read_brief(
    FEES_TEXT.replace(
        "Ask the loan system for a loan", "Ask what must be paid, and cancel the limit"
    ),
    "fees.yaml",
)


def test_a_summary_may_name_the_trade_of_its_tool_and_oblige_nobody() -> None:
    assert summing_up("Cancels limits of loans.", BOOKINGS) == [[], []]
    for found in summing_up("It must be paid.", BOOKINGS):
        assert [item.message.partition("(")[2] for item in found] == ["duty: must)"]


COUNTRIES = read_brief(
    FEES_TEXT.replace("[Book, Film, Reference]", "[NO, IS, IT]")
    .replace("kind != 'Film'", "kind != 'NO'")
    .replace("takes: [loan_id]", "takes: [loan_id, days_late]"),
    "fees.yaml",
)


def test_the_country_no_is_no_no() -> None:
    plain, named = summing_up("No loan is lost: it shows what is there.", COUNTRIES)
    assert (plain, named) == ([], [])
    assert [
        [item.id for item in found] for found in summing_up("It asks NO first.", COUNTRIES)
    ] == [
        ["own-words-name"],
        ["own-words-name"],
    ]


def of_operation(edit: Callable[[Document], object]) -> Callable[[Document], object]:
    return lambda document: edit(next(iterate_operations(document)))


def examples_of(operation: Document) -> Document:
    return operation["responses"]["404"]["content"]["application/json"]["examples"]


JSON = "content, application/json"
OTHER_TEXTS: dict[str, Callable[[Document], object]] = {
    "lookUpLoan, summary": of_operation(lambda part: part.update(summary="Show a loan")),
    "lookUpLoan, responses, 404, description": of_operation(
        lambda part: part["responses"]["404"].update(description="Nothing there")
    ),
    f"lookUpLoan, responses, 404, {JSON}, examples, unknown_loan, value, message": of_operation(
        lambda part: examples_of(part)["unknown_loan"]["value"].update(message="No")
    ),
    "lookUpLoan, parameters, loan_id, description": of_operation(
        lambda part: part["parameters"][0].update(description="the number on the slip")
    ),
    "components, schemas, days_late, description": (
        lambda document: document["components"]["schemas"]["days_late"].pop("description")
    ),
    "info, description": lambda document: document["info"].update(description="Services."),
}


@pytest.mark.parametrize("place", OTHER_TEXTS)
def test_every_other_text_of_an_api_is_the_derived_one(place: str) -> None:
    [found] = in_api(OTHER_TEXTS[place])

    assert (found.id, found.severity) == ("described-differs", Severity.ERROR)
    assert found.message == f"{place}: the text is not the one that follows from the model"


def test_a_changed_text_is_shown_beside_the_derived_one() -> None:
    [found] = in_api(of_operation(lambda part: part.update(summary="Show a loan")))

    assert found.evidence == (
        "it says:\nShow a loan\nfrom the model follows:\nAsk the loan system for a loan"
    )


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(lambda text: text.partition(" Parameters")[0], id="shorter"),
        pytest.param(lambda text: f"{text} It is fast.", id="words after it"),
        pytest.param(lambda text: text.replace("loan_id (string)", "nothing"), id="parameters"),
        pytest.param(lambda text: text.replace("Ask", "Query"), id="reworded"),
    ],
)
def test_a_tools_description_ends_as_it_is_derived(said: Callable[[str], str]) -> None:
    [found] = in_specs(lambda spec: spec.update(description=said(spec["description"])))

    assert (found.id, found.message.partition(":")[0]) == (
        "described-differs",
        "lookUpLoan, description",
    )


def test_a_parameters_description_is_the_derived_one() -> None:
    def other(spec: Document) -> None:
        spec["inputSchema"]["json"]["properties"]["loan_id"]["description"] = "The loan"

    assert [item.id for item in in_specs(other)] == ["described-differs"]


def test_what_a_person_changes_beside_the_texts_is_for_other_checks() -> None:
    def move(document: Document) -> None:
        document["paths"] = {f"/library{path}": part for path, part in document["paths"].items()}
        document["servers"][0]["url"] = "https://library.example.com"
        document["components"]["schemas"]["days_late"]["maximum"] = 30

    assert in_api(move) == []
