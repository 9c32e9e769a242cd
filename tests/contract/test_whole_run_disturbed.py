"""A whole run is disturbed at every call: it ends with the same bytes, and nothing is paid twice.

All stages of a small brief are written by a model on a loopback server: in this process where a
call fails, in processes of their own where the run is killed.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from sopforge.authors.providers.ledger import reconcile
from sopforge.authors.providers.selection import RECORDS
from sopforge.authors.providers.settings import Settings
from sopforge.authors.providers.timeouts import Timeouts
from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.authors.writers.provider_asking import ProviderAsking
from sopforge.cli.app import main
from sopforge.errors import ProviderError, StoreError
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.backends.atomic_files import replace_file
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.opening import open_store
from tests.contract.test_model_author_over_http import answered
from tests.servers.model_server import (
    Act,
    Break,
    Fail,
    ModelServer,
    Reset,
    Say,
    Seen,
    Silence,
)
from tests.unit.authors.test_model_author import brief_of
from tests.worlds.providers import asked_at_once, events_in

BRIEF = brief_of(complexity={"levels": ["L0"]}, dataset={"n_samples": 12, "seed": 7})
PATIENT = Timeouts()
HASTY = Timeouts(connect=2, read=0.5, whole=5)
ROOT = Path(__file__).parents[2]
# Forks a process for each line that it reads, a store: what takes long to import is there already.
NURSERY = """
import os, sys
import sopforge.authors.writers.provider_asking, sopforge.authors.providers.adapters.claude
import sopforge.pipeline.stages.pipeline
from sopforge.cli.app import main
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        sys.argv = ["sopforge", "generate", sys.argv[1], "--approve-clean", "--store", line.strip()]
        try:
            with open(os.devnull, "w") as sys.stdout:
                main()
        except SystemExit as end:
            os._exit(end.code)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""

# What a run overcomes by itself.
PASSING: Mapping[str, Act] = {
    "429": Fail(429, "slow down"),
    "529": Fail(529, "overloaded"),
    "500": Fail(500),
    "reset": Reset(),
    "cut": Break("end"),
    "timeout": Silence(0.7),
    "malformed": Say("not JSON at all"),
    "truncated": Say('{"lines": [', stop="length"),
}
# What ends a run, which then goes on from there.
FINAL: Mapping[str, tuple[Act, str]] = {
    "401": (Fail(401, "who are you"), "model-key-refused"),
    "refused": (Say("", stop="refusal"), "completion-refused"),
}


class OnceEach:
    """Answers each question rightly from the second time on; the first time with an act."""

    def __init__(self, act: Act) -> None:
        self.act = act
        self.known: set[str] = set()

    def __call__(self, seen: Seen) -> Act:
        asked = json.dumps([seen.body["system"], seen.body["messages"][0]])
        if asked in self.known:
            return answered(seen)
        self.known.add(asked)
        return self.act


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with pytest.MonkeyPatch.context() as patch, asked_at_once(patch) as server:
        yield server


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.seen.clear()
    running.answer = answered
    return running


@pytest.fixture(scope="module")
def undisturbed(
    running: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, str], int]:
    """Return the bytes of a run in which nothing goes wrong, and the number of its calls."""
    running.seen.clear()
    running.answer = answered
    return generated(tmp_path_factory.mktemp("store")), len(running.seen)


def generated(store: Path, timeouts: Timeouts = PATIENT) -> dict[str, str]:
    """Return the content of each stage of a whole run; raises as its provider does."""
    settings = Settings(timeouts=timeouts)
    asking = ProviderAsking(BRIEF.parts.writer, FolderObjects(store), "fees", settings)
    author = ModelAuthor(BRIEF.parts.writer, asking)
    progress = advance(open_store(store), BRIEF, approve_clean=True, author=author)
    assert progress.ending is Ending.APPROVED
    return contents(store)


def contents(store: Path) -> dict[str, str]:
    """Return the digest of each version, by its stage and number."""
    opened = open_store(store)
    stages = ("schema", "sop", "dataset", "api", "toolspec", "tools", "complexity")
    return {
        f"{stage} {version.number}": version.manifest.content
        for stage in stages
        for version in opened.get_domain("fees").list_versions(stage)
    }


def on_record(store: Path) -> list[Path]:
    return list((store / ".completions").glob("??/*.json"))


@pytest.mark.parametrize("act", PASSING.values(), ids=PASSING)
def test_each_call_fails_once_and_the_run_goes_on(
    server: ModelServer, undisturbed: tuple[dict[str, str], int], tmp_path: Path, act: Act
) -> None:
    wanted, calls = undisturbed
    server.answer = OnceEach(act)
    timeouts = HASTY if isinstance(act, Silence) else PATIENT

    assert generated(tmp_path, timeouts) == wanted
    asked = len(server.seen)
    # A slow machine may be too late for the hasty once more.
    assert asked == 2 * calls or (timeouts is HASTY and asked > 2 * calls)
    assert generated(tmp_path, timeouts) == wanted
    assert len(server.seen) == asked


