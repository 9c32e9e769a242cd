"""From format 2 to 3: every domain has a seal, which holds the digests of what decides.

What was changed by hand before then cannot be known: each file is sealed as it is.
"""

from __future__ import annotations

from sopforge.store.objects import Objects
from sopforge.store.seals import SEAL, seal_domain, sealed_names

FORMAT = 3


def is_older(objects: Objects) -> bool:
    """Tell whether a domain has no seal."""
    return any(_unsealed(objects))


def write(objects: Objects) -> None:
    """Seal each domain that has no seal."""
    for domain in _unsealed(objects):
        with objects.locked(domain):
            seal_domain(objects, domain)


def drop(objects: Objects) -> None:
    """Drop nothing."""


def _unsealed(objects: Objects) -> list[str]:
    names = [name for name in objects.children("") if SEAL not in objects.children(name)]
    return [name for name in names if sealed_names(objects, name)]
