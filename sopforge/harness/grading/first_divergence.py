"""What an attempt gets wrong first, in the order of the procedure, and what was right there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sopforge.harness.environment.events import TOOL_FAULT, Called
from sopforge.harness.grading.grades import Attempt, DivergenceKind, Stop
from sopforge.harness.grading.reachable import iterate_reachable
from sopforge.harness.grading.sources import Fabrication
from sopforge.language.domain.expressions.expressions import Read
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.tasks import Task
from sopforge.language.logic.walking import iterate_finished_steps
from sopforge.proof.dataset.gold.order import is_acting
from sopforge.sandbox.answers import JSONValue, as_json, as_text
from sopforge.session.score import Call, Gold, count_equal, match_calls, subtract_calls

_LONGEST = 160
"""Characters of a value in a sentence."""


@dataclass(frozen=True, slots=True)
class FirstDivergence:
    """What is wrong first: of what kind, at which step, and in words."""

    kind: DivergenceKind
    at: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a final text states: cells by field, which of them are right, and which are values.

    ``missing`` are those that say that there is no value.
    """

    cells: Mapping[str, str]
    right: Collection[str]
    values: Collection[str]
    missing: Collection[str] = ()

    @property
    def is_right(self) -> bool:
        """Whether all values that are stated are right ones."""
        return set(self.values) <= set(self.right)


@dataclass(frozen=True)
class Followed:
    """How the calls of an attempt follow the gold ones of its task.

    ``made`` are its calls as they are graded.
    """

    model: DomainModel
    task: Task
    called: Sequence[Called]
    expected: Gold
    made: Sequence[Call]
    fabricated: Sequence[Fabrication] = field(default_factory=tuple)

    @property
    def gold(self) -> Sequence[Call]:
        """The gold calls."""
        return self.expected.calls

    @cached_property
    def matched(self) -> list[int | None]:
        """For each call the gold call that it stands for."""
        return match_calls(self.gold, self.expected.needs, self.made)

    @property
    def is_in_needed_order(self) -> bool:
        """Whether each gold call was made, after those that it needs."""
        return set(self.matched) >= set(range(len(self.gold)))

    @cached_property
    def acting(self) -> int | None:
        """The first call that may have changed something and is no gold one."""
        return next(
            (
                place
                for place, (tool, _, refusal) in enumerate(self.made)
                if self.matched[place] is None and not refusal and is_acting(self.model, tool)
            ),
            None,
        )

    @cached_property
    def lacking_acts(self) -> list[str]:
        """The tools of the gold calls that act and were not made, refused ones included."""
        wanted = [call for call in self.gold if is_acting(self.model, call[0])]
        return [call[0] for call in subtract_calls(wanted, self.made)]

    @cached_property
    def end(self) -> int:
        """How many calls there are up to the first that cannot be taken back."""
        return len(self.made) if self.acting is None else self.acting + 1

    @cached_property
    def due(self) -> int | None:
        """The first gold call that was not made by then."""
        done = set(self.matched[: self.end])
        return next((place for place in range(len(self.gold)) if place not in done), None)

    @cached_property
    def steps(self) -> list[str]:
        """The step of each gold call."""
        steps = (self.model.steps.get(node) for node in self.task.path)
        return [step.id for step in steps if step is not None and step.call is not None]

    @property
    def decided_before_due(self) -> Sequence[tuple[str, str]]:
        """What the gold path decides before the call that is due, by step and field."""
        decided = list(iterate_decided(self.model, self.task.path))
        # Of what is decided several times the last result is the one that is stated.
        last = {name: place for place, (_, _, name) in enumerate(decided)}
        return [
            (step, name)
            for place, (calls, step, name) in enumerate(decided)
            if last[name] == place and (self.due is None or calls <= self.due)
        ]


