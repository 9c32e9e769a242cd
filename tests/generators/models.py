"""Well-typed models made from a number: scopes with fields of every type, questions, edge values.

A model is a scope and what is asked in it: conditions, values and decisions as a brief writes
them. Equal numbers give equal models. Half of the questions are aimed, in turn, at an operator
and a type; the others are drawn freely. ``pools`` gives the values that rows are put together
from: mostly bounds, and what lies at and beside the constants that the questions compare with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from random import Random
from typing import Any, TypeAlias, TypeVar

from hypothesis import strategies as st

from sopforge.language.domain.building.decision_logic import DecisionBuilder
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.model_schema import DecisionDocument
from sopforge.language.domain.documents.yaml_documents import Document
from sopforge.language.domain.fields import Field, Role, Sampling
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.rules import Decision
from sopforge.language.domain.values.types import (
    BOOLEAN,
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    ValueType,
)
from sopforge.language.logic.tables import (
    build_coverage_condition,
    build_decision_value,
    build_presence,
)
from tests.generators.arithmetic import ArithmeticMaker, arithmetic_of
from tests.generators.expressions import ATTEMPTS, REFUSED, WIDEST, Maker, Question
from tests.generators.scopes import ERAS, OPTIONAL, choices_of, make_scope, natural
from tests.generators.turns import CONDITIONS_IN_TURN, DATES_IN_TURN, NUMBERS_IN_TURN, MakerOfText
from tests.generators.values import Pool, make_pools
from tests.generators.written_values import ANYWHERE
from tests.judges.reference_decisions import DecisionMeaning, decision, one_given
from tests.judges.reference_interpreter import NOTHING, Natural

Raw: TypeAlias = "int | bool | str | Decimal | tuple[str, ...]"

M = TypeVar("M", bound=Maker)

ANY_NUMBER = NumberType(-WIDEST, WIDEST)
ANY_DATE = DateType(1, date.max.toordinal())


@dataclass(frozen=True)
class Model:
    """A scope, what is asked in it, and the values that are worth asking about."""

    number: int
    scope: Scope
    questions: tuple[Question, ...]
    pools: Mapping[str, Pool]

    @property
    def named(self) -> dict[str, Natural]:
        """The values of the policy constants."""
        return {name: natural(item.type, item.value) for name, item in self.scope.constants.items()}


def models() -> st.SearchStrategy[Model]:
    """Return models for hypothesis."""
    return st.integers(0, 1 << 30).map(make_model)


def make_model(number: int) -> Model:
    """Return the model of a number."""
    random = Random(f"model {number}")  # noqa: S311 - no secret
    first, last = ERAS[number % len(ERAS)]
    scope = make_scope(random, first, last)
    maker = Maker(random, scope, first, last)
    questions = [*_aimed(maker, number), *_free(maker), *_decided(maker, number)]
    questions += _listed(maker, number)
    questions += arithmetic_of(_beside(ArithmeticMaker, maker, f"arithmetic {number}"), number)
    return Model(number, scope, tuple(questions), make_pools(maker, questions))


# ------------------------------------------------------------------------------------- questions


def _aimed(maker: Maker, number: int) -> Iterator[Question]:
    """Yield questions of which each model asks the next few in turn."""
    turns: tuple[tuple[list[MakerOfText], int, ValueType | None], ...] = (
        (CONDITIONS_IN_TURN, 7, None),
        (NUMBERS_IN_TURN, 3, ANY_NUMBER),
        (DATES_IN_TURN, 1, ANY_DATE),
    )
    for makers, count, target in turns:
        for turn in range(count):
            make = makers[(number * count + turn) % len(makers)]
            question = maker.ask(partial(make, maker), target)
            if question is not None:
                yield question


def _free(maker: Maker) -> Iterator[Question]:
    asked = (
        maker.ask(lambda: maker.condition(3)),
        maker.ask(lambda: maker.condition(2)),
        maker.ask(lambda: maker.number(3), ANY_NUMBER),
        maker.ask(lambda: maker.date(2), ANY_DATE),
        maker.ask(maker.label, maker.scope.fields["label_a"]),
    )
    return (question for question in asked if question is not None)


def _beside(kind: Callable[..., M], maker: Maker, seed: str) -> M:
    """Return a maker whose draws change nothing in those of another one."""
    found = kind(Random(seed), maker.scope, maker.first, maker.last)  # noqa: S311 - no secret
    found.marks = maker.marks
    return found


def _listed(maker: Maker, number: int) -> Iterator[Question]:
    """Yield lists that are made of others, drawn beside what else is drawn."""
    beside = _beside(Maker, maker, f"lists {number}")
    asked = (beside.ask_list(), beside.ask_list())
    return (question for question in asked if question is not None)


# ------------------------------------------------------------------------------------- decisions

POLICIES: tuple[tuple[str, str | None], ...] = (
    *(("unique", None), ("first", None), ("any", None)),
    *(("collect", "sum"), ("collect", "min"), ("collect", "max"), ("collect", "count")),
    *(("collect", "union"), ("priority", None)),
)
TARGETS: tuple[ValueType, ...] = (
    NumberType(-(10**15), 10**15),
    NumberType(-(10**15), 10**15, 2),
    EnumType(("Red", "Sea green", "O'Brien blue"), is_ordered=True),
    BOOLEAN,
    ANY_DATE,
    SetType(("Urgent", "Fragile", "Kept cold"), "no mark"),
)


def _decided(maker: Maker, number: int) -> Iterator[Question]:
    """Yield two tables by rules, and a look-up; each also as "is there a value?"."""
    for turn in (number, number + 3):
        hit, collect = POLICIES[turn % len(POLICIES)]
        # By the round, so that each policy meets each type: both numbers may be even.
        fitting = (0, 1, 2) if collect in {"min", "max"} else (0, 1)
        places = fitting if collect else range(len(TARGETS))
        target = TARGETS[places[turn // len(POLICIES) % len(places)]]
        target = TARGETS[-1] if collect == "union" else TARGETS[2] if hit == "priority" else target
        yield from _asked(maker, target, partial(_table, maker, hit, collect, target))
    target = TARGETS[number % len(TARGETS)]
    yield from _asked(maker, target, partial(_look_up, maker, target))
    yield from _given_together(maker, number)


def _given_together(maker: Maker, number: int) -> Iterator[Question]:
    """Yield what a table gives that gives two fields, each asked about by itself."""
    targets = {
        "first": TARGETS[number % len(TARGETS)],
        "second": TARGETS[(number + 2) % len(TARGETS)],
    }
    document = _joint_table(maker, targets)
    gathering = Gathering(Document("model", {}, {(): 1}))
    fields = {name: field_of(name, kind) for name, kind in maker.scope.fields.items()}
    for name, kind in targets.items():
        fields[name] = replace(field_of(name, kind), role=Role.DERIVED, missing="no value")
    builder = DecisionBuilder(gathering, Reader(gathering, maker.scope), fields)
    built = builder.build({"joint": DecisionDocument.model_validate(document)})
    codes = {fault.code for fault in gathering.faults}
    assert codes <= REFUSED, gathering.faults
    # Of a table with a rule that the type rules refuse, the others are built all the same.
    for name, found in built.items() if not codes else ():
        kind = targets[name]
        labels = kind.values if isinstance(kind, EnumType) else ()
        alone = one_given(document, name)
        verdict = decision(alone, labels, maker.calendars, maker.orders)
        value = build_decision_value(found)
        yield Question(str(alone), value, partial(_value, verdict), found)


def _joint_table(maker: Maker, targets: Mapping[str, ValueType]) -> dict[str, object]:
    def results() -> dict[str, Raw]:
        return {name: _result_or_nothing(maker, kind) for name, kind in targets.items()}

    gives = list(targets)
    if maker.random.random() < 0.3:
        labels = choices_of(maker.scope.fields["label_a"])
        return {"gives": gives, "table": "label_a", "rows": {label: results() for label in labels}}
    rules: list[dict[str, object]] = [
        {"id": f"R{place}", "when": f"({maker.condition(1)})", "then": results()}
        for place in range(maker.random.randint(1, 3))
    ]
    rules.append({"id": "REST", "otherwise": results()})
    return {"gives": gives, "hit": "first", "rules": rules}


def _asked(
    maker: Maker, target: ValueType, make: Callable[[], dict[str, object]]
) -> Iterator[Question]:
    for _ in range(ATTEMPTS):
        document = make()
        built = _built(maker, document, target)
        if built is None:
            continue
        labels = target.values if isinstance(target, EnumType) else ()
        verdict = decision(document, labels, maker.calendars, maker.orders)
        yield Question(str(document), build_decision_value(built), partial(_value, verdict), built)
        present = build_presence(build_decision_value(built))
        if present is not None:
            yield Question(f"a value: {document}", present, partial(_is_value, verdict))
        condition = build_coverage_condition(built)
        if condition is not None:
            yield Question(f"covered: {document}", condition, partial(_is_decided, verdict))
        return


def _value(verdict: DecisionMeaning, row: Mapping[str, Any]) -> Natural | None:
    found = verdict(row)
    return None if found == NOTHING else found


def _is_value(verdict: DecisionMeaning, row: Mapping[str, Any]) -> Natural | None:
    """Return whether what is decided is a value; nothing is asked where no rule applies."""
    found = verdict(row)
    return None if found is None else found != NOTHING


def _is_decided(verdict: DecisionMeaning, row: Mapping[str, Any]) -> Natural:
    return verdict(row) is not None


def _built(maker: Maker, document: Mapping[str, object], target: ValueType) -> Decision | None:
    """Return a decision as the building of a brief reads it, None if the type rules refuse it."""
    gathering = Gathering(Document("model", {}, {(): 1}))
    fields = {name: field_of(name, kind) for name, kind in maker.scope.fields.items()}
    fields["result"] = replace(field_of("result", target), role=Role.DERIVED, missing="no value")
    builder = DecisionBuilder(gathering, Reader(gathering, maker.scope), fields)
    built = builder.build_decision("result", DecisionDocument.model_validate(document))
    codes = {fault.code for fault in gathering.faults}
    assert codes <= REFUSED, gathering.faults
    return None if codes else built


def field_of(name: str, kind: ValueType) -> Field:
    """Return a field of the scope, as sentences need it."""
    return Field(
        name=name,
        label=name.replace("_", " "),
        role=Role.OBSERVED,
        type=kind,
        description=name,
        missing="not known" if name in OPTIONAL else "",
        primary=False,
        sampling=Sampling(),
    )


def _table(maker: Maker, hit: str, collect: str | None, target: ValueType) -> dict[str, object]:
    tests = [f"({maker.condition(1)})" for _ in range(maker.random.randint(1, 3))]
    result = partial(_result if collect else _result_or_nothing, maker, target)
    if hit == "priority" and isinstance(target, EnumType):
        result = partial(maker.random.choice, target.values)
    results = [result() for _ in tests]
    if hit == "unique":
        tests = [_alone(tests, place) for place in range(len(tests))]
    if hit == "any":
        results = results[:1] * len(tests)
        tests.append(f"not ({' or '.join(tests)}) and {maker.condition(1)}")
        results.append(result())
    rules: list[dict[str, object]] = [
        {"id": f"R{place}", "when": test, "then": result}
        for place, (test, result) in enumerate(zip(tests, results, strict=True))
    ]
    if maker.random.random() < 0.6:
        rules.append({"id": "REST", "otherwise": result()})
    collected: dict[str, object] = {"collect": collect} if collect else {}
    if hit == "priority" and isinstance(target, EnumType) and maker.random.random() < 0.7:
        collected["priority"] = tuple(maker.random.sample(target.values, len(target.values)))
    return {"hit": hit, "rules": rules, **collected}


def _alone(tests: list[str], place: int) -> str:
    before = " or ".join(tests[:place])
    return f"{tests[place]} and not ({before})" if before else tests[place]


def _look_up(maker: Maker, target: ValueType) -> dict[str, object]:
    labels = {name: choices_of(maker.scope.fields[name]) for name in ("label_a", "label_c")}
    if len(labels["label_c"]) > 5 or maker.random.random() < 0.3:
        return {
            "table": "label_c",
            "rows": {label: _result_or_nothing(maker, target) for label in labels["label_c"]},
        }
    rows: dict[str, object] = {
        first: {second: _result_or_nothing(maker, target) for second in labels["label_c"]}
        for first in labels["label_a"]
    }
    return {"table": ("label_a", "label_c"), "rows": rows}


def _result_or_nothing(maker: Maker, target: ValueType) -> Raw:
    """Return what a rule gives that may give no value."""
    chance, found = maker.random.random(), _result(maker, target)
    if chance < 0.1:
        return "missing"
    is_plain = isinstance(target, BooleanType | SetType)
    if chance < 0.2 and isinstance(found, str) and not is_plain:
        is_label = isinstance(target, EnumType) and found in target.values
        text = repr(found) if is_label or found[:1].isdigit() else found
        return f"{text} if flag_a else missing"
    return found


def _result(maker: Maker, target: ValueType) -> Raw:
    """Return what a rule gives, as a brief writes it: mostly a value, sometimes an expression."""
    random = maker.random
    match target:
        case NumberType():
            plain: Raw = random.randint(-20, 20)
            if target.places and random.random() < 0.5:
                plain = Decimal(random.randint(-999, 999)).scaleb(-target.places)
            expression = maker.name("integer", ANYWHERE) + random.choice(("", " + 1", " * 3"))
        case EnumType():
            plain, expression = random.choice(target.values), "label_b"
        case SetType():
            plain = tuple(random.sample(target.values, random.randint(0, len(target.values))))
            expression = maker.made_set("marks_a", ANYWHERE, 2)
        case BooleanType():
            plain, expression = random.random() < 0.5, maker.condition(0)
        case _:
            plain, expression = maker.some_day().isoformat(), "day_b"
    return plain if random.random() < 0.7 else expression
