"""Emitted source is what a careful engineer would hand in, and its own tests pass."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sopforge.artifacts.rendering.refusal_codes import list_refusal_codes
from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.artifacts.rendering.tools.tests import render_tool_tests
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.trials.tool_cases import select_tool_cases
from sopforge.proof.dataset.trials.tool_trials import iterate_tool_trials
from tests.worlds.small_models import claims, orders, parcel


def written(model: DomainModel, folder: Path) -> Path:
    """Write the tools of a model, their records and their tests, and return the folder."""
    rows = sample_rows(model, 1, range(40))
    records = write_records(model, rows)
    names = [item.name for item in model.inputs]
    inputs = [{name: row[name] for name in names} for row in rows]
    codes = {tool.name: list_refusal_codes(model, tool) for tool in model.tools.values()}
    cases = select_tool_cases(iterate_tool_trials(model, records, inputs), codes)
    files = {**records, "tools.py": render_tools(model)}
    files["test_tools.py"] = render_tool_tests(model, cases)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=[claims, orders], ids=["claims", "orders"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(request.param(), tmp_path_factory.mktemp("tools"))


def test_linters_have_nothing_to_say(folder: Path) -> None:
    options = ["--isolated", "--no-cache", "--line-length", "100", "--target-version", "py311"]
    for command in (["format", "--check"], ["check", "--select", "F,W,I,UP,B,SIM,C4,RET,PIE"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *options, str(folder)],
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


def test_the_tests_beside_the_tools_pass_without_sopforge(folder: Path) -> None:
    run = "import sys, unittest; sys.path.insert(0, '.'); unittest.main('test_tools')"

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", run],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert "Ran 8 tests" in done.stderr


def test_the_tests_beside_the_tools_fail_where_a_tool_is_wrong(
    folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    text = (folder / "tools.py").read_text(encoding="utf-8")
    (tmp_path / "tools.py").write_text(text.replace('"unknown_record"', '"none"'), "utf-8")

    done = subprocess.run(
        [sys.executable, "-S", "-m", "unittest"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert "test_calls_are_refused_with_a_code_and_a_message" in done.stderr


def test_only_the_kinds_that_a_domain_has_are_emitted() -> None:
    small, large = render_tools(parcel()), render_tools(claims())

    assert "class ItemList" not in small
    assert "class Minute" not in small
    assert "threading" not in small
    assert "class ItemList" in large
    assert "class Minute" in large


def test_of_many_threads_one_reserves_the_goods(tmp_path: Path) -> None:
    written(orders(), tmp_path)
    scope: dict[str, Any] = {"__file__": str(tmp_path / "tools.py")}
    exec(compile(render_tools(orders()), "tools.py", "exec"), scope)  # noqa: S102 - our own output
    manager = scope["OrderReleaseManager"]()
    keys = [key for key, row in manager._records["order"].items() if not row["reserved"]]  # noqa: SLF001 - which orders can be reserved

    def reserve(key: str) -> str:
        try:
            return json.dumps(manager.process_tool_call("reserveGoods", {"order_id": key}))
        except scope["ToolRefusal"] as refusal:
            return str(refusal.code)

    free = [key for key in keys if manager._records["order"][key]["reservations"] < 3]  # noqa: SLF001 - the same
    with ThreadPoolExecutor(16) as threads:
        said = list(threads.map(reserve, [key for key in free for _ in range(16)]))

    assert free
    assert said.count("already_reserved") == 15 * len(free)
    assert sum('"reserved": "yes"' in text for text in said) == len(free)
