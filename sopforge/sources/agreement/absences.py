"""What holds where a value is missing: by the brief's words, and by the items that cite them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sopforge.domain.fields import STORED, Field
from sopforge.domain.language.expressions import AnyOf, Expression, Not, Presence
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import HitPolicy, Table, is_first_given
from sopforge.solving.examining.inquiry import Inquiry
from sopforge.solving.questions import NoRow
from sopforge.sources.account import Account, Passage
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import find_labels
from sopforge.sources.prose.markers import count_negations, split_statements
from sopforge.sources.prose.stems import list_stems

_LACKING = re.compile(
    r"\b(?:no(?! (?:later|earlier|sooner|more|less|fewer|other|longer|higher|lower|matter)\b)"
    r"|without|lacks?|lacking)\s+(?P<what>[^,;:.()]+)",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?P<what>[^,;:.()]+?)\s+(?:(?:is|are|was|were|has|have|been|still|left)\s+)*"
    r"(?:missing|absent|blank|empty|unknown|unrecorded"
    r"|not (?:been )?(?:recorded|given|known|stated|measured|entered|noted|available|taken|named"
    r"|filled in|on file|on record|there)|never (?:been )?(?:recorded|measured|taken))\b",
    re.IGNORECASE,
)
_TURNED = re.compile(r"\b(?:unless|except\w*|only|even|regardless|or not)\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only (?:if|when|where)|provided(?: that)?)\b(?P<what>.*)", re.IGNORECASE)
_MEANS = re.compile(r",\s*(?:which|that) (?:means|is)\b[^,;:.()]*", re.IGNORECASE)
_NEAR = 6
_HALF = 2


def find_unheld_absences(account: Account, model: DomainModel) -> Iterator[Doubt]:
    """Yield the passages on what holds without a value for which no item holds that cites them.

    And the rules that hold there all the same, though what they give is said to be only where the
    value is such and such, and nothing is said of one that is missing.
    """
    finder = _Finder(account, model, Inquiry(model, ()), _collect_conditions(model))
    for passage in filter(account.is_prose, account.cited_passages):
        yield from finder.compare_stated(passage)
        yield from finder.compare_silent(passage)


@dataclass(frozen=True)
class _Finder:
    """Compares the passages of one account with the conditions of the items that cite them."""

    account: Account
    model: DomainModel
    inquiry: Inquiry
    conditions: Mapping[str, Sequence[Expression]]

    def compare_stated(self, passage: Passage) -> Iterator[Doubt]:
        """Yield what a passage says of a missing value, and no citing item holds for."""
        for text, start in split_statements(self.account.quote(passage)):
            said = _find_lacking(text)
            if said is None or _is_turned(text, said):
                continue
            place = passage.start + start
            items = self.account.list_items_at(passage.part, place, place + len(text))
            named = self._find_missing_named(said["what"])
            names = [item.name for item in items]
            if named and names and not self._are_held(names, named):
                held = f"never where there is no {named[0].label}"
                yield Doubt(Kind.ABSENCE, self.account.quote(passage), tuple(names), said[0], held)

    def compare_silent(self, passage: Passage) -> Iterator[Doubt]:
        """Yield the rules that hold without a value of which their passage asks for something."""
        for text, _ in split_statements(self.account.quote(passage)):
            said = _ONLY.search(text)
            for name in passage.items if said else ():
                given = self.account.items[name].facts.given
                before = text[: said.start()] if said else ""
                if not any(label in find_labels(before, of) for label, of in given):
                    continue
                for item in self._find_missing_named(said["what"] if said else ""):
                    is_open = item.name in self.account.items[name].facts.fields
                    if is_open and self._is_met(name, item) and not self._is_spoken_of(item):
                        held = f"even where there is no {item.label}"
                        quoted = self.account.quote(passage)
                        yield Doubt(Kind.ABSENCE, quoted, (name,), text.strip(), held)

    def _find_missing_named(self, text: str) -> list[Field]:
        """Return the fields that may be missing of which a text has most words."""
        words = list_stems(" ".join(text.split()[:_NEAR]))
        found: dict[str, float] = {}
        for item in self.model.fields.values():
            stems = list_stems(item.label) or list_stems(item.name)
            if item.missing and item.role in STORED and stems:
                found[item.name] = len(stems & words) / len(stems)
        best = max(found.values(), default=0)
        if best * _HALF < 1:
            return []
        return [self.model.fields[name] for name, share in found.items() if share == best]

    def _are_held(self, names: Collection[str], fields: Sequence[Field]) -> bool:
        """Return whether an item holds where a field is missing, or may do so unseen."""
        known = [name for name in names if name in self.conditions]
        others = [self.account.items[name] for name in names if name not in self.conditions]
        # What is worked out from a field says itself what holds without it.
        derived = [part for part in others if part.name not in {f"fields.{f.name}" for f in fields}]
        if not known or any(f.name in part.facts.fields for part in derived for f in fields):
            return True
        may_lack = [item for item in fields if self._is_possible([_build_absence(item)])]
        return not may_lack or any(self._is_met(name, item) for name in known for item in may_lack)

    def _is_met(self, name: str, item: Field) -> bool:
        """Return whether an item may hold where a field is missing."""
        conditions = self.conditions.get(name)
        return conditions is not None and self._is_possible([_build_absence(item), *conditions])

    def _is_possible(self, conditions: Sequence[Expression]) -> bool:
        return not isinstance(self.inquiry.find_row(conditions, is_shown=False), NoRow)

    def _is_spoken_of(self, item: Field) -> bool:
        """Return whether the brief says somewhere what holds where a field is missing."""
        return any(
            item in self._find_missing_named(said["what"])
            for _, sentence in self.account.iterate_sentences()
            for text, _ in split_statements(sentence.text)
            if (said := _find_lacking(text)) is not None
        )


def _find_lacking(text: str) -> re.Match[str] | None:
    """Return the words of a statement by which something is missing."""
    return _LACKING.search(text) or _LEFT_OUT.search(text)


def _is_turned(text: str, said: re.Match[str]) -> bool:
    """Return whether a statement denies or excepts what it says of a missing value."""
    marker = said[0].replace(said["what"], "")
    # "No day, which means no cover" says the same twice.
    plain = _MEANS.sub("", text)
    is_denied = count_negations(plain) > count_negations(marker)
    return is_denied or _TURNED.search(text) is not None


def _build_absence(item: Field) -> Expression:
    return Not(Presence(item.name))


def _collect_conditions(model: DomainModel) -> Mapping[str, Sequence[Expression]]:
    """Return what has to be so where a predicate, a rule or an edge holds, by the item's name."""
    found: dict[str, Sequence[Expression]] = {
        f"predicates.{name}": (AnyOf(tuple(item.uses.values())),)
        for name, item in model.predicates.items()
        if item.uses
    }
    for table in model.decisions.values():
        if isinstance(table, Table) and is_first_given(table):
            rules = [(f"decisions.{table.name}.{rule.id}", rule.when) for rule in table.rules]
            is_first = table.hit is HitPolicy.FIRST
            found |= _list_tried(rules, is_first=is_first)
    for step in model.steps.values():
        edges = [(f"steps.{edge.id}", edge.when) for edge in step.edges]
        found |= _list_tried(edges, is_first=True)
    return found


def _list_tried(
    cases: Sequence[tuple[str, Expression | None]], *, is_first: bool
) -> dict[str, Sequence[Expression]]:
    """Return what holds where each of some cases is met: not those that are tried before it."""
    found: dict[str, Sequence[Expression]] = {}
    tried: list[Expression] = []
    for name, when in cases:
        own = [] if when is None else [when]
        before = tried if is_first or when is None else []
        found[name] = [*map(Not, before), *own]
        tried += own
    return found
