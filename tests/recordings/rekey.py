"""Keeps recorded answers whose questions changed in words alone, without asking a model again.

``python -m tests.recordings.rekey FOLDER CHECKOUT``, where CHECKOUT is a working tree of a
commit with recordings that were right there. A question of today without an answer gets that of
the question of then that is most like it. An answer that no longer fits has to be recorded anew.
"""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from sopforge.authors.prompts.templates import load_template
from sopforge.authors.providers.completion import Completion
from sopforge.authors.providers.record import CompletionRecord, Question
from sopforge.store.backends.folder import FolderObjects
from tests.recordings.playing import COMPLETIONS, HERE, keep, play, put_back

DUMPED = "questions.json"


def main(folder: Path, checkout: Path) -> None:
    """Play a run as it was then, and anew with its answers."""
    with tempfile.TemporaryDirectory() as place:
        then, now = Path(place) / "then", Path(place) / "now"
        known = checkout / folder.relative_to(HERE.parent.parent)
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        command = [sys.executable, __file__, "--dump", str(known), str(then)]
        subprocess.run(command, env=environment, cwd=checkout, check=True)
        questions: dict[str, str] = json.loads((then / DUMPED).read_text(encoding="utf-8"))
        put_back(folder, now)
        matched = _watch_questions(questions, known, folder)
        play(folder, now, is_replay_only=True)
        sys.stdout.write(f"{len(matched)} matched, {keep(now, folder)} answers kept\n")
    for path in (folder / COMPLETIONS).glob("*.json"):
        _renew_template(path)


def dump(folder: Path, store: Path) -> None:
    """Write the questions of a run as the code at hand asks them."""
    put_back(folder, store)
    asked: dict[str, str] = {}
    find = CompletionRecord.find

    def watch(self: CompletionRecord, question: Question) -> Completion | None:
        asked[question.key] = _show(question)
        return find(self, question)

    CompletionRecord.find = watch  # type: ignore[method-assign]
    play(folder, store, is_replay_only=True)
    (store / DUMPED).write_text(json.dumps(asked), encoding="utf-8")


def _watch_questions(known: dict[str, str], then: Path, folder: Path) -> dict[str, str]:
    """Give each question without an answer that of the question most like it; return which."""
    matched: dict[str, str] = {}
    find = CompletionRecord.find

    def watch(self: CompletionRecord, question: Question) -> Completion | None:
        new = folder / COMPLETIONS / f"{question.key}.json"
        if not new.exists():
            left = known.keys() - set(matched.values())
            matched[question.key] = _find_nearest(_show(question), known, left)
            old = then / COMPLETIONS / f"{matched[question.key]}.json"
            entry = json.loads(old.read_text(encoding="utf-8"))
            entry["origin"]["key"] = question.key
            new.write_text(json.dumps(entry), encoding="utf-8")
            objects = self._objects
            assert isinstance(objects, FolderObjects)
            put_back(folder, objects.root)
        return find(self, question)

    CompletionRecord.find = watch  # type: ignore[method-assign]
    return matched


def _show(question: Question) -> str:
    return json.dumps(question.content, sort_keys=True, ensure_ascii=False)


def _find_nearest(text: str, known: dict[str, str], left: Iterable[str]) -> str:
    """Return the key of the question most like a text, by its lines.

    One that asks again, after an answer out of form or with findings, is no first question.
    """
    lines = text.split("\\n")

    def measure(key: str) -> tuple[bool, float, str]:
        has_same_parts = _count_parts(known[key]) == _count_parts(text)
        alike = difflib.SequenceMatcher(None, lines, known[key].split("\\n")).ratio()
        return has_same_parts, alike, key

    return max(map(measure, left))[-1]


def _count_parts(text: str) -> tuple[int, int]:
    """Return of how many messages a question is, and how many pieces of data it has."""
    return text.count('"role": '), text.count("</data-")


def _renew_template(path: Path) -> None:
    """Say of a recorded answer that it is one to the template of today."""
    entry = json.loads(path.read_text(encoding="utf-8"))
    template = load_template(entry["origin"]["template"])
    entry["origin"] |= {"template_version": template.version, "template_digest": template.digest}
    path.write_text(json.dumps(entry, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    # Nothing is asked, but a provider without a key is not opened.
    os.environ.setdefault("ANTHROPIC_API_KEY", "none")
    if sys.argv[1] == "--dump":
        dump(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
