"""The environment of this benchmark domain: sessions in which an agent works on a task.

It needs Python's standard library and four files beside it, with the records: ``sop.txt``,
``toolspecs.json``, ``tasks.jsonl`` and ``tools.py``. Where there is a folder ``layers``, the first
three are taken from there, and ``layers.py`` stands between sessions and tools. It reads nothing
that only a grader may see.

    environment = Environment()
    session = environment.start("task-05723013")
    session.observe()                                      # the SOP, the tools, the task
    reply = session.call("openFile", {"case_id": "C-1"})
    reply.as_text()                                        # what the agent reads
    session.finish("<decision>approved</decision>")

What a session is answered depends on its task, its seed and its own calls before. Each session has
its own tools and records, so that what one changes no other sees. A tool that never returns is not
stopped: run code that you do not trust in a process that you can end.

As a program it runs one session. Its command line is for the harness, which chooses the task:

    python environment.py --task task-05723013 [--seed N] [--log FILE]

A harness may also leave out ``--task``, and write ``{"task": "task-05723013", "seed": 0}`` before
it lets the agent write. All else on standard input and output is for the agent, who can begin no
session and choose no task:

    writes  {"sop": "...", "tools": [...], "task": {"id": "...", "text": "...", "inputs": {...}}}
    reads   {"tool": "openFile", "arguments": {"case_id": "C-1"}}
    writes  {"result": {"state": "open"}}                 or {"refusal": "...", "message": "..."}
    reads   {"say": "Now I know enough."}                 no reply
    reads   {"answer": "<decision>approved</decision>"}   ends the session; no reply

Where the lines end without an answer, the session was given up. A line that is none of these
changes nothing, and is answered ``{"error": "..."}``. Half of a character (a lone surrogate)
becomes U+FFFD. ``--tasks`` lists the tasks' ids. ``--log`` appends a line for the session, which
``score.py`` on the grader's side reads.
"""

from __future__ import annotations

import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from argparse import Namespace

SOP, TOOLSPECS, TASKS, TOOLS = "sop.txt", "toolspecs.json", "tasks.jsonl", "tools.py"
LAYERED, LAYERS, LAYER_DATA = "layers", "layers.py", "layers.jsonl"
UNKNOWN_TOOL, TOOL_FAULT = "unknown_tool", "tool_fault"
ACTS = ("tool", "say", "answer")
LONGEST_LINE = 1 << 20
"""In bytes, of what an agent writes at once."""
DEEPEST = 64
"""How many values may lie within each other, as they are logged."""
K = TypeVar("K")


class SessionOverError(Exception):
    """Something was done in a session that has its answer already."""


class LineError(ValueError):
    """A line of an agent is none that can be carried out."""


class Act(NamedTuple):
    """What an agent does: the kind of act, and what is called, said or answered."""

    kind: str
    text: str
    arguments: dict[str, Any]


class Reply(NamedTuple):
    """What a call is answered: a result, or a refusal's code with its words."""

    result: Any = None
    refusal: str = ""
    message: str = ""

    def as_text(self) -> str:
        """Return what an agent reads: the result as JSON, or the code and the words."""
        if self.refusal:
            # The tools' own words begin with the code.
            return f"{self.refusal}: {self.message.removeprefix(f'{self.refusal}: ')}"
        return write_json(self.result)

    def as_record(self) -> dict[str, Any]:
        """Return what stands in a log and on a line."""
        if self.refusal:
            return {"refusal": self.refusal, "message": self.message}
        return {"result": self.result}


class Called(NamedTuple):
    """An agent called a tool."""

    tool: str
    arguments: Mapping[str, Any]
    reply: Reply

    def as_record(self) -> dict[str, Any]:
        """Return what stands in a log."""
        return {"tool": self.tool, "arguments": self.arguments, **self.reply.as_record()}


class Said(NamedTuple):
    """An agent said something that is no call and no answer.

    ``reply`` is what a user said to it, empty where nobody heard it. Where the user speaks first,
    the text is empty.
    """

    text: str
    reply: str = ""

    def as_record(self) -> dict[str, Any]:
        """Return what stands in a log."""
        return {"said": self.text, **({"user": self.reply} if self.reply else {})}


