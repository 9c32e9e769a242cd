"""The calls that the tools' own tests make: some that are answered, and some of each refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import cast

from sopforge.language.domain.tasks import GoldCall
from sopforge.language.domain.tool_checks import INVALID_PARAMETER
from sopforge.language.domain.values.types import Json
from sopforge.proof.dataset.trials.tool_trials import Trial

ANSWERED = 4
REFUSED = 2
MALFORMED = 6
LONGEST = 400


def select_tool_cases(
    trials: Iterable[Trial], codes: Mapping[str, Collection[str]]
) -> list[GoldCall]:
    """Return a few calls of each tool and each of its codes, to records as they are published.

    ``codes`` are those with which each tool can refuse.
    """
    counts: Counter[tuple[str, str]] = Counter()
    lacking = {(tool, code) for tool, known in codes.items() for code in ("", *known)}
    seen: set[str] = set()
    found = []
    for trial in trials:
        # There are many thousands of trials, and the first hundreds have nearly always all of it.
        if not lacking:
            break
        code = trial.expected if isinstance(trial.expected, str) else ""
        text = repr((trial.tool, trial.arguments))
        is_new = trial.is_first and text not in seen and len(text) <= LONGEST
        if is_new and counts[trial.tool, code] < _choose_limit(code):
            counts[trial.tool, code] += 1
            if counts[trial.tool, code] == _choose_limit(code):
                lacking.discard((trial.tool, code))
            seen.add(text)
            found.append(_make_case(trial))
    return found


def _choose_limit(code: str) -> int:
    if not code:
        return ANSWERED
    return MALFORMED if code == INVALID_PARAMETER else REFUSED


def _make_case(trial: Trial) -> GoldCall:
    arguments = cast("Mapping[str, Json]", trial.arguments)
    if isinstance(trial.expected, str):
        return GoldCall(trial.tool, arguments, {}, trial.expected)
    return GoldCall(trial.tool, arguments, trial.expected)
