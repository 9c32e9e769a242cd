from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sopforge.checks.dataset.dataset_labels import CHECK
from sopforge.checks.spoiling import edit_first_entry
from sopforge.workspace import TASKS, Workspace


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda task: task["path"].pop(), id="a step left out"),
        pytest.param(lambda task: task["path"].reverse(), id="another order"),
        pytest.param(lambda task: task["rules"].popitem(), id="a decision left out"),
        pytest.param(lambda task: task["rules"].update(more=["R1"]), id="a decision more"),
    ],
)
def test_a_path_that_is_not_the_models_is_an_error(
    sound: Workspace, edit: Callable[[dict[str, Any]], object]
) -> None:
    assert CHECK.examine(sound) == []
    (found,) = CHECK.examine(edit_first_entry(sound, TASKS, edit))
    assert found.id == "wrong-path"
    assert sound.tasks[0].id in found.message
    assert found.evidence.startswith(" > ".join(sound.tasks[0].path))
