"""Rules on files: a tool reads those beside it, and writes none."""

from __future__ import annotations

import ast
import re

from sopforge.sandbox.linting.rule import LintRule, report_nodes, split_words
from sopforge.sandbox.linting.source import Source, find_argument, get_literal_text

_OPENERS = frozenset({"builtins.open", "io.open", "io.FileIO", "codecs.open"})
_PATHS = frozenset({"pathlib.Path", "pathlib.PosixPath"})
_WRITING_METHODS = split_words("""
    hardlink_to mkdir rmdir symlink_to touch unlink write_bytes write_text
""")
_MODE = re.compile(r"[rwaxbtU+]{1,4}")
_WRITES = "writes: a call that leaves something over is answered differently the next time"
_ABSOLUTE = re.compile(r"/|~|[A-Za-z]:[\\/]")


def explain_write(source: Source, node: ast.AST) -> str:
    """Return why no file is opened to be changed, nor a method of paths used that does so."""
    if not isinstance(node, ast.Call) or not _is_writing_call(source, node):
        return ""
    return f"{source.quote_node(node)} {_WRITES}"


def explain_absolute_path(source: Source, node: ast.AST) -> str:
    """Return why no file is sought at a place of one machine."""
    if not isinstance(node, ast.Call) or source.find_origin(node.func) not in _OPENERS | _PATHS:
        return ""
    if not _ABSOLUTE.match(_start(find_argument(node, 0, "file"))):
        return ""
    return f"{source.quote_node(node)} names a place that only one machine has"


def _start(path: ast.expr | None) -> str:
    """Return the text that a path is seen to begin with."""
    match path:
        case ast.JoinedStr(values=[first, *_]):
            return get_literal_text(first) or ""
        case ast.BinOp(left=first):
            return get_literal_text(first) or ""
        case _:
            return get_literal_text(path) or ""


def _is_writing_call(source: Source, call: ast.Call) -> bool:
    if source.find_origin(call.func) in _OPENERS:
        return _is_writing(find_argument(call, 1, "mode"))
    match call.func:
        case ast.Attribute(value=base, attr=name) if _may_be_path(source, base, name):
            is_opened = name == "open" and _is_writing(find_argument(call, 0, "mode"))
            return is_opened or name in _WRITING_METHODS
        case _:
            return False


def _is_writing(mode: ast.expr | None) -> bool:
    text = get_literal_text(mode) or ""
    return bool(_MODE.fullmatch(text)) and not set("wax+").isdisjoint(text)


def _may_be_path(source: Source, base: ast.expr, method: str) -> bool:
    """Return whether an object may be a path: some exist, and the method is not the module's."""
    origin = source.find_origin(base)
    if origin is not None:
        return origin.partition("(")[0] in {*_PATHS, "pathlib.Path.cwd", "pathlib.Path.home"}
    return method not in source.function_names and not _PATHS.isdisjoint(source.origins)


RULES = (
    LintRule(
        "tool-writes-files",
        report_nodes(explain_write),
        "keep what an action changes in the manager's own records, in memory",
    ),
    LintRule(
        "tool-absolute-path",
        report_nodes(explain_absolute_path),
        "read files beside the module: Path(__file__).parent / 'records.csv'",
    ),
)
