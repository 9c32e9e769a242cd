from __future__ import annotations

from pathlib import Path

import pytest

from flows.gate_page import Request, gate_key, gate_message, gate_page
from sopforge.findings import Finding, error, warning
from sopforge.stages.pipeline import Ending, Progress
from sopforge.store.folder import FolderObjects
from sopforge.store.versions import Manifest, Version

CONTENT = "0123456789abcdef"


def progress(ending: Ending, *findings: Finding) -> Progress:
    manifest = Manifest("patient_intake", "sop", "ffee", CONTENT, "offline", {}, findings)
    return Progress(ending, Version(3, "v3", manifest, FolderObjects(Path("store"))), ())


REQUEST = Request("briefs/a brief.yaml", "generated")


APPROVE = "sopforge approve patient_intake sop --digest 0123456789ab"
GENERATE = "prefect deployment run generate-domain/local --param 'brief=briefs/a brief.yaml'"
PUBLISH = "prefect deployment run publish-domain/local --param domain=patient_intake"


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        (Ending.AWAITING_APPROVAL, f"waits. Approve: {APPROVE} | Go on: {GENERATE}"),
        (Ending.REJECTED, f"was rejected. Change the brief | Go on: {GENERATE}"),
        (Ending.APPROVED, f"and all before it are approved. Publish: {PUBLISH}"),
    ],
    ids=["awaiting", "rejected", "approved"],
)
def test_a_message_names_the_artifact_and_the_next_command(ending: Ending, message: str) -> None:
    assert gate_message(progress(ending), REQUEST) == f"patient_intake: sop 0123456789ab {message}"


def test_commands_name_a_store_that_is_not_the_default() -> None:
    request = Request("b.yaml", "else where")
    assert request.generate_command.endswith("--param brief=b.yaml --param 'store=else where'")
    assert request.approve_command("d", "sop", "00").endswith("--store 'else where'")


def test_a_page_has_a_row_for_each_finding() -> None:
    findings = (
        error("first", "a | b\nc", where="rule <1>", evidence="x = 1", hint="mend it"),
        warning("second", "look"),
    )
    page = gate_page(progress(Ending.AWAITING_APPROVAL, *findings), REQUEST)
    assert "| error | first | rule &lt;1> | a \\| b c | x = 1 | mend it |\n" in page
    assert "| warning | second |  | look |  |  |\n" in page


def test_a_page_of_a_rejected_version_does_not_offer_to_approve_it() -> None:
    page = gate_page(progress(Ending.REJECTED), REQUEST)
    assert "sopforge approve" not in page
    assert "was rejected" in page


def test_a_key_has_only_characters_that_prefect_allows() -> None:
    assert gate_key(progress(Ending.REJECTED)) == "gate-patient-intake-sop"
