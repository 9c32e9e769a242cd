"""The commands of the tutorial end and print as its text says.

Those of SOPForge run in this process, where they take what other tests built; a shell runs the
others, and one of SOPForge, to show that the installed command is there.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.running.commands import run

PROJECT = Path(__file__).parents[2]
TUTORIAL = PROJECT / "docs" / "tutorial.md"
_BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ENDS_WITH = re.compile(r"# ends with (\d)")
_ENVIRONMENT = {name: text for name, text in os.environ.items() if "SOPFORGE" not in name}


@dataclass(frozen=True)
class Step:
    """The commands of a block, and what the blocks after them say that they print."""

    commands: tuple[str, ...]
    printed: tuple[str, ...] = ()

    def refused(self, folder: Path) -> str:
        """Run the commands in a folder; return what is not as the text says, "" if all is."""
        output = ""
        for command in self.commands:
            found = _ENDS_WITH.search(command)
            expected = int(found[1]) if found else 0
            code, printed = run_line(command, folder)
            output += printed
            if code != expected:
                return f"{command!r} ended with {code}:\n{output}"
        missing = [line for line in self.printed if line not in output]
        return f"{missing} not printed by {self.commands}:\n{output}" if missing else ""


def run_in_shell(command: str, folder: Path) -> tuple[int, str]:
    """Return how a command ends in a shell that finds what is installed, and what it prints."""
    ran = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=folder,
        env={**_ENVIRONMENT, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


def run_line(command: str, folder: Path) -> tuple[int, str]:
    """Return how a command of the text ends, and what it prints."""
    words = shlex.split(command, comments=True)
    if words[0] != "sopforge":
        return run_in_shell(command, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("SOPFORGE_STORE", raising=False)
        if ">" not in words:
            done = run(*words[1:])
            return done.code, done.out + done.err
        *words, sign, target = words
        assert sign == ">"
        done = run(*words[1:])
        Path(target).write_text(done.out, encoding="utf-8")
        return done.code, done.err


def steps() -> list[Step]:
    """Return the blocks of commands, in order; the first one makes the folder."""
    found: list[Step] = []
    for kind, text in _BLOCK.findall(TUTORIAL.read_text(encoding="utf-8")):
        lines = tuple(line.strip() for line in text.strip().splitlines())
        if kind == "sh":
            found.append(Step(lines))
        else:
            found[-1] = Step(found[-1].commands, (*found[-1].printed, *lines))
    return found


def test_the_tutorial_goes_from_a_starter_to_the_second_release(tmp_path: Path) -> None:
    first, *others = steps()
    assert first.commands == ("mkdir -p my-benchmarks && cd my-benchmarks",)

    for step in others:
        assert step.refused(tmp_path) == ""

    releases = tmp_path / "generated" / "expense_claims" / "releases"
    assert sorted(path.name for path in releases.iterdir()) == ["1.0.0", "2.0.0"]


def test_the_command_of_the_tutorial_is_installed(tmp_path: Path) -> None:
    start = steps()[1]
    assert start.commands == ("sopforge new expense_claims",)

    code, printed = run_in_shell(f"{start.commands[0]} > said.txt", tmp_path)

    assert (code, printed) == (0, "")
    said = (tmp_path / "said.txt").read_text(encoding="utf-8")
    assert [line for line in start.printed if line not in said] == []
    assert (tmp_path / "briefs" / "expense_claims.yaml").is_file()


def test_the_tutorial_shows_each_command_that_a_domain_needs() -> None:
    said = {command.split()[1] for step in steps() for command in step.commands if "sop" in command}
    assert said >= {"new", "plan", "generate", "continue", "approve", "edit", "publish", "verify"}


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        pytest.param(Step(("false",)), "'false' ended with 1", id="a command that fails"),
        pytest.param(Step(("true  # ends with 3",)), "ended with 0", id="one that should fail"),
        pytest.param(Step(("echo 1",), ("2",)), "['2'] not printed", id="another output"),
    ],
)
def test_a_tutorial_that_is_wrong_is_noticed(step: Step, complaint: str, tmp_path: Path) -> None:
    assert complaint in step.refused(tmp_path)
