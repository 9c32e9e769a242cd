from __future__ import annotations

import pytest

from sopforge.checks.check import Check
from sopforge.checks.finding_memo import FindingMemo
from sopforge.checks.registry import examine, load_checks
from sopforge.findings import Severity, has_errors
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.workspace import Workspace

EACH_CHECK = pytest.mark.parametrize("check", load_checks(), ids=lambda check: str(check.name))


def test_there_are_checks_for_every_stage_and_for_packages() -> None:
    assert {check.stage for check in load_checks()} == {
        *(stage.name for stage in STAGES),
        "package",
    }
    assert len({check.name for check in load_checks()}) == len(load_checks())


WARNING_ONLY = {
    "brief-language": "brief-not-english",
    "context-limits": "context-contradicts-limit",
    "look-alike-labels": "look-alike-labels",
    "readable-labels": "label-reads-badly",
    "clauses-hold": "clause-differs",
    "readings-agree": "readers-differ",
}
"""Checks of what may be meant: each finds its own spoiled artifact by this code."""


@EACH_CHECK
def test_a_check_accepts_what_is_sound_and_says_what_is_wrong_in_what_it_spoils(
    check: Check, sound: Workspace
) -> None:
    before = dict(sound.files)
    spoiled = check.spoil(sound)
    memo = FindingMemo(sound.brief)

    assert memo.examine(check, sound) == []
    found = memo.examine(check, spoiled)

    if check.name in WARNING_ONLY:
        assert {(item.id, item.severity) for item in found} == {
            (WARNING_ONLY[check.name], Severity.WARNING)
        }
    else:
        assert has_errors(found)
    for finding in found:
        assert finding.id == finding.id.lower().replace(" ", "-")
        assert finding.message
        assert finding.where or finding.evidence or check.stage == "package"
    assert spoiled.files != sound.files
    assert sound.files == before
    # What it found of equal files, a memo keeps.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(check), "examine", lambda _check, _workspace: pytest.fail("again"))
        assert memo.examine(check, Workspace(sound.brief, dict(spoiled.files))) == found
        assert memo.examine(check, sound) == []


@pytest.mark.parametrize("stage", [stage.name for stage in STAGES])
def test_the_checks_of_a_stage_read_its_own_and_needed_files_only(
    stage: str, sound: Workspace
) -> None:
    made = next(item for item in STAGES if item.name == stage)
    readable = {
        name: text
        for name, text in sound.files.items()
        if name.partition("/")[0] in {*made.needs, stage}
    }

    assert examine(stage, Workspace(sound.brief, readable)) == []
