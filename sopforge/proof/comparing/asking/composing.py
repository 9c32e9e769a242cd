"""Questions composed of what was found: a cause, a plain case of it, and its grounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sopforge.language.domain.expressions.expressions import collect_read_fields
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.proof.comparing.asking.fact_words import describe_fact, phrase_matter
from sopforge.proof.comparing.asking.grounds import Ground, Grounds, Sources
from sopforge.proof.comparing.asking.plain_cases import CaseChooser, PlainCase
from sopforge.proof.comparing.asking.questions import DIFFERENCE, FACT, Fact, Question, View
from sopforge.proof.comparing.asking.tracing import Trace
from sopforge.proof.comparing.cases import Cases, Census
from sopforge.proof.comparing.causes import Cause, count_places, find_clear_places
from sopforge.proof.comparing.mistakes import Mistake

MOST_GROUPS = 12
_MOST_GROUPED = 400
NOT_HERE = "(That does not apply here.)"


@dataclass(frozen=True, slots=True)
class BothSources:
    """Sentences of the brief by what rests on them, in either model."""

    ours: Sources = field(default_factory=dict)
    theirs: Sources = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assumed:
    """A fact of theirs of which ours knows nothing, with a value that it is not taken to have.

    Of the drawn cases ``count`` are answered otherwise where it is as they draw it.
    """

    name: str
    other: Value | None
    places: tuple[int, ...]
    count: int


@dataclass(slots=True)
class Composer:
    """Composes questions about cases; ``unknown`` facts of theirs have no partner yet."""

    cases: Cases
    census: Census
    sources: BothSources
    unknown: frozenset[str] = frozenset()
    chooser: CaseChooser = field(init=False)
    ours: Grounds = field(init=False)
    theirs: Grounds = field(init=False)

    def __post_init__(self) -> None:
        self.chooser = CaseChooser(self.cases, self.unknown)
        self.ours = Grounds(self.cases.translation.ours, self.sources.ours)
        self.theirs = Grounds(self.cases.translation.theirs, self.sources.theirs)

    def compose_cause(self, cause: Cause) -> Question | None:
        """Return the question of a cause."""
        case = self.chooser.choose_case(find_clear_places(self.cases, cause))
        case = case or self.chooser.choose_case(cause.places)
        if case is None:
            return None
        grounds = self.find_grounds(case, cause)
        count = count_places(cause.places, self.census.held)
        fact = cause.ours.fact if cause.ours else ""
        kind, matter = DIFFERENCE, ""
        if fact:
            item = self.cases.translation.ours.fields[fact]
            kind = FACT
            matter = phrase_matter(self.cases.translation.ours, item, case.row.get(fact))
        question = self.build_question(case, grounds, count, kind, matter)
        return replace(question, changed=cause.ours.model if cause.ours else None)

    def compose_rest(self, places: Sequence[int]) -> list[Question]:
        """Return questions about cases that no single thing explains: one for what decides them."""
        groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        grounds: dict[tuple[str, ...], tuple[Ground | None, Ground | None]] = {}
        step = max(1, len(places) // _MOST_GROUPED)
        for place in places[::step]:
            case = self.chooser.look_at_place(place)
            if case is not None:
                found = self.find_grounds(case, None)
                key = tuple(ground.item if ground else "" for ground in found)
                groups[key].append(place)
                grounds[key] = found
        ranked = sorted(groups.items(), key=lambda item: -len(item[1]))[:MOST_GROUPS]
        return [
            question
            for key, group in ranked
            for question in self.iterate_group_questions(group, grounds[key], step)
        ]

    def iterate_group_questions(
        self, group: Sequence[int], grounds: tuple[Ground | None, Ground | None], step: int
    ) -> Iterator[Question]:
        case = self.chooser.choose_case(group)
        if case is not None:
            count = count_places(group, self.census.held) * step
            yield self.build_question(case, grounds, count)

    def compose_assumed(self, assumed: Assumed) -> Question | None:
        """Return the question whether a fact matters that only theirs asks for.

        The chooser's cases have the fact as it is not taken to be.
        """
        case = self.chooser.choose_case(assumed.places)
        if case is None:
            return None
        theirs = self.cases.translation.theirs
        item = theirs.fields[assumed.name]
        facts = frozenset({assumed.name})
        ours = self.ours.find_decider(case.ours, case.apart[0].ours.name)
        other = self.theirs.find_by_facts(case.theirs, facts, case.apart[0].theirs.name)
        matter = phrase_matter(theirs, item, assumed.other)
        return self.build_question(case, (ours, other), assumed.count, FACT, matter)

    def find_grounds(
        self, case: PlainCase, cause: Cause | None
    ) -> tuple[Ground | None, Ground | None]:
        """Return what decides a case in each reading, of all that does what they part at."""
        mistakes = (cause.ours, cause.theirs) if cause else (None, None)
        sides = cause.sides if cause else (self.ours.model, self.theirs.model)
        first = _find_changed(self.ours, sides[0], mistakes[0], case.ours)
        second = _find_changed(self.theirs, sides[1], mistakes[1], case.theirs)
        pair = case.apart[0]
        if first is None:
            facts = self.chooser.map_facts(_collect_facts(second, case.theirs))
            first = self.ours.find_by_facts(case.ours, facts, pair.ours.name)
        if second is None:
            read = _collect_facts(first, case.ours)
            named = case.theirs.facts[pair.theirs.name]
            facts = frozenset(name for name in named if self.chooser.map_facts([name]) & read)
            second = self.theirs.find_by_facts(case.theirs, facts, pair.theirs.name)
        return first, second

    def build_question(
        self,
        case: PlainCase,
        grounds: tuple[Ground | None, Ground | None],
        count: int,
        kind: str = DIFFERENCE,
        matter: str = "",
    ) -> Question:
        first = {
            pair.ours.label: pair.format_ours(case.ours.answers[pair.ours.name])
            for pair in case.apart
        }
        second = {
            pair.ours.label: pair.format_theirs(case.theirs.answers[pair.theirs.name])
            for pair in case.apart
        }
        names = case.apart[0].ours.name, case.apart[0].theirs.name
        return Question(
            case=tuple(self.list_facts(case, grounds)),
            first=_build_view(first, self.ours, grounds[0], case.ours, names[0]),
            second=_build_view(second, self.theirs, grounds[1], case.theirs, names[1]),
            cases=count,
            drawn=self.census.held,
            kind=kind,
            matter=matter,
            rows=(case.row, case.their_row),
        )

    def list_facts(
        self, case: PlainCase, grounds: tuple[Ground | None, Ground | None]
    ) -> list[Fact]:
        """Return the facts of a case, those first by which the two readings part."""
        translation = self.cases.translation
        theirs = self.theirs.list_turning(grounds[1], case.theirs) if grounds[1] else frozenset()
        own = self.ours.list_turning(grounds[0], case.ours) if grounds[0] else frozenset()
        key = own | self.chooser.map_facts(theirs)
        found = [
            replace(describe_fact(translation.ours, name, case.row), is_key=name in key)
            for name in case.facts
            if _is_there(translation.ours, name, case.row)
        ]
        found += [
            replace(describe_fact(translation.theirs, name, case.their_row), is_key=name in theirs)
            for name in case.others
        ]
        return sorted(found, key=lambda fact: not fact.is_key)


def _is_there(model: DomainModel, name: str, row: Mapping[str, Value | None]) -> bool:
    """Return whether a fact is one of a record that is there."""
    owner = model.find_owner(name)
    return owner is None or owner is model.case or row.get(owner.name) is not None


def _find_changed(
    grounds: Grounds, before: DomainModel, mistake: Mistake | None, trace: Trace
) -> Ground | None:
    return None if mistake is None else grounds.find_changed(before, mistake.model, trace)


def _collect_facts(ground: Ground | None, trace: Trace) -> frozenset[str]:
    """Return the facts that a ground takes on a case; of what does not apply, those it names."""
    if ground is None:
        return frozenset()
    named = frozenset(name for part in ground.parts for name in collect_read_fields(part))
    return trace.items.get(ground.item, named)


def _build_view(
    decides: Mapping[str, str],
    grounds: Grounds,
    ground: Ground | None,
    trace: Trace,
    answer: str,
) -> View:
    found, words = [], []
    decider = grounds.find_decider(trace, answer)
    applies = ground is not None and (
        ground.item in trace.items or (decider is not None and decider.item == ground.item)
    )
    if ground is not None:
        found.append(ground)
        words.append(ground.words if applies else f"{ground.words} {NOT_HERE}")
    # Where the rule in question does not apply, it is said what does.
    if decider is not None and not applies:
        found.append(decider)
        words.append(decider.words)
    quoted = next((part for item in found if (part := item.find_sources(grounds.sources))), ())
    return View(decides, tuple(words), quoted, tuple(item.item for item in found))
