"""A changed brief runs again what reads the change and nothing else: said by hand, one by one.

Files are written as they are, and not checked: what runs follows from them, and from the brief.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.building.orders import Order
from sopforge.pipeline.stages.pipeline import STAGES, advance
from sopforge.store.digests import digest_files
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Manifest, Version
from tests.worlds.changed_briefs import REFUND
from tests.worlds.small_models import changed

DRAFT = "Judge each request on its own.\n"
ALL = ("schema", "sop", "dataset", "api", "toolspec", "tools", "complexity")
OF_THE_TASKS = ("dataset", "toolspec", "tools", "complexity")
_AUTHOR = "author: offline"


def unchecked(domain: DomainStore, order: Order) -> Version:
    """Build a version without its checks."""
    files = dict(order.stage.build(order.workspace, order.author))
    stage, content = order.stage.name, digest_files(files)
    made = Manifest("refund", stage, order.key, content, "offline", order.inputs, ())
    return domain.save(made, files, {})


def built(place: Path, *changes: tuple[str, str], draft: str = DRAFT) -> tuple[str, ...]:
    brief = read_brief(changed(REFUND, *changes), "brief.yaml", draft)
    return advance(open_store(place), brief, approve_clean=True, build=unchecked).built


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which all stages are approved."""
    place = tmp_path_factory.mktemp("store")
    assert built(place) == ALL
    return place


@pytest.fixture
def place(first: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(first, tmp_path / "store"))


def test_all_stages_are_spoken_of() -> None:
    assert tuple(stage.name for stage in STAGES) == ALL


def test_nothing_runs_again_where_nothing_changed(place: Path) -> None:
    assert built(place) == ()


@pytest.mark.parametrize(
    ("changes", "again"),
    [
        # A limit is a rule: in the model, in the SOP's words, in the tasks at its boundary and
        # their records; what tools answer to examples and trials follows from it.
        pytest.param([("value: 30,", "value: 31,")], ALL, id="threshold"),
        # The weights of a field are part of the model, and draw the cases by which the SOP's
        # checks, the API's examples and the tools' trials speak.
        pytest.param([("weights: [40, 30, 30]", "weights: [50, 25, 25]")], ALL, id="weights"),
        # More tasks are drawn; the examples of the API are drawn after them; the tool
        # descriptions are tried with each task, the tools too, and each level has all tasks.
        pytest.param(
            [("n_samples: 12", "n_samples: 16")],
            ("dataset", "api", "toolspec", "tools", "complexity"),
            id="more tasks",
        ),
        pytest.param(
            [("seed: 7", "seed: 8")],
            ("dataset", "api", "toolspec", "tools", "complexity"),
            id="seed",
        ),
        # Which of the drawn cases become tasks is no matter of the API's examples.
        pytest.param([("mix: balanced", "mix: natural")], OF_THE_TASKS, id="mix"),
        pytest.param([("mix: balanced", "mix: balanced, dev_share: 40")], OF_THE_TASKS, id="share"),
        # How the SOP is arranged, and what is written of it at each level.
        pytest.param(
            [(_AUTHOR, f"sop: {{form: policy}}\n{_AUTHOR}")], ("sop", "complexity"), id="form"
        ),
        # Who works stands in the SOP; with what, the levels alone say.
        pytest.param(
            [(_AUTHOR, f"setting: {{worker: clerk}}\n{_AUTHOR}")],
            ("sop", "complexity"),
            id="worker",
        ),
        pytest.param(
            [(_AUTHOR, f"setting: {{systems: [till]}}\n{_AUTHOR}")], ("complexity",), id="systems"
        ),
        pytest.param(
            [(_AUTHOR, f"context: [Be kind.]\n{_AUTHOR}")], ("sop", "complexity"), id="context"
        ),
        pytest.param([("levels: [L0, L1]", "levels: [L0, L2]")], ("complexity",), id="levels"),
        # On what terms a release is published, and who approves what.
        pytest.param([(_AUTHOR, f"package: {{outputs: all}}\n{_AUTHOR}")], (), id="terms"),
        pytest.param(
            [(_AUTHOR, f"gates: {{checklist: [All is said.]}}\n{_AUTHOR}")], (), id="checklist"
        ),
        # Guidelines are prose for those who write rows, which are drawn here.
        pytest.param([(_AUTHOR, f"guidelines: Odd ones too.\n{_AUTHOR}")], (), id="guidelines"),
        pytest.param([("# A small domain", "# A tiny domain")], (), id="comment"),
    ],
)
def test_what_reads_a_change_runs_again(
    place: Path, changes: list[tuple[str, str]], again: tuple[str, ...]
) -> None:
    assert built(place, *changes) == again
    assert built(place, *changes) == ()


def test_a_changed_draft_runs_again_what_holds_its_words(place: Path) -> None:
    assert built(place, draft="Judge each request with care.\n") == ("sop", "complexity")


def test_more_approvers_let_what_was_approved_wait_and_build_nothing(place: Path) -> None:
    two = (_AUTHOR, f"gates: {{approvers: {{sop: 2}}}}\n{_AUTHOR}")
    brief = read_brief(changed(REFUND, two), "brief.yaml", DRAFT)
    ended = advance(open_store(place), brief, approve_clean=True, build=unchecked)
    assert (ended.version.manifest.stage, ended.built) == ("sop", ())


def test_a_change_back_runs_nothing_again(place: Path) -> None:
    assert built(place, ("value: 30,", "value: 31,")) == ALL
    assert built(place) == ()
