"""``sopforge status``: where every domain stands, or one of them stage by stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import typer

from sopforge.cli.decide.outcomes import decision_line, known_decision
from sopforge.cli.options import (
    DEFAULT_STORE,
    AnyDomain,
    AsJson,
    StorePlace,
    begun_domain,
    no_domains,
    store_option,
)
from sopforge.cli.output import (
    EXIT_BAD_INPUT,
    console,
    print_faults,
    print_json,
    print_rows,
    say,
    table,
)
from sopforge.cli.running.next_steps import next_steps, print_steps
from sopforge.cli.signing import SignersFile, signers_of

if TYPE_CHECKING:
    from sopforge.findings import Severity
    from sopforge.gates.stage_states import StageState
    from sopforge.releases.signatures import SignedLog
    from sopforge.store.entries import Decision
    from sopforge.store.overview import Overview
    from sopforge.store.signatures.allowed_signers import AllowedSigners
    from sopforge.store.signatures.signatures import Signature
    from sopforge.store.versions import Manifest, Store

_DIGITS = 12
_COLUMNS = ("domain", "stage", "version", "digest", "findings", "gate", "next", "release")
_VERDICTS = {
    "approve": "approved",
    "request_changes": "changes requested",
    "reject": "rejected",
    "edit": "edited",
}


def status(
    domain: AnyDomain = None,
    allowed_signers: SignersFile = None,
    as_json: AsJson = False,
    store: StorePlace = DEFAULT_STORE,
) -> None:
    """Show where each domain stands and what there is to do, or one domain stage by stage.

    A domain that is damaged is named behind the others, with what is wrong with it. Of one domain
    it also says who signed the decisions and the releases.
    """
    from sopforge.store.opening import open_store

    opened = open_store(store)
    if domain is not None:
        signers = signers_of(opened, allowed_signers)
        _show_stages(opened, begun_domain(opened, domain), signers, as_json=as_json)
    else:
        _show_domains(opened, store_option(store), as_json=as_json)


def _show_domains(store: Store, there: str, *, as_json: bool) -> None:
    from sopforge.store.overview import overviews

    found, screen = overviews(store), console()
    if as_json:
        print_json({"domains": [_domain_record(item) for item in found]})
    elif not found:
        say(screen, no_domains(store))
    else:
        print_rows(_COLUMNS, [_cells(item) for item in found])
    damaged = [item for item in found if item.faults]
    for item in damaged:
        error = console(stderr=True)
        say(error, f"{item.domain} is damaged; see: sopforge check-store {item.domain}{there}")
        print_faults(item.faults)
    if damaged:
        raise typer.Exit(EXIT_BAD_INPUT)


def _cells(item: Overview) -> tuple[str, ...]:
    """Return the cells of a domain's row."""
    if item.faults:
        return item.domain, "", "", "", "", f"cannot be read: {item.faults[0].message}", "", ""
    found = _by_severity(item.findings) if item.findings is not None else ""
    version, digest = str(item.version or ""), item.content[:_DIGITS]
    next_step = "" if item.next == "nothing" else str(item.next)
    release = f"{item.release} (yanked)" if item.is_yanked else item.release
    return item.domain, item.stage, version, digest, found, _gate(item), next_step, release


def _gate(item: Overview) -> str:
    """Return where the version of a domain stands at its gate, in words."""
    if item.is_waiting:
        so_far = f", {_decided(item.last)} so far" if item.last else ""
        ahead = f"; provisional up to {item.provisional[-1]}" if item.provisional else ""
        return f"waiting{so_far}{ahead}"
    return _decided(item.last) if item.last else "not reached"


def _decided(decision: Decision) -> str:
    by = "policy" if decision.kind == "policy" else decision.by
    return f"{_VERDICTS[decision.verdict]} by {by}"


