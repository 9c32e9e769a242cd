"""A look before a model is paid for all stages: the domain, some cases, a section, the price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.artifacts.complexity.levels import count_missing_names
from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.authors.writers.author import Author
from sopforge.authors.writers.estimating import Question
from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.checks.registry import examine
from sopforge.findings import Finding, has_errors
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.runs.shown_cases import ShownCase, draw_shown_cases
from sopforge.pipeline.stages.building.repair import build_and_repair
from sopforge.pipeline.stages.pipeline import build_order
from sopforge.pipeline.stages.schema import SchemaStage
from sopforge.pipeline.stages.sop import SopStage, build_sop_files
from sopforge.store.versions import Store
from sopforge.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Preview:
    """What a domain will be like; without a model where the domain as written has errors.

    ``findings`` are what the checks find in all that is shown.
    """

    findings: Sequence[Finding]
    model: DomainModel | None = None
    cases: Sequence[ShownCase] = ()
    section: SopDocument | None = None
    questions: Sequence[Question] = ()


def preview(store: Store, brief: Brief, author: Author) -> Preview:
    """Have the domain and one section written, and count what the rest would be asked with.

    What a model answers is on record: the run that follows does not pay for it again.
    """
    domain = store.get_domain(brief.parts.domain)
    # Asked as a run would ask: only equal questions are found on record afterwards.
    made = build_and_repair(
        SchemaStage(),
        Workspace(brief, {}),
        build_order(domain, SchemaStage(), Workspace(brief, {}), author).author,
        lambda stage, workspace: examine(stage.name, workspace),
    )
    if has_errors(made.findings):
        return Preview(made.findings)
    workspace = Workspace(brief, {"schema/domain.yaml": made.files["domain.yaml"]})
    model = workspace.model
    cases = draw_shown_cases(model, brief.parts.dataset)
    writer = build_order(domain, SopStage(), workspace, author).author
    if isinstance(author, ModelAuthor) and isinstance(writer, ModelAuthor):
        section, whole = writer.sample_sop(model, brief)
    else:
        section = whole = writer.write_sop(model, brief)
    found = [*made.findings, *_examine_sop(workspace, whole)]
    if not isinstance(author, ModelAuthor):
        return Preview(found, model, cases, section)
    names = count_missing_names(brief.parts)
    questions = author.estimate_questions(model, brief, made.files["domain.yaml"], names)
    return Preview(found, model, cases, section, questions)


def _examine_sop(workspace: Workspace, document: SopDocument) -> list[Finding]:
    return examine("sop", workspace.with_stage("sop", build_sop_files(document)))
