"""``sopforge generate``: take a brief as far as its approvals allow."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    Budget,
    Prices,
    Sandbox,
    Store,
    store_option,
    use_sandbox,
)
from sopforge.cli.output import (
    EXIT_DONE,
    EXIT_FINDINGS,
    EXIT_WAITING,
    console,
    print_findings,
    say,
)
from sopforge.cli.progress import Watching
from sopforge.errors import MaterialError

if TYPE_CHECKING:
    from sopforge.domain.reading import Brief
    from sopforge.stages.pipeline import Progress
    from sopforge.store.decisions import GateState
    from sopforge.store.local import Version


def generate(
    brief: Annotated[Path, typer.Argument(help="The brief, a YAML file.")],
    store: Store = DEFAULT_STORE,
    approve_clean: Annotated[
        bool,
        typer.Option("--approve-clean", help="Approve by policy what has no error-level finding."),
    ] = False,
    variant: Annotated[
        str, typer.Option("--variant", help="A variant that the brief names, instead of itself.")
    ] = "",
    budget: Budget = None,
    prices: Prices = None,
    sandbox: Sandbox = None,
) -> None:
    """Build the stages of a brief, up to the first gate that waits for a decision."""
    from sopforge.authors.choosing import author_of
    from sopforge.authors.long_briefs import long_brief
    from sopforge.authors.personal_data import personal_data
    from sopforge.findings import has_errors
    from sopforge.stages.briefs import load_brief
    from sopforge.stages.pipeline import STAGES, Ending, advance
    from sopforge.stages.variant_briefs import variant_brief
    from sopforge.store.local import LocalStore

    use_sandbox(sandbox)
    screen = console()
    loaded = load_brief(brief)
    if variant:
        loaded = variant_brief(loaded, variant, brief.parent)
    say(screen, f"{loaded.parts.domain}: {loaded.parts.title}")
    names, progress = [stage.name for stage in STAGES], Watching(screen)

    def report(version: Version, state: GateState) -> None:
        manifest = version.manifest
        place = f"{names.index(manifest.stage) + 1}/{len(names)}"
        count = len(manifest.findings)
        found = f"{count} finding{'s' * (count != 1)}" if count else "no findings"
        line = f"  {place} {manifest.stage:<11} version {version.number}  {manifest.content[:12]}"
        spent = progress.spent(manifest.stage)
        say(screen, f"{line}  {found}, {state}" + (f"; {spent}" if spent else ""))

    asks = loaded.parts.writer.name != "offline"
    if asks:
        print_findings(console(stderr=True), [*personal_data(loaded), *long_brief(loaded)])
    author = author_of(loaded, store, budget, prices=prices, watch=progress.hear)
    try:
        with progress.live(is_wanted=asks):
            ended = advance(
                LocalStore(store), loaded, approve_clean=approve_clean, author=author, report=report
            )
    except MaterialError as refused:
        faults = [replace(fault, where=loaded.placed(fault.where)) for fault in refused.faults]
        raise MaterialError(*faults) from refused
    if ended.ending is Ending.APPROVED:
        domain = loaded.parts.domain
        say(
            screen, f"All stages are approved. Next: sopforge publish {domain}{store_option(store)}"
        )
        raise typer.Exit(EXIT_DONE)
    findings = ended.version.manifest.findings
    print_findings(screen, findings, loaded.placed)
    if ended.ending is Ending.REJECTED or has_errors(findings):
        _say_what_is_wrong(ended, loaded, store)
        raise typer.Exit(EXIT_FINDINGS)
    _say_what_next(ended.version, brief, store, variant)
    raise typer.Exit(EXIT_WAITING)


def _say_what_is_wrong(ended: Progress, brief: Brief, store: Path) -> None:
    """Say why a run ended; a model can be told more than the brief says."""
    from sopforge.stages.pipeline import Ending

    manifest = ended.version.manifest
    reason = "was rejected" if ended.ending is Ending.REJECTED else "has errors"
    if manifest.author == "offline":
        advice = "change the brief, then generate again."
    else:
        there = "" if store == DEFAULT_STORE else f" --store {store}"
        asked = (
            f"sopforge request-changes {manifest.domain} {manifest.stage} --feedback TEXT{there}"
        )
        advice = f"after {brief.parts.writer.rounds} rounds of repair at most. Say what to change"
        advice += f" ({asked}), change the brief, or name another model; then generate again."
    say(console(), f"\n{manifest.stage} {reason}; {advice}")


def _say_what_next(version: Version, brief: Path, store: Path, variant: str) -> None:
    manifest, screen = version.manifest, console()
    domain, stage, digest = manifest.domain, manifest.stage, manifest.content[:12]
    say(screen, f"\n{stage} waits at its gate.")
    there = store_option(store)
    say(screen, f"  look:     sopforge show {domain} {stage}{there}")
    say(screen, f"  approve:  sopforge approve {domain} {stage} --digest {digest}{there}")
    say(screen, f"  or:       sopforge request-changes {domain} {stage} --feedback TEXT{there}")
    which = f" --variant {variant}" if variant else ""
    say(screen, f"  go on:    sopforge generate {shlex.quote(str(brief))}{which}{there}")
