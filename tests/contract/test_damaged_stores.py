"""Damage by hand is reported with its kind, its place and what to do, and nothing is written."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from sopforge.store.digests import digest_value
from tests.running.commands import contents, run
from tests.worlds.sealing import seal_anew

BRIEF = str(Path(__file__).parents[1] / "briefs" / "refund.yaml")
FILES = "refund/stages/sop/0001/files"
FORGED = {
    "domain": "refund",
    "stage": "sop",
    "key": "k",
    "content": "c",
    "author": "offline",
    "inputs": 5,
    "findings": [],
}
SOP, MANIFEST = f"{FILES}/sop.txt", "refund/stages/sop/0001/manifest.json"
RELEASE = "refund/releases/1.0.0"
PENDING = "refund/pending.json"
WAITING = "refund/stages/schema/0001"

Damage: TypeAlias = Callable[[Path], object]

SHOW, DIFF, STATUS = ("show", "refund", "sop"), ("diff", "refund"), ("status", "refund")
GENERATE, PUBLISH, GC = ("generate", BRIEF), ("publish", "refund"), ("store", "clear", "--yes")
APPROVE = ("approve", "refund", "schema", "--by", "ada")
SENT_BACK = ("reject", "refund", "schema", "--reason", "More.")
REJECT = ("reject", "refund", "schema")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a release, and an edit before it."""
    folder = tmp_path_factory.mktemp("released")
    store, text = ("--store", str(folder)), folder.parent / "edited.yaml"
    assert run("generate", BRIEF, *store).code == 3
    model = (folder / WAITING / "files" / "domain.yaml").read_text(encoding="utf-8")
    text.write_text(model.replace("value: 30", "value: 20"), encoding="utf-8")
    assert run("edit", "refund", "schema", "--from", str(text), "--by", "ada", *store).code == 0
    assert run("generate", BRIEF, "--approve-clean", *store).code == 0
    assert run("publish", "refund", *store).code == 0
    return folder


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which a schema waits at its gate."""
    folder = tmp_path_factory.mktemp("waiting")
    assert run("generate", BRIEF, "--store", str(folder)).code == 3
    return folder


def replaced(name: str, old: str, new: str) -> Damage:
    def damage(store: Path) -> None:
        text = (store / name).read_text(encoding="utf-8")
        assert old in text
        (store / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return damage


def written(name: str, data: bytes) -> Damage:
    return lambda store: (store / name).write_bytes(data)


def removed(name: str) -> Damage:
    return lambda store: (store / name).unlink()


def made_folder(name: str) -> Damage:
    def damage(store: Path) -> None:
        (store / name).unlink()
        (store / name).mkdir()

    return damage


def led_out(name: str) -> Damage:
    """Put a link to a copy outside of the store in the place of a file or a folder."""

    def damage(store: Path) -> None:
        outside = store.parent / "outside"
        shutil.move(store / name, outside)
        (store / name).symlink_to(outside)

    return damage


def entry(number: int) -> str:
    return f"refund/decisions/{number:06d}.json"


def swapped(store: Path) -> None:
    one, other = store / entry(2), store / entry(3)
    texts = one.read_bytes(), other.read_bytes()
    one.write_bytes(texts[1])
    other.write_bytes(texts[0])


RESTORE = "restore the files, or delete the version's folder and generate again"
MANIFEST_HINT = "restore it, or delete the version's folder and generate again"
NO_NAME = f"{FILES}/{os.fsdecode(bytes([255]))}"


def describe(code: str, where: str, message: str, hint: str) -> str:
    """Return what is printed, with a gap for the store's place."""
    return f"{code}: {{}}{where}: {message}\n  hint: {hint}\n"


def outside(name: str) -> str:
    message = "it is a link that leads out of the store"
    hint = "replace the link by the folder or file that it leads to, or name that place with"
    return describe("store-outside", f"/{name}", message, f"{hint} --store")


