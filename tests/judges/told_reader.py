"""A second reader of texts that carry facts: by the sentences of the brief's YAML alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml


def load_fields(text: str) -> dict[str, dict[str, Any]]:
    """Return the fields of a brief's case as the YAML has them, with texts for all scalars."""
    whole = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts, lists and maps
    found: dict[str, dict[str, Any]] = next(iter(whole["model"]["entities"].values()))["fields"]
    return found


def read_texts(fields: Mapping[str, Any], inputs: Mapping[str, str]) -> dict[str, str]:
    """Return each fact that the texts of a task carry, as a cell; every sentence must be known."""
    found: dict[str, str] = {}
    for name, item in fields.items():
        if "tells" in item:
            told = _read_text(fields, item, inputs[name])
            assert not told.keys() & found.keys()
            found |= told
    return found


def _read_text(fields: Mapping[str, Any], text: Mapping[str, Any], cell: str) -> dict[str, str]:
    rest = cell
    for around in text["free_text"]:
        rest = rest.replace(around["text"] if isinstance(around, dict) else around, "")
    found: dict[str, str] = {}
    for name in text["tells"]:
        matches = [m for m in _iterate_told(fields[name]["told"]) if re.search(m[0], rest)]
        assert len(matches) == 1 or (not matches and "missing" in fields[name]), (name, cell)
        for shape, value in matches:
            match = re.search(shape, rest)
            assert match
            found[name] = value or match[1]
            rest = rest.replace(match[0], "")
        if not matches:
            found[name] = fields[name]["missing"]
    assert not rest.strip(), cell
    return found


def _iterate_told(told: Mapping[str, list[str]] | list[str]) -> Iterator[tuple[str, str]]:
    """Yield a pattern of each sentence, and the value that it tells if it names none."""
    if isinstance(told, list):
        for sentence in told:
            before, after = sentence.split("{}")
            # A unit may follow the value: it is a word, and no figure has letters.
            yield rf"{re.escape(before)}([-0-9.:]+)(?: [a-z]+)?{re.escape(after)}", ""
        return
    for value, sentences in told.items():
        yield from ((re.escape(sentence), value) for sentence in sentences)
