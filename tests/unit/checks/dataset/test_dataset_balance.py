from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.dataset.dataset_balance import CHECK, format_share_limit, is_lopsided
from sopforge.findings import Finding, Severity
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.pipeline.stages.schema import SchemaStage
from sopforge.workspace import DATA_PROFILE, Workspace
from tests.worlds.small_models import ORDERS, changed

BRIEFS = Path(__file__).parents[3] / "briefs"
REFUND = (BRIEFS / "refund.yaml").read_text(encoding="utf-8")
FEES = (BRIEFS / "fees.yaml").read_text(encoding="utf-8")
ALL_FOR_GOALS = changed(REFUND, ("n_samples: 12", "n_samples: 11"))
MOSTLY_PAID = changed(
    REFUND,
    ("value: 200.00", "value: 380.00"),
    ("n_samples: 12, seed: 7, mix: balanced", "n_samples: 60, seed: 7, mix: natural"),
)


def drawn(text: str) -> Workspace:
    """Return the workspace of a brief with its dataset."""
    workspace = Workspace(read_brief(text, "brief.yaml"), {})
    for stage in (SchemaStage(), DatasetStage()):
        made = stage.build(workspace, OfflineAuthor())
        workspace = workspace.with_files({f"{stage.name}/{name}": made[name] for name in made})
    return workspace


def edited(text: str, hint: str) -> str:
    """Return a brief with the edits that a hint names."""
    edits = re.findall(r"'dataset\.(\w+): (\w+)'", hint)
    assert edits, hint
    for name, value in edits:
        text = re.sub(rf"{name}: \w+", f"{name}: {value}", text, count=1)
    return text


def lopsided(workspace: Workspace) -> list[Finding]:
    found = CHECK.examine(workspace)
    assert {(item.id, item.severity) for item in found} <= {("tasks-lopsided", Severity.WARNING)}
    return found


def test_a_dataset_of_goals_alone_is_reported_with_the_number_that_fills_it_up() -> None:
    (found,) = lopsided(drawn(ALL_FOR_GOALS))

    assert found.message == (
        "no task fills up the dataset beyond its coverage goals, so that the brief's settings for"
        " sampling have no effect ('weights' of 'reason'; 'dataset.mix'): 11 of 11 tasks are needed"
        " for the goals"
    )
    # 17 tasks have 6 beside the 11 goals, 16 would have 5, which is less than a third.
    assert "'dataset.n_samples: 17'" in found.hint
    more = drawn(edited(ALL_FOR_GOALS, found.hint))
    assert lopsided(more) == []
    filling = json.loads(more.files[DATA_PROFILE])["balance"]["purposes"]["filling"]
    assert filling == {"tasks": 6, "share": "35.3 %"}


@pytest.mark.parametrize("paths", ["", ", coverage: {paths: edge-pairs}", ", coverage: {paths: 6}"])
def test_the_number_leaves_room_for_the_paths_that_more_tasks_show(paths: str) -> None:
    text = changed(
        ORDERS, ("n_samples: 60, seed: 3, mix: balanced", f"n_samples: 19, seed: 3{paths}")
    )
    few = drawn(changed(text, ("n_samples: 19", f"n_samples: {_least(text)}")))

    found = next(item for item in lopsided(few) if "fills up" in item.message)
    more = drawn(edited(text, found.hint))

    assert not [item for item in lopsided(more) if "fills up" in item.message]
    filling = json.loads(more.files[DATA_PROFILE])["balance"]["purposes"]["filling"]["tasks"]
    assert 3 * filling >= len(more.tasks)


def _least(text: str) -> int:
    """Return the number of tasks that are there for goals, of which one fewer is refused."""
    purposes = json.loads(drawn(text).files[DATA_PROFILE])["balance"]["purposes"]
    return int(purposes["goal"]["tasks"])


def test_an_answer_that_is_right_too_often_is_reported_with_the_mix_that_ends_it() -> None:
    (found,) = lopsided(drawn(MOSTLY_PAID))

    assert found.id == "tasks-lopsided"
    assert found.message == (
        "an agent that always answers 'refund_status: paid' is right in 32 of 60 tasks (53.3 %);"
        " at most 50.0 % should be"
    )
    assert "'dataset.mix: outcomes'" in found.hint
    assert lopsided(drawn(edited(MOSTLY_PAID, found.hint))) == []


def test_mixing_names_a_number_too_where_the_goals_alone_are_one_sided() -> None:
    kinds = "values: [Book, Film, Map, Score, Disc, Reel, Game, Reference]"
    text = changed(
        FEES, ("values: [Book, Film, Reference]", kinds), ("n_samples: 20", "n_samples: 9")
    )
    (_, found) = lopsided(drawn(text))

    # 8 of 14 goals are tolerated. Of 20 tasks 8 and a third of the other 6 are, which is a half.
    assert "right in 8 of 14 tasks" in found.message
    assert re.findall(r"'dataset[^']*'", found.hint) == [
        "'dataset.mix: outcomes'",
        "'dataset.n_samples: 20'",
    ]
    assert lopsided(drawn(edited(text, found.hint))) == []


def test_where_too_few_cases_differ_no_mix_is_promised_to_help() -> None:
    (found,) = lopsided(drawn(FEES))
    mixed = edited(FEES, found.hint)
    (still,) = lopsided(drawn(mixed))
    kinds = "values: [Book, Film, Map, Score, Disc, Reel, Game, Reference]"

    # Of returns in time there are three in all, one for each kind of item.
    assert still.hint == "give fields more labels and wider ranges: too few cases differ"
    assert found.hint == f"write 'dataset.mix: outcomes', and {still.hint}"
    widened = changed(mixed, ("values: [Book, Film, Reference]", kinds))
    assert lopsided(drawn(widened)) == []


def test_where_answers_are_mixed_and_others_are_rare_the_weights_are_named() -> None:
    mixed = changed(MOSTLY_PAID, ("mix: natural", "mix: outcomes"))
    cheap = ("max: 400.00", "max: 400.00, typical: {min: 5.00, max: 90.00, share: 100}")
    early = ("max: 90,", "max: 90, typical: {min: 0, max: 9, share: 100},")
    rare = changed(mixed, cheap, early)

    (found,) = lopsided(drawn(rare))

    assert found.hint.startswith("change the weights and ranges")


@pytest.mark.parametrize(
    ("best", "tasks", "different", "expected"),
    [
        pytest.param(50, 100, 3, False, id="a half of three answers"),
        pytest.param(51, 100, 3, True, id="more than a half of three answers"),
        pytest.param(60, 100, 2, False, id="an even share and a tenth of two answers"),
        pytest.param(61, 100, 2, True, id="more than that of two answers"),
        pytest.param(51, 100, 40, True, id="more than a half of many answers"),
        pytest.param(100, 100, 1, True, id="the only answer"),
    ],
)
def test_an_answer_may_be_an_even_share_and_a_tenth_or_a_half(
    best: int, tasks: int, different: int, *, expected: bool
) -> None:
    assert is_lopsided(best, tasks, different) is expected


def test_the_bar_is_a_share() -> None:
    assert [format_share_limit(different) for different in (1, 2, 3, 9)] == [
        "60.0 %",
        "60.0 %",
        "50.0 %",
        "50.0 %",
    ]


def test_a_level_and_a_package_are_not_judged_again() -> None:
    workspace = drawn(ALL_FOR_GOALS)
    files = {name: text for name, text in workspace.files.items() if name != DATA_PROFILE}

    assert CHECK.examine(Workspace(workspace.brief, files)) == []
