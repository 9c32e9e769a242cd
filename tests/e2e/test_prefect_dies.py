"""Decisions start runs whatever of a real Prefect server and its workers dies meanwhile."""

from __future__ import annotations

import pytest

from sopforge.pipeline.runs.run import is_at_work
from sopforge.store.last_run import load_last_run
from sopforge.store.versions import Store
from tests.servers.prefect_domains import (
    INTAKE,
    REFUND,
    RUN_SECONDS,
    approve,
    at_first_gate,
    begin_dataset,
    renamed,
    versions,
    waits_at,
)
from tests.servers.prefect_processes import Prefect, until

pytestmark = pytest.mark.e2e


def test_a_killed_worker_leaves_a_stage_that_a_fresh_run_builds(
    prefect: Prefect, store: Store
) -> None:
    domain = at_first_gate(store, renamed(INTAKE, "killed"))
    approve(store, domain, "schema")
    at_first_gate(store, renamed(INTAKE, "killed"))
    there = ("--store", store.place)
    prefect.sopforge("approve", domain, "sop", "--by", "ada", *there)

    def is_building() -> bool:
        noted = load_last_run(store.get_domain(domain))
        return noted.decisions == 2 and not noted.ended

    until(is_building, RUN_SECONDS, prefect.logs)
    prefect.kill("worker")
    assert versions(store, domain, ["sop", "dataset"]) == [1, 0]
    prefect.start_worker()
    printed = prefect.sopforge("continue", "--all", *there)

    assert f"{domain}: '{domain} continued after sop, approve by ada'" in printed
    until(lambda: waits_at(store, domain, "dataset"), RUN_SECONDS, prefect.logs)
    assert versions(store, domain, ["sop", "dataset"]) == [1, 1]
    assert len(prefect.runs(domain)) == 2


def test_the_run_of_a_worker_that_was_killed_alone_goes_on_by_the_sweep(
    prefect: Prefect, store: Store
) -> None:
    domain = "orphaned"
    begin_dataset(prefect, store, domain)
    prefect.kill("worker", is_alone=True)
    prefect.start_worker()
    # What is left over of the worker works on for a while, or exits where it writes to its log.
    until(lambda: not is_at_work(store.get_domain(domain)), RUN_SECONDS, prefect.logs)
    assert load_last_run(store.get_domain(domain)).ended in {"", "AwaitingApproval"}

    prefect.sopforge("continue", "--all", "--store", store.place)
    until(lambda: waits_at(store, domain, "dataset"), RUN_SECONDS, prefect.logs)
    assert versions(store, domain, ["sop", "dataset"]) == [1, 1]


def test_a_decision_while_the_server_is_down_is_picked_up_later(
    prefect: Prefect, store: Store
) -> None:
    domain = at_first_gate(store, renamed(REFUND, "lost"))
    there = ("--store", store.place)
    prefect.kill("server")
    printed = prefect.sopforge("approve", domain, "schema", "--by", "ada", *there)
    assert "run-not-started" in printed
    assert f"sopforge continue --all --store {store.place}" in printed

    prefect.start_server()
    prefect.sopforge("continue", "--all", *there)
    until(lambda: waits_at(store, domain, "sop"), RUN_SECONDS, prefect.logs)
    assert len(prefect.runs(domain)) == 1


def test_a_sweep_that_died_with_its_worker_and_the_server_keeps_no_later_one_out(
    prefect: Prefect, store: Store
) -> None:
    domain = at_first_gate(store, renamed(REFUND, "after_all"))
    approve(store, domain, "schema")
    tagged = ("--tag", "died", "--param", f"store={store.place}")
    prefect.prefect("deployment", "run", "continue-domains/local", *tagged)

    def is_taken() -> bool:
        [sweep] = prefect.runs("died")
        return sweep.state is not None and not sweep.state.is_scheduled()

    until(is_taken, RUN_SECONDS, prefect.logs)
    prefect.kill("worker")
    prefect.kill("server")
    prefect.start_server()
    prefect.start_worker()

    assert prefect.run_deployment("continue-domains/local", store=store.place) == "Completed"
    until(lambda: waits_at(store, domain, "sop"), RUN_SECONDS, prefect.logs)
