"""Sixteen processes decide on one version at once: each decision counts once, or is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.sealing import beneath

ROOT = Path(__file__).parents[2]
REFUND = ROOT / "tests" / "briefs" / "refund.yaml"
PERSONS = [f"person{number:02d}" for number in range(16)]
TIME_LIMIT = 120

AT_ONE = pytest.mark.parametrize(
    "waiting", ["folder", pytest.param("s3", marks=pytest.mark.exhaustive)], indirect=True
)
"""What other tests show in a bucket, too."""

Waiting: TypeAlias = Callable[[int], Store]


@pytest.fixture(params=["folder", "s3"])
def waiting(request: pytest.FixtureRequest, tmp_path: Path) -> Waiting:
    """Return what makes a store in which a schema waits for so many approvers."""

    def generated(approvers: int) -> Store:
        if request.param == "folder":
            store = open_store(tmp_path / "store")
        else:
            url = request.getfixturevalue("s3")
            store = Store(BucketObjects("sops", tmp_path.name, url))
        gates = f"gates: {{approvers: {{schema: {approvers}}}}}\n"
        text = f"{REFUND.read_text(encoding='utf-8')}{gates}"
        advance(store, read_brief(text, "refund.yaml"))
        return store

    return generated


def approved_at_once(store: Store, persons: list[str]) -> list[tuple[int, str]]:
    """Have persons approve, each in a process of their own; return how each ended."""
    commands = [
        ["approve", "refund", "schema", "--by", person, "--store", store.place]
        for person in persons
    ]
    url = getattr(beneath(store), "endpoint_url", "")
    ran = subprocess.run(
        [sys.executable, "-m", "tests.running.crowd"],
        input=json.dumps(commands),
        cwd=ROOT,
        env={**os.environ, "AWS_ENDPOINT_URL_S3": url},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=True,
    )
    return [(code, said) for code, said, _ in json.loads(ran.stdout)]


def deciders(store: Store) -> list[str]:
    return sorted(entry.by for entry in AuditLog(store.get_domain("refund")).list_entries())


def test_sixteen_persons_are_all_heard_once(waiting: Waiting) -> None:
    store = waiting(16)
    ended = approved_at_once(store, PERSONS)
    assert [code for code, _ in ended] == [0] * 16, ended
    assert deciders(store) == PERSONS
    assert store.get_domain("refund").find_waiting_version() is None


def test_of_sixteen_windows_of_a_person_one_counts(waiting: Waiting) -> None:
    store = waiting(16)
    ended = approved_at_once(store, ["ada"] * 16)
    refused = [said for code, said in ended if code == 2]
    assert Counter(code for code, _ in ended) == {0: 1, 2: 15}
    assert all("second-decision" in said for said in refused)
    assert all("ada has already decided on schema" in said for said in refused)
    assert deciders(store) == ["ada"]


@AT_ONE
def test_persons_with_two_windows_each_are_heard_once_each(waiting: Waiting) -> None:
    store = waiting(16)
    ended = approved_at_once(store, PERSONS[:8] * 2)
    assert Counter(code for code, _ in ended) == {0: 8, 2: 8}
    assert deciders(store) == PERSONS[:8]


@AT_ONE
def test_where_one_is_enough_the_others_hear_whose_decision_it_was(waiting: Waiting) -> None:
    store = waiting(1)
    ended = approved_at_once(store, PERSONS)
    assert Counter(code for code, _ in ended) == {0: 1, 2: 15}
    [first] = deciders(store)
    refused = [said for code, said in ended if code == 2]
    assert all(f"was made by {first}: approve" in said for said in refused)
