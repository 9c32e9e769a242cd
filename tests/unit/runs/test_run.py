"""A run is alone at its domain, and notes what the next one needs to know."""

from __future__ import annotations

import json
from asyncio import CancelledError
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from threading import Event, Thread
from typing import NoReturn

import pytest

from sopforge.errors import Fault, MaterialError, ProviderError, StoreError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.runs import run as running
from sopforge.pipeline.runs.run import (
    RunHooks,
    is_at_work,
    is_transient,
    lock_run,
    note_cancelled,
    run,
)
from sopforge.pipeline.stages.pipeline import Order, StageReport
from sopforge.store.last_run import NO_RUN, LastRun, RunSettings, keep_last_run, load_last_run
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Store
from tests.worlds.quick_builds import settle

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


@pytest.fixture
def brief() -> Brief:
    return read_brief(REFUND.read_text(encoding="utf-8"), "refund.yaml")


def failing(error: BaseException) -> RunHooks:
    """Return hooks of which each build fails."""

    def build(_domain: DomainStore, _order: Order) -> NoReturn:
        raise error

    return RunHooks(build=build)


def nobody_waits() -> NoReturn:
    pytest.fail("another run was said to be at work")


def test_a_second_run_says_that_it_waits_and_begins_when_the_first_has_ended(store: Store) -> None:
    waits, order = Event(), list[str]()

    def second() -> None:
        with lock_run(store.get_domain("refund"), waits.set):
            order.append("second")

    with lock_run(store.get_domain("refund"), nobody_waits):
        thread = Thread(target=second)
        thread.start()
        assert waits.wait(120)
        assert is_at_work(store.get_domain("refund"))
        order.append("first")
    thread.join(120)
    assert order == ["first", "second"]
    assert not is_at_work(store.get_domain("refund"))


def test_a_run_of_another_domain_waits_for_nobody(store: Store) -> None:
    with (
        lock_run(store.get_domain("refund"), nobody_waits),
        lock_run(store.get_domain("claims"), nobody_waits),
    ):
        assert is_at_work(store.get_domain("refund"))


def test_what_is_wrong_with_the_store_is_no_other_run(tmp_path: Path) -> None:
    (tmp_path / "refund").write_text("")
    with (
        pytest.raises(StoreError, match="store-unusable"),
        lock_run(open_store(tmp_path).get_domain("refund"), nobody_waits),
    ):
        pytest.fail("the store cannot be written")


def test_a_run_is_noted_with_what_it_was_asked_for_and_how_it_ended(
    store: Store, brief: Brief
) -> None:
    settings = RunSettings(approve_clean=False, publish=True, budget=Decimal("2.50"), prices="p")
    assert load_last_run(store.get_domain("refund")) == NO_RUN

    run(store, brief, settings)
    first = LastRun(settings, Decimal(0), decisions=0, tries=1, ended="AwaitingApproval", brief=1)
    assert load_last_run(store.get_domain("refund")) == first

    settle(store, "schema")
    run(store, brief, RunSettings())
    second = replace(first, settings=RunSettings(), decisions=1)
    assert load_last_run(store.get_domain("refund")) == second


def test_a_run_at_work_is_noted_without_an_end(store: Store, brief: Brief) -> None:
    seen: list[LastRun] = []

    def report(_stage: StageReport) -> None:
        seen.append(load_last_run(store.get_domain("refund")))

    run(store, brief, RunSettings(), RunHooks(report=report))
    assert [(item.tries, item.ended) for item in seen] == [(1, "")]


@pytest.mark.parametrize(
    ("error", "ended", "tries"),
    [
        (ProviderError(Fault("model-unavailable", "529")), "", 2),
        (StoreError(Fault("store-unusable", "no answer")), "", 2),
        (StoreError(Fault("lock-lost", "this run was delayed")), "", 2),
        (ProviderError(Fault("budget-reached", "it is spent")), "Failed", 1),
        (MaterialError(Fault("gap", "no rule holds")), "Failed", 1),
        (ValueError("a fault of ours"), "Failed", 1),
        (OSError("no space left on device"), "", 2),
        (MemoryError(), "", 2),
        (KeyboardInterrupt(), "", 2),
        (SystemExit(1), "", 2),
        (CancelledError(), "", 2),
        (GeneratorExit(), "", 2),
    ],
    ids=[
        *("model", "store", "held up", "budget", "material", "ours", "disk", "memory", "ctrl-c"),
        *("exit", "cancelled", "closed"),
    ],
)
def test_only_what_may_pass_leaves_a_run_without_an_end(
    store: Store, brief: Brief, error: BaseException, ended: str, tries: int
) -> None:
    for _ in range(2):
        with pytest.raises(type(error)):
            run(store, brief, RunSettings(), failing(error))
    noted = load_last_run(store.get_domain("refund"))
    assert (noted.ended, noted.tries) == (ended, tries)


