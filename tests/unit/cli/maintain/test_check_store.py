"""What does not fit a seal is accepted by somebody who has seen it, and by nobody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.pipeline.gates.gate import decide
from sopforge.store.entries import DecisionVerdict
from sopforge.store.last_run import load_last_run
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.faults.dying_writers import Dying
from tests.running.commands import contents, run

BRIEF = str(Path(__file__).parents[3] / "briefs" / "refund.yaml")


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Return a store of which the kept brief and the log of calls were changed by hand."""
    folder = tmp_path / "store"
    assert run("generate", BRIEF, "--store", str(folder)).code == 3
    with (folder / "refund" / "calls.jsonl").open("w", encoding="utf-8") as log:
        log.write('{"event": "asked", "call": 1, "key": "k"}\n')
    assert run("continue", "refund", "--store", str(folder)).code == 3
    (folder / "refund" / "calls.jsonl").write_text("")
    brief = folder / "refund" / "briefs" / "0001" / "brief.yaml"
    brief.write_text(brief.read_text(encoding="utf-8").replace("value: 30", "value: 31"))
    return folder


def test_lines_that_are_gone_from_the_log_of_calls_keep_a_run_from_going_on(
    changed: Path,
) -> None:
    brief = changed / "refund" / "briefs" / "0001" / "brief.yaml"
    brief.write_text(brief.read_text(encoding="utf-8").replace("value: 31", "value: 30"))
    for command in ("continue", "status"):
        ran = run(command, "refund", "--store", str(changed))
        assert ran.code == 2
        assert ran.err.startswith(f"seal-broken: {changed}/refund/calls.jsonl: lines that it had")


def test_lines_that_were_added_to_the_log_of_calls_are_as_they_should_be(changed: Path) -> None:
    run("store", "check", "refund", "--accept", "--yes", "--store", str(changed))
    with (changed / "refund" / "calls.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"event": "asked", "call": 2, "key": "k"}\n')
    assert run("store", "check", "--store", str(changed)).out == "refund: intact\n"


def test_all_that_does_not_fit_is_shown_before_it_is_accepted(changed: Path) -> None:
    before = contents(changed)
    ran = run("store", "check", "refund", "--accept", "--store", str(changed))
    assert ran.code == 2
    assert "brief.yaml: the file was changed after it was written" in ran.err
    assert "calls.jsonl: lines that it had" in ran.err
    assert ran.err.splitlines()[-2].startswith("not-confirmed: ")
    assert contents(changed) == before


def test_what_was_accepted_is_built_from(changed: Path) -> None:
    ran = run("store", "check", "refund", "--accept", "--yes", "--store", str(changed))
    assert (ran.code, ran.out) == (0, "refund: intact\n")
    assert run("continue", "refund", "--store", str(changed)).code == 3
    shown = run("show", "refund", "schema", "--store", str(changed))
    assert "version 2" in shown.out
    noted = load_last_run(open_store(changed).get_domain("refund"))
    assert noted.calls.size == 0


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """Return a store of which a gate waits that two have to pass, and one of them has."""
    folder, brief = tmp_path / "store", tmp_path / "two.yaml"
    text = Path(BRIEF).read_text(encoding="utf-8")
    brief.write_text(f"{text}gates: {{approvers: {{schema: 2}}}}\n", encoding="utf-8")
    store = ("--store", str(folder))
    assert run("generate", str(brief), *store).code == 3
    assert run("approve", "refund", "schema", "--by", "ada", *store).code == 0
    return folder


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("last_run.json", b"{}"),
        ("last_run.json", None),
        ("briefs/0001/more.txt", b"another"),
        ("signatures/000001.sig", b"forged"),
        ("stages/schema/0001/run.json", b"{}"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [("approve", "refund", "schema", "--by", "bob"), ("continue", "refund"), ("generate",)],
    ids=["approve", "continue", "generate"],
)
def test_nobody_decides_or_builds_while_something_does_not_fit(
    command: tuple[str, ...], file: str, data: bytes | None, waiting: Path
) -> None:
    path = waiting / "refund" / file
    path.parent.mkdir(exist_ok=True)
    path.unlink() if data is None else path.write_bytes(data)
    before = contents(waiting)
    given = (str(waiting.parent / "two.yaml"),) if command == ("generate",) else ()
    ran = run(*command, *given, "--store", str(waiting))
    assert (ran.code, ran.err.splitlines()[-2].partition(":")[0]) == (2, "seal-broken")
    assert contents(waiting) == before


def test_a_log_that_is_broken_is_not_accepted_and_can_be_restored(waiting: Path) -> None:
    store = ("--store", str(waiting))
    assert run("approve", "refund", "schema", "--by", "bob", *store).code == 0
    entry = waiting / "refund" / "decisions" / "000001.json"
    data = entry.read_bytes()
    entry.write_bytes(data.replace(b'"ada"', b'"eve"'))
    ran = run("store", "check", "refund", "--accept", "--yes", *store)
    assert ran.code == 2
    assert "entry 2 does not continue entry 1: one of them was changed or removed" in ran.err
    entry.write_bytes(data)
    assert run("store", "check", *store).out == "refund: intact\n"


def test_one_domain_is_accepted_at_a_time(changed: Path) -> None:
    ran = run("store", "check", "--accept", "--yes", "--store", str(changed))
    assert (ran.code, ran.err.partition(":")[0]) == (2, "domain-not-named")


def test_where_all_fits_there_is_nothing_to_accept(tmp_path: Path) -> None:
    place = str(tmp_path / "store")
    assert run("generate", BRIEF, "--store", place).code == 3
    before = contents(tmp_path / "store")
    assert run("store", "check", "refund", "--accept", "--store", place).out == "refund: intact\n"
    assert contents(tmp_path / "store") == before


@pytest.mark.parametrize("damage", ["", "[]", '{"format": 2, "completion": {}}'])
def test_answers_on_record_are_looked_at_too(damage: str, tmp_path: Path) -> None:
    place = str(tmp_path / "store")
    assert run("generate", BRIEF, "--store", place).code == 3
    entry = tmp_path / "store" / ".completions" / "ab" / "abc.json"
    entry.parent.mkdir(parents=True)
    entry.write_text(damage)
    ran = run("store", "check", "--json", "--store", place)
    assert ran.code == 1
    [fault] = json.loads(ran.out)[".completions"]
    assert (fault["code"], fault["where"]) == ("store-damaged", str(entry))
    assert run("store", "check", "refund", "--store", place).code == 0


@pytest.mark.parametrize("write", [1, 2], ids=["before the entry", "after the entry"])
def test_a_decision_after_a_kill_is_missed_when_its_file_is_gone(
    write: int, tmp_path: Path
) -> None:
    run("generate", BRIEF, "--store", str(tmp_path))
    about = {"stage": "schema", "digest": "", "verdict": DecisionVerdict.APPROVE, "by": "ada"}
    with pytest.raises(KeyboardInterrupt):
        decide(Store(Dying(tmp_path, write)).get_domain("refund"), **about)  # type: ignore[arg-type]
    entry = tmp_path / "refund" / "decisions" / "000001.json"
    assert entry.exists() == (write == 2)

    # Whoever decides once more records it, or learns that it is recorded.
    run("approve", "refund", "schema", "--by", "ada", "--store", str(tmp_path))
    entry.unlink()

    ran = run("store", "check", "--store", str(tmp_path))
    assert ran.code == 1
    assert f"{entry}: the file is missing" in ran.out + ran.err
