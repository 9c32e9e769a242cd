"""Building: a condition of an experiment as a whole package, examined as levels are at publishing.

Its brief asks for its level and doses, so that the package says of itself how it was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, get_args

from sopforge.artifacts.complexity.levels import OPERATORS, compute_doses
from sopforge.artifacts.complexity.material import NOTHING, Material
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.auditing.own import BRIEF
from sopforge.checks.package.package_provenance import EXPERIMENT
from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.experiments.designs import Condition, Design
from sopforge.evaluation.experiments.sources import Source
from sopforge.findings import Finding, Severity
from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.documents.schema import DialLevel, HarderLevel, Level
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.variants import build_variant_brief
from sopforge.pipeline.releases.package_files import build_level_files, format_program_version
from sopforge.pipeline.stages.building.level_findings import check_packages
from sopforge.pipeline.stages.building.version import examine_stage
from sopforge.pipeline.stages.complexity import ComplexityStage, collect_variants
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.pipeline.stages.making.level_files import make_level
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.pipeline.stages.stage import Stage
from sopforge.progress.tracking import enter_step
from sopforge.store.digests import digest_files
from sopforge.workspace import MATERIAL, Workspace

Files: TypeAlias = Mapping[str, str | bytes]
SAID = ("edited", "reviews", "drawn_from")
"""What conditions with the model of a package say of it as well."""
COMPLEXITY, DATASET = ComplexityStage.name, DatasetStage.name


@dataclass(frozen=True, slots=True)
class Base:
    """What conditions of one model are made from: the files of all stages but the levels.

    ``approvals`` are by stage, of what is the source's own: nobody approved another model.
    ``carried`` is evidence for the grader's side, ``said`` what else is known of the origin.
    """

    plain: Workspace
    material: Material
    approvals: Mapping[str, object]
    stages: Mapping[str, str]
    carried: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, object] = field(default_factory=dict)


def make_source_base(source: Source) -> Base:
    """Return the base of conditions that have the model of the source."""
    return Base(
        source.plain,
        source.given.material,
        source.provenance["approvals"],
        source.provenance["stages"],
        source.carried,
        {name: source.provenance[name] for name in SAID if name in source.provenance},
    )


def build_branched_base(source: Source, operator: str, count: int) -> Base:
    """Return the base of conditions with further branches: built from the brief, all stages anew.

    Raises:
        MaterialError: somebody else than the rules of this program wrote the source, the model has
            no room for so many branches, or a check finds an error.
    """
    _refuse_written(source)
    workspace = Workspace(_build_branched_brief(source.given.brief, operator, count), {})
    stages = [stage for stage in STAGES if stage.name != COMPLEXITY]
    for stage in stages:
        with enter_step(stage.name):
            workspace = _with_room(_build_stage(workspace, stage), stage)
            refuse_errors(examine_stage(stage, workspace), f"{operator} {count}")
    digests = {item.name: digest_files(workspace.select_stage_files(item.name)) for item in stages}
    return Base(workspace, NOTHING, {}, digests)


def _build_stage(workspace: Workspace, stage: Stage) -> Workspace:
    return workspace.with_stage(stage.name, dict(stage.build(workspace, OfflineAuthor())))


def _with_room(workspace: Workspace, stage: Stage) -> Workspace:
    """Return the workspace whose brief asks for as many tasks as further goals have made of it."""
    brief = workspace.brief
    if stage.name != DATASET or len(workspace.tasks) == brief.parts.dataset.n_samples:
        return workspace
    whole: Any = brief.document.value
    asked = {**whole.get(DATASET, {}), "n_samples": len(workspace.tasks)}
    larger = read_brief(_replace_part(brief, DATASET, asked), BRIEF, brief.draft)
    return _build_stage(replace(workspace, brief=larger), stage)


def describe_origin(source: Source, design: Design, condition: Condition) -> dict[str, object]:
    """Return what a condition's provenance says of its origin; equal ones make equal packages."""
    made: dict[str, object] = {"source": source.digest, "condition": condition.name}
    made["doses"] = list_doses(source.given.brief, condition)
    if condition.branches:
        made[design.branching] = condition.branches
    return made


def list_doses(brief: Brief, condition: Condition) -> dict[str, int]:
    """Return the dose of each operator that a condition asks to put anything in."""
    asked = condition.doses
    if asked is None:
        asked = compute_doses(condition.level, brief.parts.complexity)
    return {name: dose for name, dose in asked.items() if dose}


