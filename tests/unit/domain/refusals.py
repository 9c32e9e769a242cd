"""What is refused, with its messages as a user meets them, to compare with golden files."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.parsing import ExpressionError
from sopforge.language.domain.reading import read_brief
from tests.unit.domain.minimal_brief import BRIEF, SOURCE
from tests.worlds.small_models import changed

FAULTS = Path(__file__).parents[2] / "golden" / "faults"
"""The golden files, one for each list of what is refused."""


def list_faults(*briefs: Sequence[tuple[str, str]], base: str = BRIEF, source: str = SOURCE) -> str:
    """Return for each changed brief the lines that differ from its base, and all its faults."""
    texts = [changed(base, *changes) for changes in briefs]
    return list_faults_of(
        (describe_changes(base, text), partial(read_brief, text, source)) for text in texts
    )


def list_faults_of(models: Iterable[tuple[object, Callable[[], object]]]) -> str:
    """Return for each model what is said of it, and all faults with which it is refused."""
    blocks = []
    for said, build in models:
        with pytest.raises(MaterialError) as caught:
            build()
        blocks.append(f"{said}\n{caught.value}\n")
    return "\n".join(blocks)


def list_refused(texts: Iterable[str], read: Callable[[str], object]) -> str:
    """Return each expression with a mark at the column of its fault, the message and the hint."""
    blocks = []
    for text in texts:
        with pytest.raises(ExpressionError) as caught:
            read(text)
        found = caught.value
        hint = f"  hint: {found.hint}\n" if found.hint else ""
        blocks.append(f"{text}\n{'^':>{found.column}} {found.code}: {found}\n{hint}")
    return "\n".join(blocks)


def describe_changes(old: str, new: str) -> str:
    """Return the lines in which two briefs differ."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
