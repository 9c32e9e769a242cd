"""Tools that are nearly right are found by their gate, and by check and oracle of a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.checks.auditing.audit import audit_whole
from sopforge.checks.package.package_solved import read_graded, run_agents, try_some
from sopforge.checks.tools.tools_agree import CHECK as AGREE
from sopforge.errors import ToolProcessError
from sopforge.findings import has_errors
from sopforge.store.backends.atomic_files import fill_folder
from sopforge.workspace import TOOLS, Workspace
from tests.conftest import Released
from tests.faults.lax_tools import LAX, lax_source

MORE = "tools-disagree-more"
MANAGER = "PatientIntakeManager"
SAMPLE = {"returns the code of a refusal", "whole numbers as floats", "orders in messages"}
CODES = {
    "orders in messages": {"refusal-differs"},
    "the answer in messages": {"refusal-differs"},
    "a label singled out in messages": {"refusal-differs"},
    "counts through getattr": {"tools-not-deterministic"},
    "looks at the working directory": {"tools-differ-outside"},
    "looks at the environment": {"tools-differ-outside"},
    "looks at open": {"tools-differ-outside"},
    "looks at the path of imports": {"tools-differ-outside"},
    "answers ahead": {"reply-malformed"},
}
"""Where the model's answers alone do not show it."""


@pytest.fixture
def lax(released: Released, laxity: str) -> str:
    return lax_source(released.package["tools.py"], MANAGER, laxity)


@pytest.mark.parametrize("laxity", LAX)
def test_the_gate_of_the_tools_finds_lax_ones(sound: Workspace, lax: str, laxity: str) -> None:
    findings = AGREE.examine(sound.with_files({TOOLS: lax}))
    assert {finding.id for finding in findings} - {MORE} == CODES.get(laxity, {"tools-disagree"})


@pytest.mark.parametrize("laxity", LAX)
def test_the_oracle_of_a_package_finds_lax_tools(released: Released, lax: str) -> None:
    package = read_graded({**released.package, "tools.py": lax})
    try:
        run_agents(package)
    except ToolProcessError:
        return
    assert has_errors(try_some(package))


@pytest.mark.parametrize("laxity", sorted(SAMPLE))
def test_the_check_of_a_package_finds_lax_tools(
    released: Released, lax: str, laxity: str, tmp_path: Path
) -> None:
    fill_folder(tmp_path / "package", {**released.package, "tools.py": lax})
    found = {finding.id for finding in audit_whole(tmp_path / "package").findings}
    assert CODES.get(laxity, {"tools-disagree"}) <= found
