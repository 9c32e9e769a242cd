"""Calls: the functions of the operator table, and aggregates of the items of a list."""

from __future__ import annotations

import ast

from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.expressions.aggregates import AGGREGATES, Items, build_aggregate
from sopforge.language.domain.expressions.expressions import AllOf, Expression, Not, Presence
from sopforge.language.domain.expressions.numbers import require_number_type
from sopforge.language.domain.expressions.operators import (
    FUNCTIONS,
    ROUNDINGS,
    Argument,
    Calendar,
    Function,
    ParameterKind,
)
from sopforge.language.domain.expressions.slips import hint_at_function
from sopforge.language.domain.parsing.rounding import Roundings
from sopforge.language.domain.parsing.text import ExpressionError, describe_argument_count
from sopforge.language.domain.parsing.typing import Quoted
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import (
    AtomType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
)

_SLIP_OF_THE_PEN = 0.85
"""How like a function a name must be: what is less like one is mostly another one."""
_AGGREGATE_HINT = "write: sum(i.amount for i in items if i.kind == 'A')"


class Calls(Roundings):
    """Reads calls of functions and aggregates."""

    def parse_call(self, node: ast.Call) -> Expression:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        first = node.args[0] if node.args else None
        if isinstance(first, ast.GeneratorExp) and name in AGGREGATES:
            return self.parse_aggregate(node, name, first)
        if name in self.scope.predicates:
            return self.parse_predicate(node, name, tuple(node.args))
        if name not in list_function_names():
            raise self.make_unknown_function_error(node, name)
        if node.keywords:
            raise self.make_error(node, f"{name}(...) does not take named arguments here")
        special = {
            "present": self.parse_present,
            "well_formed": self.parse_well_formed,
        }
        if name in special:
            return special[name](node)
        if name in ROUNDINGS:
            return self.parse_rounding(node, name)
        if name not in FUNCTIONS:
            hint = f"write {name}(i.amount for i in items)"
            raise self.make_error(node, f"{name}(...) takes the items of a list", hint=hint)
        return self.apply_function(node, name, FUNCTIONS[name])

    def make_unknown_function_error(self, node: ast.Call, name: str) -> ExpressionError:
        method = node.func.attr if isinstance(node.func, ast.Attribute) else name
        known = [*list_function_names(), *self.scope.predicates, *self.scope.functions]
        hint = (
            hint_at_function(method)
            or (f"write {name.lower()}(...)" if name.lower() in known else "")
            or suggest(name, known, _SLIP_OF_THE_PEN)
            or f"use one of: {', '.join(known)}"
        )
        message = f"there is no function '{name or ast.unparse(node.func)}'"
        return self.make_error(node, message, code="unknown-function", hint=hint)

    def apply_function(self, node: ast.Call, name: str, function: Function) -> Expression:
        kinds = function.parameters
        order = ", ".join(_name_parameter(kind) for kind in kinds)
        hint = f"pass these arguments in this order: {order}"
        if len(node.args) != len(kinds) and not function.is_variadic:
            message = describe_argument_count(name, len(kinds), len(node.args))
            raise self.make_error(node, message, hint=hint)
        if len(node.args) < len(kinds):
            message = f"{name}(...) takes at least {len(kinds)} arguments"
            raise self.make_error(node, message, hint=hint)
        given: list[Argument] = (
            [*self.parse_ranked(node.args)]
            if function.is_variadic
            else [self.parse_argument(*pair) for pair in zip(node.args, kinds, strict=True)]
        )
        return self.apply_type_rule(node, lambda: function.build(*given))

    def parse_argument(self, node: ast.expr, kind: ParameterKind | type[AtomType]) -> Argument:
        if kind is ParameterKind.CALENDAR:
            return self.parse_calendar(node)
        if kind is ParameterKind.MOMENT:
            return self.parse_as_type(node, _choose_moment(node), kind.value)
        wanted = NumberType if isinstance(kind, ParameterKind) else kind
        part = self.parse_as_type(node, wanted, _name_parameter(kind))
        if kind is ParameterKind.WHOLE and require_number_type(part).places:
            raise self.make_error(node, "expected a whole number here")
        return part

    def parse_calendar(self, node: ast.expr) -> Calendar:
        name = node.id if isinstance(node, ast.Name) else ""
        if name not in self.scope.calendars:
            known = ", ".join(self.scope.calendars) or "none"
            message = f"there is no calendar '{self.get_source(node)}'; the calendars are {known}"
            hint = suggest(name, list(self.scope.calendars))
            raise self.make_error(node, message, code="unknown-calendar", hint=hint)
        return self.scope.calendars[name]

    def parse_present(self, node: ast.Call) -> Expression:
        name = self.require_field_argument(node, "present")
        if name not in self.scope.optional:
            raise self.make_error(
                node,
                f"'{self.write_name(name)}' is never missing, because it declares no"
                " 'missing' word",
            )
        return Presence(name)

    def parse_well_formed(self, node: ast.Call) -> Expression:
        name = self.require_field_argument(node, "well_formed")
        if name not in self.scope.malformable:
            message = f"'{name}' is never malformed here"
            hint = (
                "declare the field as malformed, and test well_formed(...) under 'when' of an"
                " edge in the procedure"
            )
            raise self.make_error(node, message, hint=hint)
        return Not(Presence(name_malformed_mark(name)))

    def require_field_argument(self, node: ast.Call, function: str) -> str:
        """Return the field that is the only argument of a function."""
        name = node.args[0].id if len(node.args) == 1 and isinstance(node.args[0], ast.Name) else ""
        if name not in self.scope.fields:
            hint = suggest(name, self.list_usable_names())
            raise self.make_error(node, f"{function}(...) takes the name of a field", hint=hint)
        return name

    def parse_aggregate(self, node: ast.Call, name: str, generator: ast.GeneratorExp) -> Expression:
        if self.items:
            hint = "decide the inner one as a separate field"
            raise self.make_error(
                node, "a function over a list cannot be inside another one", hint=hint
            )
        if len(node.args) > 1:
            raise self.make_error(node, f"{name}(...) takes only the items of one list")
        items = self.parse_generator(generator)
        (clause,) = generator.generators
        variable = clause.target.id if isinstance(clause.target, ast.Name) else ""
        self.items[variable] = items
        tests = tuple(self.parse_condition(test) for test in clause.ifs)
        is_count = isinstance(generator.elt, ast.Name) and generator.elt.id == variable
        value = None if is_count else self.parse_part(generator.elt)
        del self.items[variable]
        if isinstance(value, Quoted):
            raise self.make_error(generator.elt, "write a field of the item here")
        where = None if not tests else tests[0] if len(tests) == 1 else AllOf(tests)
        options = self.parse_options(node, value)
        return self.apply_type_rule(
            node, lambda: build_aggregate(name, items, where, value, options)
        )

    def parse_generator(self, node: ast.GeneratorExp | ast.ListComp) -> Items:
        clause = node.generators[0]
        name = clause.iter.id if isinstance(clause.iter, ast.Name) else ""
        kind = self.scope.fields.get(name)
        is_simple = len(node.generators) == 1 and not clause.is_async
        if not is_simple or not isinstance(clause.target, ast.Name):
            raise self.make_error(node, "items are taken from one list field", hint=_AGGREGATE_HINT)
        if not isinstance(kind, ListType):
            lists = [key for key, other in self.scope.fields.items() if isinstance(other, ListType)]
            hint = suggest(name, lists) or f"the lists are {', '.join(lists) or 'none'}"
            message = f"'{self.get_source(clause.iter)}' is not a list field"
            raise self.make_error(clause.iter, message, hint=hint)
        if clause.target.id in {*self.scope.fields, *self.scope.constants}:
            message = f"'{clause.target.id}' is already the name of a field or a policy constant"
            hint = "use another name for the item, for example i"
            raise self.make_error(clause.target, message, hint=hint)
        return Items(name, kind)

    def hint_at_items(self, variable: str) -> str:
        items = self.items.get(variable)
        fields = [] if items is None else [f"{variable}.{part}" for part, _ in items.type.fields]
        return f"items have the fields {', '.join(fields)}" if fields else ""

    def parse_options(
        self, node: ast.Call, value: Expression | None
    ) -> dict[str, Expression | int]:
        found: dict[str, Expression | int] = {}
        for keyword in node.keywords:
            if keyword.arg == "places":
                found["places"] = self.parse_places(keyword.value)
            elif keyword.arg == "default":
                found["default"] = self.parse_default(keyword.value, value)
            else:
                message = f"'{keyword.arg}' is not an option; the options are default and places"
                raise self.make_error(keyword.value, message)
        return found

    def parse_default(self, node: ast.expr, value: Expression | None) -> Expression:
        """Return the answer for no items: a number, or of labels one of them."""
        if value is None or not isinstance(value.type, EnumType):
            return self.parse_number(node)
        label = self.convert_quoted(self.parse_part(node), value.type, node)
        return self.require_type(label, node, EnumType, "a label")


def _choose_moment(node: ast.expr) -> type[MomentType]:
    """Return whether a quoted text is a date or a date and time; any of both for other parts."""
    if not isinstance(node, ast.Constant):
        return MomentType
    return DateTimeType if ":" in str(node.value) else DateType


def _name_parameter(kind: ParameterKind | type[AtomType]) -> str:
    return kind.value if isinstance(kind, ParameterKind) else kind.noun


def list_function_names() -> list[str]:
    """Return the names of the functions that every brief has."""
    return sorted({*FUNCTIONS, *AGGREGATES, *ROUNDINGS, "present", "well_formed"})
