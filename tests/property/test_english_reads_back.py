"""English is read back from the wording alone, and the solver proves that nothing got lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings

from sopforge.domain.guards import list_guard_checks
from sopforge.domain.language.expressions import Expression, collect_read_fields
from sopforge.domain.model import DomainModel
from sopforge.domain.parsing import parse_condition
from sopforge.domain.reading import read_brief, read_domain
from sopforge.domain.rules import Formula
from sopforge.domain.values.types import (
    ANY_DAY,
    ListType,
    ValueType,
)
from sopforge.logic.english import phrase_expression, phrase_line
from sopforge.logic.english_reader import build_vocabulary, read_condition
from tests.generators import english as made
from tests.judges.english_back import (
    is_linear,
    is_proved_equal,
    read_back,
    scope_of,
    understood,
    values,
)

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path
    for folder in ("briefs", "tests/briefs", "tests/domains")
    for path in (ROOT / folder).glob("*.yaml")
)


# what is shipped


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_expression_of_a_document_is_read_back(path: Path) -> None:
    model = read_model(path)
    found = dict(expressions_of(model))

    assert found
    for place, (expression, is_value) in found.items():
        back = read_back(model, expression, is_value=is_value)
        assert is_proved_equal(model, expression, back), place


def read_model(path: Path) -> DomainModel:
    text = path.read_text(encoding="utf-8")
    if "task_context:" in text:
        return read_brief(text, path.name).model
    return read_domain(text, path.name)


def expressions_of(model: DomainModel) -> Iterator[tuple[str, tuple[Expression, bool]]]:
    """Return every expression by its place, and whether it is a value."""
    # That a record is there is no condition of the language, but of the constraint's own.
    conditions = {
        f"constraint {n}": test
        for n, test in enumerate(model.constraints)
        if collect_read_fields(test) <= set(model.fields)
    }
    for step in model.steps.values():
        conditions |= {f"edge {edge.id}": edge.when for edge in step.edges if edge.when}
    for tool in model.tools.values():
        conditions |= {f"guard {tool.name}.{c.id}": c.test for c in list_guard_checks(tool.guard)}
    for name, decision in model.decisions.items():
        if isinstance(decision, Formula):
            yield f"formula {name}", (decision.value, True)
        else:
            yield from ((f"result {name}.{rule.id}", (rule.then, True)) for rule in decision.rules)
            conditions |= {
                f"rule {name}.{rule.id}": rule.when for rule in decision.rules if rule.when
            }
    yield from ((place, (condition, False)) for place, condition in conditions.items())


# what is made up


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(made.conditions(3))
def test_any_condition_is_read_back(text: str) -> None:
    check(parsed(text, None), is_value=False)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(made.conditions(2), made.conditions(1), made.conditions(1))
def test_a_condition_in_a_line_of_its_own_is_read_back(first: str, second: str, last: str) -> None:
    for text in (f"{first} and {second}", f"{first} or {second}", f"{first} or {second} or {last}"):
        expression = parsed(text, None)
        source = read_condition(phrase_line(expression, made.FIELDS), build_vocabulary(made.MODEL))
        back = parse_condition(source, scope_of(made.MODEL))

        assert values(back) == values(expression)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(made.sums(2) | made.functions(2) | made.choices(2) | made.aggregates())
@example("(score if 0 == minutes_between('2026-02-01 08:30', '2026-02-01 08:30') else score)").via(
    "two written times"
)
def test_any_number_is_read_back(text: str) -> None:
    check(parsed(text, made.WIDE), is_value=True)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(made.days(1))
def test_any_day_is_read_back(text: str) -> None:
    check(parsed(text, ANY_DAY), is_value=True)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(made.lists())
def test_any_list_that_is_made_is_read_back(made_list: tuple[str, ListType]) -> None:
    check(parsed(*made_list), is_value=True)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(made.sets(2))
def test_any_set_is_read_back(text: str) -> None:
    check(parsed(text, made.EXTRAS), is_value=True)


def parsed(text: str, kind: ValueType | None) -> Expression:
    """Return the expression; what the language refuses is no example."""
    expression = understood(text, kind)
    assume(expression is not None)
    assert expression is not None
    return expression


def check(expression: Expression, *, is_value: bool) -> None:
    back = read_back(made.MODEL, expression, is_value=is_value)

    assert values(back) == values(expression)
    if is_linear(expression):
        assert is_proved_equal(made.MODEL, expression, back)


# one wording, one meaning


NUMBERS = ("tier", "score", "2")
FACTS = ("fragile", "score > 2", "'Rug' in extras", "any(i.settled for i in claims)")
ITEM_FACTS = ("i.settled", "i.amount > fee", "fragile")
OPERATORS = ("({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} if fragile else {1})")
LOGIC = ("({0} and {1})", "({0} or {1})")


def pairs(forms: tuple[str, ...], parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return each form with each two of the parts."""
    return tuple(form.format(*two) for form in forms for two in product(parts, repeat=2))


def small_numbers() -> tuple[str, ...]:
    """Return every number of at most two levels of sums, signs, products and choices."""
    parts = (*NUMBERS, *pairs(OPERATORS, NUMBERS), *(f"(-{part})" for part in NUMBERS))
    wrapped = ("round({0}, 0)", "abs({0})", "max({0}, tier)", "round({0} / tier, 1)", "-{0}")
    return (*pairs(OPERATORS, parts), *(form.format(part) for form in wrapped for part in parts))


def small_conditions() -> tuple[str, ...]:
    """Return every condition of at most two levels, and aggregates with every small condition."""
    parts = (*FACTS, *pairs(LOGIC, FACTS), *(f"(not {part})" for part in FACTS))
    tests = (*ITEM_FACTS, *pairs(LOGIC, ITEM_FACTS))
    aggregates = ("any({0} for i in claims if {1})", "all({0} for i in claims if {1})")
    counts = tuple(f"count(i for i in claims if {test}) > 1" for test in tests)
    whole = tuple(f"{name}({test} for i in claims)" for name in ("any", "all") for test in tests)
    mixed = pairs(LOGIC, ("fragile", *whole[:12], *counts[:6]))
    return (*pairs(LOGIC, parts), *pairs(aggregates, tests), *counts, *whole, *mixed)


SMALL = pytest.mark.parametrize(
    ("texts", "kind"),
    [
        pytest.param(small_numbers(), made.WIDE, id="numbers"),
        pytest.param(small_conditions(), None, id="conditions"),
    ],
)


@SMALL
def test_what_is_small_is_read_back(texts: tuple[str, ...], kind: ValueType | None) -> None:
    for text in texts[::3]:
        expression = understood(text, kind)
        if expression is not None:
            back = read_back(made.MODEL, expression, is_value=kind is not None)
            assert back == expression or values(back) == values(expression), text


@SMALL
def test_what_reads_alike_means_the_same(texts: tuple[str, ...], kind: ValueType | None) -> None:
    alike: dict[str, set[Expression]] = {}
    for text in texts:
        expression = understood(text, kind)
        if expression is not None:
            words = phrase_expression(expression, made.FIELDS)
            alike.setdefault(words, set()).add(expression)

    assert len(alike) > 1_000
    for words, (first, *others) in alike.items():
        for other in others:
            assert values(other) == values(first), words
            assert not is_linear(other) or is_proved_equal(made.MODEL, first, other), words
