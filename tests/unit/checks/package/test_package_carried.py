"""A mistake in the environment or the scorer of a package is found, whatever it concerns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.checks.package.package_carried import CHECK
from sopforge.domain.reading import read_brief
from sopforge.packaging.carried_files import ANSWERS
from sopforge.packaging.metadata import ENVIRONMENT, SCORER
from sopforge.packaging.sop_bench import LAYOUT
from sopforge.workspace import Workspace
from tests.worlds.packages import package_texts
from tests.worlds.releases import publish_orders
from tests.worlds.shared_builds import Shared

ENVIRONMENT_MISTAKES = (
    ("Reply(copy_json(result))", "Reply(list(copy_json(result)))"),
    ("the tools are {", "tools are {"),
    ("replace_surrogates(message)", "message.upper()"),
    ('"text": task["text"]', '"text": ""'),
    ("self.events.append(Called(tool, given, reply))", "pass"),
    ("for name in sorted(value))", "for name in value)"),
    ("str(Decimal(repr(value)))", "str(round(value))"),
    ("code if type(code) is str else type(raised).__name__", "type(raised).__name__"),
    ("given = copy_json(arguments, DEEPEST + 1)", "given = {}"),
    ("Session(self, task, seed, ", "Session(self, task, seed + 1, "),
)
SCORER_MISTAKES = (
    ("if not call.refusal or call in gold.calls]", "]"),
    ("call in made[:place] for", "call in made[place:] for"),
    ('return "early stop"', 'return "stopped"'),
    ('return "further call"', 'return "none"'),
    ("answer is not None and all(", "answer is not None or all("),
    ("_compute_share(right, complete)", "_compute_share(right, len(rows))"),
    ("right += _count_equal(call, best)", "right += 1"),
    ("call.tool not in wanted for", "call.tool in wanted for"),
    ("== UNKNOWN_TOOL for", "== TOOL_FAULT for"),
    ("len(tools & wanted), len(tools))", "len(wanted), len(tools))"),
    ("return not subtract_calls(wanted, made) and", "return"),
    (" and not subtract_calls(done, gold)", ""),
)


def change(workspace: Workspace, name: str, old: str, new: str) -> Workspace:
    """Return a workspace with one place of a file of its package changed."""
    text = workspace.files[f"package/{name}"]
    assert old in text
    return workspace.with_files({f"package/{name}": text.replace(old, new, 1)})


@pytest.mark.parametrize(("old", "new"), ENVIRONMENT_MISTAKES)
def test_a_mistake_in_the_environment_is_found(sound: Workspace, old: str, new: str) -> None:
    found = CHECK.examine(change(sound, ENVIRONMENT, old, new))

    assert {(item.id, item.where) for item in found} == {("carried-environment", ENVIRONMENT)}


@pytest.mark.parametrize(("old", "new"), SCORER_MISTAKES)
def test_a_mistake_in_the_scorer_is_found(sound: Workspace, old: str, new: str) -> None:
    found = CHECK.examine(change(sound, SCORER, old, new))

    assert {(item.id, item.where) for item in found} == {("carried-scorer", SCORER)}


def test_a_scorer_of_an_earlier_layout_asks_for_no_acts(sound: Workspace) -> None:
    name = f"package/{ANSWERS}"
    declared = json.loads(sound.files[name])
    assert declared.pop("acting") == ["registerPatient"]
    earlier = sound.with_files({name: json.dumps(declared)})
    earlier = change(earlier, SCORER, 'declared["acting"]', "()")

    assert CHECK.examine(earlier) == []


def test_a_value_that_is_declared_otherwise_is_found(sound: Workspace) -> None:
    found = CHECK.examine(change(sound, ANSWERS, '"on hold"', '"waiting"'))

    assert {item.id for item in found} == {"carried-scorer"}
    assert "user_registration" in found[0].message or "is_complete" in found[0].message


def test_sessions_that_meet_are_found(shared: Shared) -> None:
    texts = package_texts(publish_orders(shared))
    brief = read_brief(texts["grader/brief.yaml"], "brief.yaml")
    orders = Workspace(brief, {f"package/{name}": text for name, text in texts.items()})
    assert CHECK.examine(orders) == []

    fresh = "manager: Any) -> None:"
    one = change(orders, ENVIRONMENT, "self._manager = manager", "self._manager = _MANAGERS[0]")
    one = change(one, ENVIRONMENT, "getattr(manager, ", "getattr(self._manager, ")
    one = change(one, ENVIRONMENT, fresh, f"{fresh}\n        _MANAGERS.append(manager)")
    first = "class SessionOverError"
    one = change(one, ENVIRONMENT, first, f"_MANAGERS = []\n\n\n{first}")
    assert {item.id for item in CHECK.examine(one)} == {"carried-environment"}

    kept = change(orders, ENVIRONMENT, "record.copy() for", "record for")
    # Tools put another record in the place of one that they change: no copy is changed.
    assert CHECK.examine(kept) == []
    same = "{key: record.copy() for key, record in known[file_name].items()}"
    met = CHECK.examine(change(orders, ENVIRONMENT, same, "known[file_name]"))
    assert {item.id for item in met} == {"carried-environment"}


@pytest.mark.parametrize("name", [ENVIRONMENT, SCORER])
@pytest.mark.parametrize("text", ["1 / 0\n", "import socket\n", "", "x = (\n"])
def test_code_that_does_not_load_is_a_finding(sound: Workspace, name: str, text: str) -> None:
    (found,) = CHECK.examine(sound.with_files({f"package/{name}": text}))

    assert (found.id.partition("-")[0], found.where) == ("carried", name)
    assert " failed: " in found.message


def test_a_package_of_this_layout_has_all_three(sound: Workspace) -> None:
    files = dict(sound.files)
    for name in (ENVIRONMENT, SCORER, ANSWERS):
        del files[f"package/{name}"]
    bare = Workspace(sound.brief, files)
    assert [item.id for item in CHECK.examine(bare)] == ["carried-missing"] * 3

    earlier = change(bare, "provenance.json", f"layout {LAYOUT}", f"layout {LAYOUT - 1}")
    assert json.loads(earlier.files["package/provenance.json"])["made_with"].endswith(
        f"layout {LAYOUT - 1}"
    )
    assert CHECK.examine(earlier) == []


def test_answers_of_another_shape_are_a_finding(sound: Workspace) -> None:
    shapes = ("return 1", 'return {"heard": [], "logs": [1]}', "return {}", "1 / 0")
    for shape in shapes:
        text = sound.files[f"package/{ENVIRONMENT}"]
        # What is put in stands before the part that the check adds, and is there first.
        lying = f"class AManager:\n    def process_tool_call(self, name, given):\n        {shape}\n"
        found = CHECK.examine(sound.with_files({f"package/{ENVIRONMENT}": f"{text}\n\n{lying}"}))
        assert {item.id for item in found} == {"carried-environment"}, shape


def test_the_files_are_those_of_the_program(sound: Workspace) -> None:
    home = Path(__file__).parents[4] / "sopforge" / "session"
    for name in (ENVIRONMENT, SCORER):
        assert sound.files[f"package/{name}"] == (home / Path(name).name).read_text("utf-8")
