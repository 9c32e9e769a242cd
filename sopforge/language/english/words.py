"""What the expressions of a model say in English: their terms, and words for these."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import Any

from sopforge.language.domain.expressions.expressions import Constant, Expression
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import BooleanType
from sopforge.language.english.english import English
from sopforge.language.english.lexicon import Lexicon
from sopforge.language.english.meaning import Meaning
from sopforge.language.english.nouns import format_quantity, join_items
from sopforge.language.english.presence import Presence
from sopforge.language.english.sources import write_term
from sopforge.language.english.terms import LITERALS, Term, drop_names, map_parts
from sopforge.language.english.vocabulary import NOTHING, Further


class Words:
    """The words of one domain, with those for what else its text names."""

    def __init__(self, fields: Mapping[str, Field], further: Further = NOTHING) -> None:
        self.fields, self.further = fields, further
        self.english = English(Lexicon(fields, further))
        self.forms = self.english.lexicon.forms
        self._meaning = Meaning(fields)
        self._presence = Presence(self.forms)
        self._others: dict[object, Words] = {}

    def with_limits(self, limits: Mapping[str, Term]) -> Words:
        """Return the words of a text that states some limits elsewhere."""
        key = tuple(sorted(limits.items()))
        return self._load(key, limits=limits) if limits else self

    def with_phrases(self, phrases: tuple[tuple[str, str, str], ...]) -> Words:
        """Return the words of a text that has some more phrases."""
        return self._load(phrases, phrases=phrases)

    def _load(self, key: object, **further: Any) -> Words:  # noqa: ANN401 - parts of what is further
        if key not in self._others:
            other = self._others[key] = Words(self.fields, replace(self.further, **further))
            # What stands between backticks is read as what it was written for.
            other.english.lexicon.sources = self.english.lexicon.sources
        return self._others[key]

    def mean(self, expression: Expression) -> Term:
        """Return what an expression says, without what its other words imply."""
        return self._presence.drop_implied(self._meaning.interpret(expression))

    def mean_at_moments(self, expression: Expression, fields: Mapping[str, Field]) -> Term:
        """Return what an expression says of fields, some as they are at one of several moments."""
        said = Meaning(fields).interpret(expression)
        return self._presence.drop_implied(_drop_moments(said))

    def say(self, kind: str, term: Term) -> str:
        """Return words of a kind that mean a term and nothing else, "" where there are none."""
        return self.english.say(kind, drop_names(term))


_MOST_KEPT = 16
_KEPT: OrderedDict[tuple[int, ...], tuple[object, Words]] = OrderedDict()
"""The words that were asked for last, by the identities of their fields and of what is further."""
_IS_LOOKING = Lock()


def load_words(fields: Mapping[str, Field], further: Further = NOTHING) -> Words:
    """Return the words of a text about these fields; for equal ones they are the same."""
    key = (*map(id, fields.values()), id(further))
    with _IS_LOOKING:
        if key not in _KEPT:
            asked = [*fields.items()], further
            alike = next((other for other, (known, _) in _KEPT.items() if known == asked), None)
            words = _KEPT.pop(alike)[1] if alike else Words(dict(fields), further)
            # What is kept holds what was asked for, so that nothing else gets its identity.
            _KEPT[key] = asked, words
            while len(_KEPT) > _MOST_KEPT:
                _KEPT.popitem(last=False)
        _KEPT.move_to_end(key)
        return _KEPT[key][1]


def phrase_expression(expression: Expression, fields: Mapping[str, Field]) -> str:
    """Return an expression as people read it; in the rule language where no words are clear."""
    if isinstance(expression, Constant):
        return phrase_constant(expression, fields)
    plain = {name: item for name, item in fields.items() if _MOMENT not in name}
    words = load_words(plain)
    has_moments = len(plain) < len(fields)
    term = words.mean_at_moments(expression, fields) if has_moments else words.mean(expression)
    is_condition = isinstance(expression.type, BooleanType) and term[0] not in LITERALS
    return words.say("condition" if is_condition else "value", term) or f"`{write_term(term)}`"


_MOMENT = "@"
"""Stands in the name of a field as it is at one of several moments, between both."""
_OF_FIELDS = frozenset({"field", "part", "items"})


def _drop_moments(term: Term) -> Term:
    changed = map_parts(term, _drop_moments)
    if changed[0] in _OF_FIELDS:
        return (changed[0], changed[1].partition(_MOMENT)[0], *changed[2:])
    return changed


def phrase_constant(constant: Constant, fields: Mapping[str, Field]) -> str:
    """Return a written value as texts have it: a number with its unit, a day, labels."""
    match Meaning(fields).interpret(constant):
        case ("number", figure, unit, *_):
            return format_quantity(figure, unit)
        case ("labels", *labels):
            return join_items([f'"{label}"' for label in labels]) if labels else "no entry"
        case ("label", text):
            return f'"{text}"'
        case (_, text, *_):
            return str(text)
        case term:
            raise AssertionError(term)
