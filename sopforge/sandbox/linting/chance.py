"""Rules on what makes an answer depend on when, or in which process, it is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sopforge.findings import Severity
from sopforge.sandbox.linting.rule import LintRule, Spot, report_uses, split_words
from sopforge.sandbox.linting.source import Source, Use
from sopforge.sandbox.linting.uses import find_call, find_uses

_CLOCKS = """
    datetime.date.today datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow
    time.clock_gettime time.clock_gettime_ns time.monotonic time.monotonic_ns time.perf_counter
    time.perf_counter_ns time.process_time time.process_time_ns time.thread_time
    time.thread_time_ns time.time time.time_ns
"""
_CLOCKS_WITHOUT = {
    "time.asctime": 1,
    "time.ctime": 1,
    "time.gmtime": 1,
    "time.localtime": 1,
    "time.strftime": 2,
}
"""What reads the clock if it is given fewer arguments."""
_LOTS = split_words("""
    os.getrandom os.urandom random.SystemRandom secrets.SystemRandom secrets.choice
    secrets.randbelow secrets.randbits secrets.token_bytes secrets.token_hex secrets.token_urlsafe
    uuid.getnode uuid.uuid1 uuid.uuid4
""")
_CLOCK = "reads the clock, so the same call has another answer and another label tomorrow"
_DRAWN = "draws at random, so the same call has another answer next time"
_HASH = "gives another number for the same text in every process"
_SET_MAKERS = frozenset({"builtins.set()", "builtins.frozenset()"})
_IN_ORDER = frozenset({"builtins.list", "builtins.tuple", "builtins.enumerate", "builtins.iter"})
_ORDER_FREE = split_words("""
    builtins.all builtins.any builtins.frozenset builtins.len builtins.max builtins.min
    builtins.set builtins.sorted builtins.sum collections.Counter
""")


def find_short_calls(source: Source) -> Iterator[Spot]:
    """Report functions of time that were not given one."""
    for use in source.uses:
        call, least = find_call(source, use), _CLOCKS_WITHOUT.get(use.origin, 0)
        if call is not None and len(call.args) < least:
            yield Spot(call.lineno, f"{source.quote_node(call)} {_CLOCK}")


def explain_lot(source: Source, use: Use) -> str:
    """Return why no randomness is used that no seed repeats."""
    is_shared = use.origin.startswith("random.") and use.origin != "random.Random"
    if use.origin in _LOTS or (
        is_shared and not any(_is_seeding(source, other) for other in source.uses)
    ):
        return _DRAWN
    is_bare = use.origin == "random.Random" and _is_unseeded(find_call(source, use))
    return f"without a seed {_DRAWN}" if is_bare else ""


def find_set_orders(source: Source) -> Iterator[Spot]:
    """Report sequences made of what is plainly a set."""
    for node in source.nodes:
        made_of = next(
            (part for part in _find_ordered_parts(source, node) if is_set(source, part)), None
        )
        if made_of is not None and not _is_order_lost(source, node):
            message = (
                f"{source.quote_node(made_of)} is a set,"
                " whose order differs from process to process,"
                " and its order is kept here"
            )
            yield Spot(made_of.lineno, message)


def is_set(source: Source, node: ast.AST) -> bool:
    """Return whether an expression is plainly a set."""
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
            return is_set(source, left)
        case ast.Name():
            meant = source.find_definition(node)
            return isinstance(meant, ast.Set | ast.SetComp | ast.Call) and is_set(source, meant)
        case ast.Call():
            return source.find_origin(node) in _SET_MAKERS
        case _:
            return False


def _is_seeding(source: Source, use: Use) -> bool:
    """Return whether the shared generator is given a seed."""
    call = find_call(source, use)
    return use.origin == "random.seed" and call is not None and not _is_unseeded(call)


def _is_unseeded(call: ast.Call | None) -> bool:
    if call is None:
        return False
    given = [*call.args, *(item.value for item in call.keywords)]
    return all(isinstance(item, ast.Constant) and item.value is None for item in given)


def _may_be_of_text(source: Source, use: Use) -> bool:
    """Return whether a hash is not that of a number, nor in the method that answers one."""
    call = find_call(source, use)
    given = call.args[0] if call and call.args else None
    is_of_number = isinstance(given, ast.Constant) and isinstance(given.value, int | float)
    around = [at for at in source.iterate_parents(use.node) if isinstance(at, ast.FunctionDef)]
    return not is_of_number and not (around and around[0].name == "__hash__")


def _find_ordered_parts(source: Source, node: ast.AST) -> Iterator[ast.expr]:
    """Return what a node makes a sequence of, item by item."""
    match node:
        case ast.ListComp(generators=generators) | ast.GeneratorExp(generators=generators):
            yield from (part.iter for part in generators)
        case ast.For(iter=iterated, body=body) if _is_order_kept(body):
            yield iterated
        case ast.Call(func=ast.Attribute(attr="join"), args=[joined]):
            yield joined
        case ast.Call(func=function, args=[first, *_]):
            if source.find_origin(function) in _IN_ORDER:
                yield first
        case ast.Starred(value=value) if isinstance(source.parents[node], ast.List | ast.Tuple):
            yield value
        case _:
            pass


def _is_order_kept(body: list[ast.stmt]) -> bool:
    """Return whether a loop appends or yields what it meets."""
    for node in (inner for statement in body for inner in ast.walk(statement)):
        match node:
            case ast.Yield() | ast.YieldFrom():
                return True
            case ast.Call(func=ast.Attribute(attr="append" | "extend")):
                return True
            case _:
                pass
    return False


def _is_order_lost(source: Source, node: ast.AST) -> bool:
    """Return whether what is made goes where its order does not matter."""
    parent = source.parents[node]
    if isinstance(parent, ast.Call) and node in parent.args:
        return source.find_origin(parent.func) in _ORDER_FREE
    return isinstance(node, ast.GeneratorExp) and not isinstance(parent, ast.Call)


RULES = (
    LintRule(
        "tool-reads-clock",
        find_uses(_CLOCKS, _CLOCK),
        "take the day as a parameter or read it from a record, as the SOP says",
    ),
    LintRule("tool-reads-clock", find_short_calls, "give it a time from a parameter or a record"),
    LintRule(
        "tool-waits",
        find_uses("time.sleep", "waits, which changes no answer"),
        "drop it",
    ),
    LintRule(
        "tool-draws-lots",
        report_uses(explain_lot),
        "compute the value from the arguments; draw what must look random from a"
        " random.Random(seed) with a fixed seed, made in the call",
    ),
    LintRule(
        "tool-shares-seed",
        find_uses(
            "random.seed",
            "is shared by all draws, so one call changes the draws of another",
            _is_seeding,
        ),
        "make a random.Random(seed) in the call and draw from it",
        severity=Severity.WARNING,
    ),
    LintRule(
        "tool-hashes-text",
        find_uses("builtins.hash", _HASH, _may_be_of_text),
        "use hashlib or zlib.crc32 of the encoded text, or compare the values themselves",
    ),
    LintRule(
        "tool-reads-address",
        find_uses("builtins.id", "is an address in memory, which differs in every process"),
        "use a key of the record, or its position in a list",
    ),
    LintRule(
        "tool-set-order",
        find_set_orders,
        "wrap it in sorted(), or collect into a list or a dict, which keep their order",
        severity=Severity.WARNING,
    ),
)
