"""``make mutants``: how many small changes of the core its fast tests notice.

A sample of mutants per file, drawn from a seed, is judged one by one. A change inside a function is
made in a fork of a session that has collected the tests, and only the tests that call the function
run. What survives there, and any other change, is made before the core is imported, so that all
that the tests work out while they are collected follows it too. A mutant is killed at its first
failure, or when it needs far more CPU time than the tests do.

With ``--matrix``, no failure ends the others: the tests are named that kill no mutant of the sample
which the rest does not kill as well. Only changes inside functions are made. A test of a promise
that no small change breaks is among them, so read what it says before it goes.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import TypeAlias

import hypothesis
import numpy as np  # noqa: F401 - imported once, for all forks
import pandas as pd  # noqa: F401 - the same
import pydantic  # noqa: F401 - the same
import pytest
import z3  # noqa: F401 - the same

from tests.mutation.matrix import choose_needed, list_tests
from tests.mutation.mutants import Mutant, mutants, mutated, sample

Key: TypeAlias = tuple[str, str, int]
Outcomes: TypeAlias = dict[str, str]

ROOT = Path(__file__).parents[2]
PACKAGES = ("sopforge/language/domain", "sopforge/language/logic")
TESTS = (  # the quick ones first
    "tests/unit/test_generated_docs.py",
    "tests/unit/test_error_codes.py",
    "tests/golden",
    "tests/unit/logic",
    "tests/unit/domain",
    "tests/unit/solving",
    "tests/property/test_planted_faults.py",
    "tests/property/test_english_reads_back.py",
)
READ_BACK = "test_english_reads_back.py"  # dear, and asked only about what English is made of
ENGLISH = ("sopforge/language/domain/expressions/algebra.py",)
LEFT_OUT = "test_a_planted_fault_is_caught"  # it judges the harness
OPTIONS = ("-q", "-s", "-p", "no:cacheprovider")
SEED, SHARE, LEAST = 1, 0.1, 8
SPARE_SECONDS, WHOLE_SECONDS = 20, 240
PROCESSES = os.cpu_count() or 1


def main() -> None:
    """Judge a sample, or the mutants that are named, and print what survived."""
    options = _options()
    hypothesis.settings.register_profile("mutants", derandomize=True, database=None)
    hypothesis.settings.load_profile("mutants")
    files = sorted(
        str(path.relative_to(ROOT))
        for part in options.packages
        for path in (ROOT / part).rglob("*.py")
    )
    if options.names:
        chosen = [made for file in files for made in mutants(ROOT, file)]
        chosen = [mutant for mutant in chosen if mutant.name in options.names]
    else:
        chosen = sample(ROOT, files, options.share, options.least, options.seed)
    if options.matrix:
        options.matrix.mkdir(parents=True, exist_ok=True)
    outcomes = judged(chosen, options)
    if options.out:
        options.out.write_text(json.dumps(outcomes, indent=1), encoding="utf-8")
    chosen = [mutant for mutant in chosen if mutant.name in outcomes]
    sys.stdout.write(report(chosen, outcomes))
    if options.matrix:
        sys.stdout.write(report_needless(options.matrix))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants to judge again, instead of a sample")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--share", type=float, default=SHARE, help="of the mutants of each file")
    parser.add_argument("--least", type=int, default=LEAST, help="so many of each file at least")
    parser.add_argument("--packages", nargs="+", default=PACKAGES, help="whose code is changed")
    parser.add_argument("--matrix", type=Path, help="a folder for which tests kill which mutant")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="instead of all of the core's")
    parser.add_argument("--out", type=Path, help="a JSON file for the outcomes by name")
    parser.add_argument("--calls", type=Path, help="a JSON file that keeps what each test calls")
    return parser.parse_args()


def judged(chosen: Sequence[Mutant], options: argparse.Namespace) -> Outcomes:
    """Return what became of each mutant; for a matrix, of those inside functions."""
    tests: Sequence[str] = options.tests
    reader, writer = os.pipe()
    if not os.fork():
        os.close(reader)
        session = _Session([mutant for mutant in chosen if mutant.function], options)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = pytest.main([*OPTIONS, *tests], plugins=[session])
        with os.fdopen(writer, "w") as pipe:
            json.dump(session.outcomes, pipe)
        os._exit(int(status))
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    assert os.wait()[1] == 0, "the tests could not be collected"
    outcomes: Outcomes = json.loads(text)
    if options.matrix:
        return outcomes
    rest = [mutant for mutant in chosen if outcomes.get(mutant.name) in {None, "survived"}]
    return outcomes | _forked(
        {mutant.name: partial(_judge_whole, mutant, tests) for mutant in rest}
    )


def report_needless(matrix: Path) -> str:
    """Return the tests that kill nothing which others do not, and how many others there are."""
    killers = {path.name: list_tests(path) for path in matrix.glob("killed-*")}
    tests = list_tests(matrix / "tests")
    needed = choose_needed(killers)
    needless = sorted(tests - needed)
    return "\n".join([f"{len(needed)} tests of {len(tests)} kill all; not needed:", *needless, ""])


def report(chosen: Sequence[Mutant], outcomes: Outcomes) -> str:
    """Return the figures of each file, and the survivors."""
    total = Counter[str]()
    lines = [f"{'file':<46}{'mutants':>8}{'killed':>8}{'slow':>6}{'left':>6}"]
    for file in sorted({mutant.file for mutant in chosen}):
        found = Counter(outcomes[mutant.name] for mutant in chosen if mutant.file == file)
        total += found
        lines.append(_line(file, found))
    lines.append(_line("all", total))
    lines += [
        f"{mutant.name}  line {mutant.line}: {mutant.text}"
        for mutant in chosen
        if outcomes[mutant.name] == "survived"
    ]
    return "\n".join([*lines, ""])


def _line(file: str, found: Counter[str]) -> str:
    killed, slow, left = (found[outcome] for outcome in ("killed", "slow", "survived"))
    score = (killed + slow) / max(1, found.total())
    return f"{file:<46}{found.total():>8}{killed:>8}{slow:>6}{left:>6}  {score:.0%}"


# ------------------------------------------------------------------------------ inside a function


class _Session:
    """A plugin that judges mutants, in forks, where pytest would run the tests."""

    def __init__(self, chosen: Sequence[Mutant], options: argparse.Namespace) -> None:
        self.chosen = chosen
        self.kept: Path | None = options.calls
        self.matrix: Path | None = options.matrix
        self.outcomes: Outcomes = {}
        self.at_import = _called(partial(_import_all, options.packages))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = [item for item in session.items if LEFT_OUT not in item.name]
        calls, seconds = self.measured(session, items)
        if self.matrix:
            names = "".join(f"{item.nodeid}\n" for item in items)
            (self.matrix / "tests").write_text(names, encoding="utf-8")
        live = _live_functions()
        jobs: dict[str, Callable[[], bool]] = {}
        for mutant in self.chosen:
            codes = dict(_codes(compile(mutated(ROOT, mutant), str(ROOT / mutant.file), "exec")))
            own = [key for key in codes if key[1] == mutant.function]
            if not own or any(key in self.at_import or key not in live for key in own):
                continue
            asked = [
                item
                for item in items
                if not calls.get(item.nodeid, set(own)).isdisjoint(own)
                and (item.path.name != READ_BACK or mutant.file.startswith(ENGLISH))
            ]
            asked.sort(key=partial(_rank, mutant.file, seconds))
            limit = sum(seconds[item.nodeid] for item in asked) * 2 + SPARE_SECONDS
            patch = partial(_patch, codes, live)
            noted = self.matrix and self.matrix / f"killed-{mutant.name.replace('/', '.')}"
            jobs[mutant.name] = partial(_judge_inside, session, asked, patch, limit, noted)
        self.outcomes = _forked(jobs)
        return True

    def measured(
        self, session: pytest.Session, items: Sequence[pytest.Item]
    ) -> tuple[Mapping[str, set[Key]], Mapping[str, float]]:
        """Return what each test calls, and its seconds, as kept or by running all of them."""
        is_kept = self.kept is not None and self.kept.exists()
        text = self.kept.read_text("utf-8") if self.kept and is_kept else _measured(session, items)
        if self.kept and not is_kept:
            self.kept.write_text(text, encoding="utf-8")
        found = json.loads(text)
        calls = {name: {tuple(key) for key in keys} for name, (keys, _) in found.items()}
        return calls, Counter({name: seconds for name, (_, seconds) in found.items()})


def _import_all(packages: Sequence[str]) -> None:
    for part in packages:
        for path in sorted((ROOT / part).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            importlib.import_module(name.removesuffix(".__init__"))


def _called(work: Callable[[], object]) -> set[Key]:
    """Return the functions of the core that work calls."""
    found: set[Key] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "/sopforge/" in frame.f_code.co_filename:
            found.add(_key(frame.f_code))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def _measured(session: pytest.Session, items: Sequence[pytest.Item]) -> str:
    """Return for each test the functions that it calls and its seconds, from a run in a fork."""
    reader, writer = os.pipe()
    if not os.fork():
        os.close(reader)
        found: dict[str, tuple[list[Key], float]] = {}
        for item in items:
            start = time.process_time()
            called = _called(partial(_run, item))
            found[item.nodeid] = (list(called), time.process_time() - start)
        with os.fdopen(writer, "w") as pipe:
            json.dump({} if session.testsfailed else found, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.wait()
    assert text != "{}", "the tests fail without a mutant"
    return text


def _run(item: pytest.Item) -> None:
    """Run a test with fixtures of its own."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _rank(file: str, seconds: Mapping[str, float], item: pytest.Item) -> tuple[bool, float]:
    return item.path.name != f"test_{Path(file).name}", seconds[item.nodeid]


