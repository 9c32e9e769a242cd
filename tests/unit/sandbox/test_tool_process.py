"""A tool process answers, refuses, and survives every misbehaviour of the module it runs."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from sopforge.errors import Fault, SandboxError, ToolProcessError
from sopforge.sandbox.answers import JSON, JSONValue, Observation, Refusal
from sopforge.sandbox.channel import LARGEST_LINE
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import Zygote

SHORT = 1.0
RUN = [Level.STRONG, Level.KERNEL, Level.LIMITS]
CLAIMS = """
import csv
from pathlib import Path

class ToolError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code

class ClaimsManager:
    def __init__(self):
        with (Path(__file__).parent / "records.csv").open(newline="") as file:
            self.rows = {row["claim_id"]: row for row in csv.DictReader(file)}

    def look_up(self, *, claim_id):
        if claim_id not in self.rows:
            raise ToolError("unknown_claim", f"no claim {claim_id}")
        return self.rows[claim_id]
"""
RECORDS = "claim_id,amount\nC-1,19.99\n"
FOUND = Observation({"claim_id": "C-1", "amount": "19.99"})
NOTHING: Mapping[str, JSONValue] = {}


@pytest.fixture
def tools(tmp_path: Path) -> Callable[..., ToolProcess]:
    """Return a function that makes a process from the body of a manager's method ``run``."""

    def make(
        body: str,
        level: Level | None = None,
        zygote: Zygote | None = None,
        time_limit: float = SHORT,
    ) -> ToolProcess:
        lines = "".join(f"        {line}\n" for line in body.splitlines())
        method = f"    def run(self, **given):\n{lines}"
        source = f"import os, sys, time\nclass SmallManager:\n{method}"
        return process_of(tmp_path, source, level, zygote, time_limit)

    return make


def process_of(
    folder: Path,
    source: str,
    level: Level | None = None,
    zygote: Zygote | None = None,
    time_limit: float = SHORT,
) -> ToolProcess:
    """Return a process, not yet started, for a folder that gets this tools.py."""
    (folder / "tools.py").write_text(source)
    (folder / "records.csv").write_text(RECORDS)
    return ToolProcess(folder, time_limit=time_limit, level=level, zygote=zygote)


def ask(
    process: ToolProcess, given: Mapping[str, JSONValue] = NOTHING, tool: str = "run"
) -> Observation | Refusal:
    """Return what a process, entered for it alone, answers to a call."""
    with process as running:
        return running.call(tool, given)


def fault_of(process: ToolProcess) -> Fault:
    """Return the one fault of entering the process and calling its tool ``run``."""
    with pytest.raises(ToolProcessError) as caught:
        ask(process)
    (fault,) = caught.value.faults
    return fault


def test_a_value_is_an_observation_and_an_exception_a_refusal_with_its_code(tmp_path: Path) -> None:
    with process_of(tmp_path, CLAIMS) as running:
        assert running.call("look_up", {"claim_id": "C-1"}) == FOUND
        refused = Refusal("unknown_claim", "no claim C-9")
        assert running.call("look_up", {"claim_id": "C-9"}) == refused
        wrong = running.call("look_up", {"claim": "C-1"})
    assert isinstance(wrong, Refusal)
    assert wrong.code == "TypeError"


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("raise ValueError('too old')", Refusal("ValueError", "too old")),
        ("raise KeyboardInterrupt('now')", Refusal("KeyboardInterrupt", "now")),
        ("class E(BaseException): code = 'odd'\nraise E", Refusal("odd", "")),
        ("error = OSError('no'); error.code = 7; raise error", Refusal("OSError", "no")),
        ("class E(Exception):\n    __str__ = None\nraise E", Refusal("E", "")),
        ("class E(Exception):\n    code = property(lambda self: 1 / 0)\nraise E", Refusal("E", "")),
        (
            # Without the temporary folder.
            "open(os.path.join(os.path.dirname(__file__), 'gone.csv'))",
            Refusal("FileNotFoundError", "[Errno 2] No such file or directory: 'gone.csv'"),
        ),
    ],
    ids=["no code", "interrupt", "base", "number as code", "no text", "code raises", "folder"],
)
def test_any_exception_is_a_refusal(
    tools: Callable[[str], ToolProcess], body: str, refusal: Refusal
) -> None:
    assert ask(tools(body)) == refusal