def iterate_decided(model: DomainModel, path: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Return each value that a path decides, with its step and the calls made up to there."""
    calls = 0
    for step in iterate_finished_steps(model, path):
        calls += step.call is not None
        decided = (*step.decide, *(step.end or ()))
        yield from ((calls, step.id, name) for name in decided)


def find_first_divergence(
    followed: Followed, stated: Stated, attempt: Attempt, *, is_right: bool
) -> FirstDivergence:
    """Return what is wrong first."""
    if not is_right and (wrong := _find_wrong_decision(followed, stated)) is not None:
        return wrong
    if followed.due is not None:
        if not is_right and (wrong := _find_wrong_edge(followed, stated, followed.due)) is not None:
            return wrong
        first = _judge_due_call(followed, followed.due, attempt)
        return first if is_right else _add_lacking_acts(followed, stated, first)
    if followed.acting is None and not (is_right and stated.is_right):
        return _judge_answer(followed, stated, attempt)
    further = [place for place, gold in enumerate(followed.matched) if gold is None]
    if further := [place for place in further if not followed.made[place][2]]:
        place = further[0] if followed.acting is None else followed.acting
        return FirstDivergence(DivergenceKind.FURTHER_CALL, followed.called[place].tool)
    return FirstDivergence(DivergenceKind.NONE)


def _add_lacking_acts(
    followed: Followed, stated: Stated, first: FirstDivergence
) -> FirstDivergence:
    """Return a divergence that says, where all outcomes are right, what was not done besides."""
    if followed.due is None or any(
        item.name not in stated.right for item in followed.model.outcomes
    ):
        return first
    # That the due call itself is lacking, the place says.
    due = followed.gold[followed.due][0]
    lacking = dict.fromkeys(tool for tool in followed.lacking_acts if tool != due)
    says = [f"the right call of {tool} was not made" for tool in lacking]
    return replace(first, says="; ".join(filter(None, [first.says, *says])))


def _find_wrong_decision(followed: Followed, stated: Stated) -> FirstDivergence | None:
    """Return the first decision that comes out wrong, of those that no call was lacking for."""
    # Who stops has not decided yet: to say so is no wrong decision.
    undecided = stated.missing if followed.due is not None else ()
    for step, name in followed.decided_before_due:
        if name in stated.values and name not in stated.right and name not in undecided:
            return _make_wrong_answer(followed, stated, name, step)
    return None


def _find_wrong_edge(followed: Followed, stated: Stated, due: int) -> FirstDivergence | None:
    """Return the step from which a wrong edge leads, without a call, to the end that is stated."""
    model, path = followed.model, followed.task.path
    if any(gold is None for gold in followed.matched):
        return None
    steps = [node for node in path if node in model.steps]
    calling = [node for node in steps if model.steps[node].call is not None]
    first = steps.index(calling[due - 1]) if due else 0
    for node in steps[first : steps.index(calling[due])]:
        edges = [edge for edge in model.steps[node].edges if edge.id not in path]
        for edge in edges:
            for step in iterate_reachable(model, {}, edge.to):
                if (name := _find_stated_end(step, stated, model)) is not None:
                    return _make_wrong_answer(followed, stated, name, node)
    return None


def _find_stated_end(step: Step, stated: Stated, model: DomainModel) -> str | None:
    """Return an outcome that an end sets, and that is stated so and wrong."""
    for name, constant in (step.end or {}).items():
        is_wrong = name in stated.values and name not in stated.right
        if is_wrong and model.fields[name].parse(stated.cells[name]) == constant.value:
            return name
    return None


def _judge_answer(followed: Followed, stated: Stated, attempt: Attempt) -> FirstDivergence:
    """Return what is wrong with a final text after the gold calls, where no decision is."""
    if not (attempt.answer or "").strip():
        says = "" if attempt.stop is Stop.ANSWER else attempt.stop.value
        return FirstDivergence(DivergenceKind.NO_ANSWER, "", says)
    for item in (*followed.model.outcomes, *followed.model.intermediates):
        if item.name in stated.values and item.name not in stated.right:
            return _make_wrong_answer(followed, stated, item.name, "")
    for item in followed.model.outcomes:
        if item.name not in stated.values:
            cell = stated.cells.get(item.name)
            says = "it is not stated" if cell is None else f"{_format(cell)} is none of its values"
            return FirstDivergence(DivergenceKind.MALFORMED_ANSWER, item.name, says)
    if attempt.stop is Stop.ANSWER:
        # Calls and answer are right: what is left of a session is what its texts give away.
        return FirstDivergence(DivergenceKind.SECRET_SAID)
    return FirstDivergence(DivergenceKind.NO_ANSWER, "", attempt.stop.value)


def _make_wrong_answer(followed: Followed, stated: Stated, name: str, step: str) -> FirstDivergence:
    task = followed.task
    right = task.outcomes.get(name, task.intermediates.get(name, ""))
    wanted = f"{_format(right)} is right" if right else "none is right"
    says = f"{wanted}, {_format(stated.cells[name])} was stated"
    at = _name_place(step, _name_decision(task, name))
    if step and step in task.path[-1:] and len(task.path) > 1 and name not in task.rules:
        at = f"{at} by {task.path[-2]}"
    copied = name in task.inputs or any(name in call.result for call in task.calls)
    decision = followed.model.decisions.get(name)
    copied = copied or (isinstance(decision, Formula) and isinstance(decision.value, Read))
    kind = DivergenceKind.WRONG_VALUE if copied else DivergenceKind.WRONG_RULE
    return FirstDivergence(kind, at, says)


def _judge_due_call(followed: Followed, due: int, attempt: Attempt) -> FirstDivergence:
    """Return why the gold call that was due is lacking."""
    tool = followed.gold[due][0]
    step = followed.steps[due] if due < len(followed.steps) else ""
    tries = [
        place
        for place in range(followed.end)
        if followed.made[place][0] == tool and followed.matched[place] is None
    ]
    if tries:
        return _judge_try(followed, due, tries, step)
    before = [place for place, gold in enumerate(followed.matched) if gold in range(due)]
    first = max(before, default=-1) + 1
    others = [
        place
        for place in range(first, followed.end)
        if followed.made[place] not in followed.made[:place]
    ]
    place = _name_place(step, tool)
    if others:
        # One that is no gold call at all, rather than one that was only made before its turn.
        instead = min(others, key=lambda other: followed.matched[other] is not None)
        says = f"{followed.called[instead].tool} was called in its place"
        return FirstDivergence(DivergenceKind.WRONG_TOOL, place, says)
    says = "" if attempt.stop is Stop.ANSWER else attempt.stop.value
    return FirstDivergence(DivergenceKind.EARLY_STOP, place, says)


def _judge_try(followed: Followed, due: int, tries: Sequence[int], step: str) -> FirstDivergence:
    """Return what is wrong with the call that comes closest to the one that was due."""
    tool, wanted, _ = followed.gold[due]
    place = max(tries, key=lambda place: count_equal(followed.gold[due], followed.made[place]))
    given = followed.made[place][1]
    names = [*wanted, *(name for name in given if name not in wanted)]
    wrong = [name for name in names if name not in given or given[name] != wanted.get(name, ...)]
    if not wrong:
        if followed.made[place][2] == TOOL_FAULT:
            return FirstDivergence(
                DivergenceKind.EARLY_STOP, _name_place(step, tool), "the tool gave no answer"
            )
        says = "it was called before a call that it needs"
        return FirstDivergence(DivergenceKind.WRONG_TOOL, _name_place(step, tool), says)
    name = wrong[0]
    raw = followed.called[place].arguments.get(name)
    gold = followed.task.calls[due].arguments
    is_made_up = any((item.name, item.value) == (name, raw) for item in followed.fabricated)
    says = (
        f"{_format(gold[name]) if name in gold else 'none'} is right,"
        f" {_format(raw) if name in given else 'none'} was given"
    )
    at = _name_place(step, f"{tool}.{name}")
    if is_made_up:
        return FirstDivergence(DivergenceKind.FABRICATED_PARAMETER, at, says)
    if name in followed.model.decisions and not _is_returned(followed, name, due):
        says = f"{says} ({_name_decision(followed.task, name)})"
        return FirstDivergence(DivergenceKind.WRONG_VALUE, at, says)
    return FirstDivergence(DivergenceKind.WRONG_PARAMETER, at, says)


def _is_returned(followed: Followed, name: str, due: int) -> bool:
    """Return whether an earlier gold call shows a value, so that nobody has to decide it."""
    return any(name in call.result for call in followed.task.calls[:due])


def _name_decision(task: Task, name: str) -> str:
    """Return a decision with the rules that decide it for the task."""
    return ".".join((name, *(["+".join(task.rules[name])] if task.rules.get(name) else [])))


def _name_place(step: str, what: str) -> str:
    return f"{step}: {what}" if step else what


def _format(value: JSONValue) -> str:
    text = as_text(as_json(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
