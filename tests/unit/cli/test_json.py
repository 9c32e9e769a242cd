"""With ``--json`` a command prints one JSON value of the shape that the documentation shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app

BRIEFS = Path(__file__).parents[2] / "briefs"
PAGE = Path(__file__).parents[3] / "docs" / "reference" / "json.md"
SHOWN = {
    name: json.loads(text)
    for name, text in re.findall(r"```json (\S+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
}

LACKING = {
    ".domains[].findings",
    ".domains[].last_decision",
    ".domains[].run",
    ".results[].pairs",
}
"""What may be null though an example shows more than a plain value."""


def run(store: Path, *arguments: str) -> Result:
    """Return how a command ended; its two outputs are apart."""
    return CliRunner().invoke(app, [*arguments, "--json", "--store", str(store)])


def run_plain(*arguments: str) -> str:
    """Return what a command prints for people."""
    return CliRunner().invoke(app, list(arguments)).stdout


def assert_shaped(found: object, shown: object, at: str = "") -> None:
    """Assert that a value has the keys of an example; a key in capitals stands for any names."""
    if found is None and at in LACKING:
        return
    if isinstance(shown, list):
        assert isinstance(found, list), at
        for item in found:
            assert_shaped(item, shown[0] if shown else SHOWN["finding"], f"{at}[]")
    elif isinstance(shown, dict):
        assert isinstance(found, dict), at
        names = set(shown)
        if any(name.isupper() for name in names):
            (example,) = shown.values()
            for name, item in found.items():
                assert_shaped(item, example, f"{at}.{name}")
        else:
            assert set(found) == names, at
            for name in names:
                assert_shaped(found[name], shown[name], f"{at}.{name}")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a published domain, and one that waits."""
    place = tmp_path_factory.mktemp("store")
    made = run(place, "generate", str(BRIEFS / "refund.yaml"), "--approve-clean")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["next"] == {
        "publish": f"sopforge publish refund --store {place}"
    }
    waits = run(place, "generate", str(BRIEFS / "fees.yaml"))
    assert waits.exit_code == 3
    assert_shaped(json.loads(waits.stdout), SHOWN["generate"])
    assert_shaped(json.loads(run(place, "publish", "refund").stdout), SHOWN["publish"])
    return place


def package(store: Path) -> str:
    return str(store / "refund" / "releases" / "1.0.0" / "refund")


SHAPES = {
    "status": "status",
    "status refund": "status-domain",
    "status refund --cost": "cost",
    "verify {package}": "verify",
    "store check": "check-store",
    "store clear --dry-run": "gc",
    "store signers": "signers",
    "generate {briefs}/fees.yaml": "generate",
    "plan {briefs}/fees.yaml": "plan",
    "plan {written}": "plan",
    "plan {briefs}/fees.yaml --preview": "preview",
    "show refund sop": "show",
    "show {package}": "explain",
    "publish refund": "publish",
    "run-oracle {package}": "run-oracle",
    "evaluate {package} --agent gold --agent silent --out {out}": "evaluate",
    "check {package} --no-rebuild": "check",
    "fetch refund@1.0.0/L0 {copy}": "fetch",
}


@pytest.mark.parametrize("command", SHAPES)
def test_the_value_is_of_the_documented_shape(store: Path, command: str, tmp_path: Path) -> None:
    written = tmp_path / "written.yaml"
    by_a_model = "author: {name: anthropic, model: claude-opus-5-5}"
    text = (BRIEFS / "refund.yaml").read_text(encoding="utf-8")
    written.write_text(text.replace("author: offline", by_a_model), encoding="utf-8")
    places = {
        "briefs": BRIEFS,
        "package": package(store),
        "written": written,
        "copy": tmp_path / "copy",
        "out": tmp_path / "out",
    }
    arguments = command.format(**places).split()

    value = json.loads(run(store, *arguments).stdout)

    assert_shaped(value, SHOWN[SHAPES[command]])


def test_the_least_case_that_two_briefs_decide_differently_is_shown(tmp_path: Path) -> None:
    fees, other = BRIEFS / "fees.yaml", tmp_path / "other.yaml"
    text = fees.read_text(encoding="utf-8")
    other.write_text(text.replace("grace_days: {value: 3", "grace_days: {value: 4"))

    value = json.loads(run(tmp_path, "check", str(fees), "--against", str(other)).stdout)

    assert_shaped(value, SHOWN["check-model"])
    assert value["against"]["answer"] == "different"
    assert value["against"]["case"]["days_late"].startswith("4")


DECISIONS = {
    "approve fees schema": ("approve", "approved"),
    "edit fees schema --from {edited}": ("edit", "edited"),
    "reject fees schema": ("reject", "rejected"),
}


