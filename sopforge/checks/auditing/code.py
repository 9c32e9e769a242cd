"""The tools' code, read: methods that are there, do something, and read their files once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.checks.auditing.trials import Said
from sopforge.errors import Fault
from sopforge.findings import Severity
from sopforge.harness.scoring.sop_bench_package import UNPARSABLE
from sopforge.sandbox.answers import Refusal

TOOLS = "tools.py"
DISPATCH = "process_tool_call"
ABSENT, REFUSED = "unknown-tool", "refused"
_READERS = frozenset({"open", "read_csv", "read_text", "read_bytes", "read_json", "DictReader"})
_PLAIN = frozenset(map(Decimal, (-1, 0, 1, 2)))
_CONVERSIONS = frozenset(map(Decimal, (7, 12, 24, 60, 1440, 3600, *(10**n for n in range(1, 7)))))
"""Of days, hours and places: to work with, not to compare with."""
_NUMBER = re.compile(r"\d+(?:[,\d]*\d)?(?:\.\d+)?")
_MOST_PLACES = 9
Method = ast.FunctionDef | ast.AsyncFunctionDef


def find_absent_tools(subject: Subject) -> Iterator[Spot]:
    """Find declared tools that the code does not have: they were called, or their names are read.

    A method may also come from a class that is imported, or be set when the manager is built.
    """
    methods = _parse_methods(subject.tools, subject.peer.manager_name)
    for tool in subject.peer.toolspecs if methods else ():
        said = {_name_fault(call.answer) for call in subject.trials.list_all_calls(tool.name)}
        # A dispatcher, or one that was not run, knows the names that stand in the code.
        is_named = tool.name in (subject.tools if DISPATCH in methods else methods)
        if ABSENT in said or (not is_named and said <= {REFUSED}):
            yield Spot(f"the code has no method '{tool.name}'", TOOLS)


def _name_fault(said: Said) -> str:
    """Return the code of a fault, that it is a refusal, or "answer"."""
    if isinstance(said, Fault):
        return said.code
    return REFUSED if isinstance(said, Refusal) else "answer"


def find_stubs(subject: Subject) -> Iterator[Spot]:
    """Find declared tools whose body returns nothing."""
    methods = _parse_methods(subject.tools, subject.peer.manager_name)
    for tool in subject.peer.toolspecs:
        method = methods.get(tool.name)
        if method is not None and not _can_return(method):
            yield Spot(f"'{tool.name}' returns nothing", f"{TOOLS}:{method.lineno}")


def find_repeated_reads(subject: Subject) -> Iterator[Spot]:
    """Find tools that read a file again on each call."""
    methods = _parse_methods(subject.tools, subject.peer.manager_name)
    for tool in subject.peer.toolspecs:
        method = methods.get(tool.name)
        if method is not None and _has_file_access(method, methods, set()):
            message = f"'{tool.name}' reads a file each time it is called"
            yield Spot(message, f"{TOOLS}:{method.lineno}")


def find_answer_files(subject: Subject) -> Iterator[Spot]:
    """Find code that reads the table with the answers."""
    for line, text in enumerate(subject.tools.split("\n"), start=1):
        if subject.test_set in text:
            yield Spot(
                f"the tools read {subject.test_set}, which contains the answers", f"{TOOLS}:{line}"
            )
            return


def find_unstated_numbers(subject: Subject) -> Iterator[Spot]:
    """Find numbers by which tools decide and that neither SOP nor descriptions state."""
    stated = _parse_numbers(subject.peer.sop) | _parse_numbers(
        " ".join(f"{tool.description} {tool.input_schema}" for tool in subject.peer.toolspecs)
    )
    methods = _parse_methods(subject.tools, subject.peer.manager_name)
    scales = _parse_scales(subject.tools)
    for tool in subject.peer.toolspecs:
        for number, line in _iterate_deciding_numbers(methods.get(tool.name)):
            if not any(number / scale in stated for scale in scales):
                message = (
                    f"'{tool.name}' uses the number {number} in a decision, but the SOP does"
                    " not state it"
                )
                yield Spot(message, f"{TOOLS}:{line}")


@lru_cache(maxsize=8)
def _parse_scales(source: str) -> frozenset[int]:
    """Return by what tools multiply the numbers that they hold: 100 where they have two places."""
    try:
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    except UNPARSABLE:
        return frozenset({1})
    places = {
        part.value.value
        for call in calls
        for part in call.keywords
        if part.arg == "places" and isinstance(part.value, ast.Constant)
    }
    return frozenset({1, *(10**number for number in range(_MOST_PLACES) if number in places)})


@lru_cache(maxsize=8)
def _parse_methods(source: str, manager: str) -> dict[str, Method]:
    try:
        module = ast.parse(source)
    except UNPARSABLE:
        return {}
    found = [
        node for node in module.body if isinstance(node, ast.ClassDef) and node.name == manager
    ]
    bases = {base.id for node in found for base in node.bases if isinstance(base, ast.Name)}
    classes = [
        node for node in module.body if isinstance(node, ast.ClassDef) and node.name in bases
    ]
    return {
        item.name: item
        for node in (*classes, *found)
        for item in node.body
        if isinstance(item, Method)
    }


def _can_return(method: Method) -> bool:
    """Return whether a method can return a value, or always raises."""
    nodes = list(ast.walk(method))
    gives = [node for node in nodes if isinstance(node, ast.Return | ast.Yield) and node.value]
    return any(not _is_none(node.value) for node in gives) or isinstance(method.body[-1], ast.Raise)


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _has_file_access(method: Method, methods: dict[str, Method], seen: set[str]) -> bool:
    """Return whether a method, or one of its class that it calls, opens a file."""
    seen.add(method.name)
    for call in (node for node in ast.walk(method) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        name = call.func.id if isinstance(call.func, ast.Name) else name
        if name in _READERS:
            return True
        if name in methods and name not in seen and _has_file_access(methods[name], methods, seen):
            return True
    return False


def _iterate_deciding_numbers(method: Method | None) -> Iterator[tuple[Decimal, int]]:
    """Return the numbers that a method compares with or works with, but for the plainest."""
    for node in ast.walk(method) if method else ():
        if isinstance(node, ast.Compare):
            yield from _iterate_literals([node.left, *node.comparators], _PLAIN)
        elif isinstance(node, ast.BinOp):
            yield from _iterate_literals([node.left, node.right], _PLAIN | _CONVERSIONS)


def _iterate_literals(
    parts: list[ast.expr], plain: frozenset[Decimal]
) -> Iterator[tuple[Decimal, int]]:
    for part in parts:
        # Not isinstance: True and False are integers to Python, and no limits.
        if isinstance(part, ast.Constant) and type(part.value) in {int, float}:
            number = Decimal(str(part.value))
            if number not in plain:
                yield number, part.lineno


def _parse_numbers(text: str) -> set[Decimal]:
    return {Decimal(found.replace(",", "")) for found in _NUMBER.findall(text)}


RULES = (
    AuditRule(
        "tool-absent", find_absent_tools, "write the method, or delete the description of the tool"
    ),
    AuditRule(
        "tool-is-stub",
        find_stubs,
        "write the body of the method, or delete the description of the tool",
    ),
    AuditRule(
        "tool-rereads-files",
        find_repeated_reads,
        "read the file once, in the constructor",
        Severity.WARNING,
    ),
    AuditRule(
        "tools-read-answers",
        find_answer_files,
        "move the data that tools look up into a file without answers",
        Severity.WARNING,
    ),
    AuditRule(
        "number-not-stated",
        find_unstated_numbers,
        "state the number in the SOP, or read it from a record",
        Severity.WARNING,
    ),
)
