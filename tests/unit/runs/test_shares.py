"""How much of a run is done grows from its first stage to its last, by what they take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.runs.shares import PART_SHARES, STAGE_SHARES, compute_share
from sopforge.pipeline.stages.pipeline import advance
from sopforge.progress.tracking import Step, listen
from sopforge.store.opening import open_store
from sopforge.workspace import STAGE_NAMES

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


def test_each_stage_has_a_share_and_so_has_each_of_its_parts() -> None:
    assert tuple(STAGE_SHARES) == tuple(PART_SHARES) == tuple(STAGE_NAMES)
    assert sum(STAGE_SHARES.values()) == 100
    assert {sum(share for _, share in parts) for parts in PART_SHARES.values()} == {100}


@pytest.mark.parametrize(
    ("steps", "share"),
    [
        ([Step("schema")], 0.0),
        ([Step("schema"), Step("checks", 4, 2)], 0.03),
        ([Step("dataset")], 0.05),
        # 20 of the 100 parts of the dataset are done, and half of the 14 that follow.
        ([Step("dataset"), Step("tasks looked for in drawn cases", 200, 100)], 0.05 + 0.22 * 0.27),
        ([Step("complexity"), Step("levels checked", 4, 4)], 1.0),
        ([Step("complexity"), Step("something else", 4, 4)], 0.33),
        ([Step("package")], 0.0),
    ],
)
def test_the_share_is_what_lies_before_and_what_is_done(steps: list[Step], share: float) -> None:
    assert compute_share(steps) == pytest.approx(share)


@pytest.mark.own_builds
def test_the_parts_are_called_as_the_stages_call_them(tmp_path: Path) -> None:
    heard: dict[str, list[str]] = {}

    def hear(steps: Sequence[Step]) -> None:
        if len(steps) > 1 and steps[1].what not in heard.setdefault(steps[0].what, []):
            heard[steps[0].what].append(steps[1].what)

    brief = read_brief(REFUND.read_text(encoding="utf-8"), REFUND.name)
    with listen(hear):
        advance(open_store(tmp_path), brief, approve_clean=True)

    for stage, parts in PART_SHARES.items():
        named = [what for what, _ in parts if what]
        assert [what for what in heard[stage] if what in named] == named
