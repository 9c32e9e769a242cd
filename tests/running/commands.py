"""Runs a command as a person does, through its handling of errors."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from typer.testing import CliRunner

from sopforge.cli.app import app, main


class Terminal(io.StringIO):
    """What a person types; before it is read, something may happen."""

    def isatty(self) -> bool:
        """Return that a person sits there."""
        return True


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run(*arguments: str) -> Ran:
    """Run a command in this process."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["sopforge", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def invoke(*arguments: object) -> tuple[int, str]:
    """Return a command's exit code and all that it printed; raise the error that ended it."""
    done = CliRunner().invoke(app, [str(item) for item in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder by their names, but for what any run writes.

    Locks hold nothing, and what the last run was asked for decides no byte of what is made.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): _sealed(path) or path.read_bytes()
        for path in paths
        if not path.name.endswith(".lock") and path.name != "last_run.json"
    }


def _sealed(path: Path) -> bytes:
    """Return what a seal says of all but the last run; nothing for another file."""
    if path.name != "seal.json":
        return b""
    files = json.loads(path.read_bytes())["files"]
    files.pop("last_run.json", None)
    return json.dumps(files).encode()
