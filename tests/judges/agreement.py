"""The harness of the proof that all readings agree: models, rows, and each reading held to answers.

The answers are the reference interpreter's, which knows nothing of SOPForge. A model is asked on
rows put together from its pools; a reading that answers one of them differently is a disagreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import z3

from sopforge.artifacts.rendering.tools.source import (
    ToolSource,
    collect_moments,
    render_tool_source,
)
from sopforge.language.domain.expressions.expressions import collect_read_fields
from sopforge.language.domain.values.types import (
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueType,
)
from sopforge.language.logic.readings.python_source import collect_helpers
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.readings.solver_variables import Variables
from sopforge.language.logic.readings.symbolic import Symbolic
from sopforge.language.logic.readings.vector import Columns, ListColumn, evaluate_columns
from tests.generators.expressions import Question
from tests.generators.models import Model, make_model
from tests.generators.scopes import minutes
from tests.judges.cells import Cell, cells_of
from tests.judges.reference_interpreter import Natural

Column: TypeAlias = npt.NDArray[Any]
SOLVER_MILLISECONDS = 60_000


class DisagreementError(AssertionError):
    """A reading differs from the reference on a row."""


@dataclass(frozen=True)
class Rows:
    """The same rows in the form of each reading."""

    natural: Sequence[Mapping[str, Natural | None]]
    stored: Sequence[Mapping[str, Value | None]]
    decoded: Mapping[str, Sequence[object]]
    columns: Columns

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.natural)


@dataclass(frozen=True)
class Case:
    """A question, and the reference's answer on each row; None where there is nothing to ask."""

    model: Model
    question: Question
    rows: Rows
    answers: Sequence[Value | None]

    @property
    def asked(self) -> list[int]:
        """The positions of the rows that have an answer."""
        return [place for place, answer in enumerate(self.answers) if answer is not None]

    def refuse(self, reading: str, place: int, found: object) -> None:
        """Report that a reading is wrong on a row.

        Raises:
            DisagreementError: always.
        """
        read = sorted(collect_read_fields(self.question.expression))
        row = {name: self.rows.natural[place][name] for name in read}
        raise DisagreementError(
            f"model {self.model.number}: {self.question.text}\non {row}\nthe reference says "
            f"{self.answers[place]!r}, the {reading} reading {found!r}"
        )


@dataclass
class Tally:
    """What a run has compared."""

    models: int = 0
    questions: int = 0
    rows: int = 0
    answers: int = 0
    solver_rows: int = 0
    solver_answers: int = 0
    cells: Counter[Cell] = field(default_factory=Counter)
    texts: set[str] = field(default_factory=set)

    def add(self, other: Tally) -> None:
        """Add what another run has compared."""
        self.models += other.models
        self.questions += other.questions
        self.rows += other.rows
        self.answers += other.answers
        self.solver_rows += other.solver_rows
        self.solver_answers += other.solver_answers
        self.cells.update(other.cells)
        self.texts |= other.texts


def agree(numbers: Iterable[int], row_count: int, solver_rows: int) -> Tally:
    """Hold all readings of the models of some numbers to the reference.

    Raises:
        DisagreementError: one of them differs.
    """
    tally = Tally()
    for number in numbers:
        model = make_model(number)
        rows = make_rows(model, row_count)
        cases = list(cases_of(model, rows))
        for case in cases:
            for check in CHECKS.values():
                check(case)
            asked = np.array([answer is not None for answer in case.answers])
            tally.cells.update(cells_of(case.question, model.scope, rows.columns, asked))
            tally.answers += len(case.asked)
        tally.solver_answers += ask_solver(cases, solver_rows)
        tally.models += 1
        tally.questions += len(cases)
        tally.rows += rows.count
        tally.solver_rows += min(solver_rows, rows.count)
        tally.texts.add(" | ".join([str(model.scope.fields), *(q.text for q in model.questions)]))
    return tally


def check_model(model: Model, row_count: int) -> None:
    """Hold the readings that evaluate a model to the reference, and leave the solver out.

    Raises:
        DisagreementError: one of them differs.
    """
    for case in cases_of(model, make_rows(model, row_count)):
        for check in CHECKS.values():
            check(case)


