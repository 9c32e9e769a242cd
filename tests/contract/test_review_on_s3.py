"""The review pages on a store in a bucket, and on one whose service goes away."""

from __future__ import annotations

from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer

from review.settings import Settings
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.versions import Store
from tests.servers.review_browser import Page, Served, named_users

REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"
STAGE = "/d/refund/schema"


def served(store: Store, tmp_path: Path) -> Served:
    """Return the app over a store in which the schema of refunds waits."""
    advance(store, read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml"))

    def go_on(domain: str) -> None:
        advance(store, load_latest_brief(store.get_domain(domain)))

    return Served(store, Settings(named_users(tmp_path)), go_on)


def test_people_look_edit_and_decide_on_s3(s3: str, tmp_path: Path) -> None:
    store = Store(BucketObjects("sops", tmp_path.name, s3, lease_seconds=5.0))
    ada = served(store, tmp_path).browser("ada")
    assert 'href="/d/refund/schema"' in ada.page("/").text
    form = ada.page(f"{STAGE}/edit").form(f"{STAGE}/edit")
    text = form.fields["text"].replace("value: 30", "value: 20", 1)

    checked = Page(ada.send(form, text=text, action="check").text).form(f"{STAGE}/edit")
    assert ada.send(checked, action="keep").status_code == 303
    approval = ada.page(STAGE).form(f"{STAGE}/decide", verdict="approve")
    assert ada.send(approval).status_code == 303

    version = store.get_domain("refund").find_waiting_version()
    assert version is not None
    assert version.manifest.stage == "sop"
    entries = AuditLog(store.get_domain("refund")).list_entries()
    assert [entry.verdict for entry in entries] == [DecisionVerdict.EDIT, DecisionVerdict.APPROVE]
    assert "Each of the 2 entries" in ada.page("/d/refund/history").text


def test_a_service_that_goes_away_is_reported_and_nothing_typed_is_lost(
    tmp_path: Path, s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del s3  # for the keys that it sets
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    objects = BucketObjects("sops", tmp_path.name, f"http://{host}:{port}", lease_seconds=5.0)
    objects._client.create_bucket(Bucket="sops")  # noqa: SLF001 - the bucket of this service
    ada = served(Store(objects), tmp_path).browser("ada")
    form = ada.page(STAGE).form(f"{STAGE}/decide", verdict="reject")
    monkeypatch.setattr(objects._client.meta.config, "retries", {"total_max_attempts": 1})  # noqa: SLF001
    server.stop()

    answer = ada.send(form, comment="Keep <this>.")

    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "10"
    assert "S3 cannot be reached" in answer.text
    assert "Keep &lt;this&gt;." in answer.text