def damaged(name: str, message: str, hint: str = "restore it from a copy") -> str:
    return describe("store-damaged", f"/{name}", message, hint)


def broken(number: int, message: str) -> str:
    hint = "restore the log from a copy; each release contains the entries up to it, in its"
    return describe("audit-log-broken", f"/{entry(number)}", message, f"{hint} audit_log")


def not_continued(number: int) -> str:
    message = f"entry {number} does not continue entry {number - 1}"
    return broken(number, f"{message}: one of them was changed or removed")


def not_a_file(name: str) -> str:
    message = "it is a folder, but a file is expected here"
    return describe("store-unusable", f"/{name}", message, "restore the file")


def not_released(name: str) -> str:
    hint = "restore it; or move it away, accept the change (check-store --accept), and publish"
    message = f"{name} is not the released file"
    return describe("release-changed", f"/{RELEASE}", message, f"{hint} again")


CHANGED = describe(
    *("artifact-changed", "/refund/stages/sop/0001"),
    *("the files differ from the stored ones", RESTORE),
)
NO_DECISION = "the entry is not a decision: Invalid JSON:"
BRIEF_NAME, RECORD = "refund/briefs/0001/brief.yaml", f"{RELEASE}/release.json"
COURSE = b'{"last": "sop", "versions": {"sop": {"version": 1, "key": [], "content": "c"}}}'
FORGERY = json.dumps({"format": 1, **FORGED, "digest": digest_value(FORGED)}).encode()
ALL = (
    SHOW,
    GENERATE,
    PUBLISH,
    DIFF,
    STATUS,
    GC,
    ("store", "check"),
    ("status", "--cost", "refund"),
)

