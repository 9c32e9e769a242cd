"""One question, one fresh context: which row of a model meets all these conditions?

An answer is a row, a proof that there is none, or *undecided*. The row is the least one, field by
field in a fixed order, so that no solver version or call order shows in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

import z3

from sopforge.language.domain.expressions.expressions import Expression, Not, Read
from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, collect_decision_inputs
from sopforge.language.domain.values.malformed_inputs import find_marked_field, name_malformed_mark
from sopforge.language.domain.values.types import (
    Atom,
    AtomType,
    Item,
    ListType,
    SetType,
    TextType,
    Value,
)
from sopforge.language.logic.readings.solver_variables import Variables
from sopforge.language.logic.readings.symbolic import Symbolic
from sopforge.language.logic.tables import (
    build_coverage_condition,
    build_decision_value,
    build_presence,
    build_result_presence,
)
from sopforge.proof.solving import budgets
from sopforge.proof.solving.drawn_rows import is_met_by_drawn_row


@dataclass(frozen=True, slots=True)
class Row:
    """A row that meets the conditions: the fields asked about, as cells and as values.

    ``records`` says of each entity in question whether the row has a record: 1, or None.
    Likewise it says of each input in question whether it is malformed, under its mark.
    """

    cells: Mapping[str, str]
    values: Mapping[str, Value | None] = field(default_factory=dict)
    records: Mapping[str, int | None] = field(default_factory=dict)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {cell}" for name, cell in self.cells.items())


@dataclass(frozen=True, slots=True)
class NoRow:
    """The proof that no row meets the conditions."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver's resource budget ran out after so many units; nothing is known."""

    used: int = 0


Answer: TypeAlias = Row | NoRow | Undecided


def find_row(
    model: DomainModel,
    holding: Iterable[Expression],
    failing: Iterable[Expression] = (),
    *,
    is_shown: bool = True,
) -> Answer:
    """Return the least row on which ``holding`` hold and ``failing`` do not.

    Rows satisfy the model's constraints, and what is decided has the value that its formula or
    table gives. A row that need not be shown stays empty, which saves most of the work: such a row
    is looked for among drawn ones before the solver is asked. Where the budget runs out before
    the least row is found, the row is the best one so far.
    """
    wanted = [*holding, *map(Not, failing)]
    # Only for a row that nobody sees, for a drawn one is not the least.
    if not is_shown and is_met_by_drawn_row(model, wanted):
        return Row({})
    asked = ask(model, wanted)
    if isinstance(asked, NoRow | Undecided):
        return asked
    return find_least_row(model, asked) if is_shown else Row({})


def find_least_row(model: DomainModel, asked: OpenQuestion) -> Row:
    """Return the least row that answers a question, each pin with a budget of its own."""
    asked.solver.set("rlimit", budgets.QUESTION)
    return _LeastRow(model, asked).find()


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that a row answers: the solver, its variables, and the fields it is about.

    ``named`` are those, and others that constraints and decisions tie to them. Each of ``flags``
    implies one further condition, so that such can be assumed and dropped again.
    """

    variables: Variables
    solver: z3.Solver
    fields: tuple[str, ...]
    named: tuple[str, ...]
    flags: tuple[z3.BoolRef, ...] = ()

    def check(self, units: int) -> z3.CheckSatResult:
        """Look for a row, with so many of the solver's resource units."""
        self.solver.set("rlimit", units)
        return self.solver.check()

    @property
    def used(self) -> int:
        """The resource units that the question has taken up to now."""
        statistics = self.solver.statistics()
        return int(statistics.get_key_value("rlimit count"))


def ask(
    model: DomainModel,
    wanted: Iterable[Expression],
    texts: Iterable[str] = (),
    further: Iterable[Expression] = (),
    units: int | None = None,
) -> OpenQuestion | NoRow | Undecided:
    """Return the question whether a row meets all conditions, if one does.

    ``texts`` are such as the row may hold, besides those that the conditions name; ``further`` are
    conditions to be assumed later.
    """
    asked = pose(model, wanted, texts, further)
    result = asked.check(budgets.QUESTION if units is None else units)
    if result == z3.unknown:
        return Undecided(asked.used)
    return NoRow() if result == z3.unsat else asked


