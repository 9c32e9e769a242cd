"""Which faults in a tools module its check notices: each number, label, comparison and name once.

Run as ``python -m benchmarks.tool_faults BRIEF STORE`` on a domain whose tools are approved.
"""

from __future__ import annotations

import ast
import copy
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from sopforge.artifacts.rendering.tools.library import list_definitions
from sopforge.checks.tools.tools_agree import list_trials
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.stages.pipeline import build_workspace, list_approved_versions
from sopforge.proof.dataset.trials.tool_trials import Trial
from sopforge.store.opening import open_store
from sopforge.workspace import TOOLS, Workspace

SHARED = frozenset(part.name for part in list_definitions())
"""What tools modules have in common; its tests are those of ``artifacts.rendering.tools.parts``."""
KINDS = frozenset(name for name in SHARED if name[0].isupper()) - {"OrMissing", "ToolRefusal"}
REFUSING = frozenset({"unknown_record", "mismatch", "unfit", "unknown_tool"})
_NEIGHBOURS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A change of one place of a module."""

    title: str
    change: Callable[[ast.AST], None]
    place: int


def faults(source: str) -> list[Fault]:
    """Return the faults of a domain's own part of a module, none in words that no program reads."""
    tree = ast.parse(source)
    skipped = set(_unread(tree))
    nodes = list(ast.walk(tree))
    parameters = _parameters(tree)
    return [
        Fault(f"line {getattr(node, 'lineno', 0)}: {title}", change, place)
        for place, node in enumerate(nodes)
        if id(node) not in skipped
        for title, change in _changes(node, parameters.get(id(node), ()))
    ]


def notices(
    workspace: Workspace, trials: Sequence[Trial], source: str, fault: Fault | None
) -> bool:
    """Return whether a trial shows a fault: another answer, another code, or no module at all."""
    tree = ast.parse(source)
    if fault is not None:
        fault.change(list(ast.walk(tree))[fault.place])
    with tempfile.TemporaryDirectory() as folder:
        for name, text in workspace.records.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        module = ModuleType("tools")
        module.__file__ = str(Path(folder) / "tools.py")
        try:
            exec(compile(ast.fix_missing_locations(tree), "tools.py", "exec"), vars(module))  # noqa: S102 - our own output
            manager = next(
                vars(module)[name] for name in vars(module) if name.endswith("Manager")
            )()
        except Exception:  # noqa: BLE001 - whatever keeps a module from loading is noticed
            return True
    return any(_said(manager, trial) != trial.expected for trial in trials)


def main() -> None:
    """Print the share of faults that the trials notice, and each one that they do not."""
    brief = load_brief(Path(sys.argv[1]))
    workspace = build_workspace(brief, list_approved_versions(open_store(Path(sys.argv[2])), brief))
    trials, source = list(list_trials(workspace)), workspace.files[TOOLS]
    if notices(workspace, trials, source, None):
        raise SystemExit("the module without a fault is refused")
    found = faults(source)
    missed = [fault for fault in found if not notices(workspace, trials, source, fault)]
    for fault in missed:
        sys.stdout.write(f"{fault.title}\n")
    share = 1 - len(missed) / len(found)
    sys.stdout.write(f"{len(found)} faults, {len(missed)} missed: {share:.1%} noticed\n")


def _said(manager: Any, trial: Trial) -> object:  # noqa: ANN401 - an emitted class
    try:
        return manager.process_tool_call(trial.tool, dict(trial.arguments))
    except Exception as raised:  # noqa: BLE001 - a refusal is known by its code, as in the sandbox
        return getattr(raised, "code", type(raised).__name__)


def _changes(
    node: ast.AST, others: Sequence[str]
) -> Iterator[tuple[str, Callable[[ast.AST], None]]]:
    match node:
        case ast.Constant(value=value):
            yield from _other_constants(value)
        case ast.Compare(ops=[relation]) if type(relation) in _NEIGHBOURS:
            other = _NEIGHBOURS[type(relation)]
            yield f"{type(relation).__name__} is {other.__name__}", _setting("ops", [other()])
        case ast.BoolOp(op=operator):
            other_operator = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield "and and or change places", _setting("op", other_operator)
        case ast.Name(id=name, ctx=ast.Load()) if name in others:
            other_name = others[(others.index(name) + 1) % len(others)]
            if other_name != name:
                yield f"{name} is {other_name}", _setting("id", other_name)
        case _:
            return


def _other_constants(value: object) -> Iterator[tuple[str, Callable[[ast.AST], None]]]:
    if isinstance(value, int) and not isinstance(value, bool):
        for step in (1, -1):
            yield f"{value} is {value + step}", _setting("value", value + step)
    if isinstance(value, str) and value:
        yield f"{value!r} is {_misspelt(value)!r}", _setting("value", _misspelt(value))


def _misspelt(text: str) -> str:
    """Return a text with another last character."""
    return f"{text[:-1]}{chr(ord(text[-1]) + 1)}"


def _setting(attribute: str, value: object) -> Callable[[ast.AST], None]:
    return lambda node: setattr(node, attribute, copy.copy(value))


def _parameters(tree: ast.Module) -> dict[int, list[str]]:
    """Return the parameters of its method for each name that the manager's methods read."""
    found = {}
    for method in ast.walk(tree):
        if isinstance(method, ast.FunctionDef):
            names = [item.arg for item in method.args.args if item.arg != "self"]
            for node in (inner for part in method.body for inner in ast.walk(part)):
                found[id(node)] = names
    return found


def _unread(tree: ast.Module) -> Iterator[int]:
    """Return what no trial can show: what all domains share, and what only words a refusal."""
    checked = _checked(tree)
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name in SHARED:
                yield from _all(node)
            case ast.arguments() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                yield from _all(node)
            case ast.FunctionDef(returns=ast.expr() as returns):
                yield from _all(returns)
            case ast.Call(func=ast.Name(id=name), args=given):
                for part in _worded(name, given):
                    yield from _all(part)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()) if (
                name.startswith("_") and name not in checked
            ):
                yield from _all(node.value)
            case _:
                pass


def _worded(name: str, given: Sequence[ast.expr]) -> Sequence[ast.expr]:
    """Return the arguments of a call that only word a refusal."""
    if name == "Identifier":
        return [given[0], given[-1]]
    if name == "ToolRefusal":
        return given[1:]
    return given[:1] if name in KINDS else given if name in REFUSING else ()


def _checked(tree: ast.Module) -> set[str]:
    """Return the kinds that some tool checks; the bounds of the others show nothing."""
    return {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "check"
        for name in ast.walk(node)
        if isinstance(name, ast.Name)
    }


def _all(node: ast.AST) -> Iterator[int]:
    return (id(part) for part in ast.walk(node))


if __name__ == "__main__":
    main()
