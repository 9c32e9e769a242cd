"""Briefs that read well and whose answers would be wrong are refused by a check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from sopforge.artifacts.rendering.api.arguments import iterate_operations
from sopforge.checks.registry import examine
from sopforge.findings import Severity
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.stages.pipeline import advance, build_workspace, list_approved_versions
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from sopforge.workspace import DOMAIN, OPENAPI, SOP_TEXT, Workspace

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


def errors_of(text: str, store: Store) -> set[str]:
    """Return the ids of the errors at the stage where the brief stops."""
    ended = advance(store, read_brief(text, "brief.yaml"), approve_clean=True)
    return {item.id for item in ended.version.manifest.findings if item.severity is Severity.ERROR}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "- {when: eligibility == 'excluded', to: refuse}",
            "- {when: eligibility == 'excluded', to: look_up}",
            "endless-loop",
            id="loop",
        ),
        pytest.param(
            "- {when: eligibility == 'excluded', to: refuse}",
            "- {when: eligibility == 'excluded' and order_amount > pay_limit, to: refuse}",
            "refused-on-path",
            id="guard-refuses-on-the-path",
        ),
        pytest.param(
            "  decisions:\n",
            "  constraints: [eligibility == 'eligible']\n  decisions:\n",
            "constraint-on-result",
            id="constraint-on-a-result",
        ),
        pytest.param(
            "returns: [payment_reference]",
            "returns: [payment_reference, eligibility]",
            "tool-returns-answer",
            id="tool-returns-the-answer",
        ),
    ],
)
def test_it_stops_at_its_gate(old: str, new: str, expected: str, tmp_path: Path) -> None:
    text = REFUND.read_text()
    assert old in text
    assert expected in errors_of(text.replace(old, new, 1), open_store(tmp_path))


def test_a_result_that_reads_a_missing_value_is_refused() -> None:
    text = REFUND.read_text().replace(
        "max: 400.00, unit: USD,", "max: 400.00, unit: USD, missing: no amount,"
    )
    brief = read_brief(text, "brief.yaml")
    from sopforge.authors.writers.offline import OfflineAuthor

    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    assert "unguarded-missing" in {item.id for item in examine("schema", workspace)}


def test_the_api_shows_no_call_of_a_task(tmp_path: Path) -> None:
    store, brief = open_store(tmp_path), load_brief(REFUND)
    advance(store, brief, approve_clean=True)
    workspace = build_workspace(brief, list_approved_versions(store, brief))
    given = [
        parameter
        for operation in iterate_operations(yaml.safe_load(workspace.files[OPENAPI]))
        for parameter in operation["parameters"]
    ]
    shown = {item["example"] for item in given if item["name"] == "request_id"}
    assert shown
    assert not shown & {task.inputs["request_id"] for task in workspace.tasks}


def test_a_later_addition_that_names_an_answer_is_a_warning_and_is_not_printed(
    tmp_path: Path,
) -> None:
    text = REFUND.read_text() + "\ncontext:\n  - Requests above 20 USD are refused.\n"
    store = open_store(tmp_path)
    advance(store, read_brief(text, "brief.yaml"), approve_clean=True)
    (version,) = store.get_domain("refund").list_versions("sop")
    (left_out,) = [x for x in version.manifest.findings if x.id == "sop-prose-left-out"]
    assert (left_out.where, left_out.evidence) == (
        "context.0",
        "Requests above 20 USD are refused.",
    )
    assert "Requests above" not in version.files[SOP_TEXT.partition("/")[2]]


def test_a_sentence_of_the_draft_that_the_model_contradicts_is_left_out_and_quoted(
    tmp_path: Path,
) -> None:
    sentence = "A clerk may never pay more than 250 USD, whatever the customer says."
    draft = f"# Purpose\n\nSettle refunds. {sentence} Stay polite."
    brief = replace(load_brief(REFUND), draft=draft)
    store = open_store(tmp_path)
    advance(store, brief, approve_clean=True)
    (version,) = store.get_domain("refund").list_versions("sop")

    omitted = [item for item in version.manifest.findings if item.id == "sop-draft-left-out"]
    assert [item.evidence for item in omitted] == [sentence]
    assert omitted[0].message == (
        "the SOP leaves out a sentence of the draft: it points to a passage by number, or has a"
        " figure that the model does not have"
    )
    text = version.files[SOP_TEXT.partition("/")[2]]
    assert "250" not in text
    assert "Settle refunds. Stay polite.\n" in text