def decide_conditions(
    model: DomainModel, conditions: Sequence[Expression], units: int
) -> list[bool | None]:
    """Return for each condition whether a row meets it, None where the units do not suffice.

    All are asked in one context, which takes less than one for each; no row is looked at, for it
    would show the questions before it.
    """
    asked = pose(model, (), further=conditions)
    asked.solver.set("rlimit", units)
    verdicts = [asked.solver.check(flag) for flag in asked.flags]
    return [None if found == z3.unknown else bool(found == z3.sat) for found in verdicts]


def pose(
    model: DomainModel,
    wanted: Iterable[Expression],
    texts: Iterable[str] = (),
    further: Iterable[Expression] = (),
) -> OpenQuestion:
    """Return a question as ``ask`` does, but leave it open whether a row answers it."""
    # In a context that was used before, earlier questions would show in the row that is found.
    variables = Variables(z3.Context(), map_optional_fields(model))
    # Numbered first: no variable can have a text that has no number when patterns are written.
    for text in texts:
        variables.encode_atom(text)
    reading = Symbolic(variables)
    conditions = reading.build_conditions(wanted)
    flags, implied = _flag_terms(variables, reading.build_conditions(further))
    conditions += implied
    _complete(model, variables)
    # Listed before constraints are read: a row shows what was asked about, not all that is tied.
    asked = _list_asked_fields(model, variables)
    conditions += [reading.build_condition(expression) for expression in model.row_conditions]
    conditions += _define_decisions(model, reading)
    _complete(model, variables)
    # Last, for there have to be as many texts to choose from as there are variables by then.
    conditions += variables.follow_patterns()
    solver = make_steady_solver(variables.context)
    solver.add(*conditions, *variables.limits, *_constrain_presence(model, variables))
    return OpenQuestion(
        variables, solver, tuple(asked), tuple(_list_asked_fields(model, variables)), flags
    )


def make_steady_solver(context: z3.Context) -> z3.Solver:
    """Return a solver whose answers change neither with load nor where somebody presses Ctrl-C.

    The default solver's tactics give up by the clock. Any solver takes the signal itself unless it
    is set not to, answers that it does not know, and the run goes on with that.
    """
    solver = z3.SimpleSolver(ctx=context)
    solver.set("ctrl_c", False)  # noqa: FBT003 - the solver's own signature
    return solver


def map_optional_fields(model: DomainModel) -> dict[str, tuple[str, ...]]:
    """Return, per field that a case may have no value of, what must be there for it to have one.

    That is the field itself where it may be missing, and the record that holds it where a case may
    lack one.
    """
    found: dict[str, tuple[str, ...]] = {}
    for item in model.fields.values():
        owner = model.find_owner(item.name)
        needed = [item.name] if item.missing else []
        if owner is not None and model.may_lack(owner):
            needed.append(owner.name)
        if needed:
            found[item.name] = tuple(needed)
    return found


def _flag_terms(
    variables: Variables, terms: Iterable[z3.BoolRef]
) -> tuple[tuple[z3.BoolRef, ...], list[z3.BoolRef]]:
    """Return a flag for each term, and that it implies the term."""
    named = [(z3.Bool(f"?{number}", variables.context), term) for number, term in enumerate(terms)]
    return tuple(flag for flag, _ in named), [z3.Implies(flag, term) for flag, term in named]


def _complete(model: DomainModel, variables: Variables) -> None:
    """Name all that a row shows of the fields asked about, so that the limits hold for it too."""
    named = {*variables.present, *variables.lengths}
    for name in [name for name in model.fields if name in named]:
        kind = model.fields[name].type
        if isinstance(kind, ListType):
            variables.get_length(name, kind.size)
            for place, (part, inner) in product(range(kind.size), kind.fields):
                variables.get_variable(f"{name}[{place}].{part}", inner)
        else:
            variables.get_variable(name, kind)


def _list_asked_fields(model: DomainModel, variables: Variables) -> list[str]:
    """Return the fields that the question is about, in the model's order."""
    named = {name.partition("[")[0] for name in variables.values} | set(variables.lengths)
    return [name for name in model.fields if name in named]


