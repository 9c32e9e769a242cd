"""SOP level: limits and rules that an earlier edition had, each of which says that it is void."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from sopforge.artifacts.complexity.passages import AddedPassage, Where, place_passages
from sopforge.artifacts.complexity.rules.changes import EditionChange, draw_change, has_past
from sopforge.artifacts.complexity.rules.earlier_values import draw_earlier_value
from sopforge.artifacts.complexity.rules.old_rules import (
    build_day_before,
    find_day_after,
    iterate_old_rules,
)
from sopforge.artifacts.complexity.trade.asides import draw_reason
from sopforge.artifacts.complexity.trade.pools import editions
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import SUPERSEDED
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.expressions.expressions import AllOf, Constant
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import PolicyConstant
from sopforge.language.english.words import phrase_constant
from sopforge.seeds import permute_index, permute_items

_SUPERLATIVES = ("lowest", "highest", "least", "greatest", "largest", "smallest", "longest",
                 "shortest", "earliest", "latest")  # fmt: skip
_RULES = 3
"""So many rules of earlier editions there are for one limit."""
_TURNS = 3
"""How many earlier values of one limit there may be, each of another edition."""


class Superseded:
    """Puts in ``dose`` superseded rules and limits in turn, as far as there are plausible ones."""

    name = "superseded"
    level: HarderLevel = "L1"
    usual = 1
    follows: tuple[str, ...] = ()
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        if not has_past(variant.setting):
            return variant
        rules, limits = _iterate_rules(variant, seed), _iterate_limits(variant, seed)
        chosen: list[AddedPassage] = []
        while len(chosen) < dose and (some := [*islice(rules, _RULES), *islice(limits, 1)]):
            chosen += some
        return place_passages(variant, self.name, chosen[:dose], seed)


@dataclass(frozen=True)
class _Edition:
    """An earlier edition, as the passage with a number speaks of it."""

    variant: Variant
    number: int
    seed: int

    @cached_property
    def change(self) -> EditionChange:
        return draw_change(self.variant.setting, self.number, self.seed)

    @cached_property
    def entry(self) -> Field | None:
        """An entry of cases that states a day, which lies after the edition's end."""
        return find_day_after(self.variant.model, self.change)

    def fill(self, frames: Sequence[str], **words: str) -> Statement:
        """Return the passage that one of some frames makes of what the edition said."""
        domain, size = self.variant.setting.domain, len(frames)
        chosen = permute_index(self.number % size, size, self.seed, domain, frames[0])
        change = self.change
        text = frames[chosen].format(
            until=change.until,
            since=change.since,
            edition=change.edition,
            entry=self.entry.label if self.entry else "",
            reason=draw_reason(self.variant.setting, self.number, self.seed),
            **words,
        )
        return Statement(Style.PARAGRAPH, text[:1].upper() + text[1:], excused=SUPERSEDED)


def _iterate_rules(variant: Variant, seed: int) -> Iterator[AddedPassage]:
    """Yield rules that earlier editions had.

    Where cases state a day, it stands among the rules, for cases of days before the change; else it
    is quoted with the day on which it ended.
    """
    for number, (item, older) in enumerate(iterate_old_rules(variant, seed)):
        edition = _Edition(variant, number, seed)
        condition = older
        if edition.entry:
            condition = AllOf((build_day_before(edition.entry, edition.change), older))
        old = item.write_like(variant, condition, item.result, SUPERSEDED)
        # A limit that stands elsewhere has its name here, whatever its value was.
        if old is None or old.text == item.statement.text:
            continue
        if edition.entry:
            yield AddedPassage(old, Where(joins=item.states))
        else:
            quoted = edition.fill(editions.OF_RULES, rule=old.text)
            yield AddedPassage(quoted, Where(states=item.states))


def _iterate_limits(variant: Variant, seed: int) -> Iterator[AddedPassage]:
    """Yield earlier values of limits, each limit once before any again."""
    for number, (item, earlier) in enumerate(_iterate_earlier_values(variant, seed)):
        edition = _Edition(variant, number, seed)
        is_named = item.meaning.startswith(_SUPERLATIVES)
        frames: Sequence[str]
        if edition.entry:
            frames = editions.OF_NAMED_DATED_LIMITS if is_named else editions.OF_DATED_LIMITS
        else:
            frames = editions.OF_NAMED_LIMITS if is_named else editions.OF_LIMITS
        line = edition.fill(
            frames, meaning=item.meaning, value=phrase_constant(earlier, variant.model.fields)
        )
        yield AddedPassage(line, Where(states=f"policy {item.constant.name}"))


def _iterate_earlier_values(
    variant: Variant, seed: int
) -> Iterator[tuple[PolicyConstant, Constant]]:
    policy = variant.model.policy.values()
    for turn in range(_TURNS):
        for item in permute_items([*policy], seed, "superseded", turn):
            values = [
                draw_earlier_value(variant.model, item.constant, seed + n) for n in range(turn + 1)
            ]
            if values[-1] is not None and values[-1] not in values[:-1]:
                yield item, values[-1]


OPERATOR = Superseded()
