"""Building a twin: the tasks of a package, answered by a model with one change.

Text, tools and gold follow from the changed model as they did from the right one, and all that
the change does not reach stays as it is, byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.release import TWIN
from sopforge.authors.sources.account import read_remarks
from sopforge.checks.registry import select_checks
from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.experiments.building import Base, Files, build_package
from sopforge.evaluation.experiments.designs import Condition
from sopforge.evaluation.experiments.preparing import put_package
from sopforge.evaluation.experiments.sources import Source, read_source
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.twins.changes import ChangeKind, Oddity, RuleChange
from sopforge.evaluation.twins.choosing import Chosen, iterate_chosen
from sopforge.evaluation.twins.lines import compare_lines
from sopforge.evaluation.twins.prose import adapt_draft
from sopforge.findings import Severity
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.pipeline.releases.rebuilding.derivation import Dataset, derive_plain
from sopforge.pipeline.releases.rebuilding.release_inputs import ReleaseInputs
from sopforge.pipeline.stages.complexity import ComplexityStage
from sopforge.pipeline.stages.making.level_files import make_level
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.progress.tracking import enter_step
from sopforge.store.digests import digest_files
from sopforge.workspace import (
    COVERAGE,
    DOMAIN,
    OPENAPI,
    SOP_TEXT,
    TASKS,
    TOOLS,
    TOOLSPECS,
    TRAJECTORIES,
    Workspace,
)

_SEEN = (SOP_TEXT, TOOLS, TOOLSPECS, OPENAPI, TASKS)


@dataclass(frozen=True, slots=True)
class Twin:
    """A package with one change; ``before`` are the lines of the SOP that say others ``after``."""

    name: str
    change: RuleChange
    flips: frozenset[str]
    before: tuple[str, ...]
    after: tuple[str, ...]
    files: Files


@dataclass(frozen=True)
class Original:
    """The package that twins are made of."""

    package: ProvedPackage
    source: Source

    @cached_property
    def plain(self) -> Workspace:
        """What the stages made of it.

        Raises:
            MaterialError: others than the rules of this program wrote a part of it, so that nobody
                could say which words of it follow from which rule.
        """
        derived = self.derive(self.source.plain.files[DOMAIN], self.source.given.draft)
        other = [name for name in _SEEN if derived.files[name] != self.source.plain.files[name]]
        if other:
            message = f"{', '.join(other)} of the package differ from what its model produces"
            hint = "publish its brief with 'author: offline' and this program, and use that package"
            raise MaterialError(Fault("source-not-derived", message, DOMAIN, hint))
        return derived

    def derive(self, document: str, draft: str) -> Workspace:
        """Return what follows from a model for the tasks of the package, but for the levels."""
        given = self.source.given
        whole: Any = given.brief.document.value
        model: Any = read_document(document, DOMAIN).value
        brief = {name: part for name, part in whole.items() if name != "author"}
        text = write_document({**brief, "model": model["model"]})
        files = self.source.plain.files
        dataset = Dataset(
            files[TASKS],
            files[TRAJECTORIES],
            _open_coverage(files[COVERAGE]),
            tuple(sorted(self.source.plain.records.items())),
        )
        inputs = ReleaseInputs(text, draft, given.material, given.rows, given.edits, given.draw)
        return derive_plain(inputs, dataset)

    @cached_property
    def level(self) -> Workspace:
        """Its files as checks of stages read them."""
        return self.make_level(self.plain)

    def make_level(self, plain: Workspace) -> Workspace:
        """Return the files of the level that a twin is of, as checks of stages read them."""
        return Workspace(plain.brief, make_level(plain, "L0", self.source.given.material))


def read_original(package: ProvedPackage, folder: Path) -> Original:
    """Return a package as one that twins are made of.

    Raises:
        SopForgeError: it is of another level than L0, or not whole.
    """
    return Original(package, read_source(folder))


def iterate_twins(original: Original, oddity: Oddity, seed: int) -> Iterator[Twin]:
    """Yield twins, each with a change in another place of the model.

    Raises:
        MaterialError: others than the rules of this program wrote a part of the package.
    """
    document = original.plain.files[DOMAIN]
    for chosen in iterate_chosen(document, original.package.plain.rows, oddity, seed):
        with enter_step(chosen.change.id):
            twin = _build_twin(original, chosen)
        if twin is not None:
            yield twin


def put_twin(out: Path, twin: Twin) -> Path:
    """Write the package of a twin below a folder, and return its place; it may be there already.

    Raises:
        MaterialError: another package is in its place, or the place cannot be used.
    """
    place = out / twin.name
    put_package(place, twin.files)
    return place


def _build_twin(original: Original, chosen: Chosen) -> Twin | None:
    """Return a twin, None where a check finds that the change makes no sound domain."""
    plain, name = original.plain, _name_twin(chosen.change)
    try:
        draft = _adapt_draft(original, chosen.change)
        twin = original.derive(chosen.document, draft)
        before, after = compare_lines(plain.files[SOP_TEXT], twin.files[SOP_TEXT])
        is_sound = not _has_errors(original.make_level(twin), original.level)
        if not after or not is_sound or _find_flips(plain, twin) != chosen.flips:
            return None
        files = build_package(
            Base(twin, original.source.given.material, {}, _digest_stages(twin)),
            Condition(name, "L0"),
            _describe_origin(original, chosen, name),
            original.source,
        )
    except MaterialError:
        return None
    return Twin(name, chosen.change, chosen.flips, before, after, files)


def _name_twin(change: RuleChange) -> str:
    return re.sub("[^0-9A-Za-z]+", "-", f"twin {change.kind} {change.place}")


def _describe_origin(original: Original, chosen: Chosen, name: str) -> dict[str, Any]:
    said = {
        "of": original.package.digest,
        "change": chosen.change.words,
        "place": chosen.change.place,
        "kind": str(chosen.change.kind),
        "oddity": int(chosen.change.oddity),
    }
    return {"source": original.source.digest, "condition": name, "doses": {}, TWIN: said}


def _adapt_draft(original: Original, change: RuleChange) -> str:
    cited = [
        source.says
        for source in read_remarks(original.plain.files[DOMAIN], DOMAIN).sources
        if any(_is_about(item, change) for item in source.items)
    ]
    return adapt_draft(original.source.given.draft, change, cited)


def _is_about(item: str, change: RuleChange) -> bool:
    """Return whether an item of an account is what a change is about."""
    decision = change.place.partition(".")[0]
    match change.kind:
        case ChangeKind.LIMIT:
            return item == f"policy.{change.place}"
        case ChangeKind.EDGE:
            return item.startswith("steps.")
        # Each sentence about a table may say what comes first, or what its cells are.
        case ChangeKind.ORDER | ChangeKind.ENTRY:
            return item == f"decisions.{decision}" or item.startswith(f"decisions.{decision}.")
        case ChangeKind.RESULT | ChangeKind.CONDITION:
            return f"{item}.".startswith(f"decisions.{change.place}.")


def _has_errors(twin: Workspace, plain: Workspace) -> bool:
    """Return whether a check finds an error in what the stages made.

    Left out are checks of logic that it shares with ``plain``, and what the brief's prose says of
    the model: that is what held before.
    """
    return any(
        finding.severity is Severity.ERROR
        for stage in STAGES
        if stage.name != ComplexityStage.name
        for check in select_checks(stage.name, twin, plain)
        for finding in check.examine(twin)
    )


def _find_flips(plain: Workspace, twin: Workspace) -> frozenset[str]:
    before = {task.id: dict(task.outcomes) for task in plain.tasks}
    return frozenset(task.id for task in twin.tasks if dict(task.outcomes) != before[task.id])


def _digest_stages(workspace: Workspace) -> Mapping[str, str]:
    names = [stage.name for stage in STAGES if stage.name != ComplexityStage.name]
    return {name: digest_files(workspace.select_stage_files(name)) for name in names}


def _open_coverage(text: str) -> str:
    """Return a coverage of which nothing is proved: the proofs are of another model."""
    return json.dumps({**json.loads(text), "goals": {}, "mutants": {}})