def cases_of(model: Model, rows: Rows) -> Iterator[Case]:
    """Yield each question of a model with the reference's answers."""
    for question in model.questions:
        kind = question.expression.type
        found = [question.meaning(row) for row in rows.natural]
        yield Case(model, question, rows, [as_stored(kind, value) for value in found])


# ------------------------------------------------------------------------------------------ rows


def make_rows(model: Model, count: int) -> Rows:
    """Return rows whose values are drawn from the model's pools."""
    random = Random(f"rows {model.number}")  # noqa: S311 - no secret
    natural: dict[str, list[Natural | None]] = {}
    stored: dict[str, list[Value | None]] = {}
    decoded: dict[str, list[object]] = {}
    for name, pool in model.pools.items():
        kind = model.scope.fields[name]
        chosen = random.choices(range(len(pool)), k=count)
        natural[name] = [pool[place] for place in chosen]
        stored[name] = _each([as_stored(kind, value) for value in pool], chosen)
        decoded[name] = _each([as_decoded(kind, value) for value in pool], chosen)
    return Rows(
        natural=[{**model.named, **row} for row in _upright(natural, count)],
        stored=_upright(stored, count),
        decoded=decoded,
        columns=columns_of(model.scope.fields, stored, count),
    )


def columns_of(
    fields: Mapping[str, ValueType], stored: Mapping[str, Sequence[Value | None]], count: int
) -> Columns:
    """Return rows as columns; a missing value is carried as 0 or the empty text."""
    values, present, lists = {}, {}, {}
    for name, kind in fields.items():
        column = stored[name]
        present[name] = np.array([value is not None for value in column], dtype=bool)
        if isinstance(kind, ListType):
            lists[name] = _list_column(kind, column)
        else:
            values[name] = _column(kind, column)
    return Columns(count, values, present, lists)


def as_stored(  # noqa: C901, PLR0911 - one case per kind of value
    kind: ValueType, value: object
) -> Value | None:
    """Return a value of the reference, or of emitted code, as rows and readings hold it."""
    match value:
        case None:
            return None
        case bool() | int():
            return int(value)
        case str() if isinstance(kind, EnumType):
            return kind.values.index(value)
        case str() if isinstance(kind, DateType):
            return date.fromisoformat(value).toordinal()  # a day that is written out
        case str():
            return value
        case Fraction():
            return _scaled(kind, value)
        case datetime() if isinstance(kind, DateTimeType):
            return minutes(value)
        case date():
            return value.toordinal()
        case frozenset() | tuple() if isinstance(kind, SetType):
            assert not isinstance(value, tuple) or _is_in_order(kind, value), f"{value} is shuffled"
            return sum(1 << kind.values.index(label) for label in frozenset(value))
        case tuple() if isinstance(kind, ListType):
            return tuple(
                {name: _atom(as_stored(part, item[name])) for name, part in kind.fields}
                for item in value
            )
        case _:
            raise TypeError(f"{value!r} is no value of {kind}")


def as_decoded(kind: ValueType, value: Natural | None) -> object:
    """Return a value as the emitted tools hold it."""
    match value:
        case bool() | str() | None:
            return value
        case frozenset() if isinstance(kind, SetType):
            return tuple(label for label in kind.values if label in value)
        case tuple() if isinstance(kind, ListType):
            parts = dict(kind.fields)
            return tuple(
                {name: as_decoded(parts[name], part) for name, part in item.items()}
                for item in value
            )
        case _:
            return as_stored(kind, value)


def _is_in_order(kind: SetType, labels: Sequence[str]) -> bool:
    return list(labels) == [label for label in kind.values if label in labels]


def _scaled(kind: ValueType, value: Fraction) -> int:
    assert isinstance(kind, NumberType), f"{value} is no {kind}"
    scaled = value * 10**kind.places
    assert scaled.denominator == 1, f"{value} has more than {kind.places} decimal places"
    return int(scaled)


def _each(pool: Sequence[Any], chosen: Sequence[int]) -> list[Any]:
    return [pool[place] for place in chosen]


def _upright(columns: Mapping[str, Sequence[Any]], count: int) -> list[dict[str, Any]]:
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    made = [dict(zip(names, row, strict=True)) for row in rows]
    assert len(made) == count
    return made


def _column(kind: ValueType, column: Sequence[Value | None]) -> Column:
    if isinstance(kind, TextType):
        return np.array(["" if value is None else value for value in column], dtype=object)
    return np.array([0 if value is None else value for value in column], dtype=np.int64)


