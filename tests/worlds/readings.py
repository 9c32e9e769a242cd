"""Pairs of readings of one brief: one as it is shipped, the other in other words, changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief, read_domain
from sopforge.proof.comparing.aligning.alignment import Alignment, read_alignment
from sopforge.proof.comparing.comparison import Comparison, compare_readings
from tests.worlds.renamed_briefs import rename_brief

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "unit" / "comparing" / "fixtures"


@dataclass(frozen=True)
class Pair:
    """Two models and what each calls the same."""

    ours: DomainModel
    theirs: DomainModel
    alignment: Alignment

    def compare(self, count: int = 2_000) -> Comparison:
        """Return what the two decide otherwise."""
        return compare_readings(self.ours, self.theirs, self.alignment, count=count)


def read_model(text: str, source: str) -> DomainModel:
    """Return the model of a brief or of a domain document."""
    return read_brief(text, source).model if "task_context:" in text else read_domain(text, source)


def renamed_pair(file: str, *changes: tuple[str, str]) -> Pair:
    """Return a shipped model and the same in other words, with old texts changed to new ones."""
    text = (ROOT / file).read_text(encoding="utf-8")
    ours = read_model(text, file)
    for old, new in changes:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    renamed = rename_brief(text)
    columns = [item for item in ours.fields.values() if item.table]
    paths = [item.path for item in columns if item.path]
    names = renamed.write_alignment(paths)
    theirs = read_model(renamed.text, "renamed.yaml")
    return Pair(ours, theirs, read_alignment(names, "names.yaml", ours, theirs))


def bicycle_pair(*changes: tuple[str, str]) -> Pair:
    """Return the two readings of the brief on bicycles, the second one with changes."""
    ours = read_domain((FIXTURES / "by_dates.yaml").read_text("utf-8"), "by_dates.yaml")
    text = (FIXTURES / "by_days.yaml").read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    theirs = read_domain(text, "by_days.yaml")
    names = (FIXTURES / "names.yaml").read_text("utf-8")
    return Pair(ours, theirs, read_alignment(names, "names.yaml", ours, theirs))
