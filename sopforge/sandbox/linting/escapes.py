"""Rules on what leads from a tool's values to the interpreter that runs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sopforge.sandbox.linting.rule import LintRule, Spot, report_nodes, report_uses, split_words
from sopforge.sandbox.linting.source import Source, Use

_DUNDERS = split_words("""
    __base__ __bases__ __builtins__ __closure__ __code__ __globals__ __loader__ __mro__ __self__
    __spec__ __subclasses__
""")
_FRAMES = split_words("""
    ag_code ag_frame cr_code cr_frame f_back f_builtins f_code f_globals f_locals gi_code gi_frame
    gi_yieldfrom tb_frame
""")
_SETTERS = frozenset({"builtins.setattr", "builtins.delattr"})
_WHY = "leads to the interpreter itself, past the values that a tool works with"


def find_interpreter_attributes(source: Source) -> Iterator[Spot]:
    """Report attributes that objects of the interpreter hang on, also by a literal name."""
    # A class of the module may well have an attribute that is named as one of a frame.
    own = {
        node.attr
        for node in source.nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    for node in source.nodes:
        name = _find_asked_name(source, node)
        is_one = name in _DUNDERS or (name in _FRAMES and name not in own)
        if is_one and isinstance(node, ast.expr):
            yield Spot(node.lineno, f"{source.quote_node(node)} {_WHY}")


def explain_private_part(source: Source, use: Use) -> str:  # noqa: ARG001 - as all are called
    """Return why no private name of a library is used."""
    module, *parts = use.origin.split(".")
    is_library = module != "builtins" and use.origin != "os._exit"
    is_private = is_library and any(_is_private(part) for part in parts)
    return "is a private part of a library" if is_private else ""


def explain_changed_library(source: Source, node: ast.AST) -> str:
    """Return why no attribute of a library, or of Python, is set."""
    changed = _find_changed_owner(source, node)
    origin = source.find_origin(changed) if changed else None
    if not origin or "(" in origin or not isinstance(node, ast.expr):
        return ""
    return f"{source.quote_node(node)} is changed, which everything else uses too"


def _find_asked_name(source: Source, node: ast.AST) -> str:
    """Return the attribute or global name that a node asks for, also by a text."""
    match node:
        case ast.Attribute(attr=name):
            return name
        case ast.Name(id=name) if source.find_origin(node) == f"builtins.{name}":
            return name if name in _DUNDERS else ""
        case ast.Constant(value=str(text)):
            return text if text in _DUNDERS else ""
        case _:
            return ""


def _find_changed_owner(source: Source, node: ast.AST) -> ast.expr | None:
    """Return whose attribute a node sets or deletes."""
    match node:
        case ast.Attribute(value=base, ctx=ast.Store() | ast.Del()):
            return base
        case ast.Call(func=function, args=[base, *_]) if source.find_origin(function) in _SETTERS:
            return base
        case _:
            return None


def _is_private(part: str) -> bool:
    return part.startswith("_") and not part.endswith("_")


RULES = (
    LintRule(
        "tool-reaches-interpreter",
        find_interpreter_attributes,
        "call functions and read attributes by their public names",
    ),
    LintRule(
        "tool-reaches-interpreter",
        report_uses(explain_private_part),
        "use what the library documents; private parts change without notice",
    ),
    LintRule(
        "tool-changes-library",
        report_nodes(explain_changed_library),
        "keep settings in objects of your own, such as decimal.Context(prec=10)",
    ),
)
