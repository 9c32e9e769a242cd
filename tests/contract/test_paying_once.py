"""What was paid for is not paid for again, and what is asked at once stays within its limit.

With the real SDK, real processes, and a kill that nothing can catch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from sopforge.authors.providers import selection
from sopforge.authors.providers.adapters.endpoints import Endpoints
from sopforge.authors.providers.client import Client
from sopforge.authors.providers.ledger import Purpose, reconcile
from sopforge.authors.providers.selection import build_client
from sopforge.authors.providers.settings import Settings
from sopforge.store.backends.folder import FolderObjects
from tests.servers.model_server import Drip, ModelServer, Say, Silence, model_server
from tests.worlds.providers import REQUEST, events_in, set_keys

PURPOSE = Purpose("sop", "write_sop", 1)
ROOT = Path(__file__).parents[2]
ASK_TWICE = """
import sys
from dataclasses import replace
from tests.contract.test_paying_once import PURPOSE, client_at
from tests.worlds.providers import REQUEST
client = client_at(sys.argv[1], sys.argv[2])
for number in range(2):
    client.ask(replace(REQUEST, replicate=number), PURPOSE)
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    set_keys(monkeypatch)
    # The port may be one at which an earlier test had a server with another limit.
    monkeypatch.setattr(selection, "ENDPOINTS", Endpoints())
    with model_server() as running:
        yield running


def client_at(url: str, store: Path | str, concurrency: int = 4) -> Client:
    settings = Settings(base_url=url, concurrency=concurrency)
    return build_client("anthropic", REQUEST.model, settings, FolderObjects(Path(store)), "claims")


def wait_for(server: ModelServer, questions: int) -> None:
    end = time.monotonic() + 60
    while len(server.seen) < questions:
        assert time.monotonic() < end, "the process did not ask"
        time.sleep(0.02)


def test_a_killed_run_goes_on_where_it_stopped(server: ModelServer, tmp_path: Path) -> None:
    server.play(Say("one"), Silence(30))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ASK_TWICE, server.url, str(tmp_path)]
    with subprocess.Popen(command, env=environment, cwd=ROOT) as process:
        wait_for(server, 2)
        process.kill()
    server.play(Say("two"))
    client = client_at(server.url, tmp_path)
    texts = [client.ask(replace(REQUEST, replicate=n), PURPOSE).text for n in range(2)]
    assert texts == ["one", "two"]
    assert len(server.seen) == 3
    counts = reconcile(events_in(tmp_path / "claims" / "calls.jsonl"))
    assert (counts.calls, counts.answers, counts.interrupted, counts.from_record) == (3, 2, 1, 1)


def test_clients_of_one_endpoint_share_its_limit(server: ModelServer, tmp_path: Path) -> None:
    server.play(*(Drip(0.01) for _ in range(6)))
    clients = [client_at(server.url, tmp_path / str(n), concurrency=2) for n in range(2)]
    threads = [
        Thread(target=clients[n % 2].ask, args=(replace(REQUEST, replicate=n), PURPOSE))
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.seen) == 6
    assert server.most_open == 2