def build_package(
    base: Base, condition: Condition, origin: Mapping[str, Any], source: Source
) -> dict[str, str | bytes]:
    """Return the files of a condition's package.

    Raises:
        MaterialError: with each error that a check finds in it.
    """
    brief = _with_doses(base.plain.brief, condition.level, origin["doses"])
    own = {} if base.material == NOTHING else {MATERIAL: base.material.as_json()}
    plain = Workspace(brief, {**base.plain.files, **own})
    made = make_level(plain, condition.level, base.material)
    files = {f"{COMPLEXITY}/{condition.level}/{name}": text for name, text in made.items()}
    whole = plain.with_files(files)
    refuse_errors(examine_stage(ComplexityStage(), whole), condition.name)
    level: str = condition.level
    variant = collect_variants(whole)[level]
    said = _build_provenance(base, condition, origin, source)
    said["stages"] = {**base.stages, COMPLEXITY: digest_files(whole.select_stage_files(COMPLEXITY))}
    package = build_level_files(variant, level, str(said["release"]), said, base.carried)
    texts = {f"package/{name}": text for name, text in package.items() if isinstance(text, str)}
    packaged = {level: whole.with_files(texts)}
    refuse_errors(check_packages({level: variant}, packaged, ComplexityStage.needs), condition.name)
    return package


def _build_provenance(
    base: Base, condition: Condition, origin: Mapping[str, Any], source: Source
) -> dict[str, object]:
    approvals = {stage.name: base.approvals.get(stage.name, []) for stage in STAGES}
    return {
        "release": _name_version(source.provenance["release"], condition),
        "stages": {},
        # What somebody approved of the source holds for its stages, and for no condition.
        "approvals": {**approvals, COMPLEXITY: []},
        **base.said,
        EXPERIMENT: dict(origin),
    }


def _name_version(release: str, condition: Condition) -> str:
    """Return a version in the form of a pre-release, which no range of versions includes.

    A level as the brief asks for it has the version of its release.

    >>> _name_version("1.0.0", Condition("general_tools-5", "L2"))
    '1.0.0-general.tools.5'
    """
    if condition.doses is None:
        return release
    suffix = re.sub("[^0-9A-Za-z]+", ".", condition.name)
    return f"{release}{'.' if '-' in release else '-'}{suffix}"


def _with_doses(brief: Brief, level: Level, doses: Mapping[str, int]) -> Brief:
    """Return the brief, which asks for one level with these doses and for no other.

    Levels with dials are as the brief asks for them.
    """
    whole: Any = brief.document.value
    kept = whole.get("complexity", {}) if level in get_args(DialLevel) else {}
    asked: dict[str, object] = {**kept, "levels": [level]}
    if level in get_args(HarderLevel):
        # Each operator is named: one that is not would have its usual dose.
        asked["doses"] = {level: {item.name: doses.get(item.name, 0) for item in OPERATORS}}
    text = _replace_part(brief, "complexity", asked)
    return replace(read_brief(text, BRIEF, brief.draft), draw_seed=brief.draw_seed)


def _replace_part(brief: Brief, name: str, part: Mapping[str, object]) -> str:
    """Return the text of a brief with another part; what else it says keeps its lines."""
    whole: Any = brief.document.value
    return change_document(brief.text, {**whole, name: dict(part)})


def _build_branched_brief(brief: Brief, operator: str, count: int) -> Brief:
    """Return the brief with branches added to its model; its domain has a name of its own."""
    name = f"b{count}"
    variants = {"variants": {name: {operator: count}}}
    text = _replace_part(brief, "complexity", variants)
    return build_variant_brief(read_brief(text, BRIEF, brief.draft), name)


def _refuse_written(source: Source) -> None:
    """Raise where a variant would be written by others than the source was.

    Its SOP would then differ by who wrote it as well, and not by its branches alone.
    """
    writer, made_with = source.given.brief.parts.writer.name, source.provenance.get("made_with")
    others = {
        f"a language model ({writer})": writer != "offline",
        "people, by hand": bool(source.given.edits),
        f"another program ({made_with})": made_with != format_program_version(),
    }
    by = next((name for name, wrote in others.items() if wrote), "")
    if by:
        message = (
            f"parts of the package were written by {by}, which this command cannot repeat"
            " with branches"
        )
        hint = "publish its brief with 'author: offline' and this program, and use that package"
        raise MaterialError(Fault("source-not-derived", message, BRIEF, hint))


def refuse_errors(findings: Iterable[Finding], name: str) -> None:
    """Raise where checks found errors in what is known by a name.

    Raises:
        MaterialError: with each of them.
    """
    errors = [item for item in findings if item.severity is Severity.ERROR]
    if errors:
        faults = (
            Fault(item.id, item.message, f"{name}: {item.where}", item.hint) for item in errors
        )
        raise MaterialError(*faults)


def is_of_origin(provenance: Mapping[str, Any], origin: Mapping[str, Any]) -> bool:
    """Return whether a package was made by this version of the program from what is given."""
    made_with = provenance.get("made_with")
    return provenance.get(EXPERIMENT) == origin and made_with == format_program_version()
