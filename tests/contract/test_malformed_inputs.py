"""Malformed inputs: tasks that state them, their path, and a solved package of them."""

from __future__ import annotations

import csv
import io
import json
import re
from calendar import monthrange
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from review.pages.parts.spreads import build_cards
from sopforge.checks.api.toolspecs_accept import CHECK as TOOLSPECS_ACCEPT
from sopforge.checks.package.package_solved import GradedPackage, explain_task, read_graded
from sopforge.checks.tools.tools_agree import CHECK as TOOLS_AGREE
from sopforge.checks.tools.tools_agree import list_trials
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.tasks.profile import read_profile
from sopforge.sandbox.answers import JSONValue, Refusal
from sopforge.sandbox.process import ToolProcess
from sopforge.workspace import (
    COVERAGE,
    DATA_PROFILE,
    SOP_TEXT,
    TOOLS,
    TOOLSPECS,
    Workspace,
)
from tests.worlds.made_domains import make_domain
from tests.worlds.shared_builds import Shared

Records = dict[str, dict[str, str]]
FORMS = {"claim_id": r"W-[0-9]{6}", "serial": r"SN[0-9]{4}[A-Z]", "dealer_id": r"D[0-9]{3}"}
NO_DAYS = {"2026-02-30", "last week"}
LISTED = {"SN on the back", "not legible, see photo", "SN00A"}


@dataclass(frozen=True)
class Made:
    """What the pipeline made of the claims under warranty."""

    workspace: Workspace
    package: dict[str, str]
    graded: GradedPackage

    def records(self, name: str) -> Records:
        rows = list(csv.DictReader(io.StringIO(self.package[name])))
        return {next(iter(row.values())): row for row in rows}

    def malformed(self, name: str) -> list[Task]:
        return [task for task in self.graded.tasks if not is_well_formed(name, task.inputs)]


def is_well_formed(name: str, inputs: Mapping[str, str]) -> bool:
    if name == "reported_on":
        return inputs[name] not in NO_DAYS
    return re.fullmatch(FORMS[name], inputs[name], re.ASCII) is not None


@pytest.fixture(scope="module")
def made(shared: Shared) -> Made:
    domain = make_domain(shared, "warranty")
    package = domain.package()
    return Made(domain.workspace, package, read_graded(package))


def two_years_later(day: str) -> date:
    bought = date.fromisoformat(day)
    last = monthrange(bought.year + 2, bought.month)[1]
    return date(bought.year + 2, bought.month, min(bought.day, last))


def decided_by_hand(inputs: Mapping[str, str], claims: Records, dealers: Records) -> str:
    """Return the verdict by the words of the SOP, from the package's files alone."""
    dealer = dealers.get(inputs["dealer_id"])
    if not is_well_formed("dealer_id", inputs) or dealer is None:
        return "ask the dealer"
    if not (is_well_formed("claim_id", inputs) and is_well_formed("serial", inputs)):
        return "send back"
    if not is_well_formed("reported_on", inputs):
        return "send back"
    claim = claims[inputs["claim_id"]]
    if claim["opened"] == "yes" and dealer["grade"] == "Seller":
        return "bill to customer"
    reported = date.fromisoformat(inputs["reported_on"])
    had = (reported - date.fromisoformat(claim["bought_on"])).days
    is_covered = two_years_later(claim["bought_on"]) >= reported
    if is_covered or (had <= 760 and dealer["grade"] == "Partner"):
        return "free repair"
    return "bill to customer"


def test_every_answer_is_the_one_worked_out_by_hand_from_the_files(made: Made) -> None:
    claims, dealers = made.records("records.csv"), made.records("records_dealer.csv")

    for task in made.graded.tasks:
        expected = decided_by_hand(task.inputs, claims, dealers)
        assert task.outcomes["verdict"] == expected, task.id
    assert len(made.graded.tasks) == 80


def test_each_input_is_malformed_in_some_tasks_and_not_in_most(made: Made) -> None:
    found = {name: len(made.malformed(name)) for name in (*FORMS, "reported_on")}

    assert all(4 <= count <= 25 for count in found.values()), found


def test_listed_texts_are_stated_as_they_are_listed(made: Made) -> None:
    assert {task.inputs["serial"] for task in made.malformed("serial")} == LISTED


def test_malformed_keys_come_in_several_forms(made: Made) -> None:
    shapes = {re.sub("[0-9]", "9", task.inputs["claim_id"]) for task in made.malformed("claim_id")}

    assert len(shapes) >= 4


