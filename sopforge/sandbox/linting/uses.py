"""Rules on what a module names: functions of Python that have no place in a tool."""

from __future__ import annotations

import ast
from collections.abc import Callable

from sopforge.findings import Severity
from sopforge.sandbox.linting.rule import Finder, LintRule, report_uses, split_words
from sopforge.sandbox.linting.source import Source, Use, find_argument, find_imported_module

_OS = split_words("""
    DirEntry F_OK R_OK access listdir scandir stat stat_result
    PathLike altsep curdir extsep fsdecode fsencode fspath linesep pardir path pathsep sep
""")
_SYS = split_words("""
    byteorder float_info float_repr_style hexversion
    int_info intern maxsize maxunicode version_info
""")
_TEXT_RUNNERS = """
    builtins.eval builtins.exec builtins.compile importlib.import_module
    pickle.Unpickler pickle.load pickle.loads
"""
_SCOPE_READERS = "builtins.globals builtins.locals"
_ASKERS = "builtins.input builtins.breakpoint builtins.help"
_ENDERS = """
    builtins.exit builtins.quit builtins.SystemExit sys.exit os._exit os.abort os.kill
"""
_STREAMS = frozenset({"sys.stderr", "sys.stdout"})
_ELSEWHERE = frozenset({*split_words(_ENDERS), "os.getrandom", "os.urandom", "sys._getframe"})
"""What other rules have better words for."""
_THREADS = "threading.Thread threading.Timer"

Test = Callable[[Source, Use], bool]


def find_uses(names: str, why: str, test: Test = lambda _source, _use: True) -> Finder:
    """Return what reports the uses of some names, with one reason."""
    wanted = split_words(names)
    return report_uses(
        lambda source, use: why if use.origin in wanted and test(source, use) else ""
    )


def find_parts(module: str, allowed: frozenset[str], why: str) -> Finder:
    """Return what reports all of a module but some of its parts, and the module as a value."""

    def explain(source: Source, use: Use) -> str:
        name, _, part = use.origin.partition(".")
        is_other = part.partition(".")[0] not in allowed and not _is_elsewhere(use)
        return why if name == module and is_other and not _is_only_bound(source, use) else ""

    return report_uses(explain)


def explain_print(source: Source, use: Use) -> str:
    """Return why nothing is printed, unless into an object of the tool's own."""
    call = find_call(source, use)
    # By its name alone: print takes a file at no position.
    file = find_argument(call, 99, "file") if call else None
    is_print = use.origin == "builtins.print" and file is None and not _is_caught(source, use)
    return "writes where nobody reads" if is_print or _name_stream(use) in _STREAMS else ""


def find_call(source: Source, use: Use) -> ast.Call | None:
    """Return the call of what is used, if it is called then and there."""
    parent = source.parents.get(use.node)
    return parent if isinstance(parent, ast.Call) and parent.func is use.node else None


def _is_caught(source: Source, use: Use) -> bool:
    """Return whether what is printed goes to an object of the tool's own."""
    items = [
        item
        for at in source.iterate_parents(use.node)
        if isinstance(at, ast.With)
        for item in at.items
    ]
    origins = {source.find_origin(item.context_expr) for item in items}
    return "contextlib.redirect_stdout()" in origins


def _is_bare(source: Source, use: Use) -> bool:
    """Return whether a call is given nothing."""
    call = find_call(source, use)
    return call is not None and not call.args


def _is_unwritten(source: Source, use: Use) -> bool:
    """Return whether what is imported is not written there."""
    call = find_call(source, use)
    return call is None or find_imported_module(use.origin, call) is None


def _name_stream(use: Use) -> str:
    return ".".join(use.origin.split(".")[:2])


def _is_elsewhere(use: Use) -> bool:
    return use.origin in _ELSEWHERE or _name_stream(use) in _STREAMS


def _is_ending_process(source: Source, use: Use) -> bool:
    """Return whether something ends the process rather than looks at the end of one."""
    places = source.iterate_parents(use.node)
    return use.origin != "builtins.SystemExit" or any(isinstance(at, ast.Raise) for at in places)


def _is_only_bound(source: Source, use: Use) -> bool:
    """Return whether a module is given another name, whose uses are looked at themselves."""
    parent = source.parents.get(use.node)
    is_value = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name)
    return is_value and "." not in use.origin


RULES = (
    LintRule(
        "tool-uses-system",
        find_parts("os", _OS, "asks the system, which differs from machine to machine"),
        "use only paths from os (os.path, os.fspath, os.listdir); a tool reads its arguments and"
        " the files beside it",
    ),
    LintRule(
        "tool-uses-interpreter",
        find_parts(
            "sys", _SYS, "is the state of the running Python, which an answer must not depend on"
        ),
        "use only what describes Python from sys (sys.version_info, sys.maxsize, sys.float_info)",
    ),
    LintRule(
        "tool-runs-text",
        find_uses(_TEXT_RUNNERS, "runs text as code, which no review of this file can see"),
        "write the code out; json.loads, int and Decimal read values, and a dict of functions"
        " chooses between them",
    ),
    LintRule(
        "tool-reads-scope",
        find_uses(_SCOPE_READERS, "reads names that change with the code around it"),
        "pass values by name, or keep them in a dict of your own",
    ),
    LintRule(
        "tool-runs-text",
        find_uses(
            "builtins.__import__", "runs code by a name that is not written here", _is_unwritten
        ),
        "import modules by their names, at the top",
    ),
    LintRule(
        "tool-reads-scope",
        find_uses("builtins.vars", "reads the names of the function itself", _is_bare),
        "keep the values in a dict of your own",
    ),
    LintRule(
        "tool-asks-someone",
        find_uses(_ASKERS, "waits for a person, but nobody is there when tools run"),
        "take it as a parameter",
    ),
    LintRule(
        "tool-exits",
        find_uses(_ENDERS, "ends the process: the agent gets no answer", _is_ending_process),
        "raise an exception of your own with a code and a message",
    ),
    LintRule(
        "tool-starts-threads",
        find_uses(_THREADS, "starts a thread, and the order in which threads run is random"),
        "call the function and use what it returns",
    ),
    LintRule(
        "tool-prints",
        report_uses(explain_print),
        "return what the agent has to know; drop the rest",
        severity=Severity.WARNING,
    ),
)
