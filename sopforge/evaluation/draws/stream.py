"""The stream: a folder of sets, with as many tasks as were asked for in one file of lines.

The folder keeps the seed, so that a draw that was broken off, or one of which more is wanted, goes
on where it ended.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import get_args

from sopforge.errors import Fault, MaterialError, describe_system_error
from sopforge.evaluation.draws.lines import iterate_lines
from sopforge.evaluation.draws.sets import PACKAGES, Drawing, iterate_sets
from sopforge.evaluation.experiments.sources import read_source
from sopforge.language.domain.documents.schema import Level
from sopforge.seeds import LARGEST
from sopforge.store.backends.atomic_files import make_folder, replace_file
from sopforge.untrusted.content import refuse_unreadable

DRAWING, LINES = "draw.json", "tasks.jsonl"


@dataclass(frozen=True, slots=True)
class Drawn:
    """Folders of sets with the tasks that were asked for, and ``beyond`` them some in the last."""

    sets: tuple[Path, ...]
    lines: Path
    beyond: int


def draw_tasks(folder: Path, count: int, seed: int | None, level: str, out: Path) -> Drawn:
    """Draw tasks of the plain package in a folder, set by set, and write them as lines.

    The same seed gives the same tasks, and more of them begin with those of fewer. Without one, it
    is that of the draw in ``out``, or else secret.

    Raises:
        MaterialError: the level is none, ``out`` holds another draw, or a set cannot be drawn.
        PackageUnreadableError: the package is not plain, or lacks its grader's side.
    """
    chosen, source = _parse_level(level), read_source(folder)
    drawing = Drawing(folder, source, _settle_seed(out, source.digest, level, seed), chosen)
    sets: list[Path] = []
    lines: list[str] = []
    try:
        for drawn in iterate_sets(drawing, out):
            sets.append(drawn.folder)
            lines += iterate_lines(drawn)
            if len(lines) >= count:
                break
    finally:
        # Where a set cannot be drawn, those before it are of use all the same.
        if lines:
            replace_file(out / LINES, "".join(islice(lines, count)))
    return Drawn(tuple(sets), out / LINES, len(lines) - count)


def _parse_level(text: str) -> Level:
    known: tuple[Level, ...] = get_args(Level)
    for level in known:
        if level == text:
            return level
    hint = f"choose one of {', '.join(known)}"
    raise MaterialError(Fault("level-unknown", f"'{text}' is not a level", "--level", hint))


def _settle_seed(out: Path, digest: str, level: str, seed: int | None) -> int:
    """Return the seed of the draw in a folder, which is begun where there is none.

    Raises:
        MaterialError: the folder holds another draw, or cannot be used.
    """
    place = out / DRAWING
    # A draw of which nothing could be drawn binds nobody.
    if place.is_file() and (out / PACKAGES).is_dir():
        with refuse_unreadable(DRAWING, str(place)):
            said = json.loads(place.read_text("utf-8"))
            kept = int(said["seed"])
        wanted = {"source": digest, "level": level, "seed": kept if seed is None else seed}
        if said != wanted:
            message = "the folder contains a draw of another package, level or seed"
            raise MaterialError(Fault("draw-of-another", message, str(out), "name another folder"))
        return kept
    # Not from the streams of seeds.py: whoever has the package could draw the same tasks.
    chosen = secrets.randbelow(LARGEST) if seed is None else seed
    try:
        make_folder(out)
        said = {"source": digest, "level": level, "seed": chosen}
        replace_file(place, json.dumps(said, indent=1) + "\n")
    except OSError as cause:
        message, hint = describe_system_error(cause, "folder with --out")
        raise MaterialError(Fault("run-folder-unusable", message, str(out), hint)) from cause
    return chosen
