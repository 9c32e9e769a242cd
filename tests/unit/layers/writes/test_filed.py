from collections.abc import Mapping

import pytest

from sopforge.harness.environment.events import Called, Reply
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.writes.filed import read_status
from sopforge.harness.layers.writes.rules import FREE, FileStanding, Status
from sopforge.sandbox.answers import JSONValue
from tests.worlds.filing import LAYER


class Counting:
    """Counts the calls of a session."""

    def begin(self, task: ShownTask, seed: int) -> int:  # noqa: ARG002 - protocol
        return seed

    def answer(
        self,
        kept: int,
        tool: str,  # noqa: ARG002 - protocol
        arguments: Mapping[str, JSONValue],  # noqa: ARG002 - protocol
    ) -> tuple[int, Reply]:
        return kept + 1, Reply({"calls": kept + 1})


SHOWN = Shown(
    "domain",
    "",
    "1. Purpose\nTo count.\n",
    (ShownTool("count", "Count.", {}),),
    {"task": ShownTask("task", "Count.", {"key": "F"})},
    {},
)
ENVIRONMENT = LAYER.join(Environment(SHOWN, Counting()))


def call(tool: str, **arguments: JSONValue) -> Reply:
    return open_session(ENVIRONMENT, "task").call(tool, arguments)


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("getFileStatus", {"file": "X"}, "unknown_file"),
        ("reserveFile", {}, "invalid_parameter"),
        ("reserveFile", {"file": "F", "desk": "audit desk"}, "invalid_parameter"),
        ("noteForDesk", {"file": "R", "desk": "moon"}, "not_on_list"),
        ("reopenFile", {"file": "C", "reason": "R999"}, "not_on_list"),
        ("enterResult", {"file": "F", "result": "mood", "value": "good"}, "not_on_list"),
    ],
)
def test_what_there_is_not_is_refused(
    tool: str, arguments: dict[str, JSONValue], code: str
) -> None:
    assert call(tool, **arguments).refusal == code


def test_what_the_rules_forbid_is_carried_out_all_the_same() -> None:
    session = open_session(ENVIRONMENT, "task")

    for file in ("F", "C", "R"):
        entered = session.call("enterResult", {"file": file, "result": "note", "value": "x"})
        assert not entered.refusal
    assert session.call("reserveFile", {"file": "R"}).result == {"state": "reserved"}
    assert session.call("getFileStatus", {"file": "R"}).result == {
        "state": "reserved",
        "desk": "this desk",
    }


def test_other_tools_answer_as_without_files_and_are_all_that_is_left_of_an_attempt() -> None:
    session = open_session(ENVIRONMENT, "task", seed=4)
    session.call("reserveFile", {"file": "F"})
    assert session.call("count", {}).result == {"calls": 5}

    left = LAYER.unwrap("task", Done(session.state.events, "done"))

    assert left == Done((Called("count", {}, Reply({"calls": 5})),), "done")
    assert LAYER.find_inner("task") == "task"
    assert LAYER.describe("task") == {"dose": 2, "files": ["free"]}


@pytest.mark.parametrize(
    ("file", "status"),
    [
        ("F", FREE),
        ("C", Status(FileStanding.CLOSED)),
        ("R", Status(FileStanding.RESERVED, "audit desk")),
    ],
)
def test_how_a_file_stands_is_read_off_the_reply(file: str, status: Status) -> None:
    result = call("getFileStatus", file=file).result

    assert isinstance(result, dict)
    assert read_status(result) == status
