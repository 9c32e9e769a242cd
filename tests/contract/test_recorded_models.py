"""Runs from prose to a release: one as it was recorded, others as a model answers from facts.

Each question of today has its answer on record in the one. A template, or a sentence that goes into
one, that changed without its recordings is found by the first question that nobody answered: record
the run anew (``tests/recordings/record.py``). The others have answers in whatever words they are
asked (``tests/recordings/deriving.py``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.artifacts.packaging.rating.ratings import MARKS
from sopforge.authors.prompts.templates import list_template_names, load_template
from sopforge.authors.writers.provider_asking import ProviderAsking
from sopforge.findings import has_errors
from sopforge.pipeline.stages.pipeline import Ending
from tests.recordings.deriving import DerivingModel, derived
from tests.recordings.playing import (
    COMPLETIONS,
    REWORDED,
    Played,
    events,
    play,
    put_back,
    recordings,
)
from tests.servers.model_server import model_server
from tests.worlds.providers import set_keys

FOLDERS = recordings()
NAMES = [path.name for path in FOLDERS]
DERIVED = {path.name: path for path in derived()}
# It takes as long as all other prose briefs together, and asks no other questions.
SLOW = {"clinic_registration": [pytest.mark.exhaustive]}
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
def test_each_template_is_recorded(name: str) -> None:
    briefs = [
        folder.name
        for folder in FOLDERS
        if name in {call["template"] for call in read_calls(folder)}
    ]
    assert briefs


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
        repaired |= {name for name, times in count_said(store).items() if times > asked[name]}
    # These are put right in the runs of derived answers.
    others = {
        *("dataset_rows", "edited_lines", "independent_labelling", "complexity_rating"),
        *("clause_judge", "sop_section"),
    }
    assert repaired >= set(list_template_names()) - others


@pytest.mark.parametrize("name", [pytest.param(name, marks=SLOW.get(name, [])) for name in DERIVED])
def test_a_model_that_answers_from_facts_comes_to_a_release_in_whatever_words_it_is_asked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_keys(monkeypatch)
    model, asked = DerivingModel(DERIVED[name], tmp_path), Counter[str]()
    ask = noting(asked, set())

    def noted(self: ProviderAsking, template: str, values: Mapping[str, Any], **more: Any) -> Any:  # noqa: ANN401 - of any call
        model.note(template, values)
        return ask(self, template, values, **more)

    monkeypatch.setattr(ProviderAsking, "ask", noted)
    with model_server() as server:
        server.answer = model.answer
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        played = play(model.folder, tmp_path, is_replay_only=False)

    check_released(played)
    assert set(asked) == set(list_template_names()) - {"repair_findings"}
    # The first answer of each was out of form, and asked for again.
    said = count_said(tmp_path)
    assert {name: said[name] - times for name, times in asked.items()} == dict.fromkeys(asked, 1)


def count_said(store: Path) -> Counter[str]:
    """Return how often each template was answered: more often than asked where form was wrong."""
    heard = {"answered", "replayed"}
    return Counter(event["template"] for event in events(store) if event["event"] in heard)


def check_released(played: Played) -> None:
    """Check that a run came to a release without errors, which was read again."""
    assert played.progress.ending is Ending.APPROVED
    assert played.published is not None
    assert not has_errors(played.published.findings)
    assert played.reread is not None
    assert played.edited is not None
    assert [item.text for item in played.edited.readings] == [REWORDED]
    assert played.rated is not None
    assert played.rated.score in MARKS


def check_replay(folder: Path, store: Path) -> None:
    """Play a run from its recordings alone; all of them are used."""
    put_back(folder, store)
    played = play(folder, store, is_replay_only=True)
    check_released(played)
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
