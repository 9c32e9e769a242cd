"""Layers put around the cases of a domain by their doses, the innermost first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sopforge.harness.dials.cases import Cases
from sopforge.harness.dials.layered import LayeredCases
from sopforge.harness.dials.plain import PlainCases
from sopforge.harness.dials.queued import QueuedCases
from sopforge.harness.dials.working import work_as_reference
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.layers.ambiguity.making import make_ambiguity
from sopforge.harness.layers.dials import (
    AMBIGUITY,
    DIALS,
    DOCUMENTS,
    FAULTS,
    QUEUE,
    RECORDS,
    REFUSALS,
    USER,
    WRITES,
)
from sopforge.harness.layers.documents.making import make_documents
from sopforge.harness.layers.faults.making import make_faults
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.own_rules import take_own_rules
from sopforge.harness.layers.queue.making import make_queue
from sopforge.harness.layers.records.making import make_records
from sopforge.harness.layers.refusals.making import make_refusals
from sopforge.harness.layers.user.making import make_requester
from sopforge.harness.layers.writes.making import make_writes
from sopforge.harness.users.rehearsing import Rehearsal
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.mutants.mutants import Mutant, derive_mutants
from sopforge.proof.dataset.oracle import answer_row

_MOST_MISTAKES = 300


def put_layers(core: PlainCases, doses: Mapping[str, int], seed: int) -> Cases:
    """Return the cases of a domain with the layers of some doses around them."""
    cases: Cases = core
    for dial in DIALS:
        if dose := doses.get(dial, 0):
            cases = _PUT[dial](core, cases, dose, seed)
    return cases


def _put_ambiguity(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    return LayeredCases(cases, make_ambiguity(make_ground(core, cases), dose, seed))


def _put_refusals(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    return LayeredCases(cases, *make_refusals(make_ground(core, cases), dose, seed))


def _put_queue(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    plain = find_shown_mistakes(core)
    shows = {
        task: plain.get(cases.find_plain(task), {})
        for task in cases.shown.tasks
        if cases.get_gold(task).outcomes
    }
    queue = make_queue(make_ground(core, cases), dose, seed, shows)
    return QueuedCases(cases, queue, core.model, work_as_reference)


def _put_writes(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    return LayeredCases(cases, *make_writes(make_ground(core, cases), dose, seed))


def _put_records(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    return LayeredCases(cases, make_records(make_ground(core, cases), dose, seed))


def _put_user(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    rehearsal = Rehearsal(core.model, core.gold, core.shown, core.records)
    return LayeredCases(
        cases, make_requester(make_ground(core, cases), rehearsal, core.rows, dose, seed)
    )


def _put_faults(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    return LayeredCases(cases, make_faults(make_ground(core, cases), dose, seed))


def _put_documents(core: PlainCases, cases: Cases, dose: int, seed: int) -> Cases:
    return LayeredCases(cases, make_documents(make_ground(core, core), cases.shown, dose, seed))


_PUT: Mapping[str, Callable[[PlainCases, Cases, int, int], Cases]] = {
    AMBIGUITY: _put_ambiguity,
    REFUSALS: _put_refusals,
    QUEUE: _put_queue,
    WRITES: _put_writes,
    RECORDS: _put_records,
    USER: _put_user,
    FAULTS: _put_faults,
    DOCUMENTS: _put_documents,
}


def list_mistakes(model: DomainModel) -> list[tuple[Mutant, DomainModel]]:
    """Return the small mistakes that an agent can make, each with the model as it follows it.

    What tools work out, nobody who calls them gets wrong.
    """
    followed = ((mutant, take_own_rules(model, mutant.model)) for mutant in derive_mutants(model))
    return [(mutant, other) for mutant, other in followed if other != model]


def find_shown_mistakes(core: PlainCases) -> Mapping[str, Mapping[int, Mapping[str, str]]]:
    """Return for each task which small mistakes it shows, of a few hundred, by their numbers.

    Each stands with the outcomes that somebody comes to who makes it.
    """
    found: dict[str, dict[int, Mapping[str, str]]] = {task: {} for task in core.rows}
    mistakes = [model for _, model in list_mistakes(core.model)]
    few = mistakes[:: -(-len(mistakes) // _MOST_MISTAKES)]
    shown_at = find_distinguished(core.model, core.rows, few)
    for number, (mistake, tasks) in enumerate(zip(few, shown_at, strict=True)):
        for task in tasks:
            found[task][number] = answer_row(mistake, core.rows[task])
    return found


def make_ground(core: PlainCases, cases: Cases) -> Ground:
    """Return cases as makers of further layers see them."""

    def is_right(task: str, done: Done) -> bool:
        return cases.grade(task, Attempt(done.events, done.answer, Stop.ANSWER)).is_right

    return Ground(
        core.model,
        cases.environment,
        cases.paths,
        {
            task: core.rows[plain]
            for task in cases.shown.tasks
            if (plain := cases.find_plain(task)) in core.rows
        },
        {task: cases.find_kind(task) for task in cases.shown.tasks},
        work_as_reference,
        is_right,
        cases.split,
        tuple(core.rows.values()),
    )