Case: TypeAlias = tuple[Damage, tuple[tuple[str, ...], ...], str]
CASES: dict[str, Case] = {
    "a file changed": (replaced(SOP, "e", "E"), (SHOW, GENERATE, PUBLISH, DIFF, GC), CHANGED),
    "a file removed": (removed(SOP), (SHOW,), CHANGED),
    "a file added": (written(f"{FILES}/more.txt", b""), (SHOW,), CHANGED),
    "a file not UTF-8": (written(SOP, b"\xff"), (SHOW,), CHANGED),
    "a name no text": (written(NO_NAME, b""), (SHOW,), CHANGED),
    "a file led out": (led_out(SOP), (SHOW, GENERATE, STATUS), outside(SOP)),
    "a folder led out": (led_out(FILES), (SHOW, GC), outside(FILES)),
    "a domain led out": (led_out("refund"), (GENERATE,), outside("refund/run")),
    "a manifest a folder": (made_folder(MANIFEST), (SHOW,), not_a_file(MANIFEST)),
    "an entry a folder": (made_folder(entry(2)), (STATUS,), not_a_file(entry(2))),
    "a released file changed": (
        *(replaced(f"{RELEASE}/refund/sop.txt", "e", "E"), (PUBLISH,)),
        not_released("refund/sop.txt"),
    ),
    "a released package gone": (
        *(lambda store: shutil.rmtree(store / RELEASE / "refund_l1"), (PUBLISH,)),
        not_released("refund_l1/SHA256SUMS"),
    ),
    "a marker of nothing": (
        *(written("store.json", b"{}"), ALL),
        damaged(
            *("store.json", "the file states no format"),
            'restore the file; in a store of this SOPForge, it contains {{"format": 1}}',
        ),
    ),
    "another format": (
        written("store.json", b'{"format": 4}'),
        (
            *(*ALL, APPROVE, SENT_BACK, REJECT, ("plan", "--preview", BRIEF)),
            *(("edit", "refund", "schema"), ("regenerate", "refund"), ("reread", "refund")),
        ),
        describe(
            *("store-format", "", "the store is in format 4; this SOPForge reads format 1"),
            "use the SOPForge version that wrote it; this one has read and written nothing",
        ),
    ),
}
# Of these the seal knows; what they are refused for besides shows once somebody accepted them.
SEALED: dict[str, Case] = {
    "a manifest changed": (
        *(replaced(MANIFEST, "offline", "ada"), (SHOW, GENERATE, PUBLISH, DIFF, STATUS, GC)),
        damaged(MANIFEST, "the file was changed after it was written", MANIFEST_HINT),
    ),
    "a manifest cut": (
        *(written(MANIFEST, b"["), (SHOW,)),
        damaged(MANIFEST, "Expecting value: line 1 column 2 (char 1)", MANIFEST_HINT),
    ),
    "a manifest forged, of no inputs": (
        *(written(MANIFEST, FORGERY), (SHOW,)),
        damaged(MANIFEST, "its inputs are not listed as texts by name", MANIFEST_HINT),
    ),
    "a course of no versions": (
        *(written("refund/current.json", COURSE), (SHOW, STATUS)),
        damaged(
            "refund/current.json",
            "the file names no versions: TypeError('one of the versions is missing')",
        ),
    ),
    "an entry changed": (
        *(replaced(entry(2), "approve-clean", "grace"), (GENERATE, PUBLISH, STATUS, GC)),
        not_continued(3),
    ),
    "an entry missing": (
        *(removed(entry(2)), (STATUS,)),
        broken(3, "entry 2 does not continue entry 1: one of them was changed or removed"),
    ),
    "entries swapped": (swapped, (STATUS,), not_continued(2)),
    "an entry cut": (
        *(written(entry(2), b"["), (STATUS,)),
        broken(2, f"{NO_DECISION} EOF while parsing a list at line 1 column 1"),
    ),
    "an entry of garbage at the end": (
        *(written(entry(9), b"x"), (PUBLISH,)),
        broken(9, f"{NO_DECISION} expected value at line 1 column 1"),
    ),
    "an entry not UTF-8": (
        *(written(entry(2), b"\xff"), (STATUS,)),
        damaged(entry(2), "the file is not UTF-8"),
    ),
    "release.json no object": (
        *(written(RECORD, b"[]"), (PUBLISH, GC)),
        damaged(RECORD, "the file holds no object"),
    ),
    "release.json of other stages": (
        *(
            written(RECORD, b'{"stages": ["sop"]}'),
            (PUBLISH, ("diff", "refund", "--from", "1.0.0")),
        ),
        damaged(RECORD, "its stages are not listed as digests by name"),
    ),
    "a brief not UTF-8": (
        *(written(BRIEF_NAME, b"\xff"), (PUBLISH, DIFF, ("regenerate", "refund"), STATUS)),
        damaged(BRIEF_NAME, "the file is not UTF-8"),
    ),
}


@pytest.mark.parametrize("name", [*CASES, *SEALED])
def test_damage_is_reported(name: str, released: Path, tmp_path: Path) -> None:
    damage, commands, message = {**CASES, **SEALED}[name]
    store = tmp_path / "store"
    shutil.copytree(released, store)
    damage(store)
    if name in SEALED:
        before = contents(store)
        for command in commands:
            refused = run(*command, "--store", str(store))
            assert (refused.code, refused.err.partition(":")[0]) == (2, "seal-broken"), command
        assert contents(store) == before
        seal_anew(store, "refund")
    before = contents(store)

    for command in commands:
        ran = run(*command, "--store", str(store))
        assert (ran.code, ran.err) == (2, message.format(store)), command

    assert contents(store) == before


