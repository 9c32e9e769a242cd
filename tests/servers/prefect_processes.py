"""A Prefect server and a worker of the tests' own; every process is stopped by its id."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterTags
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.settings import PREFECT_API_URL, temporary_settings

PROJECT = Path(__file__).parents[2]
COMMANDS = Path(sys.executable).parent
SOPFORGE = [sys.executable, "-c", "from sopforge.cli import main; main()"]
# A machine that is busy with all other tests takes several times as long as an idle one.
START_SECONDS = 400
COMMAND_SECONDS = 600
STOP_SECONDS = 20
WORKER_POLL_SECONDS = 2
WORKER_LIMIT = 4


@dataclass
class Prefect:
    """A server with its database in a folder, and a worker that takes four runs at a time."""

    folder: Path
    port: int
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def api(self) -> str:
        return f"http://127.0.0.1:{self.port}/api"

    @property
    def environment(self) -> dict[str, str]:
        dropped = ("PREFECT", "SOPFORGE")
        kept = {name: text for name, text in os.environ.items() if not name.startswith(dropped)}
        return {
            **kept,
            "DO_NOT_TRACK": "1",
            "NO_COLOR": "1",
            "NO_PROXY": "127.0.0.1",
            "COLUMNS": "200",
            "PYTHONPATH": str(PROJECT),
            "PREFECT_API_URL": self.api,
            "PREFECT_HOME": str(self.folder / "prefect"),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_SERVER_UI_ENABLED": "false",
            "PREFECT_WORKER_QUERY_SECONDS": str(WORKER_POLL_SECONDS),
            "SOPFORGE_CONTINUE": "prefect",
        }

    def start_server(self) -> None:
        self._start("server", "server", "start", "--host", "127.0.0.1", "--port", str(self.port))
        until(self._is_healthy, START_SECONDS, lambda: f"the server did not start:\n{self.logs()}")

    def start_worker(self) -> None:
        self._start("worker", "worker", "start", "--pool", "local", "--limit", str(WORKER_LIMIT))

    def kill(self, name: str, *, is_alone: bool = False) -> None:
        """End a process at once, with a signal that nothing catches, and those that it started."""
        process = self.processes.pop(name)
        ids = [process.pid] if is_alone else [process.pid, *children(process.pid)]
        for number in ids:
            os.kill(number, signal.SIGKILL)
        process.wait(STOP_SECONDS)

    def stop(self) -> None:
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(STOP_SECONDS)

    def prefect(self, *words: str) -> str:
        """Run a command of Prefect's in the project's folder and return what it wrote."""
        return self._ran([str(COMMANDS / "prefect"), *words])

    def sopforge(self, *words: str) -> str:
        """Run a command of ours, which may start runs here, and return what it wrote."""
        return self._ran([*SOPFORGE, *words])

    def begin(self, *words: str) -> subprocess.Popen[str]:
        """Start a command of ours without waiting for its end."""
        return subprocess.Popen(
            [*SOPFORGE, *words],
            cwd=PROJECT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run_deployment(self, deployment: str, **parameters: str) -> str:
        """Run a deployment to its end and return the name of its last state."""
        given = [word for item in parameters.items() for word in ("--param", "=".join(item))]
        written = self.prefect("deployment", "run", deployment, *given, "--watch")
        ended = re.search(r"finished successfully in '(\w+)'", written)
        assert ended, f"{written}\n{self.logs()}"
        return ended.group(1)

    def runs(self, domain: str) -> list[FlowRun]:
        """Return the runs of a domain that waited at a gate, or were started for a decision."""
        tagged = FlowRunFilter(tags=FlowRunFilterTags(all_=[domain]))
        with self._connect() as client:
            return client.read_flow_runs(flow_run_filter=tagged)

    def cancel(self, run: FlowRun) -> None:
        """Have a run cancelled as Prefect's command does, which takes longer than some runs."""
        with self._connect() as client:
            client.set_flow_run_state(run.id, State(type=StateType.CANCELLING))

    def logs(self) -> str:
        texts = (f"--- {name}\n{self._log(name).read_text()[-8000:]}" for name in self.processes)
        return "\n".join(texts)

    @contextmanager
    def _connect(self) -> Iterator[SyncPrefectClient]:
        with (
            temporary_settings({PREFECT_API_URL: self.api}),
            get_client(sync_client=True) as client,
        ):
            yield client

    def _start(self, name: str, *words: str) -> None:
        """Start a process in the test's folder, which is not the project's."""
        with self._log(name).open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [str(COMMANDS / "prefect"), *words],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _ran(self, command: list[str]) -> str:
        done = subprocess.run(
            command,
            cwd=PROJECT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        written = done.stdout + done.stderr
        assert done.returncode == 0, f"{' '.join(command)}:\n{written}\n{self.logs()}"
        return written

    def _is_healthy(self) -> bool:
        assert self.processes["server"].poll() is None, f"the server ended:\n{self.logs()}"
        try:
            return httpx.get(f"{self.api}/health", timeout=5).is_success
        except httpx.TransportError:
            return False

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"


def until(holds: Callable[[], bool], seconds: float, report: Callable[[], str] = str) -> float:
    """Wait until something holds; return how many seconds it took."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < seconds, f"not within {seconds} s: {report()}"
        time.sleep(0.05)
    return time.monotonic() - begun


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def children(number: int) -> list[int]:
    """Return the ids of all processes below one, whichever of its threads started them."""
    lists = (path.read_text() for path in Path(f"/proc/{number}/task").glob("*/children"))
    found = [int(child) for text in lists for child in text.split()]
    return [below for child in found for below in (child, *children(child))]
