"""Which cases of large matrices run each time; the others are left to ``make exhaustive``.

``sampled.txt`` lists them: whole tests, or single cases, and files of whose tests one case in some
runs. The first case of a test that is sampled by number always runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("sampled.txt")


def read_list() -> tuple[frozenset[str], dict[str, int]]:
    """Return the tests that are left out, and of which share of a file's cases one runs."""
    lines = [line for line in LIST.read_text("utf-8").splitlines() if not line.startswith("#")]
    left_out = frozenset(line for line in lines if "::" in line)
    sampled = (line.rsplit(" ", 1) for line in lines if "::" not in line)
    return left_out, {name: int(number) for name, number in sampled}


def iterate_left_out(
    items: Iterable[pytest.Item], left_out: frozenset[str], sampled: Mapping[str, int]
) -> Iterator[pytest.Item]:
    """Yield the tests that do not run each time, of those that would."""
    places: Counter[str] = Counter()
    for item in items:
        # One that is left out as it is stands for none of the others.
        if item.get_closest_marker("exhaustive"):
            continue
        test = item.nodeid.partition("[")[0]
        one_in = sampled.get(test.partition("::")[0], 1)
        if not left_out.isdisjoint((test, item.nodeid)) or places[test] % one_in:
            yield item
        places[test] += 1