def _define_decisions(model: DomainModel, reading: Symbolic) -> list[z3.BoolRef]:
    """Tie every decided field to its formula or table, as far as the question reaches.

    What is decided from a field that an action changes is not tied: it may have been decided
    before the change.
    """
    terms: list[z3.BoolRef] = []
    tied: set[str] = set(find_changeable_fields(model))
    while open_ := [
        name for name in reading.variables.values if name in model.decisions and name not in tied
    ]:
        for name in open_:
            decision = model.decisions[name]
            decided = Read(model.fields[name].type, name)
            equal = reading.build_equality(decided, build_decision_value(decision))
            # Left open where no rule applies: a gap must not rule the row out.
            terms += _define_presence(reading, decision)
            present = build_result_presence(decision)
            terms.append(z3.Implies(reading.build_condition(present), equal))
            tied.add(name)
    return terms


def _define_presence(reading: Symbolic, decision: Decision) -> list[z3.BoolRef]:
    """Return that what is decided has a value where its rules give it one."""
    present = build_presence(build_decision_value(decision))
    if present is None:
        return []
    is_there = reading.variables.is_present(decision.target)
    equal = is_there == reading.build_condition(present)
    return [z3.Implies(reading.build_condition(build_coverage_condition(decision)), equal)]


def find_changeable_fields(model: DomainModel) -> frozenset[str]:
    """Return the fields that an action changes, and what is decided from them."""
    # Of a record to which several references may lead, a change is one of each.
    found = model.expand_columns(name for tool in model.tools.values() for name in tool.effects)
    while more := {
        name
        for name, decision in model.decisions.items()
        if name not in found and collect_decision_inputs(decision) & found
    }:
        found |= more
    return found


def _constrain_presence(model: DomainModel, variables: Variables) -> list[z3.BoolRef]:
    """Return what holds of presence: only some fields can be missing, and some records lacking."""
    terms = [
        bit
        for name, bit in variables.present.items()
        if name in model.fields and not model.fields[name].missing
    ]
    # The farthest first: its condition names the records that lead to it, which come after it.
    for entity in reversed(model.references):
        if entity.name in variables.present:
            terms += list_record_conditions(model, entity, variables)
    return terms


def list_record_conditions(
    model: DomainModel, entity: Entity, variables: Variables
) -> list[z3.BoolRef]:
    """Return when a record is there: the reference and who refers to it are; it may dangle yet."""
    found = variables.present[entity.name]
    if not model.may_lack(entity):
        return [found]
    needed = [variables.is_present(name) for name in model.list_prerequisites(entity)]
    if entity.dangling_share:
        return [z3.Implies(found, bit) for bit in needed]
    return [found == z3.And(needed)]


