"""Results that a passage names together, and whether any case of the model has them together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from sopforge.domain.language.expressions import Compare, Constant, Expression, Relation
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType
from sopforge.logic.variants.substitution import Replacement
from sopforge.solving.examining.inquiry import Inquiry
from sopforge.solving.questions import NoRow
from sopforge.solving.unfolded_places import TooManyStepsError
from sopforge.solving.unfolding import Unfolded, derive_answers, unfold
from sopforge.sources.account import Account, Passage
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import find_labels, is_written, join_labels
from sopforge.sources.facts import Labels
from sopforge.sources.prose.markers import split_clauses, split_last_statement
from sopforge.sources.prose.stems import list_stems

_DENYING = re.compile(
    r"\b(?:none|no|not|nil|nothing|nobody|never|without|blank|empty|unless|except|only|other than"
    r"|otherwise|else"
    r"|every other|instead of|rather than)\b|n't\b",
    re.IGNORECASE,
)


def find_apart(account: Account, model: DomainModel) -> Iterator[Doubt]:
    """Yield the results that a clause names together and that the model never has together.

    That is two labels of two outcomes, or a label and an outcome that has no value with it.
    """
    try:
        places = unfold(model)
    except TooManyStepsError:
        return
    finder = _Finder(account, model, places)
    for passage in filter(account.is_prose, account.cited_passages):
        yield from finder.compare(passage)


@dataclass
class _Finder:
    """Compares the passages of one account with the answers that its model can give."""

    account: Account
    model: DomainModel
    places: tuple[Unfolded, ...]
    known: dict[tuple[tuple[str, str], ...], bool] = field(default_factory=dict)

    @cached_property
    def answers(self) -> Mapping[str, Replacement]:
        """The answers of the model as expressions over what rows hold."""
        return derive_answers(self.model, self.places)

    @cached_property
    def inquiry(self) -> Inquiry:
        """The questions on the model."""
        return Inquiry(self.model, self.places)

    @cached_property
    def labels(self) -> Mapping[str, Labels]:
        """The labels of each outcome that has some."""
        return {
            item.name: item.type.values
            for item in self.model.outcomes
            if isinstance(item.type, EnumType) and item.name in self.answers
        }

    def compare(self, passage: Passage) -> Iterator[Doubt]:
        """Yield what a passage names together and the model has apart."""
        quoted = self.account.quote(passage)
        for clause, start in split_clauses(quoted):
            if _DENYING.search(split_last_statement(quoted[:start]) + clause):
                continue
            named = {name: found for name in self.labels if (found := self._find(clause, name))}
            for one, other in combinations(named, 2):
                pairs = [((one, a), (other, b)) for a in named[one] for b in named[other]]
                if not any(self._is_possible(*pair) for pair in pairs):
                    said, held = join_labels(named[one]), join_labels(named[other])
                    yield Doubt(Kind.APART, quoted, passage.items, said, held)
            place = passage.start + start
            yield from self._compare_values(passage, (place, place + len(clause)), named)

    def _compare_values(
        self, passage: Passage, span: tuple[int, int], named: Mapping[str, frozenset[str]]
    ) -> Iterator[Doubt]:
        """Yield the labels with which what citing items decide never has a value."""
        items = self.account.list_items_at(passage.part, *span)
        given = {label for item in items for label, _ in item.facts.given}
        decided = {item.name.split(".")[1] for item in items if item.name.startswith("decisions.")}
        decided |= self._list_named_outcomes(passage, span)
        outcomes = {item.name: item for item in self.model.outcomes if item.name in self.answers}
        for name, found in named.items():
            for other in sorted(decided & set(outcomes) - {name}):
                for label in sorted(found - given):
                    if not self._is_possible((name, label), (other, "")):
                        quoted = self.account.quote(passage)
                        held = outcomes[other].label
                        yield Doubt(Kind.APART, quoted, passage.items, f'"{label}"', held)

    def _list_named_outcomes(self, passage: Passage, span: tuple[int, int]) -> set[str]:
        """Return the outcomes that a clause has words of, and for which it is cited as fields."""
        words = list_stems(self.account.prose[passage.part].text[slice(*span)])
        return {
            item.name
            for item in self.model.outcomes
            if f"fields.{item.name}" in passage.items and list_stems(item.label) <= words
        }

    def _find(self, clause: str, name: str) -> frozenset[str]:
        """Return the labels of an outcome that a clause has as written, of no other outcome."""
        return frozenset(
            label
            for label in find_labels(clause, self.labels[name])
            if is_written(clause, label)
            and sum(label in labels for labels in self.labels.values()) == 1
        )

    def _is_possible(self, *pairs: tuple[str, str]) -> bool:
        """Return whether some case has answers with these labels, or any value without one."""
        if pairs not in self.known:
            wanted = [condition for pair in pairs for condition in self._list_conditions(*pair)]
            answer = self.inquiry.find_row(wanted, is_shown=False)
            self.known[pairs] = not isinstance(answer, NoRow)
        return self.known[pairs]

    def _list_conditions(self, name: str, label: str) -> list[Expression]:
        answer = self.answers[name]
        found = [] if answer.present is None else [answer.present]
        kind = answer.value.type
        if label and isinstance(kind, EnumType):
            value = Constant(kind, kind.values.index(label))
            found.append(Compare(Relation.EQ, answer.value, value))
        return found
