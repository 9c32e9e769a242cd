"""Where the values that an agent used come from: the task, a reply, or a rule applied to these.

What is said to have no source surely has none: a value that equals another one by chance passes,
and so does one that was only written differently, and a result of a rule that could be applied and
was applied wrongly.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sopforge.harness.environment.events import TOOL_FAULT, UNKNOWN_TOOL, Called, Reply
from sopforge.harness.grading.calls import make_terms, resolve_call
from sopforge.harness.grading.reachable import iterate_reachable
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.composing import compose
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import BooleanType, EnumType, Value, ValueNotAllowedError
from sopforge.language.logic.readings.partial import UNKNOWN, evaluate_as_known
from sopforge.language.logic.stated_inputs import derive_marks
from sopforge.language.logic.tables import build_decision_value, build_result_presence
from sopforge.language.logic.tool_calls import Frame, Refused, answer_tool_call
from sopforge.language.logic.walking import walk
from sopforge.proof.dataset.gold.order import is_acting
from sopforge.proof.dataset.tasks.told_texts import read_facts
from sopforge.sandbox.answers import JSON, JSONValue, as_json

_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_SHORTEST_PART = 3
"""Characters of a text that may be a part of a longer one; shorter ones are parts of too many."""
_UNSEEN = Refused("", "the agent has not seen what this call is answered")


@dataclass(frozen=True, slots=True)
class Fabrication:
    """An argument or an answer without a source; ``tool`` is empty for an answer."""

    tool: str
    name: str
    value: JSONValue

    @property
    def place(self) -> str:
        """Where it was used."""
        return f"{self.tool or 'answer'}.{self.name}"


def list_fabrications(
    model: DomainModel,
    task: Task,
    calls: list[Called],
    stated: Mapping[str, str],
    heard: Iterable[str] = (),
) -> list[Fabrication]:
    """Return the arguments and answers without a source, each value of a field once.

    ``heard`` is what a user said: what he took back, or claimed, is wrong and not made up.
    """
    sources = Sources(model, task.inputs)
    for text in heard:
        sources.hear_words(text)
    found: list[Fabrication] = []
    for call in calls:
        if call.tool in model.tools:
            found += [
                Fabrication(call.tool, name, value)
                for name, value in call.arguments.items()
                if not sources.has_source(name, value)
            ]
        sources.hear(call)
    found += [
        Fabrication("", item.name, stated[item.name])
        for item in (*model.outcomes, *model.intermediates)
        if item.name in stated and not sources.has_source(item.name, stated[item.name])
    ]
    return list({(item.name, _compare_text(item.value)): item for item in found[::-1]}.values())[
        ::-1
    ]


class Sources:
    """What an agent has to go by at one point of an attempt."""

    def __init__(self, model: DomainModel, inputs: Mapping[str, str]) -> None:
        self.model = model
        self.inputs: dict[str, Value | None] = {}
        self.known: dict[str, Value | None] = {}
        self.seen: defaultdict[str, list[Value | None]] = defaultdict(list)
        self.labels: defaultdict[tuple[str, ...], set[Value | None]] = defaultdict(set)
        self.texts: set[str] = set()
        self.numbers: set[Decimal] = set()
        self.calls: list[tuple[str, dict[str, Any], Reply]] = []
        self._terms = make_terms(model)
        for name, cell in inputs.items():
            self.see(name, cell)
        with suppress(ValueNotAllowedError):
            for name, value in read_facts(model, inputs).items():
                self.see(name, model.fields[name].as_json(value))
        self.inputs = dict(self.known)
        self.known |= derive_marks(model, self.inputs)

    def hear(self, call: Called) -> None:
        """Take in what a call was answered."""
        resolved, reply = resolve_call(self._terms, call), call.reply
        self.calls.append((resolved.tool, resolved.arguments, reply))
        # A refusal may name what would be allowed.
        self.texts |= {_compare_text(word) for word in reply.message.split()}
        if isinstance(reply.result, dict):
            for name, value in reply.result.items():
                self.see(name, value)

    def hear_words(self, text: str) -> None:
        """Take in what a user said."""
        self.texts |= {_compare_text(line) for line in text.split("\n")}
        self.numbers |= {Decimal(number[0]) for number in _NUMBER.finditer(text)}
        for item in self.model.fields.values():
            if isinstance(item.type, EnumType):
                values = item.type.values
                self.labels[values] |= {item.parse(label) for label in values if label in text}

    def see(self, name: str, raw: JSONValue) -> None:
        """Take in a value of a field."""
        leaves = list(_iterate_leaves(raw))
        if name in self.model.fields:
            item = self.model.fields[name]
            with suppress(ValueNotAllowedError):
                value = item.parse(raw)
                self.known[name] = value
                self.seen[name].append(value)
                if isinstance(item.type, EnumType):
                    self.labels[item.type.values].add(value)
                leaves += _iterate_leaves(item.as_json(value))
        for leaf in leaves:
            self.texts.add(_compare_text(leaf))
            self.numbers |= _read_numbers(leaf)

    def has_source(self, name: str, raw: JSONValue) -> bool:
        """Return whether a value may come from what was seen, by itself or by a rule."""
        if name not in self.model.fields:
            return all(map(self.is_seen, _iterate_leaves(raw)))
        item = self.model.fields[name]
        try:
            value = item.parse(raw)
        except ValueNotAllowedError:
            # Malformed rather than made up, unless it is a number of its own.
            return all(map(self.is_seen, _iterate_numbers(raw)))
        if value is None or value in self.seen[name] or self.is_shown(item, value):
            return True
        return self.is_decidable(name) or self.is_misread(item, value)

    def is_shown(self, item: Field, value: Value) -> bool:
        """Return whether a value of a field stands anywhere in the task and the replies."""
        match item.type:
            case EnumType():
                return value in self.labels[item.type.values]
            case BooleanType():
                # There is a yes or a no in most replies, which says nothing of this field.
                return False
            case _:
                return all(map(self.is_seen, _iterate_leaves(item.as_json(value))))

    def is_seen(self, leaf: JSONValue) -> bool:
        if numbers := _read_numbers(leaf):
            return numbers <= self.numbers
        text = _compare_text(leaf)
        is_part = len(text) >= _SHORTEST_PART and any(text in other for other in self.texts)
        return not text or text in self.texts or is_part

    def is_decidable(self, name: str) -> bool:
        """Return whether what was seen is enough to decide a value by the procedure's rules."""
        ends = (step.end for step in self.model.steps.values() if step.end is not None)
        if name not in self.model.decisions and not any(name in end for end in ends):
            return False
        return name in self.derive_known() or name in self.follow_procedure()

    def follow_procedure(self) -> Frame:
        """Return what a case comes to know on its path, as far as what was seen leads it."""
        try:
            return walk(self.model, self.inputs, _Heard(self)).known
        except TypeError:
            # It reads a malformed input, as no case does whose calls are answered as they should.
            return {}

    def is_misread(self, item: Field, value: Value) -> bool:
        """Return whether a label stands where a case comes to by these calls and some edge.

        Who takes the wrong edge, or the wrong rule, has misread what is written there: the label is
        wrong, and not made up.
        """
        if not isinstance(item.type, EnumType):
            return False
        return any(
            item.name in step.decide
            or (item.name in (step.end or ()) and (step.end or {})[item.name].value == value)
            for step in iterate_reachable(self.model, self.list_heard(), self.model.start)
        )

    def list_heard(self) -> dict[str, frozenset[str]]:
        """Return the tools that answered, each with the codes of its refusals, "" for a result."""
        heard: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
        for tool, _, reply in self.calls:
            heard[tool] |= {reply.refusal}
        return dict(heard)

    def derive_known(self) -> dict[str, Value | None]:
        """Return what was seen, and all that decisions make of it."""
        kinds = {name: item.type for name, item in self.model.fields.items()}
        known = {
            name: value
            for name, value in self.known.items()
            if name not in kinds or not is_malformed(kinds[name], value)
        }
        is_growing = True
        while is_growing:
            open_ones = [name for name in self.model.decisions if name not in known]
            found = {name: self.decide(name, known) for name in open_ones}
            fresh = {name: value for name, value in found.items() if value is not None}
            known |= fresh
            is_growing = bool(fresh)
        return known

    def decide(self, name: str, known: Frame) -> Value | None:
        decision = self.model.decisions[name]
        covered = build_result_presence(decision)
        asked = [build_decision_value(decision), *([] if covered is None else [covered])]
        value, *is_covered = evaluate_as_known(asked, known)
        return None if value is UNKNOWN or is_covered not in ([], [1]) else value


