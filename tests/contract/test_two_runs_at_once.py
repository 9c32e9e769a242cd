"""Two runs of one domain at once make what one makes, and pay for it once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.workspace import STAGE_NAMES
from tests.contract.test_model_author_over_http import answered
from tests.contract.test_whole_run_disturbed import BRIEF
from tests.servers.model_server import model_server
from tests.worlds.providers import set_keys

ROOT = Path(__file__).parents[2]
GENERATE = [sys.executable, "-c", "from sopforge.cli import main; main()", "generate"]


def test_two_runs_at_once_make_one_version_of_each_stage_and_ask_each_question_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brief, store = tmp_path / "fees.yaml", tmp_path / "store"
    brief.write_text(BRIEF.text, encoding="utf-8")
    set_keys(monkeypatch)
    with model_server() as server:
        server.answer = answered
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "ANTHROPIC_BASE_URL": server.url}
        command = [*GENERATE, str(brief), "--approve-clean", "--store", str(store)]
        running = [
            subprocess.Popen(
                command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            for _ in range(2)
        ]
        outputs = [process.communicate(timeout=300) for process in running]
        questions = [str(seen.body["messages"]) for seen in server.seen]

    assert [process.returncode for process in running] == [0, 0], outputs
    assert len(questions) == len(set(questions)) > 0
    opened = open_store(store)
    assert [len(opened.get_domain("fees").list_versions(stage)) for stage in STAGE_NAMES] == [
        1
    ] * len(STAGE_NAMES)
    decided = [entry.stage for entry in AuditLog(opened.get_domain("fees")).list_entries()]
    assert decided == list(STAGE_NAMES)
    waited = ["another run is working on 'fees'" in errors for _, errors in outputs]
    assert sorted(waited) == [False, True]
