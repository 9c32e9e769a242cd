"""Disturbs commands at each write of their store, and repeats them on what is left.

``python -m tests.disturbing FOLDER MADE PLACE MISHAPS STEP [SCENE ...]`` does so on a store in a
folder or on S3, for the scenes named or for all, at every ``STEP``-th write of the long ones, and
prints one JSON object a line: what became of each command. A mishap is that the process is killed,
or from one write on an error: of the system, by its name, or of the service. Commas stand between
them. What was built is taken from the folder ``MADE``, and kept there.

Where ``STEP`` is ``kinds``, a command is disturbed at the first and the last of its writes of each
kind, which is what is done to which file, but for kinds at which it was disturbed in an earlier
scene: on S3, at which any command was. ``ends`` are the first write, one in the middle, and the
last.

A kill is before the first write, and after each: on S3 once the service has done what was asked,
and before its answer is read. What a kill before a write leaves is what that after the one before
it leaves.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sopforge.cli.output import EXIT_BAD_INPUT
from sopforge.store.versions import Store
from tests.disturbing.places import Kept, Place, opened_place
from tests.disturbing.sampling import (
    ENDS,
    choose_ends,
    choose_writes,
    iterate_writes,
    name_kind,
)
from tests.disturbing.scenes import DOMAIN, GENERATE, SCENES, Command, Scene
from tests.judges.invariants import KeptObjects, broken_promises
from tests.running.quick_commands import Ended, run_command, use_quick_builds

BRIEF = Path(__file__).parents[1] / "briefs" / "refund.yaml"
# A package for each level is one more of a kind.
ONE_LEVEL = {"levels: [L0, L1]": "levels: [L0]"}
# Locks, and what is being written.
_HIDDEN = re.compile(r"/\.")
# What a run was asked for decides no byte of what is made; a seal also knows what was announced by
# a command that was killed.
_UNCOMPARED = re.compile(r"/(?:last_run|seal)\.json$")


@dataclass(frozen=True)
class Stage:
    """A place, and the files that the commands are given."""

    place: Place
    files: Mapping[str, str]
    made: dict[tuple[Command, ...], Kept] = field(default_factory=lambda: {(): {}})

    def after(self, commands: tuple[Command, ...]) -> Kept:
        """Return what a store holds after some commands."""
        if commands not in self.made:
            name = f"after-{len(self.made)}"
            self.place.fill(name, self.after(commands[:-1]))
            self.run(name, commands[-1])
            self.made[commands] = self.kept(name)
        return self.made[commands]

    def run(self, name: str, command: Command) -> Ended:
        """Run a command on a store."""
        arguments = [part.format_map(self.files) for part in command]
        return run_command(*arguments, "--store", self.place.named(name))

    def kept(self, name: str) -> Kept:
        """Return all that a store holds, but for its own locks and leftovers."""
        found = self.place.kept(name).items()
        return {part: data for part, data in found if not _HIDDEN.search(f"/{part}")}

    def disturbed(self, name: str, command: Command, mishap: str, write: int) -> Ended | None:
        """Run a command in a child that is disturbed at a write.

        Return how it ended, with -1 where it was killed; None where it did not come so far.
        """
        self.place.prepare(mishap, write)

        def run() -> list[Any]:
            hits: list[bool] = []
            self.place.strike(mishap, write, lambda: hits.append(True))
            ended = self.run(name, command)
            return [bool(hits), ended.code, ended.said]

        found = run_in_child(run)
        self.place.recover(name)
        if found is None:
            return Ended(-1, "")
        was_hit, code, said = found
        return Ended(code, said) if was_hit else None


def run_in_child(run: Callable[[], list[Any]]) -> list[Any] | None:
    """Return what a function returns in a child of this process, None where that was killed."""
    end, out = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(out, json.dumps(run()).encode())
        os._exit(0)
    os.close(out)
    with os.fdopen(end, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    return list(json.loads(text)) if text else None


@dataclass(frozen=True)
class Trial:
    """A scene, and what an undisturbed run makes of it."""

    stage: Stage
    title: str
    scene: Scene
    undisturbed: Ended
    kinds: list[str]
    """Of what kind each write of the undisturbed command is."""
    before: Kept
    after: Kept

    def results(self, mishap: str, writes: Iterable[int]) -> Iterator[dict[str, Any]]:
        """Disturb the command at writes as long as it has any, and yield what became of it."""
        stage = self.stage
        for write in writes:
            name = f"{self.title.replace(' ', '-').replace(',', '')}-{write}"
            stage.place.fill(name, self.before)
            ended = stage.disturbed(name, self.scene.command, mishap, write)
            if ended is None:
                return
            disturbed = {"scene": self.title, "mishap": mishap, "write": write}
            yield {**disturbed, **self._repeated(name, ended)}
            stage.place.drop(name)

    def _repeated(self, name: str, ended: Ended) -> dict[str, Any]:
        """Return what was left, and whether the command, repeated, ends as an undisturbed one."""
        stage = self.stage
        left = stage.kept(name)
        broken = [*broken_promises(Store(KeptObjects(left)), DOMAIN), *_unsealed(left)]
        is_decided = self.scene.decides and _decisions(left) == _decisions(self.after)
        again = stage.run(name, self.scene.command)
        found = stage.kept(name)
        names = _compared({**found, **self.after})
        differing = [part for part in names if found.get(part) != self.after.get(part)]
        return {
            "code": ended.code,
            "said": ended.said,
            "broken": [*broken, *_unsealed(found)],
            "is_decided": is_decided,
            "ends_well": self._is_reported(again)
            if is_decided
            else again.code == self.undisturbed.code,
            "said_again": again.said,
            "differing": differing,
        }

    def _is_reported(self, again: Ended) -> bool:
        """Return whether whoever decides again learns of the decision that was written."""
        person = self.scene.command[self.scene.command.index("--by") + 1]
        codes = {"nothing-waits", "second-decision"}
        return again.code == EXIT_BAD_INPUT and again.refusal in codes and person in again.said


def _compared(kept: Kept) -> list[str]:
    return sorted(part for part in kept if not _UNCOMPARED.search(f"/{part}"))


def _unsealed(kept: Kept) -> list[str]:
    """Return what looks as if no command had written it."""
    return [str(fault) for fault in Store(KeptObjects(kept)).objects.find_faults(DOMAIN)]


def _decisions(kept: Kept) -> int:
    return sum(part.startswith(f"{DOMAIN}/decisions/") for part in kept)


def _undisturbed(stage: Stage, title: str) -> Trial:
    scene = SCENES[title]
    name, before = f"undisturbed-{title.replace(' ', '-')}", stage.after(scene.before)
    kinds: list[str] = []

    def hear(event: str, path: str) -> None:
        kinds.append(name_kind(event, path, name))

    def run() -> list[Any]:
        stage.place.listen(hear)
        ended = stage.run(name, scene.command)
        return [ended.code, ended.said, kinds]

    stage.place.drop(name)
    stage.place.fill(name, before)
    # In a child, as what listens cannot be taken away again.
    found = run_in_child(run)
    assert found is not None
    code, said, heard = found
    after = stage.made.setdefault((*scene.before, scene.command), stage.kept(name))
    return Trial(stage, title, scene, Ended(code, said), heard, before, after)


def _write_files(folder: Path, changes: Mapping[str, str]) -> dict[str, str]:
    """Write what the commands are given: a brief, with changes to its text."""
    text = BRIEF.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    patch = "policy: {refund_days: {value: 20}}\n"
    texts = {"brief": text, "two": f"{text}gates: {{approvers: {{schema: 2}}}}\n", "patch": patch}
    for name, content in texts.items():
        (folder / f"{name}.yaml").write_text(content, encoding="utf-8")
    return {name: str(folder / f"{name}.yaml") for name in (*texts, "edited")}


def _write_edited(stage: Stage) -> None:
    """Write the domain model of the brief as a person edited it."""
    model = f"{DOMAIN}/stages/schema/0001/files/domain.yaml"
    text = stage.after((GENERATE,))[model].decode()
    Path(stage.files["edited"]).write_text(text.replace("value: 30", "value: 25"), encoding="utf-8")


def _print(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main(folder: Path, made: Path, kind: str, mishaps: list[str], step: str, *titles: str) -> None:
    """Disturb the commands, and print what became of each."""
    use_quick_builds(made)
    known: defaultdict[str, set[str]] = defaultdict(set)
    # On S3, where a command takes seconds, what writes as something else does is left out.
    is_sample = kind == "s3" and step != "1"
    changes = ONE_LEVEL if is_sample and not step.isdigit() else {}
    with opened_place(kind, folder) as place:
        stage = Stage(place, _write_files(folder, changes))
        _write_edited(stage)
        for title in titles or SCENES:
            scene = SCENES[title]
            if is_sample and scene.is_as_others:
                continue
            known_builds = set(made.iterdir())
            trial = _undisturbed(stage, title)
            if known_builds != set(made.iterdir()):
                # Whoever builds writes more than those who are disturbed: they take what is there.
                trial = _undisturbed(stage, title)
            wrote = any(
                trial.before.get(part) != trial.after.get(part)
                for part in _compared({**trial.before, **trial.after})
            )
            _print({"scene": title, "wrote": wrote})
            for mishap in mishaps:
                # On S3, the kinds of another command do as well.
                whose = scene.command[0] if kind == "folder" else ""
                for result in trial.results(
                    mishap, _choose(trial, step, known[f"{mishap} {whose}"])
                ):
                    _print(result)


def _choose(trial: Trial, step: str, known: set[str]) -> Iterable[int]:
    """Return the writes of a trial that are disturbed; their kinds are known from then on."""
    if step.isdigit():
        return iterate_writes(trial.scene, int(step))
    if step == ENDS:
        return choose_ends(trial.kinds)
    chosen = choose_writes(trial.kinds, known)
    known.update(trial.kinds)
    return chosen


if __name__ == "__main__":
    folder, made, place, mishaps, step = sys.argv[1:6]
    main(Path(folder), Path(made), place, mishaps.split(","), step, *sys.argv[6:])
