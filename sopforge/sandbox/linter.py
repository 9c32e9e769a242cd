"""What a tools module says of itself: parts that do not belong into tools, found by reading it.

This is advice to whoever writes tools, and it can be fooled. What holds code that means harm is
the sandbox, by the kernel.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from sopforge.findings import Finding, make_error_finding
from sopforge.sandbox.linting import chance, escapes, files, flow, imports, shape, state, uses
from sopforge.sandbox.linting.rule import LintRule
from sopforge.sandbox.linting.source import Source

RULES: tuple[LintRule, ...] = (
    *shape.RULES,
    *imports.RULES,
    *uses.RULES,
    *escapes.RULES,
    *chance.RULES,
    *files.RULES,
    *flow.RULES,
    *state.RULES,
)
TOOLS = "tools.py"
LARGEST = 200_000
"""In bytes; what the tools of a large domain need is a quarter of it."""
SHOWN = 20
"""By each rule: whoever corrects that many knows the rest."""
DEEPEST = 100
"""How far statements and expressions may be nested: no tool that people read comes near."""


def lint(source: str, libraries: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """Return what does not belong into the tools, by line, or why the source cannot be read.

    ``libraries`` are those that the tools are given beside Python's own.
    """
    size = len(source.encode(errors="surrogatepass"))
    if size > LARGEST:
        message = f"{size:,} bytes are too many to review; the limit is {LARGEST:,}"
        hint = "keep data in records.csv, and what tools share in functions"
        return (make_error_finding("tools-too-large", message, where=TOOLS, hint=hint),)
    try:
        tree = _parse_source(source)
        # Before the rules, for they go down the tree by calling themselves.
        depth = _compute_depth(tree)
        return (
            _make_too_deep_findings()
            if depth > DEEPEST
            else _collect_findings(Source(source, tree, libraries))
        )
    except SyntaxError as raised:
        return (_make_malformed_finding(raised.msg, raised.lineno),)
    except ValueError as raised:  # half of a character, or a null
        return (_make_malformed_finding(str(raised), None),)
    # Python's own parser raises MemoryError where nesting is too deep for its stack.
    except (RecursionError, MemoryError):
        return _make_too_deep_findings()


def _parse_source(source: str) -> ast.Module:
    """Return the tree of what Python also accepts beyond its grammar."""
    # Python refuses it as well, but names no line.
    if "\0" in source:
        line = source[: source.index("\0")].count("\n") + 1
        raise SyntaxError("it has a null character", (TOOLS, line, None, None))
    with warnings.catch_warnings():
        # Python's warnings about a stranger's source do not belong into our own output.
        warnings.simplefilter("ignore")
        tree = ast.parse(source, TOOLS)
        compile(source, TOOLS, "exec", dont_inherit=True)
    return tree


def _compute_depth(tree: ast.Module) -> int:
    # Level by level, for recursion would end where the nesting that is looked for begins.
    depth, level = 0, [*ast.iter_child_nodes(tree)]
    while level:
        depth, level = depth + 1, [part for node in level for part in ast.iter_child_nodes(node)]
    return depth


def _collect_findings(source: Source) -> tuple[Finding, ...]:
    found = [item for rule in RULES for item in _apply_rule(rule, source)]
    return tuple(finding for _, finding in sorted(found, key=lambda item: item[0]))


def _apply_rule(rule: LintRule, source: Source) -> Iterator[tuple[int, Finding]]:
    """Return a rule's findings with their lines, the last one for all that are not shown."""
    spots = sorted(dict.fromkeys(rule.find(source)), key=lambda spot: spot.line)
    for number, spot in enumerate(spots[:SHOWN], start=1):
        where = f"{TOOLS}:{spot.line}" if spot.line else TOOLS
        rest = len(spots) - SHOWN if number == SHOWN else 0
        message = f"{spot.message}; {rest} more of the same follow" if rest > 0 else spot.message
        yield spot.line, Finding(rule.code, rule.severity, message, where, hint=rule.hint)


def _make_malformed_finding(message: str, line: int | None) -> Finding:
    where = f"{TOOLS}:{line}" if line else TOOLS
    hint = "correct the line named, or the one before it"
    return make_error_finding(
        "tools-malformed", f"Python cannot read it: {message}", where=where, hint=hint
    )


def _make_too_deep_findings() -> tuple[Finding, ...]:
    message = f"it is nested more than {DEEPEST} levels deep, too deep to review"
    hint = "name parts of it; a dict or a list serves better than a long chain"
    return (make_error_finding("tools-too-deep", message, where=TOOLS, hint=hint),)
