"""Stages built ahead of a gate: found once it is passed, fallen if it is not, never decided on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.findings import make_error_finding, make_warning_finding
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.pipeline.changes.sides import ComparisonRequest, find_sides
from sopforge.pipeline.gates.gate import derive_state, edit
from sopforge.pipeline.gates.stage_states import list_stage_states
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.building.gate_entry import note_ahead
from sopforge.pipeline.stages.building.orders import Order
from sopforge.pipeline.stages.pipeline import Ending, Progress
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.course import find_current_version
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, GateState, Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Store, Version
from tests.worlds.quick_builds import LONGER, QuickBuild, approve_to, go, refund, settle

DOWNSTREAM = STAGE_NAMES[1:]
TWO = ("author: offline", "gates: {approvers: {schema: 2}}\nauthor: offline")
MORE = ("n_samples: 12", "n_samples: 40")


def stages(versions: tuple[Version, ...]) -> tuple[str, ...]:
    return tuple(version.manifest.stage for version in versions)


def code(attempt: Callable[[], object]) -> str:
    with pytest.raises(StoreError) as caught:
        attempt()
    return caught.value.faults[0].code


def describe_stages(store: Store) -> dict[str, str]:
    return {
        item.version.manifest.stage: item.description
        for item in list_stage_states(store.get_domain("refund"))
    }


def waiting_ahead(store: Store) -> Mapping[str, str]:
    """Return the keys of what stands provisionally downstream of what waits."""
    noted = store.get_domain("refund").find_waiting()
    return noted.ahead if noted else {}


def test_nothing_is_built_ahead_unless_it_is_asked_for(store: Store) -> None:
    ended = go(store)

    assert (ended.built, ended.ahead) == (("schema",), ())
    assert not waiting_ahead(store)


def test_all_stages_after_a_gate_are_built_and_the_gate_still_waits(store: Store) -> None:
    ended = go(store, run_ahead=True)

    assert ended.ending is Ending.AWAITING_APPROVAL
    assert ended.version.manifest.stage == "schema"
    assert ended.built == STAGE_NAMES
    assert stages(ended.ahead) == DOWNSTREAM
    assert (found := store.get_domain("refund").find_waiting())
    assert found.stage == "schema"
    assert describe_stages(store) == {
        "schema": "waiting",
        **dict.fromkeys(DOWNSTREAM, "provisional: schema is not approved"),
    }
    assert all(
        derive_state(store.get_domain("refund"), item) is GateState.PROVISIONAL
        for item in ended.ahead
    )


def test_what_was_built_ahead_takes_its_gate_without_being_built_again(store: Store) -> None:
    ahead = {item.manifest.stage: item for item in go(store, run_ahead=True).ahead}
    for before, stage in zip(STAGE_NAMES, DOWNSTREAM, strict=False):
        settle(store, before)
        ended = go(store)

        assert (ended.built, ended.version) == ((), ahead[stage])
        assert derive_state(store.get_domain("refund"), ended.version) is GateState.WAITING
    settle(store, "complexity")
    assert go(store).ending is Ending.APPROVED


def test_what_was_built_ahead_has_the_key_that_it_would_have_had(tmp_path: Path) -> None:
    one, other = open_store(tmp_path / "ahead"), open_store(tmp_path / "gate by gate")
    go(one, run_ahead=True)
    go(other, approve_clean=True)

    for stage in STAGE_NAMES:
        [ahead], [later] = (
            one.get_domain("refund").list_versions(stage),
            other.get_domain("refund").list_versions(stage),
        )
        assert ahead.manifest == later.manifest


def test_a_run_ahead_begins_at_whatever_gate_waits(store: Store) -> None:
    approve_to(store, "dataset")

    ended = go(store, run_ahead=True)

    assert ended.version.manifest.stage == "dataset"
    assert stages(ended.ahead) == ("api", "toolspec", "tools", "complexity")
    assert describe_stages(store)["sop"] == "approved by ada"
    assert describe_stages(store)["api"] == "provisional: dataset is not approved"


def test_running_ahead_again_builds_nothing(store: Store) -> None:
    first = go(store, run_ahead=True)
    again = go(store, run_ahead=True)

    assert again.built == ()
    assert again.ahead == first.ahead


def test_a_run_that_does_not_run_ahead_leaves_what_was_built_provisional(store: Store) -> None:
    first = go(store, run_ahead=True)

    assert go(store).ahead == first.ahead
    assert describe_stages(store)["complexity"] == "provisional: schema is not approved"


def test_nobody_decides_on_what_is_provisional(store: Store) -> None:
    sop = go(store, run_ahead=True).ahead[0]

    for verdict in (
        DecisionVerdict.APPROVE,
        DecisionVerdict.REJECT,
        DecisionVerdict.REQUEST_CHANGES,
    ):
        assert code(lambda: settle(store, "sop", verdict)) == "provisional-decision"  # noqa: B023
    text = f"{sop.files['sop.txt']}more\n"
    refused = code(
        lambda: edit(store.get_domain("refund"), stage="sop", digest="", text=text, by="ada")
    )
    assert refused == "provisional-decision"
    assert AuditLog(store.get_domain("refund")).list_entries() == []
    assert not store.objects.list_names("refund/edits")


def test_the_refusal_names_what_is_to_be_decided_first(store: Store) -> None:
    content = go(store, run_ahead=True).version.manifest.content[:12]

    with pytest.raises(StoreError) as caught:
        settle(store, "tools")

    [fault] = caught.value.faults
    assert fault.message == (
        "tools is provisional: it was built before schema, which still waits, was approved"
    )
    assert fault.hint == f"decide on schema {content} first, then generate again"


def test_a_policy_approves_nothing_that_is_provisional(store: Store) -> None:
    ended = go(store, refund(TWO), approve_clean=True, run_ahead=True)

    assert (ended.version.manifest.stage, stages(ended.ahead)) == ("schema", DOWNSTREAM)
    assert AuditLog(store.get_domain("refund")).list_entries() == []


def test_what_is_provisional_is_not_published(store: Store) -> None:
    go(store, run_ahead=True)
    assert code(lambda: publish(store, refund())) == "not-approved"
    settle(store, "schema")
    assert code(lambda: publish(store, refund())) == "not-approved"


def test_each_of_several_approvers_is_waited_for(store: Store) -> None:
    brief = refund(TWO)
    go(store, brief, run_ahead=True)
    settle(store, "schema", by="ada")

    after_one = go(store, brief, run_ahead=True)
    settle(store, "schema", by="grace")
    after_both = go(store, brief)

    assert (after_one.built, stages(after_one.ahead)) == ((), DOWNSTREAM)
    assert (after_both.built, after_both.version.manifest.stage) == ((), "sop")


def test_more_approvers_make_what_was_approved_after_them_provisional(store: Store) -> None:
    go(store, approve_clean=True)
    ended = go(store, refund(TWO))

    assert (ended.version.manifest.stage, ended.built, stages(ended.ahead)) == (
        "schema",
        (),
        DOWNSTREAM,
    )
    assert (
        describe_stages(store)["sop"] == "approved by policy; provisional: schema is not approved"
    )


def fallen(store: Store, ended: Progress, *, still: tuple[str, ...] = ()) -> None:
    """Assert that nothing refers to what was built ahead of a gate, but for some stages."""
    keys = set(waiting_ahead(store).values())
    for version in ended.ahead:
        stage, key = version.manifest.stage, version.manifest.key
        assert (key in keys) == (stage in still), stage
        if stage not in still:
            assert find_current_version(store.get_domain("refund"), stage) != version


def test_changes_of_what_waits_let_the_versions_after_it_fall(store: Store) -> None:
    first = go(store, run_ahead=True)
    settle(store, "schema", DecisionVerdict.REQUEST_CHANGES, opinion=Opinion("shorter"))
    fallen(store, first)

    again = go(store)

    assert (again.built, again.version.number, again.ahead) == (("schema",), 2, ())
    fallen(store, first)
    assert find_current_version(store.get_domain("refund"), "sop") is None
    assert code(lambda: settle(store, "sop")) == "stale-decision"


def test_a_changed_brief_lets_the_versions_after_it_fall(store: Store) -> None:
    first = go(store, run_ahead=True)

    again = go(store, refund(LONGER), run_ahead=True)

    fallen(store, first)
    assert again.built == STAGE_NAMES
    assert [item.number for item in again.ahead] == [2] * len(DOWNSTREAM)


def test_an_edit_of_what_waits_lets_what_is_made_from_it_fall_and_nothing_else(
    store: Store,
) -> None:
    approve_to(store, "sop")
    first = go(store, run_ahead=True)
    text = f"{first.version.files['sop.txt']}more\n"
    edit(store.get_domain("refund"), stage="sop", digest="", text=text, by="grace")
    fallen(store, first)

    again = go(store)

    assert again.built == ("sop",)
    fallen(store, first, still=("dataset", "api", "toolspec", "tools"))


def test_a_rejection_leaves_nothing_provisional(store: Store) -> None:
    first = go(store, run_ahead=True)
    settle(store, "schema", DecisionVerdict.REJECT)

    ended = go(store, run_ahead=True)

    assert (ended.ending, ended.built, ended.ahead) == (Ending.REJECTED, (), ())
    assert store.get_domain("refund").find_waiting() is None
    fallen(store, first)


def test_a_change_of_the_brief_after_the_gate_leaves_what_does_not_read_it(store: Store) -> None:
    first = go(store, run_ahead=True)

    again = go(store, refund(MORE))

    assert (again.version, again.built, stages(again.ahead)) == (first.version, (), ("sop",))
    fallen(store, first, still=("sop",))


def test_feedback_given_to_a_later_stage_reaches_what_is_built_ahead(store: Store) -> None:
    approve_to(store, "dataset")
    settle(store, "dataset", DecisionVerdict.REQUEST_CHANGES, opinion=Opinion("more odd cases"))

    ended = go(store, refund(LONGER), run_ahead=True)
    [dataset] = [item for item in ended.ahead if item.manifest.stage == "dataset"]
    settled = approve_to(store, "dataset", refund(LONGER))

    assert settled.version == dataset
    [sop] = [item for item in ended.ahead if item.manifest.stage == "sop"]
    assert dataset.manifest.inputs["feedback"] != sop.manifest.inputs["feedback"]


def test_a_version_with_errors_is_no_ground_to_build_on(store: Store) -> None:
    faulty = QuickBuild({"schema": (make_error_finding("odd", "this is wrong"),)})

    ended = go(store, run_ahead=True, build=faulty)

    assert (ended.built, ended.ahead) == (("schema",), ())


def test_running_ahead_ends_at_errors_but_not_at_warnings(store: Store) -> None:
    findings = {
        "sop": (make_warning_finding("odd", "right?"),),
        "dataset": (make_error_finding("odd", "this is wrong"),),
    }

    ended = go(store, run_ahead=True, build=QuickBuild(findings))

    assert ended.built == ("schema", "sop", "dataset")
    assert stages(ended.ahead) == ("sop", "dataset")
    assert describe_stages(store)["dataset"] == "provisional: schema is not approved"


@dataclass
class StoppedBuild(QuickBuild):
    """Dies at a stage."""

    at: str = field(default="", kw_only=True)

    def __call__(self, domain: DomainStore, order: Order) -> Version:
        if order.stage.name == self.at:
            raise KeyboardInterrupt
        return super().__call__(domain, order)


@pytest.mark.parametrize("stage", DOWNSTREAM)
def test_a_run_that_dies_while_it_runs_ahead_is_gone_on_with(store: Store, stage: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        go(store, run_ahead=True, build=StoppedBuild(at=stage))

    done = STAGE_NAMES.index(stage)
    assert tuple(waiting_ahead(store)) == STAGE_NAMES[1:done]
    ended = go(store, run_ahead=True)
    assert (ended.built, stages(ended.ahead)) == (STAGE_NAMES[done:], DOWNSTREAM)


def test_a_version_whose_run_died_before_it_was_noted_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("sopforge.pipeline.stages.pipeline.note_ahead", dies)
        with pytest.raises(KeyboardInterrupt):
            go(store, run_ahead=True)

    assert [
        len(store.get_domain("refund").list_versions(stage)) for stage in ("sop", "dataset")
    ] == [1, 0]
    assert go(store, run_ahead=True).built == STAGE_NAMES[2:]


def dying_at(write: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let a store die before a write, counted from 0, and after it; return the writes it did."""
    done: list[int] = []

    def dying(step: Callable[..., None]) -> Callable[..., None]:
        def counted(*arguments: object, **named: object) -> None:
            if len(done) == write:
                raise KeyboardInterrupt
            done.append(write)
            step(*arguments, **named)

        return counted

    for name in ("create", "create_all", "replace", "delete"):
        monkeypatch.setattr(FolderObjects, name, dying(getattr(FolderObjects, name)))
    return done


