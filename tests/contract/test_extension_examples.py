"""The package of docs/examples/extensions, installed beside the program, adds one of each kind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from sopforge.errors import PackageUnreadableError
from sopforge.evaluation.serving.served import read_served
from tests.worlds.sealing import seal_anew

PROJECT = Path(__file__).parents[2]
EXAMPLES = PROJECT / "docs" / "examples" / "extensions"
REFUND = (PROJECT / "tests" / "briefs" / "refund.yaml").read_text(encoding="utf-8")
DOSES = "doses: {L1: {courtesies: 2}}, dials: {waiting: 2}"
BRIEF = (
    REFUND.replace(
        "author: offline", "author: {name: canned, model: any, rounds: 0, stages: [sop]}"
    )
    .replace("[L0, L1]}", f"[L0, L1, dials], {DOSES}}}")
    .replace("model:\n", "draft_sop: draft.md\nmodel:\n", 1)
)
MAIN = "from sopforge.cli import main; main()"


def pack(source: Path, wheel: Path) -> None:
    """Pack a wheel as its ``pyproject.toml`` says: no build backend need be installed."""
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = [
        "\n".join([f"[{group}]", *(f"{name} = {place}" for name, place in listed.items())])
        for group, listed in project["entry-points"].items()
    ]
    info = f"house_style-{project['version']}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    with ZipFile(wheel, "w") as packed:
        for path in sorted((source / "house_style").glob("*.py")):
            packed.write(path, path.relative_to(source))
        packed.writestr(f"{info}/METADATA", head)
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr(f"{info}/entry_points.txt", "\n".join(points))
        packed.writestr(f"{info}/RECORD", "")


def install(home: Path, *changes: tuple[str, str, str]) -> None:
    """Install the wheel of the examples beside the program, with texts of its files replaced."""
    source, wheel = home / "source", home / "house_style-1.0.0-py3-none-any.whl"
    shutil.copytree(EXAMPLES, source)
    for file, before, after in changes:
        text = (source / file).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (source / file).write_text(text.replace(before, after), encoding="utf-8")
    pack(source, wheel)
    pip = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install")
    where = ("--no-deps", "--no-index", "--target", str(home / "site"))
    subprocess.run([*pip, *where, str(wheel)], check=True)


class Program:
    """The program with the examples installed, in a folder with a brief and a store."""

    def __init__(self, home: Path, *changes: tuple[str, str, str]) -> None:
        self.home = home
        install(home, *changes)
        (home / "answer.json").write_text('{"sections": []}')
        (home / "brief.yaml").write_text(BRIEF, encoding="utf-8")
        (home / "draft.md").write_text("# Purpose\n\nRefunds are fair.\n", encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Return how a command ended, in a store of its own."""
        return self.python(MAIN, *arguments, "--store", "store")

    def python(self, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", source, *arguments],
            cwd=self.home,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(self.home / "site"), str(PROJECT)]),
                "CANNED_ANSWER": str(self.home / "answer.json"),
            },
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Return the program, with the brief generated and published."""
    installed = Program(tmp_path_factory.mktemp("installed"))
    made = installed.run("generate", "brief.yaml", "--approve-clean", "--json")
    assert made.returncode == 0, made.stderr + made.stdout
    published = installed.run("publish", "refund", "--json")
    assert published.returncode == 0, published.stderr
    return installed


def package(program: Program, level: str = "") -> Path:
    return program.home / "store" / "refund" / "releases" / "1.0.0" / f"refund{level}"


def test_the_check_runs_at_its_stage_and_blocks_its_gate(program: Program) -> None:
    folder = program.home / "unfinished"
    folder.mkdir()
    text = BRIEF.replace("domain: refund", "domain: unfinished")
    (folder / "brief.yaml").write_text(text, encoding="utf-8")
    (folder / "draft.md").write_text("# Purpose\n\nTODO: say why.\n", encoding="utf-8")

    stopped = program.run("generate", "unfinished/brief.yaml", "--approve-clean", "--json")

    ending = json.loads(stopped.stdout)
    assert (stopped.returncode, ending["stopped_at"]) == (1, "sop")
    assert [item["id"] for item in ending["findings"]] == ["sop-todo"]


def test_the_check_and_the_operator_are_put_to_their_contract_tests(program: Program) -> None:
    """The contract tests take what they test from these two lists."""
    found = program.python(
        "from sopforge.checks.registry import load_checks\n"
        "from sopforge.artifacts.complexity.levels import OPERATORS\n"
        "print(*(item.name for item in (*load_checks(), *OPERATORS)))"
    )

    assert {"sop-finished", "courtesies"} <= set(found.stdout.split())


def test_the_operator_is_offered_in_briefs_and_listed_beside_its_level(program: Program) -> None:
    profile = json.loads((package(program, "_l1") / "grader" / "profile.json").read_text())

    assert (profile["doses"]["courtesies"], profile["put_in"]["courtesies"]) == (2, 2)
    assert "kinder than a long silence" not in (package(program, "_l1") / "sop.txt").read_text()
    assert "shown where the files are" in (package(program, "_l1") / "sop.txt").read_text()
    assert "shown where the files are" not in (package(program) / "sop.txt").read_text()
    refused = program.home / "refused.yaml"
    refused.write_text(BRIEF.replace("courtesies: 2", "courtesy: 2"), encoding="utf-8")
    assert "did you mean 'courtesies'?" in program.run("plan", "refused.yaml").stderr


def test_the_exporter_writes_its_file_into_each_package(program: Program) -> None:
    for level in ("", "_l1"):
        text = (package(program, level) / "tasks.md").read_text(encoding="utf-8")
        assert text.count("## task-") == 12
        sums = (package(program, level) / "SHA256SUMS").read_text()
        assert f"{sha256(text.encode()).hexdigest()}  tasks.md" in sums.splitlines()


def test_an_exporter_that_shows_answers_is_refused(program: Program, tmp_path: Path) -> None:
    shown = "{task.text}\\n\\n{task.outcomes['refund_status']}"
    copy = Program(tmp_path, ("house_style/task_list.py", "{task.text}", shown))
    shutil.copytree(program.home / "store", tmp_path / "store")
    shutil.rmtree(tmp_path / "store" / "refund" / "releases")
    seal_anew(tmp_path / "store", "refund")

    refused = copy.run("publish", "refund")

    assert refused.returncode == 2
    assert "answer-shown: L0, L1, dials, tasks.md" in refused.stderr
    assert not (tmp_path / "store" / "refund" / "releases").exists()


def test_the_dial_is_measured_and_its_agent_alone_falls_on_it(program: Program) -> None:
    profile = json.loads((package(program, "_dials") / "grader" / "profile.json").read_text())

    lost = profile["difficulty"]["matrix"]["waiting"]
    assert profile["difficulty"]["reference"] == 1
    assert {name for name, share in lost.items() if share > 0} == {"asks-once"}
    place = str(package(program, "_dials"))
    agents = ("--agent", "gold", "--agent", "asks-once")
    ran = program.python(MAIN, "evaluate", place, *agents, "--out", "waited", "--json")
    assert ran.returncode == 0, ran.stderr
    runs = json.loads(ran.stdout)["runs"]
    assert [run["tsr"]["share"] for run in runs] == [1, 0]


def test_the_file_of_the_dial_is_carried_and_played_by_a_bare_python(program: Program) -> None:
    source = EXAMPLES / "house_style" / "waiting_session.py"
    home = package(program, "_dials")
    assert (home / "layer_waiting.py").read_bytes() == source.read_bytes()
    task = json.loads((home / "layers" / "tasks.jsonl").read_text().split("\n")[0])
    key = next(iter(task["inputs"]))
    call = {"tool": "lookUpOrder", "arguments": {key: task["inputs"][key]}}

    played = subprocess.run(
        [sys.executable, "-I", "-S", str(home / "environment.py"), "--task", task["task_id"]],
        input=f"{json.dumps(call)}\n" * 3,
        capture_output=True,
        text=True,
        check=True,
    )

    _, *replies = map(json.loads, played.stdout.splitlines())
    assert [reply.get("refusal") for reply in replies[:2]] == ["please_wait", "please_wait"]
    assert replies[2].get("refusal") != "please_wait"


def test_a_package_with_a_dial_that_is_not_installed_says_so(program: Program) -> None:
    with pytest.raises(PackageUnreadableError, match="there is no dial 'waiting'") as refused:
        read_served(package(program, "_dials"))

    assert [fault.code for fault in refused.value.faults] == ["dial-unknown"]


def test_the_provider_is_chosen_by_its_name_and_logged(program: Program) -> None:
    shown = json.loads(program.run("show", "refund", "sop", "--json").stdout)
    cost = json.loads(program.run("status", "--cost", "refund", "--json").stdout)

    assert shown["author"] == "canned any"
    assert cost["stages"].keys() == {"sop"}
    assert cost["all"]["answers"] == cost["all"]["calls"] > 0
    refused = program.home / "refused.yaml"
    refused.write_text(BRIEF.replace("name: canned", "name: caned"), encoding="utf-8")
    assert "canned" in program.run("plan", "refused.yaml").stderr


def test_the_stage_is_versioned_gated_and_run_again_only_if_stale(program: Program) -> None:
    shown = json.loads(program.run("show", "refund", "glossary", "--json").stdout)
    text = program.run("show", "refund", "glossary", "--file", "glossary.md").stdout
    assert (shown["version"], shown["gate"]) == (1, "approved")
    assert "- **eligibility of the order**: whether the order may be refunded" in text

    changed = program.home / "changed.yaml"
    changed.write_text(BRIEF.replace("n_samples: 12", "n_samples: 14"), encoding="utf-8")
    planned = json.loads(program.run("plan", "changed.yaml", "--json").stdout)["stages"]
    assert planned[-1]["stage"] == "glossary"
    assert [item["fate"] for item in planned if item["stage"] in {"dataset", "glossary"}] == [
        *("stale", "up to date")
    ]
    changed.write_text(BRIEF.replace("title: Order Refunds", "title: Refunds"), encoding="utf-8")
    planned = json.loads(program.run("plan", "changed.yaml", "--json").stdout)["stages"]
    assert planned[-1]["fate"] == "stale"
    assert planned[-1]["reasons"][0] == "brief: title Refunds (was Order Refunds)"


def test_the_stage_waits_at_its_gate_like_any_other(program: Program) -> None:
    other = program.home / "gated.yaml"
    gates = "gates: {approvers: {glossary: 2}}\n"
    other.write_text(BRIEF.replace("domain: refund", "domain: gated") + gates, encoding="utf-8")

    stopped = program.run("generate", "gated.yaml", "--approve-clean", "--json")

    assert (stopped.returncode, json.loads(stopped.stdout)["stopped_at"]) == (3, "glossary")


def test_the_agent_is_chosen_by_its_name(program: Program) -> None:
    evaluate = ("evaluate", str(package(program)), "--json")
    ran = program.python(MAIN, *evaluate, "--agent", "first-tool", "--out", "runs")
    assert ran.returncode == 0, ran.stderr
    refused = program.python(MAIN, *evaluate, "--agent", "last-tool", "--out", "other")
    assert "first-tool" in refused.stderr


def test_what_was_added_is_part_of_what_decides_a_version(program: Program) -> None:
    made = program.home / "store" / "refund" / "stages" / "schema" / "0001" / "manifest.json"
    assert json.loads(made.read_text())["inputs"]["extension house-style"] == "1.0.0"


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (
            ("pyproject.toml", "house_style.task_list:export", "house_style.task_list:exports"),
            "extension-broken",
            "'task_list' of house-style 1.0.0 cannot be loaded: AttributeError",
        ),
        (
            ("house_style/courtesies.py", 'name = "courtesies"', 'name = "manners"'),
            "extension-unfit",
            "'courtesies' of house-style 1.0.0 lacks a part, or has another name of its own",
        ),
    ],
)
def test_what_does_not_work_is_named_with_its_package(
    change: tuple[str, str, str], code: str, says: str, tmp_path: Path
) -> None:
    broken = Program(tmp_path, change)

    refused = broken.run("generate", "brief.yaml", "--approve-clean")
    if refused.returncode == 0:
        refused = broken.run("publish", "refund")

    assert refused.returncode == 2
    assert f"{code}: sopforge." in refused.stderr
    assert says in " ".join(refused.stderr.split())
