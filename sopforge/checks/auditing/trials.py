"""What a package's tools answer in the sandbox: on every row, twice, and with other arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Self, TypeAlias

from sopforge.checks.auditing.arguments import (
    BLANKS,
    as_argument,
    get_parameter_schemas,
    list_required_parameters,
    make_up_argument,
)
from sopforge.errors import Fault, ToolProcessError
from sopforge.harness.scoring.sop_bench_package import PeerPackage, PeerTool
from sopforge.sandbox.answers import JSON, Answer, JSONValue, Observation
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.twice import SALTS, open_process
from sopforge.sandbox.zygotes import NO_LIBRARIES

Arguments: TypeAlias = Mapping[str, JSONValue]
Said: TypeAlias = "Answer | Fault"
"""What became of a call: an answer, or why there is none."""
Known: TypeAlias = "dict[str, JSON | str]"
TIME_LIMIT = 20.0
TOGETHER = 50
"""How many calls are sent at once, and may take that long together."""
MOST_ENDS = 3
"""How often a tool may end its process before it is called no more; by hanging, once."""
MUTATED_ROWS, FEWER_ROWS = 40, 12
"""Of how many rows each parameter is changed: fewer of packages of others, whose tools are slow."""
OTHERS = 3
"""By how many values of other rows."""
STRANGE: tuple[JSONValue, ...] = ("no such value", -987654321, {"no": "value"})
"""Values that no record has, and of which at most one is of the parameter's type."""
REPEATED = 20
"""How many calls of a tool are made once more in the same process."""
MADE_UP_ROWS = 3
_ENDING = frozenset({"tool-too-slow", "tool-process-died", "output-too-large", "reply-malformed"})


@dataclass(frozen=True, slots=True)
class TriedCall:
    """A call with arguments from a row: its answer, and that of a second process, a plain run.

    Where it ``is_guess``, the arguments are not the row's: some were made up, or, where it
    ``is_bare``, those were left out that the description does not require. ``later`` is the answer
    of the same process to the same call once more, None where it was not made.
    """

    tool: str
    row: int
    arguments: Arguments
    answer: Said
    again: Said
    is_guess: bool = False
    is_bare: bool = False
    later: Said | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """A call of which one parameter was changed, and what either was answered."""

    tool: str
    parameter: str
    arguments: Arguments
    before: Said
    after: Said


@dataclass(frozen=True, slots=True)
class Trials:
    """All calls; ``fault`` says why no tool of the module can be called, where that is so.

    ``outside`` says what is wrong with the plain run where processes in the sandbox answer alike.
    """

    tried: tuple[TriedCall, ...] = ()
    changed: tuple[Changed, ...] = ()
    fault: Fault | None = None
    outside: str = ""

    def list_calls(self, tool: str) -> list[TriedCall]:
        """Return the calls of a tool with arguments of their rows, in row order."""
        return [call for call in self.tried if call.tool == tool and not call.is_guess]

    def list_all_calls(self, tool: str) -> list[TriedCall]:
        """Return the calls of a tool, those with made-up arguments too."""
        return [call for call in self.tried if call.tool == tool and not call.is_bare]

    def list_bare_calls(self, tool: str) -> list[TriedCall]:
        """Return the calls of a tool with what its description requires and nothing else."""
        return [call for call in self.tried if call.tool == tool and call.is_bare]

    @property
    def count(self) -> int:
        """How many calls were made."""
        tried = sum(2 + (call.later is not None) for call in self.tried)
        return tried + len(self.changed)


@dataclass(frozen=True, slots=True)
class Bench:
    """What tools are tried with: their files, libraries, and what is on record of each row.

    Where they ``have_model``, the checks of its stages try what is not tried here, and a call may
    change what later ones are answered.
    """

    tools: Sequence[PeerTool]
    facts: Sequence[Mapping[str, str]]
    files: Mapping[str, bytes]
    libraries: frozenset[str] = NO_LIBRARIES
    have_model: bool = False


def try_tools(
    package: PeerPackage,
    facts: Sequence[Mapping[str, str]],
    files: Mapping[str, bytes],
    libraries: frozenset[str] = NO_LIBRARIES,
    *,
    have_model: bool = False,
) -> Trials:
    """Return what the tools answer to arguments that the package itself offers.

    After a call that gets no answer the next one is made, in a fresh process where that is needed.
    """
    bench = Bench(package.toolspecs, facts, files, libraries, have_model)
    try:
        tried, outside = _try_outside(bench)
        changed = tuple(_change_all(bench, tried))
    except ToolProcessError as failed:
        return Trials(fault=failed.faults[0])
    return Trials(tuple(tried), changed, None, outside)


