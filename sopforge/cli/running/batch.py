"""Runs of several domains, as many at once as there are processes for them, shown in one view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.cli.options import store_option
from sopforge.cli.output import (
    EXIT_BAD_INPUT,
    EXIT_FINDINGS,
    Result,
    make_console,
    print_faults,
    say,
)
from sopforge.cli.running.asked_briefs import load_asked_brief
from sopforge.cli.running.ending import (
    build_ending_record,
    build_failed_record,
    choose_worst_code,
    exit_code,
    list_next_commands,
)
from sopforge.cli.running.interrupting import end_jobs_interrupted
from sopforge.cli.screens.board import Board
from sopforge.cli.screens.stage_log import StageLog
from sopforge.cli.screens.work_view import name_run, show_work
from sopforge.errors import Fault, SopForgeError
from sopforge.parallel import use_jobs
from sopforge.progress.describing import Reporter
from sopforge.progress.tracking import listen, track
from sopforge.store.versions import DomainStore

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

    from sopforge.authors.providers.watching import Event
    from sopforge.language.domain.reading import Brief
    from sopforge.pipeline.briefs.taking import Newer
    from sopforge.store.last_run import RunSettings


@dataclass(frozen=True, slots=True)
class Job:
    """A run of a domain, and the command that makes it again.

    It is of a ``brief``, or of a ``variant`` that it names, with ``settings``; ``newer`` says what
    to do where the store has a newer one. Without a brief it goes on from the one that is kept, as
    its last run was asked for.
    """

    domain: str
    again: str
    brief: Path | None = None
    variant: str = ""
    settings: RunSettings | None = None
    newer: Newer | None = None


VIEW_SECONDS = 0.25


def _ignore_line(domain: str, line: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, in one line and as a value; with faults, it did not come to its end."""

    domain: str
    code: int
    record: Mapping[str, object]
    message: str = ""
    faults: tuple[Fault, ...] = ()


def run_jobs(place: str, jobs: Sequence[Job], at_once: int, *, as_json: bool = False) -> Result:
    """Run jobs on the store in a place, and say at once of each how it ended.

    On a terminal one view shows how far each is. With ``as_json`` messages go to standard error.
    """
    screen, found = make_console(stderr=as_json), dict[str, Outcome]()
    board = Board(len(jobs))
    try:
        with board.show_live():
            for outcome in _iterate_outcomes(place, jobs, at_once, board):
                found[outcome.domain] = outcome
                board.mark_ended(outcome.domain)
                if outcome.message:
                    say(screen, f"{outcome.domain}: {outcome.message}")
    except KeyboardInterrupt:
        end_jobs_interrupted(len(found), len(jobs))
    for outcome in found.values():
        print_faults(outcome.faults)
    code = choose_worst_code(outcome.code for outcome in found.values())
    return Result([found[job.domain].record for job in jobs], code=code)


def run_job(place: str, job: Job, report: Callable[[str, str], None] = _ignore_line) -> Outcome:
    """Make a run in this process, reporting how far it is, and return how it ended."""
    from sopforge.authors.providers.spending import Spending, describe_call
    from sopforge.pipeline.runs.continuing import find_next_run as due_of
    from sopforge.pipeline.runs.run import RunHooks, describe_end, run_alone
    from sopforge.store.opening import open_store

    domain, spending = open_store(place).get_domain(job.domain), Spending()
    say_so = partial(report, job.domain)
    stage_log = StageLog(say_so, spending.describe_cost)

    def hear(event: Event) -> None:
        if event["event"] == "asked":
            say_so(describe_call(event))
        if event["event"] != "goes-back":
            spending.hear(event)

    hooks = RunHooks(
        waits=lambda: say_so("waits for another run to end"),
        report=stage_log.report,
        goes_back=stage_log.go_back,
        watch=hear,
    )
    say_so("starts")
    # What is reported shows on a terminal; without one, lines that name the domain say it.
    is_shown, reporter = report is not _ignore_line, Reporter(say_so, VIEW_SECONDS, at_once=True)
    hearing = listen(reporter.hear) if is_shown else name_run(job.domain)
    try:
        with hearing:
            ran = run_alone(
                domain,
                lambda: _load_brief(domain, job),
                lambda: job.settings or due_of(domain).settings,
                hooks,
            )
    except SopForgeError as refused:
        return _make_refused_outcome(place, job, refused.faults)
    commands, code = list_next_commands(ran, job.again, place), exit_code(ran.progress)
    message = describe_end(ran.progress, ran.published) + (
        f"; see: {commands['look']}" if code == EXIT_FINDINGS else ""
    )
    record = build_ending_record(ran, stage_log.reported, commands, spending.describe_cost())
    return Outcome(job.domain, code, record, message)


def _load_brief(domain: DomainStore, job: Job) -> Brief:
    from sopforge.pipeline.briefs.brief_files import load_latest_brief

    if job.brief is None:
        return load_latest_brief(domain)
    from sopforge.pipeline.briefs.taking import Newer, take_brief

    brief = load_asked_brief(job.brief, job.variant)
    return take_brief(domain, brief, job.newer or Newer.REFUSE)


def _iterate_outcomes(
    place: str, jobs: Sequence[Job], at_once: int, board: Board
) -> Iterator[Outcome]:
    if at_once == 1 or len(jobs) == 1:
        report = board.note_progress if board.is_live else _ignore_line
        yield from (run_job(place, job, report) for job in jobs)
        return
    context = get_context("spawn")
    queue: Queue[tuple[str, str]] | None = None
    if board.is_live:
        queue = context.Queue()
        board.listen(queue)
    with ProcessPoolExecutor(min(at_once, len(jobs)), context, _begin_worker, (queue,)) as pool:
        running = {pool.submit(_run_in_worker, place, job): job for job in jobs}
        try:
            for future in track(as_completed(running), "runs ended", len(jobs)):
                yield get_outcome(future, place, running[future])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def get_outcome(future: Future[Outcome], place: str, job: Job) -> Outcome:
    """Return how a run in another process ended; one whose process died has that as its fault."""
    try:
        return future.result()
    except BrokenProcessPool:
        message = "a process of this run or of a parallel run was killed"
        hint = f"continue from the stages already built: {job.again}{store_option(place)}"
        return _make_refused_outcome(place, job, (Fault("run-killed", message, job.domain, hint),))


def _make_refused_outcome(place: str, job: Job, faults: tuple[Fault, ...]) -> Outcome:
    again = f"{job.again}{store_option(place)}"
    record = build_failed_record(job.domain, [asdict(fault) for fault in faults], again)
    return Outcome(job.domain, EXIT_BAD_INPUT, record, faults=faults)


_progress_queues: list[Queue[tuple[str, str]] | None] = []
"""Of a worker: where it reports how far its run is, if anybody looks."""


def _begin_worker(queue: Queue[tuple[str, str]] | None) -> None:
    _progress_queues.append(queue)


def _run_in_worker(place: str, job: Job) -> Outcome:
    (queue,) = _progress_queues
    # The other cores have domains of their own.
    with use_jobs(1):
        if queue is not None:
            return run_job(place, job, partial(_put, queue))
        with show_work(""):
            return run_job(place, job)


def _put(queue: Queue[tuple[str, str]], domain: str, line: str) -> None:
    queue.put((domain, line))
