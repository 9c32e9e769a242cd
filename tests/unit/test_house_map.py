"""The map of the house in CONTRIBUTING is the house as it stands."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
TOPS = ("flows", "review", "sopforge")
BEGIN, END = "<!-- map -->\n\n```text\n", "```\n\n<!-- end of map -->"
MOST_MODULES = 16


def packages() -> list[Path]:
    """Return every package, a folder before those in it, top layers first."""
    settings: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(item for item in contracts if item["id"] == "layers")["layers"]
    order = [name.strip(" ()") for line in layers for name in line.split("|")]

    def place(folder: Path) -> tuple[Any, ...]:
        top, *below = folder.relative_to(ROOT).parts
        rank = order.index(below[0]) if top == "sopforge" and below else -1
        return (TOPS.index(top), rank, *below)

    found = [path.parent for top in TOPS for path in (ROOT / top).rglob("__init__.py")]
    return sorted(found, key=place)


def sentence_of(folder: Path) -> str:
    """Return the first sentence of a package."""
    tree = ast.parse((folder / "__init__.py").read_text("utf-8"))
    return (ast.get_docstring(tree) or "").splitlines()[0].replace("``", "")


def house_map() -> str:
    """Return the map: a line for each package, those within it below it."""
    depths = [(len(folder.relative_to(ROOT).parts) - 1, folder) for folder in packages()]
    names = [f"{'  ' * depth}{folder.name}/" for depth, folder in depths]
    width = max(map(len, names)) + 2
    lines = zip(names, packages(), strict=True)
    return "".join(f"{name:<{width}}{sentence_of(folder)}\n" for name, folder in lines)


def test_the_map_shows_every_package_with_its_sentence(golden: object) -> None:
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    assert callable(golden)
    golden(PAGE, f"{before}{BEGIN}{house_map()}{END}{after}")


def test_the_page_on_tests_names_every_package_and_every_folder_of_tests() -> None:
    page = (ROOT / "tests" / "README.md").read_text("utf-8")
    inside = {f"sopforge/{item.name}/" for item in packages() if item.parent.name == "sopforge"}
    folders = {f"{path.name}/" for path in (ROOT / "tests").iterdir() if any(path.glob("*[!_]*"))}
    named = set(re.findall(r"`([a-z0-9_/]+/)`", page))

    assert {name for name in inside if not any(item.startswith(name) for item in named)} == set()
    assert {name for name in folders if not name.startswith((".", "_"))} <= named


def test_every_test_that_the_page_names_is_there() -> None:
    page = (ROOT / "tests" / "README.md").read_text("utf-8")
    there = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"\b(test_\w+\.py)", page)) <= there


def test_every_sentence_is_whole() -> None:
    assert [folder for folder in packages() if not sentence_of(folder).endswith(".")] == []


def test_no_folder_holds_more_modules_than_one_can_take_in() -> None:
    counts = {folder: len(list(folder.glob("[!_]*.py"))) for folder in packages()}
    assert {str(folder): count for folder, count in counts.items() if count > MOST_MODULES} == {}


def test_each_target_that_a_page_names_is_in_the_makefile() -> None:
    targets = set(
        re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    )
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "tests" / "README.md"]
    named = {
        (page.name, target)
        for page in pages
        for target in re.findall(
            r"(?:`|^(?=.*#))make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE
        )
    }
    assert {item for item in named if item[1] not in targets} == set()
    assert ("README.md", "demo") in named
