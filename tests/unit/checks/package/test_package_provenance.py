from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sopforge.checks.package.package_provenance import CHECK
from sopforge.checks.spoiling import edit_json
from sopforge.workspace import Workspace

FILE = "package/provenance.json"


def messages(workspace: Workspace) -> list[str]:
    found = CHECK.examine(workspace)
    assert {item.id for item in found} <= {"provenance-wrong"}
    return [item.message for item in found]


def approve(provenance: dict[str, Any], by: str, verdict: str) -> None:
    provenance["approvals"]["sop"] = [{"entry": 2, "by": by, "verdict": verdict}]


def test_a_published_package_says_one_thing_of_its_origin(sound: Workspace) -> None:
    assert messages(sound) == []


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        pytest.param(lambda t: t.update(release="1.0.1"), "release is '1.0.1'", id="release"),
        pytest.param(lambda t: t.update(level="L1"), "level is 'L1'", id="level"),
        pytest.param(lambda t: t.update(canary="c"), "canary is 'c'", id="canary"),
        pytest.param(lambda t: t.update(made_with="X 2"), "made_with is 'X 2'", id="program"),
        pytest.param(lambda t: t.update(more=1), "the keys of the file are", id="another key"),
        pytest.param(lambda t: t["stages"].pop("sop"), "lists schema, dataset", id="stage"),
        pytest.param(
            lambda t: t["stages"].update(sop="0" * 63), "the digest of sop is", id="short digest"
        ),
        pytest.param(
            lambda t: t["approvals"].update(sop=[]), "the approvals of sop are []", id="unapproved"
        ),
        pytest.param(lambda t: approve(t, "Ann", "liked"), "'verdict': 'liked'", id="verdict"),
        pytest.param(lambda t: approve(t, "Ann", "policy-approved"), "'by': 'Ann'", id="policy"),
        pytest.param(
            lambda t: approve(t, "approve-clean", "approved"), "approve-clean", id="a policy's name"
        ),
    ],
)
def test_what_another_file_says_differently_is_an_error(
    sound: Workspace, edit: Callable[[dict[str, Any]], object], said: str
) -> None:
    (message,) = messages(edit_json(sound, FILE, edit))
    assert said in message


def test_a_person_may_approve(sound: Workspace) -> None:
    assert (
        messages(edit_json(sound, FILE, lambda provenance: approve(provenance, "Ann", "approved")))
        == []
    )


def test_nobody_has_to_approve_a_condition_of_an_experiment(sound: Workspace) -> None:
    def make_condition(provenance: dict[str, Any]) -> None:
        provenance["approvals"]["complexity"] = []
        provenance["experiment"] = {"source": "0" * 64, "condition": "tangents-1"}

    assert messages(edit_json(sound, FILE, make_condition)) == []
