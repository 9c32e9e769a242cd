"""Nothing that a hostile module tries reaches its aim, judged from outside, and others go on.

``HOSTILE_CONTROL=1`` runs the same modules as ordinary processes instead, where each must reach
its aim: it shows that no attack and no judge is a dud.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sopforge.sandbox.process import ToolProcess
from tests.faults.canaries import ENVIRONMENT, SIGNAL, Canaries, new_secret
from tests.faults.hostile_runs import (
    Attack,
    Outcome,
    answers_well,
    attacks,
    neighbour_files,
    run_in_sandbox,
    run_plainly,
)
from tests.servers.process_watch import (
    Watch,
    adopting_orphans,
    end_all_but,
    left_over,
    living_descendants,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")

CONTROL = bool(os.environ.get("HOSTILE_CONTROL"))
ALL = [attack for attack in attacks() if attack.runs_here]
CONTROLLED = [one for one in ALL if one.sign and (os.geteuid() == 0 or not one.is_for_root)]

LARGEST_GROWTH = 100_000  # kilobytes

other_secret = new_secret()
signals: list[int] = []


@pytest.fixture(autouse=True, scope="module")
def surroundings() -> Iterator[None]:
    """Keep a secret in our environment, notice signals, adopt orphans; warm the sandbox up."""
    before = signal.signal(SIGNAL, lambda number, _: signals.append(number))
    with pytest.MonkeyPatch.context() as patch, adopting_orphans():
        patch.setenv(ENVIRONMENT, new_secret())
        with ToolProcess(files=neighbour_files(other_secret), time_limit=10) as tools:
            assert answers_well(tools)
        yield
    signal.signal(SIGNAL, before)


@pytest.fixture
def canaries(tmp_path: Path) -> Iterator[Canaries]:
    """Return new aims; end whatever an attack left."""
    signals.clear()
    with Canaries(tmp_path, other_secret) as canaries:
        before = set(living_descendants())
        yield canaries
        # One more may be a server of the sandbox that was started again.
        if len(living_descendants()) > len(before):
            end_all_but(before)


def all_signs(outcome: Outcome, canaries: Canaries, watch: Watch, before: int) -> set[str]:
    found = {*outcome.signs, *canaries.signs(outcome.texts), *watch.signs()}
    found |= {"signalled"} if signals else set()
    return found | ({"left"} if left_over(before) else set())


@pytest.mark.skipif(CONTROL, reason="the control runs instead")
@pytest.mark.parametrize("is_watched", [True, False], ids=["watched", "by the kernel alone"])
@pytest.mark.parametrize("attack", ALL, ids=lambda attack: attack.name)
def test_a_hostile_module_reaches_nothing(
    attack: Attack, canaries: Canaries, *, is_watched: bool
) -> None:
    before = len(living_descendants())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Watch() as watch:
        outcome = run_in_sandbox(attack, canaries.aims, other_secret, is_watched=is_watched)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory

    assert all_signs(outcome, canaries, watch, before) == set()
    assert grown < LARGEST_GROWTH


@pytest.mark.parametrize("attack", CONTROLLED if CONTROL else [], ids=lambda attack: attack.name)
def test_the_same_module_reaches_its_aim_where_nothing_holds_it(
    attack: Attack, tmp_path: Path
) -> None:
    failed = [
        turn
        for turn in attack.turns
        if attack.sign not in plain_signs(attack, turn, tmp_path / str(turn))
    ]

    allowed = 0 if attack.is_reached_each_turn else len(attack.turns) - 1
    assert len(failed) <= allowed, f"turns that did not reach it: {failed}"


def plain_signs(attack: Attack, turn: int, folder: Path) -> set[str]:
    folder.mkdir()
    signals.clear()
    with Canaries(folder, other_secret) as canaries:
        kept = living_descendants()
        with Watch() as watch:
            arguments = attack.arguments(canaries.aims, turn)
            files = {
                "tools": attack.files(canaries.aims),
                "neighbour": neighbour_files(other_secret),
            }
            group = canaries.victim.pid
            outcome = run_plainly(attack, arguments, files, folder / "run", group)
        found = all_signs(outcome, canaries, watch, len(kept))
        end_all_but(set(kept))
    return found


def test_every_attack_says_what_it_tries_and_what_shows_that_it_is_real() -> None:
    silent = [
        attack.name
        for attack in attacks()
        if not attack.source.startswith('"""')
        or (attack.sign is None) == ("\nNo control: " not in attack.source)
    ]

    assert silent == []
