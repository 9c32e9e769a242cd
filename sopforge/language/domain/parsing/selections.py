"""Lists that are made of other lists: which items, and which of their parts."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.expressions.aggregates import Items
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Constant,
    Element,
    Expression,
    Selection,
)
from sopforge.language.domain.parsing.calls import Calls
from sopforge.language.domain.parsing.typing import FREE_TEXT_HINT
from sopforge.language.domain.values.types import (
    AtomType,
    BooleanType,
    ListType,
    SetType,
    TextType,
)

ITEM = "item"
"""What stands around the parts of a new item: ``item(part=d.part, charge=d.cost * 2)``."""
SELECTION_HINT = (
    "write: [d for d in damages if d.cost > 50], or [item(part=d.part, charge=d.cost * 2) for d in"
    " damages]"
)


class Selections(Calls):
    """Reads a list of items that are taken or made of the items of another."""

    def parse_selection(self, node: ast.expr, target: ListType) -> Expression:
        if isinstance(node, ast.Constant) and node.value == target.empty:
            return Constant(target, ())
        if not isinstance(node, ast.ListComp):
            message = "expected items taken from another list here"
            raise self.make_error(node, message, hint=SELECTION_HINT)
        items = self.parse_generator(node)
        clause = node.generators[0]
        if items.type.size > target.size:
            message = f"'{items.name}' has up to {items.type.size} items, but 'size: {target.size}'"
            hint = f"write 'size: {items.type.size}' at the field that is decided"
            raise self.make_error(
                clause.iter, f"{message} is declared", code="out-of-range", hint=hint
            )
        variable = clause.target.id if isinstance(clause.target, ast.Name) else ""
        self.items[variable] = items
        tests = tuple(self.parse_condition(test) for test in clause.ifs)
        parts = tuple(
            self.parse_item_part(part, kind, items, name)
            for (name, kind), part in zip(
                target.fields, self.list_parts(node.elt, variable, target), strict=True
            )
        )
        del self.items[variable]
        where = None if not tests else tests[0] if len(tests) == 1 else AllOf(tests)
        return Selection(target, items.name, items.type.size, where, parts)

    def list_parts(self, node: ast.expr, variable: str, target: ListType) -> list[ast.expr]:
        """Return what an item has, in the order of the fields of the list that is made."""
        wanted = [name for name, _ in target.fields]
        if isinstance(node, ast.Name) and node.id == variable:
            # The item as it is: of its fields, those that the new list declares.
            return [node] * len(wanted)
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if not isinstance(node, ast.Call) or not is_call or ast.unparse(node.func) != ITEM:
            message = f"'{self.get_source(node)}' is not an item of a list"
            hint = f"write {variable}, or {ITEM}({wanted[0]}=...)"
            raise self.make_error(node, message, hint=hint)
        given = {part.arg or "": part.value for part in node.keywords}
        self.check_names(node, given, wanted)
        return [given[name] for name in wanted]

    def check_names(self, node: ast.Call, given: Mapping[str, ast.expr], wanted: list[str]) -> None:
        if node.args or len(given) < len(node.keywords):
            message = f"{ITEM}(...) takes each field of the new item exactly once, by its name"
            raise self.make_error(node, message, hint=f"write {ITEM}({wanted[0]}=...)")
        for name, value in given.items():
            if name not in wanted:
                message = f"items of the list that is decided have no field '{name}'"
                hint = suggest(name, wanted) or f"use one of their fields: {', '.join(wanted)}"
                raise self.make_error(value, message, code="unknown-field", hint=hint)
        lacking = [name for name in wanted if name not in given]
        if lacking:
            message = f"{ITEM}(...) lacks {', '.join(lacking)}"
            hint = "add the field, or remove it from the items of the list that is decided"
            raise self.make_error(node, message, hint=hint)

    def parse_item_part(
        self, node: ast.expr, kind: AtomType, items: Items, name: str
    ) -> Expression:
        if isinstance(node, ast.Name) and node.id in self.items:
            return self.fit_part(self.take_field(node, items, name), kind, node)
        if isinstance(kind, BooleanType):
            return self.parse_condition(node)
        if isinstance(kind, SetType):
            return self.parse_set(node, kind)
        self.allow_type(kind, node)
        value = self.convert_quoted(self.parse_part(node), kind, node)
        return self.fit_part(value, kind, node)

    def take_field(self, node: ast.expr, items: Items, name: str) -> Expression:
        """Return the field that an item has under the name of one of the new item."""
        found = items.type.find_field_type(name)
        if found is None:
            message = f"items of '{items.name}' have no field '{name}'"
            hint = f"state its value: {ITEM}({name}=...)"
            raise self.make_error(node, message, code="unknown-field", hint=hint)
        return Element(found, items.name, name)

    def fit_part(self, value: Expression, kind: AtomType, node: ast.expr) -> Expression:
        if isinstance(kind, TextType) and kind.is_free:
            raise self.make_error(node, "free text cannot be compared", hint=FREE_TEXT_HINT)
        if not isinstance(kind, TextType | SetType):
            return self.fit_value(value, kind, node)
        if value.type != kind:
            message = f"expected {kind.noun} with the same values here, found {value.type.noun}"
            hint = "declare both fields with the same type"
            raise self.make_error(node, message, hint=hint)
        return value
