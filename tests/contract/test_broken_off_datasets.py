"""A run that is broken off while goals are asked about: the next one goes on from its answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.pipeline.stages.pipeline import advance
from sopforge.proof.dataset.coverage import goal_rows
from sopforge.proof.solving.kept_answers import Kept
from sopforge.store import sealed_answers
from sopforge.store.opening import open_store
from sopforge.store.sealed_answers import SealedAnswers

pytestmark = pytest.mark.own_builds

BRIEF = Path(__file__).parents[1] / "domains" / "stays.yaml"
DOMAIN = "stay_settlement"
ASKING = ("ask", "decide_conditions", "find_witness")
KILL = """
import os, signal
from sopforge.cli import main
from sopforge.proof.dataset.coverage import goal_rows
from sopforge.store import sealed_answers

sealed_answers.SECONDS = 0.0
left = [{left}]

def let_die(answer):
    def die_after_some(*arguments, **more):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(*arguments, **more)
    return die_after_some

for name in {names}:
    setattr(goal_rows, name, let_die(getattr(goal_rows, name)))
main()
"""


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def count_questions(
    monkeypatch: pytest.MonkeyPatch, before: Callable[[int], None] = lambda _: None
) -> list[int]:
    """Have the questions to the solver counted; ``before`` hears of each."""
    asked = [0]

    def count(answer: Callable[..., object]) -> Callable[..., object]:
        def answer_counted(*arguments: object, **more: object) -> object:
            asked[0] += 1
            before(asked[0])
            return answer(*arguments, **more)

        return answer_counted

    for name in ASKING:
        monkeypatch.setattr(goal_rows, name, count(getattr(goal_rows, name)))
    return asked


def make_domain(store: Path) -> dict[str, bytes]:
    """Return the files of the dataset, after all stages."""
    advance(open_store(store), load_brief(BRIEF), approve_clean=True)
    return read_dataset(store)


def read_dataset(store: Path) -> dict[str, bytes]:
    folder = store / DOMAIN / "stages" / "dataset"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "run.json"
    }


@pytest.fixture
def whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, bytes], int]:
    """Return what a run makes that nobody disturbs, and how many questions it asks."""
    with monkeypatch.context() as patch:
        asked = count_questions(patch)
        made = make_domain(tmp_path / "undisturbed")
    assert made
    assert asked[0] >= 3
    return made, asked[0]


def test_after_ctrl_c_the_next_run_asks_only_what_is_left(
    whole: tuple[dict[str, bytes], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, number = whole

    def interrupt(asked: int) -> None:
        if asked == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        count_questions(patch, interrupt)
        with pytest.raises(KeyboardInterrupt):
            make_domain(tmp_path / "store")
    asked = count_questions(monkeypatch)

    assert make_domain(tmp_path / "store") == made
    assert asked[0] == number - 2


def test_after_a_kill_the_next_run_asks_only_what_is_left(
    whole: tuple[dict[str, bytes], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, number = whole
    command = ["generate", str(BRIEF), "--approve-clean", "--store", str(tmp_path / "store")]
    done = subprocess.run(
        [sys.executable, "-c", KILL.format(left=2, names=ASKING), *command],
        env=os.environ,
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    asked = count_questions(monkeypatch)

    assert make_domain(tmp_path / "store") == made
    assert asked[0] == number - 2


def reverse(answer: Kept) -> Kept:
    """Return another answer: where there was a row there is none, and the reverse."""
    if isinstance(answer, list):
        return [item is not True for item in answer]
    if isinstance(answer, dict):
        return {} if answer else {"row": {}}
    return not answer


def test_answers_that_somebody_changed_change_nothing(
    whole: tuple[dict[str, bytes], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, number = whole
    monkeypatch.setattr(sealed_answers, "SECONDS", 0.0)
    make_domain(tmp_path / "store")
    file = tmp_path / "store" / DOMAIN / "answers.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        line["answer"] = json.dumps(reverse(json.loads(line["answer"])))
    (tmp_path / "other" / DOMAIN).mkdir(parents=True)
    # The store's own mark, for a folder with a domain in it and no mark is no store.
    (tmp_path / "other" / "store.json").write_bytes(
        (tmp_path / "store" / "store.json").read_bytes()
    )
    other = tmp_path / "other" / DOMAIN / "answers.jsonl"
    other.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    asked = count_questions(monkeypatch)

    assert make_domain(tmp_path / "other") == made
    assert asked[0] == number


def test_a_rebuild_reads_no_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, brief = open_store(tmp_path / "store"), load_brief(BRIEF)
    monkeypatch.setattr(sealed_answers, "SECONDS", 0.0)
    make_domain(tmp_path / "store")
    published = publish(store, brief)

    def refuse(*_: object) -> None:
        raise AssertionError("answers were looked for")

    monkeypatch.setattr(SealedAnswers, "find", refuse)
    with pytest.raises(AssertionError, match="looked for"):
        make_domain(tmp_path / "anew")
    asked = count_questions(monkeypatch)
    assert check_rebuilding(Path(published.packages["L0"])) == []
    assert asked[0] > 0
