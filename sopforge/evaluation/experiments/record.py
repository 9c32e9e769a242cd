"""The record of an experiment in its folder: all that it takes to repeat it, and what came out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sopforge.errors import Fault, MaterialError
from sopforge.store.backends.atomic_files import read_text, replace_file
from sopforge.untrusted.content import refuse_unreadable

RECORD = "experiment.json"
_SETTLED = ("design", "branching", "source", "doses", "branches")
"""What a folder is for; more tasks or other agents go on in it."""


def refuse_other_experiment(out: Path, wanted: Mapping[str, Any]) -> None:
    """Raise where another experiment has its record in the folder.

    Raises:
        MaterialError: it has, or its record cannot be read.
    """
    file = out / RECORD
    if not file.exists():
        return
    with refuse_unreadable(RECORD, str(file)):
        kept = json.loads(read_text(file))
        other = [name for name in _SETTLED if kept[name] != wanted[name]]
    if other:
        message = f"the folder contains another experiment: its {' and '.join(other)} differ"
        hint = "name another folder with --out"
        raise MaterialError(Fault("experiment-differs", message, str(file), hint))


def save_record(out: Path, record: Mapping[str, Any]) -> None:
    """Write the record in the place of an older one."""
    replace_file(out / RECORD, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
