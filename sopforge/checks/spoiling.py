"""How checks damage sound artifacts: one edit of a document or of a text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.workspace import Workspace

Parsed: TypeAlias = Any
"""A parsed JSON or YAML document, whose shape the check itself examines."""


def edit_yaml(workspace: Workspace, file: str, edit: Callable[[Parsed], object]) -> Workspace:
    """Return the workspace with one YAML file edited in place."""
    value = read_document(workspace.files[file], file).value
    edit(value)
    return workspace.with_files({file: write_document(value)})


def edit_json(workspace: Workspace, file: str, edit: Callable[[Parsed], object]) -> Workspace:
    """Return the workspace with one JSON file edited in place."""
    value = json.loads(workspace.files[file])
    edit(value)
    return workspace.with_files({file: json.dumps(value, indent=2, ensure_ascii=False) + "\n"})


def edit_first_entry(
    workspace: Workspace, file: str, edit: Callable[[Parsed], object]
) -> Workspace:
    """Return the workspace with the first entry of a JSON lines file edited in place."""
    first, rest = workspace.files[file].split("\n", 1)
    value = json.loads(first)
    edit(value)
    text = json.dumps(value, ensure_ascii=False) + "\n" + rest
    return workspace.with_files({file: text})


def edit_text(workspace: Workspace, file: str, old: str, new: str) -> Workspace:
    """Return the workspace with the first ``old`` of a file turned into ``new``."""
    text = workspace.files[file]
    if old not in text:
        raise ValueError(f"{file} does not hold {old!r}")
    return workspace.with_files({file: text.replace(old, new, 1)})
