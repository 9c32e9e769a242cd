"""What a package carries runs alone: sessions by lines and in Python, and scores of their logs."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from sopforge.artifacts.packaging.carried_files import build_answer_types
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ValueNotAllowedError
from tests.conftest import Released
from tests.worlds.carried import load_carried
from tests.worlds.small_models import claims, orders, stays, warranty

CARRIED = Path(__file__).parents[3] / "sopforge" / "session"
ENVIRONMENT = load_carried(CARRIED / "environment.py")
SCORER = load_carried(CARRIED / "score.py")
ALONE = (sys.executable, "-I", "-S")
"""Python with its standard library, and nothing of ours."""
FILES = ("sop.txt", "toolspecs.json", "tasks.jsonl", "tools.py", "records.csv")
Carried: TypeAlias = Any
"""What comes from a module of a package, which has no types."""


@pytest.fixture(scope="module")
def agents_side(released: Released, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of a package without all that a grader alone may see."""
    folder = tmp_path_factory.mktemp("agents") / "intake"
    shutil.copytree(released.published.packages["L0"], folder)
    shutil.rmtree(folder / "grader")
    (folder / "test_set_with_outputs.csv").unlink()
    return folder


def find_first_task(folder: Path) -> str:
    """Return the id of a package's first task."""
    first = (folder / "tasks.jsonl").read_text(encoding="utf-8").partition("\n")[0]
    return str(json.loads(first)["task_id"])


