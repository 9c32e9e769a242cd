"""Drawing anew: a private test set, which shares all with a release but the tasks.

Model, SOP, API and tools are those of the release, byte for byte. Tasks are drawn with a seed that
stands on the grader's side alone, proofs are found and all checks run anew. Nobody looks at the
tasks: a policy of its own approves them, and is shown as one.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TypeAlias

from sopforge.artifacts.complexity.material import read_material
from sopforge.artifacts.packaging.sop_bench import GRADER_TASKS, GRADER_TRAJECTORIES
from sopforge.authors.writers.replay import ReplayAuthor
from sopforge.checks.auditing.own import BRIEF, DRAFT
from sopforge.errors import Fault, PackageRefusedError, StoreError
from sopforge.findings import Severity, has_errors
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.tasks import Task, read_tasks
from sopforge.pipeline.changes.sides import find_released_versions
from sopforge.pipeline.releases.evidence import DRAW, Draw, build_stage_record, write_evidence
from sopforge.pipeline.releases.numbering import render_history
from sopforge.pipeline.releases.package_files import name_package
from sopforge.pipeline.releases.publishing import (
    Published,
    Source,
    collect_source,
    refuse_words,
    refuse_yanked,
    save_release,
)
from sopforge.pipeline.stages.building.version import examine_stage
from sopforge.pipeline.stages.complexity import ComplexityStage
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.pipeline.stages.making.level_files import make_level
from sopforge.pipeline.stages.pipeline import build_order, build_workspace
from sopforge.pipeline.stages.stage import Stage
from sopforge.pipeline.stages.tools import ToolsStage
from sopforge.seeds import LARGEST
from sopforge.store.digests import digest_files, digest_value
from sopforge.store.entries import DRAW_POLICY, DeciderKind, DecisionVerdict, build_subject
from sopforge.store.log.audit_log import AuditLog, select_decisions_on
from sopforge.store.log.yanks import compute_release_digest
from sopforge.store.versions import DomainStore, Manifest, Store, Version
from sopforge.workspace import MATERIAL, MATERIAL_FILE, TOOLS, Workspace

TRIES = 10
"""So many secret seeds are tried before it is said what is wrong with the tasks of the last."""
SHARED = ("sop.txt", "tools.py", "toolspecs.json", "openapi.yaml")
"""What an agent is given, and what must be the same for scores to be compared."""
_BEGUN = "drawing.json"
"""The secret seeds of draws that were begun to be approved, by the releases they are drawn from."""
Inputs: TypeAlias = tuple[tuple[str, str], ...]
"""The inputs of a task, by their names."""
_Faults: TypeAlias = tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class _Base:
    """The release from which tasks are drawn anew, with the versions that it was made from."""

    version: str
    brief: Brief
    versions: tuple[Version, ...]
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """All stages' files with the tasks drawn anew, and the manifests of the stages that differ.

    Where a check finds errors in one of these, they are its ``faults``, and what is downstream
    of it is not made.
    """

    workspace: Workspace
    manifests: tuple[Manifest, ...]
    faults: tuple[Fault, ...] = ()


def draw_anew(
    domain: DomainStore, base: str, *, seed: int | None = None, with_words: bool = False
) -> Published:
    """Write a private test set of a release; without a seed, one that nobody can guess.

    Tasks that a check finds unsound, and ones that repeat others, are drawn again with another
    secret seed. A draw that was killed once its tasks were approved is continued.

    Raises:
        StoreError: the release is gone, yanked, or made by another version; tasks repeat those of
            another release; a check finds an error.
    """
    found = _load_base(domain, base)
    known = set(_iterate_released_inputs(domain.store, found))
    seeds = _choose_secret_seeds(domain, base) if seed is None else [seed]
    faults: tuple[Fault, ...] = ()
    for candidate in seeds:
        drawn = _draw_stages(domain.store, found, candidate)
        faults = drawn.faults or find_repetition_faults(drawn.workspace, known)
        if not faults:
            return _publish_draw(
                domain.store, found, drawn, candidate, with_words=with_words, is_secret=seed is None
            )
    raise StoreError(*faults)


def _choose_secret_seeds(domain: DomainStore, base: str) -> list[int]:
    """Return the seeds to be tried, that of a draw of the release that was killed first."""
    # Under the lock, for nobody holds it whose draw is not yet at its end.
    with domain.lock():
        begun = _read_begun(domain)
    # Not from the streams of seeds.py: whoever knows the brief could draw the same tasks.
    drawn = [secrets.randbelow(LARGEST) for _ in range(TRIES)]
    return [begun[base], *drawn] if base in begun else drawn


def _read_begun(domain: DomainStore) -> dict[str, int]:
    kept = domain.objects.read(f"{domain}/{_BEGUN}")
    return dict(json.loads(kept)) if kept else {}


@contextmanager
def _note_seed(domain: DomainStore, base: str, seed: int) -> Iterator[None]:
    """Keep a secret seed until its tasks are released, or are found to be unfit for a release.

    Its approvals cannot be taken back: whoever repeats a killed command comes to the same tasks.
    """
    others = {name: item for name, item in _read_begun(domain).items() if name != base}
    _keep_begun(domain, {**others, base: seed})
    try:
        yield
    except PackageRefusedError:
        _keep_begun(domain, others)
        raise
    _keep_begun(domain, others)


def _keep_begun(domain: DomainStore, begun: Mapping[str, int]) -> None:
    place = f"{domain}/{_BEGUN}"
    if begun:
        domain.objects.replace(place, json.dumps(begun).encode())
    else:
        domain.objects.delete(place)


def find_repetition_faults(workspace: Workspace, known: Collection[Inputs]) -> _Faults:
    """Return the fault of tasks with the inputs of ones that are known; nothing where none is."""
    repeated = [task.id for task in workspace.tasks if select_inputs(task) in known]
    if not repeated:
        return ()
    message = f"the draw repeats tasks of another release: {', '.join(repeated[:5])}"
    hint = "use another seed, or give the inputs more possible values in the brief"
    return (Fault("draw-repeats", message, workspace.brief.parts.domain, hint),)


def _load_base(domain: DomainStore, base: str) -> _Base:
    compute_release_digest(domain, base)  # raises where there is none
    refuse_yanked(domain, base)
    files = domain.read_release_files(base)
    texts = {name.partition("/")[2]: data for name, data in files.items()}
    versions = find_released_versions(domain, base)
    gone = [stage for stage, version in versions.items() if version is None]
    if gone or BRIEF not in texts:
        message = (
            f"the store no longer has the sources of {base} ({', '.join(gone) or 'its brief'})"
        )
        raise StoreError(
            Fault("release-source-gone", message, domain.name, "publish the domain again")
        )
    brief = read_brief(texts[BRIEF].decode(), BRIEF, texts.get(DRAFT, b"").decode())
    return _Base(base, brief, tuple(item for item in versions.values() if item), files)


def _draw_stages(store: Store, base: _Base, seed: int) -> _Drawn:
    """Return all stages' files with the tasks drawn anew, as far as the checks allow."""
    brief = replace(base.brief, draw_seed=seed)
    workspace = build_workspace(brief, base.versions)
    manifests: list[Manifest] = []
    for stage in (DatasetStage(), ToolsStage(), ComplexityStage()):
        files = build_stage_anew(stage, workspace)
        workspace = workspace.with_stage(stage.name, files)
        manifest = _build_manifest(
            store.get_domain(base.brief.parts.domain), base, stage, workspace, files
        )
        if has_errors(manifest.findings):
            return _Drawn(workspace, tuple(manifests), _collect_error_faults(manifest))
        manifests.append(manifest)
    return _Drawn(workspace, tuple(manifests))