def test_fractions_are_exact_decimals(tools: Callable[[str], ToolProcess]) -> None:
    answer = ask(tools("return [19.99, 2.50, 1e-7, 3, 0.1 + 0.2]"))
    exact = [Decimal(text) for text in ("19.99", "2.5", "1E-7")]
    assert answer == Observation([*exact, 3, Decimal("0.30000000000000004")])


def test_arguments_arrive_as_plain_python(tools: Callable[[str], ToolProcess]) -> None:
    given: dict[str, JSONValue] = {
        "a": Decimal("19.99"),
        "b": 2.5,
        "c": (1, None),
        "d": {"é": True},
        "e": "\ud800\n",
    }
    seen = [("a", 19.99), ("b", 2.5), ("c", [1, None]), ("d", {"é": True}), ("e", "\ud800\n")]
    assert ask(tools("return repr(sorted(given.items()))"), given) == Observation(repr(seen))


def test_an_infinite_argument_is_not_sent(tools: Callable[[str], ToolProcess]) -> None:
    with tools("return 1") as running:
        with pytest.raises(ValueError, match="not JSON compliant"):
            running.call("run", {"amount": Decimal("Infinity")})
        assert running.call("run", {}) == Observation(1)


@pytest.mark.parametrize(
    "body",
    [
        "print('[1]', flush=True)",
        "sys.stderr.write('x' * 200_000)",
        "os.write(1, b'noise'); os.write(2, b'noise')",
        "sys.stdin.read()",
        "os.closerange(0, 3)",
    ],
    ids=["print", "stderr", "descriptors", "stdin", "closed"],
)
def test_standard_streams_do_not_disturb_the_protocol(
    tools: Callable[[str], ToolProcess], body: str
) -> None:
    with tools(f"{body}\nreturn 'real'") as running:
        answers = running.call_many([("run", {}), ("run", {})])
    assert answers == [Observation("real")] * 2


def test_an_endless_loop_is_stopped(tools: Callable[[str], ToolProcess]) -> None:
    began = time.monotonic()
    fault = fault_of(tools("while True: pass"))
    assert (fault.code, fault.where) == ("tool-too-slow", "tools.py, run()")
    assert fault.message == "no answer within 1 s"
    assert time.monotonic() - began < 3 * SHORT


def test_an_endless_flood_of_replies_is_stopped(tools: Callable[[str], ToolProcess]) -> None:
    flood = "while True:\n    for fd in range(3, 9):\n        try: os.write(fd, b'x' * 4096)\n"
    assert fault_of(tools(flood + "        except OSError: pass")).code == "output-too-large"


