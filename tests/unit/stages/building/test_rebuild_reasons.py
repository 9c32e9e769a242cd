"""A run reports why it rebuilt a stage, and the version keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.runs.run import describe_stage
from sopforge.pipeline.stages.pipeline import StageReport, advance
from sopforge.store.opening import open_store
from sopforge.store.versions import Store

TEXT = (Path(__file__).parents[3] / "briefs" / "refund.yaml").read_text(encoding="utf-8")


def brief(days: int = 30, extra: str = "") -> Brief:
    return read_brief(TEXT.replace("value: 30", f"value: {days}", 1) + extra, "refund.yaml")


def run_all(store: Store, asked: Brief) -> dict[str, StageReport]:
    reports: list[StageReport] = []
    advance(store, asked, approve_clean=True, report=reports.append)
    return {item.version.manifest.stage: item for item in reports}


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, dict[str, StageReport]]:
    """Return a store in which a limit was changed, and what the run of the change reported."""
    store = open_store(tmp_path_factory.mktemp("store"))
    first = run_all(store, brief())
    assert all(item.is_built for item in first.values())
    assert [item.version.rebuild_reasons for item in first.values()] == [()] * 7
    return store, run_all(store, brief(20))


def test_each_rebuilt_stage_has_the_inputs_that_changed(
    rebuilt: tuple[Store, dict[str, StageReport]],
) -> None:
    reasons = {stage: item.version.rebuild_reasons for stage, item in rebuilt[1].items()}
    assert reasons["schema"] == ("brief: model.policy.refund_days.value 20 (was 30)",)
    assert reasons["sop"] == ("files of schema",)
    assert reasons["complexity"][0].startswith("files of schema, sop, dataset")


def test_the_line_of_a_stage_ends_with_its_reasons(
    rebuilt: tuple[Store, dict[str, StageReport]],
) -> None:
    line = describe_stage(rebuilt[1]["schema"])
    assert line.startswith("1/7 schema      version 2  ")
    assert line.endswith("; rebuilt: brief: model.policy.refund_days.value 20 (was 30)")


def test_what_a_run_finds_it_does_not_report_as_rebuilt(
    rebuilt: tuple[Store, dict[str, StageReport]],
) -> None:
    found = run_all(rebuilt[0], brief(20))

    assert not any(item.is_built for item in found.values())
    assert not any("rebuilt" in describe_stage(item) for item in found.values())
    assert found["sop"].version.rebuild_reasons == ("files of schema",)


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"rebuilt_because": 7}', b"\xff"])
def test_a_record_that_cannot_be_read_gives_no_reasons(tmp_path: Path, damage: bytes) -> None:
    store = open_store(tmp_path)
    advance(store, brief())
    version = store.get_domain("refund").list_versions("schema")[0]
    store.objects.replace(f"{version.name}/run.json", damage)

    assert version.rebuild_reasons == ()