def _domain_record(item: Overview) -> dict[str, object]:
    last = item.last
    return {
        "domain": item.domain,
        "next": item.next,
        "stage": item.stage,
        "version": item.version,
        "content": item.content,
        "is_waiting": item.is_waiting,
        "findings": _counts(item.findings) if item.findings is not None else None,
        "provisional": list(item.provisional),
        "last_decision": last
        and {"verdict": last.verdict, "by": last.by, "kind": last.kind, "at": last.at},
        "release": item.release or None,
        "yanked": item.is_yanked,
        "faults": [{"code": fault.code, "message": fault.message} for fault in item.faults],
    }


def _show_stages(
    store: Store, domain: str, signers: AllowedSigners | None, *, as_json: bool
) -> None:
    from sopforge.gates.stage_states import stage_states
    from sopforge.releases.signatures import signed_log, signed_release
    from sopforge.store.log.yanks import told_releases, yanked
    from sopforge.store.overview import overview
    from sopforge.upkeep.damage import refuse_unsealed

    refuse_unsealed(store, domain)
    states, releases, screen = stage_states(store, domain), store.releases(domain), console()
    commands = next_steps(overview(store, domain), store.place)
    log = signed_log(store, domain, signers)
    signed = {name: signed_release(store, domain, name, signers) for name in releases}
    if as_json:
        stages = [_stage_record(item, log) for item in states]
        taken_back = {version: item.reason for version, item in yanked(store, domain).items()}
        told = {"domain": domain, "stages": stages, "releases": releases, "yanked": taken_back}
        kept = {name: found.as_record() for name, found in signed.items()}
        print_json({**told, "signatures": kept, "next": commands})
        return
    shown = table(domain, "stage", "version", "digest", "findings", "gate")
    for item in states:
        number, digest = str(item.version.number), item.version.manifest.content[:_DIGITS]
        stage = item.version.manifest.stage
        shown.add_row(stage, number, digest, _by_severity(item.findings), item.told)
    screen.print(shown)
    say(screen, f"releases: {told_releases(store, domain) or 'none'}")
    for line in _signatures(log, [item.version.manifest for item in states], signed):
        say(screen, line)
    print_steps(screen, commands)


def _signatures(
    log: SignedLog, shown: Iterable[Manifest], releases: Mapping[str, Signature]
) -> Iterator[str]:
    """Return who signed what is shown, and whatever is refused; one line where nobody signed."""
    found = [*log.signatures.values(), *releases.values()]
    if all(item.standing == "unsigned" for item in found):
        is_decided = bool(log.by_persons) or bool(found)
        what = "none, all of it is unsigned" if is_decided else "nothing to sign yet"
        yield f"signatures: {what}"
        return
    yield "signatures:"
    about = [item for manifest in shown for item in log.on(manifest)]
    for entry in log.entries:
        signature = log.of(entry)
        if (entry in about and entry in log.by_persons) or signature.standing == "refused":
            yield f"  {entry.stage}: {decision_line(entry, signature)}"
    yield from (f"  release {name}: {signature.summary}" for name, signature in releases.items())


def _stage_record(item: StageState, log: SignedLog) -> dict[str, object]:
    manifest = item.version.manifest
    return {
        "stage": manifest.stage,
        "version": item.version.number,
        "content": manifest.content,
        "gate": item.state,
        "told": item.told,
        "provisional_behind": item.behind or None,
        "is_reached": item.is_reached,
        "is_intact": item.is_intact,
        "findings": _counts(item.findings),
        "decisions": [known_decision(entry, log.of(entry)) for entry in log.on(manifest)],
    }


def _by_severity(counts: Mapping[Severity, int]) -> str:
    """Return how many findings there are of each severity, the worst first."""
    told = [f"{n} {kind}{'s' * (n != 1)}" for kind, n in counts.items() if n]
    return ", ".join(told) or "none"


def _counts(counts: Mapping[Severity, int]) -> dict[str, int]:
    return {str(kind): number for kind, number in counts.items()}