@pytest.mark.parametrize("command", DECISIONS)
def test_a_decision_is_of_the_documented_shape(tmp_path: Path, command: str) -> None:
    waits = run(tmp_path, "generate", str(BRIEFS / "fees.yaml"))
    content = json.loads(waits.stdout)["stages"][0]["content"]
    edited = tmp_path / "edited.yaml"
    written = run_plain("show", "fees", "schema", "--file", "domain.yaml", "--store", str(tmp_path))
    edited.write_text(written.replace("value: 3", "value: 4", 1), encoding="utf-8")

    ran = run(tmp_path, *command.format(edited=edited).split(), "--by", "ada")

    value, (verdict, gate) = json.loads(ran.stdout), DECISIONS[command]
    assert_shaped(value, SHOWN["approve"])
    assert (value["verdict"], value["gate"], value["by"]) == (verdict, gate, "ada")
    assert (value["stage"], value["content"], value["entry"]) == ("schema", content, 1)
    after = f"sopforge continue fees --store {tmp_path}"
    again = {
        "regenerate": f"sopforge regenerate fees --model-patch FILE --store {tmp_path}",
        "generate": f"sopforge generate BRIEF --store {tmp_path}",
    }
    assert value["next"] == (again if verdict == "reject" else {"go_on": after})


def test_a_decision_that_needs_another_says_how_many(tmp_path: Path) -> None:
    brief = tmp_path / "fees.yaml"
    text = (BRIEFS / "fees.yaml").read_text(encoding="utf-8")
    brief.write_text(f"{text}\ngates: {{approvers: {{schema: 2}}}}\n", encoding="utf-8")
    run(tmp_path, "generate", str(brief))

    value = json.loads(run(tmp_path, "approve", "fees", "schema", "--by", "ada").stdout)

    assert_shaped(value, SHOWN["approve"])
    assert (value["gate"], value["missing"], value["next"]) == ("waiting", 1, {})


def test_a_yank_is_reported_as_a_decision_about_the_release(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(BRIEFS / "fees.yaml"), "--approve-clean")
    digest = json.loads(run(tmp_path, "publish", "fees").stdout)["digest"]

    ran = run(tmp_path, "yank", "fees", "1.0.0", "--reason", "A tool reveals it.", "--by", "ada")
    undone = run(tmp_path, "yank", "fees", "1.0.0", "--undo", "--by", "ada")

    value = json.loads(ran.stdout)
    assert_shaped(value, SHOWN["yank"])
    assert (value["verdict"], value["version"], value["by"]) == ("yank", "1.0.0", "ada")
    assert value["content"] == digest
    assert json.loads(undone.stdout)["verdict"] == "unyank"


def test_figures_are_those_of_the_package(store: Path) -> None:
    record = json.loads(run(store, "publish", "refund").stdout)
    rows = (Path(package(store)) / "test_set_with_outputs.csv").read_text().splitlines()[1:]

    assert record["packages"]["L0"]["tasks"] == len(rows) == sum(record["outcomes"].values())
    assert (record["is_new"], record["version"]) == (False, "1.0.0")


def test_a_package_that_was_changed_exits_with_one_and_says_so(store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "refund"
    folder.mkdir()
    for path in Path(package(store)).rglob("*"):
        if path.is_file():
            place = folder / path.relative_to(package(store))
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(path.read_bytes())
    (folder / "sop.txt").write_text("Pay whoever asks.\n", encoding="utf-8")

    done = run(store, "run-oracle", str(folder))

    assert done.exit_code == 1
    (finding,) = json.loads(done.stdout)["findings"]
    assert_shaped(finding, SHOWN["finding"])
    assert (finding["id"], finding["where"]) == ("file-changed", "sop.txt")


def test_a_comparison_is_of_the_documented_shape(store: Path, tmp_path: Path) -> None:
    agents = ("--agent", "gold", "--agent", "constant")
    folder = str(package(store))
    CliRunner().invoke(app, ["evaluate", folder, *agents, "--out", str(tmp_path)])
    runs = (f"{tmp_path}#gold", f"{tmp_path}#constant")
    done = CliRunner().invoke(app, ["compare", *runs, "--json"])

    found = json.loads(done.stdout)
    assert_shaped(found, SHOWN["compare"])
    assert found["packages"][0]["first"] > 0 == found["packages"][0]["second"]


def test_a_report_is_of_the_documented_shape(store: Path, tmp_path: Path) -> None:
    agents = ("--agent", "gold", "--agent", "constant")
    run_folder, page = str(tmp_path / "run"), str(tmp_path / "report.html")
    CliRunner().invoke(app, ["evaluate", package(store), *agents, "--out", run_folder])
    done = CliRunner().invoke(app, ["report", run_folder, "--out", page, "--json"])

    found = json.loads(done.stdout)
    assert_shaped(found, SHOWN["report"])
    assert [item["rank"] for item in found["series"]] == [1, 2]
