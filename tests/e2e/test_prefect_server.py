"""A brief goes through a real Prefect server and worker, from deployment to release."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
BRIEF = PROJECT / "tests" / "briefs" / "refund.yaml"
COMMANDS = Path(sys.executable).parent
START_SECONDS = 120
COMMAND_SECONDS = 120
STOP_SECONDS = 20


@dataclass
class Prefect:
    """A server and a worker of the test's own; every process is stopped by its id at the end."""

    folder: Path
    port: int
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT")}
        return {
            **kept,
            "DO_NOT_TRACK": "1",
            "NO_COLOR": "1",
            "NO_PROXY": "127.0.0.1",
            "COLUMNS": "200",
            "PREFECT_API_URL": f"http://127.0.0.1:{self.port}/api",
            "PREFECT_HOME": str(self.folder / "prefect"),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_SERVER_UI_ENABLED": "false",
            "PREFECT_WORKER_QUERY_SECONDS": "1",
        }

    def start(self, name: str, *words: str) -> None:
        """Start a process in the test's folder, which is not the project's."""
        with self.log(name).open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [str(COMMANDS / "prefect"), *words],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def run(self, command: str, *words: str) -> str:
        """Run a command in the project's folder and return what it wrote."""
        done = subprocess.run(
            [str(COMMANDS / command), *words],
            cwd=PROJECT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        written = done.stdout + done.stderr
        assert done.returncode == 0, f"{command} {' '.join(words)}:\n{written}\n{self.logs()}"
        return written

    def wait_until_healthy(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._is_healthy():
            assert self.processes["server"].poll() is None, f"the server ended:\n{self.logs()}"
            assert time.monotonic() < deadline, f"the server did not start:\n{self.logs()}"
            time.sleep(0.2)

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/health", timeout=5):
                return True
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def stop(self) -> None:
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(STOP_SECONDS)

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def logs(self) -> str:
        texts = (f"--- {name}\n{self.log(name).read_text()[-8000:]}" for name in self.processes)
        return "\n".join(texts)

    def run_deployment(self, deployment: str, **parameters: str) -> str:
        """Run a deployment to its end and return the name of its last state."""
        given = [word for item in parameters.items() for word in ("--param", "=".join(item))]
        written = self.run("prefect", "deployment", "run", deployment, *given, "--watch")
        ended = re.search(r"finished successfully in '(\w+)'", written)
        assert ended, f"{written}\n{self.logs()}"
        return ended.group(1)


@contextmanager
def stopped_at_the_end(prefect: Prefect) -> Iterator[Prefect]:
    try:
        yield prefect
    finally:
        prefect.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def prefect(tmp_path: Path) -> Iterator[Prefect]:
    with stopped_at_the_end(Prefect(tmp_path, free_port())) as prefect:
        prefect.start(
            "server", "server", "start", "--host", "127.0.0.1", "--port", str(prefect.port)
        )
        prefect.wait_until_healthy()
        prefect.run("prefect", "work-pool", "create", "local", "--type", "process")
        prefect.run("prefect", "--no-prompt", "deploy", "--all")
        prefect.start("worker", "worker", "start", "--pool", "local")
        yield prefect


def waiting_stage(store: Path) -> str:
    found = re.search(r'"stage": "(\w+)"', (store / "refund" / "pending.json").read_text())
    assert found
    return found.group(1)


@pytest.mark.e2e
def test_a_brief_goes_from_gate_to_gate_to_a_release(prefect: Prefect, tmp_path: Path) -> None:
    store = tmp_path / "store"

    def generate(**parameters: str) -> str:
        return prefect.run_deployment(
            "generate-domain/local", brief=str(BRIEF), store=str(store), **parameters
        )

    assert generate() == "AwaitingApproval"
    assert waiting_stage(store) == "schema"

    prefect.run(
        "sopforge", "approve", "refund", "schema", "--by", "reviewer", "--store", str(store)
    )
    assert generate() == "AwaitingApproval"
    assert waiting_stage(store) == "sop"

    assert generate(approve_clean="true") == "Approved"
    assert len(list((store / "refund" / "stages").glob("*/0001"))) == 7
    assert list((store / "refund" / "stages").glob("*/0002")) == []

    ended = prefect.run_deployment("publish-domain/local", domain="refund", store=str(store))
    assert ended == "Published"
    assert (store / "refund" / "releases" / "1.0.0" / "release.json").is_file()
