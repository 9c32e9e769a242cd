"""Taking a brief as far as its approvals allow, and saying how it went."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from sopforge.cli.options import store_option
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
    from sopforge.store.versions import Version


@dataclass(frozen=True, slots=True)
class Run:
    """How a brief is to be taken on: where, how far, at what cost, and by what command again."""

    store: str
    again: str
    approve_clean: bool = False
    budget: Decimal | None = None
    prices: Path | None = None

    def take(self, loaded: Brief) -> NoReturn:
        """Build the stages up to the first gate that waits; ends the command with its exit code."""
        from sopforge.authors.choosing import author_of
        from sopforge.authors.long_briefs import long_brief
        from sopforge.authors.personal_data import personal_data
        from sopforge.stages.pipeline import STAGES, advance
        from sopforge.store.opening import open_store

        screen, opened = console(), open_store(self.store)
        say(screen, f"{loaded.parts.domain}: {loaded.parts.title}")
        names, progress = [stage.name for stage in STAGES], Watching(screen)

        def report(version: Version, state: GateState) -> None:
            manifest = version.manifest
            place = f"{names.index(manifest.stage) + 1}/{len(names)}"
            count = len(manifest.findings)
            found = f"{count} finding{'s' * (count != 1)}" if count else "no findings"
            line = (
                f"  {place} {manifest.stage:<11} version {version.number}  {manifest.content[:12]}"
            )
            spent = progress.spent(manifest.stage)
            say(screen, f"{line}  {found}, {state}" + (f"; {spent}" if spent else ""))

        asks = loaded.parts.writer.name != "offline"
        if asks:
            print_findings(console(stderr=True), [*personal_data(loaded), *long_brief(loaded)])
        author = author_of(
            loaded, opened.objects, self.budget, prices=self.prices, watch=progress.hear
        )
        try:
            with progress.live(is_wanted=asks):
                ended = advance(
                    opened, loaded, approve_clean=self.approve_clean, author=author, report=report
                )
        except MaterialError as refused:
            faults = [replace(fault, where=loaded.placed(fault.where)) for fault in refused.faults]
            raise MaterialError(*faults) from refused
        self._end(ended, loaded)

    def _end(self, ended: Progress, loaded: Brief) -> NoReturn:
        """Say where a run ended, and what can be done there."""
        from sopforge.findings import has_errors
        from sopforge.stages.pipeline import Ending

        screen, domain = console(), loaded.parts.domain
        if ended.ending is Ending.APPROVED:
            following = f"sopforge publish {domain}{store_option(self.store)}"
            say(screen, f"All stages are approved. Next: {following}")
            raise typer.Exit(EXIT_DONE)
        findings = ended.version.manifest.findings
        print_findings(screen, findings, loaded.placed)
        if ended.ending is Ending.REJECTED or has_errors(findings):
            _say_what_is_wrong(ended, loaded, self.store)
            raise typer.Exit(EXIT_FINDINGS)
        self._say_what_next(ended.version)
        raise typer.Exit(EXIT_WAITING)

    def _say_what_next(self, version: Version) -> None:
        manifest, screen = version.manifest, console()
        domain, stage, digest = manifest.domain, manifest.stage, manifest.content[:12]
        say(screen, f"\n{stage} waits at its gate.")
        there = store_option(self.store)
        say(screen, f"  look:     sopforge show {domain} {stage}{there}")
        say(screen, f"  approve:  sopforge approve {domain} {stage} --digest {digest}{there}")
        say(screen, f"  or:       sopforge request-changes {domain} {stage} --feedback TEXT{there}")
        say(screen, f"  go on:    {self.again}{there}")


def _say_what_is_wrong(ended: Progress, brief: Brief, store: str) -> None:
    """Say why a run ended; a model can be told more than the brief says."""
    from sopforge.stages.pipeline import Ending

    manifest = ended.version.manifest
    reason = "was rejected" if ended.ending is Ending.REJECTED else "has errors"
    if manifest.author == "offline":
        advice = "change the brief, then generate again."
    else:
        there = store_option(store)
        asked = (
            f"sopforge request-changes {manifest.domain} {manifest.stage} --feedback TEXT{there}"
        )
        advice = f"after {brief.parts.writer.rounds} rounds of repair at most. Say what to change"
        advice += f" ({asked}), change the brief, or name another model; then generate again."
    say(console(), f"\n{manifest.stage} {reason}; {advice}")
