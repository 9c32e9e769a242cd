"""In which order calls can be made, by what they need and what they make known.

A call needs what it is handed, and the facts of the session without which its guard refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.language.logic.readings.partial import evaluate_as_known


class CallOrder:
    """In which order calls can be made, whatever the procedure says.

    A call needs what it takes, and of the facts of the session that its guard reads, that an action
    has set them where they begin otherwise. ``rounds`` has the first round in which each call can
    be made.
    """

    def __init__(self, model: DomainModel) -> None:
        self.model = model
        self.known = {item.name: "" for item in (*model.given, *model.session)}
        self.rounds: dict[str, int] = {}
        while self._make_round(len(self.rounds)):
            pass

    def _make_round(self, number: int) -> bool:
        waiting = [tool for tool in self.model.tools.values() if tool.name not in self.rounds]
        # All that can be called by now, before what it returns counts.
        ready = [tool for tool in waiting if self.is_callable(tool)]
        decided = [
            name
            for name, decision in self.model.decisions.items()
            if name not in self.known and collect_decision_inputs(decision) <= self.known.keys()
        ]
        for tool in ready:
            self.rounds[tool.name] = number
        for tool in ready:
            for name in tool.returns:
                self.known.setdefault(name, tool.name)
        for name in decided:
            self.known.setdefault(name, "")
        return bool(ready or decided)

    def is_callable(self, tool: Tool) -> bool:
        """Return whether all that a call needs can be had by now."""
        setters = self.list_setters(tool).values()
        has_session = all(any(name in self.rounds for name in names) for names in setters)
        return set(tool.takes) <= self.known.keys() and has_session

    def list_setters(self, tool: Tool) -> dict[str, tuple[str, ...]]:
        """Return the actions that set each fact without which a guard refuses, the tool among them.

        A fact is such where a check fails by what the session begins with.
        """
        facts = {item.name: item.starts for item in self.model.session}
        checks = list_guard_checks(tool.guard)
        held = evaluate_as_known([check.test for check in checks], facts)
        asked = collect_all_read_fields(
            check.test for check, value in zip(checks, held, strict=True) if value == 0
        )
        tools = self.model.tools.values()
        return {
            name: tuple(other.name for other in tools if name in other.effects)
            for name in facts
            if name in asked
        }

    def list_calls_before(self, names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the calls that make some fields known, in order, and the fields that none does."""
        calls: list[str] = []
        hidden: list[str] = []
        for name in names:
            self._add_calls(name, calls, hidden)
        return tuple(calls), tuple(hidden)

    def _add_calls(self, name: str, calls: list[str], hidden: list[str]) -> None:
        if name not in self.known:
            hidden.extend([name] * (name not in hidden))
        elif by := self.known[name]:
            self._add_call(by, calls, hidden)
        elif name in self.model.decisions:
            for item in sorted(collect_decision_inputs(self.model.decisions[name])):
                self._add_calls(item, calls, hidden)

    def _add_call(self, tool: str, calls: list[str], hidden: list[str]) -> None:
        if tool in calls:
            return
        for item in self.model.tools[tool].takes:
            self._add_calls(item, calls, hidden)
        for setters in self.list_setters(self.model.tools[tool]).values():
            able = [name for name in setters if name in self.rounds]
            self._add_call(min(able, key=self.rounds.__getitem__), calls, hidden)
        calls.append(tool)

    def list_suppliers(self, tool: Tool) -> list[tuple[str, tuple[str, ...]]]:
        """Return what a call lacks for ever, each with the tools that could supply it."""
        needed = set(tool.takes)
        # What is decided needs what it is decided from.
        while (
            more := {
                item
                for name in needed
                if name not in self.known and name in self.model.decisions
                for item in collect_decision_inputs(self.model.decisions[name])
            }
            - needed
        ):
            needed |= more
        tools = self.model.tools.values()
        return [
            (name, tuple(other.name for other in tools if name in other.returns))
            for name in self.model.fields
            if name in needed and name not in self.known and name not in self.model.decisions
        ]

    def name_need(self, tool: str, supplier: str) -> str:
        """Return what a call lacks that a certain tool could supply."""
        lacking = self.list_suppliers(self.model.tools[tool])
        return next(name for name, names in lacking if supplier in names)

    def find_cycles(self) -> list[tuple[str, ...]]:
        """Return the shortest circles of calls that can never be made, for they need each other.

        Each names tools in turn: a tool needs what only the next one returns, the last one what
        only the first one does.
        """
        stuck = {
            tool.name: [name for _, names in self.list_suppliers(tool) for name in names]
            for tool in self.model.tools.values()
            if tool.name not in self.rounds
        }
        found = [cycle for name in stuck if (cycle := _find_shortest_cycle(name, stuck))]
        shortest: dict[frozenset[str], tuple[str, ...]] = {}
        for cycle in sorted(found, key=len):
            if not any(known <= set(cycle) for known in shortest):
                shortest[frozenset(cycle)] = cycle
        return list(shortest.values())


def _find_shortest_cycle(start: str, after: dict[str, list[str]]) -> tuple[str, ...]:
    """Return the shortest path from a name back to itself, which is named once; or nothing.

    >>> _find_shortest_cycle("a", {"a": ["b"], "b": ["c", "a"], "c": ["a"]})
    ('a', 'b')
    """
    waiting: list[Sequence[str]] = [(start,)]
    seen: set[str] = set()
    for path in waiting:
        for name in after.get(path[-1], ()):
            if name == start:
                return tuple(path)
            if name not in seen:
                seen.add(name)
                waiting.append((*path, name))
    return ()
