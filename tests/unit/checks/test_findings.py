from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import pytest

from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.artifacts.rendering.api.toolspecs import render_toolspecs
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, read_sop
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.api.toolspecs_accept import CHECK as TOOLSPECS_ACCEPT
from sopforge.checks.dataset.dataset_tasks import CHECK as DATASET_TASKS
from sopforge.checks.package.package_solved import CHECK as PACKAGE_SOLVED
from sopforge.checks.schema.missing_reads import CHECK as MISSING_READS
from sopforge.checks.sop.sop_says_model import CHECK as SOP_SAYS_MODEL
from sopforge.findings import Finding, Severity, format_finding_count
from sopforge.language.domain.reading import read_brief, read_domain
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.workspace import (
    COVERAGE,
    DOMAIN,
    SOP_TEXT,
    SOP_TRACE,
    TASKS,
    TOOLSPECS,
    TRAJECTORIES,
    Workspace,
)
from tests.conftest import BRIEFS
from tests.worlds.small_models import CLAIMS, PARCEL, changed


def test_a_package_that_lacks_a_file_is_a_finding(sound: Workspace) -> None:
    files = {name: text for name, text in sound.files.items() if name != "package/tools.py"}

    findings = PACKAGE_SOLVED.examine(Workspace(sound.brief, files))

    assert [(item.id, item.where) for item in findings] == [("package-file-missing", "tools.py")]


def test_tools_that_leave_a_field_out_are_a_finding(sound: Workspace) -> None:
    tools = sound.files["package/tools.py"].replace('"network_status": record', '"other": record')
    assert tools != sound.files["package/tools.py"]

    findings = PACKAGE_SOLVED.examine(sound.with_files({"package/tools.py": tools}))

    assert [item.id for item in findings] == ["result-not-published"]


def test_tools_that_answer_differently_are_a_finding(sound: Workspace) -> None:
    answers = '"network_status": record["network_status"]'
    tools = sound.files["package/tools.py"].replace(answers, '"network_status": "Out of network"')
    assert tools != sound.files["package/tools.py"]

    findings = PACKAGE_SOLVED.examine(sound.with_files({"package/tools.py": tools}))

    assert {item.id for item in findings} == {"package-score", "package-trajectories"}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        pytest.param(
            ("is: surcharge <= 30,", "is: due_on < '2026-02-01',"),
            "tools.releaseParcel, guard G1",
            id="guard",
        ),
        pytest.param(
            ("when: fragile or 'Glass' in contents", "when: due_on < sent_on"),
            "decisions.care, rule C1",
            id="rule",
        ),
        pytest.param(
            ("present(due_on) and days", "not present(due_on) and days"),
            "procedure.edges.look.1",
            id="edge",
        ),
    ],
)
def test_a_value_that_may_be_missing_is_read_after_a_test_only(
    sound: Workspace, change: tuple[str, str], place: str
) -> None:
    assert change[0] in PARCEL
    workspace = Workspace(sound.brief, {DOMAIN: PARCEL.replace(*change)})

    found = MISSING_READS.examine(workspace)

    assert [item.where for item in found] == [place]


BRIEF = load_brief(BRIEFS / "patient_intake.yaml")
Change: TypeAlias = Callable[[Sequence[Statement]], Sequence[Statement]]
FORMULA = "The surcharge, in USD, is (the weight minus 5 kg) times 1.50 USD if the weight is"
CARE = (
    'Set the care to "careful" if the fragile is "yes" or the contents include "Glass"; otherwise'
)


def with_sop(domain: str) -> Workspace:
    """Return a workspace of a domain with the SOP that is written of it."""
    document = OfflineAuthor().write_sop(read_domain(domain, "domain.yaml"), BRIEF)
    files = {DOMAIN: domain, SOP_TEXT: document.as_text(), SOP_TRACE: document.as_trace()}
    return Workspace(BRIEF, files)


def put(old: str, new: str, **read: str) -> Change:
    """Return the change of some words of a statement, with who says that it means the same."""

    def change(item: Statement) -> Statement:
        if old not in item.text:
            return item
        worded = replace(item, text=item.text.replace(old, new))
        who = read.get("read_by", "")
        return replace(worded, read_as=item.text, read_by=who) if who else worded

    return lambda statements: [change(item) for item in statements]


def add(text: str) -> Change:
    """Return the change that puts a paragraph in, after the first two statements."""
    return lambda x: [*x[:2], Statement(Style.PARAGRAPH, text), *x[2:]]


