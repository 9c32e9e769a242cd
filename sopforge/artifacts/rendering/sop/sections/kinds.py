"""Kinds of cases in the SOP: what only the cases of one kind have, below a heading that says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.words import phrase_expression


def group_by_kind(
    model: DomainModel, items: Iterable[Field]
) -> Iterator[tuple[Statement, list[Field]]]:
    """Yield the fields of each kind with the line above them, which says when a case is of it.

    The word for cases of other kinds is left: nobody reads it below such a line.
    """
    listed = list(items)
    for kind in model.kinds:
        own = [item for item in listed if item.name in kind.fields]
        if own:
            when = phrase_expression(kind.when, model.fields)
            text = f"{kind.title} (only if {when}):"
            bare = [x if kind.may_lack(x) else replace(x, missing="") for x in own]
            yield Statement(Style.PARAGRAPH, text, (f"kind {kind.name}",)), bare