PENDING_HINT = "generate again to rewrite it"
NOTHING_WAITS = (
    "nothing-waits: refund: nothing waits at a gate\n  hint: see the state of the domain with:"
    " sopforge status refund --store {}\n"
)
SEALED_PENDING = describe(
    "seal-broken", f"/{PENDING}", "the file was changed after it was written", PENDING_HINT
)
WAITING_CASES: dict[str, tuple[Damage, str]] = {
    "cut": (written(PENDING, b"["), SEALED_PENDING),
    "gone": (
        removed(PENDING),
        describe("seal-broken", f"/{PENDING}", "the file is missing", PENDING_HINT),
    ),
    "of a version that is gone": (removed(f"{WAITING}/manifest.json"), NOTHING_WAITS),
    "of changed files": (
        replaced(f"{WAITING}/files/domain.yaml", "30", "20"),
        CHANGED.replace("sop", "schema"),
    ),
    "of a changed manifest": (
        replaced(f"{WAITING}/manifest.json", "offline", "ada"),
        describe(
            "seal-broken",
            f"/{WAITING}/manifest.json",
            "the file was changed after it was written",
            MANIFEST_HINT,
        ),
    ),
}


@pytest.mark.parametrize("name", WAITING_CASES)
def test_nobody_decides_on_what_is_damaged(name: str, waiting: Path, tmp_path: Path) -> None:
    damage, message = WAITING_CASES[name]
    store = tmp_path / "store"
    shutil.copytree(waiting, store)
    damage(store)
    before = contents(store)

    for command in (APPROVE, SENT_BACK, REJECT):
        ran = run(*command, "--store", str(store))
        assert (ran.code, ran.err) == (2, message.format(store)), command

    assert contents(store) == before


