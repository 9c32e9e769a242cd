"""Without the extra of the review pages, their commands say what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
sys.modules["argon2"] = None
from sopforge.cli import main
main()
"""


@pytest.mark.parametrize("command", ["review", "review-user list"])
def test_what_is_missing_and_how_to_install_it_is_said(command: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT, *command.split()],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 2
    assert "review-not-installed: the review pages need the library 'argon2'" in ran.stderr
    assert "pip install 'sopforge[review]'" in ran.stderr