def _try_outside(bench: Bench) -> tuple[list[TriedCall], str]:
    """Return all calls, and what is wrong with the plain run alone, "" for nothing."""
    tried: list[TriedCall] = []
    outside = "its answers are others"
    try:
        tried = _try_all(bench, is_plain=True)
    except ToolProcessError as failed:
        outside = failed.faults[0].message
    else:
        if not _has_differing_answers(tried):
            return tried, ""
    inside = _try_all(bench, is_plain=False)
    return (inside, "") if _has_differing_answers(inside) else (tried or inside, outside)


def _has_differing_answers(tried: Sequence[TriedCall]) -> bool:
    return any(call.answer != call.again for call in tried)


@dataclass(slots=True)
class _Caller:
    """Calls in a process of a salt, and in a fresh one after a tool has ended it."""

    bench: Bench
    salt: int
    is_plain: bool = False
    process: ToolProcess | None = None
    ending: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        """Open the process.

        Raises:
            ToolProcessError: its module does not load.
        """
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.close()

    def open(self) -> ToolProcess:
        """Return the process, a fresh one where there is none that goes on."""
        if self.process is None or self.process.is_over:
            self.ending.close()
            self.process = self.ending.enter_context(
                open_process(
                    self.bench.files,
                    self.salt,
                    time_limit=TIME_LIMIT,
                    is_plain=self.is_plain,
                    libraries=self.bench.libraries,
                )
            )
        return self.process

    def call(self, tool: PeerTool, calls: Sequence[Arguments]) -> list[Said]:
        """Return what became of calls, as far as they were made: ``MOST_ENDS`` says how far."""
        found: list[Said] = []
        ends = 0
        while len(found) < len(calls) and ends < MOST_ENDS:
            process = self.open()
            part = calls[len(found) :][:TOGETHER]
            found += process.try_many([(tool.name, arguments) for arguments in part])
            if process.is_over:
                last = found[-1]
                hung = isinstance(last, Fault) and last.code == "tool-too-slow"
                ends += MOST_ENDS if hung else 1
        return found


def _try_all(bench: Bench, *, is_plain: bool) -> list[TriedCall]:
    """Call each tool on each row as soon as its parameters are known: from row or results.

    The second process looks like a plain run, where that is wanted and can be confined.
    """
    known: list[Known] = [dict(row) for row in bench.facts]
    tried: list[TriedCall] = []
    with _Caller(bench, SALTS[0]) as first, _Caller(bench, SALTS[1], is_plain) as second:
        waiting = [(tool, row) for tool in bench.tools for row in range(len(bench.facts))]
        while waiting:
            ready: list[tuple[PeerTool, int]] = []
            later: list[tuple[PeerTool, int]] = []
            for tool, row in waiting:
                (ready if _has_all(tool, known[row]) else later).append((tool, row))
            # Nothing that was returned gave what the rest requires: those tools stay untried.
            if not ready:
                break
            waiting = later
            for tool in bench.tools:
                rows = [row for other, row in ready if other is tool]
                calls = [_build_arguments(tool, known[row]) for row in rows]
                found = _call_both(bench, (first, second), tool, rows, calls)
                tried += found
                _learn(known, found)
        if not bench.have_model:
            tried += [
                *_try_with_made_up(bench, (first, second), known, tried),
                *_try_bare(bench, (first, second), tried),
            ]
    return tried


def _try_with_made_up(
    bench: Bench,
    callers: tuple[_Caller, _Caller],
    known: Sequence[Known],
    tried: Sequence[TriedCall],
) -> Iterator[TriedCall]:
    """Call the tools that no row has everything for, with what the rows lack made up."""
    called = {call.tool for call in tried}
    for tool in bench.tools:
        if tool.name not in called:
            rows = list(range(len(bench.facts))[:MADE_UP_ROWS])
            calls = [_make_up_arguments(tool, known[row]) for row in rows]
            yield from _call_both(bench, callers, tool, rows, calls, is_guess=True)


