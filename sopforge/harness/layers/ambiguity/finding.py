"""Passages of an SOP that can be put so that a careless reader takes them otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from sopforge.artifacts.rendering.sop.ambiguous import CAREFUL, WORDINGS, name_amendment
from sopforge.artifacts.rendering.sop.meanings import drop_meanings
from sopforge.harness.layers.ambiguity.ambiguous import AMENDMENT, AmbiguousPassage
from sopforge.harness.layers.text.stated_lines import StatedAt, StatedLines
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.terms import Term, map_parts, walk_term
from sopforge.seeds import permute_items

WORDING, TERM = "wording", "term"
KINDS = (WORDING, TERM, AMENDMENT)
_RELATIONS = frozenset({"<", "<=", ">", ">="})
_FACTORS = ("0.5", "0.8", "1.25", "1.5", "2")
_AWAY = (-60, -30, 30, 60)


@dataclass(frozen=True)
class PassageFinder:
    """Finds passages of the steps of a text, each kind in a keyed order.

    ``main`` is the number of the section in which the procedure begins.
    """

    model: DomainModel
    sop: str
    main: int
    seed: int

    def find(self, kind: str) -> list[AmbiguousPassage]:
        """Return the passages of a kind, no two of one line and one meaning."""
        iterate = self._kinds[kind]
        found = list(
            dict.fromkeys(
                passage
                for stated in self._stated.statements
                if stated.statement.term is not None and self._stands_once(stated)
                for passage in iterate(stated, stated.statement.term)
            )
        )
        return permute_items(found, self.seed, kind)

    @cached_property
    def _stated(self) -> StatedLines:
        return StatedLines(self.model, self.sop.split("\n"), self.main)

    def _stands_once(self, stated: StatedAt) -> bool:
        """Return whether no other statement of a step has its words; both would be changed."""
        text = stated.statement.text
        alike = (x for x in self._stated.statements if x.step == stated.step)
        return sum(item.statement.text == text for item in alike) == 1

    @property
    def _kinds(self) -> Mapping[str, Callable[[StatedAt, Term], Iterator[AmbiguousPassage]]]:
        return {
            WORDING: self._iterate_wordings,
            TERM: self._iterate_terms,
            AMENDMENT: self._iterate_amendments,
        }

    def _make(
        self, kind: str, stated: StatedAt, text: str, entry: Term | None = None
    ) -> Iterator[AmbiguousPassage]:
        """Yield a passage of other words of a statement, if they change one line."""
        line = self._stated.write_line(stated, text)
        words = self._stated.words.with_phrases(CAREFUL).say("annex", entry) if entry else ""
        if line is None or (entry and not words):
            return
        at, after = line
        number = self._stated.references.steps[stated.step].partition(" ")[0]
        annexed = f"- {self._stated.references.write(words)}" if words else ""
        yield AmbiguousPassage(kind, number, self._stated.lines[at], after, annexed)

    def _iterate_wordings(self, stated: StatedAt, term: Term) -> Iterator[AmbiguousPassage]:
        item = stated.statement
        lacking = {name for name, field in self.model.fields.items() if field.missing}
        may_lack = any(x[0] == "field" and x[1] in lacking for x in walk_term(term))
        for wording in WORDINGS if item.kind != "row" else ():
            if not (may_lack and wording.is_denial):
                row = (wording.kind, wording.words, wording.meant)
                said = self._stated.words.with_phrases((row,)).say(item.kind, term)
                yield from self._make(WORDING, stated, said)

    def _iterate_terms(self, stated: StatedAt, term: Term) -> Iterator[AmbiguousPassage]:
        """Yield a statement whose whole condition is called by the label with which it begins."""
        for condition in _list_conditions(term):
            match condition:
                case (("and" | "or"), ("==", ("field", _) as field, ("label", _) as label), *_):
                    fact = ("counts", field, label)
                    said = self._say_careful(stated, _put(term, condition, fact))
                    entry = ("means", ("step", stated.step), fact, condition)
                    yield from self._make(TERM, stated, said, entry)
                case _:
                    pass

    def _iterate_amendments(self, stated: StatedAt, term: Term) -> Iterator[AmbiguousPassage]:
        """Yield a statement with another limit, which the annex amends to what it is."""
        limits = [x[2] for x in walk_term(term) if x[0] in _RELATIONS and isinstance(x[2], tuple)]
        for limit in dict.fromkeys(limits):
            if not self._is_stated_once(limit):
                continue
            for first, away in _iterate_first(limit):
                said = self._say_careful(stated, _put(term, limit, ("amended", first)))
                verb, by = name_amendment(first, away)
                entry = ("amends", ("step", stated.step), first, verb, by)
                yield from self._make(AMENDMENT, stated, said, entry)

    def _say_careful(self, stated: StatedAt, term: Term) -> str:
        return self._stated.words.with_phrases(CAREFUL).say(stated.statement.kind, term)

    def _is_stated_once(self, limit: Term) -> bool:
        """Return whether the text says a limit nowhere else: there it would say it as it is."""
        if limit[0] not in {"number", "day"} or (limit[0] == "number" and not limit[2]):
            return False
        amount = self._stated.words.say("literal", limit)
        stated = rf"(?<![\w.-]){re.escape(amount)}(?![\w-]|\.\d)"
        return bool(amount) and len(re.findall(stated, self._without_separators)) == 1

    @cached_property
    def _without_separators(self) -> str:
        """The rules with no comma between the digits of a number."""
        return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", drop_meanings(self.sop))


def _list_conditions(term: Term) -> list[Term]:
    """Return the conditions of a statement: the whole one, and each of a list of alternatives."""
    match term:
        case ("rule", _, asked) | ("answers", asked, *_) | ("goes", asked, _):
            pass
        case ("chooses", _, asked, _, _):
            pass
        case _:
            return []
    if asked is None:
        return []
    return [asked, *(asked[1:] if asked[0] == "or" else ())]


def _put(term: Term, part: Term, other: Term) -> Term:
    return other if term == part else map_parts(term, lambda x: _put(x, part, other))


def _iterate_first(limit: Term) -> Iterator[tuple[Term, Decimal]]:
    """Yield figures that a limit may have had first, each with what it takes to change it."""
    if limit[0] == "day":
        for days in _AWAY:
            first = date.fromisoformat(limit[1]) - timedelta(days=days)
            yield ("day", first.isoformat(), ""), Decimal(days)
        return
    value = Decimal(limit[1])
    exact = Decimal(1).scaleb(-len(limit[1].partition(".")[2]))
    for factor in _FACTORS:
        first_value = (value * Decimal(factor)).quantize(exact)
        # Units are in the plural, which 1 is not.
        if not {first_value, value, abs(value - first_value)} & {Decimal(0), Decimal(1)}:
            yield ("number", f"{first_value:f}", *limit[2:]), value - first_value
