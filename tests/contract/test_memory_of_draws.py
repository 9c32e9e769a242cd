"""Memory of one draw is worth nothing in another: plain, and with each dial.

The agent knows the answers of a published set by all that it saw of a task beside its content: the
id, the place in the list, and of a queue the session with the place of each case.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from sopforge.harness.layers.dials import DIALS
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.measuring.workspaces import make_plain_cases
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.queue.queued_cases import QueuedCases
from sopforge.language.domain.reading import read_brief
from tests.worlds.dialled import work
from tests.worlds.releases import COUNTER
from tests.worlds.shared_builds import build_stages

SEEDS = (11, 12)
SIZES = {"documents": 40, "queue": 5}
DOSES: Mapping[str, Mapping[str, int]] = {
    "plain": {},
    **{dial: {dial: SIZES.get(dial, 3)} for dial in DIALS},
}


@cache
def draw(seed: int) -> PlainCases:
    text, found = re.subn(
        r"(?m)^(dataset: .*seed: )\d+", rf"\g<1>{seed}", COUNTER.read_text("utf-8")
    )
    assert found == 1
    return make_plain_cases(build_stages(read_brief(text, COUNTER.name), "tools"))


def iterate_answers(cases: Cases) -> Iterator[tuple[dict[str, object], str]]:
    """Yield what an agent sees of each case beside its content, and what is right of it."""
    if isinstance(cases, QueuedCases):
        for session in cases.layer.plans:
            for place, case in enumerate(cases.find_gold(session).cases):
                answer = repr(sorted(case.task.outcomes.items()))
                yield {"id": session, "place": (session, place)}, answer
        return
    for place, task in enumerate(cases.shown.tasks):
        yield {"id": task, "place": place}, str(work(cases, task).state.answer)


@pytest.mark.parametrize("form", DOSES)
def test_who_remembers_one_draw_is_right_in_another_no_more_often_than_by_chance(form: str) -> None:
    known, asked = (
        list(iterate_answers(put_layers(draw(seed), DOSES[form], seed))) for seed in SEEDS
    )
    commonest, _ = Counter(answer for _, answer in known).most_common(1)[0]
    majority = sum(answer == commonest for _, answer in asked)
    for feature in ("id", "place"):
        memory = {seen[feature]: answer for seen, answer in known}
        right = sum(memory.get(seen[feature], commonest) == answer for seen, answer in asked)

        # Three standard deviations of as many throws of a coin.
        assert right <= majority + 3 * (len(asked) / 4) ** 0.5, feature
