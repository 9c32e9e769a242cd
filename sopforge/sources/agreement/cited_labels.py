"""Labels of passages and of the items that cite them, and the entries of look-ups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.figures import format_figure
from sopforge.sources.agreement.label_mentions import (
    find_labels,
    is_written,
    iterate_asserted,
    join_labels,
    list_mentions,
)
from sopforge.sources.facts import Labels
from sopforge.sources.items import Item
from sopforge.sources.prose.markers import is_before_all, split_clauses, split_statements
from sopforge.sources.prose.quantities import Quantity
from sopforge.sources.prose.sentences import Sentence
from sopforge.sources.prose.stems import list_stems

_ORDER = re.compile(
    r"\b(?:order|sequence|rank\w*|worst|precedence|prevails?|first)\b.*(?::|,| then )",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"([^"]{1,80})"')
_OR = re.compile(r"\W*or\W*", re.IGNORECASE)
_JOINED = re.compile(
    r"[\"']?(?:,| and| or|, and|, or)(?: (?:the|an?|in|for|after|from))*[\"' ]*", re.IGNORECASE
)
_MORE = re.compile(r"\s+(?:more|less|longer|shorter|extra|on top|higher|lower)\b", re.IGNORECASE)
"""What follows a difference, which is no entry itself: "a year more than the basic one"."""
_FEW = 2
"""So many labels are no list yet."""
_ONLY = re.compile(
    r"\b(?:only|not|no|unless|except|other than|neither|nor|without|never)\b", re.IGNORECASE
)


def find_given_labels(account: Account) -> Iterator[Doubt]:
    """Yield the rules that give a result where their passages name another one in its place."""
    for name in account.cited:
        text = " … ".join(account.list_own_quotes(name))
        plain = " … ".join(map(account.quote_without_names, account.cited[name]))
        facts = account.items[name].facts
        for labels in {labels for _, labels in facts.given} & account.outcome_labels:
            given = {label for label, of in facts.given if of == labels}
            named = find_labels(plain, labels)
            if named and not given & named and not _ONLY.search(text):
                yield Doubt(Kind.GIVEN_LABEL, text, (name,), join_labels(named), join_labels(given))


def find_lost_labels(account: Account) -> Iterator[Doubt]:
    """Yield the results that a passage asserts and no citing item gives, though some give others.

    That is what is left of a rule that was dropped.
    """
    for passage in account.cited_passages:
        text = account.quote(passage)
        for clause, start in split_clauses(account.quote_without_names(passage)):
            place = passage.start + start
            items = account.list_items_at(passage.part, place, place + len(clause))
            given = {pair for item in items for pair in item.facts.given}
            for labels in {of for _, of in given} & account.outcome_labels:
                known = {label for label, of in given if of == labels}
                asserted = set(iterate_asserted(clause, labels))
                if asserted and not asserted & known:
                    names = tuple(item.name for item in items)
                    yield Doubt(Kind.LABEL, text, names, join_labels(asserted), join_labels(known))


def find_meant_labels(account: Account) -> Iterator[Doubt]:
    """Yield the labels of facts that passages name where the items that cite them mean others."""
    for passage in account.cited_passages:
        text = account.quote(passage)
        if _ONLY.search(text):
            continue
        items = account.list_items_at(passage.part, passage.start, passage.end)
        held = {pair for item in items for pair in (*item.facts.labels, *item.facts.given)}
        meant = {labels for item in items for _, labels in item.facts.meant}
        for labels in meant & account.stored_labels:
            known = {label for label, of in held if of == labels}
            named = find_labels(account.quote_without_names(passage), labels)
            # What is so for some may be said as what is not so for all others.
            is_rest = known | named == set(labels) and not _has_result(text, items)
            if named and not is_rest and not named & known:
                names = tuple(item.name for item in items)
                yield Doubt(Kind.LABEL, text, names, join_labels(named), join_labels(known))


def find_mixed_labels(account: Account) -> Iterator[Doubt]:
    """Yield the rules that mean some of the labels that their passages name, and another one."""
    for name in (name for name in account.cited if not name.startswith("fields.")):
        # Of the row of a table, a rule has what stands in one column.
        passages = list(filter(account.is_prose, account.cited[name]))
        text = " … ".join(map(account.quote, passages))
        plain = " … ".join(map(account.quote_without_names, passages))
        facts = account.items[name].facts
        for labels in {of for _, of in facts.meant} & account.stored_labels:
            meant = {label for label, of in facts.meant if of == labels}
            named = find_labels(plain, labels)
            if named & meant and named - meant and meant - named:
                missing, added = join_labels(named - meant), join_labels(meant - named)
                yield Doubt(Kind.LABEL, text, (name,), missing, added)


def find_quoted_labels(account: Account) -> Iterator[Doubt]:
    """Yield the quoted labels of a passage of which no citing item has anything.

    Only where a rule that cites it has another of the quoted labels: that is what is left where one
    of two rules was dropped.
    """
    for passage in account.cited_passages:
        text = account.quote(passage)
        quoted = set(_QUOTED.findall(text))
        items = account.list_items_at(passage.part, passage.start, passage.end)
        if len(quoted) < _FEW or not account.is_prose(passage):
            continue
        held = {pair for item in items for pair in (*item.facts.labels, *item.facts.given)}
        rules = [item for item in items if item.name.count(".") > 1]
        for labels in {of for item in rules for _, of in item.facts.meant}:
            known = {label for label, of in held if of == labels}
            missing = (quoted & set(labels)) - known
            if missing and quoted & known:
                names = tuple(item.name for item in items)
                yield Doubt(Kind.LABEL, text, names, join_labels(missing), join_labels(known))


def _has_result(text: str, items: Iterable[Item]) -> bool:
    """Return whether a text names a result that one of the items gives."""
    given = {pair for item in items for pair in item.facts.given}
    return any(label in find_labels(text, labels) for label, labels in given)


def find_other_labels(account: Account) -> Iterator[Doubt]:
    """Yield the one label that items mean or give, where their passage names one other of several.

    A word that is a label of something else, too, may be meant as that.
    """
    for passage in account.cited_passages:
        text, plain = account.quote(passage), account.quote_without_names(passage)
        items = [account.items[name] for name in passage.items]
        held = {pair for item in items for pair in (*item.facts.meant, *item.facts.given)}
        for labels in {labels for _, labels in held if len(labels) > _FEW}:
            known = {label for label, of in held if of == labels}
            others = {list_stems(label) for label, of in held if of != labels}
            named = {
                label
                for label in find_labels(plain, labels)
                if list_stems(label) not in others and is_written(text, label)
            }
            if len(known) == len(named) == 1 and known != named:
                yield Doubt(Kind.LABEL, text, passage.items, join_labels(named), join_labels(known))


def find_pairs(account: Account) -> Iterator[Doubt]:
    """Yield the facts that a sentence names beside a result which no rule gives for them.

    "Walls and columns: engineer" asks for a rule that gives this for both.
    """
    for passage in account.cited_passages:
        quoted, plain = account.quote(passage), account.quote_without_names(passage)
        for text, start in split_statements(plain):
            at = passage.start + start
            items = account.list_items_at(passage.part, at, at + len(text))
            if not _ONLY.search(text):
                yield from _compare_pair(quoted, text, items, account)
        for text, start in split_clauses(plain):
            at = passage.start + start
            items = account.list_items_at(passage.part, at, at + len(text))
            quantities = [q for q in account.read_quantities(text) if not q.is_small]
            if len(quantities) == 1:
                yield from _compare_fact_figure(quoted, text, quantities[0], items, account)


def _compare_fact_figure(
    quoted: str, text: str, quantity: Quantity, items: Iterable[Item], account: Account
) -> Iterator[Doubt]:
    """Yield the facts that a clause names beside a figure that no rule with this figure means."""
    having = [
        item
        for item in items
        if item.name.startswith("decisions.")
        and any(figure.is_said_by(quantity) for figure in item.facts.figures)
    ]
    for labels in {of for item in having for _, of in item.facts.meant} & account.stored_labels:
        said = find_labels(text, labels)
        held = {label for item in having for label, of in item.facts.meant if of == labels}
        if said - held:
            names = tuple(item.name for item in having)
            yield Doubt(Kind.PAIR, quoted, names, join_labels(said - held), join_labels(held))


def _compare_pair(
    quoted: str, text: str, items: Iterable[Item], account: Account
) -> Iterator[Doubt]:
    known = [item for item in items if item.facts.meant and item.facts.given]
    results = {of for item in known for _, of in item.facts.given} & account.outcome_labels
    facts = {of for item in known for _, of in item.facts.meant} & account.stored_labels
    for result in results:
        named = find_labels(text, result)
        if len(named) != 1:
            continue
        giving = [item for item in known if named & {label for label, _ in item.facts.given}]
        for fact in facts:
            said = find_labels(text, fact)
            held = {label for item in giving for label, of in item.facts.meant if of == fact}
            if giving and held and said - held:
                names = tuple(item.name for item in giving)
                yield Doubt(Kind.PAIR, quoted, names, join_labels(said - held), join_labels(held))


def find_orders(account: Account) -> Iterator[Doubt]:
    """Yield the tables whose results come in another order than a passage says they are tried.

    Rules that come before anything else by a paragraph of their own have no part in that order.
    """
    for _, sentence in account.iterate_sentences():
        if not _ORDER.search(sentence.text):
            continue
        for name, rules in account.tried.items():
            results = [
                pair
                for rule, given in rules
                if not _is_said_first(account, rule, sentence)
                for pair in sorted(given)
            ]
            labels = next(iter(account.outcome_labels & {of for _, of in results}), None)
            if labels is None:
                continue
            said = [item.label for item in list_mentions(sentence.text, labels)]
            tried = list(dict.fromkeys(label for label, of in results if of == labels))
            listed = [label for label in dict.fromkeys(said) if label in tried]
            if _OR.fullmatch(_find_gap(sentence.text, labels)):
                continue
            if len(listed) > _FEW and [x for x in tried if x in listed] != listed:
                yield Doubt(Kind.ORDER, sentence.text, (name,), ", ".join(listed), ", ".join(tried))


def _is_said_first(account: Account, rule: str, order: Sentence) -> bool:
    """Return whether a rule comes before anything else by the paragraph in which it is said."""
    for passage in account.cited.get(rule, ()):
        sentences = account.prose[passage.part].sentences
        own = account.prose[passage.part].list_at(passage.start, passage.end)
        paragraph = [s for s in sentences if s.block == own[0].block and s.start <= own[-1].start]
        if order not in paragraph and any(is_before_all(s.text) for s in paragraph):
            return True
    return False


def _find_gap(text: str, labels: Labels) -> str:
    """Return what stands between the last two labels of a text: "or" between alternatives."""
    places = list_mentions(text, labels)[-_FEW:]
    return text[places[0].end : places[-1].start] if places else ""


def find_cells(account: Account) -> Iterator[Doubt]:
    """Yield the entries of look-ups that a row or clause of their own gives another figure."""
    for passage in account.cited_passages:
        prose = account.prose[passage.part]
        for sentence in prose.list_at(passage.start, passage.end):
            start, end = max(sentence.start, passage.start), min(sentence.end, passage.end)
            text = prose.text[start:end]
            for clause, place in split_clauses(text):
                quantities = account.read_quantities(clause)
                if len(quantities) == 1 and not _MORE.match(clause, quantities[0].end):
                    at = start + place
                    items = account.list_items_at(passage.part, at, at + len(clause))
                    yield from _compare_cells(text, clause, quantities[0], items)


def _compare_cells(
    text: str, clause: str, quantity: Quantity, items: Iterable[Item]
) -> Iterator[Doubt]:
    for item in items:
        labels = tuple(dict.fromkeys(label for label, _ in item.facts.cells))
        named = find_labels(clause, labels) if labels else frozenset()
        if len(named) > 1 and not _are_listed(clause, labels):
            continue
        for one in sorted(named):
            held = [figure for label, figure in item.facts.cells if label == one]
            if not any(figure.is_said_by(quantity) for figure in held):
                shown = f'"{one}": {", ".join(map(format_figure, held))}'
                yield Doubt(Kind.CELL, text, (item.name,), quantity.text, shown)


def _are_listed(clause: str, labels: Labels) -> bool:
    """Return whether the labels that a clause names stand side by side: "next Monday or later"."""
    found = list_mentions(clause, labels)
    return all(_JOINED.fullmatch(clause, one.end, two.start) for one, two in pairwise(found))
