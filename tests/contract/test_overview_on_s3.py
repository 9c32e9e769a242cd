"""A bucket shows where many domains stand as a folder does, in whatever order it answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.entries import DecisionVerdict
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.quick_builds import REFUND, QuickBuild, go, settle

NAMES = [f"refund_{number:02}" for number in range(10)]


def fill(store: Store) -> None:
    """Make domains of which every other one runs ahead, and one that is sent back."""
    go(store)
    settle(store, "schema", DecisionVerdict.REJECT)
    for number, name in enumerate(NAMES):
        brief = read_brief(REFUND.replace("domain: refund", f"domain: {name}"), "refund.yaml")
        advance(store, brief, run_ahead=number % 2 == 0, build=QuickBuild())


def read_status(place: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(app, ["status", "--json", "--store", place])
    found = json.loads(result.output)["domains"]
    times = [item["last_decision"].pop("at") for item in found if item["last_decision"]]
    assert len(times) == 1
    return list(found)


def test_a_bucket_shows_its_domains_as_a_folder_does(
    s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3)
    on_s3 = Store(BucketObjects("sops", tmp_path.name, s3))
    fill(on_s3)
    fill(open_store(tmp_path))

    found = read_status(on_s3.place)

    assert found == read_status(str(tmp_path))
    assert [item["domain"] for item in found] == ["refund", *NAMES]
    assert [len(item["provisional"]) for item in found[1:]] == [6, 0] * 5
