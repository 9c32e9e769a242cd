"""Which writes of a command are disturbed: some of each kind, where not all of them are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from tests.disturbing.scenes import Scene

KINDS, ENDS = "kinds", "ends"
# Of what is written, all but the names of things of which there are several, which are alike.
_ALIKE: Mapping[re.Pattern[str], str] = {
    re.compile(r"\.new-[^/]+/?.*$|\.[^/]*\.lock.*$"): ".",
    re.compile(r"/stages/[a-z]+"): "/stages/*",
    re.compile(r"/files/.*$"): "/files/*",
    re.compile(r"(/releases/[0-9.]+/refund)[^/]*/.*$"): r"\1/*",
    re.compile(r"[0-9]+"): "0",
}


def name_kind(event: str, path: str, store: str) -> str:
    """Return of what kind a write is: what is done, and to which file of a store.

    >>> name_kind("PUT", "/sops/one/refund/stages/sop/0001/files/sop.txt", "one")
    'PUT /refund/stages/*/0/files/*'
    >>> name_kind("os.link", "/tmp/stores/one/refund/.new-x7/a", "one")
    'os.link /refund/.'
    """
    kind = path.partition(f"/{store}")[2]
    for alike, name in _ALIKE.items():
        kind = alike.sub(name, kind)
    return f"{event} {kind}"


def choose_writes(kinds: Sequence[str], known: set[str]) -> list[int]:
    """Return the first and the last write of each kind that is not known, and one at least.

    >>> choose_writes(["lock", "file", "file", "file", "unlock"], {"lock", "unlock"})
    [1, 3]
    >>> choose_writes(["lock", "unlock"], {"lock", "unlock"})
    [1]
    """
    last = {kind: place for place, kind in enumerate(kinds)}
    first = {kind: place for place, kind in reversed(list(enumerate(kinds)))}
    found = {place for ends in (first, last) for kind, place in ends.items() if kind not in known}
    return sorted(found) or [len(kinds) // 2]


def choose_ends(kinds: Sequence[str]) -> list[int]:
    """Return the first write, the one in the middle, and the last.

    >>> choose_ends(["lock", "seal", "decision", "seal", "unlock"])
    [0, 2, 4]
    """
    return sorted({0, len(kinds) // 2, len(kinds) - 1})


def iterate_writes(scene: Scene, step: int) -> Iterator[int]:
    """Yield the writes of a scene without end: every ``step``-th of a long one."""
    return count(step // 6, step) if scene.is_long else count()
