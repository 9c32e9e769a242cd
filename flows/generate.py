"""The flow that takes a brief, or a domain that there is, to its next gate."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State

from flows.failure_words import report_failure
from flows.parameters import DEFAULT_STORE, Dollars, Domain, FilePath, Place, name_run
from flows.running import run_domain
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import load_brief, load_latest_brief
from sopforge.pipeline.briefs.taking import Newer, take_brief
from sopforge.pipeline.briefs.variants import build_variant_brief
from sopforge.pipeline.runs.continuing import find_next_run
from sopforge.store.last_run import RunSettings
from sopforge.store.opening import open_store

DEFAULT_BRIEF = "briefs/patient_intake.yaml"


@flow(name="generate-domain", flow_run_name=name_run)
@report_failure
def generate_domain(
    brief: FilePath = DEFAULT_BRIEF,
    domain: Domain | None = None,
    variant: str | None = None,
    store: Place = DEFAULT_STORE,
    newer: Newer = Newer.REFUSE,
    *,
    approve_clean: bool | None = None,
    publish: bool | None = None,
    run_ahead: bool | None = None,
    budget: Dollars | None = None,
    prices: FilePath | None = None,
) -> State[None]:
    """Take a domain as far as its approvals allow; run again after each decision.

    With a domain, what is not given below is as the domain's last run was asked for, with what is
    left of its budget.

    Ends as AwaitingApproval, Rejected, Approved or Published, which all are Completed states.

    Args:
        brief: Path of the brief, from the project folder.
        domain: Name of a domain to go on with, from the brief that the store keeps of it; then no
            brief and no variant is given.
        variant: A variant that the brief names, instead of the brief itself.
        store: Folder of the store, from the project folder, or s3://BUCKET/PREFIX.
        newer: What to do where the store's brief has changes that the brief's file lacks: refuse,
            merge (apply what changed in the file to the store's brief) or replace (take the file).
        approve_clean: Approve by policy each stage without an error-level finding.
        publish: Write the release once all stages are approved.
        run_ahead: Build provisionally after the gate that waits; with a language model, this
            spends on what may fall.
        budget: Stop before a language model has cost more, in US dollars.
        prices: Path of a file of prices of your own, for models whose price is not known.
    """
    opened = open_store(store)
    given = _drop_unset(
        approve_clean=approve_clean,
        publish=publish,
        run_ahead=run_ahead,
        budget=budget,
        prices=prices,
    )
    if domain is None:
        loaded = _load_brief_variant(Path(brief), variant)
        there = opened.get_domain(loaded.parts.domain)
        return run_domain(
            there,
            lambda: take_brief(there, loaded, newer),
            lambda: RunSettings(**given),
        )
    # The default cannot be distinguished from a brief that nobody gave.
    if brief != DEFAULT_BRIEF or variant is not None:
        message = f"'{domain}' was given together with a brief or a variant"
        hint = "give a domain to continue it, or a brief to generate from the brief"
        raise MaterialError(Fault("brief-and-domain", message, "domain", hint))
    return run_domain(
        opened.get_domain(domain),
        lambda: load_latest_brief(opened.get_domain(domain)),
        lambda: replace(find_next_run(opened.get_domain(domain)).settings, **given),
    )


def _drop_unset(**parameters: object) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if value is not None}


def _load_brief_variant(path: Path, variant: str | None) -> Brief:
    brief = load_brief(path)
    return build_variant_brief(brief, variant, path.parent) if variant else brief


def main() -> int:
    """Run the flow from the command line, without a deployment; 1 if it failed."""
    parser = argparse.ArgumentParser(prog="python -m flows.generate", description=__doc__)
    parser.add_argument("brief", nargs="?", default=DEFAULT_BRIEF)
    parser.add_argument("--store", default=DEFAULT_STORE)
    parser.add_argument("--approve-clean", action="store_true")
    given = parser.parse_args()
    state = generate_domain(
        given.brief, store=given.store, approve_clean=given.approve_clean, return_state=True
    )
    sys.stdout.write(f"{state.name}: {state.message}\n")
    return 1 if state.is_failed() else 0


if __name__ == "__main__":
    sys.exit(main())
