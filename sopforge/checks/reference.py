"""The documentation's page on checks, read off the checks themselves."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from itertools import groupby
from types import ModuleType

from sopforge.checks.auditing.audit import RULES as AUDITED
from sopforge.checks.check import Check
from sopforge.checks.registry import load_checks
from sopforge.findings import Severity
from sopforge.sandbox.linter import RULES as LINTED
from sopforge.workspace import STAGE_NAMES

HEAD = """# Checks

This page lists the checks of each stage, with the codes of their findings. To look up what a code
means and what to do, see [errors.md](../errors.md). It also explains the codes that several checks
share, which the tables omit.

SOPForge checks the artifact of a stage no matter who wrote it. A finding of a check has one of
three severities:

- An **error** blocks the gate.
- A **warning** does not block the gate, but the approver must see it.
- A **note** requires no action.

The tests prove that each check rejects a deliberately damaged artifact. SOPForge generates this
page from `sopforge/checks/`.
"""
AUDIT = """
## What an audit looks for

`sopforge check PACKAGE` applies these rules to any package in SOP-Bench's layout. On a package that
SOPForge made, the command also runs the checks above.
"""
LINTER = """
## What the linter looks for in tools

The linter reports these codes for the source of tools. [tool-rules.md](../tool-rules.md) shows what
to write instead.
"""
_MAKERS = {f"make_{kind}_finding": str(kind) for kind in Severity}


def render_checks_page() -> str:
    """Return the page: the checks of each stage with their codes, then the rules of audits."""
    order = (*STAGE_NAMES, "package")
    checks = sorted(load_checks(), key=lambda check: (order.index(check.stage), check.name))
    lines = [HEAD]
    for stage, group in groupby(checks, key=lambda check: check.stage):
        lines += [f"## {stage}\n", "| Check | What holds | Codes |", "| --- | --- | --- |"]
        lines += [_render_check_row(check) for check in group]
        lines.append("")
    lines += [AUDIT.strip(), "", *_render_rules((rule.code, rule.severity) for rule in AUDITED), ""]
    lines += [LINTER.strip(), "", *_render_rules((rule.code, rule.severity) for rule in LINTED)]
    return "\n".join(lines) + "\n"


def _render_check_row(check: Check) -> str:
    module = inspect.getmodule(check.examine)
    promise = (type(check).__doc__ or "").strip().split("\n\n")[0]
    codes = _collect_codes(module) if module else []
    listed = ", ".join(f"`{code}` ({severity})" for code, severity in codes)
    return f"| {check.name} | {' '.join(promise.split()).replace('``', '`')} | {listed} |"


def _collect_codes(module: ModuleType) -> list[tuple[str, str]]:
    """Return the codes that a module's text gives its findings, with their severities."""
    found = [
        (code, _MAKERS[node.func.id])
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in _MAKERS
        for code in _find_code_argument(node)
    ]
    return list(dict.fromkeys(sorted(found)))


def _find_code_argument(call: ast.Call) -> Iterator[str]:
    match call.args:
        case [ast.Constant(value=str(code)), *_]:
            yield code
        case _:
            return


def _render_rules(rules: Iterable[tuple[str, Severity]]) -> Iterator[str]:
    yield "| Code | Severity |"
    yield "| --- | --- |"
    yield from (f"| `{code}` | {severity} |" for code, severity in dict.fromkeys(rules))
