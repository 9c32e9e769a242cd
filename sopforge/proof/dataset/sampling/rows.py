"""The drawn rows of the tasks as a file: what a task's record holds, and what it does not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.sampling.candidates import Candidate, describe_case


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row with the id of its task, its key and its number."""

    id: str
    key: str
    number: int
    row: dict[str, Value | None]
    pair: str = ""


def write_rows(model: DomainModel, candidates: Iterable[Candidate]) -> str:
    """Return one JSON object per candidate: what identifies it, and its case."""
    lines = []
    for candidate in candidates:
        entry = {"id": candidate.id, "key": candidate.key, "number": candidate.number}
        entry |= describe_case(model, candidate.row)
        entry |= {"pair": candidate.pair} if candidate.pair else {}
        lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    return "".join(lines)


def read_rows(model: DomainModel, text: str) -> list[DrawnRow]:
    """Return the rows that ``write_rows`` wrote, of the fields that they hold."""
    found = []
    # Not splitlines, which also breaks at line ends that a cell may hold.
    for entry in map(json.loads, text.split("\n")[:-1]):
        row: dict[str, Value | None] = {
            name: model.fields[name].parse(cell) for name, cell in entry["cells"].items()
        }
        for entity in model.references:
            is_lacking = entity.name in entry["lacks"]
            row[entity.name] = None if is_lacking else 1
            for name in entity.fields:
                row.setdefault(name, None)
        for item in model.malformable:
            is_malformed = item.name in entry.get("malformed", ())
            row[name_malformed_mark(item.name)] = 1 if is_malformed else None
        found.append(
            DrawnRow(entry["id"], entry["key"], entry["number"], row, entry.get("pair", ""))
        )
    return found