def talk(folder: Path, *lines: object, options: tuple[str, ...] = ()) -> list[Any]:
    """Return what the program of a package answers to some lines."""
    given = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    done = run(folder / "environment.py", *options, given=given)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def run(file: Path, *options: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Return how a module of a package ended as a program."""
    return subprocess.run(
        [*ALONE, str(file), *options],
        input=given,
        capture_output=True,
        encoding="utf-8",
        cwd="/",
        env={"LC_ALL": "C", "PYTHONUTF8": "0"},
        check=False,
    )


def gold_of(released: Released) -> list[dict[str, Any]]:
    """Return the tasks with their gold calls and outcomes."""
    lines = [released.package[f"grader/{name}.jsonl"] for name in ("tasks", "trajectories")]
    tasks, calls = ([json.loads(line) for line in text.splitlines()] for text in lines)
    return [{**task, **made} for task, made in zip(tasks, calls, strict=True)]


def test_the_tasks_are_listed(agents_side: Path) -> None:
    ids = [json.loads(line)["task_id"] for line in (agents_side / "tasks.jsonl").open()]
    assert run(agents_side / "environment.py", "--tasks").stdout.splitlines() == ids


def test_nothing_of_the_grader_is_opened(released: Released) -> None:
    folder = Path(released.published.packages["L0"])
    source = f"""
import runpy, sys, io
opened = set()
sys.addaudithook(lambda event, given: opened.add(str(given[0])) if event == "open" else None)
sys.stdin = io.TextIOWrapper(io.BytesIO(b'{{"task": "{gold_of(released)[0]["task_id"]}"}}\\n'))
sys.argv = ["environment.py"]
try:
    runpy.run_path({str(folder / "environment.py")!r}, run_name="__main__")
except SystemExit:
    pass
sys.__stderr__.write("\\n".join(sorted(name for name in opened if {str(folder)!r} in name)))
"""
    done = subprocess.run([*ALONE, "-c", source], capture_output=True, encoding="utf-8", check=True)
    names = {Path(name).relative_to(folder).as_posix() for name in done.stderr.splitlines()}
    assert names == {"environment.py", *FILES}
    assert json.loads(done.stdout)["task"]["id"] == gold_of(released)[0]["task_id"]


@pytest.mark.parametrize("name", ["environment.py", "score.py"])
def test_only_the_standard_library_is_imported(name: str) -> None:
    tree = ast.parse((CARRIED / name).read_text("utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {
        module
        for node in found
        for module in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [item.name for item in node.names]
        )
    }
    assert modules
    assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


# Sessions by lines


def test_a_line_that_is_none_is_answered_and_changes_nothing(
    agents_side: Path, tmp_path: Path
) -> None:
    faults = {
        "[": "this line is no JSON",
        "[]": "no object",
        '{"tool": 1}': '"tool" is no text',
        '{"tool": "verifyPharmacy", "arguments": []}': '"arguments" is no object',
        '{"tool": "verifyPharmacy", "arguments": {"a": NaN}}': "NaN is not JSON",
        '{"say": null}': '"say" is no text',
        '{"answer": 7}': '"answer" is no text',
        '{"task": "task-05723013"}': 'write one of "tool"',
        '{"answer": "x", "say": "y"}': 'write one of "tool"',
        '{"say": 1e999}': "1e999 is not JSON",
        '{"say": ' + "1" * 5_000 + "}": "a number has too many digits",
        '{"say": "' + "x" * 1_100_000 + '"}': "more than 1,048,576 bytes",
        "[" * 9_999: "values lie within each other too deeply",
    }
    log = tmp_path / "log.jsonl"
    opening = {"task": find_first_task(agents_side), "seed": 4}
    heard = talk(agents_side, opening, *faults, "", {"answer": "x"}, options=("--log", str(log)))

    for reply, says in zip(heard[1:], faults.values(), strict=True):
        assert list(reply) == ["error"]
        assert says in reply["error"]
    logged = {**opening, "answer": "x", "events": []}
    assert [json.loads(text) for text in log.read_text().splitlines()] == [logged]


def test_without_a_task_nothing_begins(agents_side: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    for line, says in {
        "": "this line is no JSON",
        '{"answer": "x"}': "the first line is no",
        '{"task": "task-05723013", "seed": "1"}': "the first line is no",
        '{"task": "task-0"}': 'there is no task "task-0"; --tasks lists them',
    }.items():
        done = run(agents_side / "environment.py", "--log", str(log), given=f"{line}\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr
        assert not log.exists()


def test_an_agent_can_begin_no_session(agents_side: Path, tmp_path: Path) -> None:
    log, task = tmp_path / "log.jsonl", find_first_task(agents_side)
    lines: list[object] = [{"task": task, "seed": 2}, {"answer": "x"}]
    options = ("--task", task, "--seed", "1", "--log", str(log))
    _, heard = talk(agents_side, *lines, *lines, options=options)

    assert list(heard) == ["error"]
    (logged,) = map(json.loads, log.read_text().splitlines())
    assert (logged["seed"], logged["answer"]) == (1, "x")


def test_a_session_that_is_left_was_given_up(agents_side: Path, tmp_path: Path) -> None:
    log, task = tmp_path / "log.jsonl", find_first_task(agents_side)
    for seed in (0, 1):
        opening = {"task": task, "seed": seed}
        talk(agents_side, opening, {"say": "one \ud800"}, options=("--log", str(log)))
    logged = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [(item["seed"], item["answer"], item["events"]) for item in logged] == [
        (seed, None, [{"said": "one \ufffd"}]) for seed in (0, 1)
    ]


def test_a_reply_comes_before_the_next_line_is_written(agents_side: Path) -> None:
    process = subprocess.Popen(
        [*ALONE, str(agents_side / "environment.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    opening = {"task": find_first_task(agents_side)}
    for said, heard in (
        (opening, "sop"),
        ({"tool": "x", "arguments": {}}, "refusal"),
    ):
        process.stdin.write(f"{json.dumps(said)}\n")
        process.stdin.flush()
        assert heard in json.loads(process.stdout.readline())
    process.stdout.close()
    process.stdin.write('{"tool": "x", "arguments": {}}\n' * 9)
    process.stdin.close()
    assert process.wait() == 0


def test_other_options_are_refused(agents_side: Path) -> None:
    for options in (("--log",), ("tasks",), ("--tasks", "--task", "x")):
        done = run(agents_side / "environment.py", *options)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("usage: ")


def test_a_package_that_cannot_be_run_says_why(agents_side: Path, tmp_path: Path) -> None:
    spoiled = [
        ("sop.txt", None),
        ("records.csv", None),
        ("toolspecs.json", "]"),
        ("tasks.jsonl", "]"),
        ("tools.py", "]"),
        ("records.csv", "]\n1\n"),
        ("tasks.jsonl", "{}"),
        ("tools.py", "{}"),
        ("toolspecs.json", "[{}]"),
        ("toolspecs.json", "7"),
    ]
    for number, (name, text) in enumerate(spoiled):
        folder = tmp_path / str(number)
        shutil.copytree(agents_side, folder)
        (folder / name).unlink()
        if text is not None:
            (folder / name).write_text(text)
        opening = json.dumps({"task": find_first_task(agents_side)})
        done = run(folder / "environment.py", given=f"{opening}\n")
        assert done.returncode == 2, name
        assert done.stderr.startswith("the session cannot be run: ")
        assert "Traceback" not in done.stderr


# Sessions in Python

TOOLS = """
from pathlib import Path

LOADED = []


def read_records(file_name, kinds):
    LOADED.append(file_name)
    return {"a": {"count": 0}}


class CounterManager:
    def __init__(self):
        self.records = read_records("records.csv", {})

    def count_up(self, by):
        self.records["a"]["count"] += by
        return {"count": self.records["a"]["count"], "half": by / 2, "pair": (by, [by])}

    def refuse(self, why):
        raise KeyError(f"{Path(__file__).parent}/records.csv, {why}")

    def code(self):
        error = ValueError("not today \\ud800")
        error.code = "not_today"
        raise error

    def leave(self):
        raise SystemExit(3)

    def odd(self):
        return {"odd": {1, 2}}
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Carried:
    """Return the environment of a package whose tools count, and break in some manners."""
    folder = tmp_path_factory.mktemp("counter")
    names = ("count_up", "refuse", "code", "leave", "odd", "_secret")
    specs = [
        {"toolSpec": {"name": name, "description": "", "inputSchema": {"json": {}}}}
        for name in names
    ]
    (folder / "toolspecs.json").write_text(json.dumps(specs))
    (folder / "sop.txt").write_text("Count.")
    task = {"task_id": "t", "text": "Count\u2028up.", "inputs": {}, "split": "test"}
    (folder / "tasks.jsonl").write_text(json.dumps(task, ensure_ascii=False) + "\n")
    (folder / "tools.py").write_text(TOOLS)
    return ENVIRONMENT.Environment(folder)


def test_two_sessions_never_meet(counter: Carried) -> None:
    one, other = counter.start("t"), counter.start("t")
    counts = [
        session.call("count_up", {"by": by}).result["count"]
        for by, session in ((1, one), (10, other), (100, one), (1000, other))
    ]
    assert counts == [1, 10, 101, 1010]
    assert counter.start("t").call("count_up", {"by": 5}).result["count"] == 5


def test_records_are_read_once(counter: Carried) -> None:
    for _ in range(3):
        counter.start("t")
    module = sys.modules[f"tools of {counter.folder}"]
    assert vars(module)["LOADED"] == ["records.csv"]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (("count_up", {"by": 1}), '{"count": 1, "half": 0.5, "pair": [1, [1]]}'),
        (("count_up", {"by": 2e-7}), '{"count": 2E-7, "half": 1E-7, "pair": [2E-7, [2E-7]]}'),
        (
            ("count_up", {"by": Decimal("1.5")}),
            '{"count": 1.5, "half": 0.75, "pair": [1.5, [1.5]]}',
        ),
        (("refuse", {"why": "no"}), "KeyError: 'records.csv, no'"),
        (("code", {}), "not_today: not today \ufffd"),
        (("leave", {}), "tool_fault: the tool ended: SystemExit"),
        (("odd", {}), "tool_fault: the tool's answer is no JSON: a set is not JSON"),
        (("no", {}), "unknown_tool: the tools are count_up, refuse, code, leave, odd, _secret"),
    ],
)
def test_what_a_call_is_answered(counter: Carried, call: tuple[str, Any], text: str) -> None:
    assert counter.start("t").call(*call).as_text() == text


