"""Predicates: a name is read as the condition that it stands for, about what it is used of.

The condition has its own text. What it ``takes`` stands in it for what stands in brackets: a field
with all that its record holds, a constant, or an item of a list. So one predicate serves edges and
rules, which name the case's fields, and guards, which name parameters.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from sopforge.language.domain.expressions.aggregates import Items
from sopforge.language.domain.expressions.expressions import Constant, Expression
from sopforge.language.domain.parsing.operands import Operands
from sopforge.language.domain.parsing.text import Definition, ExpressionError, Scope, Use
from sopforge.language.domain.values.types import ListType

MOST_READ = 100
"""How many predicates an expression reads at most, those within predicates included."""


class Predicates(Operands):
    """Reads the names of predicates."""

    read = 0

    def parse_predicate(
        self, node: ast.expr, name: str, arguments: tuple[ast.expr, ...]
    ) -> Expression:
        definition = self.scope.predicates[name]
        self.check_arguments(node, name, definition, arguments)
        scope = self.scope
        for parameter, argument in zip(definition.takes, arguments, strict=True):
            scope = self.put_argument(scope, parameter, argument)
        above = {key: self.scope.predicates[key] for key in definition.above}
        try:
            inner = type(self)(definition.text, replace(scope, predicates=above))
            inner.read = self.read + 1
            inner.items = self.list_taken_items(definition, arguments)
            condition = inner.parse_condition(inner.root)
        except ExpressionError as cause:
            message = f"in the predicate '{name}': {cause}"
            raise self.make_error(node, message, code=cause.code, hint=cause.hint) from cause
        self.read = inner.read
        if self.read > MOST_READ:
            message = (
                f"the expression uses more than {MOST_READ} predicates, including those inside"
                " predicates"
            )
            raise self.make_error(
                node, message, code="expression-too-long", hint="split it into several decisions"
            )
        about = tuple(ast.unparse(argument) for argument in arguments)
        self.scope.uses.append(Use(name, about, condition, is_of_item=bool(inner.items)))
        return condition

    def check_arguments(
        self,
        node: ast.expr,
        name: str,
        definition: Definition,
        arguments: tuple[ast.expr, ...],
    ) -> None:
        if isinstance(node, ast.Call) and node.keywords:
            raise self.make_error(node, f"{name}(...) does not take named arguments")
        wanted, found = len(definition.takes), len(arguments)
        if wanted != found:
            names = ", ".join(definition.takes)
            hint = f"write {name}({names})" if wanted else f"write only {name}"
            message = f"the predicate '{name}' takes {wanted or 'no'} values, found {found}"
            raise self.make_error(node, message, hint=hint)

    def list_taken_items(
        self, definition: Definition, arguments: tuple[ast.expr, ...]
    ) -> dict[str, Items]:
        """Return the items of lists that are passed, by the parameters that stand for them."""
        return {
            parameter: self.items[argument.id]
            for parameter, argument in zip(definition.takes, arguments, strict=True)
            if isinstance(argument, ast.Name) and argument.id in self.items
        }

    def put_argument(self, scope: Scope, parameter: str, argument: ast.expr) -> Scope:
        """Return the scope in which a parameter stands for what is passed.

        That is a field with its record, a number, or an item, which the scope has no name for.
        """
        written = self.get_source(argument)
        others = {
            path: name for path, name in scope.paths.items() if path.partition(".")[0] != parameter
        }
        if isinstance(argument, ast.Name) and argument.id in self.items:
            fields = {key: kind for key, kind in scope.fields.items() if key != parameter}
            return replace(scope, fields=fields, paths=others)
        if isinstance(argument, ast.Constant) or written in self.scope.constants:
            value = self.parse_number(argument)
            if isinstance(value, Constant):
                fields = {key: kind for key, kind in scope.fields.items() if key != parameter}
                constants = {**scope.constants, parameter: value}
                return replace(scope, fields=fields, constants=constants, paths=others)
        field = argument.id if isinstance(argument, ast.Name) else ""
        if field not in self.scope.fields or isinstance(self.scope.fields[field], ListType):
            message = f"'{written}' is not something that a predicate can take"
            hint = (
                "pass a field, a path such as payer.owner, a policy constant, a number, or the"
                " item of a list"
            )
            raise self.make_error(argument, message, hint=hint)
        inner = {
            f"{parameter}.{path.removeprefix(f'{written}.')}": name
            for path, name in self.scope.paths.items()
            if path.startswith(f"{written}.")
        }
        return replace(scope, paths={**others, parameter: field, **inner})
