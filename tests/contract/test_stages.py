from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.pipeline.stages.pipeline import STAGES, build_order
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.digests import digest_files
from sopforge.store.opening import open_store
from sopforge.workspace import Workspace

EACH_STAGE = pytest.mark.parametrize("stage", STAGES, ids=lambda stage: str(stage.name))

BUILD_ALL_AGAIN = """
import json, sys
from pathlib import Path
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.store.digests import digest_files
from sopforge.workspace import Workspace

text, draft = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:3])
workspace = Workspace(read_brief(text, "patient_intake.yaml", draft), {})
digests = {}
for stage in STAGES:
    needed = {n: text for n, text in workspace.files.items() if n.partition("/")[0] in stage.needs}
    files = dict(stage.build(Workspace(workspace.brief, needed), OfflineAuthor()))
    workspace = workspace.with_files({f"{stage.name}/{name}": files[name] for name in files})
    digests[stage.name] = digest_files(files)
print(json.dumps(digests))
"""


class Watched(Mapping[str, str]):
    """Files that remember which of them were read."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        return self.files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


def stored(stage: Stage, sound: Workspace) -> dict[str, str]:
    """Return the files of a stage as the pipeline stored them."""
    prefix = f"{stage.name}/"
    return {
        name.removeprefix(prefix): text
        for name, text in sound.files.items()
        if name.startswith(prefix)
    }


@EACH_STAGE
def test_a_second_run_gives_the_same_bytes_and_reads_files_of_its_declared_needs_only(
    stage: Stage, sound: Workspace
) -> None:
    files = Watched(sound.files)

    again = stage.build(Workspace(sound.brief, files), OfflineAuthor())

    assert dict(again) == stored(stage, sound)
    assert {name.partition("/")[0] for name in files.read} <= set(stage.needs)


def test_another_process_with_another_hash_seed_gives_the_same_bytes_from_the_needs_alone(
    sound: Workspace,
) -> None:
    briefs = Path(__file__).parents[2] / "briefs"
    sources = [briefs / "patient_intake.yaml", briefs / "drafts" / "patient_intake.md"]

    done = subprocess.run(
        [sys.executable, "-c", BUILD_ALL_AGAIN, *map(str, sources)],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        check=True,
        capture_output=True,
        text=True,
    )

    assert json.loads(done.stdout) == {
        stage.name: digest_files(stored(stage, sound)) for stage in STAGES
    }


@EACH_STAGE
def test_a_stage_needs_earlier_stages_only(stage: Stage) -> None:
    names = [item.name for item in STAGES]

    assert set(stage.needs) <= set(names[: names.index(stage.name)])


@EACH_STAGE
def test_an_order_holds_the_files_of_the_needs_alone(
    stage: Stage, sound: Workspace, tmp_path: Path
) -> None:
    order = build_order(open_store(tmp_path).get_domain("refund"), stage, sound, OfflineAuthor())

    assert {name.partition("/")[0] for name in order.workspace.files} == set(stage.needs)
    assert {*order.workspace.files.items()} <= {*sound.files.items()}


@EACH_STAGE
def test_a_stage_is_stale_when_a_file_that_it_needs_changes(
    stage: Stage, sound: Workspace, tmp_path: Path
) -> None:
    domain = open_store(tmp_path).get_domain("refund")
    key = build_order(domain, stage, sound, OfflineAuthor()).key

    for name, text in sound.files.items():
        changed = build_order(
            domain, stage, sound.with_files({name: text + " "}), OfflineAuthor()
        ).key
        assert (changed != key) == (name.partition("/")[0] in stage.needs), name


@pytest.mark.parametrize(
    ("change", "stale"),
    [
        pytest.param({"title": "Another title"}, {"schema"}, id="title"),
        pytest.param({"context": ("A note.",)}, {"sop"}, id="context"),
        pytest.param({"guidelines": "Other words."}, set(), id="guidelines"),
    ],
)
def test_a_change_of_the_brief_makes_only_its_own_stages_stale(
    sound: Workspace, tmp_path: Path, change: dict[str, object], stale: set[str]
) -> None:
    domain = open_store(tmp_path).get_domain("refund")
    parts = sound.brief.parts.model_copy(update=change)
    changed = Workspace(replace(sound.brief, parts=parts), sound.files)

    found = {
        stage.name
        for stage in STAGES
        if build_order(domain, stage, sound, OfflineAuthor()).key
        != build_order(domain, stage, changed, OfflineAuthor()).key
    }

    assert found == stale
