"""Packages of SOPForge: the checks of all stages have what they need in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.checks.auditing.own import check_own_package
from tests.conftest import Released


@pytest.mark.parametrize("level", ["L0", "L3"])
def test_a_package_with_a_draft_is_found_clean(released: Released, level: str) -> None:
    assert check_own_package(Path(released.published.packages[level])) == []
