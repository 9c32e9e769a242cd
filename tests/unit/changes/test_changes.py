"""What changed in whole domains, the version that follows from it, and what its users read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, read_sop
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.changes.cases import CaseVerdict
from sopforge.pipeline.changes.changelog import render_changelog
from sopforge.pipeline.changes.changes import (
    Bump,
    Changes,
    LevelChange,
    compare_workspaces,
    compute_next_version,
)
from sopforge.pipeline.changes.clauses import Clause, find_clause
from sopforge.pipeline.changes.interface import InterfaceChange
from sopforge.pipeline.changes.schemas import Impact
from sopforge.pipeline.changes.texts import Mark
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace
from tests.worlds.changed_briefs import (
    DECLINED,
    FEES,
    FREE_ITEM,
    LONGER,
    NEW_TOOL,
    OTHER_WORDS,
    REFUND,
    TURNED,
    UNIQUE,
    domain_of,
)

MORE_TASKS = ("n_samples: 12", "n_samples: 16")
NO_LEVEL = ("levels: [L0, L1]", "levels: [L0]")
GREATEST = ("meaning: highest amount", "meaning: greatest amount")
LATER = ("value: 3,", "value: 4,")


def changes_of(*changes: tuple[str, str], text: str = REFUND) -> Changes:
    return compare_workspaces(domain_of(text), domain_of(text, *changes))


def test_a_domain_has_no_changes_against_itself() -> None:
    found = changes_of()
    assert not found
    assert found.bump is Bump.NONE


@pytest.mark.parametrize(
    ("text", "change", "bump"),
    [
        pytest.param(REFUND, LONGER, Bump.MAJOR, id="a kept task has another answer"),
        pytest.param(REFUND, DECLINED, Bump.MAJOR, id="an answer by another name"),
        pytest.param(FEES, LATER, Bump.MAJOR, id="days of grace"),
        pytest.param(REFUND, NO_LEVEL, Bump.MAJOR, id="a level is gone"),
        pytest.param(REFUND, MORE_TASKS, Bump.MINOR, id="more tasks"),
        pytest.param(REFUND, NEW_TOOL, Bump.MINOR, id="a tool more"),
        pytest.param(REFUND, OTHER_WORDS, Bump.PATCH, id="other words"),
        pytest.param(REFUND, GREATEST, Bump.PATCH, id="meaning"),
    ],
)
def test_the_version_follows_from_what_changed(
    text: str, change: tuple[str, str], bump: Bump
) -> None:
    assert changes_of(change, text=text).bump is bump


def test_what_a_lost_level_was_can_be_read() -> None:
    assert changes_of(NO_LEVEL).levels == (LevelChange("L1", Mark.REMOVED),)


def test_a_moved_threshold_is_shown_by_all_of_its_consequences() -> None:
    found = changes_of(LONGER)
    assert [item.name for item in found.decisive_items] == ["refund_days"]
    assert found.cases is not None
    assert found.cases.verdict is CaseVerdict.DIFFERENT
    assert [sample.of for sample in found.cases.samples] == [
        "cases drawn by the new model",
        "cases of the old tasks",
    ]
    assert found.interface == ()
    (sop,) = [text for text in found.texts if text.file == "sop/sop.md"]
    rule, meaning = sop.passages
    for passage in (rule, meaning):
        moved = [part.text for part in passage.words if part.mark is not Mark.SAME]
        assert moved == ["30", "32"]


def test_the_old_tasks_that_would_be_answered_differently_are_those_between() -> None:
    found = changes_of(LONGER)
    assert found.cases is not None
    tasks = found.cases.samples[1]
    lines = domain_of(REFUND).files["dataset/rows.jsonl"].splitlines()
    cells = [json.loads(line)["cells"] for line in lines]
    between = [
        row
        for row in cells
        if row["days_since_delivery"] in {"31", "32"} and row["reason"] != "Damaged"
    ]
    assert (tasks.compared, tasks.different) == (len(cells), len(between))


def test_other_words_change_texts_alone() -> None:
    found = changes_of(OTHER_WORDS)
    assert (found.items, found.cases, found.interface) == ((), None, ())
    assert not found.tasks.changed
    assert {text.file.split("/")[-1] for text in found.texts} == {"sop.md", "sop.txt"}


def test_unique_rules_in_another_order_change_no_case_and_no_task() -> None:
    old, new = domain_of(REFUND, UNIQUE), domain_of(REFUND, UNIQUE, TURNED)
    found = compare_workspaces(old, new)
    assert found.cases is not None
    assert found.cases.verdict is CaseVerdict.ALIKE
    assert not found.tasks.with_other_answers
    assert not found.tasks.with_other_inputs
    assert found.interface == ()


def test_a_new_rule_is_shown_with_the_cases_that_it_decides() -> None:
    found = compare_workspaces(
        domain_of(REFUND, MORE_TASKS), domain_of(REFUND, MORE_TASKS, FREE_ITEM)
    )
    assert found.cases is not None
    example = found.cases.examples[0]
    assert float(example.case["order_amount"]) > 350
    assert example.new.reason.startswith("rule E3 applies: the order amount is more than 350 USD")


def eligible_after(days: int) -> Clause:
    """Return the clause of the SOP of refunds that a limit of so many days leads to."""
    words = (
        'Set the eligibility of the order (eligibility) to "excluded" if the days since delivery'
        f' are more than {days} and the reason for the request is not "Damaged"; otherwise set it'
        ' to "eligible".'
    )
    return Clause("6.1 Look the order up", words)


def test_the_clauses_are_shown_that_say_so() -> None:
    cases = changes_of(LONGER).cases
    assert cases is not None
    sides = [(item.old.clause, item.new.clause) for item in cases.examples]
    assert sides
    assert set(sides) == {(eligible_after(30), eligible_after(32))}


def test_a_clause_is_quoted_as_the_sop_words_it() -> None:
    old, new = domain_of(REFUND), domain_of(REFUND, LONGER)
    document = read_sop(new.files[SOP_TEXT], new.files[SOP_TRACE])
    said = "A request later than 32 days is excluded, unless the goods are damaged."
    lines = [
        replace(line, text=said) if "rule eligibility.E1" in line.states else line
        for line in document.lines
    ]
    reworded = SopDocument(tuple(lines))
    files = {SOP_TEXT: reworded.as_text(), SOP_TRACE: reworded.as_trace()}

    found = compare_workspaces(old, new.with_files(files)).cases

    assert found is not None
    assert {item.new.clause for item in found.examples} == {Clause("6.1 Look the order up", said)}


def test_an_sop_of_another_model_is_not_quoted() -> None:
    old, new = domain_of(REFUND), domain_of(REFUND, LONGER)
    stale = {name: old.files[name] for name in (SOP_TEXT, SOP_TRACE)}

    found = compare_workspaces(old, new.with_files(stale), has_own_sop=(True, False)).cases

    assert found is not None
    assert {item.new.clause for item in found.examples} == {eligible_after(32)}


def test_a_side_may_lack_stages() -> None:
    whole = domain_of(REFUND, LONGER)
    some = Workspace(
        whole.brief,
        {
            name: text
            for name, text in domain_of(REFUND).files.items()
            if name.startswith("schema/")
        },
    )
    found = compare_workspaces(some, whole)
    assert found.cases is not None
    assert [sample.of for sample in found.cases.samples] == ["cases drawn by the new model"]
    assert not found.tasks
    empty = compare_workspaces(Workspace(whole.brief, {}), whole)
    assert (empty.items, empty.cases) == ((), None)
    assert {text.mark for text in empty.texts} == {Mark.ADDED}


def test_a_model_with_faults_is_noted_and_compared_as_a_text() -> None:
    sound = domain_of(REFUND)
    broken = sound.with_files(
        {
            "schema/domain.yaml": sound.files["schema/domain.yaml"].replace(
                "refund_days and", "no_days and"
            )
        }
    )
    found = compare_workspaces(sound, broken)
    assert found.cases is None
    (note,) = found.notes
    assert note.startswith("the new model has faults, and is compared as a text: ")
    assert "no_days" in note
    assert [text.file for text in found.texts] == ["schema/domain.yaml"]


def test_changes_are_plain_json() -> None:
    record = json.loads(json.dumps(changes_of(LONGER).as_record()))
    assert record["bump"] == "major"
    assert record["items"][0]["aspects"] == [{"name": "value", "old": "30 days", "new": "32 days"}]
    assert record["cases"]["verdict"] == "some decided differently"


@pytest.mark.parametrize(
    ("bump", "version"),
    [(Bump.MAJOR, "2.0.0"), (Bump.MINOR, "1.5.0"), (Bump.PATCH, "1.4.8")],
)
def test_a_version_goes_up_where_it_has_to(bump: Bump, version: str) -> None:
    assert compute_next_version("1.4.7", bump) == version


def test_users_read_what_changed_and_no_answer_of_a_task() -> None:
    found = changes_of(LONGER)
    entry = render_changelog("2.0.0", found)
    assert entry.startswith(
        "## 2.0.0\n\nResults on earlier releases cannot be compared with results on this one.\n"
    )
    limit = "days after delivery in which a refund may be asked for"
    assert f'- The policy constant "{limit}" is changed: value 30 days → 32 days.\n' in entry
    assert "the days since delivery are 3" in entry
    assert "refund status: refused, because" in entry
    assert "days_since_delivery =" not in entry
    assert "- Of 12 cases of the old tasks, 1 is decided differently.\n" in entry
    assert "- Some cases are decided differently.\n" in entry
    lines = [line for line in entry.splitlines() if "task-" in line]
    assert not any(word in line for line in lines for word in ("paid", "passed on", "refused"))


def test_users_read_of_a_proof_that_nothing_is_decided_differently() -> None:
    entry = render_changelog("1.1.0", changes_of(NEW_TOOL))
    assert "- No case is decided differently: that is proved.\n" in entry
    assert "- `lookUpPayment`: the tool is new.\n" in entry
    assert "Tasks that were kept have kept their answers." in entry


def test_a_change_of_words_has_a_short_entry() -> None:
    old = Workspace(read_brief(REFUND, "brief.yaml"), {"sop/sop.txt": "Pay it.\n"})
    new = old.with_files({"sop/sop.txt": "Pay it.\nStop.\n"})
    assert render_changelog("1.0.1", compare_workspaces(old, new)) == (
        "## 1.0.1\n\n"
        "Tasks, answers and tools are those of the release before; words changed.\n\n"
        "### Texts\n\n"
        "- sop/sop.txt: passages 1 added.\n"
    )


def at_a_level(tools: list[str]) -> Workspace:
    """Return a domain whose second level offers these tools."""
    plain = domain_of(REFUND)
    specs = json.loads(plain.files["toolspec/toolspecs.json"])
    offered = [
        {"toolSpec": {**specs[0]["toolSpec"], "name": name}}
        for name in tools
        if name != "payRefund"
    ]
    text = json.dumps([*offered, specs[1]])
    return plain.with_files({"complexity/L1/toolspec/toolspecs.json": text})


def test_a_distractor_that_goes_at_a_level_is_a_minor_change() -> None:
    found = compare_workspaces(
        at_a_level(["lookUpOrder", "rateOrder"]), at_a_level(["lookUpOrder"])
    )
    assert found.interface == (
        InterfaceChange(
            "rateOrder", Impact.COMPATIBLE, "the tool is gone; no step called it", level="L1"
        ),
    )
    assert found.bump is Bump.MINOR


def test_a_tool_that_steps_call_and_goes_at_a_level_breaks() -> None:
    found = compare_workspaces(at_a_level(["lookUpOrder", "rateOrder"]), at_a_level(["rateOrder"]))
    assert [(item.tool, item.level) for item in found.interface] == [("lookUpOrder", "L1")]
    assert found.bump is Bump.MAJOR


def test_a_clause_is_all_lines_that_state_an_item_where_it_is_first_stated() -> None:
    document = SopDocument(
        (
            Statement(Style.SECTION, "1. Rules"),
            Statement(Style.STEP, "1.1 Look", ("step look",)),
            Statement(Style.BULLET, "It is late if any of the following holds:", ("rule fee.F1",)),
            Statement(Style.NESTED, "the delay is more than 8;", ("rule fee.F1", "policy days")),
            Statement(Style.NESTED, "the day is a holiday.", ("rule fee.F1",)),
            Statement(Style.BULLET, "In all other cases it is not.", ("rule fee.F2",)),
            Statement(Style.SECTION, "2. Once more"),
            Statement(Style.PARAGRAPH, "Late is what is late.", ("rule fee.F1",)),
        )
    )
    words = (
        "It is late if any of the following holds: the delay is more than 8; the day is a holiday."
    )
    assert find_clause(document, "rule fee.F1") == Clause("1.1 Look", words)
    assert find_clause(document, "rule fee.F9") is None
