"""The texts in which people send a case: each names every input of the case once."""

from __future__ import annotations

import re
from collections.abc import Mapping

SLOT = re.compile(r"\{(\w+)\}")
"""Where a text of a request has an input."""


def add_slots(text: str, labels: Mapping[str, str]) -> str:
    r"""Return a text with those of some inputs below it that it does not name.

    >>> add_slots("Check {order}.", {"order": "order", "urgent": "urgency"})
    'Check {order}.\nUrgency: {urgent}'
    """
    named = set(SLOT.findall(text))
    further = [
        f"\n{label[:1].upper()}{label[1:]}: {{{name}}}"
        for name, label in labels.items()
        if name not in named
    ]
    return "".join([text.strip(), *further])
