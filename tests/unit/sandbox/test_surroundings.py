"""What lies around the sandbox neither weakens it nor passes for it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

import sopforge
from sopforge.sandbox.child import confinement
from sopforge.sandbox.child.kernel import UnenforceableError
from sopforge.sandbox.levels import Level

INSTALLED = """
import sys
sys.path[:] = [path for path in sys.path if not path.endswith("site-packages")]
sys.path.append(sys.argv[1])
from sopforge.sandbox.process import ToolProcess
files = {"tools.py": b"class AManager:\\n    def run(self): return 1\\n"}
with ToolProcess(files=files) as tools:
    print(tools.call("run", {}))
"""


def test_what_is_around_and_refuses_is_not_taken_for_the_filter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise PermissionError

    for name in ("lower_limits", "restrict", "allow_only"):  # as a kernel that keeps nothing
        monkeypatch.setattr(confinement, name, lambda *_: None)
    for owner, name in ((os, "open"), (os, "fork"), (os, "kill"), (socket, "socket")):
        monkeypatch.setattr(owner, name, refuse)
    with pytest.raises(UnenforceableError, match="the filter is not in force"):
        confinement.confine(Level.STRONG, None)


def test_a_package_named_as_a_library_module_is_not_taken_for_it(tmp_path: Path) -> None:
    """Several on PyPI are, and lie beside SOPForge where it is installed."""
    (tmp_path / "sopforge").symlink_to(Path(sopforge.__file__).parent)
    (tmp_path / "configparser.py").write_text("raise RuntimeError\n")
    ran = subprocess.run(
        [sys.executable, "-S", "-c", INSTALLED, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={"PATH": "/nothing"},
    )
    assert ran.stdout == "Observation(value=1)\n", ran.stderr
