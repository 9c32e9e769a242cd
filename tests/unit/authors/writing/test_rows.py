"""Rows that a model writes: read, labelled by the model of the procedure, and accounted for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.authors.writers.replay import ReplayAuthor
from sopforge.errors import MaterialError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.pipeline.stages.pipeline import Ending, Progress, advance
from sopforge.proof.dataset.coverage.covering import cover_goals
from sopforge.proof.dataset.coverage.drawing import draw_tasks
from sopforge.proof.dataset.coverage.written_rows import (
    WRITTEN,
    choose_wanted_paths,
    read_accepted_cells,
)
from sopforge.store.opening import open_store
from sopforge.workspace import Workspace
from tests.unit.authors.test_model_author import FEES, Answer, Played, Player

AUTHOR = "author: {name: anthropic, model: played, rounds: 1, stages: [dataset]}"
BRIEF = FEES.replace("author: offline", AUTHOR).replace("levels: [L0, L1]", "levels: [L0, L3]")
CHARGED = ("look_up", "look_up.1", "charge", "charge.1", "close")
SETTLED = ("look_up", "look_up.2", "close")


def case(kind: str, days: object) -> dict[str, Any]:
    cells = {"kind": kind, "days_late": str(days)}
    return {"cells": [{"field": name, "text": text} for name, text in cells.items()]}


def brief(text: str = BRIEF) -> Brief:
    return read_brief(text, "fees.yaml")


def is_charged(values: Mapping[str, Any]) -> bool:
    return any("Work the fee out" in step["step"] for step in values["path"])


def sound(values: Mapping[str, Any]) -> Answer:
    """Answer with cases of the path that is asked for."""
    first = 20 if is_charged(values) else 0
    kinds = ["Book", "Reference", "Film"] if is_charged(values) else ["Book", "Reference"]
    cases = [(kind, first + n) for n in range(3) for kind in kinds]
    return {"rows": [case(*item) for item in cases[: values["count"]]]}


def split(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a question says of each of its paths."""
    return [
        {
            "number": item["path"],
            "path": item["steps"],
            "count": item["cases"],
            "feedback": values["feedback"],
            **{
                name: [case for case in values[name] if case["path"] == item["path"]]
                for name in ("existing", "rejected")
            },
        }
        for item in values["paths"]
    ]


def by_path(player: Player) -> Player:
    """Return a player of whole questions, who answers for each path as one for paths does."""
    return lambda values: {
        "paths": [{"path": item["number"], **player(item)} for item in split(values)]
    }


def asked_paths(asking: Played) -> list[dict[str, Any]]:
    """Return what was said of each path, question by question."""
    return [item for _, values in asking.asked for item in split(values)]


def generate(store: Path, player: Player = sound, text: str = BRIEF) -> tuple[Progress, Played]:
    asking = Played({"dataset_rows": by_path(player)})
    author = ModelAuthor(brief(text).parts.writer, asking)
    return advance(open_store(store), brief(text), approve_clean=True, author=author), asking


def dataset(store: Path) -> dict[str, str]:
    return dict(open_store(store).get_domain("fees").list_versions("dataset")[-1].files)


def book_of(player: Player, rounds: int = 1) -> tuple[dict[str, Any], Played]:
    """Return what is kept of the rows that were asked for."""
    asking = Played({"dataset_rows": by_path(player)})
    settings = brief().parts.writer.model_copy(update={"rounds": rounds})
    author = ModelAuthor(settings, asking).choose_stage_author("dataset", ["Write short cases."])
    text = author.write_rows(brief().model, brief())
    return json.loads(text), asking


def test_a_quarter_of_the_tasks_is_asked_for_by_path() -> None:
    model = brief().model
    wanted = choose_wanted_paths(model, brief().parts.dataset)

    assert {item.path: item.count for item in wanted} == {CHARGED: 2, SETTLED: 2}
    few = choose_wanted_paths(model, brief().parts.dataset.model_copy(update={"n_samples": 3}))
    assert few == []


def test_a_natural_mix_asks_for_paths_as_often_as_they_are_taken() -> None:
    document = brief().parts.dataset.model_copy(update={"n_samples": 48, "mix": "natural"})
    wanted = choose_wanted_paths(brief().model, document)

    # Of 41 delays and three kinds, 9 cases in 123 are settled at once: too few for a row in ten.
    assert {item.path: item.count for item in wanted} == {CHARGED: 9}