def test_a_timer_of_the_caller_does_not_prolong_the_time(
    tools: Callable[[str], ToolProcess],
) -> None:
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, SHORT / 5, SHORT / 5)
    began = time.monotonic()
    try:
        fault = fault_of(tools("time.sleep(10)"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert fault.code == "tool-too-slow"
    assert time.monotonic() - began < 3 * SHORT


def test_a_caller_that_a_broken_pipe_would_end_lives_on(
    tools: Callable[[str], ToolProcess],
) -> None:
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    forged = (
        "import json\n"
        "frame = sys._getframe()\n"
        "while 'request' not in frame.f_locals: frame = frame.f_back\n"
        "reply = json.dumps({'n': frame.f_locals['request']['n'], 'value': 1})\n"
        "os.write(3, reply.encode() + b'\\n'); os._exit(3)"
    )
    try:
        with tools(forged) as running:
            running.call("run", {})
            time.sleep(0.2)
            with pytest.raises(ToolProcessError, match="exit status 3"):
                running.call("run", {})
    finally:
        signal.signal(signal.SIGPIPE, before)


def test_a_caller_may_have_a_thousand_files_open(tools: Callable[[str], ToolProcess]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2000:
        pytest.skip("this process may not")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2000, hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    text = "x" * 900_000
    try:
        assert ask(tools("return given['text']"), {"text": text}) == Observation(text)
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("os._exit(3)", "the process ended with exit status 3"),
        ("os._exit(0)", "the process ended with exit status 0"),
        ("sys.exit(4)", "the process ended with exit status 4"),
        ("os.abort()", "the process was ended by SIG"),
        ("os.closerange(3, 60); time.sleep(9)", "the process was killed or closed its output"),
    ],
    ids=["_exit", "_exit as if well", "exit", "abort", "close"],
)
def test_a_process_that_ends_is_detected_and_stays_over(
    tools: Callable[[str], ToolProcess], body: str, message: str
) -> None:
    with tools(body) as running:
        for _ in range(2):
            with pytest.raises(ToolProcessError) as caught:
                running.call("run", {})
            (fault,) = caught.value.faults
            assert (fault.code, fault.where) == ("tool-process-died", "tools.py, run()")
            assert fault.message.startswith(message)


def test_a_process_that_ends_while_loading_is_detected(tmp_path: Path) -> None:
    fault = fault_of(process_of(tmp_path, "raise SystemExit(2)"))
    assert (fault.code, fault.where) == ("tool-process-died", "tools.py")


@pytest.mark.parametrize("code", ["sandbox-too-weak", "sandbox-not-started", "stale-digest"])
@pytest.mark.parametrize("number", [-1, 0])
def test_a_module_cannot_say_that_this_machine_is_at_fault(
    tmp_path: Path, code: str, number: int
) -> None:
    """Else its reader would be advised to run it without a boundary."""
    forged = f'{{"n": {number}, "fault": ["{code}", "not on this kernel", "", ""]}}\n'
    source = f"import os, time\nos.write(3, {forged.encode()!r})\ntime.sleep(9)\n"
    fault = fault_of(process_of(tmp_path, source))
    assert (fault.code, fault.where) == ("reply-malformed", "tools.py")


def test_what_goes_wrong_before_foreign_code_is_entered_is_not_the_modules_fault() -> None:
    name = "x" * 300  # longer than any file system takes
    process = ToolProcess(files={"tools.py": b"", name: b""}, level=Level.KERNEL)
    with pytest.raises(SandboxError, match="name too long"), process:
        pass


def test_a_process_outside_of_its_block_is_closed(tools: Callable[[str], ToolProcess]) -> None:
    process = tools("return 1")
    ask(process)
    with pytest.raises(ToolProcessError, match="tool-process-closed"):
        process.call("run", {})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{1, 2}", "result is of type set"),
        ("[{'a': [0, b'x']}]", "result[0]['a'][1] is of type bytes"),
        ("{'a': float('nan')}", "result['a'] is nan"),
        ("float('-inf')", "result is -inf"),
        ("{'a': 1, 2: 3}", "result has a key of type int"),
        ("__import__('decimal').Decimal('1.5')", "result is of type Decimal"),
        ("10 ** 5000", "result is an integer too long"),
        ("(lambda loop: loop.append(loop) or loop)([])", "the result is nested deeper than 50"),
    ],
    ids=["set", "inside", "nan", "infinity", "key", "decimal", "digits", "cycle"],
)
def test_a_result_that_is_not_json_is_a_fault(
    tools: Callable[[str], ToolProcess], value: str, message: str
) -> None:
    fault = fault_of(tools(f"return {value}"))
    assert (fault.code, fault.where) == ("result-not-json", "tools.py, run()")
    assert fault.message.startswith(message)


def test_faults_of_many_calls_are_raised_together_and_once(
    tools: Callable[[str], ToolProcess],
) -> None:
    with tools("return {1} if given else 5") as running:
        with pytest.raises(ToolProcessError) as caught:
            running.call_many([("run", {"a": 1}), ("run", {}), ("run", {"a": 1}), ("walk", {})])
        assert running.call("run", {}) == Observation(5)
    assert [fault.code for fault in caught.value.faults] == ["result-not-json", "unknown-tool"]