Event: TypeAlias = Called | Said
Arguments: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = Callable[[K, str, Arguments], tuple[K, tuple[Any, str, str]]]
"""Returns what is kept after a call of a tool, of what was kept before it, and the reply."""


class State(NamedTuple, Generic[K]):
    """A session: what happened so far, and the final text, None before there is one.

    It is a value: whoever keeps one can go on from it twice. ``kept`` is what answers its calls.
    """

    task: str
    seed: int
    kept: K
    events: tuple[Event, ...] = ()
    answer: str | None = None

    def call(
        self, tool: str, arguments: Arguments, tools: Sequence[str], answer: Answer[K]
    ) -> State[K]:
        """Return the state after a call, of which the reply is in the last event.

        Raises:
            SessionOverError: the answer was given already.
            ValueError: a number among the arguments is not finite, or values lie too deeply.
            TypeError: an argument is of a type that JSON does not have.
        """
        self.require_open()
        # Before a tool is called: what cannot be logged was not called.
        tool, given = make_text(tool), copy_json(arguments, DEEPEST + 1)
        if tool in tools:
            # A tool is given a copy of its own: what it does with it changes no log.
            kept, reply = answer(self.kept, tool, copy_json(given, DEEPEST + 1))
        else:
            kept, reply = self.kept, (None, UNKNOWN_TOOL, f"the tools are {', '.join(tools)}")
        return self._replace(kept=kept, events=(*self.events, Called(tool, given, Reply(*reply))))

    def note(self, text: str, reply: str = "") -> State[K]:
        """Return the state after the agent said something, with the reply of whoever heard it.

        Raises:
            SessionOverError: the answer was given already.
        """
        self.require_open()
        return self._replace(events=(*self.events, Said(make_text(text), reply)))

    def finish(self, answer: str) -> State[K]:
        """Return the state with the agent's final text.

        Raises:
            SessionOverError: the answer was given already.
        """
        self.require_open()
        return self._replace(answer=make_text(answer))

    def require_open(self) -> None:
        """Raise ``SessionOverError`` where the answer was given already."""
        if self.answer is not None:
            raise SessionOverError(f"the session of {self.task} has its answer")


def write_log(head: Mapping[str, object], events: Iterable[Event]) -> str:
    """Return the line of a session in a log: what it is known by, then its events."""
    begun = json.dumps(head, ensure_ascii=False).removesuffix("}")
    # The events as they are written: read as JSON, numbers would lose their places.
    return f'{begun}, "events": [{", ".join(write_json(event.as_record()) for event in events)}]}}'


