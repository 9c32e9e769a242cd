"""Code and prose use the glossary's words, and functions begin with a verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
VERBS = Path(__file__).with_name("house_verbs.txt")
TOPS = ("flows", "review", "sopforge")
TABLE = "## Words that we avoid"

EXCUSED: dict[str, frozenset[str]] = {
    "review/pages/complexity.py": frozenset({"ways"}),  # a key of versions of older programs
    "sopforge/language/domain/values/words.py": frozenset({"way"}),  # of streets
    "tests/unit/review/pages/test_services_and_levels.py": frozenset({"ways"}),  # that key
    "tests/unit/runs/test_left_undone.py": frozenset({"tell"}),  # a brief's own words
    "tests/unit/test_house_words.py": frozenset({"behind", "tell", "way", "ways"}),
}
EMITTED = "sopforge/artifacts/rendering/tools/parts/"
"""What packages carry keeps its bytes from release to release."""
CONVENTIONS = ("as_", "from_", "to_", "with_", "without_")
"""Copies and conversions, named as in Python's own library."""
COLUMNS = frozenset({"has", "is"})
"""What these ask has a truth as its answer, or one for each row."""
DICTATED = frozenset({"inode", "main", "not_a_number_part", "nt_separated", "tasks", "text"})
PREDICATES = frozenset({
    "allows", "are", "can", "changes", "contains", "covers", "depends", "does", "exists", "fits",
    "have", "holds", "may", "means", "must", "names", "needs", "reads", "says", "stands", "takes",
    "waits",
})  # fmt: skip


def avoided_words() -> dict[str, str]:
    """Return the words of the glossary's last table, each with what to say instead."""
    table = GLOSSARY.read_text("utf-8").partition(f"{TABLE}\n")[2]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    return {word: instead for words, instead in rows for word in re.findall(r"`([^`]+)`", words)}


AVOIDED = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(sorted(avoided_words(), key=len, reverse=True))})(?![^\W_])",
    re.IGNORECASE,
)
JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def texts() -> list[Path]:
    """Return the files that are read: code, templates, prompts, docs and tests, but no brief."""
    folders = (*TOPS, "benchmarks", "docs", "tests")
    kinds = (".css", ".j2", ".js", ".md", ".py")
    found = [path for name in folders for path in (ROOT / name).rglob("*") if path.suffix in kinds]
    found += [*ROOT.glob("*.md"), *(ROOT / "prompt_templates").glob("*.yaml")]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def avoided_in(path: Path) -> Iterator[str]:
    """Return each word of a file that is to be avoided, with its line and what to say instead."""
    name, instead = path.relative_to(ROOT).as_posix(), avoided_words()
    text = path.read_text("utf-8")
    if path == GLOSSARY:  # all but the table itself
        text = text.partition(TABLE)[0]
    for number, line in enumerate(text.splitlines(), start=1):
        for found in AVOIDED.findall(JOINT.sub(" ", line)):
            if found.lower() not in EXCUSED.get(name, ()) and not name.startswith(EMITTED):
                yield f"{name}, line {number}: {found}; say {instead[found.lower()]}"


def test_a_word_to_avoid_is_found_in_names_and_in_prose() -> None:
    for line in ("x = may_tell(1)", "class TellStep:", "# A way on.", "tell", "_ways = 2"):
        assert AVOIDED.findall(JOINT.sub(" ", line)), line
    for line in ("always", "a retold story", "subway", "Prefect_wayfarer"):
        assert not AVOIDED.findall(JOINT.sub(" ", line)), line


def test_no_text_has_a_word_that_the_glossary_avoids() -> None:
    assert not [found for path in texts() for found in avoided_in(path)]


def verbs() -> frozenset[str]:
    """Return the verbs that names of functions begin with."""
    return frozenset(VERBS.read_text("utf-8").split())


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the functions of a file that are named by us, and are called: no property.

    A command's function has the command's name, which is its file's; some have names that Python
    dictates.
    """
    command = path.stem if "cli" in path.parts else ""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = {ast.unparse(mark).partition("(")[0] for mark in node.decorator_list}
            is_called = not marks & {"cached_property", "property"}
            if (
                is_called
                and not node.name.startswith("__")
                and node.name not in {command, *DICTATED}
            ):
                yield node


def all_functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Return all functions with their files, but for the code that packages carry."""
    for path in (path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))):
        if not path.relative_to(ROOT).as_posix().startswith(EMITTED):
            yield from ((path, node) for node in functions(path))


def is_verbal(name: str, returned: str) -> bool:
    """Return whether a function's name begins with a verb, or asks what is true."""
    first = name.partition("_")[0]
    asks = first in PREDICATES and re.match(r"bool|Type(Guard|Is)\b", returned) is not None
    return asks or first in COLUMNS or first in verbs() or name.startswith(CONVENTIONS)


@pytest.mark.parametrize(
    ("name", "returned", "expected"),
    [
        ("find_witness", "Row | None", True),
        ("is_sealed", "bool", True),
        ("is_sealed", "Column", True),
        ("covers", "Coverage", False),
        ("with_stage", "Workspace", True),
        ("rows_of", "list[Row]", False),
        ("found", "Row", False),
    ],
)
def test_a_name_is_judged_by_its_first_word(name: str, returned: str, *, expected: bool) -> None:
    assert is_verbal(name, returned) == expected


def test_functions_begin_with_a_verb() -> None:
    assert not [
        f"{path.relative_to(ROOT)}, line {node.lineno}: {node.name}"
        for path, node in all_functions()
        if not is_verbal(node.name.lstrip("_"), ast.unparse(node.returns) if node.returns else "")
    ]


def test_the_list_of_verbs_has_each_that_is_used_and_no_other() -> None:
    names = {node.name.lstrip("_").partition("_")[0] for _, node in all_functions()}
    listed = VERBS.read_text("utf-8").split()
    assert listed == sorted(set(listed) & names)
