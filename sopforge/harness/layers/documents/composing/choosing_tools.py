"""Which tools documents alone describe: those whose earlier records lead to other outcomes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, cast

from sopforge.artifacts.rendering.sop.sections.procedure import is_called
from sopforge.harness.environment.events import Reply
from sopforge.harness.layers.call_names import find_free_name
from sopforge.harness.layers.documents.similar_tools import SimilarTool
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Done
from sopforge.harness.scoring.agents import Call, read_reply
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import Tool, ToolKind
from sopforge.language.domain.values.types import (
    ScalarType,
)
from sopforge.language.logic.tool_calls import Refused
from sopforge.sandbox.answers import Scalar, as_json
from sopforge.seeds import draw_below, permute_items

MOST_TOOLS = 3
_ENDINGS = ("Central", "Direct", "Register", "Portal", "Online", "Archive", "Desk", "Hub")
_SAMPLE = 48
"""At how many tasks it is tried what becomes of them with another desk's tool."""
_VALUES = 4
_WRONG, _OF = 1, 2
"""At how many of so many tasks somebody is to err who takes the first tool of a similar name."""
_NAMELESS = SimilarTool("", "", "", is_other_first=False, sheet=0, other_sheet=0, values={})


@dataclass(frozen=True)
class ToolChooser:
    """Chooses tools of a package without layers; ``text`` is what its documents say."""

    ground: Ground
    text: str
    seed: int

    def choose(self, taken: Collection[str]) -> list[SimilarTool]:
        """Return the tools to be described, without their sheets; ``taken`` are names in use."""
        differing: dict[str, frozenset[str]] = {}
        names = set(taken)
        found: list[SimilarTool] = []
        for tool in self._iterate_by_effect(differing):
            own, other = self._draw_names(tool, names)
            names |= {own, other}
            found.append(
                replace(_NAMELESS, tool=tool, name=own, other=other, values=self._values[tool])
            )
        order = self._draw_order([differing[item.tool] for item in found])
        return [
            replace(item, is_other_first=is_first)
            for item, is_first in zip(found, order, strict=True)
        ]

    def _draw_order(self, differing: Sequence[frozenset[str]]) -> tuple[bool, ...]:
        """Return for each tool whether another desk's name of it comes first in the list.

        It is drawn among the orders by which whoever takes the first one errs at half of the tasks,
        and whoever takes the second one does, too, where there is such an order.
        """
        drawn = permute_items(
            list(product((True, False), repeat=len(differing))), self.seed, "order"
        )

        def count_wrong(order: Sequence[bool], *, is_first: bool) -> int:
            chosen = [tasks for tasks, at in zip(differing, order, strict=True) if at is is_first]
            return min(len(frozenset[str]().union(*chosen)) * _OF, len(self._sample) * _WRONG)

        return max(
            drawn,
            key=lambda order: (
                count_wrong(order, is_first=True),
                count_wrong(order, is_first=False),
            ),
        )

    def _iterate_by_effect(self, differing: dict[str, frozenset[str]]) -> Iterator[str]:
        """Yield the tools that lead most tasks astray that those before did not."""
        differing |= {tool: self._find_differing(tool) for tool in self._values}
        wrong, left = frozenset[str](), list(self._values)
        for _ in range(min(MOST_TOOLS, len(left))):
            tool = max(left, key=lambda name: len(differing[name] - wrong))
            if not differing[tool]:
                return
            yield tool
            left.remove(tool)
            wrong |= differing[tool]

    def _draw_names(self, tool: str, taken: Collection[str]) -> tuple[str, str]:
        own, other = permute_items(_ENDINGS, self.seed, "name", tool)[:2]
        return find_free_name(f"{tool}{own}", taken), find_free_name(f"{tool}{other}", taken)

    @cached_property
    def _sample(self) -> list[str]:
        tasks = list(self.ground.rows)
        return tasks[:: -(-len(tasks) // _SAMPLE)]

    @cached_property
    def _values(self) -> Mapping[str, Mapping[str, tuple[Scalar, ...]]]:
        """The tools that may be described, each with other values of what it returns."""
        shown = [tool.name for tool in self.ground.shown.tools]
        tools = self.ground.model.offered.tools
        found = {
            name: self._list_values(tools[name])
            for name in shown
            if name in tools and self._may_describe(name, tools[name], shown)
        }
        return {name: values for name, values in found.items() if values}

    def _may_describe(self, name: str, tool: Tool, shown: Sequence[str]) -> bool:
        """Return whether documents call a tool that changes nothing, and that no other is like."""
        is_alone = not any(other != name and other.startswith(name) for other in shown)
        may_be_described = is_called(name, self.text) and is_alone
        return may_be_described and tool.kind is not ToolKind.ACTION and not tool.effects

    def _list_values(self, tool: Tool) -> dict[str, tuple[Scalar, ...]]:
        fields = self.ground.model.offered.fields
        found = {
            result: tuple(self._draw_values(fields[name], tool.name))
            for name, result in tool.results.items()
        }
        return {name: values for name, values in found.items() if len(values) > 1}

    def _draw_values(self, item: Field, tool: str) -> list[Scalar]:
        """Return a few values of a field's type, as tools return them."""
        if not isinstance(item.type, ScalarType):
            return []
        low, high = item.type.bounds
        size = min(high - low + 1, _VALUES)
        codes = [
            low
            + (high - low + 1) * place // size
            + draw_below((high - low + 1) // size, self.seed, "value", tool, item.name, place)
            for place in range(size)
        ]
        # Of these types no value is a list.
        return [cast("Scalar", as_json(item.as_json(code))) for code in codes]

    def _find_differing(self, tool: str) -> frozenset[str]:
        """Return the tasks of the sample that come to other outcomes with another desk's tool."""
        item = replace(_NAMELESS, tool=tool, values=self._values[tool])

        def tamper(call: Call) -> Call:
            def call_changed(name: str, given: Mapping[str, Any]) -> Mapping[str, object] | Refused:
                found = call(name, given)
                if name != tool or isinstance(found, Refused):
                    return found
                aged = item.change_reply(Reply(dict(found)), given, self.seed)
                return read_reply(aged)

            return call_changed

        return frozenset(
            task
            for task in self._sample
            if self._read_outcomes(self.ground.work(task, tamper))
            != self._read_outcomes(self.ground.work_right(task))
        )

    def _read_outcomes(self, done: Done) -> list[str | None]:
        stated = read_answer(done.answer or "")
        return [stated.get(item.name) for item in self.ground.model.outcomes]
