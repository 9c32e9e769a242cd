"""Writes the statements of one model: each from what it says, in the words of the grammar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sopforge.artifacts.rendering.sop.document import ITEM, Statement, Style
from sopforge.artifacts.rendering.sop.named_conditions import (
    NamedCondition,
    list_named_conditions,
    name_conditions,
)
from sopforge.language.domain.expressions.expressions import Expression, collect_named_constants
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType, ValueType
from sopforge.language.english.meaning import Meaning
from sopforge.language.english.terms import NAMED, Term, drop_names, map_parts
from sopforge.language.english.vocabulary import Further
from sopforge.language.english.words import load_words

_AS_WRITTEN = frozenset({"rule", "setrule", "check"})
"""Kinds that begin with a label, a figure or a code, and not as a sentence does; so do their
pointers, which no capital may give away among their neighbours."""


class Writer:
    """Writes statements; ``model`` is as its SOP says it, ``named`` its conditions with names.

    ``has_names``: the SOP has a section in which such conditions are defined. ``limits`` are what
    it calls the constants whose figures stand elsewhere.
    """

    def __init__(
        self,
        model: DomainModel,
        *,
        has_names: bool = True,
        limits: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.named: list[NamedCondition] = list_named_conditions(model) if has_names else []
        self.model = name_conditions(model, self.named)
        self.limits = limits
        units = (item.constant.type for item in model.policy.values())
        self.words = load_words(
            model.fields,
            Further(
                {item.name: item.said for item in self.named},
                units=frozenset(x.unit for x in units if isinstance(x, NumberType) and x.unit),
                limits={
                    called: drop_names(Meaning(model.fields).interpret(model.policy[name].constant))
                    for name, called in limits.items()
                },
            ),
        )

    def mean(self, expression: Expression) -> Term:
        """Return what an expression says."""
        return self.words.mean(expression)

    def mean_value(self, expression: Expression, kind: ValueType) -> Term:
        """Return what the value of a field says: plain numbers in it are in the field's unit."""
        term = self.mean(expression)
        if not isinstance(kind, NumberType) or not kind.unit:
            return term
        return self._settle_unit(term, ("number", "", self.words.forms.name_unit(kind.unit), ""))

    def _settle_unit(self, term: Term, like: Term) -> Term:
        match term:
            case ("number", *_):
                return self.words.forms.settle_unit(term, like)
            case ("if", asked, then, otherwise):
                return (
                    "if",
                    asked,
                    self._settle_unit(then, like),
                    self._settle_unit(otherwise, like),
                )
            case _:
                return term

    def say(self, kind: str, term: Term) -> str:
        """Return words of a kind for a term, "" where there are none."""
        return self.words.say(kind, self.name_limits(term))

    def name_limits(self, term: Term) -> Term:
        """Return a term with the name of each limit that the text states elsewhere."""
        if not self.limits:
            return term
        if term[0] in NAMED and (called := self.limits.get(term[NAMED[term[0]]], "")):
            is_whole = drop_names(term)[:2] == self.words.forms.limits[called][:2]
            return ("limit", called) if is_whole else term
        return map_parts(term, self.name_limits)

    def state(
        self, style: Style, kind: str, term: Term, states: Iterable[str], excused: str = ""
    ) -> Statement:
        """Return a statement of the grammar."""
        term = self.name_limits(term)
        text = self.say(kind, term)
        if kind.partition(" ")[0] not in _AS_WRITTEN and style is not Style.ROW:
            text = f"{text[:1].upper()}{text[1:]}"
        return Statement(style, text, tuple(dict.fromkeys(states)), excused, kind, term)


def list_stated_items(name: str, *expressions: Expression | None) -> tuple[str, ...]:
    """Return what a statement states: the thing named, and the constants in its expressions."""
    known = [collect_named_constants(item) for item in expressions if item is not None]
    return (name, *(f"policy {constant}" for constant in sorted(frozenset().union(*known))))


def write_list(opening: str, items: Iterable[str]) -> str:
    """Return a text with a list below it, each of whose entries has its end."""
    entries = list(items)
    ends = [";"] * (len(entries) - 1) + ["."]
    return opening + "".join(f"{ITEM}{text}{end}" for text, end in zip(entries, ends, strict=True))
