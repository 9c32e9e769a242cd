"""What is made once in a session of tests: stages by what they are made from, and whole stores.

It lies in a folder that all processes of the session share. What a stage makes follows from its
inputs, which is why a run finds its versions by them; ``tests/contract/test_stages.py`` proves so,
and tests of how something is built build it themselves (``own_builds``). So it is with what checks
find in packages.
"""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from filelock import FileLock

from sopforge.authors.writers.author import Author
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.findings import Finding, has_errors
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.building.level_findings import check_packages
from sopforge.pipeline.stages.building.repair import Draft, Examine, build_and_repair
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.digests import digest_files, digest_value
from sopforge.workspace import Workspace

Made = TypeVar("Made")
Packages: TypeAlias = Mapping[str, Workspace]


@dataclass(frozen=True)
class Shared:
    """What was made once, under a name for each, below a folder that processes share."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, name: str, make: Callable[[], Made]) -> Made:
        """Return what was made under a name; make it where nobody did, while the others wait."""
        path = self.folder / f"{name}.pickle"
        # Most are there already: a lock costs more than a look.
        if not path.exists():
            with FileLock(f"{path}.lock"):
                if not path.exists():
                    writing = path.with_suffix(".new")
                    writing.write_bytes(pickle.dumps(make()))
                    writing.rename(path)
        kept: Any = pickle.loads(path.read_bytes())  # noqa: S301 - it is our own
        made: Made = kept
        return made

    def get_folder(self, name: str, make: Callable[[Path], Made]) -> tuple[Path, Made]:
        """Return a folder that is filled once, and what its maker returned; nobody changes it."""
        folder = self.folder / name

        def fill() -> Made:
            # Left by a maker that failed.
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            return make(folder)

        return folder, self.get(f"{name}-made", fill)

    def share_builds(
        self, is_off: Callable[[], bool]
    ) -> Callable[[Stage, Workspace, Author, Examine], Draft]:
        """Return how to build a stage of the offline author where it was not built before."""
        build = build_and_repair

        def build_once(
            stage: Stage, workspace: Workspace, author: Author, examine: Examine
        ) -> Draft:
            if is_off() or stage not in STAGES or type(author) is not OfflineAuthor:
                return build(stage, workspace, author, examine)
            name = f"{stage.name}-{_digest_inputs(stage, workspace)}"
            return self.get(name, lambda: build(stage, workspace, author, examine))

        return build_once

    def share_examinations(
        self, is_off: Callable[[], bool]
    ) -> Callable[[Packages, Packages, Sequence[str]], list[Finding]]:
        """Return how to examine packages of which equal ones were not examined before."""
        examine = check_packages

        def examine_once(
            levels: Packages, packages: Packages, stages: Sequence[str]
        ) -> list[Finding]:
            if is_off():
                return examine(levels, packages, stages)
            read = [
                (name, item.brief.text, digest_files(item.files)) for name, item in packages.items()
            ]
            name = f"packages-{digest_value([read, stages])}"
            return self.get(name, lambda: examine(levels, packages, stages))

        return examine_once


def build_stages(brief: Brief, last: str = STAGES[-1].name) -> Workspace:
    """Return the files of a brief's stages up to one, from builds that all tests share."""
    whole, author = Workspace(brief, {}), OfflineAuthor()
    # By its name in the module, which is where the session has put what shares builds.
    build = vars(building)["build_and_repair"]
    for stage in STAGES:
        needed = {
            name: text
            for name, text in whole.files.items()
            if name.partition("/")[0] in stage.needs
        }
        made = build(stage, Workspace(brief, needed), author, building.examine_stage)
        assert not has_errors(made.findings), made.findings
        whole = whole.with_stage(stage.name, made.files)
        if stage.name == last:
            break
    return whole


def _digest_inputs(stage: Stage, workspace: Workspace) -> str:
    brief = workspace.brief
    part = digest_value(stage.select_brief_part(brief))
    # Equal facts that are laid out otherwise give the same order, and other bytes of the schema.
    return digest_value([brief.facts_text, part, digest_files(workspace.files)])
