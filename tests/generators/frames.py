"""Frames that tasks of domains with tables begin with: a case, and a few records of each table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

from tests.generators.table_parts import LETTERS, Document
from tests.judges.reference_interpreter import Natural
from tests.judges.reference_tables import Frame, Record


def make_frames(document: Document, count: int, seed: object) -> list[Frame]:
    """Return frames with two or three records in each table."""
    random = Random(f"frames {seed}")  # noqa: S311 - no secret
    return [_make_frame(document["model"]["entities"], random, turn) for turn in range(count)]


def _make_frame(entities: Mapping[str, Any], random: Random, turn: int) -> Frame:
    case, *names = entities
    keys = {
        name: [f"{LETTERS[name]}000{place}" for place in range(random.choice([2, 2, 3]))]
        for name in names
    }
    tables = {
        name: {
            key: {
                column: key if column == entities[name]["key"] else _draw(item, keys, random)
                for column, item in entities[name]["fields"].items()
            }
            for key in keys[name]
        }
        for name in names
    }
    own: Record = {
        name: _draw(item, keys, random)
        for name, item in entities[case]["fields"].items()
        if item["role"] == "input"
    }
    return Frame({**own, "request_id": f"Q{turn:06}"}, tables)


def _draw(item: Mapping[str, Any], keys: Mapping[str, list[str]], random: Random) -> Natural | None:
    if item.get("missing") and random.random() < 0.25:
        return None
    if item["type"] == "reference":
        if item.get("dangling_share") and random.random() < 0.15:
            return f"{LETTERS[item['to']]}99{random.randint(10, 11)}"
        return random.choice(keys[item["to"]])
    if item["type"] == "integer":
        return Fraction(random.randint(item["min"], item["max"]))
    if item["type"] == "boolean":
        return random.random() < 0.5
    return str(random.choice(item.get("values", ["W0", "W1"])))