class Session:
    """One attempt at a task: what happened so far, and the final text, None before there is one."""

    def __init__(self, environment: Environment, task: str, seed: int, manager: Any) -> None:
        self.environment = environment
        # Asked for once: it does not change, and calls are many.
        dispatcher = getattr(manager, "process_tool_call", None)
        self._dispatch = dispatcher if callable(dispatcher) else partial(_call_method, manager)
        kept, self._answer = environment.surround(task, self._answer_plainly)
        self.state: State[Any] = State(task, seed, kept)

    @property
    def events(self) -> list[Event]:
        """What happened so far."""
        return list(self.state.events)

    @property
    def answer(self) -> str | None:
        """The final text, None before there is one."""
        return self.state.answer

    def observe(self) -> dict[str, Any]:
        """Return what the agent may see."""
        environment, name = self.environment, self.state.task
        task = environment.tasks[name]
        shown = {"id": name, "text": task["text"], "inputs": task["inputs"]}
        # A copy, for what one agent does with it no other may see.
        return {
            "sop": environment.sop,
            "tools": copy_json(environment.tools),
            "task": copy_json(shown),
        }

    def call(self, tool: str, arguments: Arguments) -> Reply:
        """Return what a tool replies.

        Raises:
            SessionOverError: the answer was given already.
            ValueError: a number among the arguments is not finite.
            TypeError: an argument is of a type that JSON does not have.
        """
        self.state = self.state.call(tool, arguments, self.environment.names, self._answer)
        reply = next(event.reply for event in self.state.events[-1:] if isinstance(event, Called))
        # A copy, so that what the caller does with his own later changes no log.
        return Reply(copy_json(reply.result), reply.refusal, reply.message)

    def say(self, text: str) -> None:
        """Say something that is no call and no answer.

        Raises:
            SessionOverError: the answer was given already.
        """
        self.state = self.state.note(text)

    def finish(self, answer: str) -> None:
        """Give the final text.

        Raises:
            SessionOverError: the answer was given already.
        """
        self.state = self.state.finish(answer)

    def write_log(self) -> str:
        """Return the session as one line of JSON, without a line end."""
        state = self.state
        head = {"task": state.task, "seed": state.seed, "answer": state.answer}
        return write_log(head, state.events)

    def _answer_plainly(self, kept: None, tool: str, given: Arguments) -> tuple[None, Reply]:
        try:
            result = self._dispatch(tool, given)
        except (SystemExit, MemoryError) as ended:
            return kept, Reply(None, TOOL_FAULT, f"the tool ended: {type(ended).__name__}")
        # Whatever a tool raises is its answer.
        except Exception as raised:
            return kept, self._refuse(raised)
        try:
            return kept, Reply(copy_json(result))
        except (TypeError, ValueError) as flaw:
            return kept, Reply(None, TOOL_FAULT, f"the tool's answer is no JSON: {flaw}")

    def _refuse(self, raised: Exception) -> Reply:
        code = getattr(raised, "code", None)
        message = str(raised).replace(f"{self.environment.folder}/", "")
        return Reply(
            None,
            replace_surrogates(code if type(code) is str else type(raised).__name__),
            replace_surrogates(message),
        )


def _call_method(manager: Any, tool: str, given: Arguments) -> Any:
    return getattr(manager, tool)(**given)


class Environment:
    """A package that is run: what agents see of it, and sessions of its tasks."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Read the package in a folder, by default the one of this file.

        Raises:
            OSError: a file is missing or cannot be read.
            ValueError, KeyError, TypeError: a file is malformed.
        """
        self.folder = Path(__file__).parent if folder is None else Path(folder)
        layered = self.folder / LAYERED
        shown = layered if layered.is_dir() else self.folder
        self.sop = _read_text(shown / SOP)
        self.tools = [_read_tool(entry) for entry in json.loads(_read_text(shown / TOOLSPECS))]
        # Not splitlines: a text may hold U+2028, at which that would cut its line in two.
        lines = _read_text(shown / TASKS).split("\n")
        tasks = [json.loads(line) for line in lines if line]
        self.tasks = {str(task["task_id"]): task for task in tasks}
        self.names = list(dict.fromkeys(str(tool["name"]) for tool in self.tools))
        self._make_manager = load_manager(self.folder / TOOLS)
        self._layers: Any = None
        if (shown / LAYER_DATA).is_file():
            self._layers = _load_module(self.folder / LAYERS)
            self._around = self._layers.read_layers(_read_text(shown / LAYER_DATA), write_json)

    def surround(self, task: str, answer: Answer[None]) -> tuple[Any, Answer[Any]]:
        """Return what is kept before the first call of a session, and what answers its calls."""
        if self._layers is None:
            return None, answer
        around: tuple[Any, Answer[Any]] = self._layers.surround(self._around, task, answer)
        return around

    def start(self, task: str, seed: int = 0) -> Session:
        """Return a new session of a task.

        Raises:
            KeyError: there is no such task.
        """
        if task not in self.tasks:
            raise KeyError(task)
        return Session(self, task, seed, self._make_manager())


def serve(session: Session, lines: Iterable[bytes]) -> Iterator[str]:
    """Yield what the agent of a session may see, then what its lines are answered."""
    yield json.dumps(session.observe(), ensure_ascii=False)
    for line in lines:
        reply = _answer_line(session, line) if line.strip() else None
        if reply is not None:
            yield reply
        if session.answer is not None:
            return


