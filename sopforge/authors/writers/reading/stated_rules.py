"""What a reader says that a passage states, as rules of the domain language, read strictly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from sopforge.errors import Fault
from sopforge.language.domain.building.decision_logic import DecisionBuilder
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.model_schema import DecisionDocument, RuleDocument
from sopforge.language.domain.documents.yaml_documents import Document
from sopforge.language.domain.expressions.expressions import AllOf, Expression
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.rules import Decision, Formula
from sopforge.language.domain.values.types import NumberType

Transitions: TypeAlias = tuple[tuple[Expression | None, str], ...]
"""The condition of each transition from a step, and in words where it leads."""
Rules: TypeAlias = Decision | Transitions
Answer: TypeAlias = Mapping[str, Any]

TRANSITIONS = "transitions"
_WIDEST = 10**15
_COLLECTED = frozenset({"sum", "min", "max", "count", "union"})


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of an answer that is no rule: what it is about, and why it cannot be read."""

    name: str
    message: str
    hint: str = ""

    def as_record(self) -> dict[str, str]:
        """Return it as templates take it."""
        return {"about": self.name, "message": self.message, "hint": self.hint}


@dataclass(slots=True)
class StatedRules:
    """The rules that a passage states, by what they are about, with the sentences quoted for them.

    ``unclear`` has the sentences in doubt, and how else they could be understood.
    """

    rules: dict[str, Rules] = field(default_factory=dict)
    sentences: dict[str, list[str]] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)
    unclear: list[tuple[str, str]] = field(default_factory=list)


def name_refusal(code: str) -> str:
    """Return what the transition after a refusal is called in reports."""
    return f"transition after {code}"


def name_guard(tool: str, refusal: str) -> str:
    """Return what a check of a tool is called in reports."""
    return f"{tool}, {refusal}"


def name_effect(name: str) -> str:
    """Return what a change on file is called in reports."""
    return f"{name} on file"


def name_end(name: str) -> str:
    """Return what a result that an end sets is called in reports."""
    return f"{name} at the end"


def label_edge(to: str, at_most: int | None = None, then: str | None = None) -> str:
    """Return in words where a transition leads, and how often."""
    bound = f", {at_most} times at most, then step {then}" if at_most else ""
    return f"step {to}{bound}"


def as_formula(name: str, value: Expression) -> Formula:
    """Return a value as the decision that gives it."""
    return Formula(name, value, "")


def read_stated_rules(model: DomainModel, answer: Answer, steps: Iterable[str]) -> StatedRules:
    """Return the rules of an answer; ``steps`` are the numbers of the steps that there are.

    A rule uses fields and figures, and no constant of the policy: its name would stand in for the
    figure that the passage should have. One rule of a decision that cannot be read spoils it all.
    """
    reading = _Reading(model, tuple(steps))
    for item in answer["decisions"]:
        reading.add(item["field"], item, reading.read_decision)
    reading.add_edges(answer["transitions"])
    for item in answer["refused"]:
        reading.add(name_refusal(item["code"]), item, reading.read_refusal)
    for item in answer["guards"]:
        reading.add_guard(item)
    for item in answer["effects"]:
        reading.add(name_effect(item["field"]), item, reading.read_value)
    for item in answer["ends"]:
        reading.add(name_end(item["field"]), item, reading.read_value)
    stated = reading.stated
    stated.unclear = [(item["sentence"], item["why"]) for item in answer["unclear"]]
    return stated


