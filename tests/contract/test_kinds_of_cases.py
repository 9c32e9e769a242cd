"""Cases of several kinds go through all stages; each states and answers what its kind has alone."""

from __future__ import annotations

import pytest

from sopforge.artifacts.packaging.carried_files import build_answer_types
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.grading.proved import grade_attempt
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.tasks.task_texts import parse_task_text, render_task_text
from sopforge.workspace import DOMAIN, SOP_TEXT, Workspace
from tests.worlds.kinds_page import read_desk
from tests.worlds.shared_builds import build_stages

OWN = {
    "Add bag": ("weight", "bag_fee"),
    "Change seat": ("row_wanted", "seat"),
    "Cancel": ("reason", "refund"),
}
LABELS = {"weight": "eight of the bag", "row_wanted": "ow wanted", "reason": "eason given"}
WORD = "inapplicable"


@pytest.fixture(scope="module")
def built() -> Workspace:
    return build_stages(read_desk())


def test_each_kind_has_tasks_that_state_its_entries_and_no_others(built: Workspace) -> None:
    assert {task.inputs["wish"] for task in built.tasks} == set(OWN)
    for task in built.tasks:
        stated, answered = OWN[task.inputs["wish"]]
        for name, label in LABELS.items():
            assert (label in task.text) == (name == stated), task.text
            assert (task.inputs[name] == WORD) == (name != stated)
        assert WORD not in task.text
        given = [n for n, cell in task.outcomes.items() if cell != WORD]
        assert given == [answered, "decision"]
        assert parse_task_text(built.model, task.id, task.text) == task.inputs


def test_a_text_that_states_another_kinds_entry_is_no_text_of_the_task(built: Workspace) -> None:
    model = built.model
    task = next(x for x in built.tasks if x.text.startswith("Request form") and "Cancel" in x.text)

    added = f"{task.text}\nRow wanted (row in which the passenger wants to sit): exit"

    assert parse_task_text(model, task.id, added) is None


def test_the_sop_has_a_part_for_each_kind_without_the_word(built: Workspace) -> None:
    text = built.files[SOP_TEXT]

    assert text.count('Add a bag (only if the request is "Add bag"):') == 3
    assert WORD not in text
    inputs = text[text.index("Add a bag (") : text.index("Cancel the booking (")]
    assert inputs.index("weight (weight of the bag)") < inputs.index("Change a seat (")
    assert "Leave out the results of a kind to which the case does not belong." in text


def test_an_answer_leaves_out_what_its_case_does_not_have_and_nothing_else(
    built: Workspace,
) -> None:
    task = next(task for task in built.tasks if task.inputs["wish"] == "Cancel")
    own = {name: cell for name, cell in task.outcomes.items() if cell != WORD}

    assert grade(built, task, own) == grade(built, task, dict(task.outcomes)) == (True, True)
    assert grade(built, task, {"decision": own["decision"]}) == (True, False)
    assert grade(built, task, {"refund": own["refund"]}) == (False, False)
    assert grade(built, task, {**own, "seat": "kept"}) == (True, False)
    assert grade(built, task, {}) == (False, False)


def test_the_scorer_of_the_package_knows_what_may_be_left_out(built: Workspace) -> None:
    declared = build_answer_types(built.model)

    assert declared["unasked"] == {name: WORD for _, name in OWN.values()}


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (
            "when: wish == 'Cancel', fields",
            "when: wish == 'Cancel' and wish == 'Add bag', fields",
            "kind-without-cases",
            "no case is of the kind 'cancel'",
        ),
        (
            "when: wish == 'Change seat', fields",
            "when: wish != 'Cancel' or wish == 'Cancel', fields",
            "kind-without-cases",
            "every case is of the kind 'change_seat'",
        ),
        (
            "end: {decision: refused, bag_fee: 0}",
            "end: {decision: refused}",
            "kind-outcome",
            "a case of the kind 'add_bag' ends without the outcome 'bag_fee'",
        ),
        (
            "refuse: {title: Refuse the request, end: {decision: refused}}",
            "refuse: {title: Refuse the request, end: {decision: refused, seat: kept}}",
            "kind-outcome",
            "a case that is not of the kind 'change_seat' gets 'seat'",
        ),
        (
            "fare == 'Flex' or reason == 'Illness', then: paid}, {id: R2, otherwise: 0}",
            "row_wanted == 'exit' or reason == 'Illness', then: paid}, {id: R2, otherwise: 0}",
            "unguarded-missing",
            "'row_wanted' may be missing but is read without a test for that",
        ),
    ],
)
def test_mistakes_in_kinds_are_found(old: str, new: str, code: str, message: str) -> None:
    brief = read_desk((old, new))
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})

    found = {(item.id, item.message): item for item in examine("schema", workspace)}

    assert (code, message) in found
    kind = "kind '" in found[code, message].hint or found[code, message].where.startswith("kinds.")
    assert kind


def test_requests_of_one_kind_are_those_whose_texts_name_its_entries() -> None:
    texts = (
        "requests:\n    - Booking {booking_id} asks for {wish}.\n"
        '    - "{booking_id}: {wish}, and the bag has {weight}."\n  policy:'
    )
    model = read_desk(("policy:", texts)).model
    cells = {"booking_id": "B123456", "weight": WORD, "row_wanted": WORD, "reason": WORD}
    cancel = {**cells, "wish": "Cancel", "reason": "Illness"}
    bag = {**cells, "wish": "Add bag", "weight": "12"}

    cancelled = {render_task_text(model, f"task-{n}", cancel) for n in range(30)}
    bags = {render_task_text(model, f"task-{n}", bag) for n in range(30)}

    assert cancelled == {"Booking B123456 asks for Cancel.\nReason given: Illness"}
    assert bags == {
        "Booking B123456 asks for Add bag.\nWeight of the bag: 12 kg",
        "B123456: Add bag, and the bag has 12 kg.",
    }
    for text in cancelled:
        assert parse_task_text(model, "task-3", text) == cancel


def grade(built: Workspace, task: Task, answer: dict[str, str]) -> tuple[bool, bool]:
    """Return whether an answer is complete, and whether all its outcomes are right."""
    found = grade_attempt(
        built.model, task, Attempt([], write_answer(answer), Stop.ANSWER), is_brief=True
    )
    return found.is_complete, all(found.outcomes.values())