def test_a_run_that_was_cancelled_is_noted_as_ended_and_one_that_ended_stays_so(
    store: Store, brief: Brief
) -> None:
    note_cancelled(store.get_domain("refund"))
    assert load_last_run(store.get_domain("refund")) == NO_RUN

    with pytest.raises(KeyboardInterrupt):
        run(store, brief, RunSettings(), failing(KeyboardInterrupt()))
    note_cancelled(store.get_domain("refund"))
    assert load_last_run(store.get_domain("refund")).ended == "Cancelled"

    run(store, brief, RunSettings())
    note_cancelled(store.get_domain("refund"))
    assert load_last_run(store.get_domain("refund")).ended == "AwaitingApproval"


def test_errors_of_the_machine_may_pass_and_errors_of_the_material_do_not() -> None:
    passing = Fault("model-unavailable", "529")
    assert is_transient(OSError("no space"))
    assert not is_transient(ValueError("a fault of ours"))
    assert is_transient(ProviderError(passing))
    assert not is_transient(MaterialError(passing, Fault("gap", "no rule holds")))


def test_a_fault_of_the_material_is_placed_in_the_brief(store: Store, brief: Brief) -> None:
    fault = Fault("gap", "no rule holds", "decisions.eligibility")
    with pytest.raises(MaterialError) as refused:
        run(store, brief, RunSettings(), failing(MaterialError(fault)))
    [placed] = refused.value.faults
    assert placed.where.startswith("refund.yaml:")


def test_a_run_that_is_to_publish_ends_with_the_release(store: Store, brief: Brief) -> None:
    ran = run(store, brief, RunSettings(approve_clean=True, publish=True))
    assert ran.ending == "Published"
    assert ran.published is not None
    assert store.get_domain("refund").list_releases() == [ran.published.version] == ["1.0.0"]
    assert load_last_run(store.get_domain("refund")).ended == "Published"


def test_a_run_that_waits_at_a_gate_publishes_nothing(store: Store, brief: Brief) -> None:
    assert run(store, brief, RunSettings(publish=True)).ending == "AwaitingApproval"
    assert store.get_domain("refund").list_releases() == []


def test_a_note_that_cannot_be_read_is_reported(store: Store, brief: Brief) -> None:
    run(store, brief, RunSettings())
    store.objects.replace("refund/last_run.json", b'{"format": 1}')
    with pytest.raises(StoreError, match="store-damaged: the file describes no run"):
        load_last_run(store.get_domain("refund"))


def test_a_note_keeps_every_setting(store: Store) -> None:
    settings = RunSettings(
        approve_clean=True, publish=True, budget=Decimal("0.10"), prices="p.yaml"
    )
    noted = LastRun(settings, Decimal("1.25"), decisions=3, tries=2, ended="Failed")
    keep_last_run(store.get_domain("refund"), noted)
    assert load_last_run(store.get_domain("refund")) == noted
    record = json.loads((Path(store.place) / "refund" / "last_run.json").read_text())
    assert record["settings"]["budget"] == "0.10"


def test_a_run_whose_end_cannot_be_noted_still_reports_what_failed(
    store: Store, brief: Brief, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[LastRun] = []

    def keep(_domain: DomainStore, noted: LastRun) -> None:
        kept.append(noted)
        if noted.ended:
            raise StoreError(Fault("store-unusable", "the disk is full"))

    monkeypatch.setattr(running, "keep_last_run", keep)
    with pytest.raises(MaterialError, match="no rule holds"):
        run(store, brief, RunSettings(), failing(MaterialError(Fault("gap", "no rule holds"))))
    assert [noted.ended for noted in kept] == ["", "Failed"]