@pytest.mark.parametrize(
    ("given", "kind"),
    [({"by": float("nan")}, ValueError), ({"by": {1}}, TypeError), ({1: 1}, TypeError)],
)
def test_what_is_no_json_is_refused_and_not_logged(
    counter: Carried, given: dict[Any, Any], kind: type[Exception]
) -> None:
    session = counter.start("t")
    with pytest.raises(kind):
        session.call("count_up", given)
    assert session.events == []


def test_what_a_caller_changes_later_changes_no_log(counter: Carried) -> None:
    session, given = counter.start("t"), {"by": [1]}
    session.call("refuse", given)
    given["by"].append(2)
    session.call("count_up", {"by": 1}).result["pair"].append(3)
    first, second = json.loads(session.write_log())["events"]
    assert first["arguments"] == {"by": [1]}
    assert second["result"]["pair"] == [1, [1]]


def test_what_an_agent_does_with_what_it_sees_no_other_sees(counter: Carried) -> None:
    seen = counter.start("t").observe()
    seen["tools"][0]["name"] = "mine"
    seen["task"]["inputs"]["x"] = 1
    assert counter.start("t").observe()["tools"][0]["name"] == "count_up"
    assert counter.start("t").observe()["task"]["inputs"] == {}


def test_after_the_answer_nothing_can_be_done(counter: Carried) -> None:
    session = counter.start("t")
    session.finish("x")
    for act, given in (("call", ("count_up", {"by": 1})), ("say", ("y",)), ("finish", ("z",))):
        with pytest.raises(ENVIRONMENT.SessionOverError):
            getattr(session, act)(*given)
    with pytest.raises(KeyError):
        counter.start("u")


