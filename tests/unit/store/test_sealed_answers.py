"""Answers of the solver in a store: found again by who wrote them, and by nobody else."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sopforge.store import sealed_answers
from sopforge.store.objects import Objects
from sopforge.store.opening import open_store
from sopforge.store.sealed_answers import SealedAnswers, locate_key

GIVEN = {"is it?": True, "is it not?": False, "where?": {"row": {"a": 1, "b": None, "c": "x"}}}


@pytest.fixture
def objects(tmp_path: Path) -> Objects:
    return open_store(tmp_path / "store").objects


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield
    if (tmp_path / "unwritable").exists():
        (tmp_path / "unwritable").chmod(0o700)


@pytest.fixture
def file(tmp_path: Path, objects: Objects) -> Path:
    """Return the file of a domain with the given answers about the subject ``goals``."""
    answers = SealedAnswers(objects, "fees", "goals")
    for question, answer in GIVEN.items():
        answers.note(question, answer)
    answers.close(is_done=False)
    return tmp_path / "store" / "fees" / "answers.jsonl"


def find_all(objects: Objects, subject: str = "goals", domain: str = "fees") -> list[object]:
    answers = SealedAnswers(objects, domain, subject)
    return [answers.find(question) for question in GIVEN]


def test_what_was_noted_is_found_by_the_next_process(file: Path, objects: Objects) -> None:
    assert len(file.read_text().splitlines()) == 3
    assert find_all(objects) == list(GIVEN.values())
    assert SealedAnswers(objects, "fees", "goals").find("is it so?") is None


def test_answers_about_another_subject_are_not_found_and_are_replaced(
    file: Path, objects: Objects
) -> None:
    assert find_all(objects, "other goals") == [None, None, None]

    other = SealedAnswers(objects, "fees", "other goals")
    other.note("is it?", answer=False)
    other.close(is_done=False)

    assert find_all(objects, "other goals") == [False, None, None]
    assert find_all(objects) == [None, None, None]
    assert len(file.read_text().splitlines()) == 1


def edit(change: Callable[[list[dict[str, str]]], object]) -> Callable[[str], str]:
    def apply(text: str) -> str:
        lines = [json.loads(line) for line in text.splitlines()]
        change(lines)
        return "".join(f"{json.dumps(line)}\n" for line in lines)

    return apply


def exchange_answers(lines: list[dict[str, str]]) -> None:
    lines[0]["answer"], lines[1]["answer"] = lines[1]["answer"], lines[0]["answer"]


def exchange_answers_and_seals(lines: list[dict[str, str]]) -> None:
    exchange_answers(lines)
    lines[0]["seal"], lines[1]["seal"] = lines[1]["seal"], lines[0]["seal"]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(edit(lambda lines: lines[0].update(answer="false")), id="another answer"),
        pytest.param(edit(exchange_answers), id="answers exchanged"),
        pytest.param(edit(exchange_answers_and_seals), id="answers and seals exchanged"),
        pytest.param(edit(lambda lines: lines[0].update(seal="0" * 64)), id="another seal"),
        pytest.param(edit(lambda lines: lines[0].pop("seal")), id="no seal"),
        pytest.param(edit(lambda lines: lines[0].update(seal="é")), id="no seal's letters"),
        pytest.param(lambda text: text[40:], id="torn"),
        pytest.param(lambda text: "[" * 100_000 + "\n" + text[1:], id="nested without end"),
        pytest.param(lambda text: "7\n\nnull\n" + text[1:], id="other values"),
    ],
)
def test_a_line_that_does_not_fit_its_seal_is_no_answer(
    damage: Callable[[str], str], file: Path, objects: Objects
) -> None:
    file.write_text(damage(file.read_text()))

    found = find_all(objects)

    assert found[0] is None
    assert found[2] == GIVEN["where?"]
    assert all(
        answer in {None, right} for answer, right in zip(found[:2], (True, False), strict=True)
    )


@pytest.mark.usefixtures("file")
def test_who_has_another_key_finds_nothing(
    objects: Objects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert find_all(objects) == [None, None, None]

    locate_key().parent.mkdir(parents=True)
    locate_key().write_bytes(b"k" * 32)
    assert find_all(objects) == [None, None, None]


@pytest.mark.usefixtures("file")
def test_the_key_is_the_users_alone_and_stays() -> None:
    key = locate_key()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    before = key.read_bytes()
    assert len(before) == 32
    assert list(key.parent.iterdir()) == [key]


def test_where_no_key_can_be_kept_nothing_is_written(
    objects: Objects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").write_text("a file, and no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "plain"))

    answers = SealedAnswers(objects, "fees", "goals")
    answers.note("is it?", answer=True)
    answers.close(is_done=False)

    assert not (tmp_path / "store" / "fees").exists()


def test_short_work_that_ends_well_leaves_no_file(objects: Objects, tmp_path: Path) -> None:
    answers = SealedAnswers(objects, "fees", "goals")
    answers.note("is it?", answer=True)
    answers.close(is_done=True)

    assert not (tmp_path / "store" / "fees").exists()


def test_long_work_writes_as_it_goes(
    objects: Objects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_answers, "SECONDS", 0.0)
    file = tmp_path / "store" / "fees" / "answers.jsonl"
    answers = SealedAnswers(objects, "fees", "goals")
    for number, (question, answer) in enumerate(GIVEN.items(), start=1):
        answers.note(question, answer)
        assert len(file.read_text().splitlines()) == number

    assert find_all(objects) == list(GIVEN.values())


def test_a_store_that_takes_nothing_stops_no_work(objects: Objects, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir(exist_ok=True)
    (tmp_path / "store" / "fees").write_text("a file where the domain's folder would be")
    answers = SealedAnswers(objects, "fees", "goals")
    answers.note("is it?", answer=True)
    answers.close(is_done=False)

    assert answers.find("is it?") is True
    assert find_all(objects) == [None, None, None]