def test_the_gold_calls_hand_the_malformed_text_over_and_are_refused(made: Made) -> None:
    visits = Counter(node for task in made.graded.tasks for node in task.path)
    refused = [task for task in made.graded.tasks if "dealer.invalid_parameter" in task.path]

    assert visits["dealer.invalid_parameter"] >= 5
    assert visits["claim.invalid_parameter"] >= 5
    for task in refused:
        (call,) = task.calls
        assert (call.tool, call.refusal, call.result) == ("getDealer", "invalid_parameter", {})
        assert call.arguments == {"dealer_id": task.inputs["dealer_id"]}


def test_a_malformed_key_is_seen_without_a_call_that_takes_it(made: Made) -> None:
    seen = [task for task in made.malformed("claim_id") if "dealer.1" in task.path]

    assert len(seen) >= 5
    assert {tuple(call.tool for call in task.calls) for task in seen} == {("getDealer",)}
    assert {call.refusal for task in seen for call in task.calls} == {""}


def test_no_record_has_a_malformed_key_and_each_meant_one_has_its_record(made: Made) -> None:
    claims, dealers = made.records("records.csv"), made.records("records_dealer.csv")

    assert all(re.fullmatch(FORMS["claim_id"], key, re.ASCII) for key in claims)
    assert all(re.fullmatch(FORMS["dealer_id"], key, re.ASCII) for key in dealers)
    assert len(claims) == 80


def test_the_tools_refuse_every_malformed_input(made: Made) -> None:
    with ToolProcess(files=made.graded.tool_files) as tools:
        for task in made.malformed("dealer_id"):
            reply = tools.call("getDealer", {"dealer_id": task.inputs["dealer_id"]})
            assert isinstance(reply, Refusal)
            assert reply.code == "invalid_parameter"
        for task in (*made.malformed("claim_id"), *made.malformed("serial")):
            given = {name: task.inputs[name] for name in ("claim_id", "serial")}
            reply = tools.call("getClaim", given)
            assert isinstance(reply, Refusal)
            assert reply.code == "invalid_parameter"


@pytest.mark.parametrize(
    ("tool", "given", "message"),
    [
        pytest.param(
            "getDealer",
            {"dealer_id": "d001 "},
            "dealer_id is 'd001 ', but must be text of the form \"D\", then 3 digits",
            id="key",
        ),
        pytest.param(
            "countDays",
            {"bought_on": "2026-01-02", "reported_on": "2026/3/1"},
            "reported_on is '2026/3/1', but must be a date written as year-month-day, from"
            " 2026-01-01 to 2026-06-30",
            id="day",
        ),
        pytest.param(
            "countDays",
            {"bought_on": "2026/1/2", "reported_on": "2026-03-01"},
            "bought_on is '2026/1/2', but must be a date written as year-month-day, from"
            " 2023-01-01 to 2026-06-30; did you mean '2026-01-02'?",
            id="no input",
        ),
    ],
)
def test_refusals_hint_at_what_was_meant_only_where_no_task_states_it_malformed(
    made: Made, tool: str, given: dict[str, JSONValue], message: str
) -> None:
    with ToolProcess(files=made.graded.tool_files) as tools:
        reply = tools.call(tool, given)

    assert isinstance(reply, Refusal)
    assert reply.message == f"invalid_parameter: {message}"


def test_the_trials_of_the_tools_hand_over_every_malformed_text(made: Made) -> None:
    tried = {
        str(trial.arguments.get("dealer_id"))
        for trial in list_trials(made.workspace)
        if trial.expected == "invalid_parameter"
    }

    assert {task.inputs["dealer_id"] for task in made.malformed("dealer_id")} <= tried


def test_tools_that_take_malformed_texts_are_a_finding(made: Made) -> None:
    checked = "isinstance(value, str) and self.pattern.fullmatch(value)"
    text = made.workspace.files[TOOLS].replace(checked, "isinstance(value, str)")
    assert text != made.workspace.files[TOOLS]

    findings = TOOLS_AGREE.examine(made.workspace.with_files({TOOLS: text}))

    assert "tools-disagree" in {item.id for item in findings}