def _try_bare(
    bench: Bench, callers: tuple[_Caller, _Caller], tried: Sequence[TriedCall]
) -> Iterator[TriedCall]:
    """Call the tools on some rows with what their descriptions require, and nothing else."""
    for tool in bench.tools:
        required = list_required_parameters(tool)
        answered = [
            call
            for call in tried
            if call.tool == tool.name and isinstance(call.answer, Observation)
            if not call.is_guess and set(call.arguments) > set(required)
        ][:MADE_UP_ROWS]
        calls = [{name: call.arguments[name] for name in required} for call in answered]
        found = _call_both(bench, callers, tool, [call.row for call in answered], calls)
        yield from (replace(call, is_guess=True, is_bare=True) for call in found)


def _call_both(
    bench: Bench,
    callers: tuple[_Caller, _Caller],
    tool: PeerTool,
    rows: Sequence[int],
    calls: Sequence[Arguments],
    *,
    is_guess: bool = False,
) -> list[TriedCall]:
    first, second = callers
    answers = first.call(tool, calls)
    # Once more, and only where no call is meant to change what later ones are answered.
    repeated = [] if bench.have_model or _has_ended(answers) else calls[:REPEATED]
    later = first.call(tool, repeated)
    # What has no answer is not asked again: it would hang or die there too.
    asked = [place for place, said in enumerate(answers) if not isinstance(said, Fault)]
    others = dict(zip(asked, second.call(tool, [calls[place] for place in asked]), strict=False))
    return [
        TriedCall(
            tool.name,
            rows[place],
            calls[place],
            said,
            others.get(place, said),
            is_guess,
            later=later[place] if place < len(later) else None,
        )
        for place, said in enumerate(answers)
    ]


def _has_ended(answers: Sequence[Said]) -> bool:
    """Return whether a call ended its process."""
    return any(isinstance(said, Fault) and said.code in _ENDING for said in answers)


def _learn(known: list[Known], found: Sequence[TriedCall]) -> None:
    """Add what tools returned to what is known of their rows; what is on record stays."""
    for call in found:
        if isinstance(call.answer, Observation) and isinstance(call.answer.value, dict):
            known[call.row] = {**call.answer.value, **known[call.row]}


def _has_all(tool: PeerTool, known: Mapping[str, object]) -> bool:
    return all(_is_given(known.get(name)) for name in list_required_parameters(tool))


def _is_given(value: object) -> bool:
    return value is not None and str(value).strip().lower() not in BLANKS


def _build_arguments(tool: PeerTool, known: Mapping[str, JSON | str]) -> dict[str, JSONValue]:
    schemas = get_parameter_schemas(tool)
    return {
        name: as_argument(schemas.get(name, {}), value) if isinstance(value, str) else value
        for name, value in known.items()
        if name in {*schemas, *list_required_parameters(tool)} and _is_given(value)
    }


def _make_up_arguments(tool: PeerTool, known: Mapping[str, JSON | str]) -> Arguments:
    schemas = get_parameter_schemas(tool)
    made_up: dict[str, JSONValue] = {
        name: make_up_argument(schemas.get(name, {})) for name in list_required_parameters(tool)
    }
    return {**made_up, **_build_arguments(tool, known)}


def _change_all(bench: Bench, tried: Sequence[TriedCall]) -> Iterator[Changed]:
    """Call again with one parameter at a time as other rows have it, and as none has."""
    for tool in bench.tools:
        calls = [call for call in tried if call.tool == tool.name and not call.is_guess]
        if _has_ended([call.answer for call in calls]):
            continue
        answered = [call for call in calls if isinstance(call.answer, Observation)]
        rows = MUTATED_ROWS if bench.have_model else FEWER_ROWS
        asked = [
            change
            for name in get_parameter_schemas(tool)
            for change in _iterate_changed_arguments(name, answered, rows)
        ]
        with _Caller(bench, SALTS[0]) as caller:
            answers = caller.call(tool, [arguments for _, _, arguments in asked])
        # Not strict: a tool that ended too many processes was called no more.
        for (name, call, arguments), answer in zip(asked, answers, strict=False):
            yield Changed(tool.name, name, arguments, call.answer, answer)


def _iterate_changed_arguments(
    name: str, answered: Sequence[TriedCall], rows: int
) -> Iterator[tuple[str, TriedCall, Arguments]]:
    values = [call.arguments[name] for call in answered if name in call.arguments]
    distinct = [value for place, value in enumerate(values) if value not in values[:place]]
    for call in answered[:rows]:
        if name in call.arguments:
            others = [value for value in distinct if value != call.arguments[name]]
            # Another start for each row, so that between them the rows try more than three values.
            first = call.row % max(len(others), 1)
            for value in (*(others[first:] + others[:first])[:OTHERS], *STRANGE):
                yield name, call, {**call.arguments, name: value}
