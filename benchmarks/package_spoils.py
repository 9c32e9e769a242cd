"""Spoils of a package: one place of one file changed once, to something near."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from random import Random

import pyarrow as pa
from pyarrow import parquet

from benchmarks.package_places import DIGESTS, FLAGS, RELATIONS, WORDS, Place, places_of
from sopforge.artifacts.packaging.checksums import render_checksums
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.rules import Table

CROISSANT = "croissant.json"
LONGEST = 60
"""Of a text that another of the same kind can stand for."""


@dataclass(frozen=True, slots=True)
class Spoil:
    """A file of a package with one place of it changed; ``change`` says what became what."""

    file: str
    kind: str
    change: str
    content: bytes


def draw_spoils(
    files: Mapping[str, bytes], names: Sequence[str], most: int, seed: int = 0
) -> list[Spoil]:
    """Return at most so many spoils of each file and kind; ``names`` are those of the domain."""
    found: list[Spoil] = []
    for file, content in sorted(files.items()):
        if file.endswith(".parquet"):
            found += _of_table(file, content, most, _random(seed, file))
        else:
            found += _of_text(file, content.decode(), names, most, seed)
    return found


def _of_text(file: str, text: str, names: Sequence[str], most: int, seed: int) -> Iterator[Spoil]:
    by_kind: defaultdict[str, list[Place]] = defaultdict(list)
    for place in places_of(file, text, names):
        by_kind[place.kind].append(place)
    for kind, places in sorted(by_kind.items()):
        random = _random(seed, file, kind)
        peers = sorted({text[place.start : place.end] for place in places})
        for place in random.sample(places, min(most, len(places))):
            old = text[place.start : place.end]
            new = changed(kind, old, peers, random)
            if new != old:
                line = text.count("\n", 0, place.start) + 1
                whole = text[: place.start] + new + text[place.end :]
                if file.endswith(".py") and not _is_python(whole):
                    continue  # anyone would notice
                yield Spoil(
                    file, kind, f"line {line}: {old[:90]!r} is {new[:90]!r}", whole.encode()
                )


def _random(*key: str | int) -> Random:
    return Random("/".join(map(str, key)))  # noqa: S311 - draws a sample


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def changed(kind: str, old: str, peers: Sequence[str], random: Random) -> str:
    """Return something near: the next number, another of its peers, or one letter changed."""
    match kind:
        case "number":
            return _next_number(old)
        case "flag":
            return FLAGS[old]
        case "word":
            return WORDS[old]
        case "relation":
            return RELATIONS[old]
        case _:
            others = [peer for peer in peers if peer != old and len(peer) < LONGEST]
            if others and len(old) < LONGEST and random.getrandbits(1):
                return random.choice(others)
            return _misspelt(old, random)


def _next_number(text: str) -> str:
    """Return the number that is greater by one in its last place."""
    digits = text.replace(".", "").replace("-", "")
    sign = -1 if text.startswith("-") else 1
    places = len(text.partition(".")[2])
    value = sign * int(digits) + 1
    if not places:
        return str(value).rjust(len(digits), "0") if value >= 0 else str(value)
    whole = str(abs(value)).rjust(places + 1, "0")
    return f"{'-' * (value < 0)}{whole[:-places]}.{whole[-places:]}"


def _misspelt(text: str, random: Random) -> str:
    """Return a text with one letter or digit changed; one without any gets one."""
    spots = [
        place
        for place, letter in enumerate(text)
        if letter.isalnum() and text[place - 1 : place] != "\\"
    ]
    if not spots:
        return f"{text[:1]}x{text[1:]}"
    spot = random.choice(spots)
    letter = text[spot]
    if letter.isdigit():
        other = str((int(letter) + 1) % 10)
    else:
        other = "a" if letter.lower() == "z" else chr(ord(letter) + 1)
    return f"{text[:spot]}{other}{text[spot + 1 :]}"


def _of_table(file: str, content: bytes, most: int, random: Random) -> Iterator[Spoil]:
    """Return the table with one cell or one column's name changed."""
    table = parquet.read_table(BytesIO(content))
    rows = table.to_pylist()
    names = table.column_names
    places = [(row, name) for row in range(len(rows)) for name in names]
    for row, name in random.sample(places, min(most, len(places))):
        edited = [dict(item) for item in rows]
        edited[row][name] = _other_cell(edited[row][name], random)
        change = f"row {row}, {name}: {edited[row][name]!r}"[:120]
        yield Spoil(file, "label", change, _written(pa.Table.from_pylist(edited, table.schema)))
    for place, name in list(enumerate(names))[:most]:
        renamed = [*names[:place], _misspelt(name, random), *names[place + 1 :]]
        yield Spoil(file, "key", f"column {name}", _written(table.rename_columns(renamed)))


def _other_cell(cell: object, random: Random) -> object:
    match cell:
        case str():
            return _misspelt(cell, random)
        case list():
            return [*cell[:-1], _misspelt(str(cell[-1]), random)]
        case dict():
            name = random.choice(sorted(cell))
            return {**cell, name: _misspelt(str(cell[name]), random)}
        case _:
            return "x"


def _written(table: pa.Table) -> bytes:
    buffer = BytesIO()
    parquet.write_table(
        table,
        buffer,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        store_schema=False,
    )
    return buffer.getvalue()


def refreshed(files: Mapping[str, bytes], changed: str) -> dict[str, bytes]:
    """Return files with the digests that others keep of the changed one made anew."""
    found = dict(files)
    if changed not in {CROISSANT, DIGESTS}:
        described = json.loads(found[CROISSANT])
        for entry in described["distribution"]:
            if entry["name"] == changed:
                entry["sha256"] = sha256(found[changed]).hexdigest()
                entry["contentSize"] = f"{len(found[changed])} B"
        found[CROISSANT] = (json.dumps(described, indent=2, ensure_ascii=False) + "\n").encode()
    if changed != DIGESTS:
        rest = {name: content for name, content in found.items() if name != DIGESTS}
        found[DIGESTS] = render_checksums(rest).encode()
    return found


def names_of(files: Mapping[str, bytes]) -> list[str]:
    """Return what a package gives names to: fields, tools, steps, rules, limits, tasks."""
    model = read_domain(files["grader/domain.yaml"].decode(), "domain.yaml")
    rules = [
        rule.id
        for decision in model.decisions.values()
        if isinstance(decision, Table)
        for rule in decision.rules
    ]
    tasks = re.findall(r'"task_id": "([^"]+)"', files["grader/tasks.jsonl"].decode())
    named = (model.fields, model.tools, model.steps, model.policy, model.entities)
    return sorted({name for part in named for name in part} | {*rules, *tasks} - {""})
