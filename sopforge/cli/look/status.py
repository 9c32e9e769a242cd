"""``sopforge status``: where every domain stands, or one of them stage by stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.decide.outcomes import build_signed_record, format_decision
from sopforge.cli.look.cost import report_cost
from sopforge.cli.options import (
    DEFAULT_STORE,
    AnyDomain,
    StorePlace,
    describe_empty_store,
    require_begun_domain,
    store_option,
)
from sopforge.cli.output import (
    EXIT_BAD_INPUT,
    EXIT_DONE,
    Parts,
    Result,
    lay_out_rows,
    make_console,
    make_table,
    print_faults,
    say,
)
from sopforge.cli.running.next_steps import list_next_steps, list_step_lines
from sopforge.cli.signing import SignersFile, load_signers

if TYPE_CHECKING:
    from sopforge.findings import Severity
    from sopforge.pipeline.gates.stage_states import StageState
    from sopforge.pipeline.releases.signatures import SignedLog
    from sopforge.pipeline.runs.at_work import RunAtWork
    from sopforge.store.entries import Decision
    from sopforge.store.overview import Overview
    from sopforge.store.signatures.allowed_signers import AllowedSigners
    from sopforge.store.signatures.signatures import Signature
    from sopforge.store.versions import DomainStore, Manifest, Store

NOT_CHECKED = "not checked again"
_DIGITS = 12
_COLUMNS = ("domain", "stage", "version", "digest", "findings", "gate", "next", "release")
_VERDICTS = {
    "approve": "approved",
    "request_changes": "changes requested",
    "reject": "rejected",
    "edit": "edited",
    "withdraw": "withdrawn",
}


def status(
    domain: AnyDomain = None,
    is_of_costs: Annotated[
        bool,
        typer.Option(
            "--cost",
            help="Show what language models cost: the calls, tokens and dollars of each stage.",
        ),
    ] = False,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Show the state and the next step of each domain, or the stages of one domain.

    Damaged domains come last, each with its problem. For one domain, the command also shows who
    signed its decisions and releases.
    """
    from sopforge.store.opening import open_store

    if is_of_costs:
        return report_cost(place, domain)
    opened = open_store(place)
    if domain is None:
        return _report_domains(opened, store_option(place))
    signers = load_signers(opened, allowed_signers)
    return _report_stages(require_begun_domain(opened, domain), signers)


def _report_domains(store: Store, there: str) -> Result:
    from sopforge.pipeline.runs.at_work import find_runs_at_work
    from sopforge.store.overview import list_overviews

    found = list_overviews(store)
    # A run notes its beginning and its end: only in between can it be at work.
    runs = find_runs_at_work(store, [item.domain for item in found if item.is_unfinished])
    damaged = [item for item in found if item.faults]
    for item in damaged:
        error = make_console(stderr=True)
        say(error, f"{item.domain} is damaged; see: sopforge store check {item.domain}{there}")
        print_faults(item.faults)
    rows = [_format_cells(item, item.domain in runs) for item in found]
    shown = lay_out_rows(_COLUMNS, rows) if found else describe_empty_store(store)
    return Result(
        {"domains": [_build_domain_record(item, runs.get(item.domain)) for item in found]},
        [shown, *(f"{domain}: {run.describe()}" for domain, run in runs.items())],
        EXIT_BAD_INPUT if damaged else EXIT_DONE,
    )


def _format_cells(item: Overview, is_run: bool) -> tuple[str, ...]:
    """Return the cells of a domain's row; a run that is at work is the next step itself."""
    if item.faults:
        return item.domain, "", "", "", "", f"cannot be read: {item.faults[0].message}", "", ""
    found = _format_severities(item.findings) if item.findings is not None else ""
    version, digest = str(item.version or ""), item.content[:_DIGITS]
    next_step = "" if item.next == "nothing" else str(item.next)
    if is_run and item.next == "continue":
        next_step = "at work"
    release = f"{item.release} (yanked)" if item.is_yanked else item.release
    return item.domain, item.stage, version, digest, found, _describe_gate(item), next_step, release


def _describe_gate(item: Overview) -> str:
    """Return where the version of a domain stands at its gate, in words."""
    if item.is_waiting:
        so_far = f", {_describe_decision(item.last)} so far" if item.last else ""
        ahead = f"; provisional up to {item.provisional[-1]}" if item.provisional else ""
        return f"waiting{so_far}{ahead}"
    return _describe_decision(item.last) if item.last else "not reached"


def _describe_decision(decision: Decision) -> str:
    by = "policy" if decision.kind == "policy" else decision.by
    return f"{_VERDICTS[decision.verdict]} by {by}"


def _build_run_record(run: RunAtWork | None, is_unfinished: bool) -> dict[str, object] | None:
    """Return what is known of a run that did not come to its end."""
    if not is_unfinished:
        return None
    from sopforge.pipeline.runs.at_work import RunAtWork

    return {"is_at_work": run is not None, **asdict(run or RunAtWork())}