def read_act(line: bytes) -> Act:
    """Return what an agent does by a line.

    Raises:
        LineError: it is no line of an agent.
    """
    said = read_object(line)
    kinds = [kind for kind in ACTS if kind in said]
    if len(kinds) != 1:
        raise LineError('write one of "tool" with "arguments", "say" and "answer"')
    text, arguments = said[kinds[0]], said.get("arguments", {})
    if not isinstance(text, str):
        raise LineError(f'"{kinds[0]}" is no text')
    if not isinstance(arguments, dict):
        raise LineError('"arguments" is no object')
    return Act(kinds[0], text, arguments)


def read_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object on a line, with U+FFFD for what is no character.

    Raises:
        LineError: the line is too long, or no JSON object.
    """
    if len(line) > LONGEST_LINE:
        raise LineError(f"the line has more than {LONGEST_LINE:,} bytes")
    try:
        # Some programs begin what they write with a byte order mark.
        text = line.decode("utf-8-sig", "replace")
        said = json.loads(text, parse_constant=_refuse_number, parse_float=_read_float)
        # Only an escape can be half of a character. How deep a value may lie, its use decides.
        said = copy_json(said, -1) if "\\u" in text else said
    except LineError:
        raise
    except json.JSONDecodeError as cause:
        raise LineError("this line is no JSON") from cause
    except RecursionError as cause:
        raise LineError("values lie within each other too deeply") from cause
    except ValueError as cause:
        raise LineError("a number has too many digits") from cause
    if isinstance(said, dict):
        return said
    raise LineError("the line is no object")


def iterate_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield lines; of one that is too long no more than shows it."""
    while line := stream.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE + 1)
        yield line


def load_manager(path: Path) -> Callable[[], Any]:
    """Return what makes the object that answers the calls of a session.

    Raises:
        ValueError: the module does not load, or makes no such object.
    """
    try:
        module = _load_module(path)
        public = [name for name in vars(module) if not name.startswith("_")]
        made: Callable[[], Any] = getattr(
            module, min(name for name in public if name.endswith("Manager"))
        )
        # Made once now: it reads the records, and what is wrong with them shows before a session.
        made()
    except Exception as raised:
        message = f"{path.name} does not load: {type(raised).__name__}: {raised}"
        raise ValueError(message) from raised
    return made


def copy_json(value: Any, left: int = DEEPEST) -> Any:
    """Return a value as it would be read from JSON, and share nothing with it that can change.

    Raises:
        ValueError: a number is not finite, or values lie too deeply to be logged.
        TypeError: it is of a type that JSON does not have.
    """
    kind = type(value)
    if kind is str:
        return replace_surrogates(value)
    if kind is int or kind is bool or value is None:
        return value
    if kind is float:
        if math.isfinite(value):
            return value
        raise ValueError(f"{value} is not JSON")
    if not left:
        raise ValueError(f"values lie within each other more than {DEEPEST} deep")
    if kind is dict:
        return {_require_name(name): copy_json(item, left - 1) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [copy_json(item, left - 1) for item in value]
    return _copy_unusual(value, left)


def write_json(value: Any) -> str:
    """Return a value as JSON text, with keys in order, and numbers with all of their places."""
    if isinstance(value, Mapping):
        parts = (f"{write_json(name)}: {write_json(value[name])}" for name in sorted(value))
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(write_json, value))}]"
    if isinstance(value, float | Decimal):
        # By its text: made of the float itself, 0.1 would have 55 places.
        return str(value if isinstance(value, Decimal) else Decimal(repr(value)))
    return json.dumps(value, ensure_ascii=False)


def make_text(text: object) -> str:
    """Return a text that every reader of a log can read."""
    if not isinstance(text, str):
        raise TypeError(f"a text is wanted, not {type(text).__name__}")
    return replace_surrogates(text)


