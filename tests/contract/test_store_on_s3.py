"""A domain goes from its brief to a release on S3 as it does in a folder, with the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from botocore.exceptions import EndpointConnectionError
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.domain.reading import Brief, read_brief
from sopforge.errors import StoreError
from sopforge.stages.gates import decide, edit
from sopforge.stages.pipeline import STAGES, Ending, advance
from sopforge.stages.publishing import publish
from sopforge.store.bucket import BucketObjects
from sopforge.store.decisions import AuditLog, Verdict
from sopforge.store.opening import open_store
from sopforge.store.versions import Store

REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"


@pytest.fixture
def brief() -> Brief:
    return read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml")


@pytest.fixture
def on_s3(s3: str, tmp_path: Path) -> Store:
    return Store(BucketObjects("sops", tmp_path.name, s3, lease_seconds=0.6))


def test_a_release_on_s3_has_the_bytes_of_one_in_a_folder(
    brief: Brief, on_s3: Store, tmp_path: Path
) -> None:
    in_folder = open_store(tmp_path / "store")
    releases = []
    for store in (in_folder, on_s3):
        assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
        releases.append(publish(store, brief))

    folder, bucket = releases
    assert folder.files == bucket.files
    assert bucket.place == f"s3://sops/{tmp_path.name}/refund/releases/1.0.0"
    assert not publish(on_s3, brief).is_new
    assert advance(on_s3, brief).built == ()


def test_people_decide_and_edit_on_s3(brief: Brief, on_s3: Store) -> None:
    version = advance(on_s3, brief).version
    text = version.files["domain.yaml"].replace("value: 30", "value: 20")
    edit(on_s3, "refund", stage="schema", digest="", text=text, by="grace")

    again = advance(on_s3, brief).version
    decide(on_s3, "refund", stage="schema", digest="", verdict=Verdict.APPROVE, by="ada")
    with pytest.raises(StoreError, match="nothing waits"):
        decide(on_s3, "refund", stage="schema", digest="", verdict=Verdict.APPROVE, by="ada")

    assert "value: 20" in again.files["domain.yaml"]
    assert [(item.by, item.verdict) for item in AuditLog(on_s3, "refund").entries()] == [
        ("grace", Verdict.EDIT),
        ("ada", Verdict.APPROVE),
    ]
    assert on_s3.domains() == ["refund"]


def test_the_command_keeps_its_store_on_s3(
    s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3)
    place = f"s3://sops/{tmp_path.name}"
    made = CliRunner().invoke(app, ["generate", str(REFUND), "--approve-clean", "--store", place])
    published = CliRunner().invoke(app, ["publish", "refund", "--store", place])
    status = CliRunner().invoke(app, ["status", "--store", place])

    assert made.exit_code == 0, made.output
    assert f"sopforge publish refund --store {place}" in made.output
    assert f"Published refund 1.0.0 in {place}/refund/releases/1.0.0" in published.output
    assert "releases: 1.0.0" in status.output


@pytest.mark.parametrize("writes", [0, 1, 3, 7, 12, 20])
def test_an_outage_after_any_write_loses_nothing(
    writes: int, brief: Brief, on_s3: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    undisturbed = open_store(tmp_path / "store")
    advance(undisturbed, brief, approve_clean=True)
    left = [writes]
    client = on_s3.objects._client  # type: ignore[attr-defined]  # noqa: SLF001 - to be cut off
    put = client.put_object

    def cut_off(**given: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise EndpointConnectionError(endpoint_url="http://s3")
        return put(**given)

    with monkeypatch.context() as patch:
        patch.setattr(client, "put_object", cut_off)
        with pytest.raises(StoreError, match="S3 cannot be reached"):
            advance(on_s3, brief, approve_clean=True)

    assert advance(on_s3, brief, approve_clean=True).ending is Ending.APPROVED
    for stage in STAGES:
        [one], [other] = (item.versions("refund", stage.name) for item in (undisturbed, on_s3))
        assert (one.number, one.manifest, one.files) == (other.number, other.manifest, other.files)
    assert len(AuditLog(on_s3, "refund").entries()) == len(STAGES)