def _judge_inside(
    session: pytest.Session,
    asked: Sequence[pytest.Item],
    patch: Callable[[], None],
    limit: float,
    noted: Path | None,
) -> bool:
    """Return whether a test fails: the first that does ends it, unless each is to be noted."""
    _limit(limit)
    patch()
    # Of a function that no test calls, none is asked, and its mutant survives.
    for item, after in zip_longest(asked, asked[1:]):
        before = session.testsfailed
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed > before:
            if noted is None:
                return True
            with noted.open("a", encoding="utf-8") as file:
                file.write(f"{item.nodeid}\n")
    return bool(session.testsfailed)


def _patch(codes: Mapping[Key, CodeType], live: Mapping[Key, list[FunctionType]]) -> None:
    for key, code in codes.items():
        for function in live.get(key, ()):
            if len(function.__code__.co_freevars) == len(code.co_freevars):
                function.__code__ = code


def _live_functions() -> dict[Key, list[FunctionType]]:
    live: dict[Key, list[FunctionType]] = {}
    # What was collected is set aside for good (conftest.py), and is not among what is listed else.
    gc.unfreeze()
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            live.setdefault(_key(thing.__code__), []).append(thing)
    return live


def _codes(code: CodeType) -> Iterator[tuple[Key, CodeType]]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield _key(part), part
            yield from _codes(part)