def _collect_error_faults(manifest: Manifest) -> _Faults:
    errors = [item for item in manifest.findings if item.severity is Severity.ERROR]
    return tuple(Fault(item.id, item.message, item.where, item.hint) for item in errors)


def build_stage_anew(stage: Stage, workspace: Workspace) -> dict[str, str]:
    """Return the files of a stage with the tasks drawn anew; what was approved stays."""
    if isinstance(stage, ComplexityStage):
        material = read_material(workspace.files.get(MATERIAL, ""), MATERIAL_FILE)
        levels = {
            f"{level}/{name}": text
            for level in workspace.brief.parts.complexity.levels
            for name, text in make_level(workspace, level, material).items()
        }
        own = {MATERIAL_FILE: workspace.files[MATERIAL]} if MATERIAL in workspace.files else {}
        return {**own, **levels}
    made = dict(stage.build(workspace, ReplayAuthor()))
    if isinstance(stage, ToolsStage):
        made["tools.py"] = workspace.files[TOOLS]
    return made


def _build_manifest(
    domain: DomainStore, base: _Base, stage: Stage, workspace: Workspace, files: Mapping[str, str]
) -> Manifest:
    """Return what the version of a stage would be, as the checks see it."""
    findings = examine_stage(stage, workspace)
    approved = next(item.manifest for item in base.versions if item.manifest.stage == stage.name)
    said = ("feedback", "edits")  # what people said since is not of that release
    made = build_order(domain, stage, workspace, ReplayAuthor()).inputs
    inputs = {
        **{name: value for name, value in made.items() if name not in said},
        **{name: approved.inputs[name] for name in said if name in approved.inputs},
        # The seed is secret; one that was drawn cannot be found from its digest.
        "draw": digest_value(workspace.brief.draw_seed),
    }
    return Manifest(
        domain=base.brief.parts.domain,
        stage=stage.name,
        key=digest_value(inputs),
        content=digest_files(files),
        author=approved.author,
        inputs=inputs,
        findings=tuple(findings),
    )


