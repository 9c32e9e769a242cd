"""Tasks that lack an entry: there are some only where it matters what is lacking."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import yaml

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.dataset.dataset_completions import CHECK
from sopforge.checks.registry import examine
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.pipeline.stages.making.dataset_files import build_dataset_files
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.completions import Completions
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.sampling.screening import screen_rows
from sopforge.workspace import COMPLETIONS, DOMAIN, TASKS, Workspace
from tests.worlds.counters import Parts, build_counter

REFUND = Path(__file__).parents[4] / "tests/briefs/refund.yaml"
SAID = {"lacking": {"reason": 30}, "answer": "return", "sets": {"refund_status": "passed on"}}


def read_refunds() -> Workspace:
    """Return the domain of refunds, in which the reason may be lacking."""
    brief = yaml.safe_load(REFUND.read_text("utf-8"))
    brief["model"]["incomplete"] = SAID
    brief["dataset"] = {"n_samples": 30, "seed": 5, "mix": "natural"}
    brief["complexity"] = {"levels": ["L0"]}
    loaded = read_brief(yaml.safe_dump(brief, sort_keys=False), "refund.yaml")
    return Workspace(loaded, {DOMAIN: OfflineAuthor().write_domain(loaded)})


@pytest.fixture(scope="module")
def refunds() -> Workspace:
    """The domain with its dataset."""
    made = read_refunds()
    files = build_dataset_files(made, OfflineAuthor())
    return made.with_files({f"dataset/{name}": text for name, text in files.items()})


def test_rows_are_kept_where_what_they_lack_decides() -> None:
    """By hand: after 30 days a damaged order is refunded and another is not; before, each is."""
    model = read_refunds().model
    kept = screen_rows(model, 5, range(300)).paths
    lacking = {
        number: row
        for number, row in enumerate(sample_rows(model, 5, range(300)))
        if row["reason"] is None
    }
    late = {number for number, row in lacking.items() if int(str(row["days_since_delivery"])) > 30}
    assert 0 < len(late) < len(lacking)
    assert kept.keys() & lacking.keys() == late


def test_tasks_that_lack_an_entry_are_sent_back_without_a_call(refunds: Workspace) -> None:
    text = refunds.files["dataset/records.csv"]
    days = {
        row["request_id"]: int(row["days_since_delivery"])
        for row in csv.DictReader(io.StringIO(text))
    }
    tasks = [task for task in refunds.tasks if task.inputs["reason"] == "not stated"]
    assert tasks
    assert all(days[task.inputs["request_id"]] > 30 for task in tasks)
    assert {task.outcomes["refund_status"] for task in tasks} == {"passed on"}
    assert {task.calls for task in tasks} == {()}
    # Others are as they were: some within 30 days.
    assert any(days[task.inputs["request_id"]] <= 30 for task in refunds.tasks)


def test_two_completions_of_each_end_differently(refunds: Workspace) -> None:
    stored = json.loads(refunds.files[COMPLETIONS])
    lacking = {task.id for task in refunds.tasks if task.inputs["reason"] == "not stated"}
    assert stored.keys() == lacking
    for pair in stored.values():
        first, second = ((item["entries"]["reason"], item["outcomes"]) for item in pair)
        assert {first[0], second[0]} <= {"Damaged", "Wrong item", "Changed mind"}
        assert "Damaged" in {first[0], second[0]}
        assert first[1] != second[1]


def test_the_dataset_passes_its_checks_and_a_lost_proof_does_not(refunds: Workspace) -> None:
    found = examine("dataset", refunds)
    assert [item.id for item in found if item.severity == "error"] == []
    stored = json.loads(refunds.files[COMPLETIONS])
    task = next(iter(stored))
    stored[task] = stored[task][::-1]
    wrong = refunds.with_files({COMPLETIONS: json.dumps(stored)})
    assert [(item.id, task in item.message) for item in CHECK.examine(wrong)] == [
        ("completions-not-proved", True)
    ]
    # Of a task that lacks nothing, there is nothing to prove.
    other = next(item.id for item in refunds.tasks if item.id not in stored)
    more = refunds.with_files({COMPLETIONS: json.dumps({**stored, other: []})})
    assert len(CHECK.examine(more)) == 2
    assert refunds.files[TASKS]


def lack_payee(model: Parts) -> None:
    """Let the receiving account be lacking, and the birth date contradict that on file."""
    fields = model["entities"]["request"]["fields"]
    fields["verdict"]["values"].append("sent back")
    fields["reason"]["missing"] = "not decided"
    born = {"type": "date", "min": "1950-01-01", "max": "2005-12-31", "description": "birth date"}
    fields["stated_birth"] = {"label": "stated birth", "role": "input", **born}
    owner = model["entities"]["customer"]["fields"]
    owner["born_on"] = {"label": "birth on file", "role": "observed", **born}
    model["tools"]["getOwner"]["returns"].append("customer.born_on")
    model["incomplete"] = {
        "lacking": {"payee": 10, "amount": 10},
        "contradicting": {"stated_birth": {"on_file": "payer.owner.born_on", "share": 20}},
        "answer": "escalate",
        "hand_to": "duty desk",
        "sets": {"verdict": "sent back"},
    }


def test_what_contradicts_the_record_is_drawn_in_its_share() -> None:
    model = build_counter(lack_payee)
    rows = [row for row in sample_rows(model, 1, range(800)) if row["payer_record"]]
    differ = [row for row in rows if row["stated_birth"] != row["payer_owner_born_on"]]
    # A twentieth beside a fifth, at 700 rows, is more than five standard deviations away.
    assert 0.12 < len(differ) / len(rows) < 0.28
    row = next(row for row in differ if row["payee_record"] and row["amount"] is not None)
    done = label_row(model, row)
    assert done.path[-1] == "entry_contradicts"
    assert done.known["verdict"] == 2
    assert not {"payer_balance", "payee_balance"} & done.changed.keys()
    same: dict[str, Value | None] = {**row, "stated_birth": row["payer_owner_born_on"]}
    assert label_row(model, same).path[-1] != "entry_contradicts"


def test_a_completion_brings_the_record_of_a_reference() -> None:
    """Whoever pays too much for his account is refused, whoever is paid."""
    model = build_counter(lack_payee)
    drawn = next(
        row
        for row in sample_rows(model, 1, range(800))
        if row["payer_record"] and row["payee_record"] and row["amount"] is not None
    )
    lacking = {**drawn, "payee": None, "payee_record": None, "payee_blocked": None}
    rich = {**lacking, "payer_balance": 5000_00, "payer_blocked": 0, "amount": 100_00}
    shut = {**lacking, "payer_blocked": 1}
    born = {"stated_birth": drawn["payer_owner_born_on"]}
    asking = Completions(model)
    assert not asking.is_determined({**rich, **born})
    # The payer's account is blocked in any case, or the payee's number is the payer's own.
    found = asking.find_witnesses({**shut, **born})
    ends = {item.outcomes["reason"] for item in found or ()}
    assert ends <= {"same account", "blocked account", "unknown account"}
    assert not asking.is_determined(drawn)
