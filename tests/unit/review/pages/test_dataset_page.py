"""The page of a dataset: its table, a task in full, the heat map, coverage and spreads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from review.artifact import Artifact
from review.pages.parts.coverage_lists import GoalLine, build_coverage_lists
from review.pages.parts.heat import build_heat_map
from review.pages.parts.spreads import build_cards, build_shortcuts_card
from sopforge.language.domain.tasks import write_tasks, write_trajectories
from sopforge.proof.dataset.coverage.coverage import Coverage, GoalReport, GoalVerdict
from sopforge.proof.dataset.tasks.profile import PathProfile, Profile
from sopforge.workspace import COVERAGE, DATA_PROFILE, TASKS, TRAJECTORIES
from tests.judges.markup import Element
from tests.worlds.reviewed import page, page_text, with_files

SHORTCUTS = {
    "outcome": "care",
    "bar": "0.9",
    "shortcuts": [
        {
            "name": "majority",
            "meaning": "the most frequent",
            "primary": {"share": "0.3"},
            "all_outcomes": {"share": "0.25"},
        }
    ],
}
GOALS = Coverage(
    {
        "a": GoalReport("rule", "R1 applies", GoalVerdict.PRIMARY, ("t1", "t2", "t3", "t4")),
        "b": GoalReport("rule", "R2 applies", GoalVerdict.OUTCOMES, ("t1",)),
        "c": GoalReport("guard", "G1 fails", GoalVerdict.IMPOSSIBLE, proof=("one", "two")),
        "d": GoalReport("tie", "a half", GoalVerdict.IMPOSSIBLE),
        "e": GoalReport("pair of edges", "round", GoalVerdict.UNDECIDED, reason="no budget"),
    },
    {"m": GoalReport("comparator", "< for <=", GoalVerdict.WITHOUT_EFFECT, proof=("never",))},
)
PATHS = (PathProfile(("a", "a.1", "b"), 3), PathProfile(("a", "a.2", "b"), 1))
LARGEST_PAGE = 400_000


@pytest.fixture
def dataset(refunds: Mapping[str, Artifact]) -> Artifact:
    return refunds["dataset"]


@pytest.fixture(scope="module")
def large(refunds: Mapping[str, Artifact]) -> Artifact:
    """Return a dataset of 1,200 tasks: each of the twelve a hundred times, under other ids."""
    tasks = [
        replace(task, id=f"task-{number:03d}-{place:02d}")
        for number in range(100)
        for place, task in enumerate(refunds["dataset"].workspace.tasks)
    ]
    files = {TASKS: write_tasks(tasks), TRAJECTORIES: write_trajectories(tasks)}
    return with_files(refunds["dataset"], files)


def rows(made: Element) -> list[str]:
    body = made.one("table", kind="tasks").one("tbody")
    return [head.text for head in body.all("th")]


def test_a_thousand_tasks_come_in_pages(large: Artifact) -> None:
    seen = [rows(page(large, {"page": str(number)})) for number in (1, 2, 48)]

    assert [len(part) for part in seen] == [25, 25, 25]
    assert not set(seen[0]) & set(seen[1])
    assert rows(page(large, {"page": "4000"})) == seen[2]
    assert rows(page(large, {"page": "-3"})) == rows(page(large, {"page": "x"})) == seen[0]
    for part in ("tasks", "sample", "coverage", "spread"):
        assert len(page_text(large, {"part": part, "sample": "299"})) < LARGEST_PAGE
    assert len(page_text(large)) < 2 * LARGEST_PAGE


def test_tasks_are_found_by_what_is_in_them(dataset: Artifact) -> None:
    tasks = dataset.workspace.tasks
    damaged = [task.id for task in tasks if task.inputs["reason"] == "Damaged"]

    assert rows(page(dataset, {"find": "dAMAged"})) == damaged != []
    assert rows(page(dataset, {"find": tasks[3].id})) == [tasks[3].id]
    assert rows(page(dataset, {"find": "Refuse the refund"})) == [
        task.id for task in tasks if task.outcomes["refund_status"] == "refused"
    ]
    assert rows(page(dataset, {"find": "nowhere"})) == []


def test_columns_stand_by_role_and_may_show_what_tools_reveal(dataset: Artifact) -> None:
    few = page(dataset, {}).one("table", kind="tasks").one("thead")
    all_of_them = page(dataset, {"columns": "all"}).one("table", kind="tasks").one("thead")

    groups = [head.text for head in few.all("th", scope="colgroup")]
    assert groups == ["Answers", "Stated by the task"]
    assert "order amount" not in few.text
    assert "order amount" in all_of_them.text


def test_a_task_is_shown_with_its_path_its_calls_and_why(dataset: Artifact) -> None:
    task = next(
        item for item in dataset.workspace.tasks if item.outcomes["refund_status"] == "paid"
    )
    made = page(dataset, {"task": task.id}).one("section", kind="chosen")

    lit = [node.one("title").text for node in made.all("g", kind="node") if "lit" in node.classes]
    assert [title.split(" ")[0] for title in lit] == ["Look", "Pay", "Close"]
    assert [item.one("code").text for item in made.one("ol", kind="calls").all("li")] == [
        "lookUpOrder",
        "payRefund",
    ]
    assert "payRefund returned payment_reference = " in made.one("ol", kind="story").text
    assert task.inputs["order_number"] in [cell.text for cell in made.all("dd")]


def test_an_unknown_task_is_reported_as_text(dataset: Artifact) -> None:
    made = page(dataset, {"task": "<script>alert(1)</script>"})

    assert "There is no task <script>alert(1)</script>" in made.one("div", role="alert").text
    assert made.all("section", kind="chosen") == []


def test_the_sample_can_be_marked_and_says_what_it_rules_out(large: Artifact) -> None:
    made = page(large, {"part": "sample", "sample": "100"})
    boxes = made.all("input", type="checkbox")

    assert len({box.attributes["value"] for box in boxes}) == 100
    assert {box.attributes["name"] for box in boxes} == {"looked_at"}
    assert "100 of 1200 tasks, drawn at random within each path, from 3 of 3 paths" in made.text
    assert "is ruled out at 95 %" in made.text
    assert "The bound is exact (hypergeometric)" in made.text


def test_a_size_that_is_not_offered_is_the_usual_one(large: Artifact) -> None:
    for asked in ("1", "100000", "x", ""):
        made = page(large, {"part": "sample", "sample": asked})
        assert len(made.all("input", type="checkbox")) == 59


def test_the_heat_map_counts_tasks_by_rule_and_answer(dataset: Artifact) -> None:
    tasks = dataset.workspace.tasks
    counted: Counter[tuple[str, str]] = Counter()
    for task in tasks:
        for rule in task.rules.get("eligibility", ()):
            counted[rule, task.outcomes["refund_status"]] += 1
    found = build_heat_map(dataset.workspace.model, tasks, None)
    names = [name for name, _ in found.columns]

    for row in found.groups["eligibility of the order"]:
        rule = row.name.removeprefix("eligibility.")
        assert [count for count, _ in row.cells] == [counted[rule, name] for name in names]
        assert row.total == sum(row.cells[place][0] for place in range(len(names)))
    assert sum(row.total for row in found.groups["Look the order up"]) == len(tasks)
    assert dict(found.columns) == Counter(task.outcomes["refund_status"] for task in tasks)


def test_a_rule_that_no_task_uses_stands_out_with_its_proof(dataset: Artifact) -> None:
    model, tasks = dataset.workspace.model, dataset.workspace.tasks
    without = [task for task in tasks if "E1" not in task.rules["eligibility"]]
    never = GoalReport("rule", "E1", GoalVerdict.IMPOSSIBLE, proof=("never so",))
    proved = Coverage({"rule eligibility.E1": never})

    (bare, _) = build_heat_map(model, without, None).groups["eligibility of the order"]
    (explained, _) = build_heat_map(model, without, proved).groups["eligibility of the order"]
    assert (bare.total, bare.why, explained.why) == (0, "", "never so")
    assert {level for _, level in bare.cells} == {0}


def test_many_answers_are_grouped_by_where_cases_end(dataset: Artifact) -> None:
    tasks = [
        replace(task, outcomes={**task.outcomes, "refund_status": str(number)})
        for number, task in enumerate(dataset.workspace.tasks)
    ]
    found = build_heat_map(dataset.workspace.model, tasks, None)

    assert found.about == "where the case ends"
    assert {name for name, _ in found.columns} == {
        "Close as paid",
        "Pass the request on",
        "Refuse the refund",
    }


def test_goals_are_counted_by_what_became_of_them() -> None:
    found = build_coverage_lists(GOALS, "care")

    goals, mutants = found.tables
    assert found.says[0].startswith("The tasks show 2 of 3 goals that a scored answer may show")
    assert goals.columns == ("primary answer", "other answers", "impossible")
    assert [
        (row.name, row.asked, [count for count, _ in row.cells], row.undecided)
        for row in goals.kinds
    ] == [
        ("Rules", 2, [1, 1, 0], 0),
        ("Pairs of edges", 1, [0, 0, 0], 1),
        ("Guards of tools", 1, [0, 0, 1], 0),
        ("Halves that are rounded", 1, [0, 0, 1], 0),
        ("All", 5, [1, 1, 2], 1),
    ]
    assert mutants.columns == ("primary answer", "other answers", "without effect")
    assert [row.name for row in mutants.kinds] == ["Comparators", "All"]
    assert found.open["Goals that no task shows, and why"] == (
        GoalLine("G1 fails", "no case, since these cannot hold together", ("one", "two")),
        GoalLine("a half", "no case (proved)"),
    )
    assert found.open["Undecided goals"] == (GoalLine("round", "no budget"),)
    assert found.folded["Rules"][0] == GoalLine("R1 applies", "t1, t2, t3 and 1 more")
    assert found.folded["Mutants that no task notices, and why"] == (
        GoalLine(
            "< for <=",
            "no answer and no path depends on it, since this cannot hold",
            ("never",),
        ),
    )


def test_long_lists_of_goals_are_shown_when_asked_for(dataset: Artifact) -> None:
    report = json.loads(dataset.workspace.files[COVERAGE])
    report["goals"] = {
        f"g{place}": {
            "kind": "rule",
            "words": f"goal {place} & more",
            "verdict": "primary",
            "tasks": ["task-1"],
        }
        for place in range(40)
    }
    many = with_files(dataset, {COVERAGE: json.dumps(report)})

    assert "goal 39 & more" not in page(many, {"part": "coverage"}).text
    assert "goal 39 & more" in page(many, {"part": "coverage", "goals": "Rules"}).text
    assert "goal 39 & more" in page(many).text


def test_paths_through_the_same_steps_are_distinguished_by_their_edges() -> None:
    (card,) = build_cards(Profile(4, (), PATHS))["Paths"]

    assert [(bar.label, bar.length, bar.says) for bar in card.bars] == [
        ("a → b by a.1", 100, "3 · 75 %"),
        ("a → b by a.2", 34, "1 · 25 %"),
    ]


def test_rows_that_fill_up_have_bars_of_their_own_where_there_are_any() -> None:
    filling = Profile(1, (), PATHS[1:])
    groups = build_cards(Profile(4, (), PATHS, filling))

    assert (
        "Answers and paths of the tasks that fill the dataset up in the requested mix (1)" in groups
    )
    assert len(build_cards(Profile(4, (), PATHS, Profile(0, (), ())))) == len(groups) - 1


def test_shortcuts_stand_beside_the_bar_that_none_may_pass() -> None:
    card = build_shortcuts_card(json.dumps(SHORTCUTS))

    assert (card.limit, card.bars[0].length) == (90, 30)
    assert card.bars[0].says == "0.3; every answer right: 0.25"


def test_only_so_many_bars_are_drawn() -> None:
    paths = tuple(PathProfile((f"p{place}",), 1) for place in range(30))
    (card,) = build_cards(Profile(30, (), paths))["Paths"]

    assert (len(card.bars), card.left) == (24, 6)


def test_the_page_has_a_card_for_each_field_and_answer(dataset: Artifact) -> None:
    made = page(dataset, {"part": "spread"})
    model = dataset.workspace.model
    names = {card.one("h4").one("code").text for card in made.all("article", kind="spread")}

    assert {item.name for item in (*model.outcomes, *model.inputs)} <= names
    assert "paths" in names


def test_the_page_says_what_tasks_are_there_for_and_which_answer_leads_far(
    dataset: Artifact,
) -> None:
    tasks = dataset.workspace.tasks
    made = page(dataset, {"part": "spread"}).one("table", kind="balance")
    shown = {
        row.one("th").text: [cell.text for cell in row.all("td")]
        for row in made.one("tbody").all("tr")
    }

    goals = sum(task.key.startswith("goal:") for task in tasks)
    answers = Counter(task.outcomes["refund_status"] for task in tasks)
    ((answer, often), *_) = answers.most_common()
    assert (len(tasks), goals) == (12, 11)
    assert shown["tasks there for the sake of a goal"] == ["11", "91.7 %"]
    assert shown["tasks filling up, mixed as the brief asks"] == ["1", "8.3 %"]
    assert shown[f"right by always answering refund_status: {answer}"] == [
        str(often),
        f"{often / 12:.1%}".replace("%", " %"),
    ]


def test_a_dataset_that_was_profiled_before_there_were_balances_has_no_table(
    dataset: Artifact,
) -> None:
    profile = json.loads(dataset.workspace.files[DATA_PROFILE])
    del profile["balance"]
    older = with_files(dataset, {DATA_PROFILE: json.dumps(profile)})

    made = page(older, {"part": "spread"})

    assert made.all("table", kind="balance") == []
    assert made.all("article", kind="spread")
