"""Domains of the end-to-end tests of Prefect: begun in this process, decided without it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates.gate import decide
from sopforge.pipeline.runs.run import lock_run, run
from sopforge.store.entries import DecisionVerdict
from sopforge.store.last_run import RunSettings, load_last_run
from sopforge.store.versions import Manifest, Store
from tests.servers.prefect_processes import PROJECT, Prefect, until

REFUND = PROJECT / "tests" / "briefs" / "refund.yaml"
INTAKE = PROJECT / "briefs" / "patient_intake.yaml"
# The next gate is there after 3 to 4 on an idle machine, 20 where six others share it.
RUN_SECONDS = 400
# Twice as many as the worker takes at a time; 20 of them take a minute on an idle machine.
MANY = int(os.environ.get("SOPFORGE_DOMAINS_AT_ONCE", "8"))


def renamed(brief: Path, domain: str) -> Brief:
    """Return a brief under the name of another domain."""
    text = brief.read_text(encoding="utf-8")
    name = next(line for line in text.splitlines() if line.startswith("domain: "))
    return read_brief(text.replace(name, f"domain: {domain}", 1), f"{domain}.yaml")


def at_first_gate(store: Store, brief: Brief) -> str:
    """Take a brief to its first gate in this process; return the name of its domain."""
    domain = brief.parts.domain
    with lock_run(store.get_domain(domain), lambda: None):
        run(store, brief, RunSettings())
    return domain


def approve(store: Store, domain: str, stage: str) -> None:
    """Approve without notifying Prefect."""
    decide(
        store.get_domain(domain), stage=stage, digest="", verdict=DecisionVerdict.APPROVE, by="ada"
    )


def waits_at(store: Store, domain: str, stage: str) -> bool:
    noted = store.get_domain(domain).find_waiting()
    return noted is not None and noted.stage == stage


def waits_as(store: Store, manifest: Manifest) -> bool:
    noted = store.get_domain(manifest.domain).find_waiting()
    return noted is not None and noted.is_of(manifest)


def versions(store: Store, domain: str, stages: Iterable[str]) -> list[int]:
    return [len(store.get_domain(domain).list_versions(stage)) for stage in stages]


def begin_dataset(prefect: Prefect, store: Store, domain: str) -> None:
    """Have a run that builds the dataset of the intake, which takes some seconds."""
    at_first_gate(store, renamed(INTAKE, domain))
    for stage in ("schema", "sop"):
        approve(store, domain, stage)
        if stage == "schema":
            at_first_gate(store, renamed(INTAKE, domain))
    prefect.sopforge("continue", domain, "--store", store.place)

    def is_building() -> bool:
        noted = load_last_run(store.get_domain(domain))
        return noted.decisions == 2 and not noted.ended

    until(is_building, RUN_SECONDS, prefect.logs)
