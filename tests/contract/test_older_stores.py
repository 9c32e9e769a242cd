"""A store that an earlier SOPForge wrote is brought to today's format, in a folder and on S3.

``tests/stores/format_1.tar.xz`` was made by the program before the store kept every brief: changes
were asked for, a person and a policy approved, a release was published, and a schema waits.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_latest_brief
from sopforge.domain.reading import read_brief
from sopforge.releases.publishing import publish
from sopforge.stages.pipeline import STAGES, Ending, advance
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.formats import formats
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.objects import Objects
from sopforge.store.versions import Store
from sopforge.upkeep.damage import find_damage
from tests.faults.killed_upkeep import unpack
from tests.running.commands import contents, run

REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"
FEEDBACK = "Say what the age is counted from."
DECISIONS = [
    ("schema", "request_changes", "grace", "person"),
    ("schema", "approve", "ada", "person"),
    *((stage.name, "approve", "approve-clean", "policy") for stage in STAGES[1:]),
]
# Of release.json, as it was written then.
HEAD = "43e0a46acca69e33c5565bec983b1e68e21b8178cba329c7e89c3be52abd1b60"


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("older")
    unpack(folder)
    return folder


@pytest.fixture(params=["folder", "bucket"])
def objects(request: pytest.FixtureRequest, older: Path, tmp_path: Path) -> Objects:
    """Return a place in which the older store is."""
    if request.param == "folder":
        unpack(tmp_path)
        return FolderObjects(tmp_path)
    bucket = BucketObjects("sops", tmp_path.name, request.getfixturevalue("s3"), lease_seconds=5.0)
    for name, data in contents(older).items():
        bucket.replace(name, data)
    return bucket


def test_nothing_is_lost_by_migrating(objects: Objects, older: Path) -> None:
    before = contents(older)
    assert formats.migrate(objects) == 1

    after = {name: objects.read(name) for name in objects.list_names("")}
    assert after.pop("store.json") == b'{"format": 3}\n'
    assert after.pop("refund/seal.json") is not None
    assert after == {
        name.replace("refund/brief/", "refund/briefs/0001/"): data for name, data in before.items()
    }


def test_a_migrated_store_stands_where_it_stood(objects: Objects) -> None:
    formats.migrate(objects)
    store = Store(objects)

    log = AuditLog(store, "refund")
    entries = [(item.stage, item.verdict, item.by, item.kind) for item in log.list_entries()]
    assert entries == DECISIONS
    assert log.list_feedback("schema") == (FEEDBACK,)
    assert store.read_release("refund", "1.0.0")["audit_log"] == log.read_head() == HEAD
    assert (found := store.find_waiting("refund"))
    assert found.stage == "schema"
    assert "value: 32" in load_latest_brief(store, "refund").text
    assert find_damage(store, "refund") == []


def test_generating_on_builds_on_what_was_approved(objects: Objects) -> None:
    formats.migrate(objects)
    store = Store(objects)
    brief = read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml")

    # The program's version is part of every key, so that a later one may have to build anew; what
    # was approved for the same content is carried then.
    before = AuditLog(store, "refund").list_entries()
    ended = advance(store, brief, approve_clean=True)

    assert ended.ending is Ending.APPROVED
    assert AuditLog(store, "refund").list_entries()[: len(DECISIONS)] == before
    assert store.objects.list_children("refund/briefs") == ["0001", "0002"]
    publish(store, brief, with_words=True)
    assert store.list_releases("refund")[0] == "1.0.0"
    assert find_damage(store, "refund") == []


def test_reading_commands_say_how_to_migrate(tmp_path: Path) -> None:
    unpack(tmp_path)
    before, place = contents(tmp_path), str(tmp_path)
    for command in (
        ["status"],
        ["show", "refund", "schema"],
        ["diff", "refund"],
        ["cost", "refund"],
        ["check-store"],
        ["gc", "--dry-run"],
    ):
        ran = run(*command, "--store", place)
        assert (ran.code, ran.out) == (2, ""), command
        assert ran.err == (
            f"store-older: {place}: the store is in format 1; this SOPForge reads format 3\n"
            f"  hint: convert it to format 3 without loss: sopforge migrate --store {place}\n"
        )
    assert contents(tmp_path) == before


def test_migrating_says_what_it_did(tmp_path: Path) -> None:
    unpack(tmp_path)
    place = str(tmp_path)
    runs = [run("migrate", "--store", place) for _ in range(2)]
    assert [(ran.code, ran.out) for ran in runs] == [
        (0, f"The store in {place} is in format 3.\n")
    ] * 2
    assert runs[0].err == f"Converted the store in {place} from format 1 to format 3.\n"
    assert runs[1].err == ""
    status = run("status", "refund", "--store", place)
    assert status.code == 0
    assert "schema      3        803f7837a75e  1 warning  waiting" in status.out
    assert "tools       1        5cdae3816407  none       approved by policy" in status.out
    assert "releases: 1.0.0" in status.out


def test_commands_that_write_migrate_by_themselves(tmp_path: Path) -> None:
    unpack(tmp_path)
    place = str(tmp_path)
    approved = run("approve", "refund", "schema", "--by", "ada", "--store", place)
    assert approved.code == 0
    assert approved.err == f"Converted the store in {place} from format 1 to format 3.\n"
    assert approved.out.startswith("ada approved refund schema 803f7837a75e.")


def test_there_is_nothing_to_migrate_where_no_store_is(tmp_path: Path) -> None:
    ran = run("migrate", "--store", str(tmp_path / "typo"))
    assert ran.code == 2
    assert ran.err.startswith(f"store-not-found: there is no store in {tmp_path / 'typo'}\n")
    assert not (tmp_path / "typo").exists()
