"""Runs a hostile module in the sandbox or as an ordinary process, and gathers what came back."""

from __future__ import annotations

import ast
import json
import math
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TypeAlias, TypeVar

from sopforge.errors import ToolProcessError
from sopforge.sandbox.answers import JSON, JSONValue, Observation, Refusal
from sopforge.sandbox.process import ToolProcess
from tests.faults.canaries import Aims

MODULES = Path(__file__).parents[1] / "modules"
SLACK = 2.0
UNHURRIED = 10.0
LARGEST = 1_000_000
DEEPEST = 200
LONGEST = 15_000
"""Bits of an integer; Python itself reads and writes no more than 4,300 digits."""

SNEAKING = (MODULES / "sneaking.py").read_bytes()
NEIGHBOUR = (MODULES / "neighbour.py").read_bytes()
EXPECTED: JSON = {
    "next": 2,
    "rows": 1,
    "third": "0.3333333333333333333333333333",
    "sorted": ["a", "b", "c"],
    "json": '{"a": 0.5, "b": [1, null]}',
    "day": "2024-03-01",
    "words": ["one", "three"],
    "sum": 17,
    "true": True,
    "long": False,
}

Folder: TypeAlias = Mapping[str, bytes]
_T = TypeVar("_T")


@dataclass(frozen=True)
class Attack:
    """A hostile module and what its docstring says of its control."""

    path: Path

    @property
    def name(self) -> str:
        """Return what it tries."""
        return self.path.stem

    @cached_property
    def source(self) -> str:
        """Return its text."""
        return self.path.read_text()

    @cached_property
    def sign(self) -> str | None:
        """Return what has to show when it runs as an ordinary process; None: no control."""
        found = re.search(r"^Control(?: as root)?: (\w+)", self.source, re.MULTILINE)
        return found and found[1]

    @property
    def is_for_root(self) -> bool:
        """Return whether only root reaches the aim."""
        return "\nControl as root: " in self.source

    @property
    def is_reached_each_turn(self) -> bool:
        """Return whether every turn reaches the aim by itself, not only one of them."""
        return f": {self.sign}, each turn" in self.source

    @property
    def runs_here(self) -> bool:
        """Return whether its machine code and numbers of calls are those of this machine."""
        return "\nMachine: " not in self.source or f"\nMachine: {os.uname().machine}" in self.source

    @property
    def time_limit(self) -> float:
        """Return the seconds that a call may take; attacks on the clock use up all of them."""
        return 0.7 if self.sign == "late" else 2.0

    @cached_property
    def turns(self) -> range:
        """Return the numbers of its attempts, each in a call of its own."""
        tree = ast.parse(self.source)
        lengths = [
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TURNS"
        ]
        return range(lengths[0] if lengths else 1)

    @cached_property
    def asks(self) -> set[str]:
        """Return the names of the arguments of ``attack``."""
        tree = ast.parse(self.source)
        return {
            argument.arg
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name == "attack"
            for argument in node.args.kwonlyargs
        }

    def arguments(self, aims: Aims, turn: int) -> Aims:
        """Return the aims that it asks for."""
        return {key: value for key, value in {**aims, "turn": turn}.items() if key in self.asks}

    def files(self, aims: Aims) -> dict[str, bytes]:
        """Return the module's folder; its aims are there too, for attacks while it loads."""
        content = json.dumps(aims).encode()
        before = SNEAKING if "sneak(" in self.source else b""
        tools = before + self.source.encode()
        return {"tools.py": tools, "records.csv": b"a\n1\n", "aims.json": content}


@dataclass
class Outcome:
    """What came back of a run, and what was odd about it."""

    texts: list[str] = field(default_factory=list)
    signs: set[str] = field(default_factory=set)

    def note(self, text: str) -> None:
        """Keep a text that came back."""
        self.texts.append(text)
        if sum(map(len, self.texts)) > LARGEST + 100_000:
            self.signs.add("flooded")

    def note_value(self, value: object) -> None:
        """Keep a value that came back."""
        with suppress(RecursionError, ValueError):
            self.note(repr(value))
        if not is_plain(value):
            self.signs.add("odd")
        elif isinstance(value, dict) and value.get("entered"):
            self.signs.add("entered")

    def note_later(self, text: str) -> None:
        """Keep a text that came back of a call after the attack."""
        self.note(text)
        if "FORGED" in text:
            self.signs.add("forged")


def attacks() -> list[Attack]:
    """Return all hostile modules."""
    return [Attack(path) for path in sorted((MODULES / "hostile").glob("*.py"))]


def neighbour_files(secret: str) -> dict[str, bytes]:
    """Return an honest module whose records nobody else may see."""
    return {"tools.py": NEIGHBOUR, "records.csv": f"name\n{secret}\n".encode()}


def is_plain(value: object, depth: int = 0) -> bool:
    """Return whether a value is JSON that every reader takes for the same."""
    if depth > DEEPEST:
        return False
    if type(value) is list:
        return all(is_plain(item, depth + 1) for item in value)
    if type(value) is dict:
        return all(
            type(key) is str and is_plain(key) and is_plain(item, depth + 1)
            for key, item in value.items()
        )
    return _is_plain_scalar(value)


