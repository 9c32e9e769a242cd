"""What a run would do with a brief, shown before anything runs: nothing is written or asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sopforge.artifacts.complexity.levels import count_missing_names
from sopforge.authors.writers.author import Author
from sopforge.authors.writers.estimating import Question
from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.reading import Brief, read_domain
from sopforge.pipeline.gates.gate import find_blocking_stage
from sopforge.pipeline.stages.building.staleness import explain_staleness, find_replaced_version
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.pipeline.stages.stage import Stage
from sopforge.pipeline.stages.walk import StageWalk
from sopforge.proof.dataset.coverage.needs import Needs, compute_needs
from sopforge.proof.dataset.coverage.noticing import Noticed
from sopforge.store.log.audit_log import GateState
from sopforge.store.versions import Store, Version
from sopforge.store.waiting import Waiting
from sopforge.workspace import DOMAIN


class Fate(StrEnum):
    """What a run would do with a stage."""

    KEPT = "up to date"
    STALE = "stale"
    NEW = "not made yet"
    UNSURE = "may change"


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage's fate, and why it is not another.

    ``version`` is the one that is up to date, or the one that counts where none is; ``gate`` is
    where the former stands.
    """

    name: str
    fate: Fate
    version: Version | None = None
    gate: GateState | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The fates of all stages, in their order."""

    brief: Brief
    stages: tuple[PlannedStage, ...]

    @property
    def waiting(self) -> PlannedStage | None:
        """The first stage that is up to date and waits for a decision."""
        kept = [stage for stage in self.stages if stage.fate is Fate.KEPT]
        return next((stage for stage in kept if stage.gate is not GateState.APPROVED), None)

    def list_stages(self, *fates: Fate) -> list[str]:
        """Return the names of the stages of some fates."""
        return [stage.name for stage in self.stages if stage.fate in fates]


def plan_run(store: Store, brief: Brief, author: Author) -> Plan:
    """Return what a run would do, given what the store holds.

    What a stage after a stale one is made from is known only once that one is made: where nothing
    else of its inputs changed it may change, or come out as it is.
    """
    walk, planned = StageWalk(store, brief, author), dict[str, PlannedStage]()
    waiting = walk.domain.find_waiting()
    for stage in STAGES:
        unsure = [name for name in stage.needs if planned[name].fate is not Fate.KEPT]
        made = _plan_stage(walk, stage, unsure, waiting)
        planned[stage.name] = made
        if made.version:
            walk.take(made.version)
    return Plan(brief, tuple(planned.values()))


def _plan_stage(
    walk: StageWalk, stage: Stage, unsure: Sequence[str], waiting: Waiting | None
) -> PlannedStage:
    """Return the fate of a stage; ``unsure`` are the stages before it that are yet to be made."""
    order = walk.build_order(stage)
    # Not looked for by files that are about to change: they would name another version.
    found = None if unsure else walk.domain.find(stage.name, order.key)
    if found is not None:
        state = walk.compute_gate_state(stage, found)
        gate = GateState.PROVISIONAL if find_blocking_stage(waiting, found) else state
        return PlannedStage(stage.name, Fate.KEPT, found, gate)
    old = find_replaced_version(walk.domain, stage.name)
    if old is None:
        return PlannedStage(stage.name, Fate.NEW)
    reasons = explain_staleness(walk.domain, order, old, unsure)
    pending = (f"files of {', '.join(unsure)}, once they are made",) if unsure else ()
    fate = Fate.STALE if reasons else Fate.UNSURE
    return PlannedStage(stage.name, fate, old, reasons=(*reasons, *pending))


def list_questions_ahead(made: Plan, author: Author) -> Sequence[Question] | None:
    """Return what a language model would still be asked for the stages that are not up to date.

    None where that is not known, for the model of the procedure is yet to be written from prose.
    """
    if not isinstance(author, ModelAuthor):
        return []
    text = _find_domain_text(made)
    if text is None:
        return None
    brief, ahead = made.brief, set(made.list_stages(Fate.STALE, Fate.NEW, Fate.UNSURE))
    names = count_missing_names(brief.parts)
    asked = author.estimate_questions(read_domain(text, "domain.yaml"), brief, text, names)
    return [question for question in asked if question.stage in ahead]


def compute_needs_ahead(made: Plan) -> Mapping[Noticed, Needs]:
    """Return how many tasks the goals need, where the dataset is yet to be made.

    It is empty for a model that is yet to be written from prose.
    """
    if "dataset" not in made.list_stages(Fate.STALE, Fate.NEW) or made.brief.built is None:
        return {}
    return compute_needs(made.brief.model, made.brief.drawing.seed)


def _find_domain_text(made: Plan) -> str | None:
    """Return the model of the procedure as it stands, or as it stood last."""
    if made.brief.built is not None:
        return OfflineAuthor().write_domain(made.brief)
    schema = made.stages[0].version
    files: Mapping[str, str] = schema.files if schema else {}
    return files.get(DOMAIN.partition("/")[2])
