"""Checks are found by their files, and known for what they do."""

from __future__ import annotations

import pytest

from sopforge.checks.registry import is_tool_check, load_checks, takes_long
from sopforge.findings import Finding
from sopforge.workspace import Workspace


class Silent:
    """A check of the tools that runs none of them."""

    name = "silent"
    stage = "tools"

    def examine(self, workspace: Workspace) -> list[Finding]:
        del workspace
        return []

    def spoil(self, workspace: Workspace) -> Workspace:
        return workspace


@pytest.mark.parametrize("runs_tools", [True, False])
def test_a_check_runs_tools_where_it_says_so(*, runs_tools: bool) -> None:
    check = Silent()
    assert not is_tool_check(check)
    setattr(check, "runs_tools", runs_tools)  # noqa: B010 - mypy lets no attribute be added
    assert is_tool_check(check) is runs_tools
    assert takes_long(check) is runs_tools


def test_checks_of_all_folders_are_found_in_the_order_of_their_names() -> None:
    names = [check.name for check in load_checks()]
    assert names == sorted(names)
    assert {"table-cases", "sop-says-model", "tools-agree", "package-audited"} <= set(names)
