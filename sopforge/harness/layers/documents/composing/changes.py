"""Other limits, results and transitions that a step could have, each of which decides some task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from sopforge.artifacts.complexity.rules.earlier_values import draw_earlier_value
from sopforge.artifacts.rendering.sop.ambiguous import TITLE
from sopforge.artifacts.rendering.sop.document import Statement
from sopforge.artifacts.rendering.sop.resolving import RULES_SECTION
from sopforge.artifacts.rendering.sop.sections.tables import restate_row
from sopforge.harness.layers.text.passages import Heading, list_headings, list_spans, name_step
from sopforge.harness.layers.text.read_steps import ReadSteps, number_steps, read_steps
from sopforge.harness.layers.text.stated_lines import StatedLines
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, Table
from sopforge.language.domain.values.types import EnumType
from sopforge.language.english.terms import Term, drop_names, map_parts, walk_term
from sopforge.language.english.vocabulary import LIMITS_SECTION
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.records import Row
from sopforge.seeds import permute_index

_REFERRED = re.compile(rf"(?:{TITLE}|{RULES_SECTION}|{LIMITS_SECTION})\Z")
_GIVEN = frozenset({"sets", "given"})
"""Parts of statements that say what a field is given."""
_EACH = 6
"""How many changes of a kind are looked at for a step."""
_VALUES = 2
"""How many other values of a limit are drawn."""


@dataclass(frozen=True, slots=True)
class LineChange:
    """Another line in the place of one, and the tasks that come to another outcome by it."""

    at: int
    line: str
    tasks: frozenset[str]


@dataclass(frozen=True)
class ChangeFinder:
    """Finds changes of the steps that a text states.

    ``main`` is the number of the section in which the procedure begins.
    """

    model: DomainModel
    rows: Mapping[str, Row]
    lines: Sequence[str]
    main: int
    seed: int

    def find(self) -> list[LineChange]:
        """Return the changes that make a difference, in the order of the text.

        Each is read back from the changed words: what these decide is what is compared.
        """
        tried = [found for at in self.spans for found in self._iterate_read(at)]
        apart = find_distinguished(self.model, self.rows, [model for *_, model in tried])
        return [
            LineChange(at, line, tasks)
            for (at, line, _), tasks in zip(tried, apart, strict=True)
            if tasks
        ]

    def find_differing(self, changes: Sequence[LineChange]) -> frozenset[str]:
        """Return the tasks that come to another outcome by several changes together."""
        text = "\n".join(put_changes(self.lines, changes))
        return next(find_distinguished(self.model, self.rows, [self.read_text(text).model]))

    def read_text(self, text: str) -> ReadSteps:
        """Return what a text decides."""
        return read_steps(self.model, text, self.main, self._stated.writer)

    @cached_property
    def _stated(self) -> StatedLines:
        return StatedLines(self.model, self.lines, self.main)

    @cached_property
    def spans(self) -> Mapping[str, tuple[int, int]]:
        """The lines of each step that the text states, by its id: the first, and that after."""
        numbers = number_steps(self.model, self.main)
        steps = {name_step(number): step for step, number in numbers.items()}
        return {
            steps[heading.name]: (heading.at, end)
            for heading, end in list_spans(self.lines, is_after_gap=False)
            if heading.name in steps
        }

    @cached_property
    def _referred(self) -> list[str]:
        """The lines to which those of a step may point."""
        headings = list_headings(self.lines, is_after_gap=False)
        sections = [item for item in headings if item.is_section]
        return [line for item in sections for line in self._list_referred_lines(item, sections)]

    def _list_referred_lines(self, section: Heading, sections: Sequence[Heading]) -> Sequence[str]:
        if not _REFERRED.match(section.title):
            return ()
        end = next((item.at for item in sections if item.at > section.at), len(self.lines))
        return ("", *self.lines[section.at : end])

    def _iterate_read(self, step: str) -> Iterator[tuple[int, str, DomainModel]]:
        """Yield changed lines of a step that read as the line before did, and what they decide."""
        start, end = self.spans[step]
        before = self._read_changed(start, end, start, self.lines[start])
        kinds = (self._iterate_limits, self._iterate_results, self._iterate_ends)
        for kind in kinds:
            found: dict[int, list[str]] = {}
            for stated in self._stated.statements:
                item = stated.statement
                others = kind(item.term) if stated.step == step and item.term is not None else ()
                for term in dict.fromkeys(others):
                    other = self._stated.write_line(stated, self._say(item, term))
                    if other is not None:
                        found.setdefault(other[0], []).append(other[1])
            for at, line in islice(self._iterate_drawn(found), _EACH):
                after = self._read_changed(start, end, at, line)
                if after.unread == before.unread and self._is_plausible(step, after.model):
                    yield at, line, after.model

    def _say(self, item: Statement, term: Term) -> str:
        """Return the words of a statement that says something else, "" where there are none."""
        if item.kind == "row":
            return restate_row(self._stated.writer, item, term)
        return self._stated.words.say(item.kind, term)

    def _iterate_drawn(self, found: Mapping[int, Sequence[str]]) -> Iterator[tuple[int, str]]:
        """Yield one drawn line for each place, then another one, as long as there are some."""
        for turn in range(max(map(len, found.values()), default=0)):
            for at, lines in found.items():
                if turn < len(lines):
                    yield at, lines[permute_index(turn, len(lines), self.seed, "change", at)]

    def _is_plausible(self, step: str, other: DomainModel) -> bool:
        """Return whether a step decides otherwise, and still between several results and steps."""
        before, after = self.model.steps[step], other.steps[step]
        is_one_step = len({edge.to for edge in after.edges}) == 1 < len(before.edges)
        return (
            other != self.model
            and not is_one_step
            and not any(map(_has_one_result, (other.decisions[target] for target in after.decide)))
        )

    def _read_changed(self, start: int, end: int, at: int, line: str) -> ReadSteps:
        lines = [*self.lines[start:at], line, *self.lines[at + 1 : end], *self._referred]
        return self.read_text("\n".join(lines))

    def _iterate_limits(self, term: Term) -> Iterator[Term]:
        """Yield a statement with other values of a limit that it states once."""
        for item in self.model.policy.values():
            figure = self._stated.words.mean(item.constant)[:-1]
            places = [x for x in walk_term(term) if x[:-1] == figure]
            for turn in range(_VALUES if len(places) == 1 else 0):
                other = draw_earlier_value(self.model, item.constant, self.seed + turn)
                if other is not None:
                    yield _put(term, places[0], drop_names(self._stated.words.mean(other)))

    def _iterate_results(self, term: Term) -> Iterator[Term]:
        """Yield a statement with other labels as its result."""
        match term:
            case ("rule", result, asked):
                yield from (("rule", x, asked) for x in self._list_others(result))
            case ("answers", asked, *given):
                yield from (("answers", asked, *other) for other in self._vary(given))
            case ("row", *cells):
                yield from (("row", *other) for other in self._vary(cells))
            case ("chooses", target, asked, label, rest):
                for x in self._list_others(("label", label)):
                    yield ("chooses", target, asked, x[1], rest)
            case _:
                return

    def _vary(self, parts: Sequence[Term]) -> Iterator[Sequence[Term]]:
        """Yield what is given of several fields, or in a row, with another label in one place."""
        for place, (*kind, result) in enumerate(parts):
            for other in self._list_others(result) if kind[0] in _GIVEN else ():
                yield [*parts[:place], (*kind, other), *parts[place + 1 :]]

    def _list_others(self, result: Term) -> list[Term]:
        """Return the other labels of the values that steps decide and that have this one."""
        if result[0] != "label":
            return []
        kinds = [self.model.fields[x].type for s in self.model.steps.values() for x in s.decide]
        labels = [
            label
            for kind in kinds
            if isinstance(kind, EnumType) and result[1] in kind.values
            for label in kind.values
        ]
        return [("label", label) for label in dict.fromkeys(labels) if label != result[1]]

    def _iterate_ends(self, term: Term) -> Iterator[Term]:
        """Yield a statement that leads to other ends than the one to which it leads."""
        ends = [step.id for step in self.model.steps.values() if step.end is not None]
        match term:
            case ("goes", asked, ("step", to)) if to in ends:
                yield from (("goes", asked, ("step", end)) for end in ends if end != to)


def _put(term: Term, part: Term, other: Term) -> Term:
    return other if term == part else map_parts(term, lambda x: _put(x, part, other))


def _has_one_result(decision: Decision) -> bool:
    """Return whether a decision comes to the same by each of several rules."""
    rules = decision.rules if isinstance(decision, Table) else ()
    return len(rules) > 1 and all(rule.then == rules[0].then for rule in rules)


def put_changes(lines: Sequence[str], changes: Sequence[LineChange]) -> list[str]:
    """Return lines with others in the places of some."""
    found = list(lines)
    for change in changes:
        found[change.at] = change.line
    return found