def test_written_rows_are_tasks_whose_labels_are_the_models(tmp_path: Path) -> None:
    progress, asking = generate(tmp_path)

    assert progress.ending is Ending.APPROVED
    assert asking.times("dataset_rows") == 1
    tasks = [json.loads(line) for line in dataset(tmp_path)["tasks.jsonl"].splitlines()]
    own = [task for task in tasks if task["key"].startswith(WRITTEN)]
    labels = sorted(
        (task["inputs"]["kind"], task["outcomes"]["lateness"], task["outcomes"]["fee"])
        for task in own
    )
    # 20 days late: the fee is the most that is taken.
    assert labels == [
        ("Book", "charged", "12.50"),
        ("Book", "in time", "no fee due"),
        ("Reference", "charged", "12.50"),
        ("Reference", "in time", "no fee due"),
    ]
    assert len(tasks) == 20
    version = open_store(tmp_path).get_domain("fees").list_versions("dataset")[-1]
    (finding,) = [item for item in version.manifest.findings if item.id == "rows-asked"]
    assert finding.message == "4 rows were asked for: 4 accepted, 0 rejected; 4 are tasks"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (case("Boook", 3), "'kind':"),
        (case("Book", 41), "'days_late':"),
        (case("Book", "three"), "'days_late':"),
        ({"cells": [{"field": "kind", "text": "Book"}]}, "'days_late' is not stated"),
        (
            {"cells": [*case("Book", 3)["cells"], {"field": "fee", "text": "1.00"}]},
            "'fee' is no field to be stated",
        ),
        (
            {"cells": [*case("Book", 3)["cells"], {"field": "loan_id", "text": "L00001"}]},
            "'loan_id' is no field to be stated",
        ),
    ],
)
def test_a_bad_row_is_rejected_with_its_reason_and_asked_for_again(
    bad: Mapping[str, Any], reason: str
) -> None:
    def player(values: Mapping[str, Any]) -> Answer:
        first, second = sound({**values, "count": 2})["rows"]
        return {"rows": [second] if values["rejected"] else [bad, first]}

    book, asking = book_of(player)

    assert book["asked"] == book["accepted"] + book["rejected"] == 6
    assert book["rejected"] == 2
    assert all(text.startswith(reason) for text in book["reasons"])
    again = [values for values in asked_paths(asking) if values["rejected"]]
    assert [values["count"] for values in again] == [1, 1]
    assert all(values["rejected"][0]["wrong"].startswith(reason) for values in again)
    assert all(values["feedback"] == [{"text": "Write short cases."}] for values in again)


def test_a_row_of_another_path_is_used_for_the_path_that_it_takes() -> None:
    def player(values: Mapping[str, Any]) -> Answer:
        if is_charged(values) and not values["rejected"]:
            return {"rows": [case("Film", 30), case("Book", 2)]}
        return sound(values)

    book, asking = book_of(player)

    assert (book["asked"], book["accepted"], book["other_path"]) == (5, 5, 1)
    (other,) = [row for row in book["rows"] if row["asked_for"] != row["taken"]]
    assert (other["cells"]["days_late"], other["taken"]) == ("2", " > ".join(SETTLED))
    (again,) = [values for values in asked_paths(asking) if values["rejected"]]
    assert again["rejected"][0]["wrong"].startswith("takes another path: Look the loan up, Close")


def test_rows_that_are_lacking_alike_or_too_many_are_counted() -> None:
    def player(values: Mapping[str, Any]) -> Answer:
        if values["rejected"] or values["existing"]:
            return {"rows": []}
        return {"rows": [case("Film", 30)] * (2 if is_charged(values) else 3)}

    book, _ = book_of(player)

    # First the short path: a charged film is accepted, and none of that path; then the other one.
    assert book["reasons"] == {"another row is alike": 3, "it was not given": 4}
    assert (book["asked"], book["accepted"], book["rejected"]) == (8, 1, 7)
    assert book["surplus"] == 1


def test_rows_go_back_at_most_so_many_rounds() -> None:
    for rounds in (0, 2):
        _, asking = book_of(lambda _: {"rows": [case("Boook", 3)] * 2}, rounds)
        assert asking.times("dataset_rows") == rounds + 1
        # What goes back to the model is counted as a repair, the first writing is not.
        assert [bool(repair) for _, repair in asking.rounds] == [False] + [True] * rounds
        assert len(asked_paths(asking)) == 2 * (rounds + 1)


def test_a_question_has_no_more_paths_than_its_answer_has_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    together, _ = book_of(sound)
    monkeypatch.setattr("sopforge.authors.writers.writing.rows.ROOM", 1)
    apart, asking = book_of(sound)

    assert [len(split(values)) for _, values in asking.asked] == [1, 1]
    assert apart == together


def test_the_dataset_is_the_same_from_what_was_kept(tmp_path: Path) -> None:
    generate(tmp_path)
    files = dataset(tmp_path)
    domain = (
        open_store(tmp_path).get_domain("fees").list_versions("schema")[-1].files["domain.yaml"]
    )
    workspace = Workspace(brief(), {"schema/domain.yaml": domain})

    assert DatasetStage().build(workspace, ReplayAuthor(files["rows_asked.json"])) == files


def test_rows_that_leave_no_room_for_goals_are_not_tasks() -> None:
    model, document = brief().model, brief().parts.dataset
    needed = len(cover_goals(model, document.seed).tasks)
    rows = [{"kind": "Book", "days_late": str(days)} for days in range(11, 31)]
    tight = document.model_copy(update={"n_samples": needed + 1})

    draw = draw_tasks(model, tight, rows)

    assert len(draw.tasks) == needed + 1
    shown = {name for name, seen in draw.sightings.items() if seen.outcomes.any()}
    assert shown == {goal.id for goal in draw.covering.all_goals} - set(draw.covering.unmet)
    assert sum(task.key.startswith(WRITTEN) for task in draw.tasks) == 1


def test_an_accepted_row_that_is_none_is_refused() -> None:
    with pytest.raises(MaterialError, match="row-not-sound"):
        draw_tasks(brief().model, brief().parts.dataset, [{"kind": "Book", "days_late": "99"}])


def test_without_rows_nothing_is_asked_for() -> None:
    assert read_accepted_cells("") == []
    assert ReplayAuthor("").write_rows(brief().model, brief()) == ""
