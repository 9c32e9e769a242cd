"""Rules of all other cases, and the passages that say what holds then."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.domain.building.labels import is_read_as_missing
from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.figures import format_figure
from sopforge.sources.agreement.label_mentions import find_labels, join_labels
from sopforge.sources.items import Item
from sopforge.sources.prose.markers import is_default, split_clauses, split_statements

_AND = re.compile(r"(?:,\s*|\s+)and\s+")
_QUOTED = re.compile(r'"([^"]{1,20})"')


def find_defaults(account: Account) -> Iterator[Doubt]:
    """Yield the rules of all other cases whose passage names another label for them."""
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for clause, _ in split_clauses(account.quote_without_names(passage)):
            if is_default(clause):
                for item in (account.items[name] for name in passage.items):
                    yield from _compare_default(quoted, clause, item, account)


def _compare_default(quoted: str, clause: str, item: Item, account: Account) -> Iterator[Doubt]:
    sets = {labels for _, labels in item.facts.given} & account.outcome_labels
    rest = _find_rest(clause)
    quantities = account.read_quantities(rest) or account.read_quantities(clause)
    for quantity in quantities if item.is_default else ():
        if not quantity.is_small and not any(
            figure.is_said_by(quantity) for figure in item.facts.figures
        ):
            held = ", ".join(map(format_figure, item.facts.figures)) or "no figure"
            yield Doubt(Kind.DEFAULT, quoted, (item.name,), quantity.text, held)
    for labels in sets if item.is_default else ():
        given = {label for label, of in item.facts.given if of == labels}
        named = find_labels(rest, labels) or find_labels(clause, labels)
        if named and not given & named:
            yield Doubt(Kind.DEFAULT, quoted, (item.name,), join_labels(named), join_labels(given))


def _find_rest(clause: str) -> str:
    """Return the part of a clause that is about all other cases.

    >>> _find_rest("It costs members 3 EUR and everybody else 5 EUR")
    'everybody else 5 EUR'
    """
    return next((part for part in _AND.split(clause) if is_default(part)), clause)


def find_displaced_defaults(account: Account) -> Iterator[Doubt]:
    """Yield the rules of all other cases, where another rule has what the brief says of these."""
    defaults = [
        item
        for item in account.items.values()
        if item.is_default and item.name.startswith("decisions.")
    ]
    for default in defaults:
        table = default.name.rpartition(".")[0]
        if any(is_default(text) for text in account.list_own_quotes(default.name)):
            continue
        for name, item in account.items.items():
            is_rule = name.rpartition(".")[0] == table and name.count(".") > 1
            if is_rule and not item.is_default and name in account.cited:
                yield from _compare_displaced(account, item, default)


def _compare_displaced(account: Account, item: Item, default: Item) -> Iterator[Doubt]:
    for quoted in account.list_own_quotes(item.name):
        for clause, _ in split_statements(quoted):
            said = [
                quantity.text
                for quantity in account.read_quantities(clause)
                if any(figure.is_said_by(quantity) for figure in item.facts.figures)
                and not any(figure.is_said_by(quantity) for figure in default.facts.figures)
            ]
            if said and is_default(clause) and default.name in account.cited:
                held = ", ".join(map(format_figure, default.facts.figures)) or "no figure"
                yield Doubt(Kind.DEFAULT, quoted, (default.name,), said[0], held)


def find_lost_nothing(account: Account) -> Iterator[Doubt]:
    """Yield the passages that quote a word for no value, where no citing rule gives none.

    Only rules of a field that may have no value.
    """
    for passage in account.cited_passages:
        text = account.quote(passage)
        words = [word for word in _QUOTED.findall(text) if is_read_as_missing(word)]
        rules = [
            account.items[name]
            for name in passage.items
            if name.startswith("decisions.") and name.count(".") > 1
        ]
        targets = {item.name.split(".")[1] for item in rules} & set(account.fields)
        fields = [account.fields[name] for name in targets]
        if words and any(item.is_default for item in rules) and all(f.missing for f in fields):
            given = {label for item in rules for label, _ in item.facts.labels}
            if fields and not given & {item.missing for item in fields}:
                names = tuple(item.name for item in rules if item.is_default)
                yield Doubt(Kind.DEFAULT, text, names, f'"{words[0]}"', "a value")
