"""Tool descriptions: their parameters can be known, and the package's own values fit them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from sopforge.checks.auditing.arguments import (
    BLANKS,
    as_argument,
    get_parameter_schemas,
    list_required_parameters,
)
from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.findings import Severity
from sopforge.sandbox.answers import Observation
from sopforge.untrusted.time_limit import CHECK_SECONDS, limit_time

SPECS = "toolspecs.json"
_EMPTY = frozenset({"[]", "{}"})


def find_refusals(subject: Subject) -> Iterator[Spot]:
    """Find parameters whose description refuses every value that the package itself has."""
    for spot, share in _iterate_misfits(subject):
        if share == 1:
            yield spot


def find_misfits(subject: Subject) -> Iterator[Spot]:
    """Find parameters whose description refuses some of the package's own values."""
    for spot, share in _iterate_misfits(subject):
        if share < 1:
            yield spot


def _iterate_misfits(subject: Subject) -> Iterator[tuple[Spot, float]]:
    """Return the parameters that refuse values, each once and with the share of these."""
    meant = {*subject.metadata.get("malformed_inputs", ()), *subject.decided}
    found: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    for tool in subject.peer.toolspecs:
        for name, schema in get_parameter_schemas(tool).items():
            wrong = (
                [] if name in meant else _select_refused_cells(schema, _list_values(subject, name))
            )
            if wrong:
                reason = f"{wrong[0]!r}: {_find_misfit_reason(schema, wrong[0])}"
                found[name, len(wrong)].append((tool.name, reason))
    for (name, count), tools in found.items():
        whole = len(_list_values(subject, name))
        message = f"{count} of {whole} values of '{name}' in the rows do not match its description"
        (first, reason), further = tools[0], len(tools) - 1
        where = f"{SPECS}, {first}" + (f" and {further} more" if further else "")
        yield Spot(message, where, reason), count / whole


def _list_values(subject: Subject, name: str) -> list[str]:
    """Return what the rows give of a parameter; an empty list on record is no call's argument."""
    blank = BLANKS if name in subject.peer.input_columns else BLANKS | _EMPTY
    cells = (row.get(name, "") for row in subject.facts)
    return [cell for cell in cells if cell.strip().lower() not in blank]


def find_unknown_sources(subject: Subject) -> Iterator[Spot]:
    """Find required parameters that neither task nor tools nor SOP ever give an agent."""
    given = _find_available_names(subject)
    for tool in subject.peer.toolspecs:
        for name in list_required_parameters(tool):
            if name not in given:
                yield Spot(
                    f"neither a task nor a tool nor the SOP supplies '{name}'",
                    f"{SPECS}, {tool.name}",
                )


def _find_available_names(subject: Subject) -> set[str]:
    """Return what an agent can come to know: what it is given, works out, and gets returned.

    Without the tools, any column of the table may be what one of them returns.
    """
    given = {*subject.peer.input_columns, *subject.decided}
    tools = {tool.name: list_required_parameters(tool) for tool in subject.peer.toolspecs}
    lines = [line for line in subject.peer.sop.split("\n") if not any(t in line for t in tools)]
    worked_out = {name for names in tools.values() for name in names if _is_word(name, lines)}
    # Where a step calls a tool, it may say what is handed over for a parameter: "target: payee".
    worked_out |= {
        name
        for tool, names in tools.items()
        for name in names
        for line in subject.peer.sop.split("\n")
        if tool in line and re.search(rf"\b{re.escape(name)}: \w", line)
    }
    if not subject.trials.tried:
        return given | worked_out | set(subject.columns)
    given |= worked_out
    # As many rounds as there are tools: each may reveal what one more of them requires.
    for _ in tools:
        given |= {
            name
            for tool, names in tools.items()
            if given.issuperset(names)
            for call in subject.trials.list_calls(tool)
            if isinstance(call.answer, Observation) and isinstance(call.answer.value, dict)
            for name in call.answer.value
        }
    return given


def find_undescribed(subject: Subject) -> Iterator[Spot]:
    """Find tools and parameters without a description."""
    for tool in subject.peer.toolspecs:
        if not tool.description.strip():
            yield Spot(f"'{tool.name}' has no description", SPECS)
        for name in list_required_parameters(tool):
            if name not in get_parameter_schemas(tool):
                yield Spot(f"'{name}' is required but has no description", f"{SPECS}, {tool.name}")


def _select_refused_cells(schema: Mapping[str, Any], cells: list[str]) -> list[str]:
    with limit_time(CHECK_SECONDS, "validating values against their description"):
        return [cell for cell in cells if _find_misfit_reason(schema, cell)]


def _find_misfit_reason(schema: Mapping[str, Any], cell: str) -> str:
    """Return why a value does not fit a schema, nothing if it does."""
    from jsonschema import SchemaError  # noqa: PLC0415 - slow to import
    from jsonschema.exceptions import UnknownType  # noqa: PLC0415 - the same
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - the same

    try:
        # By its text, for a dict is no key of a cache; to build a validator for each cell is slow.
        found = next(_build_validator(repr(schema)).iter_errors(as_argument(schema, cell)), None)
    except (SchemaError, UnknownType, Unresolvable, re.error) as malformed:
        return str(malformed).split("\n", 1)[0]
    return found.message if found else ""


@lru_cache(maxsize=512)
def _build_validator(schema: str) -> Any:  # noqa: ANN401 - jsonschema's own
    import ast  # noqa: PLC0415 - beside its only use

    from jsonschema import FormatChecker  # noqa: PLC0415 - slow to import

    from sopforge.untrusted.schemas import make_validator  # noqa: PLC0415 - the same

    return make_validator(ast.literal_eval(schema), FormatChecker(["date"]))


def _is_word(name: str, lines: list[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", line) for line in lines)


RULES = (
    AuditRule(
        "parameter-refuses-rows", find_refusals, "describe the values that occur in the rows"
    ),
    AuditRule(
        "parameter-misfits-rows",
        find_misfits,
        "extend the description to the values in the rows, or list the column under"
        " malformed_inputs",
        Severity.WARNING,
    ),
    AuditRule(
        "parameter-without-source",
        find_unknown_sources,
        "add it to the task, return it from a tool, or state it in the SOP",
    ),
    AuditRule("spec-incomplete", find_undescribed, "add a description to it", Severity.WARNING),
)