def test_the_toolspecs_say_the_form_and_let_the_refused_call_through(made: Made) -> None:
    specs = {
        item["toolSpec"]["name"]: item["toolSpec"]["inputSchema"]["json"]
        for item in json.loads(made.workspace.files[TOOLSPECS])
    }
    dealer = specs["getDealer"]["properties"]["dealer_id"]

    assert dealer["description"] == 'Number of the dealer; well formed as "D", then 3 digits'
    assert "pattern" not in dealer
    for task in made.graded.tasks:
        for call in task.calls:
            assert Draft202012Validator(specs[call.tool]).is_valid(dict(call.arguments))


def test_a_toolspec_that_keeps_the_refused_call_from_being_made_is_a_finding(made: Made) -> None:
    specs = json.loads(made.workspace.files[TOOLSPECS])
    schema = specs[0]["toolSpec"]["inputSchema"]["json"]
    schema["properties"]["dealer_id"]["pattern"] = "^D[0-9]{3}$"

    findings = TOOLSPECS_ACCEPT.examine(made.workspace.with_files({TOOLSPECS: json.dumps(specs)}))

    assert [item.id for item in findings] == ["toolspec-refuses-gold"]


def test_the_sop_states_the_forms_and_where_malformed_inputs_lead(made: Made) -> None:
    lines = made.workspace.files[SOP_TEXT].splitlines()

    assert (
        '- serial (serial number): number on the device; form: "SN", then 4 digits, then 1 capital'
        " letter." in lines
    )
    step = "step 6.6 (Send the form back)"
    assert any("the claim id is malformed" in line and step in line for line in lines)
    refused = "getDealer refuses with invalid_parameter (the dealer id is malformed)"
    assert any(refused in line and "step 6.7 (Ask who sold it)" in line for line in lines)
    assert any("never correct it or guess what was meant" in line for line in lines)


def test_explanations_name_the_malformed_text(made: Made) -> None:
    refused = next(t for t in made.graded.tasks if "dealer.invalid_parameter" in t.path)
    seen = next(t for t in made.graded.tasks if "dealer.1" in t.path)
    text, key = refused.inputs["dealer_id"], seen.inputs["claim_id"]

    assert explain_task(made.graded, refused.id)[1:3] == [
        f"  getDealer refused: the dealer id '{text}' is malformed (invalid_parameter)",
        "  on to Ask who sold it: that is the edge after invalid_parameter",
    ]
    assert (
        f"  on to Send the form back: the claim id is malformed (claim id: {key})"
        in explain_task(made.graded, seen.id)
    )


def test_a_day_that_is_none_is_handed_to_the_calculator_and_refused(made: Made) -> None:
    refused = [task for task in made.graded.tasks if "count.invalid_parameter" in task.path]
    schema = json.loads(made.workspace.files[TOOLSPECS])[2]["toolSpec"]["inputSchema"]["json"]

    assert {task.inputs["reported_on"] for task in refused} == NO_DAYS
    for task in refused:
        call = task.calls[-1]
        assert (call.tool, call.refusal) == ("countDays", "invalid_parameter")
        assert call.arguments["reported_on"] == task.inputs["reported_on"]
    assert schema["properties"]["reported_on"]["description"].endswith(
        "; well formed as year-month-day, from 2026-01-01 to 2026-06-30"
    )
    assert "format" not in schema["properties"]["reported_on"]
    assert schema["properties"]["bought_on"]["format"] == "date"


def test_refused_and_accepted_inputs_are_both_goals(made: Made) -> None:
    goals = json.loads(made.workspace.files[COVERAGE])["goals"]

    for name in (
        "edge dealer.invalid_parameter",
        "edge claim.invalid_parameter",
        "edge dealer.1",
        "edge claim.1",
    ):
        assert goals[name]["tasks"], name


def test_the_profile_counts_the_malformed_inputs(made: Made) -> None:
    profile = read_profile(made.workspace.files[DATA_PROFILE])
    counted = {item.name: item.malformed for item in profile.fields if item.malformed is not None}
    said = {card.name: card.says for card in build_cards(profile)["Fields"]}

    assert counted == {name: len(made.malformed(name)) for name in (*FORMS, "reported_on")}
    for name, count in counted.items():
        assert f"; malformed in {100 * count / 80:.0f}" in said[name]


def test_a_default_reader_of_the_test_set_gets_every_malformed_text_back(made: Made) -> None:
    table = pd.read_csv(io.StringIO(made.package["test_set_without_outputs.csv"]))
    read = dict(zip(table["task_id"], table.to_dict("records"), strict=True))

    for task in made.graded.tasks:
        assert {name: read[task.id][name] for name in FORMS} == {
            name: task.inputs[name] for name in FORMS
        }