# Scores


@pytest.mark.parametrize("model", [claims(), orders(), stays(), warranty()], ids=lambda m: m.name)
def test_values_are_read_as_the_model_reads_them(model: DomainModel) -> None:
    declared: Any = json.loads(json.dumps(build_answer_types(model)))
    fields = declared["fields"]
    assert list(fields) == list(model.fields)
    for name, item in model.fields.items():
        for raw in list_raw_values(item):
            assert read_carried(fields[name], raw) == read_own(item, raw), (name, raw)


def read_own(item: Field, raw: object) -> object:
    try:
        return [item.parse(raw)]
    except ValueNotAllowedError:
        return "no"


def read_carried(field: Mapping[str, Any], raw: object) -> object:
    try:
        return [SCORER.read_value(field, raw)]
    except SCORER.ValueNotAllowedError:
        return "no"


def list_raw_values(item: Field) -> list[object]:
    """Return what somebody may state for a field: its values, such just beside them, and others."""
    low, high = item.type.bounds
    cells: list[object] = (
        [item.format_cell(value) for value in (low, low + 1, high)]
        + [item.as_json(value) for value in (low, high)]
        if high > low
        else []
    )
    return [
        *cells,
        *(f"{cell}0" for cell in cells),
        *(f" {cell}" for cell in cells),
        *("", "yes", "no", "Yes", True, False, None, 0, 1, -1, 2, 10**30, 0.5, Decimal("0.50")),
        *("1", "1.0", "01", "+1", "1e2", "1_0", "٣", "nan", "-0", "1.234567", "9" * 70, 1e300),
        *("2026-02-30", "2026-03-01", "2026-3-1", "2026-03-01 09:05", "2026-03-01T09:05"),
        *("[]", "{}", "[{}]", "[1", [], {}, [{}], ["a", "a"], "a; b", item.missing),
        *(item.malformed.texts if item.malformed else ()),
        *list_structured_values(item),
    ]


def list_structured_values(item: Field) -> list[object]:
    """Return values of sets and lists."""
    labels = list(getattr(item.type, "values", ()))
    parts = dict(getattr(item.type, "fields", ()))
    given: list[object] = [labels, labels[::-1], [*labels, *labels], "; ".join(labels), labels[:1]]
    given.append(getattr(item.type, "empty", ""))
    if parts:
        entry = {
            name: {"NumberType": 1, "BooleanType": "yes"}.get(type(kind).__name__, "x")
            for name, kind in parts.items()
        }
        for name, kind in parts.items():
            if hasattr(kind, "values"):
                entry[name] = kind.values[0]
        given += [[entry], [entry, entry], json.dumps([entry]), [entry] * 99, [{**entry, "z": 1}]]
    return given


