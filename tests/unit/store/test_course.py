"""Which versions count follows from the brief that a run took up last, not from their numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.findings import Finding, Severity
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.pipeline.changes.sides import ComparisonRequest, find_sides
from sopforge.pipeline.gates.rereading import reread_workspace
from sopforge.pipeline.gates.stage_states import list_stage_states
from sopforge.pipeline.stages.pipeline import Ending, StageReport, advance, list_approved_versions
from sopforge.store.course import find_current_version, load_course
from sopforge.store.entries import DecisionVerdict
from sopforge.store.overview import Next, build_overview
from sopforge.store.versions import Store
from tests.worlds.quick_builds import LONGER, QuickBuild, approve_to, go, refund, settle
from tests.worlds.sealing import seal_anew

MORE = ("n_samples: 12", "n_samples: 40")
THIRD = ("value: 30,", "value: 32,")


def numbers(store: Store) -> dict[str, int]:
    """Return the number of the version that counts, by stage."""
    found = {
        stage: find_current_version(store.get_domain("refund"), stage) for stage in STAGE_NAMES
    }
    return {stage: version.number for stage, version in found.items() if version}


def release(store: Store, name: str) -> None:
    """Note a release of the versions that count, without its packages."""
    found = {
        stage: find_current_version(store.get_domain("refund"), stage) for stage in STAGE_NAMES
    }
    contents = {stage: item.manifest.content for stage, item in found.items() if item}
    store.get_domain("refund").save_release(name, {}, {"stages": contents})


def compared(store: Store, stage: str = "schema", **asked: str) -> tuple[int | None, int | None]:
    [pair] = find_sides(store, refund(), ComparisonRequest(stage, **asked)).pairs
    return (pair.old.number if pair.old else None), (pair.new.number if pair.new else None)


def test_a_brief_that_is_changed_back_leads_to_its_versions_of_before(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(LONGER), approve_clean=True)
    assert numbers(store) == dict.fromkeys(STAGE_NAMES, 2)

    ended = go(store, approve_clean=True)

    assert (ended.ending, ended.built) == (Ending.APPROVED, ())
    assert numbers(store) == dict.fromkeys(STAGE_NAMES, 1)
    assert [item.number for item in list_approved_versions(store, refund())] == [1] * 7
    assert [item.description for item in list_stage_states(store.get_domain("refund"))] == [
        "approved by policy"
    ] * 7


def test_what_waited_for_a_brief_does_not_wait_once_it_is_changed_back(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(LONGER))
    assert (found := store.get_domain("refund").find_waiting())
    assert found.stage == "schema"

    go(store)

    assert store.get_domain("refund").find_waiting() is None
    assert build_overview(store.get_domain("refund")).next is Next.PUBLISH


def test_stages_that_a_run_did_not_come_to_are_those_of_the_run_before(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(LONGER))

    states = {
        item.version.manifest.stage: item for item in list_stage_states(store.get_domain("refund"))
    }

    assert numbers(store) == {"schema": 2, **dict.fromkeys(STAGE_NAMES[1:], 1)}
    assert states["schema"].description == "waiting"
    expected = "approved by policy; from before the last change, looked at again after the schema"
    assert states["sop"].description == expected
    assert [item.is_reached for item in states.values()] == [True] + [False] * 6
    assert [item.is_outdated for item in states.values()] == [False] + [True] * 6


def test_what_is_built_ahead_of_a_gate_is_not_outdated(store: Store) -> None:
    go(store, run_ahead=True)

    states = list_stage_states(store.get_domain("refund"))

    assert [item.is_reached for item in states] == [True] + [False] * 6
    assert not any(item.is_outdated for item in states)


def test_only_stages_that_change_have_another_version(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(MORE), approve_clean=True)
    assert numbers(store) == {"schema": 1, "sop": 1, **dict.fromkeys(STAGE_NAMES[2:], 2)}

    go(store, approve_clean=True)

    assert numbers(store) == dict.fromkeys(STAGE_NAMES, 1)


def test_a_run_that_changes_nothing_notes_nothing(store: Store) -> None:
    go(store, approve_clean=True)
    place = Path(store.place, "refund", "current.json")
    before = place.stat().st_mtime_ns, place.stat().st_ino

    go(store, approve_clean=True)

    assert (place.stat().st_mtime_ns, place.stat().st_ino) == before


def test_a_store_in_which_no_course_was_noted_counts_by_numbers(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(LONGER))
    Path(store.place, "refund", "current.json").unlink()
    seal_anew(store.place, "refund")

    assert numbers(store) == {"schema": 2, **dict.fromkeys(STAGE_NAMES[1:], 1)}
    settle(store, "schema", DecisionVerdict.REJECT)
    assert numbers(store)["schema"] == 2
    go(store, approve_clean=True)
    assert numbers(store) == dict.fromkeys(STAGE_NAMES, 1)


def test_a_course_that_cannot_be_read_is_reported_with_what_to_do(store: Store) -> None:
    go(store)
    Path(store.place, "refund", "current.json").write_text('{"versions": 7}', encoding="utf-8")
    seal_anew(store.place, "refund")

    with pytest.raises(StoreError) as caught:
        go(store)

    [fault] = caught.value.faults
    assert (fault.code, fault.hint) == ("store-damaged", "restore it from a copy")
    Path(store.place, "refund", "current.json").unlink()
    seal_anew(store.place, "refund")
    assert go(store).version.manifest.stage == "schema"
    assert load_course(store.get_domain("refund")).last == "schema"


def test_after_a_change_back_the_undone_change_is_compared(store: Store) -> None:
    go(store, approve_clean=True)
    assert compared(store) == (None, 1)
    go(store, refund(LONGER), approve_clean=True)
    assert compared(store) == (1, 2)
    go(store, approve_clean=True)
    assert compared(store) == (2, 1)
    go(store, refund(LONGER), approve_clean=True)
    assert compared(store) == (1, 2)


def test_what_waits_is_compared_with_what_was_approved_last(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(LONGER), approve_clean=True)
    go(store, refund(THIRD))
    assert compared(store) == (2, 3)


def test_a_version_that_is_named_is_compared_with_what_was_approved_before_it(
    store: Store,
) -> None:
    for changes in ((), (LONGER,), (THIRD,)):
        go(store, refund(*changes), approve_clean=True)
    assert compared(store, after="2") == (1, 2)
    assert compared(store, after="1") == (None, 1)


def test_without_approvals_what_waits_is_compared_with_the_other_one(store: Store) -> None:
    go(store)
    go(store, refund(LONGER))
    assert compared(store) == (1, 2)
    go(store)
    assert compared(store) == (2, 1)


def test_stages_without_a_change_are_compared_with_themselves(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(MORE), approve_clean=True)
    pairs = find_sides(store, refund(MORE), ComparisonRequest()).pairs
    found = {
        pair.stage: (pair.old and pair.old.number, pair.new and pair.new.number) for pair in pairs
    }
    assert found == {"schema": (1, 1), "sop": (1, 1), **dict.fromkeys(STAGE_NAMES[2:], (1, 2))}


def test_what_counts_is_compared_with_the_newest_release(store: Store) -> None:
    refused = QuickBuild({"dataset": (Finding("made-up", Severity.ERROR, "It is no use."),)})
    go(store, refund(MORE), approve_clean=True, build=refused)
    go(store, approve_clean=True)
    assert (numbers(store)["dataset"], numbers(store)["tools"]) == (2, 1)
    release(store, "1.0.0")
    go(store, refund(LONGER))

    pairs = find_sides(store, refund(LONGER), ComparisonRequest()).pairs
    found = {
        pair.stage: (pair.old and pair.old.number, pair.new and pair.new.number) for pair in pairs
    }

    assert found["schema"] == (1, 2)
    # The dataset that the checks refused was in no release.
    assert (found["dataset"], found["tools"]) == ((2, 2), (1, 1))


def test_an_approval_since_the_release_does_not_hide_what_changed_since(store: Store) -> None:
    for changes in ((), (LONGER,), (THIRD,)):
        go(store, refund(*changes), approve_clean=True)
        if not changes:
            release(store, "1.0.0")
    assert compared(store) == (1, 3)
    assert compared(store, after="3") == (2, 3)


def test_what_is_released_is_compared_with_the_release_before(store: Store) -> None:
    go(store, approve_clean=True)
    release(store, "1.0.0")
    assert compared(store) == (None, 1)
    go(store, refund(LONGER), approve_clean=True)
    go(store, refund(THIRD), approve_clean=True)
    release(store, "1.1.0")
    assert compared(store) == (1, 3)


def test_an_sop_is_of_its_side_where_it_was_made_from_the_schema_beside_it(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(LONGER))
    assert find_sides(store, refund(LONGER), ComparisonRequest()).has_own_sop == (True, False)

    go(store, refund(LONGER), approve_clean=True)

    assert find_sides(store, refund(LONGER), ComparisonRequest()).has_own_sop == (True, True)
    assert find_sides(store, refund(LONGER), ComparisonRequest("schema")).has_own_sop == (
        False,
        False,
    )


def test_the_tasks_that_count_are_read_again_after_a_change_back(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(MORE), approve_clean=True)
    go(store, approve_clean=True)
    dataset = find_current_version(store.get_domain("refund"), "dataset")
    assert dataset is not None

    files = reread_workspace(store.get_domain("refund"), refund()).files

    assert files["dataset/made.txt"] == dataset.files["made.txt"]


def test_a_person_goes_on_gate_by_gate_after_a_change_back(store: Store) -> None:
    approve_to(store, "dataset")
    approve_to(store, "sop", refund(LONGER))

    ended = go(store)

    assert (ended.version.manifest.stage, ended.version.number) == ("dataset", 1)
    assert numbers(store) == {"schema": 1, "sop": 1, "dataset": 1}


def test_what_an_approver_left_at_its_gate_who_died_is_taken_away(store: Store) -> None:
    ended = go(store, approve_clean=True)
    store.get_domain("refund").set_waiting(ended.version)

    go(store)

    assert store.get_domain("refund").find_waiting() is None


def test_what_another_run_puts_at_a_gate_meanwhile_waits_on(store: Store) -> None:
    ended = go(store, approve_clean=True)
    other = go(store, refund(LONGER)).version

    def meanwhile(stage: StageReport) -> None:
        if stage.version.manifest.stage == "complexity":
            store.get_domain("refund").set_waiting(other, [ended.version])

    assert advance(store, refund(), report=meanwhile).ending is Ending.APPROVED
    assert (found := store.get_domain("refund").find_waiting())
    assert found.key == other.manifest.key
