"""A Prefect server of the tests' own: a loopback port, a database in a temporary folder."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.servers.s3_fixtures import s3, service

__all__ = ["s3", "service"]

# Read when Prefect is imported, which no test module does before this one.
os.environ["DO_NOT_TRACK"] = "1"
os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "false"

START_SECONDS = 120


@pytest.fixture(scope="session")
def prefect_server() -> Iterator[None]:
    # After the settings.
    from prefect.settings import (
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
        temporary_settings,
    )
    from prefect.testing.utilities import prefect_test_harness

    with (
        prefect_test_harness(server_startup_timeout=START_SECONDS),
        # What says every three minutes that a run goes on ends up to a second after it.
        temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}),
    ):
        yield
