"""Plays a recorded run: the pipeline from the brief to a release, as its script says."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import yaml

from sopforge.authors.providers.record import FORMAT
from sopforge.authors.providers.selection import RECORDS
from sopforge.authors.providers.settings import Settings
from sopforge.authors.providers.watching import Event
from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.authors.writers.provider_asking import ProviderAsking
from sopforge.authors.writers.reading.complexity_rating import Rated
from sopforge.findings import has_errors
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.gates.edit_reading import EditReading, read_edit
from sopforge.pipeline.gates.gate import decide
from sopforge.pipeline.gates.rating import rate_workspace
from sopforge.pipeline.gates.rereading import Reread, reread, reread_workspace
from sopforge.pipeline.releases.publishing import Published, publish
from sopforge.pipeline.stages.pipeline import Ending, Progress, advance
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.digests import DIGEST, with_digest
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import Manifest, Store
from sopforge.workspace import SOP_TEXT, Workspace
from tests.worlds.providers import events_in

HERE = Path(__file__).parent
COMPLETIONS = "completions"
REVIEWER = "ada"
MOST_TASKS = 4
PREVAILS = "If any other part of this document conflicts with this section"
REWORDED = "Where the rest of this document says otherwise, go by this section."


def recordings() -> list[Path]:
    """Return the folders of all recorded runs."""
    return sorted(path.parent for path in HERE.glob(f"*/{COMPLETIONS}"))


@dataclass(frozen=True, slots=True)
class Played:
    """A run that was played: where it ended, and of a release how it was read and rated."""

    brief: Brief
    progress: Progress
    published: Published | None = None
    reread: Reread | None = None
    rated: Rated | None = None
    edited: EditReading | None = None


def play(folder: Path, store: Path, *, is_replay_only: bool) -> Played:
    """Take the brief of a recorded run as far as it gets without a human edit.

    At a stage for which the script has words, a reviewer sends its first version back with them.
    The SOP that was published is read again, and rated, by the same model, which also reads a line
    of it in a person's words.
    """
    brief = load_brief(folder / "brief.yaml")
    writer, settings = brief.parts.writer, Settings(is_replay_only=is_replay_only)
    asking, second = (
        ProviderAsking(reader, FolderObjects(store), brief.parts.domain, settings)
        for reader in (writer, writer.second_reader)
    )
    author = ModelAuthor(writer, asking, second=second if writer.readers > 1 else None)
    opened = open_store(store)
    words = _script(folder)
    while True:
        progress = advance(opened, brief, author=author)
        manifest = progress.version.manifest
        if progress.ending is not Ending.AWAITING_APPROVAL:
            break
        if manifest.stage in words:
            said = words.pop(manifest.stage)
            _decide(opened, manifest, DecisionVerdict.REQUEST_CHANGES, said)
        elif has_errors(manifest.findings):
            break
        else:
            _decide(opened, manifest, DecisionVerdict.APPROVE)
    if progress.ending is not Ending.APPROVED:
        return Played(brief, progress)
    published = publish(opened, brief)
    finished = reread_workspace(opened.get_domain(brief.parts.domain), brief)
    again = reread(asking, finished, MOST_TASKS)
    edited = read_edit(asking, finished, reword_sop(finished), REVIEWER)
    rated = rate_workspace(asking, finished)
    return Played(brief, progress, published, again, rated, edited)


def reword_sop(workspace: Workspace) -> str:
    """Return the SOP with a line in words that no check can read."""
    return re.sub(rf"^{PREVAILS}.*$", REWORDED, workspace.files[SOP_TEXT], flags=re.MULTILINE)


def _decide(store: Store, manifest: Manifest, verdict: DecisionVerdict, words: str = "") -> None:
    decide(
        store.get_domain(manifest.domain),
        stage=manifest.stage,
        digest=manifest.content,
        verdict=verdict,
        by=REVIEWER,
        opinion=Opinion(words),
    )


def _script(folder: Path) -> dict[str, str]:
    path = folder / "script.yaml"
    return dict(yaml.safe_load(path.read_text(encoding="utf-8"))) if path.exists() else {}


def put_back(folder: Path, store: Path) -> None:
    """Put the recorded answers of a run on record in a store."""
    for path in sorted((folder / COMPLETIONS).glob("*.json")):
        target = store / RECORDS / path.stem[:2] / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        entry = json.loads(path.read_text(encoding="utf-8"))
        sealed = with_digest({**entry, "format": FORMAT, "key": path.stem})
        target.write_text(json.dumps(sealed), encoding="utf-8")


def events(store: Path) -> list[Event]:
    """Return what the log of a run's domain says."""
    return [event for path in sorted(store.glob("*/calls.jsonl")) for event in events_in(path)]


def keep(store: Path, folder: Path) -> int:
    """Take over the answers that a run needed, without their questions; return how many."""
    target = folder / COMPLETIONS
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    needed = {event["key"] for event in events(store) if event["event"] in {"replayed", "answered"}}
    for key in needed:
        path = store / RECORDS / key[:2] / f"{key}.json"
        entry = json.loads(path.read_text(encoding="utf-8"))
        for name in ("format", "question", "key", DIGEST):
            entry.pop(name, None)
        entry["origin"].pop("at", None)
        text = json.dumps(entry, indent=1, ensure_ascii=False) + "\n"
        (target / path.name).write_text(text, encoding="utf-8")
    return len(needed)
