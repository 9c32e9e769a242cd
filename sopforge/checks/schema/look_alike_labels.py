"""Schema: labels that are different values look different to people, too."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import TypeAlias

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.building.field_parts.labels import list_labels
from sopforge.language.domain.expressions.expressions import Compare, Read, list_ordered_parts
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import BooleanType, EnumType, ListType
from sopforge.workspace import DOMAIN, Workspace

Labels: TypeAlias = Sequence[str]
_FOLDS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "case": str.casefold,
        "the form of letters": lambda text: unicodedata.normalize("NFKC", text),
        "whitespace": lambda text: "".join(text.split()),
    }
)
"""What two labels may differ in although they look alike, and how that is folded away."""


class LookAlikeLabels:
    """No two labels of a field, or of two fields that a rule compares, look the same."""

    name = "look-alike-labels"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        within = [found for item in model.fields.values() for found in _check_field_labels(item)]
        return [*within, *_check_compared_fields(model)]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Give a field a second label that is the first one in capitals."""
        labelled = next(item for item in workspace.model.inputs if isinstance(item.type, EnumType))

        def shout(document: Parsed) -> None:
            field = next(iter(document["model"]["entities"].values()))["fields"][labelled.name]
            field["values"].append(field["values"][0].upper())
            for draw in ("weights", "given"):
                field.pop(draw, None)

        return edit_yaml(workspace, DOMAIN, shout)


def describe_only_difference(first: str, second: str) -> str:
    """Say in what alone two different labels differ, "" where they differ in a letter.

    >>> describe_only_difference("Sent back", "sent  back")
    'case and whitespace'
    >>> describe_only_difference("paid", "said")
    ''
    """
    if first == second or _fold_text(first, _FOLDS) != _fold_text(second, _FOLDS):
        return ""
    # The last ones are tried first: folding the case of a letter may compose it anew.
    choices = (names for size in (1, 2, 3) for names in combinations(tuple(_FOLDS)[::-1], size))
    found = next(
        names for names in choices if _fold_text(first, names) == _fold_text(second, names)
    )
    return " and ".join(name for name in _FOLDS if name in found)


def _fold_text(text: str, names: Iterable[str]) -> str:
    # A small letter may be composed differently from its capital.
    for name in (*names, *names):
        text = _FOLDS[name](text)
    return text


def _check_field_labels(item: Field) -> Iterator[Finding]:
    groups = {item.name: _list_labels(item)}
    if isinstance(item.type, ListType):
        groups |= {f"{item.name}.{name}": list_labels(kind) for name, kind in item.type.fields}
    for name, labels in groups.items():
        for first, second in combinations(dict.fromkeys(labels), 2):
            how = describe_only_difference(first, second)
            if how:
                yield make_warning_finding(
                    "look-alike-labels",
                    f"'{first}' and '{second}' of '{name}' differ only in {how}",
                    where=f"fields.{item.name}",
                    evidence=_spell_labels(first, second),
                    hint=f"rename one of them at '{name}', so that the two differ in a letter",
                )


def _check_compared_fields(model: DomainModel) -> Iterator[Finding]:
    """Report labels of fields that are compared: such never count as equal."""
    for name, other in _list_compared_pairs(model):
        known = set(list_labels(model.fields[other].type))
        for second in list_labels(model.fields[name].type):
            for first in sorted(known):
                how = describe_only_difference(first, second)
                if how and second not in known:
                    yield make_warning_finding(
                        "look-alike-labels",
                        f"the labels '{first}' of '{other}' and '{second}' of '{name}' are"
                        f" compared, but differ only in {how}",
                        where=f"fields.{name}",
                        evidence=_spell_labels(first, second),
                        hint=f"write '{first}' at '{name}' as well, or rename one of them",
                    )


def _list_compared_pairs(model: DomainModel) -> Iterable[tuple[str, str]]:
    """Return the pairs of fields that some expression compares, the later one first."""
    order = list(model.fields)
    pairs: dict[tuple[str, str], None] = {}
    for node in list_ordered_parts([*collect_deciding_expressions(model), *model.constraints]):
        match node:
            case Compare(left=Read(field=left), right=Read(field=right)) if left != right:
                earlier, later = sorted((left, right), key=order.index)
                pairs[later, earlier] = None
            case _:
                pass
    return pairs


def _list_labels(item: Field) -> Labels:
    labels = () if isinstance(item.type, BooleanType) else list_labels(item.type)
    return (*labels, *([item.missing] if item.missing else []))


def _spell_labels(first: str, second: str) -> str:
    """Return labels with their letters as numbers, where people could not distinguish them."""
    is_plain = first.isascii() and second.isascii()
    return "" if is_plain else f"{first!a} and {second!a}"


CHECK = LookAlikeLabels()
