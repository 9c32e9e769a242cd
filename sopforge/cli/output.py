"""What commands print: tables for people, plain lines where it is no terminal, exit codes."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sopforge.errors import Fault
from sopforge.findings import Finding, Severity

EXIT_DONE = 0
EXIT_FINDINGS = 1
EXIT_BAD_INPUT = 2
EXIT_WAITING = 3
EXIT_OUR_FAULT = 70

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def console() -> Console:
    """Return a console that neither wraps nor colours where it is no terminal."""
    return Console(soft_wrap=not sys.stdout.isatty(), highlight=False)


def print_faults(faults: Iterable[Fault]) -> None:
    """Print what was wrong with the material, one fault after the other, to standard error."""
    screen = Console(stderr=True, soft_wrap=True, highlight=False)
    for fault in faults:
        place = f"{escape(fault.where)}: " if fault.where else ""
        screen.print(f"[red]{escape(fault.code)}[/red]: {place}{escape(fault.message)}")
        if fault.hint:
            screen.print(f"  hint: {escape(fault.hint)}")


def print_findings(screen: Console, findings: Iterable[Finding]) -> None:
    """Print findings, each with its place, evidence and advice."""
    for finding in findings:
        colour = _COLOURS[finding.severity]
        place = f" ({escape(finding.where)})" if finding.where else ""
        head = f"[{colour}]{finding.severity}[/{colour}] {escape(finding.id)}"
        screen.print(f"  {head}: {escape(finding.message)}{place}")
        if finding.evidence:
            screen.print(f"    case: {escape(finding.evidence)}")
        if finding.hint:
            screen.print(f"    hint: {escape(finding.hint)}")


def table(title: str, *columns: str) -> Table:
    """Return an empty table for people."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        made.add_column(column)
    return made