def _list_column(kind: ListType, column: Sequence[Value | None]) -> ListColumn:
    items = [value if isinstance(value, tuple) else () for value in column]
    fields: dict[str, Column] = {}
    for name, part in kind.fields:
        is_text = isinstance(part, TextType)
        matrix = np.full((len(items), kind.size), "" if is_text else 0, dtype=object)
        for place, listed in enumerate(items):
            matrix[place, : len(listed)] = [item[name] for item in listed]
        fields[name] = matrix if is_text else matrix.astype(np.int64)
    return ListColumn(fields, np.array([len(listed) for listed in items]))


def _atom(value: Value | None) -> int | str:
    assert isinstance(value, int | str)
    return value


# -------------------------------------------------------------------------------------- readings


def check_scalar(case: Case) -> None:
    """Hold the scalar reading to the answers."""
    expression, rows, answers = case.question.expression, case.rows.stored, case.answers
    for place in case.asked:
        found = evaluate(expression, rows[place])
        if found != answers[place]:
            case.refuse("scalar", place, found)


def check_vector(case: Case) -> None:
    """Hold the vector reading to the answers."""
    column = evaluate_columns(case.question.expression, case.rows.columns).tolist()
    for place in case.asked:
        if column[place] != case.answers[place]:
            case.refuse("vector", place, column[place])


def check_python(case: Case) -> None:
    """Hold the emitted Python to the answers."""
    decide, names = compiled(case)
    kind, answers = case.question.expression.type, case.answers
    rows = list(zip(*(case.rows.decoded[name] for name in names), strict=True))
    for place in case.asked:
        found = as_stored(kind, decide(*(rows[place] if rows else ())))
        if found != answers[place]:
            case.refuse("python", place, found)


CHECKS: Mapping[str, Callable[[Case], None]] = {
    "scalar": check_scalar,
    "vector": check_vector,
    "python": check_python,
}


