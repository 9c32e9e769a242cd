"""How long a queue is made for a level to be as hard as asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import cast

import pytest

from sopforge.harness.layers.layer import make_dial_error
from sopforge.harness.layers.measuring import targeting
from sopforge.harness.layers.measuring.report import Reporter
from sopforge.harness.layers.measuring.targeting import meet_target

MEDIANS = {0: "0.9", 5: "0.6", 10: "0.3", 20: "0.4", 40: "0.1"}


@dataclass(frozen=True)
class Level:
    """A level of which nothing but its doses and its figure is known."""

    doses: Mapping[str, int]
    cases: object = None
    core: object = None
    seed: int = 3
    tried: list[int] = field(default_factory=list)

    @property
    def session_median(self) -> Decimal:
        return Decimal(MEDIANS[self.doses.get("queue", 0)])


def meet(
    monkeypatch: pytest.MonkeyPatch, doses: Mapping[str, int], target: str, longest: int = 40
) -> tuple[Mapping[str, int], list[int]]:
    """Return the doses that are kept, and the lengths that were tried."""
    tried: list[int] = []

    def put(core: object, found: Mapping[str, int], seed: int) -> None:
        assert (core, seed) == (None, 3)
        if found["queue"] > longest:
            raise make_dial_error("queue", "there are too few cases", "")
        tried.append(found["queue"])

    monkeypatch.setattr(targeting, "put_layers", put)
    return meet_target(cast("Reporter", Level(doses)), Decimal(target)).doses, tried


def test_the_first_length_that_is_hard_enough_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert meet(monkeypatch, {"faults": 2}, "0.3") == ({"faults": 2, "queue": 10}, [5, 10])
    assert meet(monkeypatch, {"queue": 5}, "0.6") == ({"queue": 5}, [])
    assert meet(monkeypatch, {"queue": 5}, "0.59") == ({"queue": 10}, [10])


def test_the_hardest_is_kept_where_none_is_hard_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert meet(monkeypatch, {}, "0.05") == ({"queue": 40}, [5, 10, 20, 40])
    assert meet(monkeypatch, {}, "0.05", longest=20) == ({"queue": 10}, [5, 10, 20])
    assert meet(monkeypatch, {"faults": 1}, "0.05", longest=0) == ({"faults": 1}, [])
