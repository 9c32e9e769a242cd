"""Passages of an SOP that can be put so that a careless reader takes them otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import NumberType
from sopforge.layers.ambiguity.ambiguous import AMENDMENT, Passage
from sopforge.rendering.sop.ambiguous.annex import (
    AMENDED,
    DAY,
    StepLines,
    list_steps,
    write_amendment,
    write_term,
)
from sopforge.rendering.sop.ambiguous.wordings import LABEL, SUBJECT, list_rewordings
from sopforge.rendering.sop.meanings import drop_meanings
from sopforge.seeds import permute_index

WORDING, TERM = "wording", "term"
KINDS = (WORDING, TERM, AMENDMENT)
_WHOLE = re.compile(r"(?P<before>  - |.* if )(?P<condition>the (?:(?! if ).)+)(?P<after>[;.])\Z")
_COUNTED = re.compile(
    rf"(?P<subject>{SUBJECT}) (?P<verb>is|are) (?P<label>{LABEL})(?: or |, | and ).+\Z"
)
_UNLESS = " unless "
_FACTORS = ("0.5", "0.8", "1.25", "1.5", "2")
_AWAY = (-60, -30, 30, 60)


@dataclass(frozen=True)
class PassageFinder:
    """Finds passages of the steps of a text, each kind in a keyed order."""

    model: DomainModel
    sop: str
    seed: int

    def find(self, kind: str) -> list[Passage]:
        """Return the passages of a kind, no two of one line and one meaning."""
        found = list(dict.fromkeys(self._iterate(kind)))
        size = len(found)
        return [found[permute_index(place, size, self.seed, kind)] for place in range(size)]

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines of the text."""
        return self.sop.split("\n")

    def _iterate(self, kind: str) -> Iterator[Passage]:
        iterate = self._kinds[kind]
        for step in list_steps(self.lines):
            own = self.lines[step.start + 1 : step.end]
            for line in own:
                # A line that stands there twice would be changed twice.
                if line and own.count(line) == 1:
                    yield from iterate(step, line)

    @property
    def _kinds(self) -> Mapping[str, Callable[[StepLines, str], Iterator[Passage]]]:
        return {
            WORDING: self._iterate_wordings,
            TERM: self._iterate_terms,
            AMENDMENT: self._iterate_amendments,
        }

    def _iterate_wordings(self, step: StepLines, line: str) -> Iterator[Passage]:
        may_lack = any(label in line for label in self._lacking)
        for other in list_rewordings(line):
            if not (may_lack and _UNLESS in other):
                yield Passage(WORDING, step.number, line, other)

    @cached_property
    def _lacking(self) -> Sequence[str]:
        """The labels of what may be missing."""
        return [item.label for item in self.model.fields.values() if item.missing]

    def _iterate_terms(self, step: StepLines, line: str) -> Iterator[Passage]:
        """Yield a line whose whole condition is called by the label with which it begins."""
        whole = _WHOLE.match(line)
        counted = _COUNTED.match(whole["condition"]) if whole else None
        if whole is None or counted is None:
            return
        verb = "counts" if counted["verb"] == "is" else "count"
        term = f"{counted['subject']} {verb} as {counted['label']}"
        entry = write_term(step, term, whole["condition"])
        other = f"{whole['before']}{term}{whole['after']}"
        yield Passage(TERM, step.number, line, other, entry)

    def _iterate_amendments(self, step: StepLines, line: str) -> Iterator[Passage]:
        """Yield a line with another limit, which the annex amends to what it is."""
        for found in self._limit.finditer(line):
            figure, unit = found["day"] or found["figure"], found["unit"] or ""
            amount = f"{figure} {unit}".rstrip()
            # Elsewhere the text would say the limit as it is.
            stated = rf"(?<![\w.-]){re.escape(amount)}(?![\w-]|\.\d)"
            if len(re.findall(stated, self._without_separators)) != 1:
                continue
            start, end = found.span("amount")
            for first, away in _iterate_first(figure):
                entry = write_amendment(step, first, unit, away)
                stated = f"{first} {unit}".rstrip()
                other = f"{line[:start]}{stated}{AMENDED}{line[end:]}"
                yield Passage(AMENDMENT, step.number, line, other, entry)

    @cached_property
    def _without_separators(self) -> str:
        """The rules with no comma between the digits of a number."""
        return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", drop_meanings(self.sop))

    @cached_property
    def _limit(self) -> re.Pattern[str]:
        types = [item.type for item in self.model.fields.values()]
        types += [*(item.constant.type for item in self.model.policy.values())]
        units = {item.unit for item in types if isinstance(item, NumberType) and item.unit}
        known = "|".join(map(re.escape, sorted({*units, "days"}, key=lambda u: (-len(u), u))))
        return re.compile(
            r"\b(?:at least|at most|(?:more|less|earlier|later) than|before|after) (?P<amount>"
            rf"(?P<day>{DAY})|(?P<figure>\d+(?:\.\d+)?) (?P<unit>{known}))(?![\w/-])"
        )


def _iterate_first(figure: str) -> Iterator[tuple[str, Decimal]]:
    """Yield figures that a limit may have had first, each with what it takes to change it."""
    if re.fullmatch(DAY, figure):
        day = date.fromisoformat(figure)
        for days in _AWAY:
            yield (day - timedelta(days=days)).isoformat(), Decimal(days)
        return
    value = Decimal(figure)
    exact = Decimal(1).scaleb(-len(figure.partition(".")[2]))
    for factor in _FACTORS:
        first = (value * Decimal(factor)).quantize(exact)
        # Units are in the plural, which 1 is not.
        if not {first, value, abs(value - first)} & {Decimal(0), Decimal(1)}:
            yield f"{first:f}", value - first
