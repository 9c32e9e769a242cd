"""On drawn rows of all small domains: whoever follows the gold trajectory makes nothing up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from sopforge.harness.environment.events import Called, Reply
from sopforge.harness.grading.grades import Attempt, DivergenceKind, Grade, Stop
from sopforge.harness.grading.proved import grade_attempt
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.tasks.writing import as_task
from sopforge.sandbox.answers import as_json
from sopforge.seeds import make_stream
from tests.worlds.small_models import claims, held_parcels, orders, stays, warranty

MODELS = [(held_parcels, 60), (orders, 120), (warranty, 120), (stays, 60), (claims, 40)]
EACH = pytest.mark.parametrize(("make", "count"), MODELS, ids=[make.__name__ for make, _ in MODELS])


def iterate_tasks(model: DomainModel, count: int) -> Iterator[Task]:
    """Return tasks of drawn rows that come to an answer."""
    for number, row in enumerate(sample_rows(model, 23, range(count))):
        walk = label_row(model, row)
        if walk.refusal is None and not walk.undecided:
            yield as_task(
                model, Candidate(f"task-{number}", f"fill:{number}", number, row, walk), 0
            )


def make_event(call: GoldCall) -> Called:
    """Return a gold call as an agent makes it."""
    arguments = {name: as_json(value) for name, value in call.arguments.items()}
    if call.refusal:
        return Called(call.tool, arguments, Reply(None, call.refusal, "so"))
    return Called(call.tool, arguments, Reply(as_json(call.result)))


def grade(model: DomainModel, task: Task, events: list[Called]) -> Grade:
    """Return the grade of calls with the right answer."""
    answer = write_answer({**task.outcomes, **task.intermediates})
    return grade_attempt(model, task, Attempt(events, answer, Stop.ANSWER))


@EACH
def test_a_gold_attempt_is_without_a_fault(make: Callable[[], DomainModel], count: int) -> None:
    model, seen = make(), 0
    for task in iterate_tasks(model, count):
        found = grade(model, task, [make_event(call) for call in task.calls])
        seen += 1
        assert found.is_right, task
        assert (found.divergence_kind, found.fabricated) == (DivergenceKind.NONE, ()), task
        assert found.is_in_needed_order
        assert not found.distractors
    assert seen > count / 3


@EACH
def test_a_key_that_nobody_gave_is_made_up(make: Callable[[], DomainModel], count: int) -> None:
    model, seen = make(), 0
    for task in iterate_tasks(model, count):
        events = [make_event(call) for call in task.calls]
        if events and model.key in events[-1].arguments:
            changed = {**events[-1].arguments, model.key: "nobody-gave-this"}
            events[-1] = events[-1]._replace(arguments=changed)
            found = grade(model, task, events)
            seen += 1
            # What the last call would have shown may be what decides the answer.
            made_up = [place for place in found.fabricated or () if "answer." not in place]
            assert made_up == [f"{events[-1].tool}.{model.key}"], task
            assert found.divergence_kind is DivergenceKind.FABRICATED_PARAMETER, task
    assert seen


@EACH
def test_spoiled_attempts_are_graded_too(make: Callable[[], DomainModel], count: int) -> None:
    model = make()
    tasks = list(iterate_tasks(model, count))
    events = [make_event(call) for task in tasks for call in task.calls]
    for number, task in enumerate(tasks):
        for turn in range(12):
            stream = make_stream(number, "spoiled", turn)
            drawn = [events[stream.draw_below(len(events), place)] for place in range(4)]
            own = [make_event(call) for call in task.calls]
            # Calls of other cases among the own ones, answered with what others were answered.
            mixed = [*own[: stream.draw_below(len(own) + 1, 9)], *drawn[:2], *own[::-1]]
            mixed += [event._replace(reply=drawn[2].reply) for event in drawn]
            mixed += [event._replace(arguments=drawn[3].arguments) for event in own]
            cut = stream.draw_below(len(mixed) + 1, 10)
            answers = tasks[stream.draw_below(len(tasks), 11)].outcomes
            attempt = Attempt(mixed[:cut], write_answer(answers), Stop.ANSWER)
            found = grade_attempt(model, task, attempt)

            assert found.divergence_kind is not None
            assert found.is_right or found.divergence_kind is not DivergenceKind.NONE
            assert found.is_in_needed_order or not found.is_in_order
