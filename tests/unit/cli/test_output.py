"""What is printed is plain where it is no terminal or no colours are wanted, and helps who errs."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from sopforge.cli.output import make_console, make_table, say

COMMAND = [sys.executable, "-c", "from sopforge.cli import main; main()"]
PLAIN = {name: text for name, text in os.environ.items() if name not in {"NO_COLOR", "TERM"}}
FEES = Path(__file__).parents[2] / "briefs" / "fees.yaml"
NOTHING = ("show", "fees", "sop")


def on_terminal(*arguments: str, **environment: str) -> str:
    """Return all that a command writes to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        env={**PLAIN, "TERM": "xterm-256color", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 65_536):
            pieces.append(piece)
    except OSError:
        pass  # what Linux says once the other end is closed
    process.wait()
    os.close(ours)
    return b"".join(pieces).decode()


def in_pipe(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env={**PLAIN, "TERM": "xterm-256color"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_terminal_has_colours_unless_none_are_wanted(tmp_path: Path) -> None:
    command = (*NOTHING, "--store", str(tmp_path))

    coloured, plain = on_terminal(*command), on_terminal(*command, NO_COLOR="1")

    assert "\x1b[31m" in coloured
    # On a slow machine it is shown meanwhile that the command is at work, and that is erased again.
    assert not re.search(r"\x1b\[[34]\d", plain)
    assert "unknown-domain" in plain


def test_a_pipe_gets_no_control_characters_and_faults_go_beside_it(tmp_path: Path) -> None:
    done = in_pipe(*NOTHING, "--store", str(tmp_path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"unknown-domain: {tmp_path}: the store has no domain 'fees'")
    assert "\x1b" not in done.stderr + in_pipe("--help").stdout


def test_what_is_to_be_copied_is_one_line_however_narrow_a_terminal_is(tmp_path: Path) -> None:
    folder = tmp_path / "a store whose name is longer than a terminal of forty columns is wide"
    folder.mkdir()

    printed = on_terminal("status", "--store", str(folder), COLUMNS="40", NO_COLOR="1")

    [line] = [line for line in printed.splitlines() if "sopforge generate BRIEF" in line]
    assert line.endswith(f"--store '{folder}'")


def test_what_a_terminal_cannot_show_is_printed_as_its_number(tmp_path: Path) -> None:
    brief, text = tmp_path / "fees.yaml", FEES.read_text(encoding="utf-8")
    head, title = text.partition("title: ")[::2]
    brief.write_text(f"{head}title: Fees \u2013 {title}", encoding="utf-8")
    latin = {**PLAIN, "PYTHONIOENCODING": "latin-1:strict", "PYTHONUTF8": "0"}
    store = ("--store", str(tmp_path / "store"))

    done, shown = (
        subprocess.run([*COMMAND, *words, *store], env=latin, capture_output=True, check=False)
        for words in (("generate", str(brief)), ("show", "fees", "schema", "--file", "domain.yaml"))
    )

    assert (done.returncode, shown.returncode) == (3, 0)
    assert done.stdout.startswith(b"fees: Fees \\u2013 ")
    # A file is printed as it is.
    assert "title: Fees \u2013 ".encode() in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("generat", "x.yaml"), "Did you mean 'generate'"),
        (("status", "--stor", "x"), "--store"),
        (("show", "fees", "sop", "--jsn"), "--json"),
    ],
)
def test_what_is_meant_is_suggested(arguments: tuple[str, ...], hint: str) -> None:
    done = in_pipe(*arguments)

    assert (done.returncode, done.stdout) == (2, "")
    assert hint in " ".join(done.stderr.split())


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_an_output_that_is_closed_is_no_fault(closed: str, tmp_path: Path) -> None:
    unknown = [*COMMAND, "show", "fees", "sop", "--store", str(tmp_path)]
    listing = [*COMMAND, "status", "--store", str(tmp_path)]
    for command, code in ((listing, 0), (unknown, 2)):
        ran = subprocess.run(
            ["/bin/sh", "-c", f"{shlex.join(command)} {closed}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, "fault of SOPForge" in ran.stderr) == (code, False)


def test_help_has_a_group_for_each_purpose_and_examples() -> None:
    text = in_pipe("--help").stdout
    shown = in_pipe("generate", "--help").stdout

    assert [word for word in ("Make", "Decide", "Look", "Check") if f"─ {word} ─" in text] == [
        *("Make", "Decide", "Look", "Check")
    ]
    assert "sopforge generate briefs/fees.yaml" in shown
    assert "Exits with code 1 if" in shown
    assert "[default: strong]" in " ".join(shown.replace("│", " ").split())


@pytest.mark.parametrize("name", ["\x1b]0;owned\x07", "\x1b[2J\x1b[1;31m", "\x9b31m", "a\u202eb"])
def test_no_text_in_a_line_or_a_table_steers_the_terminal(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = make_console()
    table = make_table(f"runs of {name}", [name], [[f"the package {name}"]])
    screen.print(table)
    say(screen, f"The agent is {name}.")

    shown = capsys.readouterr().out
    assert "the package" in shown
    assert not {letter for letter in shown if unicodedata.category(letter) in {"Cc", "Cf"}} - {"\n"}