class _Reading:
    """Reads the parts of one answer; what is no rule is kept with the reason."""

    def __init__(self, model: DomainModel, steps: tuple[str, ...]) -> None:
        self.model, self.steps, self.stated = model, steps, StatedRules()
        # An answer has no lines of a file; all of its faults are at its only place.
        self.gathering = Gathering(Document("the answer", {}, {(): 1}))
        self.reader = Reader(
            self.gathering,
            Scope(
                fields={name: item.type for name, item in model.fields.items()},
                # See ``read_stated_rules``: a policy's name would stand in for the figure that is
                # to be read.
                constants={},
                optional=frozenset(name for name, item in model.fields.items() if item.missing),
                calendars={name: calendar for name, (calendar, _) in model.calendars.items()},
                malformable=frozenset(item.name for item in model.malformable),
            ),
        )
        self.fields = {name: _widen_field(item) for name, item in model.fields.items()}
        self.builder = DecisionBuilder(self.gathering, self.reader, self.fields)

    def add(self, name: str, item: Answer, read: Callable[[Answer], Rules | None]) -> None:
        """Keep what an item of the answer says under a name, or why it cannot be read."""
        before, known = len(self.gathering.faults), self.stated.rules.get(name)
        found = read(item)
        if known is not None and found not in {known, None}:
            message = "it is stated twice, and differently"
            self.gathering.add_fault(
                (), "duplicate-name", message, "state it once, as the passage does"
            )
        self.keep(name, found, before, item)

    def add_guard(self, item: Answer) -> None:
        """Keep a check of a tool, together with others that refuse with the same code."""
        name = name_guard(item["tool"], item["refusal"])
        before, known, found = len(self.gathering.faults), self.stated.rules.get(name), None
        self.gathering.is_listed_name((), item["tool"], self.model.tools, "tool")
        test = self.reader.read_condition((), item["condition"])
        if test is not None:
            tests = (known.value, test) if isinstance(known, Formula) else (test,)
            found = as_formula(name, AllOf(tests))
        self.keep(name, found, before, item)

    def keep(self, name: str, found: Rules | None, before: int, item: Answer) -> None:
        """Keep a rule, unless faults came up since there were ``before`` of them."""
        faults = self.gathering.faults[before:]
        if found is not None and not faults:
            self.stated.rules[name] = found
        self.stated.sentences.setdefault(name, []).append(item["sentence"])
        self.stated.unreadable += [
            Unreadable(name, _format_message(fault), fault.hint) for fault in faults
        ]

    def read_decision(self, item: Answer) -> Decision | None:
        """Return a decision, unless it reads what it decides, straight or through others."""
        name, rows = item["field"], item["rules"]
        if not rows:
            hint = "write its rules, or leave it out"
            self.gathering.add_fault((), "rule-shape", "it has no rule", hint)
            return None
        document = _build_document(item["hit"], rows)
        if document is None:
            message = "'hit: value' has one rule, without 'when'"
            self.gathering.add_fault((), "rule-shape", message, "name another hit policy")
            return None
        if not self.gathering.is_listed_name((), name, self.fields, "field"):
            return None
        decision = self.builder.build_decision(name, document)
        if decision is not None:
            self.builder.check_cycles({**self.model.decisions, name: decision})
        return decision

    def add_edges(self, items: Iterable[Answer]) -> None:
        """Keep the transitions, which are one thing in their order."""
        before = len(self.gathering.faults)
        transitions: list[tuple[Expression | None, str]] = []
        for item in items:
            when = item["when"]
            condition = self.reader.read_condition((TRANSITIONS,), when) if when else None
            targets = [item["to"], *([item["then"]] if item["at_most"] else [])]
            if all(self.is_step(number) for number in targets):
                transitions.append(
                    (condition, label_edge(item["to"], item["at_most"], item["then"]))
                )
            self.stated.sentences.setdefault(TRANSITIONS, []).append(item["sentence"])
        faults = self.gathering.faults[before:]
        self.stated.unreadable += [
            Unreadable(TRANSITIONS, _format_message(fault), fault.hint) for fault in faults
        ]
        if transitions and not faults:
            self.stated.rules[TRANSITIONS] = tuple(transitions)

    def read_refusal(self, item: Answer) -> Transitions | None:
        return ((None, label_edge(item["to"])),) if self.is_step(item["to"]) else None

    def read_value(self, item: Answer) -> Formula | None:
        name = item["field"]
        if not self.gathering.is_listed_name((), name, self.model.fields, "field"):
            return None
        value = self.reader.read_value((), item["value"], self.fields[name].type)
        return None if value is None else as_formula("", value)

    def is_step(self, number: str) -> bool:
        return self.gathering.is_listed_name((), number, self.steps, "step")


def _widen_field(item: Field) -> Field:
    """Return a field that takes any number: what the passage gives is compared, not corrected.

    Its range would show a reader something of the rules.
    """
    if not isinstance(item.type, NumberType):
        return item
    return replace(item, type=replace(item.type, minimum=-_WIDEST, maximum=_WIDEST))


def _build_document(hit: str, rows: list[Answer]) -> DecisionDocument | None:
    """Return the rows as the language has them; None where they are no expression, yet said so."""
    if hit == "value":
        is_one = len(rows) == 1 and not rows[0]["when"]
        return DecisionDocument(value=rows[0]["then"]) if is_one else None
    rules = tuple(
        RuleDocument(id=f"R{number}", when=row["when"], then=row["then"])
        if row["when"]
        else RuleDocument(id=f"R{number}", otherwise=row["then"])
        for number, row in enumerate(rows, start=1)
    )
    if hit in _COLLECTED:
        return DecisionDocument.model_validate({"hit": "collect", "collect": hit, "rules": rules})
    return DecisionDocument.model_validate({"hit": hit, "rules": rules})


def _format_message(fault: Fault) -> str:
    """Return a fault's message with the part of the answer that it is about."""
    part = fault.where.partition(", model.decisions.")[2]
    return f"{part}: {fault.message}" if part else fault.message
