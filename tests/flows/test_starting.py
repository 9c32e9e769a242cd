"""A run is started once for each decision, on a real server; what is over is not taken for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from uuid import UUID, uuid4

import httpx
import pytest
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.deployments.runner import RunnerDeployment
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Completed, Crashed, Pending, Running

from flows import starting
from flows.generate import generate_domain
from flows.starting import PrefectContinuation, collect_parameters
from sopforge.errors import ContinuationError
from sopforge.pipeline.runs.continuing import MOST_TRIES, Due
from sopforge.store.last_run import NO_RUN, RunSettings, keep_last_run
from sopforge.store.opening import open_store

pytestmark = pytest.mark.usefixtures("prefect_server")


@pytest.fixture(scope="module")
def client(prefect_server: None) -> Iterator[SyncPrefectClient]:  # noqa: ARG001 - it is there
    deployment = generate_domain.to_deployment("local")
    assert isinstance(deployment, RunnerDeployment)  # so typed for callers that await it
    deployment.apply()
    with get_client(sync_client=True) as client:
        yield client


@pytest.fixture
def due() -> Due:
    return Due("refund", "schema, approve by ada", f"refund:{uuid4()}", RunSettings())


def runs_of(client: SyncPrefectClient, due: Due) -> list[FlowRun]:
    found = client.read_flow_runs(limit=200)
    return [run for run in found if (run.idempotency_key or "").startswith(due.key)]


def end(client: SyncPrefectClient, run: UUID, state: State[None]) -> None:
    client.set_flow_run_state(run, state, force=True)


def test_a_decision_starts_one_run_however_often_it_is_reported(
    client: SyncPrefectClient, due: Due
) -> None:
    messages = {PrefectContinuation().start("/store", due) for _ in range(3)}
    [run] = runs_of(client, due)
    assert len(messages) == 1
    assert messages.pop().startswith(f"'{run.name}' of generate-domain/local")
    assert run.name == "refund continued after schema, approve by ada"
    assert run.parameters["domain"] == "refund"
    assert run.parameters["store"] == "/store"
    assert set(run.tags) >= {"refund"}


def test_the_page_of_a_domain_is_that_of_its_progress(client: SyncPrefectClient) -> None:
    page = PrefectContinuation().get_page_address("order_refunds")
    assert page.endswith("/artifacts/key/progress-order-refunds")
    assert page.startswith(str(client.api_url).removesuffix("/").removesuffix("/api"))


def test_a_run_at_work_is_the_one(client: SyncPrefectClient, due: Due) -> None:
    PrefectContinuation().start("/store", due)
    end(client, runs_of(client, due)[0].id, Running())
    PrefectContinuation().start("/store", due)
    assert len(runs_of(client, due)) == 1


@pytest.mark.parametrize("state", [Pending(), Running()], ids=["pending", "running"])
def test_a_run_whose_process_died_unnoticed_is_followed_by_another(
    client: SyncPrefectClient, due: Due, state: State[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    PrefectContinuation().start("/store", due)
    end(client, runs_of(client, due)[0].id, state)
    PrefectContinuation().start("/store", due)
    assert len(runs_of(client, due)) == 1

    # As if it had been so for longer than a run takes to begin.
    monkeypatch.setattr(starting, "_BEGINS_WITHIN", timedelta(0))
    PrefectContinuation().start("/store", due)

    assert len(runs_of(client, due)) == 2


def test_a_run_that_no_worker_took_yet_is_the_one(
    client: SyncPrefectClient, due: Due, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "_BEGINS_WITHIN", timedelta(0))
    for _ in range(2):
        PrefectContinuation().start("/store", due)
    assert len(runs_of(client, due)) == 1


@pytest.mark.parametrize("state", [Crashed(), Completed()], ids=["crashed", "completed"])
def test_a_run_that_is_over_is_followed_by_another(
    client: SyncPrefectClient, due: Due, state: State[None]
) -> None:
    PrefectContinuation().start("/store", due)
    end(client, runs_of(client, due)[0].id, state)
    for _ in range(2):
        PrefectContinuation().start("/store", due)
    assert len(runs_of(client, due)) == 2


def test_a_run_that_did_the_work_before_another_could_be_started_is_the_one(
    client: SyncPrefectClient, due: Due, tmp_path: Path
) -> None:
    place = str(tmp_path / "store")
    PrefectContinuation().start(place, due)
    keep_last_run(
        open_store(place).get_domain(due.domain), replace(NO_RUN, tries=1, ended="Waiting")
    )
    end(client, runs_of(client, due)[0].id, Completed())

    PrefectContinuation().start(place, due)

    assert len(runs_of(client, due)) == 1


def test_runs_that_all_end_at_once_are_given_up(client: SyncPrefectClient, due: Due) -> None:
    for _ in range(MOST_TRIES):
        PrefectContinuation().start("/store", due)
        for run in runs_of(client, due):
            end(client, run.id, Crashed())
    with pytest.raises(ContinuationError, match="each ended before it began") as refused:
        PrefectContinuation().start("/store", due)
    [fault] = refused.value.faults
    assert "generate-domain/local --param domain=refund --param store=/store" in fault.hint
    assert len(runs_of(client, due)) == MOST_TRIES


def test_a_run_gets_what_the_last_one_was_asked_for(due: Due) -> None:
    settings = RunSettings(
        approve_clean=True, publish=True, run_ahead=True, budget=Decimal("0.50"), prices="p"
    )
    assert collect_parameters("/store", replace(due, settings=settings)) == {
        "domain": "refund",
        "store": "/store",
        "approve_clean": True,
        "publish": True,
        "run_ahead": True,
        "budget": "0.50",
        "prices": "p",
    }
    assert collect_parameters("/store", due) == {"domain": "refund", "store": "/store"}


def test_a_deployment_that_is_not_there_is_reported(
    monkeypatch: pytest.MonkeyPatch, due: Due
) -> None:
    monkeypatch.setattr(starting, "DEPLOYMENT", "generate-domain/nowhere")
    with pytest.raises(ContinuationError, match="prefect --no-prompt deploy --all"):
        PrefectContinuation().start("/store", due)


def test_a_server_that_does_not_answer_is_reported_at_once(due: Due) -> None:
    with (
        temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}),
        pytest.raises(ContinuationError, match="run-not-started: ConnectError") as refused,
    ):
        PrefectContinuation().start("/store", due)
    assert isinstance(refused.value.__cause__, httpx.ConnectError)


@pytest.mark.parametrize("retries", [1, 4])
def test_a_busy_server_is_asked_again_as_often_as_there_is_time_for(due: Due, retries: int) -> None:
    asked: list[str] = []

    class Busy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(503)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        with (
            temporary_settings({PREFECT_API_URL: f"http://127.0.0.1:{server.server_port}/api"}),
            pytest.raises(ContinuationError, match="503 Service Unavailable"),
        ):
            PrefectContinuation(retries).start("/store", due)
    finally:
        server.shutdown()
        server.server_close()

    (path,) = {item for item in asked if "/deployments/" in item}
    assert asked.count(path) == retries + 1


def test_no_server_of_its_own_is_started(due: Due) -> None:
    with (
        temporary_settings(restore_defaults={PREFECT_API_URL}),
        pytest.raises(ContinuationError, match="no Prefect server is named"),
    ):
        PrefectContinuation().start("/store", due)