def drop(start: str) -> Change:
    """Return the change that leaves the statements out that begin in a manner."""
    return lambda statements: [x for x in statements if not x.text.startswith(start)]


def move(start: str) -> Change:
    """Return the change that puts such a statement last."""
    return lambda x: sorted(x, key=lambda item: item.text.startswith(start))


def examine_edited(change: Change) -> list[Finding]:
    """Return what is found in the SOP of the parcels with some statements changed."""
    workspace = with_sop(PARCEL)
    known = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE]).statements
    edited = SopDocument(tuple(change(known)))
    files = {SOP_TEXT: edited.as_text(), SOP_TRACE: edited.as_trace()}
    return SOP_SAYS_MODEL.examine(workspace.with_files(files))


OTHERS = ("the fragile is", "it says that the fragile is")
TURNED = ("is more than 5 kg", "is at most 5 kg")
SIGNED = {"read_as": "", "read_by": "signed by Ada"}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        pytest.param(list, [], id="nothing"),
        pytest.param(put(*TURNED), [("sop-reads-differently", "error")], id="another relation"),
        pytest.param(
            put("5 kg) times", "6 kg) times"), [("sop-reads-differently", "error")], id="figure"
        ),
        pytest.param(
            put("The surcharge, in", "The surcharge (surcharge), in"),
            [("sop-not-read", "error")],
            id="no name there",
        ),
        pytest.param(
            put("if the weight is", "if the weight (weight) is"), [], id="the grammar's other words"
        ),
        pytest.param(put(*OTHERS), [("sop-not-read", "error")], id="other words"),
        pytest.param(
            put(*TURNED, **SIGNED), [("sop-reads-differently", "error")], id="signed in vain"
        ),
        pytest.param(
            put("Release of", "Leave for", **SIGNED),
            [("sop-not-read", "error")],
            id="a signed heading",
        ),
        pytest.param(drop(CARE), [("sop-not-stated", "error")], id="left out"),
        pytest.param(move(FORMULA), [("sop-moved", "error")], id="moved"),
        pytest.param(
            add("Parcels wait for 9 days."), [("sop-not-marked", "error")], id="a rule put in"
        ),
    ],
)
def test_a_statement_is_compared_with_the_one_that_the_model_makes(
    change: Change, found: list[tuple[str, str]]
) -> None:
    assert [(item.id, item.severity) for item in examine_edited(change)] == found


def test_what_nobody_but_a_person_answers_for_is_a_warning() -> None:
    (read,) = examine_edited(put(*OTHERS, read_as="", read_by="a reader"))
    (signed,) = examine_edited(put(*OTHERS, **SIGNED))
    (added,) = examine_edited(add("Parcels smell of rain."))

    assert (read.id, read.severity) == ("sop-read", Severity.NOTE)
    assert (signed.id, signed.severity) == ("sop-signed", Severity.WARNING)
    assert (added.id, added.severity) == ("sop-added", Severity.WARNING)
    assert read.message.startswith("a reader read that ")
    assert signed.message.startswith("Ada states that ")
    for text in OTHERS:
        assert text in signed.evidence


def test_a_trace_that_does_not_fit_is_a_finding() -> None:
    workspace = with_sop(PARCEL)
    longer = workspace.files[SOP_TEXT] + "More.\n"

    (found,) = SOP_SAYS_MODEL.examine(workspace.with_files({SOP_TEXT: longer}))

    assert (found.id, found.severity) == ("sop-trace", Severity.ERROR)


def test_a_percentage_is_stated_as_a_plain_number_in_a_calculation() -> None:
    domain = changed(
        PARCEL,
        ("rate: {value: 1.50, unit: USD", "rate: {value: 1.75, unit: percent"),
        ("(weight - free_weight) * rate if", "round(weight * rate / 100, 2) if"),
    )

    assert "1.75 percent of the weight" in with_sop(domain).files[SOP_TEXT]


def test_what_counted_rules_would_give_is_not_stated() -> None:
    text = changed(
        CLAIMS, ("collect: sum", "collect: count"), ("lines), then: 3", "lines), then: 19")
    )
    domain = OfflineAuthor().write_domain(read_brief(text, "everything.yaml"))

    assert "19" not in with_sop(domain).files[SOP_TEXT]


