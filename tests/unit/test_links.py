"""Links of our pages lead to files and sections that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("benchmarks", "docs", "prompt_templates", "tests")
FENCED = re.compile(r"^```.*?^```$|^    .*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def pages() -> list[Path]:
    """Return the pages, without those that a link shows in another folder."""
    found = [
        *ROOT.glob("*.md"),
        *(path for name in FOLDERS for path in (ROOT / name).rglob("*.md")),
    ]
    return sorted(path for path in found if not path.is_symlink())


def read_sections(text: str) -> set[str]:
    """Return the names under which a page's headings are linked to."""
    headings = re.findall(
        r"^#+ (.*)$",
        re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE),
        re.MULTILINE,
    )
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def is_broken(page: Path, link: str) -> bool:
    """Return whether a link of a page leads nowhere."""
    place, _, section = link.partition("#")
    target = (page.parent / place).resolve() if place else page
    if not target.exists():
        return True
    return bool(section) and section not in read_sections(target.read_text(encoding="utf-8"))


def find_broken(page: Path) -> list[str]:
    """Return the links of a page, but for those to the web, that lead nowhere."""
    links = LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return [link for link in links if "://" not in link and is_broken(page, link)]


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_sections(page: Path) -> None:
    assert find_broken(page) == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[a](README.md#setup)", ["README.md#setup"]),
        ("[a](nowhere.md) and [b](README.md)", ["nowhere.md"]),
        ("[a](https://example.org/x.md) `[b](nowhere.md)`", []),
        ("[a](#here)\n\n## Here", []),
    ],
)
def test_a_link_that_leads_nowhere_is_found(text: str, broken: list[str], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text("# Title\n", encoding="utf-8")
    assert find_broken(page) == broken
