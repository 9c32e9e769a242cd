"""Rounds of reviews whose runs Prefect starts, while its server and worker are killed too.

A run takes Prefect some seconds, so that these rounds are longer, and on a folder alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.prefect_processes import Prefect, free_port
from tests.soak.places import Soaked
from tests.soak.review_rounds import ReviewSoak

_BUSY_SECONDS = 75.0
_QUIET_SECONDS = 300.0


@contextmanager
def prefect_soak(place: Soaked, folder: Path, made: Path, seed: int) -> Iterator[ReviewSoak]:
    """Return rounds for which a server and a worker run until they are over."""
    home = folder / "scheduler"
    home.mkdir()
    prefect = Prefect(home, free_port())

    def restart_server() -> None:
        prefect.kill("server")
        prefect.start_server()

    def restart_worker() -> None:
        prefect.kill("worker")
        prefect.start_worker()

    try:
        prefect.start_server()
        prefect.prefect("work-pool", "create", "local", "--type", "process")
        prefect.prefect("--no-prompt", "deploy", "--all")
        prefect.start_worker()
        yield ReviewSoak(
            (place,),
            folder,
            made,
            seed,
            busy_seconds=_BUSY_SECONDS,
            quiet_seconds=_QUIET_SECONDS,
            options=("--continue", "prefect"),
            environment=prefect.environment,
            others={"server": restart_server, "worker": restart_worker},
        )
    finally:
        prefect.stop()