@pytest.mark.parametrize(
    ("old", "new", "is_open"),
    [
        pytest.param("present(earlier_claims) and count(c", "count(c", True, id="no test"),
        pytest.param("present(earlier_claims) and", "region == 'Far' and", True, id="another test"),
        pytest.param(
            "present(earlier_claims) and", "present(earlier_claims) and", False, id="test"
        ),
        pytest.param(
            "present(earlier_claims) and", "not present(earlier_claims) or", False, id="or none"
        ),
    ],
)
def test_a_list_that_may_be_missing_is_aggregated_after_a_test_only(
    sound: Workspace,
    old: str,
    new: str,
    is_open: bool,  # noqa: FBT001 - the claim of the example
) -> None:
    brief = read_brief(changed(CLAIMS, (f'"{old}', f'"{new}')), "everything.yaml")
    workspace = Workspace(sound.brief, {DOMAIN: OfflineAuthor().write_domain(brief)})

    found = MISSING_READS.examine(workspace)

    assert [item.where for item in found] == (["decisions.risk, rule K3"] if is_open else [])


def test_gold_calls_that_a_schema_refuses_are_reported_once_for_each_parameter(
    sound: Workspace,
) -> None:
    tool = "validateInsurance"
    (spoiled,) = TOOLSPECS_ACCEPT.examine(TOOLSPECS_ACCEPT.spoil(sound))
    calling = [task for task in sound.tasks for call in task.calls if call.tool == tool]
    first = dict(calling[0].calls[0].arguments)["patient_id"]

    assert len(calling) > 1
    assert spoiled.message == (
        f"{tool} refuses {len(calling)} gold calls for 'patient_id'; "
        f"in {calling[0].id}: '{first}' does not match '^X{{9}}$'"
    )
    assert spoiled.hint == ""


def test_a_gold_call_without_a_value_gets_the_hint_to_lead_past_it(sound: Workspace) -> None:
    text = sound.files[TRAJECTORIES]
    spoiled = text.replace('"overall_risk_level": "low"', '"overall_risk_level": "not assessed"', 1)
    assert spoiled != text

    (found,) = TOOLSPECS_ACCEPT.examine(sound.with_files({TRAJECTORIES: spoiled}))

    assert found.message.startswith("registerPatient refuses a gold call for 'overall_risk_level'")
    assert found.hint == (
        "tools do not accept missing values: add an edge before the call with 'when: not"
        " present(overall_risk_level)'"
    )


def test_a_decimal_that_may_be_missing_may_be_any_number_in_its_spec(sound: Workspace) -> None:
    text = changed(
        PARCEL,
        ("unit: kg, description: weight}", "unit: kg, missing: not weighed, description: weight}"),
        ("takes: [parcel_id, sent_on, fragile]", "takes: [parcel_id, sent_on, weight]"),
    )
    specs = render_toolspecs(render_openapi(read_domain(text, "parcel.yaml"), {}))
    files = {DOMAIN: text, TOOLSPECS: specs, TASKS: "", TRAJECTORIES: ""}

    assert TOOLSPECS_ACCEPT.examine(Workspace(sound.brief, files)) == []


def test_a_spec_of_a_parameter_that_the_model_lacks_is_a_finding(sound: Workspace) -> None:
    specs = json.loads(sound.files[TOOLSPECS])
    schema = specs[0]["toolSpec"]["inputSchema"]["json"]
    schema["properties"]["nobody_knows"] = {"type": "string"}

    found = TOOLSPECS_ACCEPT.examine(sound.with_files({TOOLSPECS: json.dumps(specs)}))

    assert [item.id for item in found] == ["toolspec-parameters"]


def test_a_dataset_for_which_no_goal_could_be_asked_says_so(sound: Workspace) -> None:
    coverage = json.loads(sound.files[COVERAGE])
    coverage |= {"goals": {}, "infeasible": {}, "undecided": {}}

    found = DATASET_TASKS.examine(sound.with_files({COVERAGE: json.dumps(coverage)}))

    assert [(item.id, item.severity) for item in found] == [
        ("coverage-undecided", Severity.WARNING)
    ]


@pytest.mark.parametrize(
    ("severities", "said"),
    [
        ("", "no findings"),
        ("warning error", "2 findings"),
        ("note", "1 note"),
        ("note warning note", "1 finding and 2 notes"),
    ],
)
def test_notes_are_counted_apart(severities: str, said: str) -> None:
    found = [Finding("made-up", Severity(name), "It is so.") for name in severities.split()]

    assert format_finding_count(found) == said