def test_what_is_no_public_method_is_an_unknown_tool(tmp_path: Path) -> None:
    said = r"unknown-tool: no tool .*; methods are look_up"
    with process_of(tmp_path, CLAIMS) as running:
        for name in ("walk", "_rows", "__init__", "rows", ""):
            with pytest.raises(ToolProcessError, match=said):
                running.call(name, {})


def test_a_reply_has_a_largest_size(tools: Callable[[str], ToolProcess]) -> None:
    assert isinstance(ask(tools(f"return 'x' * {LARGEST_LINE - 50}")), Observation)
    fault = fault_of(tools(f"return 'x' * {LARGEST_LINE}"))
    assert fault.code == "output-too-large"
    assert fault.message == "the answer is larger than 1,000,000 bytes"


def test_too_much_memory_is_a_fault(tools: Callable[..., ToolProcess]) -> None:
    fault = fault_of(tools("return len(bytearray(2 * 1024 ** 3))"))
    assert (fault.code, fault.where) == ("tool-out-of-memory", "tools.py:4, run()")
    with tools("return 'x' * 200_000_000 if given else 5", time_limit=30) as running:
        with pytest.raises(ToolProcessError) as caught:
            running.call("run", {"a": 1})
        assert running.call("run", {}) == Observation(5)
    (fault,) = caught.value.faults
    assert (fault.code, fault.where) == ("tool-out-of-memory", "tools.py, run()")


@pytest.mark.parametrize("value", ["[[]] * 100_000", "['ab'] * 100_000", "'x' * 900_000"])
def test_answers_that_are_too_large_together_are_a_fault(
    tools: Callable[..., ToolProcess], value: str
) -> None:
    process = tools(f"return {value}", time_limit=30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ToolProcessError, match="too large in total"), process as running:
        running.call_many([("run", {})] * 400)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # kilobytes


def test_ten_thousand_calls_are_answered_in_order(tools: Callable[..., ToolProcess]) -> None:
    rows = "[{'id': n, 'name': 'x' * 20} for n in range(30)]"
    with tools(f"return [given['n'], {rows}]", time_limit=30) as running:
        answers = running.call_many([("run", {"n": n}) for n in range(10_000)])
    values = [answer.value for answer in answers if isinstance(answer, Observation)]
    assert [value[0] for value in values if isinstance(value, list)] == list(range(10_000))


def test_a_signal_without_a_name_is_reported(tools: Callable[..., ToolProcess]) -> None:
    fault = fault_of(tools("os.kill(os.getpid(), 40); time.sleep(9)", Level.LIMITS))
    assert fault.message == "the process was ended by signal 40"


def test_a_forked_copy_that_answers_too_is_a_fault(tools: Callable[..., ToolProcess]) -> None:
    process = tools("os.fork()\ntime.sleep(0.1)\nreturn 1", Level.LIMITS)
    if os.getuid() != 0:
        pytest.skip("only root may fork here, for it is not held by the limit on processes")
    with process as running, pytest.raises(ToolProcessError, match="reply-malformed"):
        running.call_many([("run", {})] * 3)


def test_full_pipes_do_not_block(tools: Callable[[str], ToolProcess]) -> None:
    text = "x" * 300_000
    with tools("return given['text']") as running:
        answers = running.call_many([("run", {"text": text})] * 10)
    assert answers == [Observation(text)] * 10


@pytest.mark.parametrize(
    ("source", "code", "message", "where"),
    [
        ("x = 1\ny = 1 / 0", "tools-do-not-load", "ZeroDivisionError: division by zero", ":2"),
        ("x = 1\n\nx = = 2", "tools-do-not-load", "SyntaxError: invalid syntax", ":3"),
        (
            "import pytest",
            "tools-do-not-load",
            "ModuleNotFoundError: No module named 'pytest' that tools may",
            ":1",
        ),
        ("x = '\0'", "tools-do-not-load", "", ""),
        ("class _AManager: ...\nx = 1", "no-manager-class", "no public name ends in Manager; ", ""),
        (
            "class AManager:\n    def __init__(self, path): ...",
            "manager-not-built",
            "AManager() raised TypeError",
            "",
        ),
        (
            "class AManager:\n    def __init__(self):\n        {}['a']",
            "manager-not-built",
            "AManager() raised KeyError: 'a'",
            ":3",
        ),
        ("AManager = None", "manager-not-built", "AManager() raised TypeError", ""),
    ],
    ids=["raises", "syntax", "import", "null", "none", "argument", "built", "not a class"],
)
def test_a_module_without_a_manager_is_a_fault(
    tmp_path: Path, source: str, code: str, message: str, where: str
) -> None:
    fault = fault_of(process_of(tmp_path, source))
    assert (fault.code, fault.where) == (code, f"tools.py{where}")
    assert fault.message.startswith(message)
    assert "Traceback" not in str(fault)


