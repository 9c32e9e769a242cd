"""A secret of the record is compared by the guard of a tool, and nowhere shown or read else."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.checks.registry import examine
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.opening import open_store
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.packages import package_texts
from tests.worlds.small_models import changed

REFUND = (Path(__file__).parents[3] / "briefs" / "refund.yaml").read_text()
PIN = '{role: %s, type: string, pattern: "K[0-9]{5}", description: number that the customer %s}'
GIVEN = f"        pin_given: {PIN % ('input', 'gives')}\n"
ON_FILE = f"        pin_on_file: {PIN % ('secret', 'chose')}\n"
NOT_KNOWN = "which is not known on every path to step 'look_up'"
WITH_PIN = changed(
    REFUND,
    (
        "        reason: {label",
        f"{GIVEN}{ON_FILE}        reason: {{label",
    ),
    ("  decisions:\n", "  constraints: [pin_given == pin_on_file]\n  decisions:\n"),
    ("takes: [request_id, eligibility]", "takes: [request_id, eligibility, pin_given]"),
    (
        "is: eligibility == 'eligible', refusal: not_eligible, says: the order is excluded",
        "is: pin_given == pin_on_file, refusal: wrong_pin, says: it is wrong",
    ),
)


def findings_of(*changes: tuple[str, str]) -> list[tuple[str, str, str]]:
    brief = read_brief(changed(WITH_PIN, *changes), "brief.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return [(item.id, item.message, item.hint) for item in examine("schema", workspace)]


def test_a_number_that_a_tool_checks_comes_through_all_stages(tmp_path: Path) -> None:
    store, brief = open_store(tmp_path), read_brief(WITH_PIN, "brief.yaml")

    assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED

    files = package_texts(Path(publish(store, brief).packages["L0"]))
    reference = next(run for run in run_agents(read_graded(files)) if run.agent == "reference")
    assert (reference.success, reference.gold_trajectories) == (1.0, 1.0)
    records = list(csv.DictReader(io.StringIO(files["records.csv"])))
    assert all(row["pin_given"] == row["pin_on_file"] for row in records)
    assert len({row["pin_on_file"] for row in records}) == 12
    shown = [*files["test_set_with_outputs.csv"].splitlines()[:1], files["toolspecs.json"]]
    assert "pin_given" in shown[0]
    assert "pin_on_file" not in "".join([*shown, files["openapi.yaml"]])
    assert "pin_on_file" not in files["grader/trajectories.jsonl"]


def test_the_sound_brief_has_no_findings() -> None:
    assert findings_of() == []


def test_a_distractor_that_a_tool_returns_is_found_at_the_first_stage() -> None:
    colour = "{role: distractor, type: enum, values: [Red, Blue], description: colour}"
    found = findings_of(
        ("        reason: {label", f"        colour: {colour}\n        reason: {{label"),
        ("returns: [payment_reference]", "returns: [payment_reference, colour]"),
    )
    assert found == [
        (
            "tool-returns-answer",
            "payRefund returns 'colour', whose role is distractor",
            (
                "remove it from 'returns', because the task states it at level L3; if no rule"
                " reads it, set its role to observed"
            ),
        )
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "returns: [payment_reference]",
            "returns: [payment_reference, pin_on_file]",
            (
                "tool-returns-answer",
                "payRefund returns 'pin_on_file', whose role is secret",
                (
                    "compare it in a guard, because a secret is never shown; or set its role to"
                    " observed"
                ),
            ),
            id="returned",
        ),
        pytest.param(
            "when: days_since_delivery > refund_days",
            "when: pin_given != pin_on_file",
            (
                "value-not-known",
                f"'eligibility' needs 'pin_on_file', {NOT_KNOWN}",
                (
                    "move the comparison to the guard of a lookup or an action, because only these"
                    " can read a secret"
                ),
            ),
            id="read by a rule",
        ),
        pytest.param(
            "is: pin_given == pin_on_file",
            "is: pin_given == pin_given",
            (
                "field-not-used",
                "no guard compares the secret 'pin_on_file'",
                "compare an input with it in a guard of a lookup or an action, or delete it",
            ),
            id="not compared",
        ),
    ],
)
def test_another_use_of_a_secret_is_a_finding(
    old: str, new: str, expected: tuple[str, str, str]
) -> None:
    assert expected in findings_of((old, new))