def ask_solver(cases: Sequence[Case], count: int) -> int:
    """Hold the terms of a model's questions to the answers, on so many rows; return the answers."""
    if not cases or not count:
        return 0
    pinned = _Pinned(cases)
    step = max(1, cases[0].rows.count // count)
    places = list(range(0, cases[0].rows.count, step))[:count]
    return sum(pinned.check(place) for place in places)


def compiled(case: Case) -> tuple[Callable[..., object], list[str]]:
    """Return the emitted source of a question as a function, and the fields that it takes."""
    scope, expression = case.model.scope, case.question.expression
    names = sorted(collect_read_fields(expression))
    constants = [f"{name.upper()} = {item.value!r}" for name, item in scope.constants.items()]
    calendars = [f"{name.upper()} = {item.holidays!r}" for name, item in scope.calendars.items()]
    moments = collect_moments([expression]).items()
    named = [f"{name} = {value}" for name, (_, value) in moments]
    source = render_tool_source(ToolSource(scope.constants), expression)
    lines = [
        *("from datetime import date", *constants, *calendars, *named),
        *collect_helpers([expression]),
        f"def decide({', '.join(names)}):\n    return {source}",
    ]
    module: dict[str, Any] = {}
    exec(compile("\n".join(lines), "emitted", "exec"), module)  # noqa: S102 - our own output
    decide: Callable[..., object] = module["decide"]
    return decide, names


class _Pinned:
    """The terms of a model's questions, asked on rows by pinning their variables to values.

    The values of missing fields and of unused places stay free, within the limits of the types:
    no answer may depend on them.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self.rows = cases[0].rows
        self.variables = Variables(z3.Context())
        self.context = self.variables.context
        self.answer = z3.Int("answer", self.context)
        reading = Symbolic(self.variables)
        asked = [case.question.expression for case in cases]
        rights = [self.right(item.type, reading.build_term(item)) for item in asked]
        true = z3.BoolVal(True, self.context)  # noqa: FBT003 - z3
        self.limits = z3.And(true, *self.variables.limits)
        self.wrongs = [z3.And(self.limits, z3.Not(right)) for right in rights]
        self.solver = z3.Solver(ctx=self.context)
        self.solver.set("timeout", SOLVER_MILLISECONDS)

    def right(self, kind: ValueType, term: object) -> z3.BoolRef:
        """Return the claim that a term is the answer."""
        if isinstance(term, z3.BoolRef):
            return term == (self.answer == 1)
        if isinstance(term, tuple) and isinstance(kind, SetType):  # a bit for each label
            return z3.Sum([bit * (1 << place) for place, bit in enumerate(term)]) == self.answer
        if isinstance(term, tuple):
            # A list: its length, and the parts of each place, of which unused ones are 0.
            wanted = [self.listed(place) for place in range(len(term))]
            return z3.And(*(one == other for one, other in zip(term, wanted, strict=True)))
        assert isinstance(term, z3.ArithRef)
        return term == self.answer

    def listed(self, place: int) -> z3.ArithRef:
        """Return the variable of one of the integers that an answer is, where it is a list."""
        return z3.Int(f"answer[{place}]", self.context)

    def answer_pins(self, kind: ValueType, answer: Value) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """Return what the variables of an answer stand for."""
        if not isinstance(kind, ListType):
            assert isinstance(answer, int)
            return [(self.answer, self.whole(answer))]
        assert isinstance(answer, tuple)
        widths = {
            name: len(part.values) if isinstance(part, SetType) else 1 for name, part in kind.fields
        }
        codes = [len(answer)]
        for item in answer:
            for name, width in widths.items():
                is_set = isinstance(dict(kind.fields)[name], SetType)
                code = self.variables.encode_atom(item[name])
                codes += [code >> bit & 1 for bit in range(width)] if is_set else [code]
        codes += [0] * ((kind.size - len(answer)) * sum(widths.values()))
        return [(self.listed(place), self.whole(code)) for place, code in enumerate(codes)]

    def check(self, place: int) -> int:
        """Hold the terms of all questions to the answers on a row; return how many."""
        pins, asked = self.pins(place), 0
        if self.simplified(self.limits, pins) is None:
            self.cases[0].refuse("solver", place, "limits that the row does not meet")
        for case, wrong in zip(self.cases, self.wrongs, strict=True):
            answer = case.answers[place]
            if answer is None:
                continue
            asked += 1
            kind = case.question.expression.type
            left = self.simplified(wrong, [*pins, *self.answer_pins(kind, answer)])
            if left is not None:
                case.refuse("solver", place, left)
        return asked

    def simplified(
        self, claim: z3.BoolRef, pins: Sequence[tuple[z3.ExprRef, z3.ExprRef]]
    ) -> z3.ExprRef | None:
        """Return what is left of a claim on a row, None if it cannot hold."""
        left = z3.simplify(z3.substitute(claim, *pins))
        if z3.is_false(left):
            return None
        if z3.is_true(left):
            return left
        self.solver.push()
        self.solver.add(left)
        found = self.solver.check()
        self.solver.pop()
        assert found != z3.unknown, f"the solver does not know about {left}"
        return left if found == z3.sat else None

    def pins(self, place: int) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        row, pins = self.rows.stored[place], list[tuple[z3.ExprRef, z3.ExprRef]]()
        for name, variables in self.variables.values.items():
            found = self.value(name, row)
            if found is not None:
                codes = map(self.whole, self.codes(found, len(variables)))
                pins += zip(variables, codes, strict=True)
        for name, bit in self.variables.present.items():
            pins.append((bit, z3.BoolVal(row[name] is not None, self.context)))
        for name, length in self.variables.lengths.items():
            items = row[name]
            if isinstance(items, tuple):
                pins.append((length, self.whole(len(items))))
        return pins

    def value(self, name: str, row: Mapping[str, Value | None]) -> int | str | None:
        """Return what a variable stands for: a field, or ``list[place].field``."""
        source, _, rest = name.partition("[")
        found = row[source]
        if not rest:
            return found if isinstance(found, int | str) else None
        place, _, part = rest.partition("].")
        is_used = isinstance(found, tuple) and int(place) < len(found)
        return found[int(place)][part] if isinstance(found, tuple) and is_used else None

    def codes(self, found: int | str, count: int) -> list[int]:
        code = self.variables.encode_atom(found)
        return [code] if count == 1 else [code >> bit & 1 for bit in range(count)]

    def whole(self, value: int) -> z3.IntNumRef:
        return z3.IntVal(value, self.context)
