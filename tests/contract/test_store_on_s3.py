"""A domain goes from its brief to a release on S3 as it does in a folder, with the same bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from botocore.exceptions import EndpointConnectionError
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.errors import MaterialError, StoreError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.runs import run as running
from sopforge.pipeline.runs.continuing import find_due_run
from sopforge.pipeline.stages.pipeline import STAGES, Ending, advance
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.backends.lease import Lease
from sopforge.store.entries import DecisionVerdict
from sopforge.store.last_run import RunSettings, keep_last_run, load_last_run
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.servers.s3_service import S3Service
from tests.worlds.quick_builds import settle
from tests.worlds.sealing import beneath

REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"


@pytest.fixture
def brief() -> Brief:
    return read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml")


@pytest.fixture
def on_s3(s3: str, tmp_path: Path) -> Store:
    return Store(BucketObjects("sops", tmp_path.name, s3, lease_seconds=5.0))


def test_a_release_on_s3_has_the_bytes_of_one_in_a_folder(
    brief: Brief, on_s3: Store, tmp_path: Path
) -> None:
    in_folder = open_store(tmp_path / "store")
    releases = []
    for store in (in_folder, on_s3):
        assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
        releases.append(publish(store, brief))

    folder, bucket = releases
    in_packages = [
        {name: files[name] for name in files if not name.startswith("audit_log/")}
        for files in (folder.files, bucket.files)
    ]
    assert in_packages[0] == in_packages[1]
    assert bucket.place == f"s3://sops/{tmp_path.name}/refund/releases/1.0.0"
    assert not publish(on_s3, brief).is_new
    assert advance(on_s3, brief).built == ()


def test_people_decide_and_edit_on_s3(brief: Brief, on_s3: Store) -> None:
    version = advance(on_s3, brief).version
    text = version.files["domain.yaml"].replace("value: 30", "value: 20")
    edit(on_s3.get_domain("refund"), stage="schema", digest="", text=text, by="grace")

    again = advance(on_s3, brief).version
    settle(on_s3, "schema")
    with pytest.raises(StoreError, match="nothing waits"):
        settle(on_s3, "schema")

    assert "value: 20" in again.files["domain.yaml"]
    assert [
        (item.by, item.verdict) for item in AuditLog(on_s3.get_domain("refund")).list_entries()
    ] == [
        ("grace", DecisionVerdict.EDIT),
        ("ada", DecisionVerdict.APPROVE),
    ]
    assert on_s3.list_domains() == ["refund"]


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
    assert status.output.splitlines()[1].split()[-1] == "1.0.0"


def run(*arguments: str) -> Result:
    """Run the command; what it says of bad input is raised."""
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.fixture(scope="module")
def published() -> dict[str, bytes]:
    """Return the objects of a store with a release, once one was made."""
    return {}


@pytest.fixture
def place(
    on_s3: Store,
    published: dict[str, bytes],
    service: S3Service,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Return the place of a store on S3 with a release, which the command can open."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", beneath(on_s3).endpoint_url)
    folder = f"{PurePosixPath(on_s3.place).name}/"
    if published:
        service.put({f"{folder}{name}": data for name, data in published.items()})
    else:
        brief = read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml")
        advance(on_s3, brief, approve_clean=True)
        publish(on_s3, brief)
        found = service.objects(folder.rstrip("/")).items()
        published.update({key.removeprefix(folder): data for key, data in found})
    return on_s3.place


@pytest.mark.parametrize(
    "name",
    ["refund/L1", "refund@1.0.0/refund_l1", "{}/refund/releases/1.0.0/refund_l1"],
    ids=["domain", "release", "address"],
)
@pytest.mark.parametrize(
    "command", [["run-oracle"], ["check", "--no-rebuild"], ["show"], ["verify"]], ids=" ".join
)
def test_a_package_on_s3_is_used_by_its_name(place: str, name: str, command: list[str]) -> None:
    done = run(*command, name.format(place), "--store", place)

    assert done.exit_code == 0, done.output


def test_a_release_is_fetched_and_verified_against_the_store_that_published_it(
    place: str, tmp_path: Path
) -> None:
    copy = str(tmp_path / "copy")
    fetched = run("fetch", "refund@1.0.0", copy, "--store", place)
    alone = run("verify", copy, "--json", "--store", str(tmp_path / "none"))
    report = json.loads(alone.output)
    announced = run("verify", copy, "--digest", report["digest"], "--store", place)
    other = run("verify", copy, "--digest", "0" * 64)
    with pytest.raises(MaterialError, match="already exists"):
        run("fetch", "refund@1.0.0", copy, "--store", place)

    assert fetched.output.startswith(f"refund@1.0.0 is in {copy}.")
    assert report["holds"]
    standings = {claim["what"]: claim["standing"] for claim in report["claims"]}
    assert standings["the store has it and its log"] == "not verified"
    assert "5 not verified" not in announced.output
    assert (alone.exit_code, announced.exit_code, other.exit_code) == (0, 0, 1)


@pytest.mark.usefixtures("place")
def test_a_release_copied_elsewhere_on_s3_is_verified(on_s3: Store, tmp_path: Path) -> None:
    files = on_s3.get_domain("refund").read_release_files("1.0.0")
    record = on_s3.objects.read("refund/releases/1.0.0/release.json") or b""
    elsewhere = BucketObjects("sops", f"{tmp_path.name}-copy/of-it", beneath(on_s3).endpoint_url)
    for name, content in {**files, "release.json": record}.items():
        elsewhere.create(name, content)

    assert run("verify", elsewhere.place).exit_code == 0
    with pytest.raises(MaterialError, match="there is no folder"):
        run("verify", f"{elsewhere.place}-not")


def test_a_private_test_set_is_drawn_and_a_release_yanked_on_s3(place: str) -> None:
    drawn = run("draw", "refund", "--store", place)
    verified = run("verify", "refund@1.0.0-private.1", "--store", place)
    yanked = run("yank", "refund", "1.0.0", "--reason", "wrong", "--by", "ada", "--store", place)
    proved = run("run-oracle", "refund@1.0.0/L0", "--store", place)
    status = run("status", "refund", "--store", place)

    assert f"Drew refund 1.0.0-private.1 from 1.0.0, in {place}/refund" in drawn.output
    assert (verified.exit_code, proved.exit_code) == (0, 0)
    assert "refund 1.0.0 is yanked; see entry 11 of the audit log." in yanked.output
    assert "1.0.0 was yanked by ada: wrong" in proved.stderr
    assert "releases: 1.0.0 (yanked: wrong), 1.0.0-private.1" in status.output


@pytest.mark.parametrize("writes", [0, 1, 3, 7, 12, 20])
def test_an_outage_after_any_write_loses_nothing(
    writes: int, brief: Brief, on_s3: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    undisturbed = open_store(tmp_path / "store")
    advance(undisturbed, brief, approve_clean=True)
    left = [writes]
    client = beneath(on_s3)._client  # noqa: SLF001 - to be cut off
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
        [one], [other] = (
            item.get_domain("refund").list_versions(stage.name) for item in (undisturbed, on_s3)
        )
        assert (one.number, one.manifest, one.files) == (other.number, other.manifest, other.files)
    assert len(AuditLog(on_s3.get_domain("refund")).list_entries()) == len(STAGES)


def test_a_run_that_died_on_s3_is_found_by_whoever_looks_once(
    brief: Brief, service: S3Service, s3: str, tmp_path: Path
) -> None:
    objects = BucketObjects("sops", tmp_path.name, s3)
    store = Store(objects)
    running.run(store, brief, RunSettings())
    noted = load_last_run(store.get_domain("refund"))
    keep_last_run(store.get_domain("refund"), replace(noted, ended=""))
    lease = Lease(objects, "refund/.run.lock", 15.0)
    assert lease.take_within(0)
    assert find_due_run(store.get_domain("refund")) is None

    lease._is_dropped.set()  # noqa: SLF001 - as if its process had been killed
    service.age(f"{tmp_path.name}/refund/.run.lock", 20)
    assert find_due_run(store.get_domain("refund")) is None
    service.age(f"{tmp_path.name}/refund/.run.lock", 20)
    assert find_due_run(store.get_domain("refund")) is not None
    assert objects.read("refund/.run.lock") is not None


def test_a_password_in_the_address_of_the_service_is_shown_to_nobody(s3: str) -> None:
    del s3  # for the keys that it sets
    store = Store(BucketObjects("sops", "any", "http://ada:hunter-2@127.0.0.1:9"))

    with pytest.raises(StoreError) as refused:
        store.list_domains()

    assert "127.0.0.1" in str(refused.value)
    assert "hunter-2" not in str(refused.value)