def stored(store: Store) -> dict[str, bytes | None]:
    """Return what is kept; a seal also knows what was announced by a run that died."""
    assert store.objects.find_faults("refund") == []
    names = [name for name in store.objects.list_names("refund") if name != "refund/seal.json"]
    return {name: store.objects.read(name) for name in names}


def test_a_run_that_dies_at_any_write_while_it_runs_ahead_loses_nothing(tmp_path: Path) -> None:
    undisturbed, write = open_store(tmp_path / "undisturbed"), 0
    go(undisturbed, run_ahead=True)
    while True:
        store = open_store(tmp_path / str(write))
        with pytest.MonkeyPatch.context() as patched:
            done = dying_at(write, patched)
            with suppress(KeyboardInterrupt):
                go(store, run_ahead=True)
        if len(done) < write:
            break
        go(store, run_ahead=True)
        assert stored(store) == stored(undisturbed), write
        write += 1
    assert write > 15


@dataclass
class OvertakenBuild(QuickBuild):
    """Somebody decides on the schema while the dataset is built ahead of it."""

    verdict: DecisionVerdict = DecisionVerdict.APPROVE

    def __call__(self, domain: DomainStore, order: Order) -> Version:
        if order.stage.name == "dataset":
            settle(domain.store, "schema", self.verdict, opinion=Opinion("shorter"))
        return super().__call__(domain, order)


