"""Requests that are not carried out, made on the grader's side, each beside one that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from sopforge.harness.environment.shown import ShownTask
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import make_dial_error
from sopforge.harness.layers.refusals.refusing import RefusalJudge, Refusals, list_acting_tools
from sopforge.harness.layers.refusals.requests import (
    REFUSE,
    Request,
    RequestKind,
    RequestRules,
    write_ask,
    write_escalate,
)
from sopforge.harness.layers.refusals.stating import TITLE, write_besides, write_rules
from sopforge.harness.layers.stated_cases import get_result
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, ToolKind
from sopforge.language.domain.values.types import (
    ScalarType,
)
from sopforge.proof.dataset.gold.order import is_acting
from sopforge.proof.dataset.tasks.task_texts import render_task_text
from sopforge.seeds import draw_below, permute_index, permute_items

MOST = len(RequestKind)
_PAIRED, _OF = 4, 5
"""Of how many tasks so many become pairs."""
_SENDERS = 6
_OFFICES = 9000
_TRIED = 4
"""How many other values of an entry are tried before nothing is said to hang on it."""
_IDS = 10**8


class Pair(NamedTuple):
    """A request that is carried out, and one that is not; they differ in one datum."""

    carried_out: Request
    refused: Request
    handling: str


def make_refusals(ground: Ground, dose: int, seed: int) -> tuple[Refusals, RefusalJudge]:
    """Return the layer of so many kinds of requests that are not carried out, and what judges it.

    Of the tasks of each path three of five become pairs.
    """
    return _RequestMaker(ground, min(dose, MOST), seed).make()


@dataclass(frozen=True)
class _RequestMaker:
    """Makes the requests of one package."""

    ground: Ground
    dose: int
    seed: int

    def make(self) -> tuple[Refusals, RefusalJudge]:
        pairs = self._make_pairs()
        if not pairs:
            message = "no request can be changed into one that must be refused"
            raise make_dial_error(
                Refusals.name, message, "leave this dial out, or give cases more entries"
            )
        requests: dict[str, Request] = {}
        handlings: dict[str, str] = {}
        shown, inner = dict(self.ground.shown.tasks), {name: name for name in self.ground.paths}
        for task, pair in pairs.items():
            del shown[task], inner[task]
            for half, request in enumerate((pair.carried_out, pair.refused)):
                name = self._name(task, half, shown)
                requests[name] = request
                shown[name] = self._show(name, request)
                inner[name] = task
                if half:
                    handlings[name] = pair.handling
        # By their names, so that the halves of a pair do not stand beside each other.
        tasks = {name: shown[name] for name in sorted(shown)}
        rules = RequestRules(frozenset(self.kinds), self.senders)
        kinds = {
            name: f"{item.kind}, {'refused' if name in handlings else 'carried out'}"
            for name, item in requests.items()
        }
        layer = Refusals(self.dose, tasks, inner, kinds, TITLE, list(write_rules(rules)))
        return layer, RefusalJudge(list_acting_tools(self.model), handlings)

    @property
    def model(self) -> DomainModel:
        return self.ground.model

    @property
    def kinds(self) -> Sequence[RequestKind]:
        return list(RequestKind)[: self.dose]

    @cached_property
    def senders(self) -> tuple[str, ...]:
        """The offices that are entitled."""
        numbers = (permute_index(n, _OFFICES, self.seed, "office") for n in range(_SENDERS))
        return tuple(f"Office {1000 + number}" for number in sorted(numbers))

    def _make_pairs(self) -> dict[str, Pair]:
        drawn = permute_items(list(self.ground.paths), self.seed, "paired")
        chosen = sorted(drawn, key=lambda task: self.ground.paths[task][0])
        found: dict[str, Pair] = {}
        for place, task in enumerate(chosen):
            if len(found) * _OF < _PAIRED * (place + 1) and (
                pair := self._make_pair(task, len(found))
            ):
                found[task] = pair
        return found

    def _make_pair(self, task: str, number: int) -> Pair | None:
        """Return the pair of a task, of the kind whose turn it is if it has room for it."""
        size = len(self.kinds)
        for turn in range(size):
            kind = self.kinds[(number + turn) % size]
            if pair := self._make_pair_of(task, kind):
                return pair
        return None

    def _make_pair_of(self, task: str, kind: RequestKind) -> Pair | None:
        match kind:
            case RequestKind.SENDER:
                return self._draw_senders(task)
            case RequestKind.LACKING:
                return next(self._iterate_lacking(task), None)
            case RequestKind.CONTRADICTION:
                return next(self._iterate_claims(task), None)
            case RequestKind.OPEN:
                return next(self._iterate_open(task), None)

    def _draw_senders(self, task: str) -> Pair:
        """Return a request of an entitled office, and one of an office with one other digit."""
        office = self.senders[draw_below(len(self.senders), self.seed, "sender", task)]
        others = [f"{office[:-1]}{digit}" for digit in range(10)]
        free = [name for name in others if name not in self.senders]
        other = free[draw_below(len(free), self.seed, "stranger", task)]
        plain = Request(task, RequestKind.SENDER, sender=office)
        return Pair(plain, replace(plain, sender=other), REFUSE)

    def _iterate_lacking(self, task: str) -> Iterator[Pair]:
        """Yield requests without an entry on which the answer hangs."""
        for name, _ in self._iterate_deciding(task):
            plain = self._make_harmless(task)
            yield Pair(plain, replace(plain, lacking=name), write_ask(name))

    def _iterate_open(self, task: str) -> Iterator[Pair]:
        """Yield requests that state an entry twice, alike, and others with two values of it."""
        inputs = self.ground.shown.tasks[task].inputs
        for name, other in self._iterate_deciding(task):
            plain = Request(task, RequestKind.OPEN, again={name: inputs[name]})
            yield Pair(plain, replace(plain, again={name: other}), write_ask(name))

    def _iterate_deciding(self, task: str) -> Iterator[tuple[str, str]]:
        """Yield entries on which the answer hangs, each with a value that leads to another one."""
        inputs = self.ground.shown.tasks[task].inputs
        items = [item for item in self.model.changeable_inputs if _has_codes(item)]
        for item in permute_items(items, self.seed, "lacking", task):
            for cell in self._draw_cells(item, task):
                done = self.ground.work(task, inputs={**inputs, item.name: cell})
                if cell != inputs[item.name] and not self.ground.is_right(task, done):
                    yield item.name, cell
                    break

    def _make_harmless(self, task: str) -> Request:
        """Return a request that says more than it must, and nothing that keeps it back."""
        if RequestKind.SENDER in self.kinds:
            office = self.senders[draw_below(len(self.senders), self.seed, "sender", task)]
            return Request(task, RequestKind.LACKING, sender=office)
        claims = list(self._iterate_claims(task))
        claimed = claims[0].carried_out.claimed if claims else {}
        return Request(task, RequestKind.LACKING, claimed=claimed)

    def _iterate_claims(self, task: str) -> Iterator[Pair]:
        """Yield requests that say what a look-up returns, and others that say something else.

        Of values that one call alone returns, before anything is changed.
        """
        found = list(self._iterate_claimable(task))
        for name, item, cell in permute_items(found, self.seed, "claim", task):
            others = [other for other in self._draw_cells(item, task) if other != cell]
            if others:
                plain = Request(task, RequestKind.CONTRADICTION, claimed={name: cell})
                other = replace(plain, claimed={name: others[0]})
                yield Pair(plain, other, write_escalate(name))

    def _iterate_claimable(self, task: str) -> Iterator[tuple[str, Field, str]]:
        offered = self.model.offered
        [calls] = self.ground.list_calls(task)
        acting = [at for at, call in enumerate(calls) if is_acting(offered, call.tool)]
        before = calls[: acting[0]] if acting else calls
        names = [name for call in calls for name in offered.tools[call.tool].results.values()]
        for call in before:
            tool = offered.tools[call.tool]
            results = tool.results if tool.kind is ToolKind.LOOKUP else {}
            for field, name in results.items():
                item, value = offered.fields[field], get_result(call).get(name)
                if names.count(name) == 1 and _has_codes(item) and value is not None:
                    parsed = item.parse(value)
                    if parsed is not None:
                        yield name, item, item.format_cell(parsed)

    def _draw_cells(self, item: Field, task: str) -> list[str]:
        """Return a few values of a field as cells, in drawn order."""
        low, high = item.type.bounds
        size = high - low + 1
        drawn = (
            permute_index(n, size, self.seed, "cell", item.name, task)
            for n in range(min(size, _TRIED))
        )
        return [item.format_cell(low + place) for place in drawn]

    def _name(self, task: str, half: int, taken: Mapping[str, object]) -> str:
        turn = 0
        while (
            name := f"task-{draw_below(_IDS, self.seed, 'request', task, half, turn):08}"
        ) in taken:
            turn += 1
        return name

    def _show(self, name: str, request: Request) -> ShownTask:
        plain = self.ground.shown.tasks[request.task]
        inputs = {key: cell for key, cell in plain.inputs.items() if key != request.lacking}
        text = render_task_text(self.model, request.task, inputs)
        return ShownTask(name, text + write_besides(self.model, request), inputs, plain.split)


def _has_codes(item: Field) -> bool:
    return isinstance(item.type, ScalarType)
