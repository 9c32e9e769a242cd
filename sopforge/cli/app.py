"""The ``sopforge`` command: its sub-commands, and how errors become messages and exit codes."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from sopforge.cli.commanding import make_command
from sopforge.cli.commands import GROUPS, OLD_NAMES, PANELS
from sopforge.cli.output import (
    EXIT_BAD_INPUT,
    EXIT_OUR_FAULT,
    print_faults,
    strip_control_characters,
)
from sopforge.cli.screens.work_view import show_work
from sopforge.errors import Fault, SopForgeError, describe_system_error
from sopforge.proxies import skip_proxies_for_loopback

OF_REVIEW = frozenset({"argon2", "itsdangerous", "limits", "uvicorn"})
"""Libraries of the extra ``review``, which may not be installed."""


class _Commands(TyperGroup):
    """The commands under their names, and under those that they had before."""

    def resolve_command(
        self,
        ctx: Any,  # noqa: ANN401 - typer's own click
        args: list[str],
    ) -> tuple[str | None, Any, list[str]]:
        name, *rest = args
        if name in OLD_NAMES:
            new = OLD_NAMES[name]
            typer.echo(f"'sopforge {name}' is now 'sopforge {new}'", err=True)
            args = [*new.split(), *rest]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="sopforge",
    cls=_Commands,
    help="Turn a business brief into a published, proved benchmark domain for LLM agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Brackets in help are brackets, and lines of examples stay lines.
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _add_commands() -> None:
    groups: dict[str, typer.Typer] = {"": app}
    for panel, commands in PANELS.items():
        for command in commands:
            name = command.group
            if name not in groups:
                says = GROUPS[name]
                group = typer.Typer(help=says, no_args_is_help=True, rich_markup_mode="markdown")
                app.add_typer(group, name=name, rich_help_panel=panel)
                groups[name] = group
            within = None if name else panel
            register = groups[name].command(
                command.name, rich_help_panel=within, epilog=command.epilog
            )
            register(make_command(command.function))


_add_commands()


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"sopforge {version('sopforge')}")
        raise typer.Exit


@app.callback()
def set_common_options(
    context: typer.Context,
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(  # noqa: ARG001 - its callback does it
        False, "--version", help="Show the version.", is_eager=True, callback=_show_version
    ),
) -> None:
    """Turn a business brief into a published, proved benchmark domain for LLM agents."""
    _debugging.append(debug)
    context.with_resource(show_work(context.invoked_subcommand or "sopforge", context.obj))


_debugging: list[bool] = []


def _prepare_streams() -> None:
    """Let anything be printed, and streams that a shell closed (``>&-``) be there.

    A character that the terminal's encoding lacks is printed as its number.
    """
    nothing = Path(os.devnull)
    sys.stdin = sys.stdin or nothing.open(encoding="utf-8")
    sys.stdout = sys.stdout or nothing.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nothing.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main(began: float | None = None) -> None:
    """Run the command; exit with 0 done, 1 findings, 2 bad input, 3 waiting.

    70 is a fault of ours, 130 a command that was interrupted. ``began`` is when the process did, on
    the monotonic clock.
    """
    _prepare_streams()
    # Whatever proxy there is, a model or a Prefect server on this machine is reached without it.
    skip_proxies_for_loopback(os.environ)
    try:
        app(prog_name="sopforge", obj=began)
    except SopForgeError as refused:
        if any(_debugging):
            raise
        print_faults(refused.faults)
        sys.exit(EXIT_BAD_INPUT)
    except OSError as refused:
        if any(_debugging):
            raise
        place = str(refused.filename2 or refused.filename or "")
        message, hint = describe_system_error(refused)
        print_faults([Fault("not-accessible", message, place, hint)])
        sys.exit(EXIT_BAD_INPUT)
    except Exception as fault:
        if any(_debugging):
            raise
        sys.exit(_report(fault))


def _report(fault: Exception) -> int:
    """Say what went wrong that nobody foresaw, and return the exit code."""
    if isinstance(fault, ModuleNotFoundError) and fault.name in OF_REVIEW:
        message = f"the review pages need the library '{fault.name}', which is not installed"
        hint = "install it with: pip install 'sopforge[review]'; in a clone of SOPForge: make venv"
        print_faults([Fault("review-not-installed", message, "", hint)])
        return EXIT_BAD_INPUT
    said = strip_control_characters(str(fault))
    sys.stderr.write(f"sopforge failed: {type(fault).__name__}: {said}\n")
    sys.stderr.write(
        "This is a fault of SOPForge. Run the same command with 'sopforge --debug', and report"
        " the output.\n"
    )
    return EXIT_OUR_FAULT
