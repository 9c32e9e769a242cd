"""What conditions ask for and no passage that is cited for them speaks of.

An exception that was spread too far, or an addition that was applied to some alone, leaves a
condition that the brief does not make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.domain.values.types import EnumType, SetType
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import list_mentions
from sopforge.sources.asking.conditions import Ask, Condition
from sopforge.sources.asking.sides import Sides
from sopforge.sources.prose.quantities import Quantity
from sopforge.sources.prose.stems import list_stems

_OTHERS = re.compile(
    r"\b(?:others?|otherwise|else|rest|remaining|normally|usually)\b", re.IGNORECASE
)


def find_unsaid(sides: Sides) -> Iterator[Doubt]:
    """Yield what a cited condition asks for, and neither its passages nor what is around them say.

    Not the opposite of what another case of the decision asks and is said to ask, and nothing that
    makes no difference.
    """
    unsaid = {
        item.name: _list_unsaid(sides, item)
        for item in sides.conditions.by_name.values()
        if item.name in sides.account.cited
    }
    for name, asks in unsaid.items():
        condition = sides.conditions.by_name[name]
        for ask in asks:
            others = [
                theirs
                for other in _list_beside(sides, condition)
                for theirs in other.asks
                if theirs not in unsaid.get(other.name, (theirs,))
            ]
            is_rest = any(_is_opposite(ask, theirs) for theirs in others)
            if not is_rest and sides.cases.has_influence(condition, ask):
                yield Doubt(Kind.UNSAID, sides.quote(name), (name,), "", sides.call_all(ask.names))


def _list_unsaid(sides: Sides, condition: Condition) -> list[Ask]:
    """Return what a condition asks for of which nothing that is cited for it speaks."""
    account = sides.account
    quotes = [account.quote(passage) for passage in account.cited[condition.name]]
    said = [quantity for quote in quotes for quantity in account.read_quantities(quote)]
    stems = _collect_stems(sides, condition)
    elsewhere = _list_quotes_of_others(sides, condition)
    found = [a for a in condition.asks if not _is_said(sides, a, stems, said, elsewhere)]
    # With what is asked of a value comes whether it is there.
    known = frozenset[str]().union(*(ask.names for ask in condition.asks if ask not in found))
    return [ask for ask in found if not ask.names & known]


def _list_quotes_of_others(sides: Sides, condition: Condition) -> frozenset[str]:
    """Return what is cited for other cases of a decision and not for this one."""
    own = sides.account.list_own_quotes
    others = sides.conditions.list_group(condition.group)
    return frozenset(q for o in others for q in own(o.name)) - frozenset(own(condition.name))


def _is_said(
    sides: Sides,
    ask: Ask,
    stems: frozenset[str],
    said: Sequence[Quantity],
    elsewhere: frozenset[str],
) -> bool:
    """Return whether a text may speak of what is asked, by a word for it or by its figure.

    What is cited for a constant speaks of it, unless it is cited for another case of the decision.
    """
    constants = {figure.name for figure in ask.facts.figures if figure.name}
    quotes = [q for name in constants for q in sides.account.list_own_quotes(f"policy.{name}")]
    words = stems.union(*(list_stems(quote) for quote in quotes if quote not in elsewhere))
    if any(sides.vocabulary.is_spoken_of(name, words) for name in ask.names):
        return True
    return any(figure.is_said_by(quantity) for figure in ask.facts.figures for quantity in said)


def _collect_stems(sides: Sides, condition: Condition) -> frozenset[str]:
    """Return the stems of what is cited for a condition and its decision, and of what is around it.

    Results are no facts, and a heading names what is decided.
    """
    found = frozenset[str]()
    for name in (condition.name, condition.group):
        for passage in sides.account.cited.get(name, ()):
            text = " ".join(sentence.text for sentence in sides.list_around(passage))
            found |= list_stems(_remove_results(sides, condition, text))
            found |= _read_heading(sides, condition, sides.find_heading(passage))
    return found


def _read_heading(sides: Sides, condition: Condition, heading: str) -> frozenset[str]:
    """Return the stems of a heading without what is decided: "Repairs" is no "paid repair"."""
    field = sides.account.fields.get(condition.group.partition(".")[2])
    if field is None:
        return list_stems(heading)
    rest = _remove_results(sides, condition, heading)
    return list_stems(rest) - list_stems(f"{field.name} {field.label}")


def _remove_results(sides: Sides, condition: Condition, text: str) -> str:
    """Return a text without the labels that a condition could give."""
    given = {of for _, of in sides.account.items[condition.name].facts.given}
    targets = sides.conditions.list_targets(condition.group)
    # What a formula chooses by is none of its results.
    own = {sides.account.fields[name].type for name in targets if name in sides.account.fields}
    known = {kind.values for kind in own if isinstance(kind, EnumType | SetType)}
    for labels in sorted(given & known if targets else given):
        for mention in reversed(list_mentions(text, labels)):
            if text[mention.start : mention.end] == mention.label:
                text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


def _is_opposite(ask: Ask, other: Ask) -> bool:
    """Return whether two asks are about the same facts and want something else of them."""
    is_same = (ask.test, ask.is_denied) == (other.test, other.is_denied)
    return ask.names == other.names and not is_same


def _list_beside(sides: Sides, condition: Condition) -> list[Condition]:
    """Return the cases of its decision beside which a condition is the general one, or a special.

    That are those that go by the same figures, and all where it is said to be for others.
    """
    is_for_others = _OTHERS.search(sides.quote(condition.name)) is not None
    measured = _list_measured(condition)
    return [
        other
        for other in sides.conditions.list_group(condition.group)
        if other is not condition and (is_for_others or measured & _list_measured(other))
    ]


def _list_measured(condition: Condition) -> frozenset[str]:
    """Return the facts that a condition compares with figures."""
    limits = [ask for ask in condition.asks if any(item.side for item in ask.facts.figures)]
    return frozenset[str]().union(*(ask.names for ask in limits))
