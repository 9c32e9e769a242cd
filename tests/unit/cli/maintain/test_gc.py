from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sopforge.cli.maintain.gc import format_size
from sopforge.pipeline.briefs.brief_files import list_kept_versions
from sopforge.store.opening import open_store
from tests.running.commands import Terminal, contents, run
from tests.worlds.histories import DOMAIN, quiet

SEAL = "refund/seal.json"

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store in which a brief was replaced before anybody decided on what it led to."""
    made = quiet(open_store(tmp_path / "store"))
    made.run(30, 2)
    made.run(40, 1)
    return tmp_path / "store"


GONE = ["refund/stages/schema/0001", "refund/stages/sop/0001"]


def test_a_dry_run_lists_and_drops_nothing(store: Path) -> None:
    before = contents(store)
    ran = run("store", "clear", "--dry-run", "--store", str(store))
    assert ran.code == 0
    for name in GONE:
        assert name in ran.out
    assert ran.out.splitlines()[-1].startswith("2 items (")
    assert ran.out.endswith("would be deleted.\n")
    assert contents(store) == before


def test_nothing_is_dropped_unasked(store: Path) -> None:
    before = contents(store)
    ran = run("store", "clear", "--store", str(store))
    assert ran.code == 2
    assert ran.err.startswith("not-confirmed: deleting 2 items (")
    assert ran.err.endswith(
        " needs a confirmation, but there is no terminal\n"
        f"  hint: check the list with --dry-run --store {store}, then add --yes\n"
    )
    assert contents(store) == before


@pytest.mark.parametrize(("answer", "are_left"), [("n", True), ("y", False)])
def test_a_person_is_asked(
    answer: str, store: Path, monkeypatch: pytest.MonkeyPatch, *, are_left: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    ran = run("store", "clear", DOMAIN, "--store", str(store))
    assert ran.code == 0
    assert [(store / name).exists() for name in GONE] == [are_left] * 2
    assert ("Nothing was deleted." in ran.out) == are_left


def test_what_was_dropped_is_reported_to_programs(store: Path) -> None:
    sizes = {
        name: sum(path.stat().st_size for path in (store / name).rglob("*") if path.is_file())
        for name in GONE
    }
    ran = run("store", "clear", "--yes", "--json", "--store", str(store))
    assert ran.code == 0
    assert json.loads(ran.out) == {
        "dry_run": False,
        "dropped": [{"kind": "version", "name": name, "size": sizes[name]} for name in GONE],
        "bytes": sum(sizes.values()),
        "left_alone": [],
    }
    assert not any((store / name).exists() for name in GONE)
    assert list_kept_versions(open_store(store).get_domain(DOMAIN)) == ["0001", "0002"]
    assert run("store", "clear", "--store", str(store)).out == "Nothing to delete.\n"


def test_answers_are_dropped_only_where_asked_for(store: Path) -> None:
    answer = store / ".completions" / "ab" / "abc.json"
    answer.parent.mkdir(parents=True)
    answer.write_text("{}")
    place = ("--store", str(store))
    assert run("store", "clear", "--yes", *place).code == 0
    assert answer.exists()
    refused = run("store", "clear", DOMAIN, "--answers", *place)
    assert refused.code == 2
    assert refused.err == (
        "answers-of-all: --answers: answers of language models are shared by all domains\n"
        "  hint: leave the domain out to delete answers\n"
    )
    assert run("store", "clear", "--answers", "--yes", *place).code == 0
    assert not answer.exists()


def test_clearing_changes_nothing_that_a_rerun_makes(tmp_path: Path) -> None:
    """A brief is replaced at its gate, and goes to a release; a clear, and it is run again."""
    place = ("--store", str(tmp_path / "store"))
    text = REFUND.read_text(encoding="utf-8")
    (tmp_path / "first.yaml").write_text(text.replace("value: 30", "value: 31"), encoding="utf-8")
    assert run("generate", str(tmp_path / "first.yaml"), *place).code == 3
    assert run("generate", str(REFUND), "--approve-clean", *place).code == 0
    assert run("publish", DOMAIN, *place).code == 0
    before = contents(tmp_path / "store")

    ran = run("store", "clear", "--yes", "--json", *place)

    dropped = [item["name"] for item in json.loads(ran.out)["dropped"]]
    assert dropped == ["refund/stages/schema/0001"]
    after = contents(tmp_path / "store")
    before = {n: data for n, data in before.items() if not n.startswith(f"{dropped[0]}/")}
    assert {**after, SEAL: b""} == {**before, SEAL: b""}
    assert run("generate", str(REFUND), "--approve-clean", *place).code == 0
    assert "Already published as refund 1.0.0" in run("publish", DOMAIN, *place).out
    assert run("store", "check", *place).out == "refund: intact\n"
    assert contents(tmp_path / "store") == after


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (2_000_000, "2.0 MB"), (3e9, "3.0 GB")],
)
def test_sizes_are_stated_in_words(size: float, words: str) -> None:
    assert format_size(size) == words
