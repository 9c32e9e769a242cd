"""The texts in which people send a case: each names every input of the case once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sopforge.domain.fields import Field

SLOT = re.compile(r"\{(\w+)\}")
"""Where a text of a request has an input."""


def add_slots(text: str, items: Iterable[Field]) -> str:
    """Return a text with those of some inputs below it that it does not name."""
    named = set(SLOT.findall(text))
    further = [
        f"\n{item.label[:1].upper()}{item.label[1:]}: {{{item.name}}}"
        for item in items
        if item.name not in named
    ]
    return "".join([text.strip(), *further])
