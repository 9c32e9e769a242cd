from __future__ import annotations

import json

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.api.toolspecs_accept import CHECK as TOOLSPECS_ACCEPT
from sopforge.checks.dataset.dataset_tasks import CHECK as DATASET_TASKS
from sopforge.checks.package.package_solved import CHECK as PACKAGE_SOLVED
from sopforge.checks.schema.missing_reads import CHECK as MISSING_READS
from sopforge.checks.sop.sop_states_all import CHECK as SOP_STATES_ALL
from sopforge.domain.reading import read_brief, read_domain
from sopforge.findings import Severity
from sopforge.rendering.api.openapi import render_openapi
from sopforge.rendering.api.toolspecs import render_toolspecs
from sopforge.rendering.sop.sop import render_sop
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


def test_a_title_over_two_lines_is_stated_on_one(sound: Workspace) -> None:
    text = PARCEL.replace(
        "        title: Price\n", "        title: |\n          Price\n          it\n"
    )

    assert SOP_STATES_ALL.examine(with_sop(sound, text)) == []


PERCENT = (
    ("rate: {value: 1.50, unit: USD", "rate: {value: 1.75, unit: percent"),
    ("(weight - free_weight) * rate if", "round(weight * rate / 100, 2) if"),
)


def test_a_percentage_is_stated_as_a_plain_number_in_a_calculation(sound: Workspace) -> None:
    workspace = with_sop(sound, changed(PARCEL, *PERCENT))
    text = workspace.files[SOP_TEXT]
    other = text.replace("1.75 percent", "1.76 percent")

    assert SOP_STATES_ALL.examine(workspace) == []
    found = SOP_STATES_ALL.examine(Workspace(sound.brief, {**workspace.files, SOP_TEXT: other}))
    assert {(item.id, item.message) for item in found} == {
        ("sop-not-stated", "the text does not state 1.75 (decision surcharge: 1.75)"),
        ("sop-foreign-number", "the text states the number 1.76, which is not in the model"),
    }


def test_figures_in_meanings_of_limits_are_those_of_the_model(sound: Workspace) -> None:
    meaning = "meaning: weight that costs nothing"
    workspace = with_sop(sound, changed(PARCEL, (meaning, f"{meaning} by tariff 77")))

    assert "weight that costs nothing by tariff 77" in workspace.files[SOP_TEXT]
    assert SOP_STATES_ALL.examine(workspace) == []


def test_what_counted_rules_would_give_need_not_be_stated(sound: Workspace) -> None:
    text = changed(
        CLAIMS, ("collect: sum", "collect: count"), ("lines), then: 3", "lines), then: 19")
    )
    domain = OfflineAuthor().write_domain(read_brief(text, "everything.yaml"))
    workspace = with_sop(sound, domain)

    assert "19" not in workspace.files[SOP_TEXT]
    assert SOP_STATES_ALL.examine(workspace) == []


def test_figures_in_labels_and_units_are_those_of_the_model(sound: Workspace) -> None:
    text = changed(
        PARCEL,
        ("max: 40.00, unit: kg,", "max: 40.00, unit: units of 12 kg,"),
        ("value: 5, unit: kg", "value: 5, unit: units of 12 kg"),
    )

    assert SOP_STATES_ALL.examine(with_sop(sound, text)) == []


def with_sop(sound: Workspace, domain: str) -> Workspace:
    """Return a workspace of a domain with the SOP that is written of it."""
    control = sound.brief.parts.document
    document = render_sop(read_domain(domain, "domain.yaml"), "", control=control)
    files = {DOMAIN: domain, SOP_TEXT: document.as_text(), SOP_TRACE: document.as_trace()}
    return Workspace(sound.brief, files)


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
