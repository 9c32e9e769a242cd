"""One Prefect server and worker for all end-to-end tests: a start takes up to forty seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