def _key(code: CodeType) -> Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


# -------------------------------------------------------------------------------- anywhere else


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module of the core, as a mutant."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        parts = Path(self.mutant.file).with_suffix("").parts
        if fullname != ".".join(parts).removesuffix(".__init__"):
            return None
        return importlib.util.spec_from_file_location(
            fullname, ROOT / self.mutant.file, loader=_Loader(fullname, self.mutant)
        )


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, mutant: Mutant) -> None:
        super().__init__(fullname, str(ROOT / mutant.file))
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        return compile(mutated(ROOT, self.mutant), self.path, "exec")


def _judge_whole(mutant: Mutant, tests: Sequence[str]) -> bool:
    _limit(WHOLE_SECONDS)
    sys.meta_path.insert(0, _Finder(mutant))
    package, name = Path(mutant.file).parts[1], Path(mutant.file).name
    own = f"tests/unit/{package}/test_{name}"
    is_english = mutant.file.startswith(ENGLISH)
    asked = [test for test in tests if not test.endswith(READ_BACK) or is_english]
    asked = [own, *asked] if (ROOT / own).exists() else asked
    skipped = ("--deselect", f"tests/property/test_planted_faults.py::{LEFT_OUT}")
    return pytest.main([*OPTIONS, "-x", *skipped, *asked]) != pytest.ExitCode.OK


# --------------------------------------------------------------------------------------- forks


def _limit(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))


def _forked(jobs: Mapping[str, Callable[[], bool]]) -> Outcomes:
    """Return what became of each job, each in a fork of its own."""
    outcomes: Outcomes = {}
    running: dict[int, str] = {}

    def wait() -> None:
        process, status = os.wait()
        outcome = "slow" if os.WIFSIGNALED(status) else ("survived", "killed")[status != 0]
        name = running.pop(process)
        outcomes[name] = outcome
        sys.stderr.write(f"{len(outcomes)}/{len(jobs)} {outcome} {name}\n")

    for name, job in jobs.items():
        while len(running) >= PROCESSES:
            wait()
        process = os.fork()
        if not process:
            _work(job)
        running[process] = name
    while running:
        wait()
    return outcomes


def _work(job: Callable[[], bool]) -> None:
    """Do a job in this fork, in silence, and end it with what was found."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    is_killed = True
    try:
        is_killed = job()
    finally:
        os._exit(int(is_killed))


if __name__ == "__main__":
    main()