def test_the_first_manager_by_name_is_taken(tmp_path: Path) -> None:
    classes = "".join(
        f"class {name}Manager:\n    def run(self): return {name!r}\n" for name in ("B", "A", "_A")
    )
    assert ask(process_of(tmp_path, classes)) == Observation("A")


def test_a_missing_module_is_a_fault(tmp_path: Path) -> None:
    fault = fault_of(ToolProcess(tmp_path))
    assert fault == Fault("tools-missing", "there is no tools.py", str(tmp_path))


def test_a_link_is_followed_within_the_folder_alone(tmp_path: Path) -> None:
    """A folder may come from a stranger; what its links lead to is the reader's own."""
    inside = tmp_path / "inside"
    inside.mkdir()
    process_of(inside, CLAIMS)
    (inside / "records.csv").rename(inside / "data")
    (inside / "records.csv").symlink_to("data")
    assert ask(ToolProcess(inside), {"claim_id": "C-1"}, "look_up") == FOUND
    (inside / "data").rename(tmp_path / "secret")
    (inside / "records.csv").unlink()
    (inside / "records.csv").symlink_to("../secret")
    fault = fault_of(ToolProcess(inside))
    assert fault.code == "not-a-file-name"
    assert fault.message == "'records.csv' is a link out of the folder"


def test_a_file_of_endless_size_is_not_read(tmp_path: Path) -> None:
    process = process_of(tmp_path, CLAIMS)
    with (tmp_path / "records_more.csv").open("wb") as file:
        file.truncate(2**40)
    assert fault_of(process).code == "tool-files-too-large"


def test_given_files_stand_in_for_those_of_the_folder_by_plain_names(tmp_path: Path) -> None:
    process_of(tmp_path, CLAIMS)
    files = {"records.csv": b"claim_id,amount\nC-2,5\n"}
    process = ToolProcess(tmp_path, files=files, time_limit=SHORT)
    answer = ask(process, {"claim_id": "C-2"}, "look_up")
    assert answer == Observation({"claim_id": "C-2", "amount": "5"})
    for name in ("../escape.csv", "/etc/x", "..", ""):
        assert fault_of(ToolProcess(tmp_path, files={name: b""})).code == "not-a-file-name"


@pytest.mark.parametrize("level", [Level.STRONG, Level.KERNEL])
@pytest.mark.parametrize(
    "path",
    [
        "'..'",
        "os.path.join(os.path.dirname(__file__), '..')",
        "{absolute!r}",
        "'/proc/self/environ'",
    ],
    ids=["above", "above the module", "absolute", "environment"],
)
def test_the_answers_cannot_be_read(
    tmp_path: Path, tools: Callable[..., ToolProcess], bare: Zygote, path: str, level: Level
) -> None:
    answers = tmp_path / "test_set_with_outputs.csv"
    answers.write_text("claim_id,expected\nC-1,approve\n")
    body = f"return open({path.format(absolute=str(answers))}).read()"
    fault = fault_of(tools(body, level, bare))
    assert (fault.code, fault.where) == ("tool-forbidden", "tools.py:4, run()")


