"""From format 2 to 3: domains have seals, and answers of language models hold their own digest.

What was changed by hand before then cannot be known: each file is sealed as it is.
"""

from __future__ import annotations

import json

from sopforge.store.digests import with_digest
from sopforge.store.objects import Objects, make_damage_error, read_text
from sopforge.store.sealing.seals import SEAL, list_sealed_names, seal_domain

FORMAT = 3
_ANSWERS = ".completions/"
_ANSWER_BEFORE, _ANSWER = 1, 2
"""Formats of an answer."""


def is_older(objects: Objects) -> bool:
    """Return whether a domain has no seal."""
    return any(_list_unsealed(objects))


def write(objects: Objects) -> None:
    """Seal each domain that has no seal, and each answer that holds no digest."""
    for domain in _list_unsealed(objects):
        with objects.hold_lock(domain):
            seal_domain(objects, domain)
    for name in objects.list_names(_ANSWERS):
        _seal_answer(objects, name)


def drop(objects: Objects) -> None:
    """Drop nothing."""


def _list_unsealed(objects: Objects) -> list[str]:
    names = [name for name in objects.list_children("") if SEAL not in objects.list_children(name)]
    return [name for name in names if list_sealed_names(objects, name)]


def _seal_answer(objects: Objects, name: str) -> None:
    try:
        entry = json.loads(read_text(objects, name))
    except ValueError as cause:
        hint = "restore the entry; or delete it, so that the question is asked again"
        raise make_damage_error(objects, name, str(cause), hint) from cause
    if isinstance(entry, dict) and entry.get("format") == _ANSWER_BEFORE:
        key = name.rpartition("/")[2].removesuffix(".json")
        sealed = with_digest({**entry, "format": _ANSWER, "key": key})
        text = json.dumps(sealed, indent=1, ensure_ascii=False) + "\n"
        objects.replace(name, text.encode())