@pytest.mark.parametrize(
    ("verdict", "built", "waits"),
    [
        pytest.param(DecisionVerdict.APPROVE, (), "sop", id="approved"),
        pytest.param(DecisionVerdict.REQUEST_CHANGES, ("schema",), "schema", id="sent back"),
    ],
)
def test_a_run_ahead_stops_where_somebody_decides_meanwhile(
    store: Store, verdict: DecisionVerdict, built: tuple[str, ...], waits: str
) -> None:
    ended = go(store, run_ahead=True, build=OvertakenBuild(verdict=verdict))

    assert (ended.is_overtaken, ended.built) == (True, ("schema", "sop", "dataset"))
    assert store.get_domain("refund").find_waiting() is None
    after = go(store)
    assert (after.built, after.version.manifest.stage) == (built, waits)


def test_what_stands_after_something_else_is_not_noted(store: Store) -> None:
    first = go(store, run_ahead=True)
    go(store, refund(LONGER))

    assert not note_ahead(store.get_domain("refund"), first.version, first.ahead)
    assert not waiting_ahead(store)


def test_a_provisional_version_is_what_is_shown_and_compared(store: Store) -> None:
    go(store, approve_clean=True)
    ended = go(store, refund(LONGER), run_ahead=True)

    assert all(
        find_current_version(store.get_domain("refund"), v.manifest.stage) == v for v in ended.ahead
    )
    pairs = find_sides(store, refund(LONGER), ComparisonRequest()).pairs
    assert [(pair.old and pair.old.number, pair.new and pair.new.number) for pair in pairs] == [
        (1, 2)
    ] * len(STAGE_NAMES)


@dataclass
class RefusedBuild(QuickBuild):
    """Cannot draw the dataset."""

    def __call__(self, domain: DomainStore, order: Order) -> Version:
        if order.stage.name == "dataset":
            raise MaterialError(Fault("too-few", "no such tasks"))
        return super().__call__(domain, order)


def test_what_cannot_be_built_ahead_is_reported_and_the_gate_waits_on(store: Store) -> None:
    with pytest.raises(MaterialError, match="no such tasks"):
        go(store, run_ahead=True, build=RefusedBuild())

    assert (found := store.get_domain("refund").find_waiting())
    assert found.stage == "schema"
    assert describe_stages(store)["sop"] == "provisional: schema is not approved"
    settle(store, "schema")
    assert go(store).version.manifest.stage == "sop"


def test_files_that_were_changed_after_a_gate_stop_no_run_at_it(store: Store) -> None:
    sop = go(store, run_ahead=True).ahead[0]
    Path(sop.place, "files", "sop.txt").write_text("changed", encoding="utf-8")

    for run_ahead in (False, True):
        ended = go(store, run_ahead=run_ahead)
        assert (ended.built, stages(ended.ahead)) == ((), ("sop",))
    assert describe_stages(store)["sop"] == "files were changed"
