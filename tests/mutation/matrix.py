"""Which tests are needed to kill what all of them kill: a small cover, chosen greedily."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def list_tests(path: Path) -> set[str]:
    """Return the tests of the cases that a file lists, a line each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.partition("[")[0] for line in lines}


def choose_needed(killers: Mapping[str, set[str]]) -> set[str]:
    """Return tests that kill together whatever any test kills: first those that kill most."""
    kills: dict[str, set[str]] = {}
    for mutant, tests in killers.items():
        for test in tests:
            kills.setdefault(test, set()).add(mutant)
    needed: set[str] = set()
    left = {mutant for mutant, tests in killers.items() if tests}
    while left:
        best = max(sorted(kills), key=lambda test: len(kills[test] & left))
        needed.add(best)
        left -= kills[best]
    return needed
