"""Work shared out among processes gives what one process gives, and none outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sopforge.errors import Fault, MaterialError
from sopforge.parallel import count_jobs, map_in_processes, use_jobs

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, "-c"]
# A worker writes its number where it can be looked up, and then has work for a long time.
LONG = """
import os, sys, time
from pathlib import Path
from sopforge.parallel import map_in_processes, use_jobs

def work(place):
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(120)

if __name__ == "__main__":
    with use_jobs(2):
        try:
            map_in_processes(work, list(range(40)))
        except KeyboardInterrupt:
            print("interrupted")
            sys.exit(130)
"""


def run(source: str, *arguments: str) -> str:
    """Return what a fresh process prints: one in which no other thread is at work."""
    command = [*RUN, source, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def printing(work: str, items: str, jobs: int) -> str:
    return run(
        "import os, signal\n"
        "from sopforge.errors import Fault, MaterialError, WorkerError\n"
        "from sopforge.parallel import count_jobs, map_in_processes, use_jobs\n"
        f"{work}\n"
        f"with use_jobs({jobs}):\n"
        f"    print(map_in_processes(work, {items}))\n"
    )


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    work = "def work(n):\n    return n * n"
    assert printing(work, "list(range(20))", jobs) == f"{[n * n for n in range(20)]}\n"


def test_other_processes_do_the_work_and_do_not_share_it_out_again() -> None:
    work = "own = os.getpid()\ndef work(n):\n    return os.getpid() != own, count_jobs()"
    assert printing(work, "[0, 1]", 2) == f"{[(True, 1), (True, 1)]}\n"


def test_what_cannot_be_pickled_is_shared_by_a_fork() -> None:
    work = "held = [lambda n: n + 1]\ndef work(n):\n    return held[0](n)"
    assert printing(work, "[1, 2]", 2) == "[2, 3]\n"


def test_an_error_arrives_with_its_faults() -> None:
    source = (
        "def work(n):\n"
        "    raise MaterialError(Fault('odd', f'{n} is odd', 'a.yaml:1', 'halve it'))\n"
        "real = map_in_processes\n"
        "def map_in_processes(work, items):\n"
        "    try:\n"
        "        return real(work, items)\n"
        "    except MaterialError as refused:\n"
        "        return refused.faults"
    )
    fault = Fault("odd", "1 is odd", "a.yaml:1", "halve it")
    assert printing(source, "[1, 1]", 2) == f"{(fault,)}\n"


def test_a_killed_worker_is_an_error_of_the_machine() -> None:
    source = (
        "def work(n):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "real = map_in_processes\n"
        "def map_in_processes(work, items):\n"
        "    try:\n"
        "        return real(work, items)\n"
        "    except WorkerError as cause:\n"
        "        return str(cause)"
    )
    assert printing(source, "[1, 2]", 2).startswith("worker-killed: a process")


def test_beside_another_thread_one_process_does_it_all() -> None:
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        with use_jobs(2):
            assert set(map_in_processes(lambda _: os.getpid(), [0, 1])) == {os.getpid()}
    finally:
        over.set()
        thread.join()


def test_an_error_in_one_process_is_raised_as_it_is() -> None:
    def refuse(_: int) -> int:
        raise MaterialError(Fault("odd", "it is odd"))

    with use_jobs(1), pytest.raises(MaterialError):
        map_in_processes(refuse, [0, 1])


def test_the_variable_counts_where_nothing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOPFORGE_JOBS", "3")
    assert count_jobs() == 3
    with use_jobs(5):
        assert count_jobs() == 5
    monkeypatch.setenv("SOPFORGE_JOBS", "")
    assert count_jobs() == len(os.sched_getaffinity(0))


@pytest.mark.parametrize("said", ["many", "0", "-1", "1.5", "99999"])
def test_a_variable_that_says_no_number_is_refused(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("SOPFORGE_JOBS", said)
    with pytest.raises(MaterialError, match=f"SOPFORGE_JOBS: jobs-not-a-number: '{said}'"):
        count_jobs()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_parent(tmp_path: Path, number: signal.Signals) -> None:
    command = [*RUN, LONG, str(tmp_path)]
    parent = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    workers = [int(path.name) for path in tmp_path.iterdir()]

    parent.send_signal(number)

    assert parent.wait(timeout=120) != 0
    wait_until(lambda: not any(map(is_alive, workers)))


# Gives the pool time to notice that a worker ended before the others have.
SLOW_END = """
import time
from multiprocessing.process import BaseProcess
end = BaseProcess.terminate
BaseProcess.terminate = lambda process: (end(process), time.sleep(0.5))
"""


def test_an_interrupt_ends_waiting_work_without_a_word(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [*RUN, SLOW_END + LONG, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    time.sleep(0.5)  # until all is handed out, which nothing shows

    parent.send_signal(signal.SIGINT)

    out, err = parent.communicate(timeout=120)
    assert (parent.returncode, out, err) == (130, "interrupted\n", "")


WATCHED = """
from sopforge.parallel import map_in_processes, use_jobs
from sopforge.progress.tracking import enter_step, listen, track

def work(name):
    with enter_step(name):
        for check in track(range(3), "checks"):
            pass
    return name

heard = []
with use_jobs({jobs}), listen(lambda steps: heard.append([(s.what, s.done) for s in steps])):
    assert map_in_processes(work, ["L0", "L1", "L2"], "levels made") == ["L0", "L1", "L2"]
assert heard[0] == [("levels made", 0)], heard
assert heard.pop() == [], heard
assert {{steps[0][0] for steps in heard}} == {{"levels made"}}, heard
counts = [steps[0][1] for steps in heard]
assert counts == sorted(counts), heard
print(*sorted(set(counts)))
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_whoever_listens_hears_how_many_are_done(jobs: int) -> None:
    # A process that does it all is at the last one of three when it ends.
    assert run(WATCHED.format(jobs=jobs)).split()[:3] == ["0", "1", "2"]


# The worker goes on only once the first process has heard what it does.
WITHIN = """
import os, sys, time
from pathlib import Path
from sopforge.parallel import map_in_processes, use_jobs
from sopforge.progress.tracking import enter_step, listen

def work(place):
    if place == 0:
        with enter_step("answers of tools"):
            while not Path(sys.argv[1], "heard").exists():
                time.sleep(0.01)
    return os.getpid()

def hear(steps):
    if "answers of tools" in [step.what for step in steps]:
        print(os.getpid(), *[step.what for step in steps], flush=True)
        Path(sys.argv[1], "heard").touch()

with use_jobs(2), listen(hear):
    pids = map_in_processes(work, [0, 1], "levels")
    assert os.getpid() not in pids
"""


def test_the_first_process_alone_hears_what_a_worker_does(tmp_path: Path) -> None:
    said = run(WITHIN, str(tmp_path)).splitlines()
    assert {line.partition(" ")[2] for line in said} == {"levels answers of tools"}
    assert len({line.partition(" ")[0] for line in said}) == 1


def is_alive(number: int) -> bool:
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(400):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail("it does not come to hold")