class _Heard:
    """Answers the calls of a walk by the replies that an agent got, as far as it got any."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.used: set[int] = set()

    def __call__(self, tool: Tool, arguments: Frame) -> dict[str, Value | None] | Refused:
        reply = self.find_reply(tool, arguments)
        if reply is not None and reply.refusal:
            return Refused(reply.refusal, reply.message)
        if reply is not None or (tool.returns and not is_acting(self.sources.model, tool.name)):
            with suppress(ValueNotAllowedError, KeyError):
                return self.read_results(tool, None if reply is None else reply.result)
        if tool.kind is ToolKind.COMPUTE:
            return answer_tool_call(self.sources.model, tool, arguments, {})
        return _UNSEEN

    def read_results(self, tool: Tool, shown: JSON) -> dict[str, Value | None]:
        """Return what a tool returns as it was shown, or as it was seen elsewhere."""
        fields, known = self.sources.model.fields, self.sources.known
        given = shown if isinstance(shown, dict) else {}
        return {
            name: fields[name].parse(given[name]) if name in given else known[name]
            for name in tool.returns
        }

    def find_reply(self, tool: Tool, arguments: Frame) -> Reply | None:
        """Return the reply to the same call, else an answer to another call of the tool."""
        other = None
        for place, (name, given, reply) in enumerate(self.sources.calls):
            if name != tool.name or reply.refusal in (TOOL_FAULT, UNKNOWN_TOOL):
                continue
            if given != arguments:
                other = other if reply.refusal else reply
            elif place not in self.used:
                # What acts may answer the same call differently the next time.
                self.used |= {place} if is_acting(self.sources.model, name) else set()
                return reply
        return other


def _iterate_leaves(raw: JSONValue) -> Iterator[JSONValue]:
    match raw:
        case Mapping():
            for item in raw.values():
                yield from _iterate_leaves(item)
        case list() | tuple():
            for item in raw:
                yield from _iterate_leaves(item)
        case _:
            yield raw


def _iterate_numbers(raw: JSONValue) -> Iterator[JSONValue]:
    return (leaf for leaf in _iterate_leaves(raw) if _read_numbers(leaf))


def _read_numbers(leaf: JSONValue) -> set[Decimal]:
    """Return the number that a value is, however it is written; none for another value."""
    if isinstance(leaf, bool):
        return set()
    text = str(as_json(leaf))
    return {Decimal(text)} if _NUMBER.fullmatch(text) else set()


def _compare_text(leaf: JSONValue) -> str:
    """Return a text by which values are compared that may be written differently."""
    text = compose(str(as_json(leaf))).casefold()
    return "".join(letter for letter in text if letter.isalnum())
