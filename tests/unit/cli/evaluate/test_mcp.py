"""``sopforge mcp`` as a process: over stdio and HTTP, stopped, and refused."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.serving import installed
from sopforge.evaluation.serving.over_http import listen
from tests.conftest import Released
from tests.running.commands import run

WATCHED = """\
import sys
opened = open({place!r}, "w", buffering=1)
def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str):
        opened.write(arguments[0] + chr(10))
sys.addaudithook(note)
from sopforge.cli import main
main()
"""
PLAIN = "from sopforge.cli import main; main()"


@pytest.fixture(scope="module")
def package(released: Released) -> ProvedPackage:
    """Return the plain package."""
    return read_proved(Path(released.published.packages["L0"]))


@pytest.fixture(scope="module")
def folder(released: Released) -> str:
    """Return the folder of the plain package."""
    return released.published.packages["L0"]


@contextmanager
def start(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start the command with pipes, and end it."""
    command = [sys.executable, "-c", PLAIN, "mcp", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_client_on_stdio_works_and_nothing_that_a_grader_knows_is_opened(
    package: ProvedPackage, folder: str, tmp_path: Path
) -> None:
    source = WATCHED.format(place=str(tmp_path / "opened.txt"))
    arguments = ["-c", source, "mcp", folder, "--log", str(tmp_path / "log.jsonl"), "--seed", "4"]
    task = next(task for task in package.graded.tasks if task.calls and not task.calls[0].refusal)
    gold = task.calls[0]

    async def work() -> list[str]:
        async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:
            texts = [(await client.read_resource("sopforge://sop")).contents[0]]
            assert len((await client.list_tools()).tools) == len(package.shown.tools) + 2
            calls: list[tuple[str, dict[str, Any]]] = [
                ("begin_task", {"task_id": task.id}),
                (gold.tool, dict(gold.arguments)),
                ("answer", {"text": "<registration>x</registration>"}),
                ("begin_task", {"task_id": task.id}),
            ]
            replies = [await client.call_tool(name, given) for name, given in calls]
            assert not any(reply.is_error for reply in replies)
            return [getattr(said, "text", "") for said in (*texts, replies[1].content[0])]

    sop, result = asyncio.run(work())

    assert sop == package.shown.sop
    assert json.loads(result) == gold.result
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [(line["task"], line["seed"], line["answer"]) for line in lines] == [
        (task.id, 4, "<registration>x</registration>"),
        (task.id, 4, None),
    ]
    assert [event["tool"] for event in lines[0]["events"]] == [gold.tool]
    opened = (tmp_path / "opened.txt").read_text().splitlines()
    assert any(name.endswith("toolspecs.json") for name in opened)
    assert not [name for name in opened if "grader" in name or "with_outputs" in name]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_server_whose_client_says_nothing(
    package: ProvedPackage, folder: str, tmp_path: Path, number: signal.Signals
) -> None:
    log, task = tmp_path / "log.jsonl", next(iter(package.shown.tasks))
    with start(folder, "--log", str(log)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        begun = {"protocolVersion": "2025-11-25", "capabilities": {}}
        begun |= {"clientInfo": {"name": "plain", "version": "1"}}
        asked = {"name": "begin_task", "arguments": {"task_id": task}}
        for line in (
            {"id": 1, "method": "initialize", "params": begun},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": asked},
        ):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
            process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        assert json.loads(process.stdout.readline())["id"] == 2
        process.send_signal(number)
        code = process.wait(120)
        assert process.stdout.read() == ""
        assert process.stderr is not None
        said = process.stderr.read()

    assert (code, said.strip()) == {
        signal.SIGINT: (130, "Interrupted."),
        signal.SIGTERM: (0, ""),
    }[number]
    assert json.loads(log.read_text())["answer"] is None


def test_a_server_on_http_says_where_it_is_and_is_stopped(
    package: ProvedPackage, folder: str, tmp_path: Path
) -> None:
    log, task = tmp_path / "log.jsonl", next(iter(package.shown.tasks))
    arguments = ("--http", "--port", "0", "--task", task, "--log", str(log))
    with start(folder, *arguments) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith("Serving patient_intake at http://127.0.0.1:")
        url = said.split()[3]

        async def work() -> None:
            async with Client(url) as client:
                assert [found.name for found in (await client.list_prompts()).prompts] == [task]
                await client.call_tool("noSuchTool", {})
                process.send_signal(signal.SIGINT)

        asyncio.run(work())
        assert process.wait(120) == 130
        assert process.stderr is not None
        assert process.stderr.read().strip() == "Interrupted."

    line = json.loads(log.read_text())
    assert (line["task"], line["answer"], len(line["events"])) == (task, None, 1)


def test_a_port_that_is_taken_is_named(folder: str) -> None:
    with listen("127.0.0.1", 0) as taken:
        done = run("mcp", folder, "--http", "--port", str(taken.getsockname()[1]))

    assert done.code == 2
    assert "address-unusable" in done.err
    assert "Address already in use" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["{empty}"], "is not a package"),
        (["{package}", "--task", "task-0"], "unknown-task: --task: patient_intake has no task"),
        (["{package}", "--log", "{empty}"], "it is a folder, but a file is expected here"),
        (["{release}"], "is a release, so it contains several packages"),
    ],
)
def test_bad_input_is_named(folder: str, tmp_path: Path, arguments: list[str], says: str) -> None:
    places = {"empty": tmp_path, "package": folder, "release": Path(folder).parent}
    done = run("mcp", *(text.format(**places) for text in arguments))

    assert done.code == 2
    assert says in " ".join(done.err.split())
    assert done.out == ""


