"""Runs of a language model as they were recorded: each question of today has its answer on record.

A template, or a sentence that goes into one, that changed without its recordings is found by the
first question that nobody answered: record the run anew (``tests/recordings/record.py``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sopforge.findings import has_errors
from sopforge.prompts.templates import load_template, template_names
from sopforge.stages.pipeline import Ending
from tests.providers import set_keys
from tests.recordings.playing import COMPLETIONS, events, play, put_back, recordings

FOLDERS = recordings()
NAMES = [path.name for path in FOLDERS]
FEWEST = 3
"""How many briefs each template is recorded for."""


def told(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what is told of each recorded answer of a run."""
    for path in sorted((folder / COMPLETIONS).glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))["told"]


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_recordings_are_of_the_templates_of_today(folder: Path) -> None:
    for call in told(folder):
        template = load_template(call["template"])
        assert call["template_digest"] == template.digest, f"{template.name} changed: record anew"
        assert call["model"] == "bridge"


@pytest.mark.parametrize("name", template_names())
def test_each_template_is_recorded_for_several_briefs(name: str) -> None:
    briefs = [
        folder.name for folder in FOLDERS if name in {call["template"] for call in told(folder)}
    ]
    assert len(briefs) >= FEWEST


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_a_recorded_run_comes_to_a_release_without_asking(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_keys(monkeypatch)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    put_back(folder, tmp_path)
    played = play(folder, tmp_path, is_replay_only=True)
    assert played.progress.ending is Ending.APPROVED
    assert played.published is not None
    assert not has_errors(played.published.findings)
    heard = Counter(event["event"] for event in events(tmp_path))
    assert heard == {"replayed": heard["replayed"]}
    used = {event["key"] for event in events(tmp_path)}
    assert used == {path.stem for path in (folder / COMPLETIONS).glob("*.json")}
