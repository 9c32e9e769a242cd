"""What judges files: all of them are compared with what the reference leaves on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.matching import Matching
from sopforge.harness.layers.writes.files import FileChange, Journal, read_journals
from sopforge.harness.layers.writes.rules import Act

FILED = "file"
"""The part that asks what all files hold at the end."""


@dataclass(frozen=True)
class FilingJudge:
    """Says whether the files of a session hold all that they should, in order, and no more.

    ``acts`` has the act of each tool, ``matchings`` how the values of results are compared, and
    ``right`` for each task the journals of the files that are to be changed.
    """

    acts: Mapping[str, Act]
    matchings: Mapping[str, Matching]
    right: Mapping[str, Mapping[str, Journal]]

    def judge(self, task: str, done: Done) -> Mapping[str, bool]:
        """Return whether all files are right, those of cases that nobody asked about included."""
        found, right = read_journals(self.acts, done.events), self.right[task]
        is_right = found.keys() == right.keys() and all(
            self._is_right(right[number], journal) for number, journal in found.items()
        )
        return {FILED: is_right}

    def is_settled(self, task: str) -> bool:  # noqa: ARG002 - protocol
        """Return no: the results have to be right, too."""
        return False

    def _is_right(self, right: Journal, found: Journal) -> bool:
        return len(right) == len(found) and all(
            self._is_same(one, other) for one, other in zip(right, found, strict=True)
        )

    def _is_same(self, right: FileChange, found: FileChange) -> bool:
        if right.act is not Act.ENTER or found.act is not Act.ENTER:
            return right == found
        (name, cell), (other, given) = right.values, found.values
        return name == other and self.matchings[name].fits(cell, given)
