"""Why a case came to its outcomes, as a person would explain it: steps, rules, comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Choice,
    Constant,
    Expression,
    Missing,
    Not,
    Read,
    collect_read_fields,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Edge, Step, Tool
from sopforge.language.domain.predicates import map_named_conditions
from sopforge.language.domain.rules import HitPolicy, Rule, Table, is_first_given
from sopforge.language.domain.tool_checks import UNKNOWN_RECORD
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.domain.values.types import Value
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.call_verdicts import CallVerdict, judge_call
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.tool_calls import Frame, Refused, apply_effects
from sopforge.language.logic.walking import ToolCall, Walk, collect_outcomes, decide


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of a story; ``item`` is its rule or edge as traces name it, "" if it has none."""

    text: str
    item: str = ""


@dataclass(frozen=True, slots=True)
class Storyteller:
    """Writes the stories of a model's walks; ``words`` keeps what has been put into words.

    Where ``is_naming``, a condition that the model names is stated under its name.
    """

    model: DomainModel
    is_naming: bool = True
    words: dict[Expression, str] = field(default_factory=dict)
    named: dict[Expression, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        named = map_named_conditions(self.model.predicates) if self.is_naming else {}
        object.__setattr__(self, "named", named)

    def explain_walk(self, done: Walk) -> Iterator[str]:
        """Return the lines of a walk's story: each step, what it learned, and what decided."""
        for line in self.iterate_story_lines(done):
            yield line.text

    def iterate_story_lines(self, done: Walk) -> Iterator[StoryLine]:
        """Return the lines of a walk's story, each with what it is about."""
        calls, then = zip_longest(done.calls, done.seen), self.begin_again(done)
        callers: list[Step] = []
        for place, node in enumerate(done.path):
            if node not in self.model.steps:
                continue
            step = self.model.steps[node]
            yield StoryLine(f"{step.title}")
            if step.do:
                callers.append(step)
                title = self.model.parts[step.do].title
                yield StoryLine(f"  carries out: {title}")
                continue
            result = None
            if step.call is not None:
                call, record = next(calls)
                result = call.result
                yield self.describe_call(self.model.tools[step.call], result)
                yield from self.explain_call(step, call, record)
            if isinstance(result, Refused):
                yield from self.explain_refusal(step, result)
                continue
            then.known.update(result or {})
            onward = done.path[place + 1] if place + 1 < len(done.path) else ""
            yield from self.explain_leaving(step, onward, then)
            if step.is_return and not then.undecided:
                caller = callers.pop()
                yield StoryLine(f"Back at: {caller.title}")
                yield from self.explain_leaving(caller, onward, then)
        yield from self.describe_changes(done)
        yield StoryLine("Outcomes")
        for name, value in collect_outcomes(self.model, done).items():
            yield StoryLine(f"  {name}: {self.model.fields[name].format_cell(value)}")

    def describe_call(self, tool: Tool, result: Frame | Refused) -> StoryLine:
        """Return what a call was answered, in the words of the tool that an agent calls."""
        about = f" ({', '.join(self.model.describe_arguments(tool))})" if tool.operation else ""
        return StoryLine(f"  {tool.offered_name}{about} {self.describe_result(tool, result)}")

    def explain_call(self, step: Step, call: ToolCall, record: Frame | None) -> Iterator[StoryLine]:
        """Return what decided on a call and what it changed, where it is known what it saw."""
        if record is None:
            return
        tool, seen = self.model.tools[call.tool], {**record, **call.arguments}
        verdict = judge_call(self.model, tool, seen, call.result)
        # Of a record that is not there, the refusal says all.
        if verdict is not None and verdict.check.refusal != UNKNOWN_RECORD:
            yield self.explain_verdict(step, tool, verdict, seen)
        if not isinstance(call.result, Refused):
            after = apply_effects(self.model, tool, call.arguments, record)
            for name, effect in tool.effects.items():
                words = self.describe_effect(self.model.fields[name], seen[name], after[name])
                how = self.explain_effect(name, effect, seen)
                text = f"  {words}: {how}" if how else f"  {words}"
                yield StoryLine(text, f"effect {tool.name}.{name}")

    def explain_verdict(
        self, step: Step, tool: Tool, verdict: CallVerdict, seen: Frame
    ) -> StoryLine:
        """Return which node of a guard decided, with the values that it compared."""
        check = verdict.check
        reason = self.explain_condition(check.test, seen)
        if verdict.is_own:
            # Of a check that no one wrote, the procedure states what comes after it.
            edge = step.refusals.get(check.refusal)
            text = f"  its check {check.refusal} refuses it: {reason}"
            return StoryLine(text, f"edge {edge.id}" if edge else f"tool {tool.name}")
        verb = "lets it pass" if verdict.is_met else "refuses it"
        return StoryLine(f"  {check.id} {verb}: {reason}", f"guard {tool.name}.{check.id}")

    def explain_effect(self, name: str, effect: Expression, seen: Frame) -> str:
        """Return how a value came about; nothing where it is a fixed one, or as it was."""
        match effect:
            case Choice():
                is_met = bool(evaluate(effect.condition, seen))
                how = self.explain_effect(name, effect.then if is_met else effect.otherwise, seen)
                reason = self.explain_condition(effect.condition, seen)
                return f"{how}, since {reason}" if how else f"since {reason}"
            case Constant() | Missing():
                return ""
            case Read(field=read) if read == name:
                return ""
            case _:
                return phrase_expression(effect, self.model.fields)

    def describe_effect(self, item: Field, before: Value | None, after: Value | None) -> str:
        """Return what became of a field, as cells."""
        was, now = item.format_cell(before), item.format_cell(after)
        if was == now:
            return f"it leaves the {item.label} at {now}"
        return f"it sets the {item.label} from {was} to {now}"

    def describe_changes(self, done: Walk) -> Iterator[StoryLine]:
        """Return what tables hold at the end that they did not at the beginning."""
        changed = [self.model.fields[name] for name in done.changed]
        tables = [item for item in changed if item.table]
        if tables:
            yield StoryLine("Changed on file")
        for item in tables:
            shown = item.format_cell(done.changed[item.name])
            yield StoryLine(f"  the {item.label}: {shown}")

    def begin_again(self, done: Walk) -> Walk:
        """Return the beginning of a walk, to explain each step with what was known by then.

        A loop looks up and decides anew what it did before.
        """
        inputs = {item.name for item in self.model.given}
        stated = {name for name in done.known if name in inputs or find_marked_field(name)}
        return Walk({name: done.known[name] for name in stated})

    def explain_leaving(self, step: Step, onward: str, then: Walk) -> Iterator[StoryLine]:
        """Return what a step decides with what is known by then, and where the case goes on."""
        for target in step.decide:
            if not then.undecided:
                decide(self.model, target, then)
            yield from self.explain_decision(target, then)
        yield from self.explain_next_step(step, onward, then.known)

    def explain_refusal(self, step: Step, refused: Refused) -> Iterator[StoryLine]:
        edge = step.refusals.get(refused.code)
        if edge is not None:
            title = self.model.steps[edge.to].title
            text = f"  on to {title}: that is the edge after {refused.code}"
            yield StoryLine(text, f"edge {edge.id}")

    def explain_condition(self, condition: Expression, known: Frame) -> str:
        """Return the part of a condition that decided, with the values that it was decided on.

        What a predicate stands for is said under its name.
        """
        is_met = bool(evaluate(condition, known))
        name = self.named.get(condition) if self.named else None
        if name is None:
            return self.explain_parts(condition, known, is_met=is_met)
        reason = self.explain_parts(condition, known, is_met=is_met)
        return f"{name} {'holds' if is_met else 'does not hold'}: {reason}"

    def explain_parts(self, condition: Expression, known: Frame, *, is_met: bool) -> str:
        match condition:
            case AllOf():
                return self.explain_group(
                    condition.operands, known, decisive=not is_met, deciding=False
                )
            case AnyOf():
                return self.explain_group(condition.operands, known, decisive=is_met, deciding=True)
            case Not():
                return self.explain_condition(condition.operand, known)
            case _:
                fact = condition if is_met else Not(condition)
                return f"{self.phrase_fact(fact)}{self.format_values(condition, known)}"

    def phrase_fact(self, fact: Expression) -> str:
        if fact not in self.words:
            self.words[fact] = phrase_expression(fact, self.model.fields)
        return self.words[fact]

    def explain_group(
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
            return self.explain_condition(operands[truths.index(deciding)], known)
        return ", and ".join(self.explain_condition(operand, known) for operand in operands)

    def format_values(self, condition: Expression, known: Frame) -> str:
        names = sorted(find_marked_field(name) or name for name in collect_read_fields(condition))
        fields = [self.model.fields[name] for name in names]
        facts = [f"{item.label}: {item.format_cell(known.get(item.name))}" for item in fields]
        return f" ({'; '.join(facts)})" if facts else ""

    def describe_result(self, tool: Tool, result: Frame | Refused) -> str:
        if isinstance(result, Refused):
            return f"refused: {result.says} ({result.code})"
        facts = [
            f"{tool.results[name]} = {self.model.fields[name].format_cell(value)}"
            for name, value in result.items()
        ]
        return f"returned {', '.join(facts)}" if facts else "accepted the call"

    def explain_decision(self, target: str, done: Walk) -> Iterator[StoryLine]:
        decision, item = self.model.decisions[target], self.model.fields[target]
        value = item.format_cell(done.known.get(target))
        if not isinstance(decision, Table):
            yield StoryLine(f"  {item.label}: {value}")
            return
        if not is_first_given(decision):
            yield StoryLine(f"  and {item.label}: {value}")
            return
        ids = done.rules.get(target, ())
        for rule in decision.rules:
            for text in self.explain_rule(decision, rule, done.known, is_hit=rule.id in ids):
                yield StoryLine(text, f"rule {target}.{rule.id}")
            # Where results are collected, later rules take part too; else one hit is reason enough.
            if rule.id in ids and decision.hit is not HitPolicy.COLLECT:
                break
        yield StoryLine(f"  so {item.label}: {value}")

    def explain_rule(
        self, table: Table, rule: Rule, known: Frame, *, is_hit: bool
    ) -> Iterator[str]:
        if rule.when is None:
            if is_hit:
                yield f"  rule {rule.id} applies: it is for every other case"
            return
        verb = "applies" if is_hit else "does not apply"
        # In other tables a rule that fails has no part in why another one applies.
        if is_hit or table.is_in_turn or table.hit is HitPolicy.COLLECT:
            yield f"  rule {rule.id} {verb}: {self.explain_condition(rule.when, known)}"

    def explain_next_step(self, step: Step, onward: str, known: Frame) -> Iterator[StoryLine]:
        edge = next((item for item in step.edges if item.id == onward), None)
        if edge is None or len(step.edges) == 1:
            return
        reason = self.explain_edge(step, edge, known)
        yield StoryLine(f"  on to {self.model.steps[edge.to].title}: {reason}", f"edge {edge.id}")

    def explain_edge(self, step: Step, edge: Edge, known: Frame) -> str:
        if edge.when is not None and holds(edge.when, known):
            return self.explain_condition(edge.when, known)
        # The edge without a condition is the last: it is taken because all others were not.
        others = [item.when for item in step.edges if item.when is not None]
        return ", and ".join(self.explain_condition(when, known) for when in others)
