"""The names that a model decides with, as a text may write them: tools, fields, labels, codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from sopforge.checks.words.deciding_words import fold_text
from sopforge.domain.fields import Field
from sopforge.domain.guards import list_guard_checks
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType, SetType

_JOINED = re.compile(r"[\s_-]+")
_UNDERSCORE = re.compile(r"\w*[^\W_]_\w+")
_DISTINCTIVE = re.compile(r"\w[\s_-]+\w|\d|[^\W\d_][A-Z]")


def find_names(text: str, model: DomainModel) -> list[str]:
    """Return the names with underscores, and those of tools and fields that no word is like."""
    distinctive = [
        name for name in (*model.fields, *_iterate_codes(model)) if _DISTINCTIVE.search(name)
    ]
    # Without their underscores names are plain words.
    known = _find_mentions(text, (name for name in (*model.tools, *distinctive) if "_" not in name))
    return list(dict.fromkeys([*_UNDERSCORE.findall(text), *known]))


def find_outcome_labels(text: str, model: DomainModel) -> list[str]:
    """Return the labels of outcomes in a text, whatever their capitals and hyphens.

    A label of one plain word by which the model calls a thing that is looked at is a word of the
    trade: 'calibration' where a record says whether there is one.
    """
    things = " ".join(
        fold_text(f"{item.label} {item.description}")
        for item in model.fields.values()
        if item not in model.outcomes
    )
    labels = (
        label
        for label in _iterate_labels(model.outcomes)
        if _DISTINCTIVE.search(label)
        or label != label.lower()
        or not _build_name_pattern(label).search(things)
    )
    return _find_mentions(text, labels)


def find_distinctive_labels(text: str, model: DomainModel) -> list[str]:
    """Return the labels of fields in a text that no plain word of the trade is like.

    They have several words, a digit, or capitals inside.
    """
    labels = _iterate_labels(item for item in model.fields.values() if item not in model.outcomes)
    return _find_mentions(text, (label for label in labels if _DISTINCTIVE.search(label)))


def find_capital_labels(text: str, model: DomainModel) -> list[str]:
    """Return the labels of one word in a text that have a capital where none would stand."""
    labels = [label for label in _iterate_labels(model.fields.values()) if label[:1].isupper()]
    return [label for label in labels if re.search(rf"(?<=[\w,;] ){re.escape(label)}(?!\w)", text)]


def _iterate_labels(fields: Iterable[Field]) -> Iterator[str]:
    for item in fields:
        kinds = (item.type, *(kind for _, kind in getattr(item.type, "fields", ())))
        for kind in kinds:
            yield from kind.values if isinstance(kind, EnumType | SetType) else ()


def _iterate_codes(model: DomainModel) -> Iterator[str]:
    for tool in model.tools.values():
        yield from (check.refusal for check in list_guard_checks(tool.guard))


def _find_mentions(text: str, names: Iterable[str]) -> list[str]:
    plain = fold_text(text).replace("_", " ")
    return [name for name in dict.fromkeys(names) if _build_name_pattern(name).search(plain)]


@lru_cache(maxsize=4096)
def _build_name_pattern(name: str) -> re.Pattern[str]:
    """Return how a folded text may write a name."""
    words = [re.escape(word) for word in _JOINED.split(fold_text(name)) if word]
    return re.compile(rf"(?<!\w){' '.join(words)}(?!\w)" if words else r"(?!)")
