"""Runs of a language model as they were recorded: each question of today has its answer on record.

A template, or a sentence that goes into one, that changed without its recordings is found by the
first question that nobody answered: record the run anew (``tests/recordings/record.py``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.provider_asking import ProviderAsking
from sopforge.findings import has_errors
from sopforge.prompts.templates import list_template_names, load_template
from sopforge.stages.pipeline import Ending
from tests.recordings.playing import COMPLETIONS, events, play, put_back, recordings
from tests.worlds.providers import set_keys

FOLDERS = recordings()
NAMES = [path.name for path in FOLDERS]
FEWEST = 3
"""How many briefs each template is recorded for."""
FIXED_BY_REPAIR = {
    "domain model": {"domain_model", "edit_document"},
    "tools module": {"tool_code"},
}
"""Whole documents have a template of their own by which they are repaired."""


def read_calls(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the origin of each recorded answer of a run."""
    for path in sorted((folder / COMPLETIONS).glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))["origin"]


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_recordings_are_of_the_templates_of_today(folder: Path) -> None:
    for call in read_calls(folder):
        template = load_template(call["template"])
        assert call["template_digest"] == template.digest, f"{template.name} changed: record anew"
        assert call["model"] == "bridge"


@pytest.mark.parametrize("name", list_template_names())
def test_each_template_is_recorded_for_several_briefs(name: str) -> None:
    briefs = [
        folder.name
        for folder in FOLDERS
        if name in {call["template"] for call in read_calls(folder)}
    ]
    assert len(briefs) >= FEWEST


def test_recorded_runs_come_to_releases_without_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_keys(monkeypatch)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    repaired: set[str] = set()
    for folder in FOLDERS:
        store, asked = tmp_path / folder.name, Counter[str]()
        with monkeypatch.context() as patch:
            patch.setattr(ProviderAsking, "ask", noting(asked, repaired))
            check_replay(folder, store)
        # Where the form of an answer was corrected, more was said than asked for.
        said = Counter(event["template"] for event in events(store))
        repaired |= {name for name, times in said.items() if times > asked[name]}
    assert repaired == set(list_template_names())


def check_replay(folder: Path, store: Path) -> None:
    """Play a run from its recordings alone; all of them are used."""
    put_back(folder, store)
    played = play(folder, store, is_replay_only=True)
    assert played.progress.ending is Ending.APPROVED
    assert played.published is not None
    assert not has_errors(played.published.findings)
    assert played.reread is not None
    heard = Counter(event["event"] for event in events(store))
    assert heard == {"replayed": heard["replayed"]}
    used = {event["key"] for event in events(store)}
    assert used == {path.stem for path in (folder / COMPLETIONS).glob("*.json")}


def noting(asked: Counter[str], repaired: set[str]) -> Callable[..., Mapping[str, Any]]:
    """Return how to ask while noting which templates were asked, and which of them for a repair."""
    ask = ProviderAsking.ask

    def noted(
        self: ProviderAsking,
        template: str,
        values: Mapping[str, Any],
        **more: Any,  # noqa: ANN401 - of any call
    ) -> Mapping[str, Any]:
        asked[template] += 1
        if template == "repair_findings":
            repaired.update({template, *FIXED_BY_REPAIR[values["kind"]]})
        elif values.get("rejected") or (values.get("findings") and template != "edit_document"):
            repaired.add(template)
        return ask(self, template, values, **more)

    return noted
