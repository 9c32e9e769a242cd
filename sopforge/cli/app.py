"""The ``sopforge`` command: its sub-commands, and how errors become messages and exit codes."""

from __future__ import annotations

import sys

import typer

from sopforge.cli import (
    approve,
    check,
    check_model,
    cost,
    diff,
    doctor,
    edit,
    explain,
    generate,
    preview,
    publish,
    regenerate,
    reject,
    request_changes,
    reread,
    run_oracle,
    show,
    status,
)
from sopforge.cli.output import EXIT_BAD_INPUT, EXIT_OUR_FAULT, print_faults
from sopforge.errors import Fault, SopForgeError

app = typer.Typer(
    name="sopforge",
    help="Turn a business brief into a published, proved benchmark domain for LLM agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    check_model.check_model,
    preview.preview,
    generate.generate,
    regenerate.regenerate,
    status.status,
    show.show,
    diff.diff,
    approve.approve,
    request_changes.request_changes,
    edit.edit,
    reject.reject,
    publish.publish,
    run_oracle.run_oracle,
    check.check,
    reread.reread,
    explain.explain,
    cost.cost,
    doctor.doctor,
):
    app.command()(command)


@app.callback()
def common(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
) -> None:
    """Turn a business brief into a published, proved benchmark domain for LLM agents."""
    _debugging.append(debug)


_debugging: list[bool] = []


def main() -> None:
    """Run the command; exit with 0 done, 1 findings, 2 bad input, 3 waiting, 70 our fault."""
    try:
        app()
    except SopForgeError as refused:
        if any(_debugging):
            raise
        print_faults(refused.faults)
        sys.exit(EXIT_BAD_INPUT)
    except OSError as refused:
        if any(_debugging):
            raise
        place = str(refused.filename or "")
        message = refused.strerror or str(refused)
        print_faults([Fault("not-accessible", message, place, "check the path and its rights")])
        sys.exit(EXIT_BAD_INPUT)
    except Exception as fault:
        if any(_debugging):
            raise
        sys.stderr.write(f"sopforge failed: {type(fault).__name__}: {fault}\n")
        sys.stderr.write("This is a fault of SOPForge; run it again with --debug and report it.\n")
        sys.exit(EXIT_OUR_FAULT)
