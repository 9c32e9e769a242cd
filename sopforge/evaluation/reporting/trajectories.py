"""Trajectories beside the gold ones, call by call, cut to what a person reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TypeAlias

from sopforge.evaluation.figures.paths import name_failure
from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.packages.package import GoldTask
from sopforge.evaluation.runs.rows import Attempted, Row
from sopforge.harness.environment.events import Called, Event, Said
from sopforge.language.domain.tasks import GoldCall
from sopforge.sandbox.answers import JSONValue, as_json, as_text

MOST_EVENTS = 60
"""Of an attempt; an agent may call tools in circles."""
_VALUE, _REPLY, _SAID = 200, 500, 700
"""Characters that are shown of an argument, a reply, and what an agent says."""

Argument: TypeAlias = tuple[str, str, bool]
"""Name, value, and whether the other side has another one."""


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call as a page shows it."""

    tool: str
    arguments: Sequence[Argument]
    reply: str
    is_refused: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold call and the call beside it; either may be lacking. ``said`` is no call at all."""

    gold: ShownCall | None = None
    made: ShownCall | None = None
    said: str = ""

    @property
    def standing(self) -> str:
        """How the two compare, in a word."""
        if self.said:
            return "said"
        if self.gold is None or self.made is None:
            return "further" if self.gold is None else "missing"
        differs = any(differs for _, _, differs in (*self.gold.arguments, *self.made.arguments))
        return "different" if differs or self.gold.is_refused != self.made.is_refused else "same"


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """A wrong attempt as a page shows it, without the gold calls where these are not known."""

    row: Row
    failure: str
    text: str
    pairs: Sequence[Pair]
    left_out: int
    answer: str
    has_gold: bool
    has_log: bool

    @property
    def shows(self) -> tuple[object, ...]:
        """What a reader learns from it of the agent: nothing else, where others have the same."""
        row, grade = self.row, self.row.grade
        done = [(pair.said, repr(pair.made)) for pair in self.pairs if pair.said or pair.made]
        ended = self.failure, grade.divergence_at, grade.divergence_says, row.stop, row.says
        return (row.asked.package, *ended, *sorted(grade.stated.items()), *done, self.answer)


def group_alike(attempts: Iterable[ShownAttempt]) -> list[list[ShownAttempt]]:
    """Return attempts in which the agent did and said the same together, as they come first."""
    groups: dict[tuple[object, ...], list[ShownAttempt]] = {}
    for item in attempts:
        groups.setdefault(item.shows, []).append(item)
    return list(groups.values())


def choose_attempts(series: Iterable[Series], most: int, first: Collection[str] = ()) -> list[Row]:
    """Return wrong attempts of one agent: of each package and failure class before any again.

    Within these, of each path before any again. Before all stand those whose keys are ``first``.
    """
    classes: dict[tuple[str, str], list[Row]] = {}
    for item in series:
        for row in item.rows:
            if not row.grade.is_right:
                classes.setdefault((row.asked.digest, name_failure(row)), []).append(row)
    ordered = [_order_by_path(rows) for _, rows in sorted(classes.items())]
    turns = [row for turn in zip_longest(*ordered) for row in turn if row is not None]
    turns.sort(key=lambda row: row.asked.key not in first)
    return turns[:most]


def show_attempt(row: Row, log: Attempted | None, gold: GoldTask | None) -> ShownAttempt:
    """Return an attempt as it is shown."""
    events = log.events if log else ()
    kept = events[:MOST_EVENTS]
    return ShownAttempt(
        row=row,
        failure=name_failure(row),
        text=gold.text if gold else "",
        pairs=list(_pair_events(gold.calls, kept, gold.names) if gold else _list_alone(kept)),
        left_out=len(events) - len(kept),
        answer=_cut((log.answer if log else None) or "", _SAID),
        has_gold=gold is not None,
        has_log=log is not None,
    )


def _order_by_path(rows: Sequence[Row]) -> list[Row]:
    paths: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        paths.setdefault(row.grade.path, []).append(row)
    return [row for turn in zip_longest(*paths.values()) for row in turn if row is not None]


def _list_alone(events: Iterable[Event]) -> Iterator[Pair]:
    for event in events:
        if isinstance(event, Said):
            yield Pair(said=_show_said(event))
        else:
            yield Pair(made=_show_made(event, None))


def _show_said(event: Said) -> str:
    """Return what was said, and what the user said to it."""
    parts = [event.text, f"The user: {event.reply}" if event.reply else ""]
    return "\n".join(_cut(part, _SAID) for part in parts if part)


def _pair_events(
    gold: Sequence[GoldCall], events: Sequence[Event], names: Mapping[str, str]
) -> Iterator[Pair]:
    """Return calls side by side, equal ones beside each other, with what was said between."""
    said: list[list[str]] = [[]]
    calls: list[Called] = []
    for event in events:
        if isinstance(event, Said):
            said[-1].append(_show_said(event))
        else:
            calls.append(event)
            said.append([])
    wanted = [_describe_call(call.tool, call.arguments) for call in gold]
    made = [_describe_call(names.get(call.tool, call.tool), call.arguments) for call in calls]
    for place, other in _align_calls(wanted, made):
        if other is not None:
            yield from (Pair(said=text) for text in said[other])
        yield _make_pair(
            None if place is None else gold[place], None if other is None else calls[other]
        )
    yield from (Pair(said=text) for text in said[-1])


def _align_calls(
    wanted: Sequence[tuple[str, str]], made: Sequence[tuple[str, str]]
) -> Iterator[tuple[int | None, int | None]]:
    """Return which calls stand beside each other: equal ones, else those of one tool."""
    for _, *places in SequenceMatcher(None, wanted, made, autojunk=False).get_opcodes():
        first, end, other, other_end = places
        left, right = list(range(first, end)), list(range(other, other_end))
        while left or right:
            if left and right and wanted[left[0]][0] == made[right[0]][0]:
                yield left.pop(0), right.pop(0)
            elif right and not any(wanted[place][0] == made[right[0]][0] for place in left):
                yield None, right.pop(0)
            else:
                yield left.pop(0), None


def _make_pair(gold: GoldCall | None, made: Called | None) -> Pair:
    return Pair(
        None if gold is None else _show_gold(gold, made),
        None if made is None else _show_made(made, gold),
    )


def _show_gold(call: GoldCall, beside: Called | None) -> ShownCall:
    reply = call.refusal or as_text(as_json(call.result))
    arguments = [
        (name, value, beside is not None and _is_different(name, call.arguments, beside.arguments))
        for name, value, _ in _list_arguments(call.arguments, None)
    ]
    return ShownCall(call.tool, arguments, _cut(reply, _REPLY), bool(call.refusal))


def _show_made(call: Called, beside: GoldCall | None) -> ShownCall:
    other = None if beside is None else beside.arguments
    reply = _cut(call.reply.as_text(), _REPLY)
    return ShownCall(
        call.tool, _list_arguments(call.arguments, other), reply, bool(call.reply.refusal)
    )


def _list_arguments(
    given: Mapping[str, JSONValue], other: Mapping[str, JSONValue] | None
) -> list[Argument]:
    # In the order of the other side, as far as it has them: so equal ones stand beside each other.
    names = [*(name for name in other or () if name in given), *given]
    return [
        (
            name,
            _cut(_write(given[name]), _VALUE),
            other is not None and _is_different(name, given, other),
        )
        for name in dict.fromkeys(names)
    ]


def _is_different(name: str, one: Mapping[str, JSONValue], other: Mapping[str, JSONValue]) -> bool:
    return name not in other or _write(other[name]) != _write(one[name])


def _describe_call(tool: str, arguments: Mapping[str, JSONValue]) -> tuple[str, str]:
    return tool, as_text({name: _write(value) for name, value in arguments.items()})


def _write(value: JSONValue) -> str:
    """Return a value as text, equal numbers alike."""
    found = as_json(value)
    if isinstance(found, bool | str) or found is None:
        return as_text(found)
    text = as_text(found)
    return text.rstrip("0").rstrip(".") if "." in text and "[" not in text else text


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"
