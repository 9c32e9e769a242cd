"""Agents are run on a package of others: shown no answers, served by its tools, graded by cells."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sopforge.errors import MaterialError, PackageUnreadableError
from sopforge.evaluation.agents.choosing import make_agent
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.packages.published import PublishedPackage, read_published
from sopforge.evaluation.packages.reading import list_assumptions, read_evaluated
from sopforge.evaluation.runs.rows import Row, RunFolder
from sopforge.evaluation.runs.running import ask_for, run_agent
from sopforge.harness.environment.events import TOOL_FAULT, Called, Event, Reply
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.environment.tools_service import ToolsService
from sopforge.harness.grading.grades import Attempt, Divergence, Grade, Stop
from sopforge.harness.scoring.sop_bench_answers import AgentResult, compute_rates
from sopforge.sandbox.answers import JSON
from tests.conftest import Released
from tests.worlds.foreign import MAPPING, ROWS, write_parcels


@pytest.fixture
def mapped(tmp_path: Path) -> PublishedPackage:
    return read_published(write_parcels(tmp_path / "parcels", mapping=MAPPING))


@pytest.fixture
def plain(tmp_path: Path) -> PublishedPackage:
    return read_published(write_parcels(tmp_path / "plain"))


def run(package: PublishedPackage, name: str, folder: Path) -> list[Row]:
    agent = make_agent(name, package, 10)
    asked = ask_for(package, list(package.shown.tasks), agent.name, 3)
    return run_agent(package, agent, asked, RunFolder(folder / name))


def grade(
    package: PublishedPackage, answer: str, task: str = "0", *, events: Sequence[Event] = ()
) -> Grade:
    return package.grade(task, Attempt(events, answer, Stop.ANSWER))


def test_agents_see_the_inputs_and_no_answer(mapped: PublishedPackage) -> None:
    task = mapped.shown.tasks["1"]
    assert dict(task.inputs) == dict(
        zip(("parcel_id", "sender_id", "sent_on", "arrived_on"), ROWS[1][:4], strict=True)
    )
    assert "sent_on: 2026-01-02" in task.text
    assert "<decision>...</decision> <fee>...</fee>" in task.text
    assert "refund" not in task.text
    assert "6.00" not in task.text


def test_a_byte_order_mark_before_any_file_changes_nothing(tmp_path: Path) -> None:
    plain, marked = (
        write_parcels(tmp_path / name, mapping=MAPPING) for name in ("plain", "marked")
    )
    for file in marked.iterdir():
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    before, after = read_published(plain), read_published(marked)
    assert (after.shown.sop, after.shown.tasks) == (before.shown.sop, before.shown.tasks)
    assert (after.outcomes, after.calls, after.rows) == (before.outcomes, before.calls, before.rows)
    with after.open_environment() as environment:
        assert open_session(environment, "0").call("countCalls", {"parcel_id": "P-1"}).result


def test_in_whole_rows_the_answers_are_left_out(tmp_path: Path) -> None:
    package = read_published(write_parcels(tmp_path / "parcels", input_columns=[]))
    assert set(package.shown.tasks["0"].inputs) == {
        *("parcel_id", "sender_id", "sent_on", "arrived_on"),
        *("weight_kg", "depot", "postage", "days"),
    }
    assert "metadata.json lacks a column list" in package.assumptions[0]


def test_its_tools_answer_each_session_in_a_process_of_its_own(mapped: PublishedPackage) -> None:
    with mapped.open_environment() as environment:
        one, other = (open_session(environment, task) for task in ("0", "1"))
        found = one.call("findParcel", {"parcel_id": "P-1"})
        absent = one.call("findParcel", {"parcel_id": "P-9"})
        counts = [
            session.call("countCalls", {"parcel_id": "P-1"}).result for session in (one, one, other)
        ]
        numbers = one.call("sumWeights", {"parcel_id": "P-1"})
        nothing = one.call("weighParcel", {"parcel_id": "P-1"})
        unknown = one.call("findPost", {})
        lost = one.call("callBack", {"parcel_id": "P-1"})

    assert found.result == {
        "weight_kg": Decimal("2.5"),
        "depot": "North",
        "postage": Decimal("4.1"),
    }
    assert (absent.refusal, absent.message) == ("ValueError", "P-9 not found")
    assert counts == [{"calls": 1}, {"calls": 2}, {"calls": 1}]
    # 2.5 + 7 + 31 + 1 = 41.5, which numpy cuts; not-a-number is served as null.
    assert numbers.result == {"total": 41, "mean": None}
    assert (nothing.result, nothing.refusal) == (None, "")
    assert unknown.refusal == "unknown_tool"
    assert lost.refusal == TOOL_FAULT


def test_a_tool_that_hangs_is_a_reply_and_the_session_goes_on(mapped: PublishedPackage) -> None:
    with ToolsService(
        mapped.shown.files, keep_state=True, time_limit=1.0, libraries=mapped.libraries
    ) as service:
        kept = service.begin(mapped.shown.tasks["2"], 0)
        kept, hung = service.answer(kept, "waitForVan", {"parcel_id": "P-3"})
        _, found = service.answer(
            kept, "countDays", {"sent_on": "2026-01-01", "arrived_on": "2026-01-04"}
        )

    assert hung.refusal == TOOL_FAULT
    assert found.result == {"days": 3}


@pytest.mark.parametrize(
    ("agent", "complete", "right"),
    [
        ("gold", 4, 4),
        ("wrong", 4, 0),
        ("silent", 0, 0),
        ("one-letter", 0, 0),
        # All four pairs of answers differ: the first in order is right once.
        ("constant", 4, 1),
    ],
)
def test_agents_that_need_no_model_score_as_they_must(
    mapped: PublishedPackage, tmp_path: Path, agent: str, complete: int, right: int
) -> None:
    rows = run(mapped, agent, tmp_path)
    assert sum(row.grade.is_complete for row in rows) == complete
    assert sum(row.grade.is_right for row in rows) == right
    if agent in ("gold", "wrong"):
        assert all(row.grade.is_gold and row.grade.recall == 1.0 for row in rows)
    # The tool of days is expected of the parcels of two depots alone.
    if agent == "gold":
        assert [row.grade.calls for row in rows] == [2, 2, 2, 1]


def test_random_calls_are_the_same_for_the_same_seed(
    mapped: PublishedPackage, tmp_path: Path
) -> None:
    once, again = (run(mapped, "random-tool", tmp_path / name) for name in ("one", "two"))
    assert [row.grade for row in once] == [row.grade for row in again]
    assert {row.grade.calls for row in once} == {6}


def test_an_agent_that_needs_a_model_is_refused(mapped: PublishedPackage) -> None:
    with pytest.raises(MaterialError) as caught:
        make_agent("one-mistake:mutant age 17", mapped, 10)
    assert caught.value.faults[0].code == "agent-needs-model"
    with pytest.raises(MaterialError) as caught:
        make_agent("glod", mapped, 10)
    assert caught.value.faults[0].code == "agent-unknown"


def test_without_expected_calls_nothing_is_said_of_calls(
    plain: PublishedPackage, tmp_path: Path
) -> None:
    rows = run(plain, "gold", tmp_path)
    for row in rows:
        said = row.grade
        assert (said.precision, said.recall, said.parameters) == (None, None, None)
        assert (said.is_in_order, said.is_gold) == (None, None)
        assert said.divergence is Divergence.NONE
    again = RunFolder(tmp_path / "gold").rows.values()
    assert [row.grade for row in again] == [row.grade for row in rows]


def test_what_was_assumed_is_listed(plain: PublishedPackage, mapped: PublishedPackage) -> None:
    assert list_assumptions(plain) == (
        "'decision' is compared as one of 3 labels",
        "'fee' is compared as a number with 2 decimal places",
        "1 of 4 answers in 'decision' are blank: 'none' is right there",
        "no expected calls are known, so tools and their parameters are not graded",
    )
    assert list_assumptions(mapped) == (
        "1 of 4 answers in 'decision' are blank: 'undecided' is right there",
    )


def test_calls_are_compared_with_those_of_the_mapping(mapped: PublishedPackage) -> None:
    with mapped.open_environment() as environment:
        session: Session[Any] = open_session(environment, "0")
        session.call("countDays", {"sent_on": "2026-01-02", "arrived_on": "2026-01-05"})
        session.call("findParcel", {"parcel_id": "p-1 "})
        session.call("findParcel", {"parcel_id": "P-1"})
        session.call("drawTicket", {"parcel_id": "P-1"})
    said = grade(mapped, "<decision>close</decision><fee>0</fee>", events=session.state.events)

    assert said.is_right
    assert (said.recall, said.precision) == (1.0, 2 / 3)
    # Two of the three expected parameters: the day of arrival is another.
    assert said.parameters == pytest.approx(2 / 3)
    assert (said.is_in_order, said.is_gold, said.beside) == (False, False, 1)
    assert said.divergence is Divergence.WRONG_TOOL


@pytest.mark.parametrize(
    ("given", "right"), [("052", True), ("52", False), (52, False), (" 052", True)]
)
def test_a_code_is_right_as_an_argument_by_its_very_digits(
    tmp_path: Path, given: JSON, right: object
) -> None:
    mapping = MAPPING.replace("parcel_id: parcel_id", "parcel_id: sender_id", 1)
    folder = write_parcels(tmp_path / "parcels", mapping=mapping)
    table = folder / "test_set_with_outputs.csv"
    text = table.read_text(encoding="utf-8").replace("S-1", "052").replace("S-2", "52")
    table.write_text(text.replace("S-3", "7").replace("S-4", "07"), encoding="utf-8")
    reply = Reply(None, "ValueError", "there is none")
    calls = [
        Called("findParcel", {"parcel_id": given}, reply),
        Called("countDays", {"sent_on": "2026-01-02", "arrived_on": "2026-01-04"}, reply),
    ]
    said = grade(read_published(folder), "<decision>close</decision><fee>0</fee>", events=calls)
    assert said.is_gold is right


@pytest.mark.parametrize("given", ["2.5", Decimal("2.50"), "2.50"])
def test_a_number_is_right_as_an_argument_however_it_is_written(
    tmp_path: Path, given: JSON
) -> None:
    mapping = MAPPING.replace("parcel_id: parcel_id", "parcel_id: weight_kg", 1)
    package = read_published(write_parcels(tmp_path / "parcels", mapping=mapping))
    calls = [
        Called("findParcel", {"parcel_id": given}, Reply({})),
        Called("countDays", {"sent_on": "2026-01-02", "arrived_on": "2026-01-04"}, Reply({})),
    ]
    said = grade(package, "<decision>close</decision><fee>0</fee>", events=calls)
    assert said.parameters == 1


def test_a_blank_answer_is_right_by_the_word_for_it(mapped: PublishedPackage) -> None:
    for decision, verdict in (("undecided", True), ("close", False), ("none", False)):
        said = grade(mapped, f"<decision>{decision}</decision><fee>0.00</fee>", "3")
        assert said.outcomes == {"decision": verdict, "fee": True}
        assert said.is_right is verdict
    assert not grade(mapped, "<fee>0.00</fee>", "3").is_complete


def test_sop_benchs_own_verdict_stands_beside_ours_with_its_holes(tmp_path: Path) -> None:
    single = read_published(write_parcels(tmp_path / "parcels", output_columns=["decision"]))
    # A letter of the label passes for it.
    said = grade(single, "<final_decision>e</final_decision>")
    assert (said.is_right, said.is_complete, said.is_compatible) == (False, False, True)
    said = grade(single, "<decision>close</decision>")
    assert (said.is_right, said.is_compatible) == (True, True)
    gave_up = single.grade("0", Attempt((), None, Stop.GAVE_UP))
    assert gave_up.is_compatible is False


def test_its_verdict_is_that_of_its_own_evaluator(plain: PublishedPackage) -> None:
    texts = {
        "0": ("<decision>close</decision><fee>0.0</fee>", True),
        "1": ("<decision>refunded</decision><fee>6</fee>", True),
        "2": ("<decision>escalate</decision>", False),
        "3": ("<decision>none</decision><fee>0.00</fee>", True),
    }
    for task, (text, verdict) in texts.items():
        # Of one task alone: all others count as not finished.
        rates = compute_rates(plain.peer, {task: AgentResult(text)})
        assert grade(plain, text, task).is_compatible is (rates.tsr > 0) is verdict, task


def test_of_several_answers_it_reads_the_messages_where_json_is_escaped(
    plain: PublishedPackage,
) -> None:
    text = '<final_output>{"decision": "close", "fee": "0.00"}</final_output>'
    said = grade(plain, text)
    assert (said.is_right, said.is_compatible) == (True, False)


def test_results_of_tools_outrank_a_wrong_answer_there(tmp_path: Path) -> None:
    package = read_published(write_parcels(tmp_path / "parcels", output_columns=["days", "depot"]))
    with package.open_environment() as environment:
        session: Session[Any] = open_session(environment, "1")
        session.call("countDays", {"sent_on": "2026-01-02", "arrived_on": "2026-01-09"})
        session.call("findParcel", {"parcel_id": "P-2"})
    said = grade(package, "<days>1</days><depot>West</depot>", "1", events=session.state.events)
    assert (said.is_right, said.is_compatible) == (False, True)


def test_the_digest_changes_with_all_that_decides(tmp_path: Path) -> None:
    folder = write_parcels(tmp_path / "parcels", mapping=MAPPING)
    digests = {read_published(folder).shown.digest}
    for name in ("sop.txt", "tools.py", "sopforge-mapping.yaml", "test_set_with_outputs.csv"):
        file = folder / name
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("4.10,3", "4.20,3") + "\n", encoding="utf-8")
        digests.add(read_published(folder).shown.digest)
    assert len(digests) == 5
    (folder / "README.md").write_text("new")
    assert read_published(folder).shown.digest in digests


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda folder: (folder / "tools.py").unlink(), "package-file-missing"),
        (lambda folder: (folder / "sop.txt").unlink(), "package-file-missing"),
        (lambda folder: (folder / "toolspecs.json").write_text("{}"), "toolspecs-not-a-list"),
        (lambda folder: (folder / "metadata.json").write_text("[]"), "metadata-malformed"),
        (lambda folder: (folder / "test_set_with_outputs.csv").unlink(), "package-file-missing"),
        (
            lambda folder: (folder / "metadata.json").write_text(
                json.dumps({"input_columns": ["parcel_id"], "output_columns": ["verdict"]})
            ),
            "output-column-missing",
        ),
    ],
)
def test_a_package_that_cannot_be_served_is_refused(
    tmp_path: Path, spoil: Callable[[Path], object], code: str
) -> None:
    folder = write_parcels(tmp_path / "parcels")
    spoil(folder)
    with pytest.raises(PackageUnreadableError) as caught:
        read_published(folder)
    assert code in {fault.code for fault in caught.value.faults}


def test_a_mapping_says_what_the_metadata_gets_wrong(tmp_path: Path) -> None:
    folder = write_parcels(tmp_path / "parcels", mapping=MAPPING, output_columns=["verdict"])
    package = read_published(folder)
    assert [item.name for item in package.outcomes] == ["decision", "fee"]
    assert grade(package, "<decision>close</decision><fee>0</fee>").is_right


def test_a_package_of_ours_without_its_answers_is_no_package_of_others(
    released: Released, tmp_path: Path
) -> None:
    shutil.copytree(released.published.packages["L0"], tmp_path / "half")
    shutil.rmtree(tmp_path / "half" / "grader")

    with pytest.raises(PackageUnreadableError) as refused:
        read_evaluated(tmp_path / "half")
    assert refused.value.faults[0].code == "package-file-missing"


def test_other_answers_make_another_package(released: Released, tmp_path: Path) -> None:
    shutil.copytree(released.published.packages["L0"], tmp_path / "other")
    tasks = tmp_path / "other" / "grader" / "tasks.jsonl"
    before = read_evaluated(tmp_path / "other")
    tasks.write_text(tasks.read_text().replace('"registered"', '"on hold"'))
    after = read_evaluated(tmp_path / "other")

    assert after.shown.digest == before.shown.digest
    assert after.digest != before.digest


def test_packages_of_both_kinds_are_read(released: Released, tmp_path: Path) -> None:
    own = Path(released.published.packages["L0"])
    mapping = tmp_path / "mapping.yaml"
    mapping.write_text(MAPPING)
    assert isinstance(read_evaluated(own), ProvedPackage)
    found = read_evaluated(write_parcels(tmp_path / "parcels"), mapping)
    assert isinstance(found, PublishedPackage)
    assert found.calls is not None
    with pytest.raises(MaterialError) as caught:
        read_evaluated(own, mapping)
    assert caught.value.faults[0].code == "mapping-not-needed"


# Published packages, with their code


@pytest.mark.parametrize(
    "name", ["patient_intake", "warehouse_package_inspection", "order_fulfillment", "email_intent"]
)
def test_agents_score_as_they_must_on_published_packages(name: str, tmp_path: Path) -> None:
    folder = Path(os.environ.get("SOPFORGE_PEER_DATA", "")) / name
    if not (folder / "tools.py").is_file():
        pytest.skip(f"SOPFORGE_PEER_DATA does not hold {name} with its tools")
    package = read_published(folder)
    rates = {}
    for agent in ("gold", "wrong", "silent", "one-letter"):
        rows = run(package, agent, tmp_path)
        rates[agent] = sum(row.grade.is_right for row in rows) / len(rows)
        if name == "patient_intake" and agent in {"gold", "wrong"}:
            assert all(row.grade.is_gold for row in rows)
            # Its own evaluator reads the results of the tools, and counts both alike.
            assert sum(bool(row.grade.is_compatible) for row in rows) == 34

    assert rates == {"gold": 1, "wrong": 0, "silent": 0, "one-letter": 0}
