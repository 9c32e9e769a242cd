"""``sopforge continue``: go on with domains after decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.completing import list_domain_names
from sopforge.cli.options import (
    DEFAULT_STORE,
    ApproveClean,
    AsJson,
    Budget,
    Jobs,
    Sandbox,
    StorePlace,
    describe_empty_store,
    require_begun_domain,
    store_option,
    use_sandbox,
)
from sopforge.cli.output import EXIT_BAD_INPUT, EXIT_DONE, Result, print_faults
from sopforge.cli.running.advancing import Run
from sopforge.cli.running.batch import Job, run_jobs
from sopforge.cli.running.continuing import Continue, Starter, choose_continuation
from sopforge.cli.running.ending import choose_worst_code
from sopforge.errors import Fault, MaterialError
from sopforge.parallel import use_jobs
from sopforge.store.places import resolve_place

if TYPE_CHECKING:
    from sopforge.pipeline.runs.continuing import Continuation, Due, DueRuns, Start
    from sopforge.store.versions import Store


def continue_domains(
    domain: Annotated[
        str,
        typer.Argument(
            help="Domain to continue [default: list the domains that can continue].",
            autocompletion=list_domain_names,
        ),
    ] = "",
    every: Annotated[
        bool, typer.Option("--all", help="Continue every domain that can continue.")
    ] = False,
    jobs: Jobs = None,
    approve_clean: ApproveClean = False,
    budget: Budget = None,
    starter: Continue = Starter.NOBODY,
    place: StorePlace = DEFAULT_STORE,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
) -> Result:
    """Continue one domain or all domains, with the stored brief and the last run's options.

    A domain can continue if someone made a decision since its last run, or if that run was
    interrupted. Without --budget, each domain uses the rest of its last budget.
    """
    from sopforge.pipeline.runs.continuing import find_due_runs, find_next_run, start_all
    from sopforge.store.opening import open_store

    use_sandbox(sandbox)
    opened, continuation = open_store(place), choose_continuation(starter)
    if domain and every:
        message, hint = f"both '{domain}' and --all were given", "use only one of them"
        raise MaterialError(Fault("domain-and-all", message, "--all", hint))
    if domain:
        due = find_next_run(require_begun_domain(opened, domain))
        due = _with_options(due, budget, approve_clean=approve_clean)
        with use_jobs(jobs or 0):
            return _continue_one(opened, due, continuation, as_json=as_json)
    look = find_due_runs(opened)
    look = look.map_runs(partial(_with_options, budget=budget, approve_clean=approve_clean))
    for faults in look.faults.values():
        print_faults(faults)
    if not every or not look.due:
        record = [{"domain": due.domain, "after": due.after} for due in look.due]
        result = Result(record, _list_due_runs(opened, look))
    elif continuation is not None:
        starts = list(start_all(resolve_place(opened.place), look.due, continuation))
        result = _report_starts(starts)
    else:
        # What is left of a budget is read when a run's turn comes, unless the run is another one.
        is_other = approve_clean or budget is not None
        runs = [
            Job(
                due.domain,
                f"sopforge continue {due.domain}",
                settings=due.settings if is_other else None,
            )
            for due in look.due
        ]
        result = run_jobs(opened.place, runs, jobs or 1, as_json=as_json)
    codes = [result.exit_code, *([EXIT_BAD_INPUT] if look.faults else [])]
    return replace(result, code=choose_worst_code(codes))


def _with_options(due: Due, budget: Decimal | None, *, approve_clean: bool) -> Due:
    """Return a next run as it is asked for now, where that differs from the last one."""
    from sopforge.pipeline.runs.continuing import with_budget, with_policy

    due = with_policy(due) if approve_clean else due
    return due if budget is None else with_budget(due, budget)


def _continue_one(
    store: Store, due: Due, continuation: Continuation | None, *, as_json: bool
) -> Result:
    """Go on with a domain, whether or not it is known to have something to do."""
    from sopforge.pipeline.briefs.brief_files import load_latest_brief
    from sopforge.pipeline.runs.continuing import Start

    if continuation is not None:
        message = continuation.start(resolve_place(store.place), due)
        return _report_starts([Start(due.domain, message)])
    domain = store.get_domain(due.domain)
    run = Run(domain, f"sopforge continue {domain}", due.settings, as_json)
    return run.take(lambda: load_latest_brief(domain))


def _list_due_runs(store: Store, look: DueRuns) -> Iterator[str]:
    from sopforge.pipeline.runs.continuing import list_begun_domains

    there = store_option(store.place)
    for due in look.due:
        yield f"{due.domain}: can continue after {due.after}"
    for domain, reason in look.left.items():
        yield f"{domain}: {reason}; start the next run: sopforge continue {domain}{there}"
    if look.due:
        yield f"Continue with: sopforge continue --all{there}"
    elif not look.left:
        is_begun = bool(list_begun_domains(store))
        yield "No domain can continue." if is_begun else describe_empty_store(store)


def _report_starts(starts: Sequence[Start]) -> Result:
    """Return what was said of runs that were started elsewhere; faults are printed at once."""
    for start in starts:
        print_faults(start.faults)
    lines = (f"{start.domain}: {start.message}" for start in starts if start.message)
    is_refused = any(start.faults for start in starts)
    code = EXIT_BAD_INPUT if is_refused else EXIT_DONE
    return Result([asdict(start) for start in starts], lines, code)
