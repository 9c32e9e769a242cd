"""Machines that lack a part of the sandbox: made here by a filter that refuses that part."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys

import pytest

from sopforge.sandbox.child.seccomp import ALLOW, Instruction
from sopforge.sandbox.child.system_calls import ARCHITECTURES

REFUSED = 0x00050000
PRCTL = {"x86_64": 157, "aarch64": 167}
LANDLOCK, SET_SECCOMP = 444, 22
LOAD, IF_EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER, FIRST_ARGUMENT = 0, 16
MACHINE = os.uname().machine

WITHOUT_LANDLOCK = [
    Instruction(LOAD, 0, 0, NUMBER),
    Instruction(IF_EQUAL, 0, 1, LANDLOCK),
    Instruction(RETURN, 0, 0, REFUSED | errno.ENOSYS),
    Instruction(RETURN, 0, 0, ALLOW),
]
WITHOUT_SECCOMP = [
    Instruction(LOAD, 0, 0, NUMBER),
    Instruction(IF_EQUAL, 0, 3, PRCTL.get(MACHINE, 0)),
    Instruction(LOAD, 0, 0, FIRST_ARGUMENT),
    Instruction(IF_EQUAL, 0, 1, SET_SECCOMP),
    Instruction(RETURN, 0, 0, REFUSED | errno.EINVAL),
    Instruction(RETURN, 0, 0, ALLOW),
]
WEAKENED = """
import sys
from sopforge.sandbox.child.kernel import call_prctl
from sopforge.sandbox.child.seccomp import Instruction, install

call_prctl(38, 1)
install([Instruction(*step) for step in {steps}])
{then}
"""
RUN = """
from sopforge.errors import SandboxError
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess

source = b"class AManager:\\n    def run(self):\\n        return 1\\n"
for level in ("strong", "kernel", "limits"):
    try:
        with ToolProcess(files={"tools.py": source}, level=Level(level)) as tools:
            print(level, tools.call("run", {}).value)
    except SandboxError as refused:
        print(level, refused.faults[0].code, refused.faults[0].message)
"""
DOCTOR = """
from sopforge.cli.app import main
sys.argv = ["sopforge", "doctor", "--json"]
main()
"""

pytestmark = pytest.mark.skipif(MACHINE not in ARCHITECTURES, reason="no filter for this machine")


def on_a_machine(steps: list[Instruction], then: str) -> subprocess.CompletedProcess[str]:
    """Run a script where a part of the kernel is refused."""
    script = WEAKENED.format(steps=[tuple(step) for step in steps], then=then)
    environment = {**os.environ, "PATH": "/nowhere"}  # and without bubblewrap
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )


def test_without_landlock_files_stay_in_memory_or_nothing_runs() -> None:
    lines = on_a_machine(WITHOUT_LANDLOCK, RUN).stdout.splitlines()
    assert lines[0] == "strong 1"
    assert lines[1].startswith("kernel sandbox-too-weak level 'kernel' cannot be enforced: the")
    assert lines[2] == "limits 1"


def test_without_a_filter_only_limits_are_left() -> None:
    lines = on_a_machine(WITHOUT_SECCOMP, RUN).stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["strong", "sandbox-too-weak"],
        ["kernel", "sandbox-too-weak"],
        ["limits", "1"],
    ]


def test_the_doctor_says_what_is_missing() -> None:
    ran = on_a_machine(WITHOUT_SECCOMP, DOCTOR)
    report = json.loads(ran.stdout)
    assert (ran.returncode, report["best"], report["is_ready"]) == (1, "limits", False)
    assert "the kernel accepts no seccomp filter" in report["levels"]["strong"]["unavailable"]
    assert report["levels"]["strong"]["holds"] is False
