"""The places of findings, such as ``decisions.refund, rule R2``, found again in a brief.

A finding is stored and must not name a file of somebody's machine; whoever shows it adds the
brief's file and line.
"""

from __future__ import annotations

from typing import get_args

from sopforge.language.domain.documents.schema import Level
from sopforge.language.domain.documents.yaml_documents import Document, Path, Plain


def locate_place(document: Document, where: str) -> str:
    """Return the place after the file and line where the brief has it, else as it is."""
    path = _parse_place(document, where)
    return f"{document.source}:{document.find_line(path)}, {where}" if path else where


def find_line(document: Document, where: str) -> int:
    """Return the line of a place, 0 for one that the document does not have."""
    path = _parse_place(document, where)
    return document.find_line(path) if path else 0


def _parse_place(document: Document, where: str) -> Path:
    head, *marks = where.split(", ")
    # A finding of a level names the level first; a brief has each part once for all levels.
    while marks and head in get_args(Level):
        head, *marks = marks
    path = _find_path(document, head)
    for mark in marks:
        path = path and _find_marked(document, path, mark)
    return path


def _find_path(document: Document, dotted: str) -> Path:
    """Return where a place stands in the document, nothing if it is none of its parts."""
    match dotted.split("."):
        case ["fields", name]:
            entities = _list_entities(document)
            tried: list[Path] = [("model", "entities", part, "fields", name) for part in entities]
        case ["procedure", "edges", step, number] if number.isdigit():
            tried = [(*path, "edges", int(number) - 1) for path in _list_step_paths(document, step)]
        case ["procedure", "steps", step]:
            tried = _list_step_paths(document, step)
        case parts:
            path: Path = tuple(int(part) if part.isdigit() else part for part in parts)
            tried = [("model", *path), path]
    return next((path for path in tried if path in document.lines), ())


def _list_step_paths(document: Document, step: str) -> list[Path]:
    """Return where a step may stand: in the main procedure, or in one of its parts."""
    parts = _get_value_at(document.value, ("model", "procedure", "parts"))
    names = list(parts) if isinstance(parts, dict) else []
    procedure: Path = ("model", "procedure")
    return [
        (*procedure, "steps", step),
        *((*procedure, "parts", name, "steps", step) for name in names),
    ]


def _list_entities(document: Document) -> list[str]:
    entities = _get_value_at(document.value, ("model", "entities"))
    return list(entities) if isinstance(entities, dict) else []


def _find_marked(document: Document, path: Path, mark: str) -> Path:
    """Return where the rule or the guard of an id stands below a decision or a tool."""
    wanted = mark.partition(" ")[2]
    below = [key for key in document.lines if key[: len(path)] == path and key[-1] == "id"]
    found = [key[:-1] for key in below if _get_value_at(document.value, key) == wanted]
    return found[0] if found else path


def _get_value_at(value: Plain, path: Path) -> Plain:
    for part in path:
        if isinstance(value, dict) and isinstance(part, str):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int):
            value = value[part]
        else:
            return None
    return value