@pytest.mark.parametrize("name", ["cut", "gone"])
def test_generating_again_repairs_what_waits(name: str, waiting: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(waiting, store)
    WAITING_CASES[name][0](store)

    assert run("generate", BRIEF, "--store", str(store)).code == 3

    assert contents(store) == contents(waiting)


def test_a_changed_edit_is_reported(released: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(released, store)
    (edit,) = (store / "refund" / "edits").iterdir()
    edit.write_text(edit.read_text().replace("value: 20", "value: 10"))

    ran = run("generate", BRIEF, "--store", str(store))

    assert ran.code == 2
    assert ran.err == (
        f"store-damaged: {edit}: the edit differs from the recorded one\n"
        "  hint: restore it from a copy\n"
    )


def test_words_that_were_changed_are_reported(waiting: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(waiting, store)
    assert run(*SENT_BACK, "--store", str(store)).code == 0
    (words,) = (store / "refund" / "words").iterdir()
    words.write_text("Less.")

    ran = run("store", "check", "--store", str(store))

    assert ran.code == 1
    assert f"{words}: the comment differs from the recorded one" in ran.out + ran.err


def test_a_byte_order_mark_is_no_part_of_an_edit(waiting: Path, tmp_path: Path) -> None:
    store, text = tmp_path / "store", tmp_path / "edited.yaml"
    shutil.copytree(waiting, store)
    model = (store / WAITING / "files" / "domain.yaml").read_text(encoding="utf-8")
    text.write_text(model.replace("value: 30", "value: 20"), encoding="utf-8-sig")

    edited = ("edit", "refund", "schema", "--from", str(text), "--store", str(store))
    assert run(*edited).code == 0

    (kept,) = (store / "refund" / "edits").iterdir()
    assert json.loads(kept.read_text())["after"] == model.replace("value: 30", "value: 20")


def test_what_a_link_leads_to_is_not_handed_over(released: Path, tmp_path: Path) -> None:
    store, secret = tmp_path / "store", tmp_path / "secret"
    shutil.copytree(released, store)
    secret.write_text("secret")
    link = store / RELEASE / "refund" / "notes.txt"
    link.symlink_to(secret)

    ran = run("fetch", "refund@1.0.0", str(tmp_path / "copy"), "--store", str(store))

    assert ran.code == 2
    assert ran.err.startswith(f"not-a-file: {link}: it is a link")
    assert not (tmp_path / "copy").exists()


def test_a_link_to_nothing_is_no_place_for_a_copy(released: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").symlink_to(tmp_path / "nowhere")

    ran = run("fetch", "refund@1.0.0", str(tmp_path / "copy"), "--store", str(released))

    assert (ran.code, ran.err.partition(":")[0]) == (2, "folder-taken")


def test_a_stale_and_a_second_decision_are_refused(waiting: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(waiting, store)
    place = ("--store", str(store))
    pending = (store / PENDING).read_bytes()
    content = json.loads(pending)["content"]

    stale = run(*APPROVE, "--digest", "0123456789ab", *place)
    assert stale.code == 2
    assert stale.err.startswith(
        f"stale-decision: refund: schema 0123456789ab is not waiting; schema {content[:12]} is\n"
        "  hint: "
    )
    assert f"--store {store}" in stale.err
    assert run(*APPROVE, *place).code == 0
    before = contents(store)
    again = run(*APPROVE, *place)
    assert (again.code, again.err.partition(":")[0]) == (2, "nothing-waits")
    assert contents(store) == before


def test_what_a_run_noted_is_shown_only_as_it_was_noted(released: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(released, store)
    (store / "refund/stages/sop/0001/run.json").write_text("edited")
    place = ("--store", str(store))

    codes = [run(*command, *place).code for command in (SHOW, GENERATE, PUBLISH, STATUS)]

    assert codes == [2, 2, 2, 2]
    assert run("store", "check", *place).out == "refund: 1 item damaged\n"


def test_status_shows_the_others_and_names_the_damaged(released: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(released, store)
    for name in ("alpha", "omega"):
        text = Path(BRIEF).read_text(encoding="utf-8").replace("domain: refund", f"domain: {name}")
        (tmp_path / "brief.yaml").write_text(text, encoding="utf-8")
        assert run("generate", str(tmp_path / "brief.yaml"), "--store", str(store)).code == 3
    led_out("refund")(store)

    ran = run("status", "--store", str(store))

    assert ran.code == 2
    assert [line.split()[0] for line in ran.out.splitlines()[1:]] == ["alpha", "omega", "refund"]
    assert ran.err.splitlines()[0] == (
        f"refund is damaged; see: sopforge store check refund --store {store}"
    )
    assert ran.err.splitlines()[1].startswith(f"store-outside: {store}/refund/")
    assert [run("store", name, "--store", str(store)).code for name in ("check", "clear")] == [1, 2]


def test_all_damage_is_listed(released: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(released, store)
    place = ("--store", str(store))
    assert run("store", "check", *place).out == "refund: intact\n"
    replaced(SOP, "e", "E")(store)
    replaced(f"{RELEASE}/refund/sop.txt", "e", "E")(store)
    written("refund/stages/api/0001/manifest.json", b"")(store)
    (store / PENDING).write_bytes(b'{"stage": "sop", "key": "k", "content": "c"}')
    before = contents(store)

    ran = run("store", "check", *place, "--json")

    assert ran.code == 1
    faults = json.loads(ran.out)["refund"]
    found = {(item["code"], item["where"].removeprefix(f"{store}/refund/")) for item in faults}
    assert found == {
        ("artifact-changed", "stages/sop/0001"),
        ("seal-broken", "stages/api/0001/manifest.json"),
        ("seal-broken", "pending.json"),
        ("release-changed", "releases/1.0.0"),
    }
    assert contents(store) == before
    for_people = run("store", "check", "refund", *place)
    assert (for_people.code, for_people.out) == (1, "refund: 4 items damaged\n")


def test_an_end_of_the_log_that_is_gone_shows_where_a_release_rests_on_it(
    released: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    shutil.copytree(released, store)
    removed(entry(8))(store)
    seal_anew(store, "refund")

    ran = run("store", "check", "--store", str(store))

    assert ran.code == 1
    assert ran.err == (
        f"audit-log-broken: {store}/refund/decisions: the decisions on which release 1.0.0 rests"
        " are not in the log\n  hint: restore them\n"
    )