def _build_domain_record(item: Overview, run: RunAtWork | None) -> dict[str, object]:
    last = item.last
    return {
        "domain": item.domain,
        "next": item.next,
        "stage": item.stage,
        "version": item.version,
        "content": item.content,
        "is_waiting": item.is_waiting,
        "findings": _convert_counts(item.findings) if item.findings is not None else None,
        "provisional": list(item.provisional),
        "last_decision": last
        and {"verdict": last.verdict, "by": last.by, "kind": last.kind, "at": last.at},
        "release": item.release or None,
        "yanked": item.is_yanked,
        "run": _build_run_record(run, item.is_unfinished),
        "faults": [{"code": fault.code, "message": fault.message} for fault in item.faults],
    }


def _report_stages(domain: DomainStore, signers: AllowedSigners | None) -> Result:
    from sopforge.pipeline.gates.stage_states import list_stage_states
    from sopforge.pipeline.releases.signatures import load_release_signature, load_signed_log
    from sopforge.pipeline.runs.at_work import find_run_at_work
    from sopforge.pipeline.upkeep.damage import refuse_unsealed
    from sopforge.store.log.yanks import describe_releases, find_yanked_releases
    from sopforge.store.overview import build_overview

    refuse_unsealed(domain)
    states, releases = list_stage_states(domain), domain.list_releases()
    overview = build_overview(domain)
    run = find_run_at_work(domain) if overview.is_unfinished else None
    commands = list_next_steps(overview, domain.place)
    if run and overview.next == "continue":
        del commands["go_on"]  # the run does
    log = load_signed_log(domain, signers)
    signed = {name: load_release_signature(domain, name, signers) for name in releases}
    yanks = find_yanked_releases(domain)
    record = {
        "domain": domain.name,
        "stages": [_build_stage_record(item, log) for item in states],
        "releases": releases,
        "yanked": {version: item.reason for version, item in yanks.items()},
        "run": _build_run_record(run, overview.is_unfinished),
        "signatures": {name: found.as_record() for name, found in signed.items()},
        "next": commands,
    }
    lines = [
        f"releases: {describe_releases(domain) or 'none'}",
        *_describe_signatures(log, [item.version.manifest for item in states], signed),
    ]
    if overview.is_unfinished:
        lines.append(f"run: {run.describe() if run else 'the last run was interrupted'}")
    parts = chain(_lay_out_stages(domain.name, states), lines, list_step_lines(commands))
    return Result(record, parts)


def _lay_out_stages(domain: str, states: Sequence[StageState]) -> Parts:
    manifests = [item.version.manifest for item in states]
    rows = [
        (
            *(manifest.stage, item.version.number, manifest.content[:_DIGITS]),
            NOT_CHECKED if item.is_outdated else _format_severities(item.findings),
            item.description,
        )
        for item, manifest in zip(states, manifests, strict=True)
    ]
    yield make_table(domain, ["stage", "version", "digest", "findings", "gate"], rows)
    for item, manifest in zip(states, manifests, strict=True):
        if reasons := item.version.rebuild_reasons:
            yield f"{manifest.stage} was rebuilt: {'; '.join(reasons)}"


def _describe_signatures(
    log: SignedLog, shown: Iterable[Manifest], releases: Mapping[str, Signature]
) -> Iterator[str]:
    """Return who signed what is shown, and whatever is refused; one line where nobody signed."""
    found = [*log.signatures.values(), *releases.values()]
    if all(item.standing == "unsigned" for item in found):
        is_decided = bool(log.by_persons) or bool(found)
        what = "none; everything is unsigned" if is_decided else "nothing to sign yet"
        yield f"signatures: {what}"
        return
    yield "signatures:"
    about = [item for manifest in shown for item in log.list_decisions(manifest)]
    for entry in log.entries:
        signature = log.get_signature(entry)
        if (entry in about and entry in log.by_persons) or signature.standing == "refused":
            yield f"  {entry.stage}: {format_decision(entry, signature)}"
    yield from (f"  release {name}: {signature.summary}" for name, signature in releases.items())


def _build_stage_record(item: StageState, log: SignedLog) -> dict[str, object]:
    manifest = item.version.manifest
    return {
        "stage": manifest.stage,
        "version": item.version.number,
        "content": manifest.content,
        "gate": item.state,
        "description": item.description,
        "provisional_after": item.waits_for or None,
        "is_reached": item.is_reached,
        "is_intact": item.is_intact,
        "findings": _convert_counts(item.findings),
        "rebuilt_because": list(item.version.rebuild_reasons),
        "decisions": [
            build_signed_record(entry, log.get_signature(entry))
            for entry in log.list_decisions(manifest)
        ],
    }


def _format_severities(counts: Mapping[Severity, int]) -> str:
    """Return how many findings there are of each severity, the worst first."""
    parts = [f"{n} {kind}{'s' * (n != 1)}" for kind, n in counts.items() if n]
    return ", ".join(parts) or "none"


def _convert_counts(counts: Mapping[Severity, int]) -> dict[str, int]:
    return {str(kind): number for kind, number in counts.items()}
