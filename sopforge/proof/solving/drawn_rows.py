"""Rows drawn from the fields' ranges, to find a case among them before the solver is asked.

Such a case saves a question; that there is none among them says nothing. Half of all values are
uniform, half lie at a number that the conditions name, or beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    Constant,
    Element,
    Expression,
    Presence,
    Read,
    Selection,
    collect_all_read_fields,
    iterate_parts,
)
from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import (
    ListType,
    NumberType,
    OrderedType,
    TextType,
    ValueType,
    require_integer,
    scale_decimal,
)
from sopforge.language.logic.readings.vector import (
    Column,
    Columns,
    ListColumn,
    evaluate_all,
    split_lists,
)
from sopforge.language.logic.tables import build_decision_value, build_presence
from sopforge.seeds import make_stream

COUNT = 4_096
TEXTS = 4


def is_met_by_drawn_row(model: DomainModel, conditions: Sequence[Expression]) -> bool:
    """Return whether all conditions and constraints hold on one row; False proves nothing."""
    wanted = [*conditions, *model.row_conditions]
    met = np.ones(COUNT, dtype=bool)
    for condition in read_on(Draw.from_expressions(model, wanted), wanted):
        met &= condition != 0
    return bool(met.any())


def read_on(draw: Draw, wanted: Sequence[Expression]) -> list[Column]:
    """Return the values of expressions on rows; what these lack of what is read is drawn."""
    order = _order_decisions(draw.model, wanted)
    decided = [build_decision_value(draw.model.decisions[name]) for name in order]
    for node in iterate_parts(*wanted, *decided):
        draw.draw_leaf(node)
    for name, value in zip(order, decided, strict=True):
        # One at a time, for each may read those before it.
        draw.set_decided(name, value.type, evaluate_all([value], draw.columns)[0])
        present = build_presence(value)
        if present is not None:
            draw.present[name] = evaluate_all([present], draw.columns)[0] != 0
    return evaluate_all(wanted, draw.columns)


def _order_decisions(model: DomainModel, wanted: Iterable[Expression]) -> list[str]:
    """Return the decisions that are read, each after those that it reads itself."""
    ordered: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in model.decisions and name not in ordered:
            for needed in sorted(collect_decision_inputs(model.decisions[name])):
                visit(needed)
            ordered[name] = None

    # All at once: unfolded, they share most of their parts.
    for name in sorted(collect_all_read_fields(wanted)):
        visit(name)
    return list(ordered)


def _collect_constants(expressions: Iterable[Expression]) -> list[Constant]:
    """Return the constants that the expressions hold, each once, in a fixed order."""
    found = {node for node in iterate_parts(*expressions) if isinstance(node, Constant)}
    return sorted(found, key=lambda node: (str(node.type), str(node.value)))


@dataclass(slots=True)
class Draw:
    """Columns of the fields that are asked for.

    What is drawn depends on the column's name, the constants and the turn alone; a column that is
    there already stays.
    """

    model: DomainModel
    constants: Sequence[Constant]
    turn: str = ""
    values: dict[str, Column] = field(default_factory=dict)
    present: dict[str, Column] = field(default_factory=dict)
    items: dict[str, dict[str, Column]] = field(default_factory=dict)
    lengths: dict[str, Column] = field(default_factory=dict)

    @classmethod
    def from_expressions(
        cls, model: DomainModel, wanted: Sequence[Expression], turn: str = ""
    ) -> Draw:
        """Return a draw without columns yet, for what the expressions are about."""
        decided = [
            build_decision_value(model.decisions[name]) for name in _order_decisions(model, wanted)
        ]
        return cls(model, _collect_constants([*wanted, *decided]), turn)

    @property
    def columns(self) -> Columns:
        """The rows drawn so far."""
        lists = {name: ListColumn(self.items[name], self.lengths[name]) for name in self.lengths}
        return Columns(COUNT, self.values, self.present, lists)

    def set_decided(self, name: str, kind: ValueType, column: Column) -> None:
        """Take what a decision comes to on the rows for the values of its field."""
        self.values[name] = column
        if isinstance(kind, ListType):
            listed = split_lists(kind, column)
            self.items[name], self.lengths[name] = dict(listed.fields), listed.lengths

    def draw_leaf(self, node: Expression) -> None:
        """Draw what a part of an expression reads."""
        match node:
            case Read(type=ListType() as kind):
                self.draw_list(node.field, kind.size)
                for name, part in kind.fields:
                    self.draw_element(Element(part, node.field, name))
            case Read():
                if node.field not in self.values:
                    self.values[node.field] = self.draw_column(node.type, node.field, (COUNT,))
            case Presence():
                self.draw_presence(node.field)
            case Aggregate() | Selection():
                self.draw_list(node.list, node.size)
            case Element():
                self.draw_element(node)
            case _:
                pass

    def draw_presence(self, name: str) -> None:
        if name in self.present:
            return
        # A primed name is a second value of the same field, to ask what depends on the first.
        item = self.model.fields.get(name.rstrip("'"))
        entity = self.model.entities.get(name)
        marks = {name_malformed_mark(part.name) for part in self.model.malformable}
        if (item is not None and item.missing) or name in marks:
            self.present[name] = self.draw_numbers(f"{name}?", (COUNT,), 2) == 0
        elif entity is not None and self.model.may_lack(entity):
            self.draw_record(entity)

    def draw_record(self, entity: Entity) -> None:
        """Draw where a record is there: where what leads to it is, unless the reference dangles."""
        # Half of the references dangle, whatever their share: rare cases are what is looked for.
        limit = 2 if entity.dangling_share else 1
        found = self.draw_numbers(f"{entity.name}?", (COUNT,), limit) == 0
        for name in self.model.list_prerequisites(entity):
            self.draw_presence(name)
            found &= self.present[name]
        self.present[entity.name] = found

    def draw_list(self, name: str, size: int) -> None:
        if name not in self.lengths:
            self.lengths[name] = self.draw_numbers(f"{name}#", (COUNT,), size + 1)
        # Where no field of its items is read, a matrix still has to say how many places there are.
        self.items.setdefault(name, {}).setdefault("", np.zeros((COUNT, size), dtype=np.int64))

    def draw_element(self, node: Element) -> None:
        kind = self.model.fields[node.list.rstrip("'")].type
        size = kind.size if isinstance(kind, ListType) else 0
        items = self.items.setdefault(node.list, {})
        if node.field not in items:
            items[node.field] = self.draw_column(
                node.type, f"{node.list}.{node.field}", (COUNT, size)
            )

    def draw_column(self, kind: ValueType, name: str, shape: tuple[int, ...]) -> Column:
        if isinstance(kind, TextType):
            texts = np.array(self.list_texts(kind), dtype=object)
            return np.asarray(texts[self.draw_numbers(name, shape, len(texts))])
        low, high = kind.bounds
        uniform = low + self.draw_numbers(name, shape, high - low + 1)
        if not isinstance(kind, OrderedType):
            return uniform
        near = np.array(self.list_near_values(kind), dtype=np.int64)
        chosen = near[self.draw_numbers(f"{name}=", shape, len(near))]
        return np.where(self.draw_numbers(f"{name}/", shape, 2) == 0, chosen, uniform)

    def draw_numbers(self, name: str, shape: tuple[int, ...], limit: int) -> Column:
        """Return integers from 0 to ``limit`` - 1, each drawn for its place."""
        places = np.arange(int(np.prod(shape)), dtype=np.uint64)
        drawn = make_stream(0, "drawn row", name + self.turn).draw_below(limit, places)
        return drawn.astype(np.int64).reshape(shape)

    def list_texts(self, kind: TextType) -> list[str]:
        shape = find_shape(kind)
        if shape is None:
            return list(kind.pool)
        named = [str(node.value) for node in self.constants if isinstance(node.type, TextType)]
        # A few texts that recur: two drawn from a whole pattern would hardly ever agree.
        first = [shape.build_text(number) for number in range(min(TEXTS, shape.size))]
        return [*first, *filter(shape.has, named)]

    def list_near_values(self, kind: OrderedType) -> list[int]:
        """Return the ends of a range, and what lies in it at a constant or beside one."""
        found = {kind.minimum, kind.maximum}
        for node in self.constants:
            if kind.is_like(node.type):
                at = _rescale_constant(node, kind)
                found |= {at - 1, at, at + 1}
        return sorted(value for value in found if kind.minimum <= value <= kind.maximum)


def _rescale_constant(node: Constant, kind: OrderedType) -> int:
    value = require_integer(node.value)
    if not isinstance(kind, NumberType) or not isinstance(node.type, NumberType):
        return value
    digits = kind.places - node.type.places
    # Rounded down where the field has fewer places; the values beside it are drawn as well.
    return value * scale_decimal(1, digits) if digits >= 0 else value // scale_decimal(1, -digits)