@pytest.mark.parametrize(("act", "code"), FINAL.values(), ids=FINAL)
def test_each_call_ends_the_run_once_and_the_next_run_goes_on(
    server: ModelServer,
    undisturbed: tuple[dict[str, str], int],
    tmp_path: Path,
    act: Act,
    code: str,
) -> None:
    wanted, calls = undisturbed
    server.answer = OnceEach(act)
    for place in range(calls):
        with pytest.raises(ProviderError) as ended:
            generated(tmp_path)
        assert ended.value.faults[0].code == code
        assert len(server.seen) == 2 * place + 1
        for path in on_record(tmp_path):  # A refusal is kept until it is taken away.
            if '"outcome": "refused"' in path.read_text(encoding="utf-8"):
                path.unlink()

    assert generated(tmp_path) == wanted
    assert len(server.seen) == 2 * calls
    counts = reconcile(events_in(tmp_path / "fees" / "calls.jsonl"))
    assert (counts.calls, counts.answers, counts.interrupted) == (2 * calls, calls, 0)


class Killing:
    """Kills who asks: before the question is answered, and again once its answer is on record."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.pid = 0
        self.known: set[str] = set()
        self.answers = 0

    def __call__(self, seen: Seen) -> Act:
        asked = json.dumps(seen.body["messages"])
        if asked not in self.known:
            self.known.add(asked)
            os.kill(self.pid, signal.SIGKILL)
            return Reset()
        self.answers += 1
        Thread(target=self.kill_later, args=(self.pid, len(on_record(self.store)))).start()
        return answered(seen)

    def kill_later(self, pid: int, kept: int) -> None:
        end = time.monotonic() + 30
        while len(on_record(self.store)) == kept and time.monotonic() < end:
            time.sleep(0.001)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_a_run_that_is_killed_at_every_call_pays_for_each_once(
    server: ModelServer, undisturbed: tuple[dict[str, str], int], tmp_path: Path
) -> None:
    wanted, calls = undisturbed
    brief, store = tmp_path / "fees.yaml", tmp_path / "store"
    brief.write_text(BRIEF.text, encoding="utf-8")
    server.answer = killing = Killing(store)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", NURSERY, str(brief)]
    ends: list[int] = []
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        while not ends or ends[-1] == -signal.SIGKILL:
            print(store, file=nursery.stdin, flush=True)
            killing.pid = int(nursery.stdout.readline())
            ends.append(int(nursery.stdout.readline()))
        nursery.stdin.close()

    assert ends[-1] == 0
    assert contents(store) == wanted
    # Each question was put twice: once to be killed for, and once to be answered.
    assert (killing.answers, len(server.seen)) == (calls, 2 * calls)
    assert len(ends) > calls
    # An answer whose line was not written any more is counted when it is found on record.
    counts = reconcile(events_in(store / "fees" / "calls.jsonl"))
    assert (counts.calls, counts.answers, counts.interrupted) == (2 * calls, calls, calls)
    assert generated(store) == wanted
    assert len(server.seen) == 2 * calls


def test_a_full_disk_is_reported_and_costs_one_answer(
    server: ModelServer,
    undisturbed: tuple[dict[str, str], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted, calls = undisturbed

    def full(path: Path, content: bytes, scratch: Path) -> None:
        if RECORDS.strip("/") in path.parts:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        replace_file(path, content, scratch)

    with monkeypatch.context() as patch:
        patch.setattr("sopforge.store.backends.folder.replace_file", full)
        with pytest.raises(StoreError) as caught:
            generated(tmp_path)
    [fault] = caught.value.faults
    assert fault.code == "answer-not-kept"
    message = "the answer to call 1 (schema, domain_model) arrived, but could not be stored"
    assert fault.message.startswith(message)
    assert fault.message.endswith("the disk is full")

    assert generated(tmp_path) == wanted
    assert len(server.seen) == calls + 1


def test_a_store_that_cannot_be_written_is_reported_before_anything_is_asked(
    server: ModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    brief, store = tmp_path / "fees.yaml", tmp_path / "store"
    brief.write_text(BRIEF.text, encoding="utf-8")
    store.write_text("a file in the place of the folder", encoding="utf-8")

    monkeypatch.setattr(sys, "argv", ["sopforge", "generate", str(brief), "--store", str(store)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "store-place" in capsys.readouterr().err
    assert server.seen == []
