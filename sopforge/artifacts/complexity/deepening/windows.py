"""Windows of a list, in the language of briefs: what is known of its latest entries alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sopforge.artifacts.complexity.model_patches import Parts

RECENT, RUN, GAP = KINDS = ("recent", "run", "gap")
"""How many of the three latest days' entries, how many since another one, how far the two apart."""
ENDINGS = ("latest", "second", "third", "other", *KINDS)
"""What follows the name of the list in the names of fields that a window rests on."""
_DAYS = "days"


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list whose entries have an age in days and a label; ``patch`` is what brings it in.

    ``age`` is that of an entry ``e``; the field ``part`` distinguishes entries.
    """

    name: str
    label: str
    age: str
    part: str
    labels: tuple[str, ...]
    youngest: int
    oldest: int
    size: int
    patch: Parts

    @property
    def beyond(self) -> int:
        """What stands for the age of an entry that there is not."""
        return self.oldest + 1


@dataclass(frozen=True, slots=True)
class Window:
    """The values that a rule rests on, each declared and defined, and the rule's condition."""

    fields: Mapping[str, Mapping[str, Any]]
    values: Mapping[str, str]
    when: str


def build_window(listed: Sequence, kind: str, label: str, limit: int) -> Window:
    """Return a window of a kind on a list, for entries with a label, and a limit for the rule."""
    if kind == RECENT:
        return _build_recent(listed, label, limit)
    return _build_run(listed, label, limit) if kind == RUN else _build_gap(listed, limit)


def _build_recent(listed: Sequence, label: str, limit: int) -> Window:
    name = listed.name
    last = f"{name}_third"
    counted = f"{listed.age} <= {last} and e.{listed.part} == {label!r}"
    says = f"entries of the three latest days in the {listed.label} with {listed.part} {label}"
    number = _describe(f"number of counted {listed.label}", says, 0, listed.size)
    ages = _list_ages(listed, 3)
    return Window(
        {**_describe_ages(listed, 3), f"{name}_{RECENT}": number},
        {**ages, f"{name}_{RECENT}": f"count(e for e in {name} if {counted})"},
        f"{name}_{RECENT} >= {limit}",
    )


def _build_run(listed: Sequence, label: str, limit: int) -> Window:
    name, other = listed.name, f"{listed.name}_other"
    says = f"days since the latest entry in the {listed.label} with another {listed.part}"
    since = _describe_age(listed, f"time since another of the {listed.label}", says)
    says = f"entries in the {listed.label} with {listed.part} {label} since then"
    number = _describe(f"run of the {listed.label}", says, 0, listed.size)
    counted = f"e.{listed.part} == {label!r} and {listed.age} < {other}"
    return Window(
        {other: since, f"{name}_{RUN}": number},
        {
            other: _write_least(listed, f" if e.{listed.part} != {label!r}"),
            f"{name}_{RUN}": f"count(e for e in {name} if {counted})",
        },
        f"{name}_{RUN} >= {limit}",
    )


def _build_gap(listed: Sequence, limit: int) -> Window:
    name, gap = listed.name, f"{listed.name}_{GAP}"
    says = f"days between the two latest days in the {listed.label}"
    widest = listed.beyond - listed.youngest
    declared = _describe(f"gap in the {listed.label}", says, -widest, widest, _DAYS)
    return Window(
        {**_describe_ages(listed, 2), gap: declared},
        {**_list_ages(listed, 2), gap: f"{name}_second - {name}_latest"},
        f"{gap} >= 1 and {gap} <= {limit}",
    )


def _list_ages(listed: Sequence, days: int) -> dict[str, str]:
    """Return the ages of the entries of the latest days, each by the one before it."""
    names = [f"{listed.name}_{ending}" for ending in ENDINGS[:days]]
    tests = ["", *(f" if {listed.age} > {before}" for before in names)]
    return {name: _write_least(listed, test) for name, test in zip(names, tests, strict=False)}


def _write_least(listed: Sequence, test: str) -> str:
    return f"min(({listed.age} for e in {listed.name}{test}), default={listed.beyond})"


def _describe_ages(listed: Sequence, days: int) -> dict[str, dict[str, Any]]:
    said = (
        ("latest", "the latest day"),
        ("second latest", "the second latest day"),
        ("third latest", "the third latest day"),
    )
    return {
        f"{listed.name}_{ending}": _describe_age(
            listed,
            f"time since the {word} of the {listed.label}",
            f"days since {day} with an entry in the {listed.label}",
        )
        for ending, (word, day) in zip(ENDINGS[:days], said, strict=False)
    }


def _describe_age(listed: Sequence, label: str, says: str) -> dict[str, Any]:
    return _describe(label, says, listed.youngest, listed.beyond, _DAYS)


def _describe(label: str, says: str, low: int, high: int, unit: str = "") -> dict[str, Any]:
    kind = {"role": "derived", "type": "integer", "min": low, "max": high}
    return {**kind, **({"unit": unit} if unit else {}), "label": label, "description": says}
