"""Reading back finds faults of the English: each is planted alone; a small sample catches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TypeAlias

import pytest

from sopforge.domain.language import expressions
from sopforge.domain.language.expressions import (
    AggregateFunction,
    AllOf,
    Constant,
    Expression,
    Extreme,
    Lookup,
    Operation,
    Read,
    Relation,
    SetOperation,
)
from sopforge.domain.parsing import ExpressionError
from sopforge.domain.values.types import BOOLEAN, DateType, NumberType, require_integer
from sopforge.logic.english import English, conditions, dates, groups, numbers, sets
from sopforge.logic.english_reader import NotReadError
from sopforge.logic.phrasing import brackets
from tests.generators import english as made
from tests.judges.english_back import is_linear, is_proved_equal, read_back, understood, values

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]

CONDITIONS = (
    "score >= 4",
    "score > 4",
    "score > 4 and score < tier",
    "score > 4 and tier < years",
    "count(extras & tools) == 0",
    "not (weight < 7.5)",
    "sent_on <= '2026-02-01'",
    "came_at >= '2026-02-01 08:30'",
    "not fragile",
    "not (fragile and consent)",
    "fragile and (consent or score > 2)",
    "(fragile and consent or score > 2) and tier > 1",
    "'Rug' in extras or 'Lamp' in extras",
    "'Rug' not in extras and 'Lamp' not in extras",
    "present(due_on)",
    "not present(visits)",
    "'Rug' not in extras",
    "piece in extras",
    "piece not in extras",
    "tools <= extras",
    "not (tools <= extras)",
    "extras <= ['Rug', 'Lamp']",
    "'Rug' in extras - tools",
    "'Rug' in extras | tools",
    "count(extras - (tools - ['Rug'])) > 1",
    "not (extras <= ['Rug'])",
    "speed in ['Slow', 'Very fast']",
    "speed not in ['Slow', 'Fast']",
    "any(i.settled for i in claims)",
    "any(i.kind == 'Fast' for i in claims if i.amount > fee)",
    "count(i for i in claims if i.kind == 'Fast') > 0",
    "all(i.settled for i in claims if i.amount > fee)",
    "not any(i.settled for i in claims)",
    "count(i for i in claims if i.settled) > 1",
    "days_between(sent_on, '2026-02-20') > 3",
    "days_between(sent_on, '2026-02-20') >= 0",
    "add_days(sent_on, -7) > '2026-01-28'",
    "days_between(sent_on, due_on) <= 3",
    "minutes_between(came_at, left_at) >= 90",
    "add_months(sent_on, 2) < due_on",
    "add_days(sent_on, -7) > add_days(due_on, -2)",
    "days_between(sent_on, due_on) > score",
    "weight * 100 >= years * 60",
    "weight * 100 > years * (100 + 2.5)",
    "workdays_between(sent_on, '2026-02-20', office) > 3",
    "add_days(sent_on, score - 1) > due_on",
)
NUMBERS = (
    "days_between(sent_on, due_on) + 1",
    "days_between(sent_on, due_on) - 1",
    "score - tier",
    "score - (tier - years)",
    "(score + tier) * 2",
    "-(score - 3)",
    "round(weight / years, 1)",
    "round(weight * 60 / 100, 1)",
    "round(weight * (100 + 5) / 100, 1)",
    "abs(score)",
    "min(score, tier)",
    "count(extras)",
    "tier if fragile else score",
    "score if score > 3 else years if years > tier else tier",
    "2 if speed == 'Fast' else 1 if speed == 'Slow' else 0",
    "min(max(score, 1), 3)",
    "sum(i.amount for i in claims if i.settled)",
    "max((i.parts_used for i in claims), default=tier)",
    "average((i.amount for i in claims), places=1, default=-1)",
)
POINTS = NumberType(0, 9)
TABLE = Lookup(
    POINTS, Read(made.SPEED, "speed"), tuple(Constant(POINTS, value) for value in (0, 2, 7))
)


@dataclass(frozen=True)
class Sentence:
    """What is said, and whether it is a value."""

    expression: Expression
    is_value: bool

    @property
    def is_read_back(self) -> bool:
        """Return whether a reader of the words understands what was meant."""
        back = read_back(made.MODEL, self.expression, is_value=self.is_value)
        return values(back) == values(self.expression) and (
            not is_linear(self.expression) or is_proved_equal(made.MODEL, self.expression, back)
        )


def sentences() -> dict[str, Sentence]:
    """Return the sample by what a brief writes."""
    texts = [*((text, None) for text in CONDITIONS), *((text, made.WIDE) for text in NUMBERS)]
    made_of = {text: understood(text, kind) for text, kind in texts}
    said = {
        text: Sentence(expression, is_value=text in NUMBERS)
        for text, expression in made_of.items()
        if expression is not None
    }
    assert len(said) == len(texts)
    fact = Read(BOOLEAN, "fragile")
    return said | {
        "the fact as a value": Sentence(fact, is_value=True),
        "table": Sentence(TABLE, is_value=True),
    }


def method(name: str, made: Callable[..., Callable[..., object]]) -> Plant:
    """Return the planting of another method, made from the sound one."""
    sound = getattr(English, name)
    return lambda patch: patch.setattr(English, name, made(sound))


def function(module: ModuleType, name: str, made: Callable[..., Callable[..., object]]) -> Plant:
    """Return the planting of another function, made from the sound one."""
    sound = getattr(module, name)
    return lambda patch: patch.setattr(module, name, made(sound))


def word(
    module: ModuleType,
    name: str,
    relation: Relation | Operation | Extreme | SetOperation,
    wrong: object,
) -> Plant:
    """Return the planting of another entry in a table of words."""
    return lambda patch: patch.setitem(getattr(module, name), relation, wrong)


def swapped(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda self, node, first, second: sound(self, node, second, first)


def branches_swapped(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda self, node, *parts: sound(
        self, replace(node, then=node.otherwise, otherwise=node.then), *parts
    )


def filterless(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda self, node: sound(self, replace(node, where=None))


def other_extreme(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda self, node, operands: sound(
        self, replace(node, extreme=Extreme.MAXIMUM), operands
    )


def turned(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda self, node, key, entries: sound(
        self, replace(node, entries=node.entries[::-1]), key, entries[::-1]
    )


def a_day_late(sound: Callable[..., str]) -> Callable[..., str]:
    def constant(self: English, node: Constant) -> str:
        days = int(isinstance(node.type, DateType))
        return sound(
            self, replace(node, value=require_integer(node.value) + days) if days else node
        )

    return constant


def any_as_all(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda self, node: sound(
        self,
        replace(node, function=AggregateFunction.ALL)
        if node.function is AggregateFunction.ANY
        else node,
    )


def only_first(sound: Callable[..., str]) -> Callable[..., str]:
    return lambda self, node, operand, *words: sound(
        self, replace(node, options=node.options[:1]), operand, *words
    )


FAULTS: dict[str, Plant] = {
    ">= as more than": word(conditions, "NUMBER_WORDS", Relation.GE, "more than"),
    "<= as before": word(conditions, "_DATE_WORDS", Relation.LE, "before"),
    "at or after as after": word(conditions, "_TIME_WORDS", Relation.GE, "after"),
    "the opposite of < is >": word(expressions, "_OPPOSITE", Relation.LT, Relation.GT),
    "minus as plus": word(numbers, "OPERATION_WORDS", Operation.SUBTRACT, "plus"),
    "operands of minus swapped": method("visit_arithmetic", swapped),
    "dividend and divisor swapped": method("visit_quotient", swapped),
    "a place too many": function(
        numbers, "to_places", lambda sound: lambda phrase, places: sound(phrase, places + 1)
    ),
    "no brackets around operands": function(
        brackets, "_bracket_phrase", lambda _: lambda _node, phrase, *_rest: phrase
    ),
    "no brackets in and and or": function(
        groups, "bracket_if_open", lambda _: lambda _node, phrase: phrase
    ),
    "only the first member": method(
        "phrase_members", lambda sound: lambda self, part, group: sound(self, part[:1], group)
    ),
    "and for or of members": method(
        "phrase_members",
        lambda sound: lambda self, part, group: sound(self, part, AllOf(group.operands)),
    ),
    "no entry as an entry": method(
        "phrase_holding",
        lambda sound: (
            lambda self, node, number: sound(self, node, "no" if number == "an" else number)
        ),
    ),
    "days before as days after": method(
        "phrase_distance",
        lambda sound: (
            lambda self, distance: sound(self, replace(distance, is_before=not distance.is_before))
        ),
    ),
    "no later than as less than": method(
        "phrase_distance",
        lambda sound: (
            lambda self, distance: (
                sound(self, distance)
                .replace("no later than", "less than")
                .replace("no earlier than", "less than")
            )
        ),
    ),
    "a distance of at least as more than": word(dates, "COUNT_WORDS", Relation.GE, "more than"),
    "a share of another percentage": method(
        "phrase_share", lambda sound: lambda self, share: sound(self, share).replace("60", "6")
    ),
    "a share plus as minus": method(
        "phrase_share",
        lambda sound: lambda self, share: sound(self, share).replace("plus", "minus"),
    ),
    "the part of a share as the whole": method(
        "phrase_compared_share",
        lambda sound: (
            lambda self, test: sound(
                self,
                replace(test, part=test.share.whole, share=replace(test.share, whole=test.part)),
            )
        ),
    ),
    "sets turned round": method("phrase_inclusion", swapped),
    "a set from the other": method("visit_combination", swapped),
    "together with as without": word(sets, "_OPERATION_WORDS", SetOperation.UNION, "without"),
    "something for nothing": method(
        "phrase_limits",
        lambda sound: lambda self, node, left, _: sound(self, node, left, "nothing"),
    ),
    "among for not among": method(
        "visit_among",
        lambda sound: lambda self, node, label, members, _="": sound(self, node, label, members),
    ),
    "at most as at least": word(numbers, "_BOUNDS", Extreme.MINIMUM, "at least"),
    "another label goes on": method(
        "phrase_continuation",
        lambda sound: lambda self, condition: sound(self, condition).replace("Slow", "Very fast"),
    ),
    "not left out": method("visit_negation", lambda _: lambda _self, _node, operand: operand),
    "missing and present swapped": method(
        "visit_presence", lambda sound: lambda self, node, word="": sound(self, node, word)
    ),
    "larger for smaller": method("visit_outermost", other_extreme),
    "branches swapped": method("visit_choice", branches_swapped),
    "entries turned": method("visit_lookup", turned),
    "no filter on entries": method("phrase_entries", filterless),
    "at least one as every": method("visit_aggregate", any_as_all),
    "0 for any default": method("phrase_default", lambda _: lambda _self, _node: "0"),
    "one day less for one more": method(
        "visit_arithmetic",
        lambda sound: lambda *parts: sound(*parts).replace("1 more than", "1 less than"),
    ),
    "two days more for one": method(
        "visit_arithmetic",
        lambda sound: lambda *parts: sound(*parts).replace("1 more than", "2 more than"),
    ),
    "days swapped": method("visit_elapsed", swapped),
    "before as after": function(
        dates,
        "_phrase_shifted",
        lambda sound: lambda *parts: sound(*parts).replace("before", "after"),
    ),
    "a day late": method("visit_constant", a_day_late),
    "only the first option": method("visit_one_of", only_first),
    "no decimals": function(
        brackets,
        "format_figure",
        lambda sound: lambda kind, value: sound(kind, value).partition(".")[0],
    ),
    "another field goes on": method(
        "drop_subjects",
        lambda sound: (
            lambda self, facts: [
                *facts[:1],
                *(fact[fact.find(" is ") + 1 :] for fact in sound(self, facts)[1:]),
            ]
        ),
    ),
    "something for nothing in common": method(
        "phrase_shared",
        lambda sound: (
            lambda self, node, left, right, *_: sound(self, node, left, right, "something")
        ),
    ),
    "yes for no": method(
        "phrase_fact", lambda sound: lambda self, node, _word: sound(self, node, "yes")
    ),
}


@pytest.mark.parametrize("sentence", sentences().values(), ids=list(sentences()))
def test_each_sentence_is_read_back_without_a_fault(sentence: Sentence) -> None:
    assert sentence.is_read_back


@pytest.mark.parametrize("plant", FAULTS.values(), ids=list(FAULTS))
def test_a_planted_fault_of_the_english_is_caught(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = sentences().values()
    plant(monkeypatch)

    assert [sentence for sentence in sound if not is_understood(sentence)]


def is_understood(sentence: Sentence) -> bool:
    """Return whether the words say what was meant; words that say nothing do not."""
    try:
        return sentence.is_read_back
    except (NotReadError, ExpressionError):
        return False
