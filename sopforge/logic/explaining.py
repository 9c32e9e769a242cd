"""Why a case came to its outcomes, as a person would tell it: steps, rules, comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sopforge.domain.language.expressions import AllOf, AnyOf, Expression, Not, fields_read
from sopforge.domain.model import DomainModel, Edge, Step
from sopforge.domain.rules import HitPolicy, Rule, Table
from sopforge.domain.values.malformed import marked_field
from sopforge.logic.english import english
from sopforge.logic.readings.scalar import evaluate, holds
from sopforge.logic.tool_calls import Frame, Refused
from sopforge.logic.walking import Walk, outcomes


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of a story; ``item`` is the rule or way that it tells of, as traces name it, or ""."""

    text: str
    item: str = ""


@dataclass(frozen=True, slots=True)
class Storyteller:
    """Tells the stories of a model's walks; ``words`` keeps what has been put into words."""

    model: DomainModel
    words: dict[Expression, str] = field(default_factory=dict)

    def tell(self, done: Walk) -> Iterator[str]:
        """Return the lines of a walk's story: each step, what it learned, and what decided."""
        for told in self.story(done):
            yield told.text

    def story(self, done: Walk) -> Iterator[StoryLine]:
        """Return the lines of a walk's story, each with what it tells of."""
        calls = iter(done.calls)
        for place, node in enumerate(done.path):
            if node not in self.model.steps:
                continue
            step = self.model.steps[node]
            yield StoryLine(f"{step.title}")
            result = None
            if step.call is not None:
                result = next(calls).result
                yield StoryLine(f"  {step.call} {self.told(result)}")
            if isinstance(result, Refused):
                yield from self.after_refusal(step, result)
                continue
            for target in step.decide:
                yield from self.decided(target, done)
            onward = done.path[place + 1] if place + 1 < len(done.path) else ""
            yield from self.went_on(step, onward, done.known)
        yield StoryLine("Outcomes")
        for name, value in outcomes(self.model, done).items():
            yield StoryLine(f"  {name}: {self.model.fields[name].cell(value)}")

    def after_refusal(self, step: Step, refused: Refused) -> Iterator[StoryLine]:
        way = step.refusals.get(refused.code)
        if way is not None:
            title = self.model.steps[way.to].title
            told = f"  on to {title}: that is the way after {refused.code}"
            yield StoryLine(told, f"edge {way.id}")

    def because(self, condition: Expression, known: Frame) -> str:
        """Return the part of a condition that decided, with the values that it was decided on."""
        is_met = bool(evaluate(condition, known))
        match condition:
            case AllOf():
                return self.group(condition.operands, known, decisive=not is_met, deciding=False)
            case AnyOf():
                return self.group(condition.operands, known, decisive=is_met, deciding=True)
            case Not():
                return self.because(condition.operand, known)
            case _:
                fact = condition if is_met else Not(condition)
                return f"{self.said(fact)}{self.values(condition, known)}"

    def said(self, fact: Expression) -> str:
        if fact not in self.words:
            self.words[fact] = english(fact, self.model.fields)
        return self.words[fact]

    def group(
        self,
        operands: tuple[Expression, ...],
        known: Frame,
        *,
        decisive: bool,
        deciding: bool,
    ) -> str:
        """Return the first operand whose truth alone decided, or all where all were needed."""
        if decisive:
            truths = [bool(evaluate(operand, known)) for operand in operands]
            return self.because(operands[truths.index(deciding)], known)
        return ", and ".join(self.because(operand, known) for operand in operands)

    def values(self, condition: Expression, known: Frame) -> str:
        facts = [
            f"{self.model.fields[name].label}: {self.model.fields[name].cell(known.get(name))}"
            for name in sorted(marked_field(name) or name for name in fields_read(condition))
        ]
        return f" ({'; '.join(facts)})" if facts else ""

    def told(self, result: Frame | Refused) -> str:
        if isinstance(result, Refused):
            return f"refused: {result.says} ({result.code})"
        facts = [
            f"{name} = {self.model.fields[name].cell(value)}" for name, value in result.items()
        ]
        return f"returned {', '.join(facts)}" if facts else "accepted the call"

    def decided(self, target: str, done: Walk) -> Iterator[StoryLine]:
        decision, item = self.model.decisions[target], self.model.fields[target]
        value = item.cell(done.known.get(target))
        if not isinstance(decision, Table):
            yield StoryLine(f"  {item.label}: {value}")
            return
        ids = done.rules.get(target, ())
        for rule in decision.rules:
            for told in self.rule(decision, rule, done.known, is_hit=rule.id in ids):
                yield StoryLine(told, f"rule {target}.{rule.id}")
            if rule.id in ids and decision.hit is not HitPolicy.COLLECT:
                break
        yield StoryLine(f"  so {item.label}: {value}")

    def rule(self, table: Table, rule: Rule, known: Frame, *, is_hit: bool) -> Iterator[str]:
        if rule.when is None:
            if is_hit:
                yield f"  rule {rule.id} applies: it is for every other case"
            return
        verb = "applies" if is_hit else "does not apply"
        if is_hit or table.hit in {HitPolicy.FIRST, HitPolicy.COLLECT}:
            yield f"  rule {rule.id} {verb}: {self.because(rule.when, known)}"

    def went_on(self, step: Step, onward: str, known: Frame) -> Iterator[StoryLine]:
        edge = next((item for item in step.edges if item.id == onward), None)
        if edge is None or len(step.edges) == 1:
            return
        reason = self.reason(step, edge, known)
        yield StoryLine(f"  on to {self.model.steps[edge.to].title}: {reason}", f"edge {edge.id}")

    def reason(self, step: Step, edge: Edge, known: Frame) -> str:
        if edge.when is not None and holds(edge.when, known):
            return self.because(edge.when, known)
        others = [item.when for item in step.edges if item.when is not None]
        return ", and ".join(self.because(when, known) for when in others)
