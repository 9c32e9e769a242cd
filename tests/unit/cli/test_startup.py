"""The command starts without the libraries that only some of its work needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "prefect",
    "z3",
    "pandas",
    "numpy",
    "anthropic",
    "boto3",
    "pydantic",
    "jinja2",
    "sklearn",
    "matplotlib",
)


def modules_after(statement: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter holds after a statement."""
    source = f"{statement}\nimport sys\nprint(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in ran.stdout.split()}


@pytest.mark.parametrize("heavy", HEAVY)
def test_help_loads_no_heavy_library(heavy: str) -> None:
    assert heavy not in modules_after("import sopforge.cli")


@pytest.mark.parametrize("heavy", ["prefect", "z3", "pandas", "anthropic", "boto3"])
def test_status_and_store_load_no_solver_and_no_scheduler(heavy: str) -> None:
    loaded = modules_after("import sopforge.cli.status, sopforge.store.decisions")
    assert heavy not in loaded