def test_a_line_that_is_no_session_is_named(released: Released, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    good = {"task": gold_of(released)[0]["task_id"], "answer": None, "events": []}
    for line in ("{", "[]", '{"task": "task-0", "answer": "", "events": []}', '{"answer": ""}'):
        log.write_text(f"{json.dumps(good)}\n{line}\n")
        done = run(Path(released.published.packages["L0"]) / "grader" / "score.py", str(log))
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{log} cannot be scored: line 2 is no session of a task" in done.stderr
        assert "Traceback" not in done.stderr


def test_without_sessions_there_are_no_shares(released: Released, tmp_path: Path) -> None:
    file = Path(released.published.packages["L0"]) / "grader" / "score.py"
    (tmp_path / "log.jsonl").write_text("")
    found = json.loads(run(file, str(tmp_path / "log.jsonl")).stdout)
    assert found == {"tasks": 0, "sessions": 0, "ECR": None, "C-TSR": None, "TSR": None}
    assert run(file).returncode == run(file, "no such file").returncode == 2


def make_row(task: str, seed: int, *, is_right: bool) -> dict[str, Any]:
    """Return what a summary reads of a row."""
    return {"task": task, "seed": seed, "is_complete": True, "is_right": is_right}


def test_each_task_asked_for_counts_once() -> None:
    often = [make_row("easy", seed, is_right=True) for seed in range(38)]
    rows = [*often, make_row("hard", 0, is_right=False), make_row("half", 0, is_right=True)]
    rows += [make_row("half", 1, is_right=False)]
    summary = SCORER.summarize(rows, ["easy", "hard", "half", "never answered"])

    assert summary == {"tasks": 4, "sessions": 41, "ECR": 0.75, "C-TSR": 0.5, "TSR": 0.375}
    assert SCORER.summarize(rows)["TSR"] == 0.5


def test_a_task_answered_twice_or_not_asked_for_is_refused() -> None:
    rows = [make_row("one", 0, is_right=False), make_row("one", 1, is_right=True)]
    SCORER.refuse_unasked(rows, None)
    with pytest.raises(SCORER.LogError, match="one has two sessions with seed 1"):
        SCORER.refuse_unasked([*rows, rows[1]], None)
    with pytest.raises(SCORER.LogError, match="one was not asked for"):
        SCORER.refuse_unasked(rows, ["other"])


def test_the_tasks_asked_for_are_read_from_a_file(released: Released, tmp_path: Path) -> None:
    folder = Path(released.published.packages["L0"])
    first, second = [task["task_id"] for task in gold_of(released)[:2]]
    log, tasks = tmp_path / "log.jsonl", tmp_path / "tasks.txt"
    line = json.dumps({"task": first, "answer": None, "events": []})
    log.write_text(f"{line}\n")
    tasks.write_text(f"{first}\n{second}\n")
    file = folder / "grader" / "score.py"

    summary = json.loads(run(file, str(log), str(tasks)).stdout.splitlines()[-1])
    assert (summary["tasks"], summary["sessions"], summary["TSR"]) == (2, 1, 0.0)
    log.write_text(f"{line}\n{line}\n")
    assert f"{first} has two sessions with seed 0" in run(file, str(log)).stderr
    tasks.write_text("task-0\n")
    assert "there is no task 'task-0'" in run(file, str(log), str(tasks)).stderr


def test_no_file_for_agents_has_a_gold_call_of_a_task(released: Released) -> None:
    hidden = ("grader/", "test_set_with_outputs.csv")
    calls = [
        [call["tool"], *(str(value) for value in call["arguments"].values())]
        for task in gold_of(released)
        for call in task["calls"]
    ]
    for name, text in released.package.items():
        if not name.startswith(hidden):
            lines = [line for line in text.splitlines() if "(" in line and "P" in line]
            for tool, *words in calls:
                said = [line for line in lines if tool in line]
                assert not [line for line in said if all(word in line for word in words)], name
    assert "verifyPharmacy" in released.package["grader/test_tools.py"]
