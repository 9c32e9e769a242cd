"""The rules of recovery as a section of the SOP, and read back from one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from sopforge.harness.layers.faults.recovery import BUSY, CLOSED, LATE, Recovery
from sopforge.harness.layers.text.sections import UnreadableTextError, add_section, find_section

TITLE = "When a tool does not answer as it should"
_REPEATS = re.compile(
    rf"^- {BUSY}, {LATE}: make the same call again, up to (\d+) times?\.$", re.MULTILINE
)
_CLOSED = re.compile(rf"^- {CLOSED}: make the same call with the tool's stand-in", re.MULTILINE)
_DATES = re.compile(r"^- A result whose (\w+) lies before its (\w+) is a stale copy", re.MULTILINE)
_RANGE = re.compile(r"^- (\w+), (\w+): from (-?[\d.]+) to (-?[\d.]+)$", re.MULTILINE)
_STAND_IN = re.compile(r"^- (\w+): (\w+)$", re.MULTILINE)


def add_recovery(sop: str, recovery: Recovery) -> str:
    """Return an SOP with the rules of recovery as its last section."""
    return add_section(sop, TITLE, _iterate_lines(recovery))


def _iterate_lines(recovery: Recovery) -> Iterator[str]:
    times = "time" if recovery.repeats == 1 else "times"
    copied, changed = recovery.copied, recovery.changed
    yield (
        "These rules hold for each call of each tool, and go before what this document says"
        " elsewhere of tools that give no answer. A call that is answered with one of these codes"
        " has done nothing:"
    )
    yield f"- {BUSY}, {LATE}: make the same call again, up to {recovery.repeats} {times}."
    yield (
        f"- {CLOSED}: make the same call with the tool's stand-in. A tool that is out of service"
        " stays so; do not call it again."
    )
    yield (
        f"Each result of a look-up has two days besides its values: {copied}, on which the result"
        f" was copied, and {changed}, on which the record was last changed. Neither is an entry of"
        " the case. Look at each result before it is used:"
    )
    yield (
        "- A result that lacks a value of those that the tool returns is partial: make the same"
        " call again, too. Repeats of one call count together, whatever they were made for."
    )
    yield f"- A result whose {copied} lies before its {changed} is a stale copy: use the stand-in."
    if recovery.ranges:
        yield (
            "- A result with a value beyond its range in the list below is damaged: use the"
            " stand-in."
        )
    yield (
        "Of a partial, stale or damaged result no value is used. Where a call was repeated as often"
        " as is allowed, and still fails or is partial, use the stand-in."
    )
    if recovery.ranges:
        yield "Ranges, of a tool and a value that it returns:"
        for tool, ranges in recovery.ranges.items():
            for name, (low, high) in ranges.items():
                yield f"- {tool}, {name}: from {low} to {high}"
    yield (
        "Stand-ins, each of which takes and returns the same as its tool, does the same, and is"
        " right, whatever its two days are:"
    )
    for tool, other in recovery.stand_ins.items():
        yield f"- {tool}: {other}"


def read_recovery(sop: str) -> Recovery:
    """Return the rules of recovery that an SOP states.

    Raises:
        UnreadableTextError: a rule is missing.
    """
    section = find_section(sop, TITLE) or ""
    repeats, dates = _REPEATS.search(section), _DATES.search(section)
    _, _, listed = section.partition("Stand-ins,")
    if repeats is None or dates is None or not _CLOSED.search(section) or not listed:
        raise UnreadableTextError("the rules of recovery are not all stated")
    ranges: dict[str, dict[str, tuple[Decimal, Decimal]]] = {}
    for tool, name, low, high in _RANGE.findall(section):
        ranges.setdefault(tool, {})[name] = (Decimal(low), Decimal(high))
    return Recovery(int(repeats[1]), dict(_STAND_IN.findall(listed)), dates[1], dates[2], ranges)
