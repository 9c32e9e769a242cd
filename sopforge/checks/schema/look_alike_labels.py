"""Schema: labels that are different values look different to people, too."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import TypeAlias

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.building.labels import labels_of
from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import Compare, Read, in_order
from sopforge.domain.model import DomainModel, deciding_expressions
from sopforge.domain.values.types import BooleanType, EnumType, ListType
from sopforge.findings import Finding, warning
from sopforge.workspace import DOMAIN, Workspace

Labels: TypeAlias = Sequence[str]
_FOLDS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "case": str.casefold,
        "how letters are composed": lambda text: unicodedata.normalize("NFKC", text),
        "whitespace": lambda text: "".join(text.split()),
    }
)
"""What two labels may differ in although they look alike, and how that is folded away."""


class LookAlikeLabels:
    """No two labels of a field, or of fields that are compared, differ in looks alone."""

    name = "look-alike-labels"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        within = [found for item in model.fields.values() for found in _within(item)]
        return [*within, *_between(model)]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Give a field a second label that is the first one in capitals."""
        labelled = next(item for item in workspace.model.inputs if isinstance(item.type, EnumType))

        def shout(document: Parsed) -> None:
            field = next(iter(document["model"]["entities"].values()))["fields"][labelled.name]
            field["values"].append(field["values"][0].upper())
            for draw in ("weights", "given"):
                field.pop(draw, None)

        return edit_yaml(workspace, DOMAIN, shout)


def look_alike(first: str, second: str) -> str:
    """Say in what alone two different labels differ, "" where they differ in a letter.

    >>> look_alike("Sent back", "sent  back")
    'case and whitespace'
    >>> look_alike("paid", "said")
    ''
    """
    if first == second or _folded(first, _FOLDS) != _folded(second, _FOLDS):
        return ""
    # The last ones are tried first: folding the case of a letter may compose it anew.
    ways = (names for size in (1, 2, 3) for names in combinations(tuple(_FOLDS)[::-1], size))
    found = next(names for names in ways if _folded(first, names) == _folded(second, names))
    return " and ".join(name for name in _FOLDS if name in found)


def _folded(text: str, names: Iterable[str]) -> str:
    # What is small may be composed otherwise than its capital.
    for name in (*names, *names):
        text = _FOLDS[name](text)
    return text


def _within(item: Field) -> Iterator[Finding]:
    groups = {item.name: _labels(item)}
    if isinstance(item.type, ListType):
        groups |= {f"{item.name}.{name}": labels_of(kind) for name, kind in item.type.fields}
    for name, labels in groups.items():
        for first, second in combinations(dict.fromkeys(labels), 2):
            how = look_alike(first, second)
            if how:
                yield warning(
                    "look-alike-labels",
                    f"'{first}' and '{second}' of '{name}' differ in {how} only",
                    where=f"fields.{item.name}",
                    evidence=_spelt(first, second),
                    hint=f"rename one of them at '{name}', so that it differs in a letter",
                )


def _between(model: DomainModel) -> Iterator[Finding]:
    """Report labels of fields that are compared: such never count as equal."""
    for name, other in _compared(model):
        known = set(labels_of(model.fields[other].type))
        for second in labels_of(model.fields[name].type):
            for first in sorted(known):
                how = look_alike(first, second)
                if how and second not in known:
                    yield warning(
                        "look-alike-labels",
                        f"'{first}' of '{other}' and '{second}' of '{name}' are compared, and"
                        f" differ in {how} only",
                        where=f"fields.{name}",
                        evidence=_spelt(first, second),
                        hint=f"write '{first}' at '{name}', too, or rename one of them",
                    )


def _compared(model: DomainModel) -> Iterable[tuple[str, str]]:
    """Return the pairs of fields that some expression compares, the later one first."""
    order = list(model.fields)
    pairs: dict[tuple[str, str], None] = {}
    for node in in_order([*deciding_expressions(model), *model.constraints]):
        match node:
            case Compare(left=Read(field=left), right=Read(field=right)) if left != right:
                earlier, later = sorted((left, right), key=order.index)
                pairs[later, earlier] = None
            case _:
                pass
    return pairs


def _labels(item: Field) -> Labels:
    labels = () if isinstance(item.type, BooleanType) else labels_of(item.type)
    return (*labels, *([item.missing] if item.missing else []))


def _spelt(first: str, second: str) -> str:
    """Return labels with their letters as numbers, where people could not tell them apart."""
    is_plain = first.isascii() and second.isascii()
    return "" if is_plain else f"{first!a} and {second!a}"


CHECK = LookAlikeLabels()