def run_in_sandbox(attack: Attack, aims: Aims, other_secret: str, *, is_watched: bool) -> Outcome:
    """Return what the sandbox says of every turn, of a neighbour and of who comes after.

    Where the attack is not watched, the kernel alone holds it.
    """
    outcome, limit = Outcome(), attack.time_limit
    with ToolProcess(files=neighbour_files(other_secret), time_limit=10) as neighbour:
        for turn in attack.turns:
            arguments = attack.arguments(aims, turn)
            files = attack.files(aims)
            tools = ToolProcess(files=files, time_limit=limit, is_watched=is_watched)
            _attack_once(tools, arguments, outcome, limit)
        if not answers_well(neighbour):
            outcome.signs.add("spread")
    with ToolProcess(files=neighbour_files(other_secret), time_limit=10) as fresh:
        if not answers_well(fresh):
            outcome.signs.add("spread")
    return outcome


def answers_well(neighbour: ToolProcess) -> bool:
    """Return whether an honest module answers what it should."""
    return neighbour.call("look_up", {"number": 1}) == Observation(EXPECTED)


def run_plainly(
    attack: Attack, arguments: Aims, files: Mapping[str, Folder], folder: Path, group: int
) -> Outcome:
    """Return what the module reaches as an ordinary process, in the process group of the aim."""
    outcome = Outcome()
    plan = folder / "plan.json"
    for name, content in files.items():
        (folder / name).mkdir(parents=True)
        for file, data in content.items():
            (folder / name / file).write_bytes(data)
    folders = {name: str(folder / name) for name in files}
    plan.write_text(json.dumps({"arguments": arguments, **folders}))
    process = subprocess.Popen(
        [sys.executable, "-I", str(MODULES / "plain_worker.py"), str(plan)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        cwd=folder / "tools",
        close_fds=False,
        process_group=group,
    )
    with process:
        patience = attack.time_limit + SLACK if attack.sign == "late" else UNHURRIED
        sent = _receive(process, patience, outcome)
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    for line in sent.splitlines() or [b""]:
        _note_line(line, outcome)
    return outcome


def _attack_once(tools: ToolProcess, arguments: Aims, outcome: Outcome, limit: float) -> None:
    given: dict[str, JSONValue] = {**arguments}
    try:
        _timed(tools.__enter__, limit, outcome)
    except ToolProcessError as raised:
        outcome.note(_describe(raised))
        return
    try:
        outcome.note(_timed(lambda: _call(tools, "attack", given, outcome), limit, outcome))
        outcome.note_later(
            _timed(lambda: _call(tools, "honest", {"number": 20}, outcome), limit, outcome)
        )
    finally:
        _timed(lambda: tools.__exit__(None, None, None), limit, outcome)


def _call(tools: ToolProcess, name: str, given: dict[str, JSONValue], outcome: Outcome) -> str:
    try:
        answer = tools.call(name, given)
    except ToolProcessError as raised:
        return _describe(raised)
    if isinstance(answer, Refusal):
        outcome.note_value([answer.code, answer.message])
    else:
        outcome.note_value(answer.value)
    return repr(answer)


def _describe(raised: ToolProcessError) -> str:
    return "\n".join(f"{one.code} {one.message} {one.where} {one.hint}" for one in raised.faults)


def _timed(step: Callable[[], _T], limit: float, outcome: Outcome) -> _T:
    start = time.monotonic()
    try:
        return step()
    finally:
        if time.monotonic() - start > limit + SLACK:
            outcome.signs.add("late")


def _receive(process: subprocess.Popen[bytes], seconds: float, outcome: Outcome) -> bytes:
    """Return what the process sends until it ends, its time is up, or it sends far too much."""
    assert process.stdout is not None
    deadline, received = time.monotonic() + seconds, bytearray()
    while time.monotonic() < deadline:
        if select.select([process.stdout], [], [], 0.02)[0]:
            part = os.read(process.stdout.fileno(), 2**20)
            received += part
            if not part or len(received) > 3 * LARGEST:
                break
        elif process.poll() is not None:
            return bytes(received)  # somebody else still holds the pipe
    if len(received) > 3 * LARGEST:
        outcome.signs.add("flooded")
        return b""
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, deadline - time.monotonic()))
    if process.poll() is None:
        outcome.signs.add("late")
    return bytes(received)


def _note_line(line: bytes, outcome: Outcome) -> None:
    """Judge a line of the plain worker as naively as a parent would that trusts its child."""
    try:
        reply = json.loads(line, object_pairs_hook=_without_double, parse_float=Decimal)
        number = reply["n"]
        value = reply["value"] if "value" in reply else reply["refusal"]
    except (ValueError, RecursionError, KeyError, TypeError):
        outcome.note(line[:LARGEST].decode(errors="replace"))
        outcome.signs.add("odd")
        return
    if number == 3 and value != EXPECTED:  # the third line is the neighbour's
        outcome.signs.add("spread")
    if number > 1:
        outcome.note_later(json.dumps(value, default=str))
    outcome.note_value(value)


def _without_double(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _is_plain_scalar(value: object) -> bool:
    if type(value) is int:
        return value.bit_length() <= LONGEST
    if type(value) is float:
        return math.isfinite(value)
    if type(value) is Decimal:
        return value.is_finite()
    if type(value) is str:
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    return value is None or type(value) is bool
