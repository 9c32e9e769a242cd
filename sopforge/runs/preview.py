"""A look before a model is paid for all stages: the domain, some rows, a section, the price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.authors.author import Author
from sopforge.authors.estimating import Question
from sopforge.authors.model_author import ModelAuthor
from sopforge.checks.registry import examine
from sopforge.complexity.levels import compute_greatest_doses
from sopforge.dataset.sampling.filling import label_rows
from sopforge.dataset.tasks.writing import as_task
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief
from sopforge.findings import Finding, has_errors
from sopforge.rendering.sop.document import SopDocument
from sopforge.stages.building.repair import build_and_repair
from sopforge.stages.pipeline import build_order
from sopforge.stages.schema import SchemaStage
from sopforge.stages.sop import SopStage
from sopforge.store.versions import Store
from sopforge.workspace import Workspace

ROWS = 5


@dataclass(frozen=True, slots=True)
class Preview:
    """What a domain will be like; without a model where the first writing has errors."""

    findings: Sequence[Finding]
    model: DomainModel | None = None
    rows: Sequence[Mapping[str, str]] = ()
    section: SopDocument | None = None
    questions: Sequence[Question] = ()


def preview(store: Store, brief: Brief, author: Author) -> Preview:
    """Have the domain and one section written, and count what the rest would be asked with.

    What a model answers is on record: the run that follows does not pay for it again.
    """
    # Asked as a run would ask: only equal questions are found on record afterwards.
    made = build_and_repair(
        SchemaStage(),
        Workspace(brief, {}),
        build_order(store, SchemaStage(), Workspace(brief, {}), author).author,
        lambda stage, workspace: examine(stage.name, workspace),
    )
    if has_errors(made.findings):
        return Preview(made.findings)
    workspace = Workspace(brief, {"schema/domain.yaml": made.files["domain.yaml"]})
    model = workspace.model
    rows = _draw_rows(model, brief)
    if not isinstance(author, ModelAuthor):
        return Preview(made.findings, model, rows, author.write_sop(model, brief))
    writer = build_order(store, SopStage(), workspace, author).author
    doses = compute_greatest_doses(brief.parts.complexity)
    section = writer.sample_sop(model, brief) if isinstance(writer, ModelAuthor) else None
    questions = author.estimate_questions(model, brief, made.files["domain.yaml"], doses)
    return Preview(made.findings, model, rows, section, questions)


def _draw_rows(model: DomainModel, brief: Brief) -> list[Mapping[str, str]]:
    """Return some drawn cases: what the task states, and the answers."""
    asked = brief.parts.dataset
    candidates = label_rows(model, asked.seed, range(ROWS))
    tasks = [as_task(model, candidate, asked.dev_share) for candidate in candidates]
    return [{**task.inputs, **task.outcomes} for task in tasks]