def replace_surrogates(text: str) -> str:
    """Return a text in which two halves of a character are one, and U+FFFD stands for one alone."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _load_module(path: Path) -> ModuleType:
    module = ModuleType(f"tools of {path.parent}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses look for the names of a class
    exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
    _load_records_once(module)
    return module


def _load_records_once(module: ModuleType) -> None:
    """Have each file of records be read once; whoever asks for its records has a copy of them."""
    read = vars(module).get("read_records")
    names = getattr(getattr(read, "__code__", None), "co_varnames", ())
    # Tools of another make read as they please, anew for each session.
    if read is None or names[:2] != ("file_name", "kinds"):
        return
    known: dict[str, dict[str, dict[str, Any]]] = {}

    def read_records(file_name: str, kinds: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        if file_name not in known:
            known[file_name] = read(file_name, kinds)
        return {key: record.copy() for key, record in known[file_name].items()}

    vars(module)["read_records"] = read_records


def _copy_unusual(value: Any, left: int) -> Any:
    if isinstance(value, Decimal):
        return copy_json(float(value))
    if isinstance(value, str):
        return replace_surrogates(str(value))
    if isinstance(value, Mapping):
        return copy_json(dict(value), left)
    if isinstance(value, Sequence):
        return copy_json(list(value), left)
    raise TypeError(f"a {type(value).__name__} is not JSON")


def _require_name(name: Any) -> str:
    if isinstance(name, str):
        return replace_surrogates(name)
    raise TypeError(f"{name!r} is no name of a member")


def _answer_line(session: Session, line: bytes) -> str | None:
    try:
        act = read_act(line)
        if act.kind == "tool":
            return write_json(session.call(act.text, act.arguments).as_record())
    except (ValueError, TypeError, RecursionError) as cause:
        return write_json({"error": str(cause)})
    (session.say if act.kind == "say" else session.finish)(act.text)
    return None


def _refuse_number(text: str) -> Any:
    raise LineError(f"{text} is not JSON")


def _read_float(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse_number(text[:20])


def _read_text(path: Path) -> str:
    return path.read_bytes().decode()


def _read_tool(entry: Mapping[str, Any]) -> dict[str, Any]:
    spec = entry["toolSpec"]
    return {
        "name": spec["name"],
        "description": spec["description"],
        "parameters": spec["inputSchema"]["json"],
    }


def main(given: Sequence[str]) -> int:
    """List the tasks, or run the session of one on standard input and output."""
    asked = _read_options(given)
    try:
        _run(asked)
    except BrokenPipeError:
        # Nobody reads any more: what is left is not written at the end of the program either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    except (OSError, ValueError, KeyError, TypeError) as cause:
        sys.stderr.write(f"the session cannot be run: {cause}\n")
        return 2
    return 0


def _read_options(given: Sequence[str]) -> Namespace:
    from argparse import ArgumentParser  # noqa: PLC0415 - for the program alone

    options = ArgumentParser(prog="environment.py", allow_abbrev=False)
    what = options.add_mutually_exclusive_group()
    what.add_argument("--task", metavar="ID", help="run the session of this task")
    what.add_argument("--tasks", action="store_true", help="list the ids of the tasks")
    options.add_argument("--seed", type=int, default=0, metavar="N")
    options.add_argument("--log", default=os.devnull, metavar="FILE")
    return options.parse_args(given)


def _run(asked: Namespace) -> None:
    # Agents write UTF-8, whatever the machine prefers.
    replies = io.TextIOWrapper(sys.stdout.buffer, "utf-8")
    environment = Environment()
    if asked.tasks:
        _write_lines(replies, environment.tasks)
        return
    lines = iterate_lines(sys.stdin.buffer)
    task, seed = (asked.task, asked.seed) if asked.task else _read_asked(next(lines, b""))
    if task not in environment.tasks:
        raise ValueError(f"there is no task {write_json(task)}; --tasks lists them")
    with Path(asked.log).open("a", encoding="utf-8") as file:
        session = environment.start(task, seed)
        try:
            _write_lines(replies, serve(session, lines))
        finally:
            # Also of an agent that has left: its session was given up.
            _write_lines(file, [session.write_log()])


def _read_asked(line: bytes) -> tuple[str, int]:
    """Return the task and the seed of the line with which a harness begins."""
    said = read_object(line)
    task, seed = said.get("task"), said.get("seed", 0)
    if isinstance(task, str) and type(seed) is int:
        return task, seed
    raise LineError('the first line is no {"task": "...", "seed": 0}')


def _write_lines(file: IO[str], lines: Iterable[str]) -> None:
    for line in lines:
        file.write(f"{line}\n")
        file.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
