from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.missing_reads import CHECK as MISSING_READS
from sopforge.checks.package_solved import CHECK as PACKAGE_SOLVED
from sopforge.checks.sop_states_all import CHECK as SOP_STATES_ALL
from sopforge.checks.toolspecs_accept import CHECK as TOOLSPECS_ACCEPT
from sopforge.domain.reading import read_brief, read_domain
from sopforge.rendering.openapi import render_openapi
from sopforge.rendering.sop import render_sop
from sopforge.rendering.toolspecs import render_toolspecs
from sopforge.workspace import (
    DOMAIN,
    SOP_TEXT,
    SOP_TRACE,
    TASKS,
    TOOLSPECS,
    TRAJECTORIES,
    Workspace,
)
from tests.small_models import CLAIMS, PARCEL, changed, parcel


def test_a_package_that_lacks_a_file_is_a_finding(sound: Workspace) -> None:
    files = {name: text for name, text in sound.files.items() if name != "package/tools.py"}

    findings = PACKAGE_SOLVED.examine(Workspace(sound.brief, files))

    assert [(item.id, item.where) for item in findings] == [("package-file-missing", "tools.py")]


def test_tools_that_leave_a_field_out_are_a_finding(sound: Workspace) -> None:
    tools = sound.files["package/tools.py"].replace('"network_status": _FIELDS', '"other": _FIELDS')
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
def test_a_value_that_may_be_missing_is_read_behind_a_test_only(
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
    document = render_sop(
        parcel(("        title: Price\n", "        title: |\n          Price\n          it\n")), ""
    )
    files = {DOMAIN: text, SOP_TEXT: document.as_text(), SOP_TRACE: document.as_trace()}

    assert SOP_STATES_ALL.examine(Workspace(sound.brief, files)) == []


@pytest.mark.parametrize(
    ("old", "new", "is_open"),
    [
        pytest.param("present(earlier_claims) and count(c", "count(c", True, id="no test"),
        pytest.param("present(earlier_claims) and", "frozen and", True, id="another test"),
        pytest.param(
            "present(earlier_claims) and", "present(earlier_claims) and", False, id="test"
        ),
        pytest.param(
            "present(earlier_claims) and", "not present(earlier_claims) or", False, id="or none"
        ),
    ],
)
def test_a_list_that_may_be_missing_is_folded_behind_a_test_only(
    sound: Workspace,
    old: str,
    new: str,
    is_open: bool,  # noqa: FBT001 - the claim of the example
) -> None:
    brief = read_brief(changed(CLAIMS, (f'"{old}', f'"{new}')), "everything.yaml")
    workspace = Workspace(sound.brief, {DOMAIN: OfflineAuthor().write_domain(brief)})

    found = MISSING_READS.examine(workspace)

    assert [item.where for item in found] == (["decisions.risk, rule K3"] if is_open else [])


def test_gold_calls_that_a_schema_refuses_are_told_once_for_each_parameter(
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


def test_a_gold_call_without_a_value_is_told_to_be_led_past(sound: Workspace) -> None:
    text = sound.files[TRAJECTORIES]
    spoiled = text.replace('"overall_risk_level": "low"', '"overall_risk_level": "not assessed"', 1)
    assert spoiled != text

    (found,) = TOOLSPECS_ACCEPT.examine(sound.with_files({TRAJECTORIES: spoiled}))

    assert found.message.startswith("registerPatient refuses a gold call for 'overall_risk_level'")
    assert found.hint == (
        "tools take no missing value: lead past the call where not present(overall_risk_level)"
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
