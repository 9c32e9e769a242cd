"""One Prefect server and worker for the end-to-end tests of a process: a start takes its time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.servers.prefect_processes import Prefect, free_port


@pytest.fixture(scope="session")
def prefect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prefect]:
    """Return what the commands of docs/prefect.md set up."""
    running = Prefect(tmp_path_factory.mktemp("prefect"), free_port())
    try:
        running.start_server()
        running.prefect("work-pool", "create", "local", "--type", "process")
        running.prefect("--no-prompt", "deploy", "--all")
        running.start_worker()
        yield running
    finally:
        running.stop()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")
