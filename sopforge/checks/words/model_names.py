"""The names that a model decides with, as a text may write them: tools, fields, labels, codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from sopforge.checks.words.deciding_words import SMALL_WORDS, fold_text, is_english
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import Field
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import EnumType, SetType

_UNDERSCORE = re.compile(r"\w*[^\W_]_\w+")
_DISTINCTIVE = re.compile(r"\w[\s_-]+\w|\d|[^\W\d_][A-Z]")


def find_names(text: str, model: DomainModel) -> list[str]:
    """Return the names with underscores, and those of the model that no plain word is like.

    Fields, codes and labels that are looked at are known by several words, a digit, or capitals
    inside; in English, labels also by a capital where none would stand. What nothing reads, such as
    what levels put in, may have whatever labels a trade has.
    """
    checks = [check for tool in model.tools.values() for check in list_guard_checks(tool.guard)]
    read = collect_all_read_fields(collect_deciding_expressions(model))
    looked_at = [item for item in model.fields.values() if item.name in read]
    labels = list(_iterate_labels([*looked_at, *model.outcomes]))
    seen = _iterate_labels(item for item in looked_at if item not in model.outcomes)
    own = (*model.fields, *(check.refusal for check in checks), *seen)
    # Without their underscores names are plain words.
    known = [*model.tools, *filter(_DISTINCTIVE.search, own)]
    found = [*_UNDERSCORE.findall(text), *_find_mentions(text, (n for n in known if "_" not in n))]
    capital = [name for name in labels if name[:1].isupper()] if is_english(text) else []
    found += [*find_outcome_labels(text, model), *(n for n in capital if _is_inside(n, text))]
    return list(dict.fromkeys(found))


def find_outcome_labels(text: str, model: DomainModel) -> list[str]:
    """Return the labels of outcomes in a text, whatever their capitals and hyphens."""
    return _find_mentions(text, _iterate_labels(model.outcomes))


def _iterate_labels(fields: Iterable[Field]) -> Iterator[str]:
    for item in fields:
        for kind in (item.type, *(kind for _, kind in getattr(item.type, "fields", ()))):
            yield from kind.values if isinstance(kind, EnumType | SetType) else ()


def _find_mentions(text: str, names: Iterable[str]) -> list[str]:
    said = _join_words(text)
    # The country "NO" is no "no", and the answer "No" begins no sentence.
    return [
        name
        for name in dict.fromkeys(names)
        if (
            _is_inside(name, text)
            if name.isupper() or name.lower() in SMALL_WORDS
            else _join_words(name) in said
        )
    ]


@lru_cache(maxsize=4096)
def _join_words(text: str) -> str:
    return " ".join(["", *re.findall(r"[^\W_]+", fold_text(text)), ""])


def _is_inside(name: str, text: str) -> bool:
    """Return whether a name stands in a text as it is written, and not where a sentence begins."""
    return re.search(rf"(?<=[\w,;] ){re.escape(name)}(?!\w)", text) is not None
