"""A tool process answers, refuses, and survives every misbehaviour of the module it runs."""

from __future__ import annotations

import fcntl
import os
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest

from sopforge.errors import Fault, ToolProcessError
from sopforge.sandbox.answers import JSONValue, Observation, Refusal
from sopforge.sandbox.channel import LARGEST_LINE
from sopforge.sandbox.process import ToolProcess

SHORT = 1.0
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


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory in which the process's own directory is made, empty at first."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def tools(tmp_path: Path) -> Callable[[str], ToolProcess]:
    """Return a way to make a process from the body of a manager's method ``run``."""

    def make(body: str) -> ToolProcess:
        lines = "".join(f"        {line}\n" for line in body.splitlines())
        method = f"    def run(self, **given):\n{lines}"
        return process_of(tmp_path, f"import os, sys, time\nclass SmallManager:\n{method}")

    return make


def process_of(folder: Path, source: str) -> ToolProcess:
    """Return a process, not yet started, for a folder that gets this tools.py."""
    (folder / "tools.py").write_text(source)
    (folder / "records.csv").write_text(RECORDS)
    return ToolProcess(folder, time_limit=SHORT)


def fault_of(process: ToolProcess) -> Fault:
    """Return the one fault of entering the process and calling its tool ``run``."""
    with pytest.raises(ToolProcessError) as caught, process as running:
        running.call("run", {})
    (fault,) = caught.value.faults
    return fault


def process_number(running: ToolProcess) -> int:
    """Return the number that the tool ``run`` tells when called with an argument."""
    answer = running.call("run", {"number": True})
    assert isinstance(answer, Observation)
    assert isinstance(answer.value, int)
    return answer.value


