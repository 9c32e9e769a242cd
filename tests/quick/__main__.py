"""Prints which tests a change most likely breaks: ``python -m tests.quick [BASE]``.

A change is what differs from where its branch left ``BASE``, which is main, committed or not. Its
tests are those of the packages that it touches, the test files that it touches, and always those in
``ALWAYS``: what is written is compared with what was expected, and one small domain goes from its
brief to a release. Files that take more than four seconds of a core are listed in ``slow.txt``, and
left out unless the change touches them.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SLOW = Path(__file__).with_name("slow.txt")
BASES = ("main", "origin/main")
ALWAYS = (
    "tests/golden",
    "tests/unit/test_house_map.py",
    "tests/unit/test_house_words.py",
    "tests/unit/test_docstring_examples.py",
    "tests/unit/releases/test_yanked_releases.py",
    "tests/contract/test_what_runs_again.py",
)


def list_tests(changed: Iterable[str], slow: Iterable[str]) -> list[str]:
    """Return the test files for changed files, those that exist, in order."""
    given = [name for name in changed if (ROOT / name).is_file()]
    own = {name for name in given if _is_test(name)}
    beside = {test for name in given for test in _list_unit_tests(name)}
    always = {found for name in ALWAYS for found in _list_below(name)}
    return sorted(own | always | (beside - set(slow)))


def _is_test(name: str) -> bool:
    path = Path(name)
    in_tests = path.parts[0] == "tests" and "e2e" not in path.parts
    return in_tests and path.name.startswith("test_") and path.suffix == ".py"


def _list_unit_tests(name: str) -> Iterator[str]:
    """Yield the tests of the package that a file of the program is in."""
    top, *inside = Path(name).parts[:-1] or ("",)
    if top not in {"sopforge", "review"}:
        return
    folders = ["review", *inside] if top == "review" else inside
    # A folder of tests stands for those packages below it that have none.
    while folders and not (ROOT / "tests/unit" / "/".join(folders)).is_dir():
        folders.pop()
    if folders:
        yield from _list_below("/".join(("tests/unit", *folders)))


def _list_below(name: str) -> Iterator[str]:
    path = ROOT / name
    files = [path] if path.is_file() else path.rglob("test_*.py")
    yield from (found.relative_to(ROOT).as_posix() for found in files)


def list_changed(base: str = "") -> list[str]:
    """Return the files that differ from where a branch began, by their names."""
    names = (
        [base] if base else [name for name in BASES if _ask("rev-parse", "-q", "--verify", name)]
    )
    began = _ask("merge-base", "HEAD", *names[:1]) or ["HEAD"]
    fresh = _ask("ls-files", "--others", "--exclude-standard")
    return [*_ask("diff", "--name-only", began[0]), *fresh]


def _ask(*words: str) -> list[str]:
    """Return the lines that git says, none where it refuses."""
    ran = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S607 - the git of who changes
    return ran.stdout.split("\n")[:-1] if ran.returncode == 0 else []


if __name__ == "__main__":
    listed = list_tests(list_changed(*sys.argv[1:2]), SLOW.read_text(encoding="utf-8").split())
    sys.stdout.write("\n".join(listed) + "\n")
