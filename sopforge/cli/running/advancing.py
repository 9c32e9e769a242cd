"""Runs a brief up to the first gate that is not passed, and reports the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from sopforge.cli.options import store_option
from sopforge.cli.output import (
    EXIT_FINDINGS,
    EXIT_WAITING,
    Parts,
    Result,
    list_findings,
    make_console,
    print_findings,
    say,
)
from sopforge.cli.running.ending import build_ending_record, exit_code, list_next_commands
from sopforge.cli.running.interrupting import end_interrupted
from sopforge.cli.running.next_steps import list_step_lines
from sopforge.cli.screens.progress import Watching
from sopforge.cli.screens.stage_log import StageLog

if TYPE_CHECKING:
    from sopforge.language.domain.reading import Brief
    from sopforge.pipeline.runs.run import RunResult
    from sopforge.pipeline.stages.pipeline import Progress, StageReport
    from sopforge.store.last_run import RunSettings
    from sopforge.store.versions import DomainStore


@dataclass(frozen=True, slots=True)
class Run:
    """How a brief is to be taken on: where, as what it is asked for, and by what command again.

    With ``as_json`` the ending is one value on standard output; progress goes to standard error.
    """

    domain: DomainStore
    again: str
    settings: RunSettings
    as_json: bool = False

    def take(self, brief: Callable[[], Brief]) -> Result:
        """Build the stages up to the first gate that waits, and return how that ended.

        The brief is asked for once no other run of the domain is at work.
        """
        from sopforge.cli.screens.run_bar import RunBar
        from sopforge.pipeline.runs.run import RunHooks, find_brief_warnings, run_alone

        screen = make_console(stderr=self.as_json)
        goes_on = self.settings.approve_clean or self.settings.run_ahead
        progress = Watching(screen, bar=RunBar(goes_on=goes_on))
        stage_log = StageLog(lambda line: say(screen, f"  {line}"), progress.describe_spending)

        @contextmanager
        def show(loaded: Brief) -> Iterator[None]:
            say(screen, f"{loaded.parts.domain}: {loaded.parts.title}")
            print_findings(make_console(stderr=True), find_brief_warnings(loaded))
            with progress.show_live():
                yield

        hooks = RunHooks(
            waits=lambda: _say_that_it_waits(self.domain.name),
            surround=show,
            report=stage_log.report,
            goes_back=stage_log.go_back,
            watch=progress.hear,
        )
        try:
            ran = run_alone(self.domain, brief, lambda: self.settings, hooks)
        except KeyboardInterrupt:
            end_interrupted(self.domain)
        commands = list_next_commands(ran, self.again, self.domain.place)
        spent = progress.describe_spending()
        record = build_ending_record(ran, stage_log.reported, commands, spent)
        parts = chain(
            _list_passed(stage_log.reported, ran.brief, store_option(self.domain.place)),
            self._lay_out_end(ran, commands),
        )
        return Result(record, parts, exit_code(ran.progress))

    def _lay_out_end(self, ran: RunResult, commands: Mapping[str, str]) -> Parts:
        """Yield where a run ended, and what can be done there."""
        loaded, ended, code = ran.brief, ran.progress, exit_code(ran.progress)
        if code in {EXIT_FINDINGS, EXIT_WAITING}:
            yield from list_findings(ended.version.manifest.findings, loaded.locate_finding)
        if code == EXIT_FINDINGS:
            yield _describe_what_is_wrong(ended, loaded, self.domain.place)
        elif code == EXIT_WAITING:
            yield from self._list_what_waits(ended, loaded, commands)
        elif ran.published is not None:
            verb = "Published" if ran.published.is_new else "Already published as"
            release = f"{loaded.parts.domain} {ran.published.version} in {ran.published.place}"
            yield f"{verb} {release}"
        else:
            yield f"All stages are approved. Next: {commands['publish']}"

    def _list_what_waits(
        self, ended: Progress, loaded: Brief, commands: Mapping[str, str]
    ) -> Iterator[str]:
        stage, gates = ended.version.manifest.stage, loaded.parts.gates
        if ended.is_overtaken:
            yield f"\n{stage} has been decided in the meantime. Continue with: {commands['go_on']}"
            return
        approvers = gates.count_approvers(stage)
        needs = f"; {approvers} people must approve it" if approvers > 1 else ""
        yield f"\n{stage} waits at its gate{needs}."
        for point in gates.checklist:
            yield f"  check:    {point}"
        if self.settings.run_ahead and ended.ahead:
            yield from _list_what_is_ahead(ended, store_option(self.domain.place))
        yield from list_step_lines(commands)


def _list_passed(reported: Iterable[StageReport], loaded: Brief, there: str) -> Parts:
    """Yield the warnings of what this run built and a policy approved: nobody was shown them.

    Of its notes, which ask for nothing, the command is named that shows them.
    """
    from sopforge.findings import Severity
    from sopforge.store.entries import DeciderKind

    passed = [
        stage.version.manifest
        for stage in reported
        if stage.is_built
        and any(item.kind is DeciderKind.POLICY for item in stage.at_gate.approvals)
    ]
    found = [(made.stage, item) for made in passed for item in made.findings]
    if warnings := [item for _, item in found if item.severity is Severity.WARNING]:
        yield "\nApproved by policy with these warnings:"
        yield from list_findings(dict.fromkeys(warnings), loaded.locate_finding)
    for stage in dict.fromkeys(name for name, item in found if item.severity is Severity.NOTE):
        look = f"sopforge show {loaded.parts.domain} {stage}{there}"
        yield f"Read the notes on the {stage} with: {look}"


def _list_what_is_ahead(ended: Progress, there: str) -> Iterator[str]:
    """Yield what stands provisionally after the gate, and why it may end early."""
    from sopforge.findings import has_errors

    stages = [item.manifest.stage for item in ended.ahead]
    last = ended.ahead[-1].manifest
    yield f"Later stages built provisionally: {', '.join(stages)}."
    if has_errors(last.findings):
        look = f"sopforge show {last.domain} {last.stage}{there}"
        yield f"{last.stage} has errors, so no later stage was built: {look}"


def _say_that_it_waits(domain: str) -> None:
    text = f"another run is working on '{domain}'; this run continues when that one ends"
    say(make_console(stderr=True), text, "yellow")


def _describe_what_is_wrong(ended: Progress, brief: Brief, store: str) -> str:
    """Return why a run ended; a model can receive more than the brief says."""
    from sopforge.pipeline.stages.pipeline import Ending

    manifest, there = ended.version.manifest, store_option(store)
    reason = "was rejected" if ended.ending is Ending.REJECTED else "has errors"
    if ended.ending is not Ending.REJECTED and manifest.is_edited:
        again = f"sopforge edit {manifest.domain} {manifest.stage}{there}"
        advice = f"You edited it by hand: edit it again ({again}), then continue."
    elif brief.parts.writer.name == "offline":
        advice = "Change the brief, then generate again."
    else:
        asked = (
            f"sopforge request-changes {manifest.domain} {manifest.stage} --feedback TEXT{there}"
        )
        advice = f"The limit is {brief.parts.writer.rounds} rounds of repair. Request changes"
        advice += f" ({asked}), change the brief or choose another model; then generate again."
    return f"\n{manifest.stage} {reason}. {advice}"