def is_running(process: int) -> bool:
    """Tell whether a process lives; one that only awaits its parent's attention does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


def ends_soon(process: int) -> bool:
    """Tell whether a process that was killed is gone within a second."""
    until = time.monotonic() + 1
    while is_running(process) and time.monotonic() < until:
        time.sleep(0.01)
    return not is_running(process)


def test_a_returned_value_is_an_observation(tmp_path: Path) -> None:
    with process_of(tmp_path, CLAIMS) as running:
        answer = running.call("look_up", {"claim_id": "C-1"})
    assert answer == Observation({"claim_id": "C-1", "amount": "19.99"})


def test_a_raised_exception_is_a_refusal_with_its_code(tmp_path: Path) -> None:
    with process_of(tmp_path, CLAIMS) as running:
        answer = running.call("look_up", {"claim_id": "C-9"})
    assert answer == Refusal("unknown_claim", "no claim C-9")


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("raise ValueError('too old')", Refusal("ValueError", "too old")),
        ("error = OSError('no'); error.code = 7; raise error", Refusal("OSError", "no")),
        ("class E(Exception):\n    __str__ = None\nraise E", Refusal("E", "")),
        ("class E(Exception):\n    code = property(lambda self: 1 / 0)\nraise E", Refusal("E", "")),
        ("return len(bytearray(2 * 1024 ** 3))", Refusal("MemoryError", "")),
    ],
    ids=["no code", "number as code", "no text", "code raises", "memory"],
)
def test_any_exception_is_a_refusal(
    tools: Callable[[str], ToolProcess], body: str, refusal: Refusal
) -> None:
    with tools(body) as running:
        assert running.call("run", {}) == refusal


def test_a_recursion_without_end_is_a_refusal(tools: Callable[[str], ToolProcess]) -> None:
    with tools("return self.run(**given)") as running:
        answer = running.call("run", {})
    assert isinstance(answer, Refusal)
    assert answer.code == "RecursionError"


def test_a_wrong_argument_is_a_refusal(tmp_path: Path) -> None:
    with process_of(tmp_path, CLAIMS) as running:
        answer = running.call("look_up", {"claim": "C-1"})
    assert isinstance(answer, Refusal)
    assert answer.code == "TypeError"


def test_a_refusal_does_not_name_the_temporary_directory(
    tools: Callable[[str], ToolProcess],
) -> None:
    with tools("open(os.path.join(os.path.dirname(__file__), 'gone.csv'))") as running:
        answer = running.call("run", {})
    message = "[Errno 2] No such file or directory: 'gone.csv'"
    assert answer == Refusal("FileNotFoundError", message)


def test_fractions_are_exact_decimals(tools: Callable[[str], ToolProcess]) -> None:
    with tools("return [19.99, 2.50, 1e-7, 3, 0.1 + 0.2]") as running:
        answer = running.call("run", {})
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
    with tools("return repr(sorted(given.items()))") as running:
        answer = running.call("run", given)
    seen = [("a", 19.99), ("b", 2.5), ("c", [1, None]), ("d", {"é": True}), ("e", "\ud800\n")]
    assert answer == Observation(repr(seen))


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


def test_a_module_may_print_while_it_loads(tmp_path: Path) -> None:
    with process_of(tmp_path, "print('hello')\n" + CLAIMS) as running:
        answer = running.call("look_up", {"claim_id": "C-9"})
    assert answer == Refusal("unknown_claim", "no claim C-9")


def test_an_endless_loop_is_stopped(tools: Callable[[str], ToolProcess]) -> None:
    began = time.monotonic()
    fault = fault_of(tools("while True: pass"))
    assert (fault.code, fault.where) == ("tool-too-slow", "tools.py, run()")
    assert fault.message == "no answer within 1 s"
    assert time.monotonic() - began < 3 * SHORT


def test_an_endless_flood_of_replies_is_stopped(tools: Callable[[str], ToolProcess]) -> None:
    flood = "while True:\n    for fd in range(3, 9):\n        try: os.write(fd, b'x' * 4096)\n"
    assert fault_of(tools(flood + "        except OSError: pass")).code == "output-too-large"


def test_a_slow_load_is_stopped(tmp_path: Path) -> None:
    fault = fault_of(process_of(tmp_path, "while True: pass"))
    assert (fault.code, fault.where) == ("tool-too-slow", "tools.py")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("os._exit(3)", "the process ended with exit status 3"),
        ("os._exit(0)", "the process ended with exit status 0"),
        ("sys.exit(4)", "the process ended with exit status 4"),
        ("os.abort()", "the process was ended by SIGABRT"),
        ("os.kill(os.getpid(), 9)", "the process was killed or closed its output"),
        ("os.closerange(3, 60); time.sleep(9)", "the process was killed or closed its output"),
    ],
    ids=["_exit", "_exit as if well", "exit", "abort", "kill", "close"],
)
def test_a_process_that_ends_is_detected(
    tools: Callable[[str], ToolProcess], body: str, message: str
) -> None:
    fault = fault_of(tools(body))
    assert (fault.code, fault.message) == ("tool-process-died", message)
    assert fault.where == "tools.py, run()"


def test_a_process_that_ends_while_loading_is_detected(tmp_path: Path) -> None:
    fault = fault_of(process_of(tmp_path, "raise SystemExit(2)"))
    assert (fault.code, fault.where) == ("tool-process-died", "tools.py")


def test_a_process_that_is_over_stays_over(tools: Callable[[str], ToolProcess]) -> None:
    with tools("os._exit(3)") as running:
        for _ in range(2):
            with pytest.raises(ToolProcessError, match="exit status 3"):
                running.call("run", {})


def test_a_process_outside_of_its_block_is_closed(tools: Callable[[str], ToolProcess]) -> None:
    process = tools("return 1")
    with process as running:
        running.call("run", {})
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


@pytest.mark.parametrize("name", ["walk", "_rows", "__init__", "rows", ""])
def test_what_is_no_public_method_is_an_unknown_tool(tmp_path: Path, name: str) -> None:
    with (
        process_of(tmp_path, CLAIMS) as running,
        pytest.raises(ToolProcessError, match=r"unknown-tool: no tool .*; methods are look_up"),
    ):
        running.call(name, {})


def test_a_reply_of_the_largest_size_passes(tools: Callable[[str], ToolProcess]) -> None:
    with tools(f"return 'x' * {LARGEST_LINE - 50}") as running:
        assert isinstance(running.call("run", {}), Observation)


def test_a_larger_reply_is_a_fault(tools: Callable[[str], ToolProcess]) -> None:
    fault = fault_of(tools(f"return 'x' * {LARGEST_LINE}"))
    assert (fault.code, fault.message) == (
        "output-too-large",
        "the answer is larger than 1,000,000 bytes",
    )


def test_a_forked_copy_that_answers_too_is_a_fault(tools: Callable[[str], ToolProcess]) -> None:
    process = tools("os.fork()\ntime.sleep(0.1)\nreturn 1")
    if os.getuid() != 0:
        pytest.skip("only root may fork here, for it is not held by the limit on processes")
    with process as running, pytest.raises(ToolProcessError, match="reply-malformed"):
        running.call_many([("run", {})] * 3)


def test_a_thousand_calls_take_well_under_a_second(tmp_path: Path) -> None:
    with process_of(tmp_path, CLAIMS) as running:
        began = time.monotonic()
        answers = running.call_many([("look_up", {"claim_id": "C-1"})] * 1000)
        took = time.monotonic() - began
    assert answers == [Observation({"claim_id": "C-1", "amount": "19.99"})] * 1000
    assert took < SHORT


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
        ("import pytest", "tools-do-not-load", "ModuleNotFoundError: No module named", ":1"),
        ("x = '\0'", "tools-do-not-load", "SyntaxError: source code string", ""),
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
    with process_of(tmp_path, classes) as running:
        assert running.call("run", {}) == Observation("A")


def test_a_missing_module_is_a_fault(tmp_path: Path) -> None:
    fault = fault_of(ToolProcess(tmp_path))
    assert fault == Fault("tools-missing", "there is no tools.py", str(tmp_path))


def test_given_files_stand_in_for_those_of_the_folder(tmp_path: Path) -> None:
    process_of(tmp_path, CLAIMS)
    files = {"records.csv": b"claim_id,amount\nC-2,5\n"}
    with ToolProcess(tmp_path, files=files, time_limit=SHORT) as running:
        answer = running.call("look_up", {"claim_id": "C-2"})
    assert answer == Observation({"claim_id": "C-2", "amount": "5"})


@pytest.mark.parametrize("name", ["../escape.csv", "/etc/x", "..", ""])
def test_a_given_file_has_a_plain_name(tmp_path: Path, name: str) -> None:
    process_of(tmp_path, CLAIMS)
    fault = fault_of(ToolProcess(tmp_path, files={name: b""}))
    assert fault.code == "not-a-file-name"


def test_only_the_agents_files_are_there(tools: Callable[[str], ToolProcess]) -> None:
    with tools(
        "return [sorted(os.listdir()), os.getcwd() == os.path.dirname(__file__)]"
    ) as running:
        assert running.call("run", {}) == Observation([["records.csv", "tools.py"], True])


@pytest.mark.parametrize(
    "path",
    [
        "'test_set_with_outputs.csv'",
        "'../test_set_with_outputs.csv'",
        "os.path.join(os.path.dirname(__file__), 'test_set_with_outputs.csv')",
        "os.path.join(os.path.dirname(__file__), '..', 'test_set_with_outputs.csv')",
    ],
    ids=["here", "above", "beside the module", "above the module"],
)
def test_the_answers_cannot_be_found(
    tmp_path: Path, tools: Callable[[str], ToolProcess], path: str
) -> None:
    for place in (tmp_path, tmp_path.parent):
        (place / "test_set_with_outputs.csv").write_text("claim_id,expected\nC-1,approve\n")
    with tools(f"return open({path}).read()") as running:
        answer = running.call("run", {})
    assert isinstance(answer, Refusal)
    assert answer.code == "FileNotFoundError"


def test_the_environment_is_empty(
    tools: Callable[[str], ToolProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "hidden")
    body = "raw = open('/proc/self/environ').read()\nreturn [dict(os.environ), 'hidden' in raw]"
    with tools(body) as running:
        assert running.call("run", {}) == Observation([{}, False])


def test_no_descriptor_is_inherited(tools: Callable[[str], ToolProcess], tmp_path: Path) -> None:
    with (tmp_path / "open").open("w") as held:
        inheritable = fcntl.fcntl(held, fcntl.F_DUPFD, 60)
        try:
            with tools(f"os.fstat({inheritable})") as running:
                answer = running.call("run", {})
        finally:
            os.close(inheritable)
    assert answer == Refusal("OSError", "[Errno 9] Bad file descriptor")


def test_no_installed_library_is_in_reach(tools: Callable[[str], ToolProcess]) -> None:
    with tools("return [path for path in sys.path if 'site-packages' in path]") as running:
        assert running.call("run", {}) == Observation([])


def test_the_limits_hold(tools: Callable[[str], ToolProcess]) -> None:
    kinds = ["RLIMIT_CPU", "RLIMIT_AS", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE"]
    body = f"import resource as r\nreturn [r.getrlimit(getattr(r, kind)) for kind in {kinds}]"
    with tools(body) as running:
        answer = running.call("run", {})
    assert answer == Observation([[limit, limit] for limit in (60, 1024**3, 64, 0, 0)])


def test_a_file_that_a_tool_writes_stays_empty(tools: Callable[[str], ToolProcess]) -> None:
    with tools("with open('new', 'w') as file: file.write('x')") as running:
        answer = running.call("run", {})
    assert isinstance(answer, Refusal)
    assert answer.code == "OSError"


@pytest.mark.parametrize("body", ["return os.getpid()", "os._exit(1)", "while True: pass"])
def test_nothing_is_left_behind(
    tools: Callable[[str], ToolProcess], temporary: Path, body: str
) -> None:
    with tools(f"if given: return os.getpid()\n{body}") as running:
        child = process_number(running)
        assert is_running(child)
        assert len(list(temporary.iterdir())) == 1
        with suppress(ToolProcessError):
            running.call("run", {})
    assert not is_running(child)
    assert list(temporary.iterdir()) == []


def test_nothing_is_left_behind_when_the_block_raises(
    tools: Callable[[str], ToolProcess], temporary: Path
) -> None:
    def interrupted(running: ToolProcess) -> None:
        children.append(process_number(running))
        raise KeyboardInterrupt

    children: list[int] = []
    with pytest.raises(KeyboardInterrupt), tools("return os.getpid()") as running:
        interrupted(running)
    assert not is_running(children[0])
    assert list(temporary.iterdir()) == []


def test_nothing_is_left_behind_when_the_module_does_not_load(
    tmp_path: Path, temporary: Path
) -> None:
    fault_of(process_of(tmp_path, "1 / 0"))
    assert list(temporary.iterdir()) == []


def test_nothing_is_left_behind_when_the_process_is_killed_from_outside(
    tools: Callable[[str], ToolProcess], temporary: Path
) -> None:
    with tools("return os.getpid()") as running:
        os.kill(process_number(running), signal.SIGKILL)
        with pytest.raises(ToolProcessError, match="tool-process-died"):
            running.call("run", {})
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("end", ["return child", "os._exit(0)"], ids=["well", "dead"])
def test_a_child_of_the_process_does_not_outlive_it(
    tools: Callable[[str], ToolProcess], tmp_path: Path, end: str
) -> None:
    if os.getuid() != 0:
        pytest.skip("only root may fork here, for it is not held by the limit on processes")
    fork = "child = os.fork()\nif not child:\n    time.sleep(60)\n    os._exit(0)\n"
    note = f"os.mkdir({str(tmp_path)!r} + '/child-' + str(child))\n"
    with tools(fork + note + end) as running, suppress(ToolProcessError):
        running.call("run", {})
    (left,) = tmp_path.glob("child-*")
    assert ends_soon(int(left.name.removeprefix("child-")))