@pytest.mark.parametrize("level", RUN)
def test_nothing_is_there_but_the_agents_files(
    tools: Callable[..., ToolProcess],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    level: Level,
) -> None:
    monkeypatch.setenv("SECRET", "hidden")
    body = """
open_ = []
for number in range(64):
    try:
        os.lseek(number, 0, 1)
        open_.append(number)
    except OSError as error:
        if error.errno != 9:
            open_.append(number)
beside = os.getcwd() == os.path.dirname(__file__)
return [sorted(os.listdir()), beside, dict(os.environ), open_]
"""
    with (tmp_path / "open").open("w") as held:
        inheritable = fcntl.fcntl(held, fcntl.F_DUPFD, 60)
        try:
            answer = ask(tools(body, level))
        finally:
            os.close(inheritable)
    assert answer == Observation([["records.csv", "tools.py"], True, {}, [0, 1, 2, 3]])


def test_without_a_boundary_there_are_limits_and_no_library(
    tools: Callable[..., ToolProcess],
) -> None:
    kinds = ["RLIMIT_CPU", "RLIMIT_AS", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE"]
    body = f"""
import resource as r
limits = [r.getrlimit(getattr(r, kind)) for kind in {kinds}]
return [limits, [path for path in sys.path if 'site-packages' in path]]
"""
    wanted: list[JSON] = [[limit, limit] for limit in (60, 512 * 1024**2, 64, 0, 0)]
    assert ask(tools(body, Level.LIMITS)) == Observation([wanted, []])
    writing = ask(tools("with open('new', 'w') as file: file.write('x')", Level.LIMITS))
    assert isinstance(writing, Refusal)
    assert writing.code == "OSError"


@pytest.mark.parametrize("level", [Level.STRONG, Level.KERNEL])
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("with open('new', 'w') as file: file.write('x')", "new"),
        ("try: os.kill(os.getppid(), 0)\nexcept OSError: pass", "os.kill"),
        ("return os.listdir('/')", ""),
        ("return os.fork()", "os.fork"),
        ("return os.nice(1)", "what the sandbox refuses ([Errno 1] Operation not permitted)"),
        # Which processes there are, and how busy, by their clocks.
        ("return time.clock_gettime((~1 << 3) | 2)", ""),
        ("return time.clock_getres((~1 << 3) | 2)", ""),
    ],
    ids=["write", "signal, and silent about it", "list", "fork", "nice", "clock", "resolution"],
)
def test_what_no_tool_needs_is_forbidden_and_named(
    tools: Callable[..., ToolProcess], bare: Zygote, body: str, words: str, level: Level
) -> None:
    fault = fault_of(tools(body, level, bare))
    assert (fault.code, fault.where) == ("tool-forbidden", "tools.py:4, run()")
    assert words in fault.message


def test_its_own_clocks_are_there(tools: Callable[..., ToolProcess]) -> None:
    names = ("REALTIME", "MONOTONIC", "PROCESS_CPUTIME_ID", "BOOTTIME")
    times = [f"time.clock_gettime(time.CLOCK_{name}) > 0" for name in names]
    body = f"return [{', '.join(times)}, time.thread_time() > 0]"
    assert ask(tools(body)) == Observation([True] * 5)


def test_where_a_link_leads_is_not_shown(
    tools: Callable[..., ToolProcess], tmp_path: Path, bare: Zygote
) -> None:
    link = tmp_path / "link"
    link.symlink_to("secret")
    fault = fault_of(tools(f"return os.readlink({str(link)!r})", Level.KERNEL, bare))
    assert (fault.code, fault.where) == ("tool-forbidden", "tools.py:4, run()")


def test_what_is_forbidden_is_so_while_loading(tmp_path: Path) -> None:
    source = f"import os\ntry:\n    os.kill(1, 0)\nexcept OSError:\n    pass\n{CLAIMS}"
    fault = fault_of(process_of(tmp_path, source))
    assert (fault.code, fault.where) == ("tool-forbidden", "tools.py:3")


def test_the_level_is_the_one_that_was_set(
    tools: Callable[..., ToolProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    with tools("return 1") as running:
        assert running.level is Level.STRONG
    monkeypatch.setenv("SOPFORGE_SANDBOX", "kernel")
    with tools("return 1") as running:
        assert running.level is Level.KERNEL
    for text in ("none", "weak", "STRONG"):
        monkeypatch.setenv("SOPFORGE_SANDBOX", text)
        with pytest.raises(SandboxError, match="levels are strong, kernel, limits"):
            ask(tools("return 1"))
