"""The difficulty of a level with dials in words: what it asks for, and who falls on it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_PERCENT = 100


def describe_difficulty(profile: str) -> str:
    """Return the section of a dataset card on the dials of a level, empty where it has none."""
    found = json.loads(profile or "{}").get("difficulty")
    return "\n\n".join(_iterate_parts(found)) if found else ""


def _iterate_parts(found: Mapping[str, Any]) -> Iterator[str]:
    dials = ", ".join(f"{name} {dose}" for name, dose in found["dials"].items())
    cases = found["cases"]
    sessions = f" in {found['tasks']} sessions" if cases > found["tasks"] else ""
    yield (
        f"Dials and their doses: {dials}. {cases} cases{sessions}. A case asks for"
        f" {found['decisions']} decisions (calls, steps, rules) and {found['writes']} calls of"
        " actions on average. The reference agent, which knows the rules and sees nothing but what"
        f" tools return, scores {found['reference']}."
    )
    yield "\n".join(_iterate_rows(found))
    yield "What an agent that lacks one ability loses on each dial by itself, in percent:\n\n" + (
        "\n".join(_iterate_matrix(found["matrix"]))
    )
    if "target" in found:
        reached = mistakes["median"] if (mistakes := found["one_mistake"]["session"]) else 1
        yield (
            f"Asked for was a median of {found['target']} of the sessions; the queue of this dose"
            f" comes to {reached}."
        )
    if "hanging" in found:
        yield (
            f"{_show(found['hanging'])} percent of the cases hang on an earlier one: somebody who"
            f" remembers the last {found['window']['mean']} cases on average, and"
            f" {found['window']['most']} at most, knows enough for each."
        )
    if sequences := found.get("sequences"):
        shares = ", ".join(f"{_show(share)} of {length}" for length, share in sequences.items())
        yield (
            "Of the sequences of tools that the procedure allows, gold calls have, in percent by"
            f" length: {shares}."
        )
    if "documents" in found:
        held = found["documents"]
        yield (
            f"The SOP is a handbook of {held['all']} documents, of which {held['binding']} bind. A"
            f" session needs {held['mean']} of these on average, and {held['most']} at most."
        )


def _iterate_rows(found: Mapping[str, Any]) -> Iterator[str]:
    yield "| | A case | All cases of a session |"
    yield "| --- | --- | --- |"
    mistakes = found["one_mistake"]
    if mistakes["case"]:
        names = {"median": "median", "mean": "mean", "spread": "standard deviation"}
        for key, words in names.items():
            yield (
                f"| agents with one small mistake, {words} | {mistakes['case'][key]} |"
                f" {mistakes['session'][key]} |"
            )
        yield f"| the median if cases were independent | | {mistakes['independent']['median']} |"
    for error, lasts in found["survival"].items():
        share = f"{float(error) * _PERCENT:g}"
        yield f"| {share} percent of decisions wrong | {lasts['case']} | {lasts['session']} |"


def _iterate_matrix(matrix: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    dials = [name for name in matrix if name != "none"]
    yield f"| | no dial | {' | '.join(dials)} |"
    yield f"| --- | --- |{' --- |' * len(dials)}"
    for agent in matrix["none"]:
        lost = (_show(matrix[name][agent]) for name in ("none", *dials))
        yield f"| {agent} | {' | '.join(lost)} |"


def _show(share: float) -> str:
    return f"{share * _PERCENT:.0f}"
