"""An address that is none of S3, or whose service is none, is named, and no fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from sopforge.errors import MaterialError, SopForgeError, StoreError
from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.reporting.gold import find_gold_tasks
from sopforge.evaluation.runs.rows import NotedPackage, RunFolder
from sopforge.evaluation.understanding.packages import examine_explainable, examine_series
from sopforge.store.opening import open_objects
from tests.worlds.attempt_rows import make_row


@contextmanager
def serve(body: bytes) -> Iterator[tuple[str, list[str]]]:
    """Give the address of a server that answers everything with a body, and what it is asked."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize(
    "place", ["s3://", "s3:///x", "s3://b\u00fccher/x", "s3://a b", "s3://a?b#c/x", "s3://[::1]/x"]
)
def test_a_name_that_no_bucket_has_is_refused(place: str) -> None:
    with pytest.raises(MaterialError) as caught:
        open_objects(place)
    assert str(caught.value).startswith(f"--store: store-place: '{place}' names no bucket")


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Sign in to the guest network</body></html>",
        b"{}",
        b"",
        b"<ListBucketResult><Contents><Size>3</Size></Contents></ListBucketResult>",
    ],
    ids=["a page", "JSON", "nothing", "entries without names"],
)
def test_a_service_that_is_not_s3_is_said_to_be_none(
    monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    with serve(body) as (address, _):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        objects = open_objects("s3://bucket/stores")
        with pytest.raises(StoreError, match="no S3 service"):
            objects.read("store.json")
        with pytest.raises(StoreError, match="no S3 service"):
            objects.is_locked("claims")
    if b"Contents" in body:
        with serve(body) as (address, _):
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            for find in (objects.list_names, objects.list_children):
                with pytest.raises(StoreError):
                    find("claims")


@pytest.mark.parametrize(
    ("noted", "store", "is_reached"),
    [
        (NotedPackage("/packages/a", "/stores/own"), "generated", True),
        (NotedPackage("claims@1.0.0", "s3://theirs/x"), "generated", False),
        (NotedPackage("claims@1.0.0", "s3://ours/x"), "s3://ours/x", True),
        (NotedPackage("s3://theirs/x/claims", "generated"), "generated", False),
        (NotedPackage("s3://ours/x/claims", "generated"), "s3://ours/x/", True),
        (NotedPackage("s3://ours/xy/claims", "generated"), "s3://ours/x", False),
    ],
)
def test_a_folder_sends_nobody_to_an_address(
    noted: NotedPackage,
    store: str,
    is_reached: bool,  # noqa: FBT001 - pytest
) -> None:
    assert noted.is_reached_by(store) is is_reached


def test_reading_the_run_of_somebody_sends_no_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    row = make_row("1")
    folder, digest = RunFolder(tmp_path), row.asked.digest
    folder.note_package(digest, "claims@1.0.0", "s3://theirs/store")
    series = list_series([row])
    with serve(b"") as (address, seen):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        assert not find_gold_tasks({digest: [row.asked.task]}, [], [tmp_path], "generated")
        assert not list(examine_explainable(series, [tmp_path], [], "generated"))
        with pytest.raises(SopForgeError, match="diagnosis-package-gone"):
            list(examine_series(series, [tmp_path], [], "generated"))
        assert seen == []
