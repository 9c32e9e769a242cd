"""What commands print: tables for people, plain lines where it is no terminal, exit codes."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sopforge.errors import Fault
from sopforge.findings import Finding, Severity

EXIT_DONE = 0
EXIT_FINDINGS = 1
EXIT_BAD_INPUT = 2
EXIT_WAITING = 3
EXIT_OUR_FAULT = 70

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def console(*, stderr: bool = False) -> Console:
    """Return a console that neither wraps nor colours where it is no terminal.

    What it prints is text of users: it is never read as markup.
    """
    wraps = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, soft_wrap=not wraps, highlight=False, markup=False, emoji=False)


def say(screen: Console, text: str, style: str = "") -> None:
    """Print a line, without the control characters that a terminal would obey."""
    screen.print(Text(shown(text), style=style))


def shown(text: str) -> str:
    """Return a text without the control characters that a terminal would obey."""
    return "".join(letter for letter in text if _is_shown(letter))


def print_faults(faults: Iterable[Fault]) -> None:
    """Print what was wrong with the material, one fault after the other, to standard error."""
    screen = console(stderr=True)
    for fault in faults:
        place = f"{fault.where}: " if fault.where else ""
        say(screen, f"{fault.code}: {place}{fault.message}", "red")
        if fault.hint:
            say(screen, f"  hint: {fault.hint}")


def print_findings(
    screen: Console, findings: Iterable[Finding], placed: Callable[[str], str] = str
) -> None:
    """Print findings, each with its place (as ``placed`` tells it), evidence and advice."""
    for finding in findings:
        place = f" ({placed(finding.where)})" if finding.where else ""
        head = f"  {finding.severity} {finding.id}"
        say(screen, f"{head}: {finding.message}{place}", _COLOURS[finding.severity])
        if finding.evidence:
            say(screen, f"    case: {finding.evidence}")
        if finding.hint:
            say(screen, f"    hint: {finding.hint}")


def _is_shown(letter: str) -> bool:
    return letter == "\n" or not unicodedata.category(letter).startswith("C")


def table(title: str, *columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """Return an empty table for people; columns of numbers stand behind the others."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        made.add_column(column)
    for column in numbers:
        made.add_column(column, justify="right")
    return made