def test_without_the_extra_it_is_said_how_to_install_it(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_spec(name: str) -> ModuleSpec | None:
        return None if name == "mcp" else util.find_spec(name)

    monkeypatch.setattr(installed, "find_spec", find_spec)
    for arguments in (("mcp", folder), ("evaluate", folder, "--agent", "mcp:true")):
        done = run(*arguments)

        assert done.code == 2
        assert "extra-not-installed" in done.err
        assert "install it with: pip install 'sopforge[mcp]'" in " ".join(done.err.split())


def write_call(number: int, name: str, arguments: str) -> str:
    """Return the line of a call, with arguments as they are written."""
    params = f'{{"name": "{name}", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {params}}}'


def test_all_that_was_asked_before_the_input_ended_is_answered(
    package: ProvedPackage, folder: str, tmp_path: Path
) -> None:
    begun = {"protocolVersion": "2025-11-25", "capabilities": {}}
    begun |= {"clientInfo": {"name": "plain", "version": "1"}}
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begun}
    task, long = next(iter(package.shown.tasks)), "x" * 1_100_000
    lines = [
        "\ufeff" + json.dumps(first),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        write_call(2, "begin_task", json.dumps({"task_id": task})),
        write_call(3, "validateInsurance", '{"patient_id": NaN}'),
        write_call(4, "validateInsurance", '{"patient_id": "\\ud835"}'),
        write_call(5, "validateInsurance", f'{{"patient_id": "{long}"}}'),
        '{"id": 6}',
        "Let me think.",
        write_call(7, "answer", '{"text": "right, \\ud835"}'),
    ]
    with start(folder, "--log", str(tmp_path / "log.jsonl")) as process:
        out, said = process.communicate("\n".join(lines), timeout=60)

    assert (process.returncode, said) == (0, "")
    replies = {reply["id"]: reply for reply in map(json.loads, out.splitlines())}
    assert set(replies) == {None, *range(1, 8)}
    assert {key for key, reply in replies.items() if "error" in reply} == {None, 3, 5, 6}
    assert replies[3]["error"]["message"] == "NaN is not JSON"
    (line,) = map(json.loads, (tmp_path / "log.jsonl").read_text().splitlines())
    assert (line["task"], line["answer"], len(line["events"])) == (task, "right, \ufffd", 1)
