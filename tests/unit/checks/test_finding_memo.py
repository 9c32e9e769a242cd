"""A memo gives what a check found where it read the same, and examines all else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.finding_memo import FindingMemo
from sopforge.findings import Finding, make_note_finding
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import CLAIMS

BRIEF = read_brief(CLAIMS, "everything.yaml")


@dataclass
class Counting:
    """A check that reports what it read, and counts how often it was asked."""

    read: Callable[[Workspace], object]
    name: str = "counting"
    stage: str = "sop"
    asked: list[str] = field(default_factory=list)

    def examine(self, workspace: Workspace) -> list[Finding]:
        self.asked.append("")
        return [make_note_finding("read", str(self.read(workspace)))]

    def spoil(self, workspace: Workspace) -> Workspace:
        return workspace


def at(**files: str) -> Workspace:
    return Workspace(BRIEF, files)


READINGS: dict[str, Callable[[Workspace], object]] = {
    "a file": lambda workspace: workspace.files["a"],
    "a file that may lack": lambda workspace: workspace.files.get("c", "none"),
    "whether a file is there": lambda workspace: "c" in workspace.files,
    "names": lambda workspace: sorted(workspace.files),
    "how many there are": lambda workspace: len(workspace.files),
    "a stage": lambda workspace: workspace.select_stage_files("a"),
    "a workspace made of it": lambda workspace: dict(workspace.with_files({"d": "1"}).files),
}


@pytest.mark.parametrize("name", READINGS)
def test_what_is_found_is_what_the_check_finds(name: str) -> None:
    workspaces = [
        *(at(a="1", b="2"), at(a="1", b="3"), at(a="2", b="2"), at(a="1", b="2", c="4")),
        *(at(a="1"), at(b="2", a="1"), at(**{"a/x": "1", "a": "1"}), at(**{"a/x": "2", "a": "1"})),
    ]
    memo, check = FindingMemo(BRIEF), Counting(READINGS[name])
    for workspace in [*workspaces, *reversed(workspaces)]:
        try:
            expected = Counting(READINGS[name]).examine(workspace)
        except KeyError:
            with pytest.raises(KeyError):
                memo.examine(check, workspace)
        else:
            assert memo.examine(check, workspace) == expected


def test_other_files_than_those_that_were_read_ask_no_check_again() -> None:
    memo, check = FindingMemo(BRIEF), Counting(READINGS["a file"])
    found = [memo.examine(check, at(a="1", b=text)) for text in ("2", "3", "4")]
    assert len(check.asked) == 1
    assert found[0] == found[1] == found[2]


def test_a_model_counts_by_what_it_says_and_not_by_its_layout() -> None:
    text = OfflineAuthor().write_domain(BRIEF)
    memo, check = FindingMemo(BRIEF), Counting(lambda workspace: workspace.model.title)
    laid_out = f"# a remark\n{text}"
    memo.examine(check, at(**{DOMAIN: text}))
    memo.examine(check, at(**{DOMAIN: laid_out}))
    assert len(check.asked) == 1
    other = text.replace("title: ", "title: Other ", 1)
    assert "Other" in memo.examine(check, at(**{DOMAIN: other}))[0].message


def test_a_workspace_of_another_brief_is_refused() -> None:
    other: Brief = replace(BRIEF)
    with pytest.raises(ValueError, match="another brief"):
        FindingMemo(BRIEF).examine(Counting(READINGS["a file"]), Workspace(other, {"a": "1"}))
