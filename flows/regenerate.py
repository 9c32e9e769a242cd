"""The flow that makes a domain again with new context, or with changed facts."""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State

from flows.failure_words import report_failure
from flows.parameters import DEFAULT_STORE, Dollars, Domain, FilePath, Place, name_run
from flows.running import run_domain
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import keep_changed, load_latest_brief
from sopforge.pipeline.briefs.regeneration import change_brief, read_context
from sopforge.store.last_run import RunSettings
from sopforge.store.opening import open_store


@flow(name="regenerate-domain", flow_run_name=name_run)
@report_failure
def regenerate_domain(
    domain: Domain,
    context: str = "",
    model_patch: FilePath | None = None,
    store: Place = DEFAULT_STORE,
    *,
    approve_clean: bool = False,
    publish: bool = False,
    run_ahead: bool = False,
    budget: Dollars | None = None,
    prices: FilePath | None = None,
) -> State[None]:
    """Build what is stale once a domain's brief has new context; with none, go on where it waits.

    The new brief is kept in the store beside the earlier ones. Ends as AwaitingApproval, Rejected,
    Approved or Published, which all are Completed states.

    Args:
        domain: Name of the domain, as in its brief.
        context: What is to be added to the brief, in prose, or the path of a file that holds it;
            where it differs from the brief, it counts.
        model_patch: Path of a YAML file of changes, merged into the brief's model.
        store: Folder of the store, from the project folder, or s3://BUCKET/PREFIX.
        approve_clean: Approve by policy each stage without an error-level finding.
        publish: Write the release once all stages are approved.
        run_ahead: Build provisionally after the gate that waits; with a language model, this
            spends on what may fall.
        budget: Stop before a language model has cost more, in US dollars.
        prices: Path of a file of prices of your own, for models whose price is not known.
    """
    opened, addition = open_store(store), read_context(context, "context")

    def build_brief() -> Brief:
        brief = load_latest_brief(opened.get_domain(domain))
        if not addition and model_patch is None:
            return brief
        return change_brief(brief, addition, Path(model_patch) if model_patch else None)

    settings = RunSettings(approve_clean, publish, run_ahead, budget, prices or "")
    return run_domain(
        opened.get_domain(domain),
        lambda: keep_changed(opened.get_domain(domain), build_brief),
        lambda: settings,
    )