class Pinning:
    """Pins field after field to a value; each pin narrows the solver's rows.

    ``known`` is the last row that the solver found: it agrees with all pins. Only what it shows is
    pinned, so that a question beyond the solver's budget leaves a row that is farther from the
    wanted one, never one that is none.
    """

    def __init__(self, model: DomainModel, asked: OpenQuestion) -> None:
        self.model = model
        self.variables = asked.variables
        self.solver = asked.solver
        self.fields = asked.fields
        self.known = asked.solver.model()

    def is_wanted(self, name: str) -> bool:
        """Return whether a field, a record or a mark is to be there, if possible."""
        raise NotImplementedError

    def pin_number(self, name: str, variable: z3.ArithRef, place: int = 0) -> int:
        """Pin a variable of a field; ``place`` is that of a set's member."""
        raise NotImplementedError

    def pin_length(self, name: str, variable: z3.ArithRef) -> int:
        """Pin how many items a list has."""
        raise NotImplementedError

    def pin_presence(self, name: str) -> bool:
        """Pin whether something is there: as wanted where a row is found, else as on ``known``."""
        wanted, bit = self.is_wanted(name), self.variables.present[name]
        # The solver is asked only where the row that is known is not as wanted.
        if z3.is_true(self.evaluate_term(bit)) != wanted:
            self.is_possible(bit if wanted else z3.Not(bit))
        is_present = z3.is_true(self.evaluate_term(bit))
        self.solver.add(bit if is_present else z3.Not(bit))
        return is_present

    def pin_records(self) -> dict[str, int | None]:
        """Pin which entities the row has a record of, and which inputs are malformed."""
        marks = [name_malformed_mark(item.name) for item in self.model.malformable]
        names = [*(entity.name for entity in self.model.references), *marks]
        asked = [name for name in names if name in self.variables.present]
        return {name: 1 if self.pin_presence(name) else None for name in asked}

    def pin_values(self) -> dict[str, Value | None]:
        """Pin all fields asked about, in the model's order, and return their values."""
        return {name: self.pin_value(name) for name in self.fields}

    def pin_value(self, name: str) -> Value | None:
        needed = [*self.variables.optional.get(name, ()), name]
        if not all(self.pin_presence(part) for part in needed if part in self.variables.present):
            return None
        kind = self.model.fields[name].type
        return (
            self.pin_items(name, kind) if isinstance(kind, ListType) else self.pin_atom(name, kind)
        )

    def pin_items(self, name: str, kind: ListType) -> tuple[Item, ...]:
        count = self.pin_length(name, self.variables.get_length(name, kind.size))
        return tuple(
            {part: self.pin_atom(f"{name}[{place}].{part}", inner) for part, inner in kind.fields}
            for place in range(count)
        )

    def pin_atom(self, name: str, kind: AtomType) -> Atom:
        self.variables.get_variable(name, kind)
        variables = self.variables.values[name]
        numbers = [self.pin_number(name, item, place) for place, item in enumerate(variables)]
        if isinstance(kind, SetType):
            return sum(bit << place for place, bit in enumerate(numbers))
        return self.find_text(numbers[0]) if isinstance(kind, TextType) else numbers[0]

    def find_text(self, number: int) -> str:
        """Return the text of a number, which the limits keep among those that are numbered."""
        return next(text for text, code in self.variables.texts.items() if code == number)

    def is_possible(self, condition: z3.BoolRef) -> bool:
        """Return whether a row that agrees with all pins meets the condition, and keep that row."""
        is_found = self.solver.check(condition) == z3.sat
        if is_found:
            self.known = self.solver.model()
        return is_found

    def evaluate_variable(self, variable: z3.ArithRef) -> int:
        """Return a variable's value on the row that is known."""
        value = self.evaluate_term(variable)
        if not isinstance(value, z3.IntNumRef):
            raise TypeError(f"the solver gave {value!r} for {variable!r}")
        return value.as_long()

    def evaluate_term(self, term: z3.ArithRef | z3.BoolRef) -> z3.ExprRef:
        # Completed: the solver leaves out variables that no condition restricts.
        return self.known.eval(term, model_completion=True)


class _LeastRow(Pinning):
    """Pins each field to its least value; records and values are there where they can be."""

    def find(self) -> Row:
        records = self.pin_records()
        lacking = {name for name, there in records.items() if not there} & set(self.model.entities)
        # What a lacking record would hold is no value of the row, and not a missing one either.
        nowhere = {name for part in lacking for name in self.model.entities[part].fields}
        values = {name: value for name, value in self.pin_values().items() if name not in nowhere}
        cells = {name: self.model.fields[name].format_cell(value) for name, value in values.items()}
        notes = {
            name: "malformed"
            for name in self.model.fields
            if records.get(name_malformed_mark(name))
        }
        notes |= {name: "no record" for name in records if name in lacking}
        return Row({**cells, **notes}, values, records)

    def is_wanted(self, name: str) -> bool:
        return not find_marked_field(name)

    def pin_length(self, name: str, variable: z3.ArithRef) -> int:
        return self.pin_number(name, variable)

    def pin_number(self, name: str, variable: z3.ArithRef, place: int = 0) -> int:  # noqa: ARG002 - all least
        """Pin a variable to its least value, found by halving what is open."""
        # No lower end is known: steps double downwards until one fails, the rest is halved.
        low, high, step = None, self.evaluate_variable(variable), 1
        while low is None or low < high:
            guess = high - step if low is None else (low + high) // 2
            if self.is_possible(variable <= guess):
                high, step = self.evaluate_variable(variable), step * 2
            else:
                low = guess + 1
        self.solver.add(variable == high)
        return high
