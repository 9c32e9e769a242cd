"""What an expression's words mean, read by themselves, gives its values on every row.

No word is right because it was written: the reader knows the words alone. Where nothing has two
meanings, the only term that it finds is the one that was said.
"""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.parsing import ExpressionError, parse_condition, parse_value
from sopforge.language.domain.values.types import ANY_DAY, ANY_MINUTE, ListType, Value, ValueType
from sopforge.language.english.english import English
from sopforge.language.english.lexicon import Lexicon
from sopforge.language.english.meaning import Meaning
from sopforge.language.english.sources import Rules
from sopforge.language.english.terms import OPPOSITES, drop_names, walk_term
from sopforge.language.logic.readings.scalar import evaluate
from tests.generators import english as made
from tests.generators import english_domain as domain

ROWS = [domain.random_row(Random(seed)) for seed in range(50)]  # noqa: S311 - no secrets
ENGLISH = English(Lexicon(domain.FIELDS))
EXAMPLES = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)


def parse(text: str, kind: ValueType | None) -> Expression:
    """Return a value of a type, or a condition; texts that the language refuses are left out."""
    try:
        return (
            parse_value(text, domain.SCOPE, kind) if kind else parse_condition(text, domain.SCOPE)
        )
    except ExpressionError:
        assume(condition=False)
        raise


def values(expression: Expression) -> list[Value]:
    return [evaluate(expression, row) for row in ROWS]


def hold_to_its_words(text: str, kind: ValueType | None) -> None:
    """Say an expression, read the words, and compare the values of both on all rows."""
    expression = parse(text, kind)
    sort = "value" if kind else "condition"
    term = drop_names(Meaning(domain.FIELDS).interpret(expression))

    words = ENGLISH.say(sort, term)

    assert words, f"there are no words for {text}"
    (read,) = ENGLISH.read(sort, words)
    rules = Rules(domain.SCOPE)
    back = rules.make_value(read, kind, "") if kind else rules.make_condition(read)
    assert values(back) == values(expression), words


@EXAMPLES
@given(made.conditions(3))
def test_conditions_mean_what_they_say(text: str) -> None:
    hold_to_its_words(text, None)


@EXAMPLES
@given(made.sums(2) | made.functions(2) | made.choices(2) | made.aggregates())
def test_numbers_are_what_they_are_said_to_be(text: str) -> None:
    hold_to_its_words(text, domain.WIDE)


@EXAMPLES
@given(made.days(1))
def test_days_are_what_they_are_said_to_be(text: str) -> None:
    hold_to_its_words(text, ANY_DAY)


@EXAMPLES
@given(made.moments())
def test_times_are_what_they_are_said_to_be(text: str) -> None:
    hold_to_its_words(text, ANY_MINUTE)


@EXAMPLES
@given(made.sets(2))
def test_sets_are_what_they_are_said_to_be(text: str) -> None:
    hold_to_its_words(text, domain.EXTRAS)


@EXAMPLES
@given(made.lists())
def test_lists_have_the_entries_that_they_are_said_to_have(pair: tuple[str, ListType]) -> None:
    hold_to_its_words(*pair)


@EXAMPLES
@example("7.70 + ((workdays_between(due_on, sent_on, office) - (years + 1)) - weight)")
@given(made.sums(2) | made.choices(2))
def test_words_do_not_depend_on_what_was_said_before(text: str) -> None:
    term = drop_names(Meaning(domain.FIELDS).interpret(parse(text, domain.WIDE)))
    # Of two figures, which no rule compares, a condition and its opposite are no words.
    compared = (x[1:] for x in walk_term(term) if x[0] in OPPOSITES)
    assume(not any(left[0] == right[0] == "number" for left, right in compared))
    kinds = ("value", "sum", "noun")

    fresh, other = (English(Lexicon(domain.FIELDS)) for _ in range(2))
    orders = ((fresh, kinds), (ENGLISH, kinds), (other, kinds[::-1]))
    said = [{kind: english.say(kind, term) for kind in order} for english, order in orders]
    reader = English(Lexicon(domain.FIELDS))
    # Read before anybody said what stands in the rule language there.
    reader.read("value", said[0]["value"])

    assert said[0] == said[1] == said[2]
    assert reader.say("value", term) == said[0]["value"]


@EXAMPLES
@given(st.lists(made.conditions(1), min_size=2, max_size=2))
def test_different_conditions_have_different_words(texts: list[str]) -> None:
    first, second = (parse(text, None) for text in texts)
    words = [
        ENGLISH.say("condition", Meaning(domain.FIELDS).interpret(item)) for item in (first, second)
    ]

    assume(values(first) != values(second))

    assert words[0] != words[1]
