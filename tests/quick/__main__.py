"""Prints which tests a change most likely breaks: ``python -m tests.quick [BASE]``.

A change is what differs from where its branch left ``BASE``, which is main, committed or not. Unit
tests run that import what it touches, as many as a minute allows: those of its own packages come
first, then those with the fewest imports between. Test files that it touches always run, and
those in ``ALWAYS``: what is written is compared with what was expected, and one small domain goes
from its brief to a release. Files that take more than four seconds of a core are listed in
``slow.txt``, and left out unless the change touches them.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SLOW = Path(__file__).with_name("slow.txt")
BASES = ("main", "origin/main")
PROGRAM = ("sopforge", "flows", "review", "prompt_templates", "tests")
MOST = 40
"""Files beside those that always run: of two seconds each, on two cores."""
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
    always = {found for name in ALWAYS for found in _list_below(name)}
    near = [name for name in _rank_near(given) if name not in slow]
    return sorted(own | always | set(near[:MOST]))


def _is_test(name: str) -> bool:
    path = Path(name)
    in_tests = path.parts[0] == "tests" and "e2e" not in path.parts
    return in_tests and path.name.startswith("test_") and path.suffix == ".py"


def _list_below(name: str) -> Iterator[str]:
    path = ROOT / name
    files = [path] if path.is_file() else path.rglob("test_*.py")
    yield from (found.relative_to(ROOT).as_posix() for found in files)


def _rank_near(given: Iterable[str]) -> list[str]:
    """Return the unit tests of some files: those of their packages, then by the imports between."""
    begun = {name for name in given if Path(name).parts[0] in PROGRAM}
    texts = _read_program() if begun else {}
    # What is no Python is named by what reads it.
    named = {Path(name).name for name in begun if not name.endswith(".py")}
    named |= {Path(name).stem for name in begun if name.startswith("prompt_templates/")}
    edge = begun | {by for by, text in texts.items() if any(f'"{name}"' in text for name in named)}
    homes = {_find_home(name) for name in edge}
    importers = _find_importers()
    away: dict[str, int] = {}
    while edge:
        away |= dict.fromkeys(edge, len(set(away.values())))
        edge = {by for name in edge for by in importers.get(name, ()) if by not in away}
    found = [name for name in away if _is_test(name) and name.startswith("tests/unit/")]
    return sorted(found, key=lambda name: (not _is_below(name, homes), away[name], name))


def _find_home(name: str) -> Path:
    """Return the folder of tests of the package that a file is in."""
    top, *inside = Path(name).parts[:-1]
    home = ROOT.joinpath("tests/unit", *(["review"] if top == "review" else []), *inside)
    # A folder of tests stands for those packages below it that have none.
    while not home.is_dir():
        home = home.parent
    return home.relative_to(ROOT)


def _is_below(name: str, homes: Iterable[Path]) -> bool:
    return any(home in Path(name).parents for home in homes if home != Path("tests/unit"))


@cache
def _read_program() -> Mapping[str, str]:
    paths = (path for top in PROGRAM for path in (ROOT / top).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def _find_importers() -> Mapping[str, set[str]]:
    """Return for each file which files import it."""
    found: dict[str, set[str]] = {}
    for by, text in _read_program().items():
        for name in _iterate_imported(ast.parse(text)):
            for file in (f"{name}.py", f"{name}/__init__.py"):
                found.setdefault(file, set()).add(by)
    return found


def _iterate_imported(tree: ast.Module) -> Iterator[str]:
    """Yield the paths of what a module may import, without the ends of their names."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        # No expression imports anything.
        pending += (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr))
        match node:
            case ast.ImportFrom(module=str(module)):
                path = module.replace(".", "/")
                yield path
                yield from (f"{path}/{item.name}" for item in node.names)
            case ast.Import():
                yield from (item.name.replace(".", "/") for item in node.names)
            case _:
                pass


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
