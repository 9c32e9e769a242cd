from collections.abc import Mapping
from typing import Any

from sopforge.harness.layers.writes.working import Clerk, FilingCall
from sopforge.session.layers import Reply
from tests.worlds.filing import LAYER, PAID, RULES


class Office:
    """Answers calls as the layer does, and notes what is changed."""

    def __init__(self) -> None:
        self.files: dict[str, Any] = {}
        self.made: list[str] = []

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if tool == "fileCase":
            self.made.append("fileCase")
            return {"case": {"entries": {"key": "C"}, "text": "", "is_correction": False}}
        files, (result, _, _) = LAYER.in_session.answer(self.files, tool, arguments, self.refuse)
        self.files = dict(files)
        self.made.append(" ".join([tool, *map(str, arguments.values())]))
        assert isinstance(result, dict)
        return result

    def refuse(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Refuse a call that is not about files."""
        raise AssertionError(f"{tool} of {arguments} is not about files")


ENTERED = [
    "reserveFile F",
    "enterResult F charge 12.50",
    "enterResult F verdict paid",
    "releaseFile F",
]


def test_in_a_session_results_are_entered_before_a_case_is_filed_each_on_its_own_file() -> None:
    office = Office()
    call = FilingCall(office, Clerk(office, RULES), "key", "F")
    call("fileCase", {"statement": PAID})
    call("fileCase", {"statement": PAID})

    assert office.made[:6] == ["getFileStatus F", *ENTERED, "fileCase"]
    assert office.made[6:8] == ["getFileStatus C", "reopenFile C R101"]
    assert office.made[-1] == "fileCase"