def _publish_draw(
    store: Store, base: _Base, drawn: _Drawn, seed: int, *, with_words: bool, is_secret: bool
) -> Published:
    domain, workspace = store.get_domain(base.brief.parts.domain), drawn.workspace
    with domain.lock():
        domain.require_intact_seal()
        source = collect_source(store, workspace.brief, base.versions)
        if not with_words:
            refuse_words(source)
        # Before the policy approves anything: an entry of the log cannot be taken back.
        _refuse_others(base, workspace)
        noted = _note_seed(domain, base.version, seed) if is_secret else nullcontext()
        with noted:
            return _save_draw(store, base, drawn, source, seed)


def _save_draw(store: Store, base: _Base, drawn: _Drawn, source: Source, seed: int) -> Published:
    domain = store.get_domain(base.brief.parts.domain)
    log = AuditLog(domain)
    for manifest in drawn.manifests:
        _approve_by_policy(log, manifest)
    kept = Draw(
        seed,
        base.version,
        compute_release_digest(domain, base.version),
        source.records,
    )
    version = _compute_next_version(domain, base.version)
    entry = (
        f"## {version}\n\nA private test set: the tasks of {base.version} drawn anew. SOP,"
        " tools and rules are the same.\n"
    )
    return save_release(
        store,
        _build_private_source(source, drawn, kept, log),
        version,
        entry,
        _render_changes(store, base, entry),
    )


def _approve_by_policy(log: AuditLog, manifest: Manifest) -> None:
    """Record that the policy approves what was drawn; once, also where a draw is repeated."""
    decided = select_decisions_on(manifest, log.list_entries())
    if all(entry.by != DRAW_POLICY for entry in decided):
        subject = build_subject(manifest)
        log.append_entry(subject, DecisionVerdict.APPROVE, by=DRAW_POLICY, kind=DeciderKind.POLICY)


def _build_private_source(source: Source, drawn: _Drawn, kept: Draw, log: AuditLog) -> Source:
    """Return what the private test set is made of: of the release, with what was drawn anew."""
    made = {
        item.stage: build_stage_record(item, drawn.workspace.select_stage_files(item.stage))
        for item in drawn.manifests
    }
    return replace(
        source,
        workspace=drawn.workspace,
        records={stage: made.get(stage, record) for stage, record in source.records.items()},
        log=log.read_entry_texts(),
        carried={**source.carried, DRAW: write_evidence(kept)},
        provenance={**source.provenance, "drawn_from": kept.release},
    )


def _refuse_others(base: _Base, workspace: Workspace) -> None:
    """Raise where an agent would be given other files than in the release.

    Raises:
        StoreError: this version of SOPForge writes other ones than the one that published it.
    """
    for level in base.brief.parts.complexity.levels:
        package = name_package(base.brief.parts.domain, level, base.version)
        made = workspace.select_stage_files(f"complexity/{level}")
        for name in SHARED:
            (text,) = [made[place] for place in made if place.rpartition("/")[2] == name]
            if base.files.get(f"{package}/{name}") != text.encode():
                message = f"{package}/{name} would differ from the file in {base.version}"
                hint = (
                    "publish the domain with this version of SOPForge, then draw from that release"
                )
                raise StoreError(Fault("draw-differs", message, "", hint))


def _iterate_released_inputs(store: Store, base: _Base) -> Iterator[Inputs]:
    """Return the inputs of all tasks of all releases, as far as the model has them."""
    domain = store.get_domain(base.brief.parts.domain)
    names = {item.name for item in build_workspace(base.brief, base.versions).model.inputs}
    for version in (
        *domain.list_releases(),
        *domain.list_private_releases(),
    ):
        files = domain.read_release_files(version)
        for name in files:
            if name.endswith(f"/{GRADER_TASKS}"):
                calls = name.removesuffix(GRADER_TASKS) + GRADER_TRAJECTORIES
                for task in read_tasks(files[name].decode(), files[calls].decode()):
                    yield select_inputs(task, names)


def select_inputs(task: Task, names: Iterable[str] | None = None) -> Inputs:
    """Return the inputs of a task, those alone that are named."""
    chosen = task.inputs.keys() if names is None else task.inputs.keys() & set(names)
    return tuple(sorted((name, task.inputs[name]) for name in chosen))


def _compute_next_version(domain: DomainStore, base: str) -> str:
    """Return the version of the next private test set of a release.

    Its form is that of a pre-release in semantic versioning, which no version range takes in
    unless it is asked for, and which is safe in names of folders and objects.
    """
    start = f"{base}-private."
    # They come in the order of their numbers, so that the last one has the highest.
    drawn = [item for item in domain.list_private_releases() if item.startswith(start)]
    last = int(drawn[-1].removeprefix(start)) if drawn else 0
    return f"{start}{last + 1}"


def _render_changes(store: Store, base: _Base, entry: str) -> str:
    domain = store.get_domain(base.brief.parts.domain)
    releases = domain.list_releases()
    return render_history(domain, entry, releases[: releases.index(base.version) + 1])
