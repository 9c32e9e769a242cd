"""Decisions start runs on a real Prefect server and worker."""

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from sopforge.store.last_run import load_last_run
from sopforge.store.versions import Store
from sopforge.workspace import STAGE_NAMES
from tests.servers.prefect_domains import (
    MANY,
    REFUND,
    RUN_SECONDS,
    approve,
    at_first_gate,
    begin_dataset,
    renamed,
    versions,
    waits_as,
    waits_at,
)
from tests.servers.prefect_processes import PROJECT, Prefect, until

pytestmark = pytest.mark.e2e


def test_each_decision_starts_the_next_run_through_to_a_release(
    prefect: Prefect, store: Store
) -> None:
    ended = prefect.run_deployment("generate-domain/local", brief=str(REFUND), store=store.place)
    assert ended == "AwaitingApproval"

    for stage, following in pairwise(STAGE_NAMES[:4]):
        there = ("--by", "ada", "--store", store.place)
        written = prefect.sopforge("approve", "refund", stage, *there)
        assert f"The next run: 'refund continued after {stage}, approve by ada'" in written
        until(partial(waits_at, store, "refund", following), RUN_SECONDS, prefect.logs)
    # That which waited first, and one for each decision.
    assert len(prefect.runs("refund")) == 4

    ended = prefect.run_deployment(
        "generate-domain/local",
        domain="refund",
        store=store.place,
        approve_clean="true",
        publish="true",
    )
    assert ended == "Published"
    assert store.get_domain("refund").list_releases() == ["1.0.0"]
    assert versions(store, "refund", STAGE_NAMES) == [1] * len(STAGE_NAMES)


def test_edits_and_withdrawals_start_the_next_run_too(prefect: Prefect, store: Store) -> None:
    domain = at_first_gate(store, renamed(REFUND, "asked"))
    there = ("--by", "ada", "--store", store.place)

    edited = Path(store.place) / "edited.yaml"
    text = store.get_domain(domain).list_versions("schema")[-1].files["domain.yaml"]
    edited.write_text(text.replace("value: 30", "value: 20"))
    prefect.sopforge("edit", domain, "schema", "--from", str(edited), *there)

    until(lambda: versions(store, domain, ["schema"]) == [2], RUN_SECONDS, prefect.logs)
    until(lambda: waits_at(store, domain, "schema"), RUN_SECONDS, prefect.logs)
    assert "value: 20" in store.get_domain(domain).list_versions("schema")[-1].files["domain.yaml"]

    prefect.sopforge("withdraw", domain, "schema", *there)
    first = store.get_domain(domain).list_versions("schema")[0].manifest
    until(partial(waits_as, store, first), RUN_SECONDS, prefect.logs)


def test_two_approvals_and_a_look_at_once_start_one_run(prefect: Prefect, store: Store) -> None:
    domain = at_first_gate(store, renamed(REFUND, "twice"))
    there = ("--store", store.place)
    begun = [
        prefect.begin("approve", domain, "schema", "--by", "ada", *there),
        prefect.begin("approve", domain, "schema", "--by", "bob", *there),
        prefect.begin("continue", domain, *there),
    ]
    outputs = [command.communicate(timeout=RUN_SECONDS)[0] for command in begun]
    prefect.sopforge("continue", "--all", *there)

    until(lambda: waits_at(store, domain, "sop"), RUN_SECONDS, prefect.logs)
    assert sum(command.returncode == 0 for command in begun[:2]) == 1, outputs
    after = [item for item in prefect.runs(domain) if "after schema" in item.name]
    assert len(after) == 1, [item.name for item in after]
    assert versions(store, domain, ["schema", "sop"]) == [1, 1]


def test_many_domains_at_once_all_get_to_their_next_gate(prefect: Prefect, store: Store) -> None:
    domains = [at_first_gate(store, renamed(REFUND, f"many_{number}")) for number in range(MANY)]
    for domain in domains:
        approve(store, domain, "schema")

    assert prefect.run_deployment("continue-domains/local", store=store.place) == "Completed"

    def is_done() -> bool:
        return all(waits_at(store, domain, "sop") for domain in domains)

    until(is_done, 3 * RUN_SECONDS, prefect.logs)
    assert [len(prefect.runs(domain)) for domain in domains] == [1] * len(domains)
    last_run = json.loads((Path(store.place) / domains[0] / "last_run.json").read_text())
    assert (last_run["decisions"], last_run["ended"]) == (1, "AwaitingApproval")


def test_a_run_that_was_cancelled_in_prefect_is_left_to_a_person(
    prefect: Prefect, store: Store
) -> None:
    domain = "cancelled"
    begin_dataset(prefect, store, domain)
    [run] = prefect.runs(domain)
    prefect.cancel(run)
    until(lambda: load_last_run(store.get_domain(domain)).ended != "", RUN_SECONDS, prefect.logs)
    assert load_last_run(store.get_domain(domain)).ended == "Cancelled"

    printed = prefect.sopforge("continue", "--all", "--store", store.place)
    by_hand = f"sopforge continue {domain} --store {store.place}"
    said = f"{domain}: its last run was cancelled; start the next run: {by_hand}"
    assert printed.splitlines()[0] == said
    assert len(prefect.runs(domain)) == 1


def test_a_deployment_of_the_sweep_looks_into_the_store_that_it_is_given(
    prefect: Prefect, store: Store, tmp_path: Path
) -> None:
    domain = at_first_gate(store, renamed(REFUND, "scheduled"))
    approve(store, domain, "schema")
    deployments = yaml.safe_load((PROJECT / "prefect.yaml").read_text(encoding="utf-8"))
    [sweep] = [
        item for item in deployments["deployments"] if item["flow_name"] == "continue-domains"
    ]
    # As docs/prefect.md says, under a name of the test's own.
    sweep |= {"name": "of-the-team", "parameters": {"store": store.place}}
    file = tmp_path / "prefect.yaml"
    file.write_text(yaml.safe_dump(deployments | {"deployments": [sweep]}), encoding="utf-8")
    prefect.prefect("--no-prompt", "deploy", "--all", "--prefect-file", str(file))

    assert prefect.run_deployment("continue-domains/of-the-team") == "Completed"
    until(lambda: waits_at(store, domain, "sop"), RUN_SECONDS, prefect.logs)
