"""Names of fields are names of variables in the emitted tools: which of them would break a tool."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.language.domain.reading import read_brief
from sopforge.language.logic.readings.python_source import HELPERS
from tests.unit.domain.minimal_brief import fault_of, read_model

AGGREGATE = "count(i for i in lines if i.amount > item)"
EVERYTHING = Path(__file__).parents[2] / "domains" / "everything.yaml"


def added(name: str) -> tuple[str, str]:
    """Return the change that adds a number of this name."""
    line = f"        {name}: {{role: input, type: integer, min: -9, max: 9, description: n}}\n"
    return ("  constraints:\n", f"{line}  constraints:\n")


def free_names(function: ast.FunctionDef) -> Iterator[str]:
    """Return the names that a function uses without setting them, and those of its machinery.

    Annotations are text to Python, so a parameter may have the name of a type.
    """
    taken = {argument.arg for argument in function.args.args} - {"self"}
    for node in (part for line in function.body for part in ast.walk(line)):
        if isinstance(node, ast.Name) and node.id not in taken:
            yield node.id


def names_of_methods() -> set[str]:
    """Return the small-letter names that the tools of a domain with every operator use."""
    model = read_brief(EVERYTHING.read_text(encoding="utf-8"), EVERYTHING.name).model
    module = ast.parse(render_tools(model))
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    methods = [function for function in functions if function.name in model.tools]
    assert len(methods) == len(model.tools)
    used = {name for function in methods for name in free_names(function)}
    return {name for name in used - set(model.fields) if name.islower() and name[0] != "_"}


def test_every_name_that_emitted_tools_use_is_refused_for_a_field() -> None:
    used = names_of_methods() | {function for function, _ in HELPERS.values()}
    assert {"self", "record", "checked", "sum"} <= used
    for name in sorted(used):
        assert fault_of(added(name)).code == "name-reserved", name


COMMON = [
    *("id", "type", "filter", "input", "range", "hash", "format", "round", "int"),
    *("csv", "date", "decimal", "invalid", "json", "name", "path", "re", "value", "given"),
]


def test_a_tool_with_other_common_names_works(tmp_path: Path) -> None:
    fields = "".join(added(name)[1].removesuffix("  constraints:\n") for name in COMMON)
    age = "value: days_between(bought_on, returned_on)"
    worked_out = f"round(({' + '.join(COMMON)}) / 2, 0) + max(abs(id), 1) + count(extras)"
    tool = (
        "    ageOf:\n      kind: compute\n      description: Count\n"
        f"      takes: [{', '.join(COMMON)}, extras]\n      returns: [age]\n  procedure:\n"
    )
    model = read_model(
        ("  constraints:\n", f"{fields}  constraints:\n"),
        ("min: -89, max: 364", "min: -99, max: 364"),
        (age, f"value: {worked_out}"),
        ("  procedure:\n", tool),
    )
    module = tmp_path / "tools.py"
    module.write_text(render_tools(model), encoding="utf-8")
    manager = runpy.run_path(str(module))["RefundsManager"]
    unread = manager.__new__(manager)
    # Nineteen times -5, halved, is -48; plus 5, plus one extra.
    given = dict.fromkeys(COMMON, -5) | {"extras": ["Gift"]}
    assert unread.ageOf(**given) == {"age": -42}


def test_a_field_called_item_is_not_taken_for_an_item_of_a_list(tmp_path: Path) -> None:
    lines = (
        "lines: {role: input, type: list, size: 3, empty: no lines, description: lines, items:"
        " {amount: {role: input, type: integer, min: 0, max: 9, description: amount}}}"
    )
    name, fields = added("item")
    tool = (
        "    ageOf:\n      kind: compute\n      description: Count\n"
        "      takes: [item, lines]\n      returns: [age]\n  procedure:\n"
    )
    model = read_model(
        (name, fields.replace("  constraints:", f"        {lines}\n  constraints:")),
        ("value: days_between(bought_on, returned_on)", f"value: {AGGREGATE}"),
        ("  procedure:\n", tool),
    )
    module = tmp_path / "tools.py"
    module.write_text(render_tools(model), encoding="utf-8")
    manager = runpy.run_path(str(module))["RefundsManager"]
    unread = manager.__new__(manager)
    assert unread.ageOf(item=4, lines=[{"amount": 3}, {"amount": 5}, {"amount": 6}]) == {"age": 2}
