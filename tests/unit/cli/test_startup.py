"""Commands start fast: they load what they need, and nothing heavy to say their help."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.pipeline.stages.pipeline import Ending
from sopforge.store.opening import open_store
from tests.worlds.quick_builds import go

BRIEFS = Path(__file__).parents[2] / "briefs"
FEES, REFUND = BRIEFS / "fees.yaml", BRIEFS / "refund.yaml"
BUILDING = {
    *("z3", "pandas", "numpy", "jinja2", "jsonschema", "black", "faker", "boto3", "lemminflect"),
}
"""What a run that builds nothing gets by without."""
READING = BUILDING | {
    *("prefect", "scipy", "arro3", "anthropic", "openai", "botocore"),
    *("fastapi", "httpx2", "starlette", "uvicorn", "argon2", "limits"),
}
"""What a command that only reads the store gets by without."""
HEAVY = READING | {"pydantic"}


def ended(*arguments: str) -> tuple[set[str], str]:
    """Return the top-level modules that a command holds at its end, and what it printed."""
    source = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))\n"
        "from sopforge.cli import main; main()\n"
    )
    command = [sys.executable, "-c", source, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in ran.stderr.split()}, ran.stdout


def written(store: Path) -> dict[str, int]:
    """Return when each file was written but the note of the last run, and its seal."""
    noted = {"last_run.json", "seal.json"}
    files = [path for path in store.rglob("*.json") if path.name not in noted]
    return {str(path): path.stat().st_mtime_ns for path in files}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a store in which a domain waits."""
    place = str(tmp_path_factory.mktemp("store"))
    assert CliRunner().invoke(app, ["generate", str(FEES), "--store", place]).exit_code == 3
    return place


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the place of a store in which all stages of a brief are approved."""
    place = tmp_path_factory.mktemp("built")
    assert go(open_store(place), approve_clean=True).ending is Ending.APPROVED
    return str(place)


def test_help_loads_no_heavy_library() -> None:
    assert ended("--help")[0] & HEAVY == set()


@pytest.mark.parametrize(
    "command",
    [
        "status",
        "status fees",
        "show fees schema --file domain.yaml",
        "show fees schema --json",
        "continue",
        "store clear --dry-run",
    ],
)
def test_looking_loads_no_solver_no_scheduler_and_no_vendor(store: str, command: str) -> None:
    assert ended(*command.split(), "--store", store)[0] & READING == set()


@pytest.mark.parametrize("command", ["approve fees schema", "reject fees schema"])
def test_deciding_loads_no_solver_no_scheduler_and_no_vendor(tmp_path: Path, command: str) -> None:
    store = str(tmp_path / "store")
    assert CliRunner().invoke(app, ["generate", str(FEES), "--store", store]).exit_code == 3

    assert ended(*command.split(), "--store", store)[0] & READING == set()


def test_a_run_that_changes_nothing_builds_nothing_and_loads_nothing_that_builds(
    built: str,
) -> None:
    before = written(Path(built))

    loaded, output = ended("generate", str(REFUND), "--approve-clean", "--store", built)

    assert "All stages are approved." in output
    assert loaded & BUILDING == set()
    assert written(Path(built)) == before


def test_a_look_at_all_domains_reads_no_brief(built: str) -> None:
    loaded, output = ended("status", "--store", built)

    assert "approved by policy" in output
    assert loaded & {*READING, "yaml"} == set()
