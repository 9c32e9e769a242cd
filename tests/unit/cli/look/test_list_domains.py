"""``sopforge list`` names each domain of a store in a line."""

from __future__ import annotations

import json
from pathlib import Path

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.running.commands import run
from tests.worlds.changed_briefs import REFUND


def test_each_domain_has_its_title_stage_state_and_newest_release(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    advance(store, read_brief(REFUND, "brief.yaml"))
    store.get_domain("refund").save_release("1.0.0", {}, {"stages": {}})

    ran = run("list", "--store", str(tmp_path))
    listed = run("list", "--json", "--store", str(tmp_path))

    head, line = ran.out.splitlines()
    assert head.split() == ["domain", "title", "stage", "state", "release"]
    assert line.split("  ") == [
        "refund",
        "Order Refunds",
        "schema",
        "waits for a decision",
        "1.0.0",
    ]
    assert json.loads(listed.out)["domains"][0]["state"] == "waits for a decision"


def test_a_store_without_domains_says_where_it_looked(tmp_path: Path) -> None:
    assert f"There are no domains in {tmp_path}." in run("list", "--store", str(tmp_path)).out
