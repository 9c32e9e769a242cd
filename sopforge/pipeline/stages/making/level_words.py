"""What was added to the plain level's API and toolspecs, kept at levels with further tools."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from sopforge.artifacts.rendering.api.summaries import WHOLE, add_summaries, read_summaries
from sopforge.artifacts.rendering.api.toolspecs import render_toolspecs


def keep_summaries(derived: str, plain_api: str, same: Collection[str]) -> str:
    """Return the API of a level with the plain summaries of the whole and of the same tools."""
    found = read_summaries(plain_api).items()
    return add_summaries(derived, {name: text for name, text in found if name in {WHOLE, *same}})


def keep_specs(derived: str, plain_specs: str, plain_api: str, same: Collection[str]) -> str:
    """Return the toolspecs of a level with the plain ones of the same tools.

    Only what somebody changed is taken over: what was derived already is derived again.
    """
    own = _parse_specs(render_toolspecs(plain_api))
    kept = {
        name: spec
        for name, spec in _parse_specs(plain_specs).items()
        if name in same and spec != own.get(name)
    }
    specs = [kept.get(name, spec) for name, spec in _parse_specs(derived).items()]
    return json.dumps(specs, indent=2, ensure_ascii=False) + "\n" if kept else derived


def _parse_specs(text: str) -> dict[str, Any]:
    return {entry["toolSpec"]["name"]: entry for entry in json.loads(text)}
