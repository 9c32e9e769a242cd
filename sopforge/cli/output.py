"""What commands print: tables for people, plain lines where it is no terminal, exit codes."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from sopforge.errors import Fault
from sopforge.findings import Finding, Severity
from sopforge.progress.tracking import wait_for_others

if TYPE_CHECKING:
    from sopforge.store.log.yanks import Yank

EXIT_DONE = 0
EXIT_FINDINGS = 1
EXIT_BAD_INPUT = 2
EXIT_WAITING = 3
EXIT_OUR_FAULT = 70

Parts = Iterator[RenderableType]
"""What is printed for people, one after the other: lines, and tables."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a command found: a ``record`` for programs, and the same in ``parts`` for people.

    Only the one that is asked for is made, where the record is a function and parts are generated.
    """

    record: Mapping[str, object] | Sequence[object] | Callable[[], object]
    parts: Iterable[RenderableType] = ()
    code: int = EXIT_DONE
    has_findings: bool = False

    @property
    def exit_code(self) -> int:
        """What the command exits with: 1 where there are findings, unless all is worse."""
        return self.code or (EXIT_FINDINGS if self.has_findings else EXIT_DONE)


def print_result(result: Result, *, as_json: bool) -> None:
    """Print a result on standard output: as one JSON value, or part by part."""
    if as_json:
        print_json(result.record() if callable(result.record) else result.record)
    else:
        print_parts(make_console(), result.parts)


def print_parts(screen: Console, parts: Iterable[RenderableType]) -> None:
    """Print lines and tables; plain lines are texts of users, never markup."""
    for part in parts:
        if isinstance(part, str | Text):
            say(screen, part)
        else:
            screen.print(part)


# Where it is no terminal, Rich takes 80 columns unless it is given a width.
_UNCUT = 100_000
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that neither wraps, cuts nor colours where it is no terminal.

    What it prints is text of users: it is never read as markup, and no character of it can steer
    a terminal, in cells of tables as in lines.
    """
    wraps = (sys.stderr if stderr else sys.stdout).isatty()
    return _Screen(
        stderr=stderr,
        width=None if wraps else _UNCUT,
        soft_wrap=not wraps,
        highlight=False,
        markup=False,
        emoji=False,
    )


class _Screen(Console):
    """A console on which texts of users have no control characters, however they are laid out."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            # What Rich itself steers the terminal with stands in segments of its own.
            is_plain = segment.control or segment.text.isprintable()
            yield (
                segment
                if is_plain
                else segment._replace(text=strip_control_characters(segment.text))
            )


def say(screen: Console, text: str | Text, style: str = "") -> None:
    """Print a line.

    The terminal wraps it, which copies it whole: a command or a digest stays one line.
    """
    screen.print(Text(text, style=style) if isinstance(text, str) else text, soft_wrap=True)


def ask(question: str, *, stderr: bool = False) -> bool:
    """Return whether the person at the terminal says yes."""
    with wait_for_others("an answer"):
        return typer.confirm(question, err=stderr)


def print_json(value: object) -> None:
    """Print a result for programs: one JSON value, in which no character can steer a terminal."""
    typer.echo(json.dumps(value, indent=2))


def build_finding_records(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return findings as they stand in every result for programs."""
    return [finding.as_record() for finding in findings]


def strip_control_characters(text: str) -> str:
    """Return a text without the control characters that a terminal would obey."""
    return "".join(letter for letter in text if _is_shown(letter))


def print_faults(faults: Iterable[Fault]) -> None:
    """Print what was wrong with the material, one fault after the other, to standard error."""
    screen = make_console(stderr=True)
    for fault in faults:
        place = f"{fault.where}: " if fault.where else ""
        say(screen, f"{fault.code}: {place}{fault.message}", "red")
        if fault.hint:
            say(screen, f"  hint: {fault.hint}")


def warn_yanked(yank: Yank | None) -> None:
    """Say on standard error that a release was yanked, if it was."""
    if yank is not None:
        screen = make_console(stderr=True)
        say(screen, f"{yank.version} was yanked by {yank.by}: {yank.reason}", "yellow")


def list_findings(findings: Iterable[Finding], placed: Callable[[str], str] = str) -> Parts:
    """Yield the lines of findings, each with its place (as ``placed`` words it) and advice."""
    for finding in findings:
        place = f" ({placed(finding.where)})" if finding.where else ""
        head = f"  {finding.severity} {finding.id}"
        yield Text(f"{head}: {finding.message}{place}", _COLOURS[finding.severity])
        for number, line in enumerate(finding.evidence.splitlines()):
            yield f"          {line}" if number else f"    case: {line}"
        if finding.hint:
            yield f"    hint: {finding.hint}"


def print_findings(
    screen: Console, findings: Iterable[Finding], placed: Callable[[str], str] = str
) -> None:
    """Print findings at once, before a command has its result."""
    print_parts(screen, list_findings(findings, placed))


def _is_shown(letter: str) -> bool:
    return letter in "\n\t" or not unicodedata.category(letter).startswith("C")


def lay_out_rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return many rows below their heads, each column as wide as its widest cell.

    A table for people takes half a second to lay out a thousand.
    """
    cells = [tuple(head), *rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    )


def make_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    numbers: Sequence[str] = (),
) -> Table:
    """Return a table for people; columns of ``numbers`` stand after the others."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        made.add_column(column)
    for column in numbers:
        made.add_column(column, justify="right")
    for row in rows:
        made.add_row(*(str(cell) if isinstance(cell, int) else cell for cell in row))
    return made
